<?php

declare(strict_types=1);

namespace Shelfwire;

/** The position of a store's mirror: following the feed, or filled up to the id $after, with the cursor from before the first product. */
final class Position
{
    private function __construct(
        public readonly Cursor $cursor,
        /** Identifies the process that fills: two that fill at once would undo each other's work. Null: it follows. */
        public readonly ?string $by,
        public readonly int $after,
    ) {
    }

    public static function following(Cursor $cursor): self
    {
        return new self($cursor, null, 0);
    }

    public static function filling(Cursor $cursor, string $by, int $after): self
    {
        return new self($cursor, $by, $after);
    }

    /** @throws MirrorException where the text is not one that a client saved */
    public static function of(string $store, string $text): self
    {
        $read = json_decode($text);
        $kind = $read->kind ?? null;
        [$since, $id, $after] = [$read->since ?? null, $read->since_id ?? null, $read->after ?? 0];
        if (!in_array($kind, ['following', 'filling'], true) || !is_string($since) || !is_int($id) || !is_int($after)) {
            $shown = json_encode(substr($text, 0, 100), JSON_INVALID_UTF8_SUBSTITUTE);
            $message = "the position of the mirror of $store is damaged ($shown): remove it, and the mirror is filled again";
            throw new MirrorException('position-damaged', $message);
        }
        return new self(new Cursor($since, $id), $kind === 'filling' ? (string) ($read->by ?? '') : null, $after);
    }

    public function isFilling(): bool
    {
        return $this->by !== null;
    }

    public function text(): string
    {
        $members = ['kind' => $this->isFilling() ? 'filling' : 'following'];
        $members += ['since' => $this->cursor->since, 'since_id' => $this->cursor->sinceId];
        $members += $this->isFilling() ? ['by' => $this->by, 'after' => $this->after] : [];
        return json_encode($members, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }
}
