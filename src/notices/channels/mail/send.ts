import { ownersOf } from '../../../accounts/members.sql.ts'
import { logUnlessDatabaseFailed } from '../../../db/connections/connection-errors.ts'
import { inTransaction, type Db } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop, type Loop } from '../../../platform/process/loop.ts'
import { writtenLanguage } from '../../../platform/text/written-language.ts'
import type { Mailer, SendResult } from '../../../outbound/mailer.ts'
import {
  accountsWithDeliveriesDue,
  deliveryClaim,
  deliveryFailed,
  deliverySent,
  mailsWithhold,
  type ClaimedDelivery,
} from '../../deliveries.sql.ts'
import { noticeText } from '../../notice-text.ts'
import { retryAfterTries, withGracePeriod } from '../../retries.ts'
import { spreadNotices } from '../../spread.ts'

/** The longest delay of a mail, in ms, while the loop is idle. */
const IDLE_MS = 5_000

/** Options of the loop. */
export interface NoticesOptions {
  idleMs?: number
}

/**
 * Starts mailing notices to owners. Any number of processes may run this: each notice is claimed before it is sent.
 *
 * @param mailer null: SMTP_URL is not set, and notices are only stored
 */
export function startNotices(db: Db, mailer: Mailer | null, log: Log, options: NoticesOptions = {}): Loop {
  return startLoop({
    name: 'notices',
    log,
    idleMs: options.idleMs ?? IDLE_MS,
    step: (signal) => withGracePeriod(signal, (giveUp) => sendNotices(db, mailer, log, { stopping: signal, giveUp })),
  })
}

/**
 * Mails due notices, one of each account in turn. Ends early after LIMITS.noticeStepMs, so that a busy loop is not taken
 * for a dead one, and if the mail server does not answer: the next mail would wait for it as well.
 *
 * @param signals after `stopping` no mail is started; `giveUp` aborts a mail that is being sent
 */
export async function sendNotices(
  db: Db,
  mailer: Mailer | null,
  log: Log,
  signals: { stopping?: AbortSignal; giveUp?: AbortSignal } = {},
): Promise<'more' | 'idle'> {
  const until = performance.now() + LIMITS.noticeStepMs
  /** Accounts whose mail could not be written or recorded. The others do not wait for it; it is tried again in the next step. */
  const failed = new Set<number>()
  await spreadNotices(db, log, signals.stopping)
  for (;;) {
    const due = await db.nodes.scan('notices', (accounts) =>
      accountsWithDeliveriesDue(db, 'mail', LIMITS.noticeAccountsPerStep, accounts),
    )
    const waiting = due.rows.filter((accountId) => !failed.has(accountId))
    if (waiting.length === 0) return 'idle'
    for (const accountId of waiting) {
      if (signals.stopping?.aborted === true || performance.now() > until) return 'more'
      const sending = db.nodes.unlessAway(accountId, () => sendNext(db, mailer, log, accountId, signals.giveUp))
      const answers = await sending.catch((error: unknown) => {
        logUnlessDatabaseFailed(log, error, 'the notices of an account could not be mailed', { accountId })
        failed.add(accountId)
      })
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
  const owners = await ownersOf(db, accountId)
  const [first] = owners
  if (mailer === null || first === undefined) {
    await inTransaction(db, (tx) =>
      mailsWithhold(tx, accountId, mailer === null ? 'SMTP_URL is not set' : 'the account has no owner'),
    )
    return true
  }
  const notice = await inTransaction(db, (tx) => deliveryClaim(tx, accountId, 'mail'))
  if (notice === undefined) return true
  const to = owners.map(({ email }) => email)
  const { senderHost } = mailer
  const result = await mailer.send(mailOf(accountId, notice, to, { senderHost, locale: first.locale }), giveUp)
  await record(db, accountId, notice, result, log)
  return result === 'sent' || result.isSent || result.isAnswered
}

/** The mail of a notice, with the same id and date at every try: mail programs then show a mail that was sent twice only once. */
function mailOf(
  accountId: number,
  notice: ClaimedDelivery,
  owners: readonly string[],
  { senderHost, locale }: { senderHost: string; locale: string },
) {
  const { subject, text } = noticeText(accountId, notice, locale)
  return {
    to: owners,
    subject,
    text,
    link: null,
    language: writtenLanguage(locale),
    messageId: `<notice-${accountId}-${notice.noticeId}@${senderHost}>`,
    date: notice.createdAt,
  }
}

async function record(db: Db, accountId: number, notice: ClaimedDelivery, result: SendResult, log: Log): Promise<void> {
  const { noticeId, tries } = notice
  if (result === 'sent' || result.isSent) {
    const error = result === 'sent' ? null : result.error
    await inTransaction(db, (tx) => deliverySent(tx, accountId, notice, error))
    if (error !== null) log.warn({ accountId, noticeId, error }, 'a notice was not mailed to every owner')
    return
  }
  const retryMs = result.isPermanent ? null : retryAfterTries(tries)
  const state = await inTransaction(db, (tx) => deliveryFailed(tx, accountId, notice, { error: result.error, retryMs }))
  log.warn(
    { accountId, noticeId, error: result.error, mail: state },
    state === 'kept' ? 'a notice could not be mailed and is kept' : 'a notice could not be mailed',
  )
}
