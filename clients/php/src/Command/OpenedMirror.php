<?php

declare(strict_types=1);

namespace Shelfwire\Command;

use Shelfwire\DirectoryTarget;
use Shelfwire\Files;
use Shelfwire\MirrorException;

/** A mirror on this machine, and the service and stores that it copies: two accounts, or production and staging, must not be mixed in one. */
final class OpenedMirror
{
    private const SOURCES = 'shelfwire.json';

    private function __construct(public readonly DirectoryTarget $target)
    {
    }

    /** @throws MirrorException where there is no mirror to read, the directory has other files, or another process writes it */
    public static function open(Options $given): self
    {
        $directory = $given->directory();
        $target = new DirectoryTarget($directory, $given->has('--repair'));
        $stores = $target->stores();
        if ($given->command === 'mirror') {
            Files::makeDirectory($directory);
            $names = array_diff(scandir($directory) ?: [], ['.', '..']);
            // a home directory that was given by mistake must not be filled with files
            if ($stores === [] && $names !== [] && array_intersect($names, [self::SOURCES, 'shelfwire.lock']) === []) {
                $message = "$directory has other files and is no mirror: give a directory that is empty or not there";
                throw new MirrorException('not-a-mirror', $message);
            }
        } elseif ($stores === []) {
            throw new MirrorException('no-mirror', "$directory is no mirror: is the path right? `mirror` makes one");
        }
        if ($given->command === 'mirror' || $given->has('--repair')) {
            $target->lock();
        }
        return new self($target);
    }

    /**
     * The slugs of the stores to work on, after checking that the mirror copies these and no others. The command `mirror` notes them.
     * @param list<object> $active
     * @return list<string>
     */
    public function choose(Options $given, string $url, array $active): array
    {
        $place = $this->target->directory;
        $ids = array_column($active, 'id', 'slug');
        $known = array_column($this->sources(), null, 'store');
        $stores = $given->stores;
        if ($stores === []) {
            $stores = $given->command === 'mirror' ? array_map('strval', array_keys($ids)) : $this->target->stores();
        }
        foreach ($stores as $store) {
            $id = $ids[$store] ?? null;
            if ($id === null) {
                $message = "there is no active store \"$store\": this token reads " . implode(', ', array_keys($ids));
                throw new Failure(Failure::REFUSED, 'unknown-store', $message);
            }
            $from = $known[$store] ?? null;
            if ($from !== null && $from->url !== $url && !$given->has('--moved')) {
                $message = "$place is a mirror of $from->url, not of $url: give another place, or say --moved if the service has moved there";
                throw new MirrorException('other-service', $message);
            }
            if ($from !== null && $from->storeId !== $id) {
                $message = "$place has \"$store\" of another account (store $from->storeId, and this token's is $id): "
                    . 'give another place for this account';
                throw new MirrorException('other-store', $message);
            }
            $known[$store] = (object) ['store' => $store, 'url' => $url, 'storeId' => $id];
        }
        if ($given->command === 'mirror') {
            $flags = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR;
            Files::replace("$place/" . self::SOURCES, json_encode(['sources' => array_values($known)], $flags) . "\n");
        }
        return $stores;
    }

    /** @return list<object> */
    private function sources(): array
    {
        $file = "{$this->target->directory}/" . self::SOURCES;
        $text = Files::read($file);
        if ($text === null) {
            return [];
        }
        $sources = json_decode($text)->sources ?? null;
        if (!is_array($sources)) {
            $message = "$file cannot be read: remove it if the directory is of this account, and it is written anew";
            throw new MirrorException('directory-damaged', $message);
        }
        return $sources;
    }
}
