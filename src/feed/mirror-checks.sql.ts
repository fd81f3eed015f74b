import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

export interface MirrorCheckRow {
  storeId: number
  mirror: string
  /** 0: it was equal. */
  differing: number
  asOf: Date
  equalAsOf: Date | null
  differsSince: Date | null
  toldAt: Date
}

const columns = (reader: Reader) => reader`
  store_id as "storeId", mirror, differing, as_of as "asOf", equal_as_of as "equalAsOf", differs_since as "differsSince", told_at as "toldAt"`

/** Keeps what a mirror tells, in place of what it told before. */
export async function mirrorCheckPut(
  tx: Tx,
  accountId: number,
  told: Pick<MirrorCheckRow, 'storeId' | 'mirror' | 'differing' | 'asOf' | 'toldAt'>,
): Promise<MirrorCheckRow | undefined> {
  const { storeId, mirror, differing, asOf, toldAt } = told
  const [row] = await tx<MirrorCheckRow[]>`
    insert into mirror_check (account_id, store_id, mirror, differing, as_of, equal_as_of, differs_since, told_at)
    values (${accountId}, ${storeId}, ${mirror}, ${differing}, ${asOf}, ${differing === 0 ? asOf : null}::timestamptz,
      ${differing === 0 ? null : toldAt}::timestamptz, ${toldAt})
    on conflict (account_id, store_id, mirror) do update set differing = excluded.differing, as_of = excluded.as_of,
      equal_as_of = coalesce(excluded.equal_as_of, mirror_check.equal_as_of),
      differs_since = case when excluded.differing = 0 then null else coalesce(mirror_check.differs_since, excluded.differs_since) end,
      told_at = excluded.told_at
    returning ${columns(tx)}`
  return row
}

/** Deletes those of a store that have told nothing since a moment, and all but the LIMITS.mirrorsPerStore that told last. */
export function mirrorChecksTrim(tx: Tx, accountId: number, storeId: number, since: Date) {
  return tx`
    delete from mirror_check where account_id = ${accountId} and store_id = ${storeId} and (told_at < ${since} or ctid = any(array(
      select ctid from mirror_check where account_id = ${accountId} and store_id = ${storeId}
      order by told_at desc, mirror offset ${LIMITS.mirrorsPerStore})))`
}

/** What mirrors of an account have told since a moment, by name. */
export function mirrorChecksList(reader: Reader, accountId: number, since: Date) {
  return reader<MirrorCheckRow[]>`
    select ${columns(reader)} from mirror_check where account_id = ${accountId} and told_at >= ${since} order by mirror, store_id`
}

/** Forgets the mirrors of a store that is deleted. */
export async function mirrorChecksDelete(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from mirror_check where account_id = ${accountId} and store_id = ${storeId}`
}
