import { randomUUID } from 'node:crypto'
import { clearInterval, setInterval } from 'node:timers'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { leaseRelease, leaseRenew, leaseTake } from './import-leases.sql.ts'

export interface ImportLease extends AsyncDisposable {
  readonly holderId: string
  /**
   * Locks the lease until the end of the transaction, so that nobody takes it while a page is being written.
   * @throws ShelfwireError `import-running` when another import has taken it meanwhile, even if that one has ended
   */
  lock(tx: Tx): Promise<void>
}

/**
 * Allows one import per supplier at a time, across processes and connection poolers. The lease is renewed while the import runs; if its process ends,
 * the lease runs out after LIMITS.importLeaseMs. docs/decisions/078-an-import-holds-a-lease.md says why.
 * @throws ShelfwireError `import-running` when another import holds it
 */
export async function takeImportLease(db: Db, accountId: number, supplierId: number): Promise<ImportLease> {
  const holderId = randomUUID()
  const other = await inTransaction(db, (tx) => leaseTake(tx, accountId, supplierId, holderId))
  if (other !== null)
    throw new ShelfwireError(
      'import-running',
      `another import of this supplier is running; wait for it to end. If it was killed, the next one may start at ${formatTimestamp(nextSecond(other.heldUntil))}`,
    )
  let renewing: Promise<unknown> | undefined
  const timer = setInterval(() => {
    // a page locks the lease, too, and a renewal waits for it; if a renewal fails, the next one is in time
    renewing ??= inTransaction(db, (tx) => leaseRenew(tx, accountId, supplierId, holderId))
      .catch(() => {})
      .finally(() => (renewing = undefined))
  }, LIMITS.importLeaseRenewMs)
  return {
    holderId,
    async lock(tx) {
      if (await leaseRenew(tx, accountId, supplierId, holderId)) return
      throw new ShelfwireError(
        'import-running',
        `another import of this supplier began after this one had given no sign of life for ${LIMITS.importLeaseMs / 1_000} seconds; what this one had written before stays, the rest is not written`,
      )
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await renewing
      // a lease that cannot be released runs out
      await inTransaction(db, (tx) => leaseRelease(tx, accountId, supplierId, holderId)).catch(() => {})
    },
  }
}

const nextSecond = (at: Date) => new Date(Math.ceil(at.getTime() / 1_000) * 1_000)
