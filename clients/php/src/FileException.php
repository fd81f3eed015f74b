<?php

declare(strict_types=1);

namespace Shelfwire;

/** A file or directory that cannot be used: it is not writable, the disk is full, or the like. */
final class FileException extends \RuntimeException
{
}
