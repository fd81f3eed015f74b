<?php

declare(strict_types=1);

namespace Shelfwire;

/** Parses an answer, but keeps the text of its products unchanged. */
final class Members
{
    private const BLANKS = " \t\r\n";

    private int $at = 0;

    private function __construct(private readonly string $text)
    {
    }

    /**
     * The members of an answer, and the products of the list of that name.
     * @return array{object, list<Product>}
     * @throws \UnexpectedValueException
     */
    public static function of(string $text, string $products): array
    {
        return (new self($text))->read($products);
    }

    /** @return array{object, list<Product>} */
    private function read(string $list): array
    {
        $members = new \stdClass();
        $products = [];
        $mark = $this->take('{');
        while ($mark !== '}') {
            $name = json_decode($this->value());
            if (!is_string($name)) {
                throw new \UnexpectedValueException('a member without a name');
            }
            $this->take(':');
            if ($name === $list && ($this->text[$this->at] ?? '') === '[') {
                $products = $this->products();
            } else {
                $members->{$name} = json_decode($this->value(), false, 512, JSON_THROW_ON_ERROR);
            }
            $mark = $this->take(',}');
        }
        return [$members, $products];
    }

    /** @return list<Product> */
    private function products(): array
    {
        $products = [];
        $mark = $this->take('[');
        if (($this->text[$this->at] ?? '') === ']') {
            $mark = $this->take(']');
        }
        while ($mark !== ']') {
            $products[] = Product::of($this->value());
            $mark = $this->take(',]');
        }
        return $products;
    }

    private function take(string $marks): string
    {
        $this->at += strspn($this->text, self::BLANKS, $this->at);
        $mark = $this->text[$this->at] ?? '';
        if ($mark === '' || !str_contains($marks, $mark)) {
            throw new \UnexpectedValueException("no $marks at $this->at");
        }
        $this->at++;
        $this->at += strspn($this->text, self::BLANKS, $this->at);
        return $mark;
    }

    /** The text of the value that begins here. */
    private function value(): string
    {
        $from = $this->at;
        $depth = 0;
        do {
            $mark = $this->text[$this->at] ?? '';
            if ($mark === '"') {
                $this->skipText();
            } elseif ($mark === '{' || $mark === '[') {
                $depth++;
                $this->at++;
            } elseif ($mark === '}' || $mark === ']') {
                $depth--;
                $this->at++;
            } elseif ($depth === 0) {
                $this->at += strcspn($this->text, ',:]}' . self::BLANKS, $this->at);
            }
            if ($depth > 0) {
                $this->at += strcspn($this->text, '"{}[]', $this->at);
            }
            if ($this->at >= strlen($this->text)) {
                throw new \UnexpectedValueException('it ends within a value');
            }
        } while ($depth > 0);
        return substr($this->text, $from, $this->at - $from);
    }

    private function skipText(): void
    {
        $this->at++;
        while (true) {
            $this->at += strcspn($this->text, '"\\', $this->at);
            $mark = $this->text[$this->at] ?? '';
            $this->at += $mark === '\\' ? 2 : 1;
            if ($mark === '"') {
                return;
            }
            if ($mark === '') {
                throw new \UnexpectedValueException('it ends within a text');
            }
        }
    }
}
