<?php

declare(strict_types=1);

namespace Shelfwire;

/** What was read of an address. With status 304 there is no data: what the ETag named is still what the service has. */
final class Answer
{
    /** @param list<Product> $products those of the list that was asked for as products */
    public function __construct(
        public readonly int $status,
        public readonly ?string $etag,
        public readonly ?object $data,
        public readonly array $products = [],
    ) {
    }
}
