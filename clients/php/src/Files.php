<?php

declare(strict_types=1);

namespace Shelfwire;

/** Files that are there whole, or not at all. PHP's own functions warn where these throw. */
final class Files
{
    /** Null where there is no such file. @throws FileException */
    public static function read(string $file): ?string
    {
        $text = @file_get_contents($file);
        if ($text !== false) {
            return $text;
        }
        // it may have come or gone meanwhile
        clearstatcache(true, $file);
        return file_exists($file) ? throw self::failure("$file cannot be read") : null;
    }

    /** Whoever reads it, and whoever finds it after a crash, has the one of before or this one. @throws FileException */
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

    /** @throws FileException */
    public static function remove(string $file): void
    {
        if (!@unlink($file) && file_exists($file)) {
            throw self::failure("$file cannot be removed");
        }
    }

    /** With those above it. @throws FileException */
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
