<?php

declare(strict_types=1);

namespace Shelfwire;

/** A line that is no product or repeats one, or the cut-off end of a file. The file is for the product ids $first to $last. */
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
