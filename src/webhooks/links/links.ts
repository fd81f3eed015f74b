import type { Db, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { isSecretForm, newSecret, secretHash } from '../../people/secrets.ts'
import { endpointLock } from '../endpoints/endpoints.sql.ts'
import { endpointLinkByHash, endpointLinkInsert, endpointLinksList, endpointLinkUsed } from './links.sql.ts'

/** A link that is being used. */
export interface OpenedLink {
  linkId: number
  accountId: number
  endpointId: number
  name: string
  expiresAt: Date
}

/**
 * Makes a link that opens one endpoint's page to the developer of its receiver.
 * @param hours 1 to LIMITS.endpointLinkHoursMax
 * @returns its token, which cannot be read again
 * @throws ShelfwireError unknown-reference; conflict at LIMITS.endpointLinksPerEndpointMax
 */
export async function makeEndpointLink(
  tx: Tx,
  accountId: number,
  endpointId: number,
  input: { name: string; hours: number; createdBy: number },
): Promise<{ linkId: number; token: string }> {
  // under the endpoint's lock, because the limit depends on all of its links, and an endpoint that is being deleted
  // must get none
  if ((await endpointLock(tx, accountId, endpointId)) === undefined)
    throw new ShelfwireError('unknown-reference', `account ${accountId} has no endpoint ${endpointId}`)
  if ((await endpointLinksList(tx, accountId, endpointId)).length >= LIMITS.endpointLinksPerEndpointMax)
    throw new ShelfwireError(
      'conflict',
      `an endpoint has at most ${LIMITS.endpointLinksPerEndpointMax} links; end one first`,
    )
  const token = newSecret('endpoint')
  const linkId = await endpointLinkInsert(tx, { ...input, accountId, endpointId, tokenHash: secretHash(token) })
  return { linkId, token }
}

/** The link of a token; undefined if it has expired. Notes the use. */
export async function findEndpointLink(db: Db, token: string): Promise<OpenedLink | undefined> {
  if (!isSecretForm('endpoint', token)) return undefined
  const link = await endpointLinkByHash(db, secretHash(token))
  if (link?.isNews === true) await endpointLinkUsed(db, link.linkId)
  return link
}
