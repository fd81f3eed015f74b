<?php

declare(strict_types=1);

namespace Shelfwire;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Shelfwire\Transport\Psr18Transport;
use Shelfwire\Transport\Response;
use Shelfwire\Transport\SocketTransport;
use Shelfwire\Transport\Transport;
use Shelfwire\Transport\TransportException;

/** Reads the catalog of one account. Requests are repeated where they may succeed later, never sooner than Retry-After says. */
final class Client
{
    private const PAGE = 200;

    /** The service's address, without a slash at its end and without /v1. */
    public readonly string $url;

    /**
     * @param int $attempts how often a request is sent at most
     * @param float $pauseMax the longest pause between two attempts, in seconds; where the service asks for a longer one, the request fails at once
     * @throws \InvalidArgumentException where the address or the token is malformed
     */
    public function __construct(
        string $url,
        private readonly string $token,
        private readonly Transport $transport = new SocketTransport(),
        private readonly int $attempts = 6,
        private readonly float $pauseMax = 30.0,
    ) {
        $parts = parse_url($url);
        if (!is_array($parts) || !isset($parts['host']) || isset($parts['user'])
            || !in_array($parts['scheme'] ?? '', ['http', 'https'], true)) {
            $message = 'the address begins with https:// or http:// and has no user: https://catalog.example';
            throw new \InvalidArgumentException($message);
        }
        if (preg_match('/^[!-~]+$/D', $token) !== 1) {
            throw new \InvalidArgumentException('the token has characters that no token has: was it copied whole?');
        }
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        $path = rtrim($parts['path'] ?? '', '/');
        $this->url = preg_replace('#/v1$#D', '', "{$parts['scheme']}://{$parts['host']}$port$path") ?? $url;
    }

    /** A client that sends its requests with your own PSR-18 client. */
    public static function over(string $url, string $token, ClientInterface $client, RequestFactoryInterface $requests): self
    {
        return new self($url, $token, new Psr18Transport($client, $requests));
    }

    /**
     * Reads any address below /v1. With the ETag of an earlier answer the status may be 304.
     * @param array<string, string|int> $query
     * @param string $products the name of a list whose entries are returned as products, with their text as it was served
     * @throws ShelfwireException
     */
    public function get(string $path, array $query = [], ?string $etag = null, string $products = ''): Answer
    {
        return $this->repeat(function () use ($path, $query, $etag, $products): Answer {
            $headers = ['Accept' => 'application/json'] + ($etag === null ? [] : ['If-None-Match' => $etag]);
            $response = $this->open($path, $query, $headers);
            if ($response->status === 304) {
                return new Answer(304, $response->header('etag'), null);
            }
            $body = $response->body();
            try {
                [$data, $found] = Members::of($body, $products);
            } catch (\UnexpectedValueException | \JsonException $error) {
                json_decode($body);
                if (str_contains($response->header('content-type') ?? '', 'json') && json_last_error() !== JSON_ERROR_NONE) {
                    // a proxy may have cut it off without an error
                    $detail = 'the transfer was cut off: ' . substr($body, -200);
                    throw new ShelfwireException('no-answer', 0, $detail, previous: $error);
                }
                $detail = 'not what the API answers: ' . substr($body, 0, 200);
                throw new ShelfwireException('not-shelfwire', $response->status, $detail, previous: $error);
            }
            return new Answer($response->status, $response->header('etag'), $data, $found);
        });
    }

    /**
     * The active stores, the default one first.
     * @return list<object>
     * @throws ShelfwireException
     */
    public function stores(): array
    {
        return $this->get('/stores')->data->data;
    }

    /**
     * The products with these ids, at most 200, that the store lists.
     * @param list<int> $ids
     * @return list<Product>
     * @throws ShelfwireException
     */
    public function products(string $store, array $ids): array
    {
        $query = ['store' => $store, 'ids' => implode(',', $ids), 'per_page' => self::PAGE];
        return $this->get('/products', $query, products: 'data')->products;
    }

    /**
     * All products of a store with an id above $after, by id ascending.
     * @return \Generator<Product>
     * @throws ShelfwireException
     */
    public function walk(string $store, int $after = 0): \Generator
    {
        while ($after !== null) {
            $query = ['store' => $store, 'after_id' => $after, 'per_page' => self::PAGE];
            $answer = $this->get('/products', $query, products: 'data');
            foreach ($answer->products as $product) {
                yield $product;
            }
            $after = self::onward($after, $answer);
        }
    }

    /** The id after which the next page begins; null after the last page, the only one whose answer says null. */
    private static function onward(int $after, Answer $page): ?int
    {
        $meta = $page->data->meta ?? null;
        $next = is_object($meta) && property_exists($meta, 'next_after_id') ? $meta->next_after_id : false;
        if ($next !== null && (!is_int($next) || $next <= $after)) {
            throw new ShelfwireException('not-shelfwire', $page->status, "the page after $after does not say which one follows");
        }
        return $next;
    }

