import type { Cursor, Product } from './answers.ts'

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

/** What an answer has of each item; all of it where no members are chosen. */
export type Part<T extends { id: number }, Field extends keyof T> = [Field] extends [never] ? T : Pick<T, Field | 'id'>

export interface ListQuery extends OfStore {
  ids?: readonly number[]
  /** Exported SKU. */
  sku?: string
  ean?: string
  page?: number
  /** 1 to 200; 50 unless set. */
  perPage?: number
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
export interface Export<Field extends keyof Product = never> {
  cursor: Cursor
  products: AsyncIterable<Part<Product, Field>>
}
