<?php

declare(strict_types=1);

namespace Shelfwire\Transport;

/** An answer whose body is read as it arrives. */
final class Response
{
    /**
     * @param array<string, string> $headers by their names in lower case
     * @param iterable<string> $pieces of the body; throws a TransportException where it was cut off
     */
    public function __construct(
        public readonly int $status,
        private readonly array $headers,
        private readonly iterable $pieces,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    /**
     * The body in pieces, unpacked.
     * @return \Generator<string>
     * @throws TransportException
     */
    public function pieces(): \Generator
    {
        if ($this->header('content-encoding') !== 'gzip') {
            yield from $this->pieces;
            return;
        }
        $unpacking = inflate_init(ZLIB_ENCODING_GZIP);
        $isEmpty = true;
        foreach ($this->pieces as $piece) {
            $isEmpty = $isEmpty && $piece === '';
            $unpacked = @inflate_add($unpacking, $piece);
            if ($unpacked === false) {
                throw new TransportException('the body is no gzip');
            }
            yield $unpacked;
        }
        if (!$isEmpty && inflate_get_status($unpacking) !== ZLIB_STREAM_END) {
            throw new TransportException('the transfer was cut off');
        }
    }

    /** @throws TransportException */
    public function body(): string
    {
        return implode('', iterator_to_array($this->pieces(), false));
    }
}
