import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

export interface MirrorCheckRow {
  storeId: number
  mirror: string
  /** Number of products that differ; 0: the mirror was equal. */
  differing: number
  /** The time that the result holds for. */
  asOf: Date
  /** The last time for which the mirror was equal; null: never. */
  equalAsOf: Date | null
  /** When it first reported a difference since it was last equal; null: it is equal. */
  differsSince: Date | null
  /** When it reported. */
  toldAt: Date
}

const columns = (reader: Reader) => reader`
  store_id as "storeId", mirror, differing, as_of as "asOf", equal_as_of as "equalAsOf", differs_since as "differsSince", told_at as "toldAt"`

/** Stores a mirror's report in place of its last one. */
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

/** Deletes reports of a store that are older than `since`, and all but the latest LIMITS.mirrorsPerStore. */
export function mirrorChecksTrim(tx: Tx, accountId: number, storeId: number, since: Date) {
  return tx`
    delete from mirror_check where account_id = ${accountId} and store_id = ${storeId} and (told_at < ${since} or ctid = any(array(
      select ctid from mirror_check where account_id = ${accountId} and store_id = ${storeId}
      order by told_at desc, mirror offset ${LIMITS.mirrorsPerStore})))`
}

/** Reports of an account's mirrors since a time, by mirror name. */
export function mirrorChecksList(reader: Reader, accountId: number, since: Date) {
  return reader<MirrorCheckRow[]>`
    select ${columns(reader)} from mirror_check where account_id = ${accountId} and told_at >= ${since} order by mirror, store_id`
}

/** Deletes the reports of a store that is being deleted. */
export async function mirrorChecksDelete(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from mirror_check where account_id = ${accountId} and store_id = ${storeId}`
}
