<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

/** Sends requests: SocketTransport on its own, Psr18Transport with your own client. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @throws TransportException where there is no answer
     */
    public function get(string $url, array $headers): Response;
}
