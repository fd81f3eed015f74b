<?php

declare(strict_types=1);

namespace Shelfwire;

/** The products that one step of a mirror writes. */
final class Batch
{
    /**
     * @param string|null $expected the position that the target must still have for this batch to be written; null: none
     * @param string $position an opaque text to be saved with the batch
     * @param list<Product> $products replace the target's versions of them
     * @param list<int> $removed ids that the store no longer lists; the target may not have had them
     * @param list<object> $changes the feed's changes of these products; none while a store is filled
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
