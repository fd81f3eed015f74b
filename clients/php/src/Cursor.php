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

    /**
     * Where the feed goes on.
     * @throws ShelfwireException where it has more, and nothing behind this: asked again at once, it would be so for ever
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
