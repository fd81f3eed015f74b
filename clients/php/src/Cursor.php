<?php

declare(strict_types=1);

namespace Shelfwire;

/** A place in the change feed. Its halves belong together. */
final class Cursor
{
    public function __construct(public readonly string $since, public readonly int $sinceId)
    {
    }

    public function equals(self $other): bool
    {
        return $this->since === $other->since && $this->sinceId === $other->sinceId;
    }
}
