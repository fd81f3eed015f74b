<?php

declare(strict_types=1);

namespace Shelfwire\Verify;

use Shelfwire\Damage;

/** The result of comparing a store. */
final class Comparison
{
    /**
     * @param int $products how many the service has
     * @param list<Finding> $findings by id ascending
     * @param list<Damage> $damages
     * @param int $changed how many products have changed since the mirror's position: they are not compared
     * @param string $asOf the time of that position
     */
    public function __construct(
        public readonly string $store,
        public readonly int $products,
        public readonly array $findings,
        public readonly array $damages,
        public readonly int $changed,
        public readonly string $asOf,
    ) {
    }

    public function isEqual(): bool
    {
        return $this->findings === [] && $this->damages === [];
    }
}
