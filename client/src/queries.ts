import type { Cursor, Product } from './answers.ts'
import type { Api } from './api.ts'
import type { Request } from './sender.ts'

// What is asked of the read API, and what an export gives.

export interface OfStore {
  /** Slug; the default store unless set. */
  store?: string | undefined
  signal?: AbortSignal | undefined
}

/** Some members instead of all: an answer has those that are named, and `id`. */
export interface OfFields<Field extends string> {
  fields?: readonly Field[] | undefined
}

/** With `all`, products have `texts`: those of every active store's locale. */
export interface OfLocales {
  locales?: 'all' | undefined
}

/** The members that `fields` may name. */
export type ProductField = Exclude<keyof Product, 'texts'>

/** What an answer has of each item; all of it where no members are chosen. */
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
  /** Blocks with a higher number; the first page unless set. */
  afterBlock?: number | undefined
  /** 1 to 5,000 blocks; 1,000 unless set. */
  limit?: number
}

export interface TagsQuery extends HalfQuery {
  /** Products with a higher ID; the first page unless set. */
  afterId?: number
  /** 1 to 2,048 products; 1,024 unless set. */
  limit?: number
}

export interface ChangesQuery extends OfStore {
  /** `now`: no changes, and the newest cursor. Unless set the feed is read from its beginning. */
  cursor?: Cursor | 'now'
  /** Seconds to wait for a change where there is none: 0 to 25. */
  wait?: number
  limit?: number
  /** With the products of the changes, or with `fields` of them; `limit` is 200 at most then. */
  expand?: boolean
}

/** All products of a store as they come, and where the change feed goes on from before the first of them. */
export interface Export<Field extends ProductField = never> {
  cursor: Cursor
  products: AsyncIterable<Part<Product, Field>>
  /** The same as they came: the JSON of each product, several at a time. Read these or `products`. */
  lines: AsyncIterable<readonly string[]>
  /** Ends the transfer where nothing of it is read. An account has few exports at a time. */
  cancel: () => void
}

/** Reads and writes by their method and path, such as `PUT /account/stores/{slug}`. */
export type Operation = keyof Api

/** What an operation is sent with: the parameters of its path, its query and its body, as the contract has them. */
export type CallOf<O extends Operation> = Omit<Api[O], 'answer'> &
  Pick<Request, 'headers' | 'ifNoneMatch' | 'idempotencyKey' | 'signal'>

/** What it answers. */
export type AnswerOf<O extends Operation> = Api[O]['answer']
