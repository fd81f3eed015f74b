<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

/** There was no answer, or it was cut off. */
final class TransportException extends \RuntimeException
{
}
