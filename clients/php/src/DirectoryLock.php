<?php

declare(strict_types=1);

namespace Shelfwire;

/** A lock file that its holder touches every few seconds, in the format of @shelfwire/client: either respects the other's lock. */
final class DirectoryLock
{
    /** After how long a holder that has not touched its file counts as gone. */
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
            // it was released meanwhile
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

    /** Removes the lock of a process that is gone, unless another process did so first and holds the lock now. */
    private static function remove(string $file, string $id, string $found): void
    {
        $aside = "$file.$id";
        @rename($file, $aside);
        $moved = Files::read($aside);
        // another process was quicker: its lock is put back. If a third one has taken it in between, the second notices before it writes
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
        // a lock with our pid was left by a process that has ended: in a container, the first process always has pid 1
        if ($holder->pid === getmypid()) {
            return true;
        }
        // without the posix extension, only the age of the file decides
        return function_exists('posix_kill') && !posix_kill($holder->pid, 0) && posix_get_last_error() === 3;
    }

    /** To be called before each write. @throws MirrorException where this process has lost the lock */
    public function check(): void
    {
        if (!$this->isHeld()) {
            $message = "$this->file was taken over, because this process had stood still: start again";
            throw new MirrorException('directory-locked', $message);
        }
        $this->touch();
    }

    /** Touches the file if it is due, to show that this process lives. PHP has no timers, so callers do this often. */
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
