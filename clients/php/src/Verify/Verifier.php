<?php

declare(strict_types=1);

namespace Shelfwire\Verify;

use Shelfwire\Batch;
use Shelfwire\Client;
use Shelfwire\Cursor;
use Shelfwire\Damage;
use Shelfwire\DirectoryTarget;
use Shelfwire\MirrorException;
use Shelfwire\Position;
use Shelfwire\ShelfwireException;
use Shelfwire\VerifiableTarget;

/**
 * Compares a mirror with the service as of the mirror's own position: by digests, without reading the products that are equal. Products that have
 * changed since that position are not compared, so a mirror that is behind, or is followed meanwhile, does not count as different.
 */
final class Verifier
{
    private const READ = 200;
    private const PAGE = 5_000;

    /** @var array<int, true> */
    private array $changed = [];
    /** @var list<Finding> */
    private array $findings = [];
    private Cursor $cursor;

    private function __construct(private readonly Client $client, private readonly string $store, Cursor $cursor)
    {
        $this->cursor = $cursor;
    }

    /** @throws MirrorException where it is not filled yet, or the service was restored from an older backup; ShelfwireException */
    public static function compare(Client $client, VerifiableTarget $target, string $store): Comparison
    {
        $text = $target->position($store);
        $position = $text === null ? null : Position::of($store, $text);
        if ($position === null || $position->isFilling()) {
            $message = "$store: the mirror is not filled yet: run `mirror` until it says that it is up to date";
            throw new MirrorException('not-filled', $message);
        }
        return (new self($client, $store, $position->cursor))->judge($target);
    }

    /**
     * Reads missing or different products again, and removes those that the service does not have. The position stays; where a mirror moves it
     * meanwhile, the batch is read again.
     * @return array{int, int} how many products were written and removed
     * @throws ShelfwireException
     */
    public static function repair(Client $client, VerifiableTarget $target, Comparison $found): array
    {
        [$written, $removed] = [0, 0];
        foreach (self::groups($found) as $ids) {
            do {
                $position = $target->position($found->store);
                $products = $client->products($found->store, $ids);
                $gone = array_values(array_diff($ids, array_column($products, 'id')));
            } while (!$target->apply(new Batch($found->store, $position, (string) $position, $products, $gone)));
            $written += count($products);
            $removed += count($gone);
        }
        return [$written, $removed];
    }

    /**
     * The ids by file. All ids of a damaged file are in one group, so that the file is written once, and is then complete.
     * @return array<int, list<int>>
     */
    private static function groups(Comparison $found): array
    {
        $ids = array_fill_keys(array_column($found->findings, 'id'), true);
        foreach ($found->damages as $damage) {
            $ids += array_fill_keys(range(max(1, $damage->first), $damage->last), true);
        }
        ksort($ids);
        $groups = [];
        foreach (array_keys($ids) as $id) {
            $groups[intdiv($id, DirectoryTarget::WIDTH)][] = $id;
        }
        return $groups;
    }

    private function judge(VerifiableTarget $target): Comparison
    {
        $asOf = $this->cursor->since;
        // before the comparison, so that products known to have changed are not compared; and after it, for changes that were made meanwhile
        $this->readOn();
        $theirs = $this->digests();
        $products = array_sum(array_column($theirs, 'products'));
        $damages = [];
        $onDamage = static function (Damage $damage) use (&$damages): void {
            $damages[] = $damage;
        };
        foreach ($this->blocks($target->held($this->store, $onDamage)) as $block => [$held, $digests]) {
            $their = $theirs[$block] ?? null;
            unset($theirs[$block]);
            foreach (Halves::NAMES as $half) {
                if ($their === null || bin2hex($digests[$half]) !== $their->{$half}) {
                    $this->compareBlock($block, $held);
                    break;
                }
            }
        }
        foreach (array_keys($theirs) as $block) {
            $this->compareBlock($block, []);
        }
        $this->readOn();
        $isOld = fn (Finding $one): bool => !isset($this->changed[$one->id]);
        $findings = array_values(array_filter($this->findings, $isOld));
        usort($findings, static fn (Finding $one, Finding $other): int => $one->id <=> $other->id);
        return new Comparison($this->store, $products, $findings, $damages, count($this->changed), $asOf);
    }

