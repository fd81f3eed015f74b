<?php

declare(strict_types=1);

namespace Shelfwire;

/** Reads files, and writes them atomically. PHP's own functions only warn where these throw. */
final class Files
{
    /** The content of a file; null where there is no such file. @throws FileException */
    public static function read(string $file): ?string
    {
        $text = @file_get_contents($file);
        if ($text !== false) {
            return $text;
        }
        // another process may have created or removed it meanwhile
        clearstatcache(true, $file);
        return file_exists($file) ? throw self::failure("$file cannot be read") : null;
    }

    /** Replaces a file atomically: a reader, and a process after a crash, finds either the old content or the new one. @throws FileException */
    public static function replace(string $file, string $text): void
    {
        $opened = @fopen("$file.tmp", 'wb');
        if ($opened === false) {
            throw self::failure("$file.tmp cannot be written");
        }
        $isWritten = @fwrite($opened, $text) === strlen($text) && fflush($opened) && fsync($opened);
        fclose($opened);
        if (!$isWritten || !@rename("$file.tmp", $file)) {
            throw self::failure("$file cannot be written");
        }
    }

    /**
     * Waits until the names in a directory are on disk: a file that was renamed may otherwise have its old name, or none, after a power failure. Windows
     * opens no directories, and needs no such call; nor do some file systems take it, which PHP cannot tell from other failures.
     */
    public static function settle(string $directory): void
    {
        $opened = @fopen($directory, 'rb');
        if ($opened !== false) {
            @fsync($opened);
            fclose($opened);
        }
    }

    /** @throws FileException */
    public static function remove(string $file): void
    {
        if (!@unlink($file) && file_exists($file)) {
            throw self::failure("$file cannot be removed");
        }
    }

    /** Makes a directory and those above it. @throws FileException */
    public static function makeDirectory(string $directory): void
    {
        if (!is_dir($directory) && !@mkdir($directory, 0777, true) && !is_dir($directory)) {
            throw self::failure("$directory cannot be made");
        }
    }

    private static function failure(string $what): FileException
    {
        $reason = preg_replace('/^\w+\(.*?\): /', '', error_get_last()['message'] ?? '');
        return new FileException($what . ($reason === '' ? '' : " ($reason)"));
    }
}
