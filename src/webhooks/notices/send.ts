import { membersList } from '../../accounts/members.sql.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import type { Mailer, SendResult } from '../../outbound/mailer.ts'
import {
  accountsWithDueNotices,
  noticeClaim,
  noticeFailed,
  noticeSent,
  noticesKeep,
  type NoticeRow,
} from './notices.sql.ts'
import { noticeText } from './notice-text.ts'

/** How late a mail may be, at most. */
const IDLE_MS = 5_000

/** The delay after the first, second, third try, and after every further one, until LIMITS.noticeRetryHours are over. */
export const MAIL_RETRY_MS: readonly number[] = [60_000, 300_000, 900_000, 3_600_000]

export interface NoticesOptions {
  idleMs?: number
}

/**
 * Starts mailing notices to owners. Any number of processes may do so: each notice is claimed before it is sent.
 *
 * @param mailer null: there is no SMTP_URL, and notices are only stored
 */
export function startNotices(db: Db, mailer: Mailer | null, log: Log, options: NoticesOptions = {}): Loop {
  return startLoop({
    name: 'notices',
    log,
    idleMs: options.idleMs ?? IDLE_MS,
    step: (signal) => withGrace(signal, (giveUp) => sendNotices(db, mailer, log, { stopping: signal, giveUp })),
  })
}

/**
 * Mails what is due, one notice of each account in turn. Ends early after LIMITS.noticeStepMs, so that a busy loop is not taken
 * for a dead one, and if the mail server does not answer: the next mail would wait for it as well.
 *
 * @param signals after `stopping` no mail is started; `giveUp` aborts one that is being sent
 */
export async function sendNotices(
  db: Db,
  mailer: Mailer | null,
  log: Log,
  signals: { stopping?: AbortSignal; giveUp?: AbortSignal } = {},
): Promise<'more' | 'idle'> {
  const until = performance.now() + LIMITS.noticeStepMs
  for (;;) {
    const due = await db.nodes.scan('notices', (accounts) =>
      accountsWithDueNotices(db, LIMITS.noticeAccountsPerStep, accounts),
    )
    if (due.rows.length === 0) return 'idle'
    for (const accountId of due.rows) {
      if (signals.stopping?.aborted === true || performance.now() > until) return 'more'
      const answers = await db.nodes.unlessAway(accountId, () => sendNext(db, mailer, log, accountId, signals.giveUp))
      if (answers === false) return 'idle'
    }
  }
}

/** Mails the first due notice of an account, unless another process does. @returns false if the mail server does not answer. */
async function sendNext(
  db: Db,
  mailer: Mailer | null,
  log: Log,
  accountId: number,
  giveUp: AbortSignal | undefined,
): Promise<boolean> {
  const owners = (await membersList(db, accountId))
    .filter((member) => member.role === 'owner')
    .map((member) => member.email)
  if (mailer === null || owners.length === 0) {
    await inTransaction(db, (tx) =>
      noticesKeep(tx, accountId, mailer === null ? 'SMTP_URL is not set' : 'the account has no owner'),
    )
    return true
  }
  const notice = await inTransaction(db, (tx) => noticeClaim(tx, accountId))
  if (notice === undefined) return true
  const result = await mailer.send(mailOf(accountId, notice, owners, mailer.senderHost), giveUp)
  await record(db, accountId, notice, result, log)
  return result === 'sent' || result.isSent || result.isAnswered
}

/** The same mail, id and date included, at every try: if it is sent twice, mail programs show it once. */
function mailOf(accountId: number, notice: NoticeRow, owners: readonly string[], senderHost: string) {
  const { subject, text } = noticeText(accountId, notice)
  return {
    to: owners,
    subject,
    text,
    messageId: `<notice-${accountId}-${notice.noticeId}@${senderHost}>`,
    date: notice.createdAt,
  }
}

async function record(db: Db, accountId: number, notice: NoticeRow, result: SendResult, log: Log): Promise<void> {
  const { noticeId, mailTries } = notice
  if (result === 'sent' || result.isSent) {
    const error = result === 'sent' ? null : result.error
    await inTransaction(db, (tx) => noticeSent(tx, accountId, noticeId, error))
    if (error !== null) log.warn({ accountId, noticeId, error }, 'a notice was not mailed to every owner')
    return
  }
  const retryMs = result.isPermanent ? null : (MAIL_RETRY_MS[Math.min(mailTries, MAIL_RETRY_MS.length) - 1] ?? null)
  const mail = await inTransaction(db, (tx) => noticeFailed(tx, accountId, notice, { error: result.error, retryMs }))
  log.warn(
    { accountId, noticeId, error: result.error, mail },
    mail === 'kept' ? 'a notice could not be mailed and is kept' : 'a notice could not be mailed',
  )
}

/** Runs `work` with a signal that aborts LIMITS.mailEndingMs after `stopping`: a mail that is nearly sent can end, or it would be sent twice. */
async function withGrace<T>(stopping: AbortSignal, work: (giveUp: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const ending = () => (timer = setTimeout(() => giveUp.abort(), LIMITS.mailEndingMs))
  stopping.addEventListener('abort', ending, { once: true })
  try {
    return await work(giveUp.signal)
  } finally {
    stopping.removeEventListener('abort', ending)
    clearTimeout(timer)
  }
}
