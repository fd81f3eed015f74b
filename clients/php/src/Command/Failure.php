<?php

declare(strict_types=1);

namespace Shelfwire\Command;

use Shelfwire\FileException;
use Shelfwire\MirrorException;
use Shelfwire\ShelfwireException;

/** Ends a command. The message tells a person what to do next. */
final class Failure extends \RuntimeException
{
    public const DONE = 0;
    public const UNEQUAL = 1;
    public const USAGE = 2;
    public const UNAVAILABLE = 3;
    public const REFUSED = 4;
    public const MIRROR = 5;
    public const UNEXPECTED = 70;
    public const INTERRUPTED = 130;

    public function __construct(public readonly int $exit, public readonly string $problem, string $message)
    {
        parent::__construct($message);
    }

    public static function usage(string $message): self
    {
        return new self(self::USAGE, 'usage', $message);
    }

    public static function of(\Throwable $error, string $url): self
    {
        if ($error instanceof self) {
            return $error;
        }
        if ($error instanceof ShelfwireException) {
            return self::ofService($error, $url);
        }
        if ($error instanceof MirrorException) {
            $isUnequal = in_array($error->problem, ['not-filled', 'cursor-ahead'], true);
            return new self($isUnequal ? self::UNEQUAL : self::MIRROR, $error->problem, $error->getMessage());
        }
        if ($error instanceof FileException) {
            return new self(self::MIRROR, 'file', $error->getMessage());
        }
        $message = get_class($error) . ": {$error->getMessage()} in {$error->getFile()}, line {$error->getLine()}";
        return new self(self::UNEXPECTED, 'unexpected', $message);
    }

    private static function ofService(ShelfwireException $error, string $url): self
    {
        if (in_array($error->problem, ['missing-token', 'invalid-token'], true)) {
            $message = 'the service does not know this token: it was revoked, has expired, or is of another service.'
                . ' The panel makes tokens on its page "Tokens"';
            return new self(self::REFUSED, $error->problem, $message);
        }
        if ($error->isPassing()) {
            return new self(self::UNAVAILABLE, $error->problem, "{$error->getMessage()}: try again later");
        }
        if ($error->problem === 'not-shelfwire') {
            $message = "what answers at $url is not Shelfwire: give the service's address, such as https://catalog.example"
                . " ({$error->getMessage()})";
            return new self(self::REFUSED, $error->problem, $message);
        }
        return new self(self::REFUSED, $error->problem, $error->getMessage());
    }

    /** Whether trying again is useless until a person acts. */
    public function isFinal(): bool
    {
        $isFull = preg_match('/No space left|quota exceeded|Too many open files/i', $this->getMessage()) === 1;
        return in_array($this->exit, [self::MIRROR, self::UNEXPECTED], true) && !$isFull;
    }
}
