import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { settingsLock } from './settings-lock.sql.ts'
import { createToken } from './create-token.ts'
import type { Access } from './token.ts'
import { tokenExpire, tokenRevoke, tokensList } from './tokens.sql.ts'
import { nowMs } from '../platform/time/clock.ts'

/**
 * Creates a token with the name, access, sight of costs and lifetime of another one, which expires after the overlap.
 * @param overlapHours 0: the other token is revoked at once. A token that expires sooner anyway is not prolonged.
 * @throws ShelfwireError unknown-reference if the account has no such valid token; quota-exceeded
 */
export async function rotateToken(
  tx: Tx,
  accountId: number,
  tokenId: number,
  overlapHours: number,
  createdBy: number | null = null,
): Promise<{ tokenId: number; token: string; access: Access }> {
  // createToken takes this lock, too; it also keeps other requests from revoking the token meanwhile
  await settingsLock(tx, accountId)
  const old = (await tokensList(tx, accountId)).find((row) => row.tokenId === tokenId)
  const at = nowMs()
  if (old === undefined || old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt.getTime() <= at))
    throw new ShelfwireError('unknown-reference', `the account has no valid token ${tokenId}`)
  const expiresAt = old.expiresAt === null ? null : new Date(at + old.expiresAt.getTime() - old.createdAt.getTime())
  if (overlapHours === 0) await tokenRevoke(tx, tokenId, accountId)
  const made = await createToken(tx, {
    accountId,
    access: old.access,
    seesCosts: old.seesCosts,
    name: old.name,
    expiresAt,
    createdBy,
  })
  if (overlapHours > 0) await tokenExpire(tx, accountId, tokenId, new Date(at + overlapHours * 3_600_000))
  return { ...made, access: old.access }
}
