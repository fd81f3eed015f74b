import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

/**
 * Whether a lease has run out. If it ends later than any lease can, the clock has been set back since: its holder, if it still runs, loses it and
 * stops.
 */
export const isOver = (reader: Reader) =>
  reader`(expires_at <= now() or expires_at > now() + make_interval(secs => ${(2 * LIMITS.importLeaseMs) / 1_000}))`

/** @returns null if the lease was taken; otherwise when the holder's lease ends, unless it is renewed. */
export async function leaseTake(
  tx: Tx,
  accountId: number,
  supplierId: number,
  holderId: string,
): Promise<{ heldUntil: Date } | null> {
  const seconds = LIMITS.importLeaseMs / 1_000
  for (;;) {
    const [held] = await tx<{ isOver: boolean; heldUntil: Date }[]>`
      select ${isOver(tx)} as "isOver", greatest(expires_at, now()) as "heldUntil" from import_lease
      where account_id = ${accountId} and supplier_id = ${supplierId}`
    if (held === undefined) {
      // not as the first statement: if there is a row, it would wait for the page that is being written
      const inserted = await tx`
        insert into import_lease (account_id, supplier_id, holder_id, expires_at)
        values (${accountId}, ${supplierId}, ${holderId}::uuid, now() + make_interval(secs => ${seconds}))
        on conflict do nothing
        returning 1`
      if (inserted.length > 0) return null
      continue
    }
    if (!held.isOver) return held
    // a locked lease is in use even if it has run out: somebody is writing a page, renewing it or taking it
    const over = await tx`
      select from import_lease
      where account_id = ${accountId} and supplier_id = ${supplierId} and ${isOver(tx)}
      for update skip locked`
    if (over.length === 0) return held
    await tx`
      update import_lease set holder_id = ${holderId}::uuid, expires_at = now() + make_interval(secs => ${seconds})
      where account_id = ${accountId} and supplier_id = ${supplierId}`
    return null
  }
}

/**
 * Renews the lease, and locks it until the end of the transaction. An expired lease is renewed unless somebody else has taken it.
 * @returns whether it is this holder's.
 */
export async function leaseRenew(tx: Tx, accountId: number, supplierId: number, holderId: string): Promise<boolean> {
  const renewed = await tx`
    update import_lease set expires_at = now() + make_interval(secs => ${LIMITS.importLeaseMs / 1_000})
    where account_id = ${accountId} and supplier_id = ${supplierId} and holder_id = ${holderId}::uuid
    returning 1`
  return renewed.length > 0
}

export async function leaseRelease(tx: Tx, accountId: number, supplierId: number, holderId: string): Promise<void> {
  await tx`
    delete from import_lease
    where account_id = ${accountId} and supplier_id = ${supplierId} and holder_id = ${holderId}::uuid`
}
