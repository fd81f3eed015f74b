import { LRUCache } from 'lru-cache'
import type { Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { nowMs } from '../platform/time/clock.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { openRateLimit } from '../platform/turns/rate-limit.ts'
import { type TokenRow, tokenUsesUpsert, tokensByHash } from './tokens.sql.ts'
import { isTokenForm, tokenHashHex } from './token.ts'
import DataLoader from 'dataloader'

/** The sender of a request to /v1. */
export interface Caller {
  /** A token's id; for a session the session's id, negated, so that limits per token apply to sessions, too. */
  tokenId: number
  accountId: number
  access: TokenRow['access']
  /** Whether answers include purchase prices. */
  seesCosts: boolean
  /** The person, if the caller has a session of the panel instead of a token. */
  member?: Readonly<{ personId: number; name: string; address: string; userAgent: string }>
}

export interface Authenticator {
  /**
   * The caller with this Authorization header. Synchronous if the token is in memory.
   * @param address of the client, whose look-ups of unknown tokens are limited; called only when a look-up is needed.
   * @throws ShelfwireError missing-token, invalid-token or token-without-account; rate-limited for a token that is not in memory,
   *   from an address that has sent too many unknown ones.
   */
  authenticate(authorization: string | undefined, address: () => string): Caller | Promise<Caller>
  /** Whether the token was valid within the last hour: authenticate() then needs no address. */
  isProven(authorization: string): boolean
  /** Writes last-used times; called by the housekeeping loop. */
  flushUses(): Promise<void>
}

/**
 * Remembers tokens for LIMITS.directoryTtlMs, so that most requests need no look-up. Valid tokens are forgotten at the
 * notification of their revocation, or when their entry expires; unknown tokens have a cache of their own.
 * A new token is shown only after its row is committed, so it cannot be cached as unknown. Look-ups of tokens that were
 * never seen are collected for LIMITS.unknownTokensCollectMs and share a statement, and an address that sends too many unknown
 * ones is refused. A token that was valid within the last hour is looked up at once, even for such an address.
 * docs/decisions/079-limits-that-hold-across-processes.md says why.
 * @param onFirstUse called at the first use of a token in this process, because its maker may be waiting to see it used
 */
export function openAuthenticator(
  db: Db,
  wake: Wake,
  log: Log,
  onFirstUse: () => void,
  now: () => number = nowMs,
): Authenticator {
  const memory = { ...entriesMax(LIMITS.directoryEntriesMax), ttl: LIMITS.directoryTtlMs }
  // keyed by the token itself, because a hash per request would be a twentieth of the time of a single read; the other caches by its hash
  const known = new LRUCache<string, TokenRow>(memory)
  const unknown = new LRUCache<string, true>(memory)
  const proven = new LRUCache<string, true>({ ...entriesMax(LIMITS.provenTokensMax), ttl: LIMITS.provenTokenMs })
  const lookups = openRateLimit<string>({
    perSecond: LIMITS.unknownTokensPerSecond,
    burst: LIMITS.unknownTokensAtOnce,
  })
  const lookUp = openTokenLookup(db)
  const loading = new Map<string, Promise<TokenRow | undefined>>()
  const used = new Map<number, { accountId: number; tokenId: number }>()
  const seen = new LRUCache<number, true>(entriesMax(LIMITS.directoryEntriesMax))
  let invalidations = 0
  wake.on('directory', () => {
    invalidations++
    known.clear()
    unknown.clear()
  })

  const load = async (token: string, hash: string, isProven: boolean) => {
    const before = invalidations
    const row = await (isProven ? lookUp.atOnce(hash) : lookUp.collected(hash))
    // cached only if nothing was invalidated during the read: it may have been this row
    if (before === invalidations) {
      if (row === undefined) unknown.set(hash, true)
      else known.set(token, row)
    }
    if (row === undefined) proven.delete(hash)
    else proven.set(hash, true)
    return row
  }

  /** Looks a token up for a client. The client's address is charged only if the token is unknown. */
  const loadFor = (token: string, hash: string, address: string): Promise<TokenRow | undefined> => {
    const isProven = proven.has(hash)
    const state = isProven ? undefined : lookups.look(address)
    if (state?.isAllowed === false)
      throw new ShelfwireError(
        'rate-limited',
        `your address has sent more than ${LIMITS.unknownTokensAtOnce} unknown tokens; see Retry-After`,
        { retryAfterSeconds: Math.max(1, state.resetSeconds) },
      )
    const pending = load(token, hash, isProven)
      .then((row) => {
        if (row === undefined) lookups.charge(address)
        return row
      })
      .finally(() => loading.delete(hash))
    loading.set(hash, pending)
    return pending
  }

  const admit = (row: TokenRow | undefined): Caller => {
    if (row === undefined) throw new ShelfwireError('invalid-token', 'the bearer token is unknown or was revoked')
    if (row.expiresAt !== null && row.expiresAt.getTime() <= now()) {
      throw new ShelfwireError('invalid-token', `the bearer token expired at ${row.expiresAt.toISOString()}`)
    }
    if (row.accountId === null) throw new ShelfwireError('token-without-account', 'the token is tied to no account')
    const caller = { tokenId: row.tokenId, accountId: row.accountId, access: row.access, seesCosts: row.seesCosts }
    used.set(row.tokenId, caller)
    if (!seen.has(row.tokenId)) {
      seen.set(row.tokenId, true)
      onFirstUse()
    }
    return caller
  }

  return {
    authenticate(authorization, address) {
      const token = bearerOf(authorization)
      const row = known.get(token)
      if (row !== undefined) return admit(row)
      requireTokenForm(token)
      const hash = tokenHashHex(token)
      if (unknown.has(hash)) return admit(undefined)
      return (loading.get(hash) ?? loadFor(token, hash, address())).then(admit)
    },
    isProven(authorization) {
      const token = BEARER.exec(authorization)?.[1]
      return token !== undefined && (known.has(token) || proven.has(tokenHashHex(token)))
    },
    async flushUses() {
      const byAccount = Map.groupBy(used.values(), (entry) => entry.accountId)
      used.clear()
      for (const [accountId, entries] of byAccount) {
        if (db.nodes.isAway(accountId)) continue
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

/** The scheme, blanks, and one word of the characters that tokens have (RFC 6750). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i

/** The token of an Authorization header. */
export function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw new ShelfwireError('missing-token', 'send the header Authorization: Bearer <API_TOKEN>')
  }
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) throw notAToken()
  return token
}

/** Refuses anything that does not have the form of our tokens, without a look-up. */
function requireTokenForm(token: string): void {
  if (!isTokenForm(token)) throw notAToken()
}

const notAToken = () => new ShelfwireError('invalid-token', 'the Authorization header does not carry a Shelfwire token')

/** Finds the unrevoked token with a hash (hex); undefined if there is none. */
type TokenLookup = (hash: string) => Promise<TokenRow | undefined>

/**
 * Look-ups that share statements: `atOnce` those of one turn of the event loop, `collected` those of some milliseconds. So
 * unknown tokens cost a bounded number of statements, however many there are, and known tokens do not wait for them.
 */
function openTokenLookup(db: Db): { atOnce: TokenLookup; collected: TokenLookup } {
  const open = (batchScheduleFn: (dispatch: () => void) => void): TokenLookup => {
    const loader = new DataLoader<string, TokenRow | undefined>(
      async (hashes) => {
        const rows = new Map((await tokensByHash(db, hashes)).map((row) => [row.hash, row]))
        return hashes.map((hash) => rows.get(hash))
      },
      { cache: false, maxBatchSize: LIMITS.lookupBatchMax, batchScheduleFn },
    )
    return (hash) => loader.load(hash)
  }
  return { atOnce: open(setImmediate), collected: open((send) => setTimeout(send, LIMITS.unknownTokensCollectMs)) }
}
