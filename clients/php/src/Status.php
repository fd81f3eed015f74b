<?php

declare(strict_types=1);

namespace Shelfwire;

/** A step of a mirror. $state: filling, current, following, reset, waiting, unknown-store or retrying. */
final class Status
{
    /** @param float $pause seconds until the next attempt */
    public function __construct(
        public readonly string $store,
        public readonly string $state,
        public readonly int $products = 0,
        public readonly int $removed = 0,
        public readonly ?\Throwable $error = null,
        public readonly float $pause = 0,
    ) {
    }
}
