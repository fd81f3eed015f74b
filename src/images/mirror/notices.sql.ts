import type { Tx } from '../../db/sql.ts'

/** Of an account's notices about its pictures, what the last one says; the account's settings are locked before. */
async function lastSaid(tx: Tx, accountId: number): Promise<string | null> {
  const [row] = await tx<{ kind: string }[]>`
    select kind from notice where account_id = ${accountId} and kind in ('images_full', 'images_resumed')
    order by notice_id desc limit 1`
  return row?.kind ?? null
}

/**
 * Tells the account's owners that there is no room for pictures, or that there is again; each once until the other. On a
 * transaction of its own, because two runs may notice it at the same time and the second has to see what the first has said.
 */
export async function roomNotice(
  tx: Tx,
  accountId: number,
  kind: 'images_full' | 'images_resumed',
  usedBytes: number,
): Promise<boolean> {
  await tx`select from account_inputs where account_id = ${accountId} for no key update`
  const last = await lastSaid(tx, accountId)
  if (last === kind || (last === null && kind === 'images_resumed')) return false
  await tx`
    insert into notice (account_id, kind, facts)
    values (${accountId}, ${kind}, jsonb_build_object('used_bytes', ${usedBytes}::bigint))`
  return true
}
