<?php

declare(strict_types=1);

namespace Shelfwire;

/** A line of a file that is no product or one that the file has already, or the end of one that was cut off. The products of its file are $first to $last. */
final class Damage
{
    public function __construct(
        public readonly string $file,
        public readonly int $line,
        public readonly int $first,
        public readonly int $last,
    ) {
    }
}
