import { joinLexemes } from '../../model/search-words.ts'
import { slicesBySize } from '../../db/statements/statement-slices.ts'
import type { Query, Tx } from '../../db/sql.ts'
import type { SearchEntry } from '../../resolve/search-entry.ts'
import { tagOf } from '../encode.ts'
import {
  searchDelete,
  type searchRows,
  searchStockUpdate,
  searchUpsert,
  type SearchRow,
  type SearchTag,
} from './search-index.sql.ts'

/** Rows of the search index that a batch writes. */
export interface SearchWrites {
  rows: SearchRow[]
  /** Products of which only the stock flag has changed. */
  stocks: { productId: number; isInStock: boolean }[]
  /** Deleted products. */
  gone: number[]
  /** Lexemes of the rows, without the account prefix; they may repeat. */
  lexemes: (readonly string[])[]
}

export const NO_SEARCH_WRITES: SearchWrites = { rows: [], stocks: [], gone: [], lexemes: [] }

/** A product and its search entry; null: it was deleted. */
export interface Findable {
  productId: number
  entry: SearchEntry | null
}

/**
 * Compares search entries of locked products with the stored rows; only rows that differ are written.
 * docs/decisions/115-products-are-found-by-lexemes.md says why.
 */
export function diffSearch(
  accountId: number,
  products: readonly Findable[],
  stored: readonly SearchTag[],
): SearchWrites {
  const storedOf = new Map(stored.map((row) => [row.productId, row]))
  const writes: SearchWrites = { rows: [], stocks: [], gone: [], lexemes: [] }
  for (const { productId, entry } of products) {
    const old = storedOf.get(productId)
    if (entry === null) {
      if (old !== undefined) writes.gone.push(productId)
      continue
    }
    const { isInStock } = entry
    const tag = searchTag(entry)
    if (old?.tag !== tag) {
      writes.rows.push(searchRow(accountId, productId, entry, tag))
      writes.lexemes.push(entry.lexemes)
    } else if (old.isInStock !== isInStock) writes.stocks.push({ productId, isInStock })
  }
  return writes
}

/**
 * The same if only prices and stock can have changed. For a product without a row, another mark or sweep is pending.
 */
export function diffSearchStock(
  products: readonly { productId: number; isInStock: boolean }[],
  stored: readonly SearchTag[],
): SearchWrites {
  const storedOf = new Map(stored.map((row) => [row.productId, row]))
  const stocks = products.filter(({ productId, isInStock }) => {
    const old = storedOf.get(productId)
    return old !== undefined && old.isInStock !== isInStock
  })
  return { ...NO_SEARCH_WRITES, stocks }
}

export function searchTag({ lexemes, skuKey, titleKey }: SearchEntry): string {
  return tagOf(`${lexemes.join('\x1f')}\x1e${skuKey}\x1e${titleKey}`)
}

export function searchRow(accountId: number, productId: number, entry: SearchEntry, tag: string): SearchRow {
  const { lexemes, skuKey, titleKey, isInStock } = entry
  return { productId, tag, words: joinLexemes(accountId, lexemes), skuKey, titleKey, isInStock }
}

/** The statements that write these rows. Their order does not matter, because the products are locked. */
export function writeSearch(tx: Tx, accountId: number, { rows, stocks, gone }: SearchWrites): Query<unknown>[] {
  const steps: Query<unknown>[] = []
  for (const slice of slicesBySize(rows, ({ words }) => words.length)) steps.push(searchUpsert(tx, accountId, slice))
  if (stocks.length > 0) steps.push(searchStockUpdate(tx, accountId, stocks))
  if (gone.length > 0) steps.push(searchDelete(tx, accountId, gone))
  return steps
}

/** Whether the stored row equals the product's search entry. */
export function isUnchangedEntry(
  accountId: number,
  productId: number,
  entry: SearchEntry | null,
  stored: Awaited<ReturnType<typeof searchRows>>[number] | undefined,
): boolean {
  if (entry === null || stored === undefined) return entry === null && stored === undefined
  const fresh = searchRow(accountId, productId, entry, searchTag(entry))
  return (
    stored.tag === fresh.tag &&
    stored.lexemes.toSorted().join('\x1f') === fresh.words.split('\x1f').toSorted().join('\x1f') &&
    stored.skuKey === fresh.skuKey &&
    stored.titleKey === fresh.titleKey &&
    stored.isInStock === fresh.isInStock
  )
}
