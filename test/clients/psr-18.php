<?php

declare(strict_types=1);

// What Shelfwire uses of PSR-7, 17 and 18, by the names and signatures of their packages, and the smallest client of them.

namespace Psr\Http\Message {
    interface StreamInterface
    {
        public function eof(): bool;

        public function read(int $length): string;
    }

    interface MessageInterface
    {
        public function getHeaders(): array;

        public function withHeader(string $name, $value): MessageInterface;

        public function getBody(): StreamInterface;
    }

    interface RequestInterface extends MessageInterface
    {
    }

    interface ResponseInterface extends MessageInterface
    {
        public function getStatusCode(): int;
    }

    interface RequestFactoryInterface
    {
        public function createRequest(string $method, $uri): RequestInterface;
    }
}

namespace Psr\Http\Client {
    use Psr\Http\Message\MessageInterface;
    use Psr\Http\Message\RequestFactoryInterface;
    use Psr\Http\Message\RequestInterface;
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\StreamInterface;

    interface ClientExceptionInterface extends \Throwable
    {
    }

    interface ClientInterface
    {
        public function sendRequest(RequestInterface $request): ResponseInterface;
    }

    final class Message implements RequestInterface, ResponseInterface, StreamInterface
    {
        public function __construct(public string $address, public int $status = 0, private array $headers = [], private string $body = '')
        {
        }

        public function getStatusCode(): int
        {
            return $this->status;
        }

        public function getHeaders(): array
        {
            return $this->headers;
        }

        public function withHeader(string $name, $value): MessageInterface
        {
            $other = clone $this;
            $other->headers[$name] = [$value];
            return $other;
        }

        public function getBody(): StreamInterface
        {
            return $this;
        }

        public function eof(): bool
        {
            return $this->body === '';
        }

        public function read(int $length): string
        {
            $piece = substr($this->body, 0, $length);
            $this->body = substr($this->body, $length);
            return $piece;
        }
    }

    final class OfPhp implements ClientInterface, RequestFactoryInterface
    {
        public function createRequest(string $method, $uri): RequestInterface
        {
            return new Message($uri);
        }

        public function sendRequest(RequestInterface $request): ResponseInterface
        {
            assert($request instanceof Message);
            file_put_contents('psr-18.log', "$request->address\n", FILE_APPEND);
            $lines = [];
            foreach ($request->getHeaders() as $name => [$value]) {
                $lines[] = "$name: $value";
            }
            $http = ['header' => $lines, 'ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1];
            $body = file_get_contents($request->address, false, stream_context_create(['http' => $http]));
            $headers = [];
            foreach (array_slice($http_response_header, 1) as $line) {
                [$name, $value] = explode(': ', $line, 2);
                $headers[$name][] = $value;
            }
            return new Message($request->address, (int) substr($http_response_header[0], 9, 3), $headers, $body);
        }
    }
}