    /**
     * One window of the feed after a cursor; where there is no change, the service waits for one for $wait seconds. Expanded it has the products, at
     * most 200; a changed product that is not among them has left the store.
     * @throws ShelfwireException
     */
    public function changes(string $store, Cursor $cursor, int $wait = 0, bool $isExpanded = false): Answer
    {
        $query = ['store' => $store, 'since' => $cursor->since, 'since_id' => $cursor->sinceId];
        $query += $wait > 0 ? ['wait' => $wait] : [];
        $query += $isExpanded ? ['limit' => self::PAGE, 'expand' => 'products'] : [];
        $answer = $this->get('/changes', $query, products: 'products');
        $data = $answer->data;
        if (!is_array($data->changes ?? null) || !is_string($data->next_since ?? null) || !is_int($data->next_id ?? null)
            || !is_bool($data->has_more ?? null)) {
            throw new ShelfwireException('not-shelfwire', $answer->status, 'changes without a cursor');
        }
        return $answer;
    }

    /**
     * The cursor from which the feed continues, and all products as they arrive; a transfer that breaks off is not repeated. A regular end does not
     * prove that it was complete, because a proxy may end one that was cut off as if it were. `Sync` therefore walks the products after the last one.
     * @return array{Cursor, \Generator<Product>}
     * @throws ShelfwireException
     */
    public function export(string $store): array
    {
        $headers = ['Accept' => 'application/x-ndjson'];
        $response = $this->repeat(fn (): Response => $this->open('/export', ['store' => $store], $headers));
        $since = $response->header('shelfwire-next-since');
        $id = $response->header('shelfwire-next-id') ?? '';
        if ($since === null || !ctype_digit($id)) {
            throw new ShelfwireException('not-shelfwire', $response->status, 'an export without a cursor');
        }
        return [new Cursor($since, (int) $id), $this->lines($response)];
    }

    /** @return \Generator<Product> */
    private function lines(Response $response): \Generator
    {
        $rest = '';
        try {
            foreach ($response->pieces() as $piece) {
                $lines = explode("\n", $rest . $piece);
                $rest = array_pop($lines);
                foreach ($lines as $line) {
                    yield Product::of($line);
                }
            }
        } catch (TransportException $error) {
            throw new ShelfwireException('no-answer', 0, $error->getMessage(), previous: $error);
        } catch (\UnexpectedValueException $error) {
            $detail = "a line of the export is no product: {$error->getMessage()}";
            throw new ShelfwireException('not-shelfwire', $response->status, $detail, previous: $error);
        }
        if ($rest !== '') {
            throw new ShelfwireException('no-answer', 0, 'the export ended within a product');
        }
    }

    /**
     * @param array<string, string|int> $query
     * @param array<string, string> $headers
     */
    private function open(string $path, array $query, array $headers): Response
    {
        $address = "$this->url/v1$path" . ($query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986));
        $headers += ['Accept-Encoding' => 'gzip', 'Authorization' => "Bearer $this->token"];
        $response = $this->transport->get($address, $headers);
        if ($response->status < 300 || $response->status === 304) {
            return $response;
        }
        throw self::refusal($response);
    }

    private static function refusal(Response $response): ShelfwireException
    {
        $text = $response->body();
        $problem = json_decode($text);
        $code = is_object($problem) && is_string($problem->code ?? null) ? $problem->code : null;
        $detail = $code === null
            ? "status $response->status without a problem of the API: " . substr($text, 0, 200)
            : (string) ($problem->detail ?? '');
        $after = $response->header('retry-after') ?? '';
        return new ShelfwireException(
            $code ?? 'not-shelfwire',
            $response->status,
            $detail,
            $response->header('x-request-id'),
            ctype_digit($after) ? (int) $after : null,
        );
    }

    /**
     * @template T
     * @param callable(): T $read
     * @return T
     */
    private function repeat(callable $read): mixed
    {
        for ($attempt = 1; ; $attempt++) {
            try {
                return $read();
            } catch (TransportException $error) {
                $detail = "$this->url does not answer: {$error->getMessage()}";
                $refused = new ShelfwireException('no-answer', 0, $detail, previous: $error);
            } catch (ShelfwireException $error) {
                $refused = $error;
            }
            $asked = $refused->retryAfter;
            if (!$refused->isPassing() || $attempt >= $this->attempts || ($asked ?? 0) > $this->pauseMax) {
                throw $refused;
            }
            // never sooner than the service asks for, with jitter so that clients do not all return at the same moment
            $backoff = min($this->pauseMax, 0.25 * 2 ** ($attempt - 1)) * random_int(500, 1_000) / 1_000;
            usleep((int) (1e6 * ($asked === null ? $backoff : $asked * random_int(1_000, 1_200) / 1_000)));
        }
    }
}
