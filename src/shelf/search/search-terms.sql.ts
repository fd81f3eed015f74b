import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import { ownerOf } from '../../db/fragments/owner.sql.ts'
import { jsonTexts } from '../../db/statements/json-texts.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// The distinct words and categories of an account.

export interface TermRow {
  term: string
  /** Lexemes joined for one parameter, prefixed with the account (model/search-words.ts). */
  grams: string
}

/** Inserts missing terms. @returns the terms inserted. */
export async function termsInsert(tx: Tx, accountId: number, rows: readonly TermRow[]): Promise<string[]> {
  const added = await tx<{ term: string }[]>`
    insert into search_term (account_id, term, grams)
    select owner.account_id, term, array_to_tsvector(string_to_array(grams, E'\\x1f'))
    from ${ownerOf(tx, accountId)}, unnest(string_to_array(${jsonTexts(rows.map(({ term }) => term))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map(({ grams }) => grams))}, E'\\x1e')) as given (term, grams)
    on conflict (account_id, term) do nothing
    returning term`
  return added.map(({ term }) => term)
}

/** Accounts whose terms have to be collected. */
export async function accountsToFill(reader: Reader, limit: number, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select distinct account_id as "accountId" from search_fill where due_at <= now()${accountCondition(reader, 'and', accounts)}
    limit ${limit}`
  return rows.map(({ accountId }) => accountId)
}

/** Locks an account's progress. Undefined: it is complete, or another process has it. */
export async function fillLock(tx: Tx, accountId: number): Promise<{ dueAt: string; afterId: number } | undefined> {
  // as text: a Date has no microseconds
  const [row] = await tx<{ dueAt: string; afterId: number }[]>`
    select due_at::text as "dueAt", after_id as "afterId" from search_fill
    where account_id = ${accountId} and due_at <= now() order by due_at limit 1 for update skip locked`
  return row
}

/** The distinct lexemes, with account prefix, of the next products; `lastId` is null if there are no more products. */
export async function lexemesNext(tx: Tx, accountId: number, afterId: number, limit: number) {
  const [row] = await tx<{ lastId: number | null; lexemes: string[] }[]>`
    with next as materialized (
      select product_id, words from product_search
      where account_id = ${accountId} and product_id > ${afterId} order by product_id limit ${limit})
    select (select max(product_id) from next) as "lastId",
      array(select distinct unnest(tsvector_to_array(words)) from next) as lexemes`
  return row ?? { lastId: null, lexemes: [] }
}

export async function fillMove(tx: Tx, accountId: number, dueAt: string, afterId: number): Promise<void> {
  await tx`
    update search_fill set after_id = ${afterId} where account_id = ${accountId} and due_at = ${dueAt}::timestamptz`
}

export async function fillDelete(tx: Tx, accountId: number, dueAt: string): Promise<void> {
  await tx`delete from search_fill where account_id = ${accountId} and due_at = ${dueAt}::timestamptz`
}
