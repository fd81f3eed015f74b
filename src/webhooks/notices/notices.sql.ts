import { among, type Accounts } from '../../db/among.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import type { SourceNotice } from '../../imports/sources/notices.sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { NoticeKind } from '../health/health.ts'
import type { NewNotice } from '../deliver/records.sql.ts'

// Notices to owners. Those about an endpoint are inserted when its health changes (deliver/records.sql.ts).

/**
 * About an endpoint; about the account's pictures, for which there was no room (src/images/mirror/notices.sql.ts); or about a source of
 * supplier files (src/imports/sources/notices.sql.ts).
 */
export type NoticeSubject =
  | { endpointId: number; kind: NoticeKind; facts: NewNotice['facts'] }
  | { endpointId: null; kind: 'images_full' | 'images_resumed'; facts: { used_bytes: number } }
  | ({ endpointId: null } & SourceNotice)

export type NoticeRow = NoticeSubject & {
  noticeId: number
  createdAt: Date
  /** `kept`: it was not mailed and will not be, for the reason in mailError. */
  mail: 'waiting' | 'sent' | 'kept'
  mailTries: number
  /** When mailing it is tried next; null unless it waits. */
  mailNextAt: Date | null
  /** Why it was kept, the error of the last try, or who did not get it. */
  mailError: string | null
}

const columns = (reader: Reader) => reader`
  notice_id as "noticeId", endpoint_id as "endpointId", kind, facts, created_at as "createdAt", mail, mail_tries as "mailTries",
  mail_next_at as "mailNextAt", mail_error as "mailError"`

/** Notices of an account, newest first; `before` is a notice id, exclusive. */
export async function noticesList(
  reader: Reader,
  accountId: number,
  page: { before?: number | undefined; limit: number },
): Promise<NoticeRow[]> {
  const { before = Number.MAX_SAFE_INTEGER, limit } = page
  return await reader<NoticeRow[]>`
    select ${columns(reader)} from notice
    where account_id = ${accountId} and notice_id < ${before} order by notice_id desc limit ${limit}`
}

/** Accounts with notices to be mailed, the longest waiting first. Takes no lock. */
export async function accountsWithDueNotices(
  reader: Reader,
  limit: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select account_id as "accountId" from notice where mail_next_at <= now()${among(reader, 'and', accounts)}
    group by account_id order by min(mail_next_at) limit ${limit}`
  return rows.map((row) => row.accountId)
}

/**
 * Leases the notice that is due first for LIMITS.noticeLeaseMs, in which no other process sends it; undefined if there is none or
 * others have it locked. If this process dies it is due again after that time.
 */
export async function noticeClaim(tx: Tx, accountId: number): Promise<NoticeRow | undefined> {
  const [row] = await tx<NoticeRow[]>`
    update notice set mail_tries = mail_tries + 1, mail_next_at = now() + make_interval(secs => ${LIMITS.noticeLeaseMs / 1_000})
    where account_id = ${accountId} and notice_id = any(array(
      select notice_id from notice where account_id = ${accountId} and mail_next_at <= now()
      order by mail_next_at, notice_id limit 1 for update skip locked))
    returning ${columns(tx)}`
  return row
}

/** Records that it was sent, also if its lease has run out meanwhile. `error`: who did not get it. */
export async function noticeSent(tx: Tx, accountId: number, noticeId: number, error: string | null): Promise<void> {
  await tx`
    update notice set mail = 'sent', mail_next_at = null, mail_error = ${error}
    where account_id = ${accountId} and notice_id = ${noticeId} and mail <> 'sent'`
}

/**
 * Records why a claimed notice could not be sent. It is due again after `retryMs`, unless that is null or later than
 * LIMITS.noticeRetryHours after it was made: then it is kept. Changes nothing once another has claimed it.
 *
 * @returns what it is now; undefined when nothing changed
 */
export async function noticeFailed(
  tx: Tx,
  accountId: number,
  claimed: { noticeId: number; mailTries: number },
  failure: { error: string; retryMs: number | null },
): Promise<NoticeRow['mail'] | undefined> {
  const retrySeconds = failure.retryMs === null ? null : failure.retryMs / 1_000
  const [next] = await tx<{ at: Date | null }[]>`
    select case when retry_at <= until then retry_at end as at from (
      select now() + make_interval(secs => ${retrySeconds}) as retry_at, created_at + make_interval(hours => ${LIMITS.noticeRetryHours}) as until
      from notice where account_id = ${accountId} and notice_id = ${claimed.noticeId} offset 0
    ) times`
  const nextAt = next?.at ?? null
  const [row] = await tx<{ mail: NoticeRow['mail'] }[]>`
    update notice set mail_error = ${failure.error}, mail = ${nextAt === null ? 'kept' : 'waiting'}, mail_next_at = ${nextAt}
    where account_id = ${accountId} and notice_id = ${claimed.noticeId} and mail_tries = ${claimed.mailTries} and mail = 'waiting'
    returning mail`
  return row?.mail
}

/** Marks the notices that are due as kept: they are not mailed. @returns how many. */
export async function noticesKeep(tx: Tx, accountId: number, reason: string): Promise<number> {
  const result = await tx`
    update notice set mail = 'kept', mail_next_at = null, mail_error = ${reason}
    where account_id = ${accountId} and mail_next_at <= now()`
  return result.count
}

/** Deletes an endpoint's notices that are older than LIMITS.noticeDaysMax. */
export async function noticesTrim(tx: Tx, accountId: number, endpointId: number): Promise<void> {
  await tx`
    delete from notice where account_id = ${accountId} and endpoint_id = ${endpointId} and mail <> 'waiting'
      and created_at < now() - make_interval(days => ${LIMITS.noticeDaysMax})`
}
