<?php

declare(strict_types=1);

namespace Shelfwire\Command;

/** Lines for people, or one JSON object a line. Texts come from catalogs and servers that may be hostile to a terminal. */
final class Output
{
    /** Characters that a terminal interprets or hides instead of showing. */
    private const UNPRINTABLE = '/[\x{0}-\x{1f}\x{7f}-\x{9f}\x{ad}\x{61c}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}]/u';

    public function __construct(private readonly bool $isJson)
    {
    }

    /** @param array<string, mixed> $fields */
    public function event(string $event, array $fields, string ...$lines): void
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE;
        $told = $this->isJson ? [(string) json_encode(['event' => $event] + $fields, $flags)] : $lines;
        foreach ($told as $line) {
            // standard output was closed
            if (@fwrite(STDOUT, self::printable($line) . "\n") === false) {
                exit(Failure::INTERRUPTED);
            }
        }
    }

    public function failed(Failure $failure): void
    {
        $message = $failure->getMessage();
        if ($this->isJson) {
            $this->event('error', ['code' => $failure->problem, 'exit' => $failure->exit, 'message' => $message]);
        }
        fwrite(STDERR, 'shelfwire-php: ' . self::printable($message) . "\n");
    }

    private static function printable(string $text): string
    {
        // escaped as in JSON
        $escape = static fn (array $match): string => match ($match[0]) {
            "\x7f" => '\u007f',
            default => trim((string) json_encode($match[0]), '"'),
        };
        // a text that is not UTF-8 is shown as JSON in ASCII
        return preg_replace_callback(self::UNPRINTABLE, $escape, $text)
            ?? (string) json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
