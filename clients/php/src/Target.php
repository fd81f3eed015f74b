<?php

declare(strict_types=1);

namespace Shelfwire;

/** Where a mirror is kept. */
interface Target
{
    /** What was saved last for a store; null where there is nothing. */
    public function position(string $store): ?string;

    /**
     * Writes a batch, and its position with it: in one transaction where the target has them, otherwise the position last, because a batch that is
     * written twice does no harm.
     * @return bool false, and nothing is written, where the position is not the expected one
     */
    public function apply(Batch $batch): bool;

    /**
     * The ids of its products of a store, ascending from after one, so many at most.
     * @return list<int>
     */
    public function ids(string $store, int $after, int $limit): array;
}
