<?php

declare(strict_types=1);

namespace Shelfwire;

/** Where a mirror is kept. */
interface Target
{
    /** The position that was saved last for a store; null where there is none. */
    public function position(string $store): ?string;

    /**
     * Writes a batch and its position: in one transaction where the target has transactions, otherwise the position last, because writing a batch twice
     * does no harm.
     * @return bool false, and nothing is written, where the position is not the expected one
     */
    public function apply(Batch $batch): bool;

    /**
     * The ids above $after of its products of a store, ascending, $limit at most.
     * @return list<int>
     */
    public function ids(string $store, int $after, int $limit): array;
}
