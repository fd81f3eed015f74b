import { NOTICE_KINDS, NOTICES, type NoticeSubject } from '../../contract/notice-kinds.ts'
import { accountCondition, type Accounts } from '../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { MAIL_CHANNEL } from './deliveries.sql.ts'

/** A notice with the state of its mail. */
export type NoticeRow = NoticeSubject & {
  noticeId: number
  createdAt: Date
  /** `kept`: it was not mailed and will not be; mailError has the reason. */
  mail: 'waiting' | 'sent' | 'kept'
  mailTries: number
  /** When the mail is tried next; null unless it waits. */
  mailNextAt: Date | null
  /** The reason why it is kept, the error of the last try, or the recipients who did not get it. */
  mailError: string | null
}

/** Notices of an account, newest first; `before` is a notice id, exclusive. */
export async function noticesList(
  reader: Reader,
  accountId: number,
  page: { before?: number | undefined; limit: number },
): Promise<NoticeRow[]> {
  const { before = Number.MAX_SAFE_INTEGER, limit } = page
  return await reader<NoticeRow[]>`
    select n.notice_id as "noticeId", n.endpoint_id as "endpointId", n.kind, n.facts, n.created_at as "createdAt",
      coalesce(d.state, n.mail) as mail, coalesce(d.tries, n.mail_tries) as "mailTries",
      case when d.state is null then n.mail_next_at else d.next_at end as "mailNextAt",
      case when d.state is null then n.mail_error else d.error end as "mailError"
    from notice n
    left join notice_delivery d on d.account_id = n.account_id and d.notice_id = n.notice_id and d.channel_id = ${MAIL_CHANNEL} and d.account_id = ${accountId}
    where n.account_id = ${accountId} and n.notice_id < ${before} order by n.notice_id desc limit ${limit}`
}

/**
 * Accounts after this one that have notices, for walking through all of them in parts. `isFull`: some of its notices are too old or too many, and may
 * have to be deleted.
 */
export function noticeAccountsAfter(reader: Reader, afterId: number, limit: number, accounts: Accounts = null) {
  return reader<{ accountId: number; isFull: boolean }[]>`
    select account_id as "accountId", count(*) > ${LIMITS.noticesPerAccountMax}
        or min(created_at) < now() - make_interval(days => ${LIMITS.noticeDaysMax}) as "isFull"
    from notice where account_id > ${afterId}${accountCondition(reader, 'and', accounts)}
    group by account_id order by account_id limit ${limit}`
}

/** Kinds of which a new notice is compared with the last one (write-notice.sql.ts). */
const COMPARED_KINDS = NOTICE_KINDS.filter((kind) => NOTICES[kind].fold !== null)

/**
 * Deletes notices of an account that are older than LIMITS.noticeDaysMax days or not among its newest LIMITS.noticesPerAccountMax, oldest first, at
 * most LIMITS.noticesDeletedPerStep. Those that are still to be sent stay, and so does the newest of each kind that new ones are compared with:
 * without it, an event that goes on would be reported again.
 * @returns whether there may be more
 */
export async function noticesTrim(tx: Tx, accountId: number): Promise<boolean> {
  const deleted = await tx`
    delete from notice where account_id = ${accountId} and notice_id = any(array(
      select n.notice_id from notice n
      where n.account_id = ${accountId} and n.is_spread and n.mail <> 'waiting'
        and (n.created_at < now() - make_interval(days => ${LIMITS.noticeDaysMax}) or n.notice_id <= (
          select notice_id from notice where account_id = ${accountId}
          order by notice_id desc offset ${LIMITS.noticesPerAccountMax} limit 1))
        and n.notice_id <> all(array(
          select max(notice_id) from notice where account_id = ${accountId} and kind = any(${COMPARED_KINDS}::text[])
          group by kind))
        and not exists (
          select from notice_delivery d
          where d.account_id = ${accountId} and d.notice_id = n.notice_id and d.next_at is not null)
      order by n.notice_id limit ${LIMITS.noticesDeletedPerStep}))`
  return deleted.count === LIMITS.noticesDeletedPerStep
}