    private function readOn(): void
    {
        do {
            try {
                $answer = $this->client->changes($this->store, $this->cursor)->data;
            } catch (ShelfwireException $error) {
                if ($error->problem !== 'cursor-ahead') {
                    throw $error;
                }
                $message = "$this->store: the service was restored from a backup older than this mirror: run `mirror`, which fills it again";
                throw new MirrorException('cursor-ahead', $message);
            }
            $this->changed += array_fill_keys(array_column($answer->changes, 'product_id'), true);
            $this->cursor = $this->cursor->after($answer);
        } while ($answer->has_more);
    }

    /** @return array<int, object> */
    private function digests(): array
    {
        $blocks = [];
        $after = null;
        do {
            $query = ['store' => $this->store, 'limit' => self::PAGE] + ($after === null ? [] : ['after_block' => $after]);
            $page = $this->client->get('/digest', $query)->data;
            foreach ($page->data as $block) {
                $blocks[$block->block] = $block;
            }
            $after = $page->meta->next_after_block;
        } while ($after !== null);
        return $blocks;
    }

    /**
     * @param iterable<int, string> $texts by id ascending
     * @return \Generator<int, array{array<int, string>, array<string, string>}> by block, its texts and digests
     */
    private function blocks(iterable $texts): \Generator
    {
        $nothing = array_fill_keys(Halves::NAMES, str_repeat("\0", 16));
        [$block, $held, $digests] = [-1, [], $nothing];
        foreach ($texts as $id => $text) {
            if (intdiv($id, Halves::BLOCK) !== $block) {
                if ($held !== []) {
                    yield $block => [$held, $digests];
                }
                [$block, $held, $digests] = [intdiv($id, Halves::BLOCK), [], $nothing];
            }
            $held[$id] = $text;
            foreach (Halves::tags($text) as $half => $tag) {
                $digests[$half] ^= Halves::element($id, $tag);
            }
        }
        if ($held !== []) {
            yield $block => [$held, $digests];
        }
    }

    /**
     * Compares a block by the tags of its products, and products whose tags differ by their content.
     * @param array<int, string> $held
     */
    private function compareBlock(int $block, array $held): void
    {
        $query = ['store' => $this->store, 'after_id' => max(0, $block * Halves::BLOCK - 1), 'limit' => Halves::BLOCK];
        $their = [];
        foreach ($this->client->get('/digest/products', $query)->data->data as $one) {
            if (intdiv($one->id, Halves::BLOCK) === $block) {
                $their[$one->id] = ['content' => $one->content, 'price' => $one->price];
            }
        }
        $own = array_map(Halves::tags(...), $held);
        $suspects = [];
        foreach (array_keys($own + $their) as $id) {
            if (!isset($this->changed[$id]) && ($own[$id] ?? null) !== ($their[$id] ?? null)) {
                $suspects[] = $id;
            }
        }
        foreach (array_chunk($suspects, self::READ) as $ids) {
            $served = array_column($this->client->products($this->store, $ids), null, 'id');
            foreach ($ids as $id) {
                $product = $served[$id] ?? null;
                if ($product === null && isset($held[$id])) {
                    $this->findings[] = new Finding($id, 'superfluous');
                } elseif ($product !== null && !isset($held[$id])) {
                    $this->findings[] = new Finding($id, 'missing');
                } elseif ($product !== null) {
                    $mirror = json_decode($held[$id]);
                    $unread = $mirror === null ? $held[$id] : $mirror;
                    $differences = Difference::between($unread, $product->data());
                    if ($differences !== []) {
                        $this->findings[] = new Finding($id, 'different', $differences);
                    }
                }
            }
        }
    }
}
