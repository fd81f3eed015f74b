import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { endsInsert, timesOf, type TimedSession } from '../sign-in/sessions.sql.ts'

// Deletes what has ended (sessions, steps, links) and entries that are too old.

/** Deletes ended sessions, steps and links of all accounts. */
export async function endedSignInsDelete(tx: Tx): Promise<void> {
  await tx`delete from sign_in_step where expires_at < now()`
  await tx`delete from one_time_link where expires_at < now()`
  await tx`delete from endpoint_link where expires_at < now()`
  // selected before the deletion, because on Citus `returning` cannot return anything that depends on the time
  const ended = await tx<TimedSession[]>`
    select token_hash as "tokenHash", ${timesOf(tx)} from session
    where expires_at < now() or seen_at < now() - make_interval(hours => ${LIMITS.sessionIdleHours}) for update`
  if (ended.length > 0)
    await tx`delete from session where token_hash = any(${ended.map(({ tokenHash }) => tokenHash)}::bytea[])`
  const byRule = ended.filter(({ isEndedByRule }) => isEndedByRule)
  await endsInsert(tx, byRule, 'account-rule')
  // the reason of an end is kept as long as the session's cookie
  await tx`delete from ended_session where ended_at < now() - make_interval(days => ${LIMITS.sessionDaysMax})`
  await tx`delete from known_device where created_at < now() - make_interval(days => ${LIMITS.knownDeviceDays})`
}

/** Deletes events of people that are older than LIMITS.personEventDaysMax days. */
export function personEventsTrim(tx: Tx) {
  return tx`delete from person_event where at < now() - make_interval(days => ${LIMITS.personEventDaysMax})`
}

/** The next accounts after an id, so that all can be processed in parts. */
export async function accountsAfter(reader: Reader, afterId: number, limit: number): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from account where account_id > ${afterId} order by account_id limit ${limit}`
  return rows.map((row) => row.account_id)
}

/** Deletes the oldest entries of an account if they are too old, at most LIMITS.auditDeletedPerStep. @returns how many. */
export async function auditTrim(tx: Tx, accountId: number): Promise<number> {
  const result = await tx`
    delete from audit_entry where account_id = ${accountId} and entry_id = any(array(
      select entry_id from (
        select entry_id, at from audit_entry where account_id = ${accountId}
        order by entry_id limit ${LIMITS.auditDeletedPerStep}) oldest
      where at < now() - make_interval(days => ${LIMITS.auditDaysMax})))`
  return result.count
}
