<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

/** Nothing was answered, or it was cut off. */
final class TransportException extends \RuntimeException
{
}
