<?php

declare(strict_types=1);

namespace Shelfwire;

/** What one step of a mirror writes. */
final class Batch
{
    /**
     * @param string|null $expected the position that the target must have for this batch to be written; null: none
     * @param string $position to be saved with it, as it is
     * @param list<Product> $products take the place of what the target has of them
     * @param list<int> $removed no longer listed by the store; the target may not have had them
     * @param list<object> $changes what the feed said of these products; none while a store is filled
     */
    public function __construct(
        public readonly string $store,
        public readonly ?string $expected,
        public readonly string $position,
        public readonly array $products = [],
        public readonly array $removed = [],
        public readonly array $changes = [],
    ) {
    }
}
