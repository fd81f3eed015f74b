<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

/** Sends requests: SocketTransport by itself, Psr18Transport by a client of yours. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @throws TransportException where nothing is answered
     */
    public function get(string $url, array $headers): Response;
}
