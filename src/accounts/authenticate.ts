import { LRUCache } from 'lru-cache'
import type { Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { type TokenRow, tokensByHash, tokenUsesUpsert } from './tokens.sql.ts'
import { isTokenForm, tokenHash } from './token.ts'

export interface Caller {
  tokenId: number
  accountId: number
  access: TokenRow['access']
}

export interface Authenticator {
  /**
   * The caller with this Authorization header. Synchronous when the token is in memory.
   * @throws ShelfwireError missing-token, invalid-token or token-without-account.
   */
  authenticate(authorization: string | undefined): Caller | Promise<Caller>
  /** Writes last-used times; called by the housekeeping loop. */
  flushUses(): Promise<void>
}

/**
 * Caches valid tokens for LIMITS.directoryTtlMs, so that most requests need no look-up. Unknown ones are not cached, so
 * a new token works at once. A revoked one stops at the notification, or at the latest when its entry expires.
 */
export function openAuthenticator(db: Db, wake: Wake, log: Log, now: () => number = Date.now): Authenticator {
  // by the raw header: parsing and hashing it would be a tenth of the time of a single read
  const known = new LRUCache<string, TokenRow>({ max: LIMITS.directoryEntriesMax, ttl: LIMITS.directoryTtlMs })
  const loading = new Map<string, Promise<TokenRow | undefined>>()
  const used = new Map<number, { accountId: number; tokenId: number }>()
  let invalidations = 0
  wake.on('directory', () => {
    invalidations++
    known.clear()
  })

  const load = async (authorization: string, token: string) => {
    const before = invalidations
    const [row] = await tokensByHash(db, [tokenHash(token).toString('hex')])
    // not if an invalidation came during the read: this row may be the one that changed
    if (row !== undefined && before === invalidations) known.set(authorization, row)
    return row
  }

  const admit = (row: TokenRow | undefined): Caller => {
    if (row === undefined) throw new ShelfwireError('invalid-token', 'the bearer token is unknown or was revoked')
    if (row.expiresAt !== null && row.expiresAt.getTime() <= now()) {
      throw new ShelfwireError('invalid-token', `the bearer token expired at ${row.expiresAt.toISOString()}`)
    }
    if (row.accountId === null) throw new ShelfwireError('token-without-account', 'the token is tied to no account')
    const caller = { tokenId: row.tokenId, accountId: row.accountId, access: row.access }
    used.set(row.tokenId, caller)
    return caller
  }

  return {
    authenticate(authorization) {
      const header = authorization ?? ''
      const row = known.get(header)
      if (row !== undefined) return admit(row)
      const token = bearerOf(authorization)
      let pending = loading.get(token)
      if (pending === undefined) {
        pending = load(header, token).finally(() => loading.delete(token))
        loading.set(token, pending)
      }
      return pending.then(admit)
    },
    async flushUses() {
      const byAccount = Map.groupBy(used.values(), (entry) => entry.accountId)
      used.clear()
      for (const [accountId, entries] of byAccount) {
        await tokenUsesUpsert(
          db,
          accountId,
          entries.map((entry) => entry.tokenId),
          new Date(now()),
        ).catch((error: unknown) => log.warn({ err: asError(error) }, 'noting token uses failed'))
      }
    },
  }
}

/** The token in an Authorization header (RFC 6750). Refuses anything that does not have the form of our tokens. */
function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw new ShelfwireError('missing-token', 'send the header Authorization: Bearer <API_TOKEN>')
  }
  const match = /^bearer +(\S+) *$/i.exec(authorization)
  const token = match?.[1]
  if (token === undefined || !isTokenForm(token)) {
    throw new ShelfwireError('invalid-token', 'the Authorization header does not carry a Shelfwire token')
  }
  return token
}
