<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamInterface;

/** Sends requests with your own client: with your proxies, time limits and logs. It must not follow redirects, because a token is for one address. */
final class Psr18Transport implements Transport
{
    private const PIECE = 65536;

    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
    ) {
    }

    public function get(string $url, array $headers): Response
    {
        $request = $this->requests->createRequest('GET', $url);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        try {
            $response = $this->client->sendRequest($request);
        } catch (ClientExceptionInterface $error) {
            throw new TransportException($error->getMessage(), 0, $error);
        }
        $found = [];
        foreach ($response->getHeaders() as $name => $values) {
            $found[strtolower((string) $name)] = implode(', ', $values);
        }
        return new Response($response->getStatusCode(), $found, self::pieces($response->getBody()));
    }

    /** @return \Generator<string> */
    private static function pieces(StreamInterface $body): \Generator
    {
        try {
            while (!$body->eof()) {
                yield $body->read(self::PIECE);
            }
        } catch (\RuntimeException $error) {
            throw new TransportException("the transfer was cut off: {$error->getMessage()}", 0, $error);
        }
    }
}
