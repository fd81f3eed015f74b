<?php

declare(strict_types=1);

namespace Shelfwire;

/** A position in the change feed. Both members must be from the same answer. */
final class Cursor
{
    public function __construct(public readonly string $since, public readonly int $sinceId)
    {
    }

    public function equals(self $other): bool
    {
        return $this->since === $other->since && $this->sinceId === $other->sinceId;
    }

    /**
     * The cursor from which the feed continues.
     * @throws ShelfwireException where the feed says that there is more but its cursor has not moved: reading on at once would never end
     */
    public function after(object $changes): self
    {
        $next = new self($changes->next_since, $changes->next_id);
        if ($changes->has_more && $next->equals($this)) {
            throw new ShelfwireException('no-answer', 0, "the feed has more, and no cursor after $this->sinceId");
        }
        return $next;
    }
}
