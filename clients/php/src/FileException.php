<?php

declare(strict_types=1);

namespace Shelfwire;

/** A file or directory that cannot be used: not writable, full, or something else. */
final class FileException extends \RuntimeException
{
}
