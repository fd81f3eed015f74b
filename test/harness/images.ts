import { createHash, randomUUID } from 'node:crypto'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { setImageBase } from '../../src/images/base/image-base.ts'
import { recordOutcomes } from '../../src/images/mirror/record-outcomes.ts'
import type { Outcome } from '../../src/images/mirror/state.ts'
import { urlHashOf } from '../../src/images/register/url-hash.ts'

/** The address at which accounts' pictures are said to be served in tests that serve none. */
export const IMAGE_BASE = 'https://pictures.example'

/** An outcome as if these bytes had been fetched. */
export function pictureOf(content: string, over: Partial<Extract<Outcome, { kind: 'image' }>> = {}): Outcome {
  const hash = createHash('sha256').update(content).digest('hex')
  const size = { width: 1, height: 1, bytes: content.length }
  return { kind: 'image', hash, type: 'image/png', ...size, etag: null, lastModified: null, ...over }
}

/** The URL under which such a picture is shown. */
export const shownOf = (content: string) =>
  `${IMAGE_BASE}/images/${createHash('sha256').update(content).digest('hex')}.png`

/** Leases a picture, as the mirror does before it fetches it. @returns the lease. */
export async function leaseAs(tx: Tx | Db, accountId: number, url: string): Promise<string> {
  const leaseId = randomUUID()
  await tx`update image set lease_id = ${leaseId} where account_id = ${accountId} and url_hash = ${urlHashOf(url)}`
  return leaseId
}

/** Records an outcome for a picture's URL, as the mirror does after it has fetched it. */
export async function recordAs(
  tx: Tx,
  accountId: number,
  url: string,
  outcome: Outcome,
  leaseId?: string,
): Promise<void> {
  const lease = leaseId ?? (await leaseAs(tx, accountId, url))
  await recordOutcomes(tx, accountId, lease, [{ urlHash: urlHashOf(url), outcome }])
}

/** Lets an account's pictures be mirrored. Does not shelve the products, which are then stale. */
export async function turnMirrorOn(db: Db, accountId: number, base: string = IMAGE_BASE): Promise<void> {
  await inTransaction(db, (tx) => setImageBase(tx, accountId, base))
}
