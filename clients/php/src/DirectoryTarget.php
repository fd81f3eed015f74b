<?php

declare(strict_types=1);

namespace Shelfwire;

/**
 * A mirror in a directory, in the format of @shelfwire/client, so that either can continue the other's: DIRECTORY/STORE/0000000000000400.ndjson has
 * the products 400 to 599, by id, one a line; DIRECTORY/STORE/position has the position of the mirror. One process at a time writes it; others may
 * read.
 */
final class DirectoryTarget implements VerifiableTarget
{
    /** How many ids share a file, which a small change rewrites. */
    public const WIDTH = 200;
    private const SLUG = '/^[a-z0-9][a-z0-9_-]*$/iD';

    private ?DirectoryLock $lock = null;
    /** @var array<string, true> */
    private array $opened = [];

    /** @param bool $isDropping drops lines that cannot be read when a file is written again, instead of failing: for a repair */
    public function __construct(public readonly string $directory, private readonly bool $isDropping = false)
    {
    }

    /** Locks the directory; otherwise the first batch does. @throws MirrorException where another process has locked it */
    public function lock(): void
    {
        if ($this->lock === null) {
            Files::makeDirectory($this->directory);
            $this->lock = DirectoryLock::take("$this->directory/shelfwire.lock");
        }
        $this->lock->check();
    }

    /** Releases the directory. */
    public function close(): void
    {
        $this->lock?->release();
        $this->lock = null;
    }

    public function position(string $store): ?string
    {
        $this->lock?->touch();
        return Files::read($this->place($store) . '/position');
    }

    public function apply(Batch $batch): bool
    {
        $this->lock();
        $place = $this->open($batch->store);
        if ($this->position($batch->store) !== $batch->expected) {
            return false;
        }
        $changes = [];
        foreach ($batch->products as $product) {
            $changes[$product->id - $product->id % self::WIDTH][$product->id] = $product->text;
        }
        foreach ($batch->removed as $id) {
            $changes[$id - $id % self::WIDTH][$id] = null;
        }
        foreach ($changes as $first => $ofFile) {
            $this->rewrite("$place/" . self::nameOf($first), $first, $ofFile);
        }
        // the files must be on disk before the position says that they are
        Files::settle($place);
        Files::replace("$place/position", $batch->position);
        Files::settle($place);
        return true;
    }

    public function ids(string $store, int $after, int $limit): array
    {
        $ids = [];
        $onDamage = $this->isDropping ? static function (): void {
        } : self::refuse(...);
        foreach ($this->files($store, $after, $onDamage) as $texts) {
            foreach (array_keys($texts) as $id) {
                if ($id > $after) {
                    $ids[] = $id;
                }
            }
            if (count($ids) >= $limit) {
                break;
            }
        }
        return array_slice($ids, 0, $limit);
    }

    public function held(string $store, callable $onDamage): iterable
    {
        foreach ($this->files($store, 0, $onDamage) as $texts) {
            yield from $texts;
        }
    }

    /** @return list<string> slugs of the stores that have a position */
    public function stores(): array
    {
        $stores = [];
        foreach (is_dir($this->directory) ? scandir($this->directory) ?: [] : [] as $name) {
            if (preg_match(self::SLUG, $name) === 1 && is_dir("$this->directory/$name") && $this->position($name) !== null) {
                $stores[] = $name;
            }
        }
        return $stores;
    }

    private function place(string $store): string
    {
        if (preg_match(self::SLUG, $store) !== 1) {
            throw new \InvalidArgumentException("\"$store\" is not the slug of a store");
        }
        return "$this->directory/$store";
    }

    /** Makes the store's directory, and removes temporary files of a process that was killed. */
    private function open(string $store): string
    {
        $place = $this->place($store);
        if (!isset($this->opened[$store])) {
            Files::makeDirectory($place);
            foreach (scandir($place) ?: [] as $name) {
                if (str_ends_with($name, '.tmp')) {
                    unlink("$place/$name");
                }
            }
            $this->opened[$store] = true;
        }
        return $place;
    }

    /** @param array<int, string|null> $changes */
    private function rewrite(string $file, int $first, array $changes): void
    {
        $before = Files::read($file);
        $onDamage = $this->isDropping ? static function (): void {
        } : self::refuse(...);
        $lines = self::linesIn($file, $before ?? '', $first, $onDamage);
        foreach ($changes as $id => $text) {
            if ($text === null) {
                unset($lines[$id]);
            } else {
                // line ends can only be between members: within texts they are escaped
                $lines[$id] = strtr($text, ["\r" => '', "\n" => '']);
            }
        }
        if ($lines === []) {
            Files::remove($file);
            return;
        }
        ksort($lines);
        $after = implode("\n", $lines) . "\n";
        if ($after !== $before) {
            Files::replace($file, $after);
        }
    }

    /**
     * The products of each file that may have ids above $after.
     * @param callable(Damage): void $onDamage
     * @return \Generator<array<int, string>>
     */
    private function files(string $store, int $after, callable $onDamage): \Generator
    {
        $place = $this->place($store);
        // sorted by name, and so by id
        foreach (is_dir($place) ? scandir($place) ?: [] : [] as $name) {
            if (preg_match('/^(\d{16})\.ndjson$/D', $name, $match) !== 1) {
                continue;
            }
            $first = (int) $match[1];
            if ($first + self::WIDTH > $after) {
                $texts = self::linesIn("$place/$name", Files::read("$place/$name") ?? '', $first, $onDamage);
                ksort($texts);
                yield $texts;
            }
        }
    }

    /**
     * @param callable(Damage): void $onDamage
     * @return array<int, string> texts by id
     */
    private static function linesIn(string $file, string $text, int $first, callable $onDamage): array
    {
        $lines = explode("\n", $text);
        // a complete file ends with a line feed: otherwise its last line was cut off, and an empty line is reported for it
        if (array_pop($lines) !== '') {
            $lines[] = '';
        }
        $texts = [];
        foreach ($lines as $number => $line) {
            try {
                $id = Product::of($line)->id;
            } catch (\UnexpectedValueException) {
                $id = -1;
            }
            // of two lines for one product, it is unknown which one is right
            if ($id < $first || $id >= $first + self::WIDTH || isset($texts[$id])) {
                $onDamage(new Damage($file, $number + 1, $first, $first + self::WIDTH - 1));
            } else {
                $texts[$id] = $line;
            }
        }
        return $texts;
    }

    private static function refuse(Damage $damage): never
    {
        $message = "$damage->file, line $damage->line is no product, or one that the file has twice: it was cut off or changed by something else."
            . ' `verify --repair` reads what is missing from the service';
        throw new MirrorException('directory-damaged', $message);
    }

    private static function nameOf(int $first): string
    {
        return sprintf('%016d.ndjson', $first);
    }
}
