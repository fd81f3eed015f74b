<?php

declare(strict_types=1);

namespace Shelfwire;

/**
 * Keeps a mirror of stores in a target: filled from the export, then kept up to date by the change feed. However it ends, it continues from the position
 * in its target.
 */
final class Sync
{
    private const UNKNOWN_STORE_SECONDS = 30;
    private const PAUSE_MAX = 30;
    /** The longest Retry-After that is obeyed. A longer one was probably not meant for us, and would end the mirror in effect. */
    private const ASKED_MAX = 3_600;
    private const FILLER_SILENT_SECONDS = 60;
    /** During longer pauses the target is asked for a position this often, because DirectoryTarget touches its lock then. */
    private const ASLEEP_SECONDS = 10;

    /** Identifies this process as the one that fills. */
    private readonly string $by;
    /** @var array<string, true> stores in which this process has found another one's fill; the first time it assumes that the other has ended */
    private array $yielded = [];
    /** @var array<string, int> how many batches the target took without an error, by store */
    private array $written = [];
    private bool $isEnding = false;
    /** @var \Closure(Status): void */
    private readonly \Closure $tell;

    /**
     * @param list<string> $stores slugs
     * @param int $wait seconds for which the service holds a request until there is a change; divided among several stores
     * @param (callable(Status): void)|null $onStatus called after each step; an error of it ends `run`
     */
    public function __construct(
        private readonly Client $client,
        private readonly Target $target,
        private readonly array $stores,
        private readonly int $wait = 25,
        ?callable $onStatus = null,
    ) {
        $this->by = bin2hex(random_bytes(16));
        $this->tell = $onStatus === null ? static function (): void {
        } : $onStatus(...);
    }

    /**
     * Reads until every store is current: for a schedule.
     * @throws ShelfwireException after the client's own attempts; that a store is not active only when the others are current; MirrorException
     */
    public function once(): void
    {
        $unknown = null;
        foreach ($this->stores as $store) {
            try {
                while (!$this->step($store, 0)) {
                }
            } catch (ShelfwireException $error) {
                if ($error->problem !== 'unknown-store') {
                    throw $error;
                }
                ($this->tell)(new Status($store, 'unknown-store'));
                $unknown ??= $error;
            }
        }
        if ($unknown !== null) {
            throw $unknown;
        }
    }

    /**
     * Follows until `stop`, one store after the other.
     * @throws ShelfwireException where the token or the address is wrong; MirrorException
     */
    public function run(): void
    {
        $due = array_fill_keys($this->stores, 0.0);
        $failures = array_fill_keys($this->stores, 0);
        $isCurrent = array_fill_keys($this->stores, false);
        $share = max(1, intdiv($this->wait, max(1, count($this->stores))));
        while (!$this->isEnding && $due !== []) {
            $store = (string) array_search(min($due), $due, true);
            if (!$this->sleepUntil($due[$store], $store)) {
                return;
            }
            $written = $this->written[$store] ?? 0;
            try {
                // the first request does not wait for a change: it finds out whether the store is current
                $isCurrent[$store] = $this->step($store, $isCurrent[$store] ? $share : 0);
                $failures[$store] = 0;
                // the other stores come first
                $due[$store] = microtime(true);
            } catch (MirrorException $error) {
                throw $error;
            } catch (\Exception $error) {
                if ($error instanceof ShelfwireException && $error->isFinal()) {
                    throw $error;
                }
                $isCurrent[$store] = false;
                // only failures without progress in between lengthen the pause: a fill that fails now and then continues
                $failures[$store] = ($this->written[$store] ?? 0) === $written ? $failures[$store] + 1 : 1;
                $due[$store] = microtime(true) + $this->pause($store, $error, $failures[$store]);
            }
        }
    }

    /** Ends `run` after the current step. Safe to call from a signal handler. */
    public function stop(): void
    {
        $this->isEnding = true;
    }

    private function pause(string $store, \Exception $error, int $failures): float
    {
        if ($error instanceof ShelfwireException && $error->problem === 'unknown-store') {
            ($this->tell)(new Status($store, 'unknown-store', pause: self::UNKNOWN_STORE_SECONDS));
            return self::UNKNOWN_STORE_SECONDS;
        }
        $asked = $error instanceof ShelfwireException ? $error->retryAfter ?? 0 : 0;
        $pause = max(min(self::ASKED_MAX, $asked), min(self::PAUSE_MAX, 0.25 * 2 ** min($failures, 10)) * random_int(500, 1_000) / 1_000);
        ($this->tell)(new Status($store, 'retrying', error: $error, pause: $pause));
        return $pause;
    }

    /** @return bool false: `stop` was called */
    private function sleepUntil(float $time, string $store): bool
    {
        $asked = microtime(true);
        while (!$this->isEnding && ($left = $time - microtime(true)) > 0) {
            usleep((int) (1e6 * min(0.2, $left)));
            if (microtime(true) - $asked > self::ASLEEP_SECONDS) {
                $this->target->position($store);
                $asked = microtime(true);
            }
        }
        return !$this->isEnding;
    }

