<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

/**
 * HTTP/1.1 over PHP's own sockets, one request per connection. PHP's `http://` wrapper is not used, because it cannot tell a body that was cut off from
 * a complete one.
 */
final class SocketTransport implements Transport
{
    private const PIECE = 65536;
    private const HEAD_MAX = 65536;
    /** The longest time until a signal is handled while nothing arrives. */
    private const TURN_MICROSECONDS = 200_000;

    /** @param float $silence seconds for which the service may send nothing */
    public function __construct(private readonly float $silence = 60.0)
    {
    }

    public function get(string $url, array $headers): Response
    {
        $parts = parse_url($url);
        if (!is_array($parts) || !isset($parts['scheme'], $parts['host'])) {
            throw new TransportException("$url is no address");
        }
        $isSecure = $parts['scheme'] === 'https';
        $port = $parts['port'] ?? ($isSecure ? 443 : 80);
        $address = ($isSecure ? 'ssl' : 'tcp') . "://{$parts['host']}:$port";
        $context = stream_context_create(['ssl' => ['peer_name' => trim($parts['host'], '[]')]]);
        $error = '';
        $socket = @stream_socket_client($address, $number, $error, $this->silence, STREAM_CLIENT_CONNECT, $context);
        if ($socket === false) {
            throw new TransportException($error === '' ? 'no connection' : $error);
        }
        stream_set_timeout($socket, (int) ceil($this->silence));
        $path = ($parts['path'] ?? '/') . (isset($parts['query']) ? "?{$parts['query']}" : '');
        $host = $parts['host'] . (isset($parts['port']) ? ":$port" : '');
        $text = "GET $path HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n";
        foreach ($headers as $name => $value) {
            $text .= "$name: $value\r\n";
        }
        if (@fwrite($socket, "$text\r\n") === false) {
            throw new TransportException('the connection ended');
        }
        [$status, $found, $rest] = $this->head($socket);
        return new Response($status, $found, $this->pieces($socket, $status, $found, $rest));
    }

    /**
     * @param resource $socket
     * @return array{int, array<string, string>, string} the status, the headers, and the beginning of the body where it was read already
     */
    private function head($socket): array
    {
        $text = '';
        while (($end = strpos($text, "\r\n\r\n")) === false) {
            $text .= $this->next($socket);
            if (strlen($text) > self::HEAD_MAX) {
                throw new TransportException('the head of the answer does not end');
            }
        }
        $lines = explode("\r\n", substr($text, 0, $end));
        if (preg_match('#^HTTP/1\.[01] (\d{3})#', $lines[0], $match) !== 1) {
            throw new TransportException('the answer is not HTTP');
        }
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [(int) $match[1], $headers, substr($text, $end + 4)];
    }

    /**
     * @param resource $socket
     * @param array<string, string> $headers
     * @return \Generator<string>
     */
    private function pieces($socket, int $status, array $headers, string $rest): \Generator
    {
        try {
            if ($status === 204 || $status === 304) {
                return;
            }
            if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
                yield from $this->chunks($socket, $rest);
                return;
            }
            // answers of the service are chunked or have a length: without either, it is unknown whether the body is complete
            if (!isset($headers['content-length'])) {
                throw new TransportException('the answer has no length');
            }
            $left = (int) $headers['content-length'] - strlen($rest);
            yield $rest;
            while ($left > 0) {
                $piece = $this->next($socket);
                $left -= strlen($piece);
                yield $piece;
            }
        } finally {
            fclose($socket);
        }
    }

    /**
     * @param resource $socket
     * @return \Generator<string>
     */
    private function chunks($socket, string $buffer): \Generator
    {
        while (true) {
            while (($end = strpos($buffer, "\r\n")) === false) {
                $buffer .= $this->next($socket);
            }
            $digits = trim(explode(';', substr($buffer, 0, $end))[0]);
            if (preg_match('/^[0-9a-fA-F]{1,8}$/D', $digits) !== 1) {
                throw new TransportException('a piece of the body has no length');
            }
            $size = (int) hexdec($digits);
            $buffer = substr($buffer, $end + 2);
            if ($size === 0) {
                return;
            }
            while (strlen($buffer) < $size + 2) {
                if ($size > strlen($buffer) && $buffer !== '') {
                    $size -= strlen($buffer);
                    yield $buffer;
                    $buffer = '';
                }
                $buffer .= $this->next($socket);
            }
            yield substr($buffer, 0, $size);
            $buffer = substr($buffer, $size + 2);
        }
    }

    /**
     * The next bytes. It waits for them in short intervals, so that signals are handled.
     * @param resource $socket
     */
    private function next($socket): string
    {
        $until = microtime(true) + $this->silence;
        while (microtime(true) < $until) {
            [$read, $write, $except] = [[$socket], null, null];
            // a signal interrupts it with a warning
            if (@stream_select($read, $write, $except, 0, self::TURN_MICROSECONDS) < 1) {
                continue;
            }
            $piece = @fread($socket, self::PIECE);
            if ($piece !== false && $piece !== '') {
                return $piece;
            }
            if (feof($socket)) {
                throw new TransportException('the transfer was cut off');
            }
        }
        throw new TransportException("nothing came for $this->silence seconds");
    }
}
