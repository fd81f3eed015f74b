import type { Reader, Tx } from '../db/sql.ts'
import type { Access } from './token.ts'
import { must } from '../platform/must.ts'

export interface TokenRow {
  tokenId: number
  /** null: the token belongs to no account. */
  accountId: number | null
  access: Access
  expiresAt: Date | null
  /** false: its answers have no purchase prices. */
  seesCosts: boolean
}

export async function tokenInsert(
  tx: Tx,
  token: {
    accountId: number | null
    name: string
    access: Access
    seesCosts: boolean
    hash: Buffer
    expiresAt: Date | null
    createdBy: number | null
  },
): Promise<number> {
  const [row] = await tx<{ token_id: number }[]>`
    insert into token (account_id, name, access, sees_costs, token_hash, expires_at, created_by)
    values (${token.accountId}, ${token.name}, ${token.access}, ${token.seesCosts}, ${token.hash},
      ${token.expiresAt}, ${token.createdBy})
    returning token_id`
  return must(row).token_id
}

/** The tokens with these hashes (hex) that are not revoked; the caller checks whether they have expired. */
export function tokensByHash(reader: Reader, hashes: readonly string[]) {
  return reader<(TokenRow & { hash: string })[]>`
    select token_id as "tokenId", account_id as "accountId", access, expires_at as "expiresAt", sees_costs as "seesCosts",
      encode(token_hash, 'hex') as hash
    from token
    where token_hash = any(select decode(hash, 'hex') from unnest(${[...hashes]}::text[]) as given (hash))
      and revoked_at is null`
}

/** Revokes a token. @param accountId the account that it must belong to; null: any. @returns undefined if there is no such unrevoked token */
export async function tokenRevoke(
  tx: Tx,
  tokenId: number,
  accountId: number | null = null,
): Promise<{ accountId: number | null } | undefined> {
  const [row] = await tx<{ account_id: number | null }[]>`
    update token set revoked_at = now()
    where token_id = ${tokenId} and revoked_at is null and (${accountId}::bigint is null or account_id = ${accountId})
    returning account_id`
  return row === undefined ? undefined : { accountId: row.account_id }
}

/** Makes a token expire at this time, unless it expires sooner. */
export function tokenExpire(tx: Tx, accountId: number, tokenId: number, at: Date) {
  return tx`
    update token set expires_at = ${at}
    where token_id = ${tokenId} and account_id = ${accountId} and (expires_at is null or expires_at > ${at})`
}

/** Tokens of an account, revoked and expired ones included, by id. */
export function tokensList(reader: Reader, accountId: number) {
  return reader<
    {
      tokenId: number
      name: string
      access: Access
      seesCosts: boolean
      createdAt: Date
      expiresAt: Date | null
      revokedAt: Date | null
      lastUsedAt: Date | null
    }[]
  >`
    select t.token_id as "tokenId", t.name, t.access, t.sees_costs as "seesCosts", t.created_at as "createdAt",
      t.expires_at as "expiresAt", t.revoked_at as "revokedAt", u.last_used_at as "lastUsedAt"
    from token t left join token_use u on u.account_id = t.account_id and u.token_id = t.token_id
    where t.account_id = ${accountId} order by t.token_id`
}

/** Whether the account has this token, even if it is revoked. */
export async function hasToken(reader: Reader, accountId: number, tokenId: number): Promise<boolean> {
  const rows = await reader`select token_id from token where token_id = ${tokenId} and account_id = ${accountId}`
  return rows.length > 0
}

/** Records when tokens of one account were last used. */
export function tokenUsesUpsert(tx: Reader, accountId: number, tokenIds: readonly number[], at: Date) {
  return tx`
    insert into token_use (account_id, token_id, last_used_at)
    select ${accountId}, unnest(${[...tokenIds]}::bigint[]), ${at}
    on conflict (account_id, token_id) do update set last_used_at = excluded.last_used_at`
}
