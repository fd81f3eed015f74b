<?php

declare(strict_types=1);

namespace Shelfwire;

/** A verified delivery. */
final class Webhook
{
    private const SIGNATURES = ['x-service-signature', 'x-service-signature-next', 'x-service-signature-previous'];

    /**
     * @param object $event event, store_id, product_ids and occurred_at
     * @param string|null $delivery the same in every retry
     */
    private function __construct(
        public readonly object $event,
        public readonly ?string $delivery,
        public readonly bool $isTest,
    ) {
    }

    /**
     * Reads a delivery that was signed with one of the secrets (two while one is being replaced), at a time close to now.
     * @param string $body as it arrived, before any parsing: file_get_contents('php://input')
     * @param array<string, string|list<string>> $headers by name: getallheaders(), or getHeaders() of a PSR-7 request
     * @param non-empty-list<string> $secrets
     * @param int|null $now seconds; the clock's unless given
     * @param int $tolerance how many seconds the delivery's time may be from $now
     * @throws WebhookRefused; \InvalidArgumentException without a secret; \JsonException where a signed body is not JSON
     */
    public static function verify(string $body, array $headers, array $secrets, ?int $now = null, int $tolerance = 300): self
    {
        if ($secrets === [] || in_array('', $secrets, true)) {
            throw new \InvalidArgumentException('a webhook is verified with a secret');
        }
        $given = array_change_key_case($headers);
        $header = static function (string $name) use ($given): string {
            $value = $given[$name] ?? '';
            return is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
        };
        $timestamp = $header('x-service-timestamp');
        if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
            throw new WebhookRefused('X-Service-Timestamp is missing or malformed');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookRefused("signed at $timestamp, more than $tolerance seconds from this clock");
        }
        $isSigned = false;
        foreach ($secrets as $secret) {
            $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$body", $secret);
            foreach (self::SIGNATURES as $name) {
                $isSigned = hash_equals($expected, $header($name)) || $isSigned;
            }
        }
        if (!$isSigned) {
            throw new WebhookRefused('no signature of this delivery is valid');
        }
        $event = json_decode($body, false, 512, JSON_THROW_ON_ERROR);
        return new self($event, $header('x-service-delivery') ?: null, $header('x-service-test') === '1');
    }
}
