<?php

declare(strict_types=1);

namespace Shelfwire;

/** The answer to a GET. With status 304 there is no data: nothing has changed since the answer with that ETag. */
final class Answer
{
    /** @param list<Product> $products the products of the list that the request named; `data` does not have them */
    public function __construct(
        public readonly int $status,
        public readonly ?string $etag,
        public readonly ?object $data,
        public readonly array $products = [],
    ) {
    }
}
