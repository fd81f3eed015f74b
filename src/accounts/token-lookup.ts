import DataLoader from 'dataloader'
import type { Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { tokensByHash, type TokenRow } from './tokens.sql.ts'

/** Finds the token with a hash (hex) that is not revoked, or undefined. */
export type TokenLookup = (hash: string) => Promise<TokenRow | undefined>

/**
 * Look-ups that share statements: `atOnce` those of one turn of the event loop, `collected` those of some milliseconds. So
 * unknown tokens, however many, cost a bounded number of statements, and those that are known to be good do not wait for them.
 */
export function openTokenLookup(db: Db): { atOnce: TokenLookup; collected: TokenLookup } {
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
