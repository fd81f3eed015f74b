<?php

declare(strict_types=1);

namespace Shelfwire;

/** A delivery that is not to be believed: answer 401. */
final class WebhookRefused extends \RuntimeException
{
}
