<?php

declare(strict_types=1);

namespace Shelfwire\Verify;

/** Tags of halves and digests of blocks, as docs/feed.md of the service explains them. */
final class Halves
{
    /** How many ids a block has. */
    public const BLOCK = 1_024;
    public const NAMES = ['content', 'price'];

    /**
     * The tags of a product's text. They equal the service's where the text is exactly what it serves. `,"prices":[` is the member, because quotes within
     * texts are escaped.
     * @return array{content: string, price: string}
     */
    public static function tags(string $text): array
    {
        $at = strpos($text, ',"prices":[');
        $isProduct = $at !== false && $text[0] === '{' && $text[-1] === '}';
        return [
            'content' => self::tag($isProduct ? substr($text, 1, $at - 1) : ''),
            'price' => self::tag($isProduct ? substr($text, $at + 1, -1) : ''),
        ];
    }

    private static function tag(string $half): string
    {
        return strtr(base64_encode(substr(hash('sha512', $half, true), 0, 12)), '+/', '-_');
    }

    /** The 16 bytes that a half adds to the digest of its block, by xor. */
    public static function element(int $id, string $tag): string
    {
        return substr(hash('sha512', "$id:$tag", true), 0, 16);
    }
}
