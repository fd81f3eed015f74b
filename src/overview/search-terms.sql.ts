import type { Reader } from '../db/sql.ts'
import { samplePlaces, SAMPLED_PLACES } from './product-list.sql.ts'
import { must } from '../platform/must.ts'

// Looks up words of an account (`search_term`) by a part or by similarity, and EANs by their last digits.

const PRODUCTS_AMONG = 400

/**
 * Terms that match a tsquery, at most `limit`: the oldest rows, which are mostly the commonest terms. Materialized, because the planner would
 * otherwise take the limit as a reason to read every term. One query per statement, because several would be unknown at planning, and in an
 * installation with many accounts every term of the account would be read.
 */
export async function termsMatching(
  reader: Reader,
  accountId: number,
  query: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader<{ term: string }[]>`
    with found as materialized (
      select t.term from search_term t where t.account_id = ${accountId} and t.grams @@ ${query}::tsquery)
    select term from found limit ${limit}`
  return rows.map(({ term }) => term)
}

/** EANs that end with these digits, the shortest first. */
export async function eansEnding(reader: Reader, accountId: number, digits: string, limit: number): Promise<string[]> {
  const reversed = digits.split('').reverse().join('')
  const rows = await reader<{ ean: string }[]>`
    select distinct ean from (
      select e.ean from product_ean e
      where e.account_id = ${accountId} and reverse(e.ean) collate "C" >= ${reversed}
        and reverse(e.ean) collate "C" < ${`${reversed}:`}
      order by reverse(e.ean) collate "C" limit ${limit}) found`
  return rows.map(({ ean }) => ean)
}

/** For each tsquery, how many of about 400 products, spread over the account, match. */
export async function sampleOfEach(reader: Reader, accountId: number, queries: readonly string[]): Promise<number[]> {
  const each = Math.ceil(PRODUCTS_AMONG / SAMPLED_PLACES)
  const rows = await reader<{ count: number }[]>`
    with ${samplePlaces(reader, accountId)},
      sampled as materialized (
        select s.product_id, s.words from places p
        cross join lateral (
          select s.product_id, s.words from product_search s where s.account_id = ${accountId} and s.product_id >= p.place
          order by s.product_id limit ${each} offset 0) s)
    select (select count(distinct product_id)::int from sampled where words @@ given.query::tsquery) as count
    from unnest(${[...queries]}::text[]) with ordinality as given (query, place) order by place`
  return rows.map(({ count }) => count)
}

/**
 * The number of products that match a tsquery, counted up to a limit. Materialized, because the planner would otherwise take the limit as a
 * reason to read every product.
 */
export async function productsToLimit(
  reader: Reader,
  accountId: number,
  query: string,
  limit: number,
): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    with found as materialized (
      select s.product_id from product_search s where s.account_id = ${accountId} and s.words @@ ${query}::tsquery)
    select count(*)::int as count from (select from found limit ${limit}) counted`
  return must(row).count
}
