import type { Cursor, Product } from './answers.ts'
import type { Api } from './api.ts'
import type { Request } from './sender.ts'

// Parameters of the read API, and the answer of an export.

export interface OfStore {
  /** Slug; the default store unless set. */
  store?: string | undefined
  signal?: AbortSignal | undefined
}

/** Selects members: an answer has only the named ones and `id`. */
export interface OfFields<Field extends string> {
  fields?: readonly Field[] | undefined
}

/** With `all`, products have `texts`: those of every active store's locale. */
export interface OfLocales {
  locales?: 'all' | undefined
}

/** The members that `fields` may name. */
export type ProductField = Exclude<keyof Product, 'texts'>

/** An item of an answer: its selected members, or all where none are selected. */
export type Part<T extends { id: number }, Field extends keyof T> = [Field] extends [never]
  ? T
  : Pick<T, Field | 'id' | Extract<keyof T, 'texts'>>

export interface ListQuery extends OfStore {
  ids?: readonly number[]
  /** Exported SKU. */
  sku?: string
  ean?: string
  /** Slugs, current or old ones, up to 200. */
  slug?: readonly string[]
  page?: number
  /** 1 to 200; 50 unless set. */
  perPage?: number
}

export interface HalfQuery extends OfStore {
  /** One half of each product instead of both: `price` is prices and stock, `content` everything else. */
  half?: 'content' | 'price'
}

export interface DigestQuery extends HalfQuery {
  /** Only blocks with a higher number; the first page unless set. */
  afterBlock?: number | undefined
  /** 1 to 5,000 blocks; 1,000 unless set. */
  limit?: number
}

export interface TagsQuery extends HalfQuery {
  /** Only products with a higher ID; the first page unless set. */
  afterId?: number
  /** 1 to 2,048 products; 1,024 unless set. */
  limit?: number
}

export interface ChangesQuery extends OfStore {
  /** `now` answers with the newest cursor and no changes. Unless set, the feed is read from its beginning. */
  cursor?: Cursor | 'now'
  /** Seconds to wait for a change where there is none: 0 to 25. */
  wait?: number
  limit?: number
  /** Adds the products of the changes, or their `fields`; `limit` is then at most 200. */
  expand?: boolean
}

/** A stream of all products of a store. The change feed continues from `cursor`, which was read before the first product. */
export interface Export<Field extends ProductField = never> {
  cursor: Cursor
  products: AsyncIterable<Part<Product, Field>>
  /** The same products as unparsed lines of JSON, several at a time. Read these or `products`, not both. */
  lines: AsyncIterable<readonly string[]>
  /** Ends a transfer of which nothing is read: an account may run few exports at a time. */
  cancel: () => void
}

/** Reads and writes by their method and path, such as `PUT /account/stores/{slug}`. */
export type Operation = keyof Api

/** The arguments of an operation: the parameters of its path, its query and its body, as the contract has them. */
export type CallOf<O extends Operation> = Omit<Api[O], 'answer'> &
  Pick<Request, 'headers' | 'ifNoneMatch' | 'idempotencyKey' | 'signal'>

/** The answer of an operation. */
export type AnswerOf<O extends Operation> = Api[O]['answer']
