import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../caches/entries-max.ts'
import { ShelfwireError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { openRateLimit } from '../turns/rate-limit.ts'

/**
 * Looks up secrets other than tokens: sessions, links, addresses of channel files. A client address that sends many unknown ones is refused. A secret
 * that was valid within the last hour is not refused, whatever else comes from its address. docs/decisions/245-bounds-between-accounts.md says why.
 */
export interface SecretLookups {
  /**
   * Looks a secret up, once for all callers that ask for it at the same time.
   * @param lookUp resolves to undefined for an unknown secret
   * @throws ShelfwireError rate-limited, for an address that has sent too many unknown ones
   */
  find<T>(secret: string, address: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined>
}

/** @param noun what the secrets are, in the plural, for messages */
export function openSecretLookups(noun: string): SecretLookups {
  const limit = openRateLimit<string>({
    perSecond: LIMITS.unknownTokensPerSecond,
    burst: LIMITS.unknownTokensAtOnce,
  })
  // by their hashes, so that no secret stays in memory
  const unknown = new LRUCache<string, true>({
    ...entriesMax(LIMITS.directoryEntriesMax),
    ttl: LIMITS.directoryTtlMs,
  })
  const proven = new LRUCache<string, true>({ ...entriesMax(LIMITS.provenTokensMax), ttl: LIMITS.provenTokenMs })
  const underWay = new Map<string, Promise<unknown>>()
  /** Look-ups in progress by address: each may find that its secret is unknown. */
  const asked = new Map<string, number>()

  const requireRoom = (address: string) => {
    const { isAllowed, remaining, resetSeconds } = limit.look(address)
    if (isAllowed && (asked.get(address) ?? 0) <= remaining) return
    throw new ShelfwireError('rate-limited', `your address has named too many unknown ${noun}; see Retry-After`, {
      retryAfterSeconds: Math.max(1, resetSeconds),
    })
  }
  const note = (key: string, isKnown: boolean) => {
    if (isKnown) proven.set(key, true)
    else {
      proven.delete(key)
      unknown.set(key, true)
    }
  }
  const count = (address: string, more: number) => {
    const now = (asked.get(address) ?? 0) + more
    if (now === 0) asked.delete(address)
    else asked.set(address, now)
  }

  async function lookUpFor<T>(key: string, address: string, lookUp: () => Promise<T | undefined>) {
    count(address, 1)
    try {
      const found = await lookUp()
      note(key, found !== undefined)
      if (found === undefined) limit.charge(address)
      return found
    } finally {
      count(address, -1)
      underWay.delete(key)
    }
  }

  return {
    async find<T>(secret: string, address: string, lookUp: () => Promise<T | undefined>) {
      const key = hash('sha256', secret, 'base64url')
      if (proven.has(key)) {
        const found = await lookUp()
        note(key, found !== undefined)
        return found
      }
      if (unknown.has(key)) return undefined
      // every look-up of one secret has the same type of result
      const others = underWay.get(key) as Promise<T | undefined> | undefined
      if (others !== undefined) return others
      requireRoom(address)
      const mine = lookUpFor(key, address, lookUp)
      underWay.set(key, mine)
      return mine
    },
  }
}
