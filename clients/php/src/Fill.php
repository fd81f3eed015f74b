<?php

declare(strict_types=1);

namespace Shelfwire;

/** Writes the products of a store in batches, and removes other products of the target. */
final class Fill
{
    public const BATCH = 200;
    private const HELD = 1_000;
    private const LAST_ID = 2 ** 53 - 1;

    /** @var list<Product> */
    private array $batch = [];

    /** @param \Closure(Batch): bool $apply */
    public function __construct(
        private readonly \Closure $apply,
        private readonly Target $target,
        private readonly string $store,
        private string $text,
        private readonly Cursor $cursor,
        private readonly string $by,
        private int $after,
    ) {
    }

    /** @return bool false: another process works on this store */
    public function add(Product $product): bool
    {
        $this->batch[] = $product;
        return count($this->batch) < self::BATCH || $this->write($product->id, $this->filledTo($product->id));
    }

    /** Writes the rest. @return bool false: another process works on this store */
    public function end(): bool
    {
        return $this->write(self::LAST_ID, Position::following($this->cursor)->text());
    }

    private function filledTo(int $id): string
    {
        return Position::filling($this->cursor, $this->by, $id)->text();
    }

    /** Writes the batch, and removes other products of the target up to an id, a page of the target's ids at a time. The last page saves $last. */
    private function write(int $upTo, string $last): bool
    {
        do {
            $held = $this->target->ids($this->store, $this->after, self::HELD);
            $end = count($held) < self::HELD ? $upTo : min($upTo, $held[self::HELD - 1]);
            $shown = array_values(array_filter($this->batch, static fn (Product $one): bool => $one->id <= $end));
            $listed = array_fill_keys(array_column($shown, 'id'), true);
            $isGone = static fn (int $id): bool => $id <= $end && !isset($listed[$id]);
            $removed = array_values(array_filter($held, $isGone));
            $next = $end === $upTo ? $last : $this->filledTo($end);
            if (!($this->apply)(new Batch($this->store, $this->text, $next, $shown, $removed))) {
                return false;
            }
            [$this->text, $this->after] = [$next, $end];
            $this->batch = array_slice($this->batch, count($shown));
        } while ($end !== $upTo);
        return true;
    }
}
