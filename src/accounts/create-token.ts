import { requireRoom } from './limits/limits.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { settingsLock } from './settings-lock.sql.ts'
import { tokenInsert, tokensList } from './tokens.sql.ts'
import { newToken, tokenHash, type Access } from './token.ts'

export interface NewToken {
  /** null: the token belongs to no account. */
  accountId: number | null
  access: Access
  /** false: its answers have no purchase prices. Only for tokens that read. */
  seesCosts?: boolean
  name?: string
  expiresAt?: Date | null
  /** The person who creates it in the panel. */
  createdBy?: number | null
}

/**
 * Creates a token and returns its text, of which only the hash is stored.
 * @throws ShelfwireError `invalid-input`, `unknown-account`, or `quota-exceeded`
 */
export async function createToken(tx: Tx, input: NewToken): Promise<{ tokenId: number; token: string }> {
  const { accountId, access, seesCosts = true, name = access, expiresAt = null, createdBy = null } = input
  if (name.length < 1 || name.length > LIMITS.nameLengthMax) {
    throw new ShelfwireError('invalid-input', `a token's name must have 1 to ${LIMITS.nameLengthMax} characters`, {
      faults: [{ name: 'name', reason: `must have 1 to ${LIMITS.nameLengthMax} characters` }],
    })
  }
  if (access === 'full' && !seesCosts) {
    const reason = 'must be true for a token with full access, which reads offers and their costs'
    throw new ShelfwireError('invalid-input', `sees_costs ${reason}`, { faults: [{ name: 'sees_costs', reason }] })
  }
  if (accountId !== null) {
    // the lock makes an account's tokens be created one at a time, so that the limit is checked against all of them
    await settingsLock(tx, accountId)
    const alive = (await tokensList(tx, accountId)).filter((row) => row.revokedAt === null)
    await requireRoom(tx, accountId, 'tokens', alive.length)
  }
  const token = newToken(access)
  const tokenId = await tokenInsert(tx, {
    accountId,
    name,
    access,
    seesCosts,
    hash: tokenHash(token),
    expiresAt,
    createdBy,
  })
  return { tokenId, token }
}
