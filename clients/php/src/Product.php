<?php

declare(strict_types=1);

namespace Shelfwire;

/** A product as it was served. Its text is kept: serialized again, a number or a string could look different, and so would its digest. */
final class Product
{
    private function __construct(public readonly int $id, public readonly string $text)
    {
    }

    /** @throws \UnexpectedValueException where the text is no product */
    public static function of(string $text): self
    {
        $id = self::parsed($text)->id ?? null;
        if (!is_int($id)) {
            throw new \UnexpectedValueException('a product without an id');
        }
        return new self($id, $text);
    }

    /** The product parsed, as objects and lists. */
    public function data(): object
    {
        return self::parsed($this->text);
    }

    private static function parsed(string $text): object
    {
        $read = json_decode($text);
        if (!is_object($read)) {
            throw new \UnexpectedValueException('no object of JSON');
        }
        return $read;
    }
}
