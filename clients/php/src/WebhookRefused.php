<?php

declare(strict_types=1);

namespace Shelfwire;

/** A delivery that must not be trusted: answer 401. */
final class WebhookRefused extends \RuntimeException
{
}
