import type { Db } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Seal } from '../platform/secrets/seal.ts'
import { SEALED_KINDS } from './kinds.ts'
import { sealedByKey } from './sealed.sql.ts'

/** How many values of a kind are sealed with one key. */
export interface KeyUse {
  /** The kind of values, in the plural, for the operator. */
  what: string
  /** The first eight characters of the key's hash, which do not reveal the key. */
  keyId: string
  count: number
}

/** @returns the number of values by kind and key; `isWhole` is false if a node of the database is away */
export async function keysInUse(db: Db): Promise<{ uses: KeyUse[]; isWhole: boolean }> {
  const uses: KeyUse[] = []
  let isWhole = true
  for (const kind of SEALED_KINDS) {
    const found = await db.nodes.scan(`sealed ${kind.what}`, (accounts) => sealedByKey(db, kind, accounts), {
      isRotating: false,
    })
    isWhole &&= found.isWhole
    const counts = new Map<string, number>()
    for (const { keyId, count } of found.rows) counts.set(keyId, (counts.get(keyId) ?? 0) + count)
    for (const [keyId, count] of counts) uses.push({ what: kind.what, keyId, count })
  }
  return { uses, isWhole }
}

/** `3 signing secrets of endpoints (key 1a2b3c4d), 1 credentials of sources (key 1a2b3c4d)` */
export const usesText = (uses: readonly KeyUse[]): string =>
  uses.map(({ what, keyId, count }) => `${count} ${what} (key ${keyId})`).join(', ')

/**
 * Makes sure that a key is set for everything that is sealed. Without it, deliveries would be unsigned, sources not fetched and codes
 * not checked, and each would be noticed only long after the key was removed.
 * @throws ShelfwireError settings-invalid
 */
export async function requireKeys(db: Db, seal: Seal, log: Log): Promise<void> {
  const { uses, isWhole } = await keysInUse(db)
  if (!isWhole)
    log.warn('a node of the database is away: whether the settings have all keys is not known for its accounts')
  if (uses.length === 0) return
  const known = seal.keyIds()
  const lost = uses.filter(({ keyId }) => !known.includes(keyId))
  if (lost.length > 0)
    throw new ShelfwireError(
      'settings-invalid',
      `the database has values that are sealed with a key which the settings do not have: ${usesText(lost)}. Add that key to SECRET_KEY behind a comma (or bring DATA_DIR/secret.key back), and run "shelfwire rekey" before you leave it out; if it is lost for good, see docs/operations.md, "SECRET_KEY"`,
    )
  const old = uses.filter(({ keyId }) => keyId !== known[0])
  if (old.length > 0)
    log.info(
      { sealed: usesText(old) },
      'values are sealed with an older key of SECRET_KEY: shelfwire rekey seals them with the first one',
    )
}
