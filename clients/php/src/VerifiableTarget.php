<?php

declare(strict_types=1);

namespace Shelfwire;

/** A target that can be compared with the service. */
interface VerifiableTarget extends Target
{
    /**
     * The products of a store as they were served, by id ascending.
     * @param callable(Damage): void $onDamage called with each part that cannot be read
     * @return iterable<int, string> texts by id
     */
    public function held(string $store, callable $onDamage): iterable;
}
