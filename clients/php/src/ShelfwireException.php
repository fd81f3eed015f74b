<?php

declare(strict_types=1);

namespace Shelfwire;

/**
 * An error answer of the service, or the lack of an answer. Decide by $problem: a code of the service (/docs/problems lists them), no-answer (there was
 * no answer, or it was cut off) or not-shelfwire (a proxy's page, or the wrong address).
 */
final class ShelfwireException extends \RuntimeException
{
    private const FINAL = ['missing-token', 'invalid-token', 'token-without-account', 'not-shelfwire'];

    /**
     * @param int $status of HTTP; 0 without an answer
     * @param int|null $retryAfter seconds, where the service said so
     */
    public function __construct(
        public readonly string $problem,
        public readonly int $status,
        string $detail,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
        ?\Throwable $previous = null,
    ) {
        $request = $requestId === null ? '' : " (request $requestId)";
        parent::__construct("$problem: $detail$request", 0, $previous);
    }

    /** Whether the same request may succeed later. */
    public function isPassing(): bool
    {
        if ($this->problem === 'no-answer' || in_array($this->status, [429, 502, 503, 504], true)) {
            return true;
        }
        // a page of a proxy: some have statuses of their own, such as 520 to 530, for a service that is down
        return $this->problem === 'not-shelfwire' && ($this->status === 408 || $this->status >= 500);
    }

    /** Whether trying again would not help. */
    public function isFinal(): bool
    {
        return in_array($this->problem, self::FINAL, true) && !$this->isPassing();
    }
}
