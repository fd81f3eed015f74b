import { ownerOf } from '../../db/fragments/owner.sql.ts'
import { jsonTexts } from '../../db/statements/json-texts.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// Rows of the search index: the words and sort keys of each product.

export interface SearchRow {
  productId: number
  /** Tag of the lexemes and keys. */
  tag: string
  /** Lexemes joined for one parameter, prefixed with the account (model/search-words.ts). */
  words: string
  skuKey: string
  titleKey: string
  isInStock: boolean
}

/** The columns that are compared: a tag instead of the words. */
export type SearchTag = Pick<SearchRow, 'productId' | 'tag' | 'isInStock'>

export function searchTags(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<SearchTag[]>`
    select product_id as "productId", tag, in_stock as "isInStock" from product_search
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}

/** Writes rows of locked products. */
export function searchUpsert(tx: Tx, accountId: number, rows: readonly SearchRow[]) {
  return tx`
    insert into product_search (account_id, product_id, tag, words, sku_key, title_key, in_stock)
    select owner.account_id, product_id, tag, array_to_tsvector(string_to_array(coalesce(words, ''), E'\\x1f')), sku_key, title_key, in_stock
    from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.tag)}::text[],
      string_to_array(${jsonTexts(rows.map((row) => row.words))}, E'\\x1e'), ${rows.map((row) => row.skuKey)}::text[],
      ${rows.map((row) => row.titleKey)}::text[], ${rows.map((row) => row.isInStock)}::boolean[])
      as given (product_id, tag, words, sku_key, title_key, in_stock)
    on conflict (account_id, product_id) do update
      set tag = excluded.tag, words = excluded.words, sku_key = excluded.sku_key, title_key = excluded.title_key,
        in_stock = excluded.in_stock`
}

/** Updates whether locked products are in stock, which changes no indexed column. */
export function searchStockUpdate(
  tx: Tx,
  accountId: number,
  rows: readonly Pick<SearchRow, 'productId' | 'isInStock'>[],
) {
  return tx`
    update product_search s set in_stock = given.in_stock
    from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.isInStock)}::boolean[])
      as given (product_id, in_stock)
    where s.account_id = ${accountId} and s.product_id = given.product_id`
}

export function searchDelete(tx: Tx, accountId: number, productIds: readonly number[]) {
  return tx`
    delete from product_search where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}

/** Whole rows, for the audit. */
export function searchRows(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<(Omit<SearchRow, 'words'> & { lexemes: string[] })[]>`
    select product_id as "productId", tag, tsvector_to_array(words) as lexemes, sku_key as "skuKey", title_key as "titleKey",
      in_stock as "isInStock"
    from product_search where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}
