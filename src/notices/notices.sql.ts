import type { NoticeSubject } from '../../contract/notice-kinds.ts'
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

/** Deletes an endpoint's notices that are older than LIMITS.noticeDaysMax days, except those whose mail waits. */
export async function noticesTrim(tx: Tx, accountId: number, endpointId: number): Promise<void> {
  await tx`
    delete from notice where account_id = ${accountId} and endpoint_id = ${endpointId} and mail <> 'waiting'
      and created_at < now() - make_interval(days => ${LIMITS.noticeDaysMax})`
}
