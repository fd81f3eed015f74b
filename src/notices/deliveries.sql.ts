import type { NoticeSubject } from '../../contract/notice-kinds.ts'
import { accountCondition, type Accounts } from '../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// Deliveries of notices. Each notice is spread once over e-mail and the account's channels; each delivery is claimed, sent and recorded
// separately. docs/decisions/161-a-notice-is-spread-after-it-is-written.md says why.

/** The channel of e-mail to owners, which every account has. */
export const MAIL_CHANNEL = 0
/** E-mail and other channels have separate loops, so that neither waits for the other. */
export type Way = 'mail' | 'channels'

export interface DeliveryKey {
  noticeId: number
  channelId: number
}

/** A notice that this process may send through one channel until its lease ends. */
export type ClaimedDelivery = NoticeSubject & DeliveryKey & { createdAt: Date; tries: number }

const through = (reader: Reader, way: Way) =>
  way === 'mail' ? reader`channel_id = ${MAIL_CHANNEL}` : reader`channel_id > ${MAIL_CHANNEL}`

/** Accounts with due deliveries, the longest waiting first. Takes no lock. */
export async function accountsWithDeliveriesDue(
  reader: Reader,
  way: Way,
  limit: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select account_id as "accountId" from notice_delivery
    where next_at <= now() and ${through(reader, way)}${accountCondition(reader, 'and', accounts)}
    group by account_id order by min(next_at) limit ${limit}`
  return rows.map((row) => row.accountId)
}

/** Accounts with notices that have not been spread, or whose mail a process of an older release has not sent. Takes no lock. */
export async function accountsToSpread(reader: Reader, limit: number, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select account_id as "accountId" from notice
    where (not is_spread or mail_next_at <= now())${accountCondition(reader, 'and', accounts)}
    group by account_id order by min(notice_id) limit ${limit}`
  return rows.map((row) => row.accountId)
}

/**
 * Makes the deliveries of notices that have none. If a process of an older release is mailing a notice, the notice keeps that mail until
 * the lease of that process ends; then it is sent from here. @returns how many notices were spread
 */
export async function noticesSpread(tx: Tx, accountId: number): Promise<number> {
  const rows = await tx<{ noticeId: number; isSpread: boolean; isMailed: boolean }[]>`
    select notice_id as "noticeId", is_spread as "isSpread", coalesce(mail_next_at <= now(), false) as "isMailed" from notice
    where account_id = ${accountId} and (not is_spread or mail_next_at <= now())
    order by notice_id limit ${LIMITS.noticesSpreadMax} for update skip locked`
  const ids = (wanted: (row: (typeof rows)[number]) => boolean) => rows.filter(wanted).map((row) => row.noticeId)
  const mailed = ids((row) => row.isMailed)
  const fresh = ids((row) => !row.isSpread)
  if (mailed.length > 0) {
    await tx`
      insert into notice_delivery (account_id, notice_id, channel_id, tries, error)
      select account_id, notice_id, ${MAIL_CHANNEL}, mail_tries, mail_error from notice
      where account_id = ${accountId} and notice_id = any(${mailed}::bigint[])
      on conflict (account_id, notice_id, channel_id) do nothing`
    await tx`
      update notice set mail = 'kept', mail_next_at = null
      where account_id = ${accountId} and notice_id = any(${mailed}::bigint[])`
  }
  if (fresh.length > 0) {
    await tx`
      insert into notice_delivery (account_id, notice_id, channel_id)
      select n.account_id, n.notice_id, c.channel_id from notice n
      join notice_channel c on c.account_id = n.account_id and (c.notice_kinds is null or n.kind = any(c.notice_kinds))
      where n.account_id = ${accountId} and c.account_id = ${accountId} and n.notice_id = any(${fresh}::bigint[]) and not c.is_paused
      on conflict (account_id, notice_id, channel_id) do nothing`
    await tx`
      update notice set is_spread = true where account_id = ${accountId} and notice_id = any(${fresh}::bigint[])`
  }
  return rows.length
}

/**
 * Leases the first due delivery for LIMITS.noticeLeaseMs, in which no other process sends it; undefined if there is none, or others have
 * locked it. If this process dies, it is due again after that time.
 */
export async function deliveryClaim(tx: Tx, accountId: number, way: Way): Promise<ClaimedDelivery | undefined> {
  const [due] = await tx<DeliveryKey[]>`
    select notice_id as "noticeId", channel_id as "channelId" from notice_delivery
    where account_id = ${accountId} and next_at <= now() and ${through(tx, way)}
    order by next_at, notice_id, channel_id limit 1 for update skip locked`
  if (due === undefined) return undefined
  const [claimed] = await tx<{ tries: number }[]>`
    update notice_delivery set tries = tries + 1, tried_at = statement_timestamp(),
      next_at = statement_timestamp() + make_interval(secs => ${LIMITS.noticeLeaseMs / 1_000})
    where account_id = ${accountId} and notice_id = ${due.noticeId} and channel_id = ${due.channelId}
    returning tries`
  const [notice] = await tx<(NoticeSubject & { createdAt: Date })[]>`
    select endpoint_id as "endpointId", kind, facts, created_at as "createdAt" from notice
    where account_id = ${accountId} and notice_id = ${due.noticeId}`
  if (claimed === undefined || notice === undefined) throw new Error('a locked delivery has its notice')
  return { ...notice, ...due, ...claimed }
}

/** Records that a notice was sent, even if the lease has expired meanwhile. @param error recipients who did not get it */
export async function deliverySent(tx: Tx, accountId: number, key: DeliveryKey, error: string | null): Promise<void> {
  await tx`
    update notice_delivery set state = 'sent', next_at = null, error = ${error}
    where account_id = ${accountId} and notice_id = ${key.noticeId} and channel_id = ${key.channelId} and state <> 'sent'`
}

/**
 * Records why a claimed delivery failed. It is due again after `retryMs`. If that is null, or later than
 * LIMITS.noticeRetryHours after the notice was written, it becomes `kept`. Changes nothing if another process has claimed it since.
 *
 * @returns its new state; undefined if nothing was changed
 */
export async function deliveryFailed(
  tx: Tx,
  accountId: number,
  claimed: DeliveryKey & { tries: number },
  failure: { error: string; retryMs: number | null },
): Promise<'waiting' | 'kept' | undefined> {
  const retrySeconds = failure.retryMs === null ? null : failure.retryMs / 1_000
  const [next] = await tx<{ at: Date | null }[]>`
    select case when retry_at <= until then retry_at end as at from (
      select now() + make_interval(secs => ${retrySeconds}) as retry_at, created_at + make_interval(hours => ${LIMITS.noticeRetryHours}) as until
      from notice where account_id = ${accountId} and notice_id = ${claimed.noticeId} offset 0
    ) times`
  const nextAt = next?.at ?? null
  const [row] = await tx<{ state: 'waiting' | 'kept' }[]>`
    update notice_delivery set error = ${failure.error}, state = ${nextAt === null ? 'kept' : 'waiting'}, next_at = ${nextAt}
    where account_id = ${accountId} and notice_id = ${claimed.noticeId} and channel_id = ${claimed.channelId}
      and tries = ${claimed.tries} and state = 'waiting'
    returning state`
  return row?.state
}

/** Marks due mails as `kept`, so that they are not sent. @returns how many. */
export async function mailsWithhold(tx: Tx, accountId: number, reason: string): Promise<number> {
  const result = await tx`
    update notice_delivery set state = 'kept', next_at = null, error = ${reason}
    where account_id = ${accountId} and channel_id = ${MAIL_CHANNEL} and next_at <= now()`
  return result.count
}