    /** Reads one window of the feed, or does a whole fill. @return bool whether the store is current */
    private function step(string $store, int $wait): bool
    {
        $text = $this->target->position($store);
        if ($text === null) {
            return $this->begin($store, null);
        }
        $position = Position::of($store, $text);
        return $position->isFilling()
            ? $this->goOn($store, $text, $position)
            : $this->follow($store, $text, $position->cursor, $wait);
    }

    private function follow(string $store, string $text, Cursor $cursor, int $wait): bool
    {
        try {
            $answer = $this->client->changes($store, $cursor, $wait, true);
        } catch (ShelfwireException $error) {
            if ($error->problem !== 'cursor-ahead') {
                throw $error;
            }
            // the service was restored from a backup older than the mirror: it is filled again over its present products, and those that are gone are removed
            ($this->tell)(new Status($store, 'reset'));
            return $this->begin($store, $text);
        }
        $data = $answer->data;
        $next = $cursor->after($data);
        if ($data->changes !== [] || !$next->equals($cursor)) {
            $listed = array_fill_keys(array_column($answer->products, 'id'), true);
            $changed = array_column($data->changes, 'product_id');
            $removed = array_values(array_filter($changed, static fn (int $id): bool => !isset($listed[$id])));
            $saved = Position::following($next)->text();
            if (!$this->apply(new Batch($store, $text, $saved, $answer->products, $removed, $data->changes))) {
                return false;
            }
            if ($data->changes !== []) {
                ($this->tell)(new Status($store, 'following', count($answer->products), count($removed)));
            }
        }
        if (!$data->has_more) {
            ($this->tell)(new Status($store, 'current'));
        }
        return !$data->has_more;
    }

    private function begin(string $store, ?string $expected): bool
    {
        [$cursor, $products] = $this->client->export($store);
        $text = Position::filling($cursor, $this->by, 0)->text();
        // the cursor is saved before the first product
        return $this->apply(new Batch($store, $expected, $text))
            && $this->fill($store, $text, $cursor, 0, $this->toItsEnd($store, $products));
    }

    /**
     * An export, followed by the pages after its last product. The service ends an export that is not read for a minute, as when the target writes
     * slowly; and a proxy may end one that was cut off as if it were complete. Only an empty page after the last product proves that it was.
     * @param iterable<Product> $products
     * @return \Generator<Product>
     */
    private function toItsEnd(string $store, iterable $products): \Generator
    {
        $after = 0;
        try {
            foreach ($products as $product) {
                $after = $product->id;
                yield $product;
            }
        } catch (ShelfwireException $error) {
            if (!$error->isPassing()) {
                throw $error;
            }
            ($this->tell)(new Status($store, 'retrying', error: $error, pause: 0));
        }
        foreach ($this->client->walk($store, $after) as $product) {
            yield $product;
        }
    }

    private function goOn(string $store, string $text, Position $position): bool
    {
        if ($position->by !== $this->by && $this->isFilledElsewhere($store, $text)) {
            return false;
        }
        $taken = Position::filling($position->cursor, $this->by, $position->after)->text();
        if ($taken !== $text && !$this->apply(new Batch($store, $text, $taken))) {
            return false;
        }
        // an export cannot begin in the middle; pages can
        $products = $this->client->walk($store, $position->after);
        return $this->fill($store, $taken, $position->cursor, $position->after, $products);
    }

    /** Whether another process is filling the store: its position moves within a minute. The first time it is taken for gone without waiting. */
    private function isFilledElsewhere(string $store, string $text): bool
    {
        if (!isset($this->yielded[$store])) {
            $this->yielded[$store] = true;
            return false;
        }
        ($this->tell)(new Status($store, 'waiting'));
        for ($second = 0; $second < self::FILLER_SILENT_SECONDS; $second++) {
            if (!$this->sleepUntil(microtime(true) + 1, $store) || $this->target->position($store) !== $text) {
                return true;
            }
        }
        return false;
    }

    /** @param iterable<Product> $products by id ascending, all above $after */
    private function fill(string $store, string $text, Cursor $cursor, int $after, iterable $products): bool
    {
        $fill = new Fill($this->apply(...), $this->target, $store, $text, $cursor, $this->by, $after);
        $count = 0;
        foreach ($products as $product) {
            $count++;
            if ($this->isEnding || !$fill->add($product)) {
                return false;
            }
            if ($count % Fill::BATCH === 0) {
                ($this->tell)(new Status($store, 'filling', $count));
            }
        }
        if ($fill->end()) {
            ($this->tell)(new Status($store, 'filling', $count));
        }
        // the changes since the beginning of the fill are still to be read
        return false;
    }

    private function apply(Batch $batch): bool
    {
        $isWritten = $this->target->apply($batch);
        $this->written[$batch->store] = ($this->written[$batch->store] ?? 0) + 1;
        return $isWritten;
    }
}
