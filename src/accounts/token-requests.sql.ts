import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

export interface TokenRequestRow {
  /** When it arrived. */
  at: Date
  method: string
  /** Path of its route in the contract; null if no route matched. */
  route: string | null
  /** Path and query, without secrets. */
  address: string
  status: number
  /** Code of the problem that was the answer. */
  code: string | null
  durationMs: number
  requestId: string
  /** How many requests with this token, at about this time, were not stored because there were too many. */
  leftOut: number
}

/** Stores requests with tokens, of any number of accounts in one statement, in their order. */
export function tokenRequestsInsert(
  reader: Reader,
  rows: readonly (TokenRequestRow & { accountId: number; tokenId: number })[],
) {
  return reader`
    insert into token_request (account_id, token_id, at, method, route, address, status, code, duration_ms, request_id, left_out)
    select g.account_id, g.token_id, g.at, g.method, g.route, g.address, g.status, g.code, g.duration_ms, g.request_id, g.left_out
    from unnest(${rows.map((row) => row.accountId)}::bigint[], ${rows.map((row) => row.tokenId)}::bigint[],
      ${rows.map((row) => row.at.toISOString())}::timestamptz[], ${rows.map((row) => row.method)}::text[],
      ${rows.map((row) => row.route)}::text[], ${rows.map((row) => row.address)}::text[],
      ${rows.map((row) => row.status)}::int[], ${rows.map((row) => row.code)}::text[],
      ${rows.map((row) => row.durationMs)}::int[], ${rows.map((row) => row.requestId)}::text[],
      ${rows.map((row) => row.leftOut)}::int[]) with ordinality
      as g (account_id, token_id, at, method, route, address, status, code, duration_ms, request_id, left_out, place)
    order by g.place`
}

/**
 * Deletes requests older than the last LIMITS.tokenRequestsKept of each of the account's given tokens, at most as many at a time.
 * By ctid, because with a join PostgreSQL 15 reads all requests of the account.
 */
export function tokenRequestsTrim(reader: Reader, accountId: number, tokenIds: readonly number[]) {
  return reader`
    delete from token_request where account_id = ${accountId} and ctid = any(array(
      select older.ctid
      from unnest(${[...tokenIds]}::bigint[]) t (token_id) cross join lateral (
        select k.ctid from token_request k where k.account_id = ${accountId} and k.token_id = t.token_id
        order by k.number desc offset ${LIMITS.tokenRequestsKept} limit ${LIMITS.tokenRequestsKept}) older))`
}

/** The last requests with a token, newest first. @param page.before a request's number, exclusive */
export function tokenRequestsPage(
  reader: Reader,
  accountId: number,
  tokenId: number,
  page: { before: number | undefined; failed: boolean; limit: number },
) {
  const { before = Number.MAX_SAFE_INTEGER, failed, limit } = page
  return reader<(TokenRequestRow & { number: number })[]>`
    select number, at, method, route, address, status, code, duration_ms as "durationMs", request_id as "requestId",
      left_out as "leftOut"
    from (
      select number, at, method, route, address, status, code, duration_ms, request_id, left_out
      from token_request where account_id = ${accountId} and token_id = ${tokenId}
      order by number desc limit ${LIMITS.tokenRequestsKept}) last
    where number < ${before} and (not ${failed}::boolean or status >= 400)
    order by number desc limit ${limit}`
}
