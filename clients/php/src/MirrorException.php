<?php

declare(strict_types=1);

namespace Shelfwire;

/**
 * A mirror that cannot be used as it is. $problem: position-damaged, not-filled, cursor-ahead, directory-damaged, directory-locked, no-mirror,
 * not-a-mirror, other-service, other-store.
 */
final class MirrorException extends \RuntimeException
{
    public function __construct(public readonly string $problem, string $message)
    {
        parent::__construct($message);
    }
}
