<?php

declare(strict_types=1);

namespace Shelfwire\Verify;

/** A product that is missing, superfluous or different. */
final class Finding
{
    /** @param list<Difference> $differences empty unless the product is different */
    public function __construct(
        public readonly int $id,
        public readonly string $kind,
        public readonly array $differences = [],
    ) {
    }
}
