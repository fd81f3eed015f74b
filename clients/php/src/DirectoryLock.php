<?php

declare(strict_types=1);

namespace Shelfwire;

/** A file whose holder touches it again and again, as @shelfwire/client has it: either respects the other's. */
final class DirectoryLock
{
    /** After how long a holder that has not touched its file counts as gone, where its process cannot be asked. */
    private const SILENT_SECONDS = 60;
    private const TOUCH_SECONDS = 5;

    private int $touched;

    private function __construct(private readonly string $file, private readonly string $id)
    {
        $this->touched = time();
    }

    /** @throws MirrorException where another process holds it; FileException */
    public static function take(string $file): self
    {
        $id = bin2hex(random_bytes(16));
        $text = json_encode(['id' => $id, 'pid' => getmypid(), 'host' => gethostname()], JSON_THROW_ON_ERROR);
        while (true) {
            $created = @fopen($file, 'xb');
            if ($created !== false) {
                $isWritten = @fwrite($created, $text) === strlen($text);
                fclose($created);
                if ($isWritten) {
                    return new self($file, $id);
                }
                Files::remove($file);
                throw new FileException("$file cannot be written");
            }
            clearstatcache(true, $file);
            if (!file_exists($file) && !is_writable(dirname($file))) {
                throw new FileException("$file cannot be written");
            }
            $found = Files::read($file);
            $touched = @filemtime($file);
            // it was given up meanwhile
            if ($found === null || $touched === false) {
                continue;
            }
            $holder = json_decode($found);
            if (!self::isGone($holder, $touched)) {
                $who = isset($holder->pid, $holder->host) ? "process $holder->pid on $holder->host" : 'another process';
                $message = "$who writes this directory ($file): end it, or give another directory";
                throw new MirrorException('directory-locked', $message);
            }
            self::remove($file, $id, $found);
        }
    }

    /** Removes the lock of a process that is gone, unless somebody else did so and holds it now. */
    private static function remove(string $file, string $id, string $found): void
    {
        $aside = "$file.$id";
        @rename($file, $aside);
        $moved = Files::read($aside);
        // another process was quicker: its lock is put back; where a third one came between, that process notices before it writes
        if ($moved !== null && $moved !== $found && ($back = @fopen($file, 'xb')) !== false) {
            fwrite($back, $moved);
            fclose($back);
        }
        Files::remove($aside);
    }

    private static function isGone(mixed $holder, int $touched): bool
    {
        if (time() - $touched > self::SILENT_SECONDS) {
            return true;
        }
        if (!isset($holder->pid, $holder->host) || $holder->host !== gethostname()) {
            return false;
        }
        // one with the pid of this process ended before it, as in a container, where the first process is always 1
        if ($holder->pid === getmypid()) {
            return true;
        }
        // where the process cannot be asked its silence tells
        return function_exists('posix_kill') && !posix_kill($holder->pid, 0) && posix_get_last_error() === 3;
    }

    /** Finds the lock still held: before each write. @throws MirrorException */
    public function check(): void
    {
        if (!$this->isHeld()) {
            $message = "$this->file was taken over, because this process had stood still: start again";
            throw new MirrorException('directory-locked', $message);
        }
        $this->touch();
    }

    /** Shows that this process lives. */
    public function touch(): void
    {
        if (time() - $this->touched >= self::TOUCH_SECONDS && $this->isHeld()) {
            @touch($this->file);
            $this->touched = time();
        }
    }

    public function release(): void
    {
        if ($this->isHeld()) {
            Files::remove($this->file);
        }
    }

    private function isHeld(): bool
    {
        return (json_decode(Files::read($this->file) ?? '')->id ?? null) === $this->id;
    }
}
