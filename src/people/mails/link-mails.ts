import { accountGet } from '../../accounts/accounts.sql.ts'
import { inTransaction } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { writtenLanguage } from '../../platform/text/written-language.ts'
import { sendSecurityMails } from './alerts.ts'
import { languageOfPerson } from './language-of-person.ts'
import { linkAddress } from './link-address.ts'
import { dueMails, linkMaker, mailFailed, mailRefused, mailSent, mailTake } from './link-mails.sql.ts'
import type { LinkRow } from '../links.sql.ts'
import { mailInvitation, mailNewEmail, mailReset, type Mailed } from './mails.ts'
import type { PeopleContext } from '../people.ts'
import { newSecret, secretHash } from '../secrets.ts'
import { must } from '../../platform/must.ts'

const IDLE_MS = 5_000
const MAILS_PER_STEP = 10

/** The parts of a link that its mail needs. */
type MailedLink = Pick<LinkRow, 'linkId' | 'kind' | 'email' | 'accountId' | 'personId'>

/** Mails a link and records the result. */
export async function mailLink(context: PeopleContext, link: MailedLink, token: string): Promise<Mailed> {
  const mailed = await mailOf(context, link, linkAddress(context.publicUrl(), token))
  const hash = secretHash(token)
  await inTransaction(context.db, async (tx) => {
    if (mailed.mail === 'sent') await mailSent(tx, hash)
    else if (mailed.mail === 'waiting') await mailFailed(tx, hash, mailed.error)
    else if (mailed.mail === 'failed') await mailRefused(tx, hash, mailed.error)
  })
  return mailed
}

async function mailOf(
  context: PeopleContext,
  { linkId, kind, email, accountId, personId }: MailedLink,
  link: string,
): Promise<Mailed> {
  if (personId !== null) {
    const language = await languageOfPerson(context.db, personId)
    return kind === 'email-change'
      ? mailNewEmail(context, email, link, language)
      : mailReset(context, email, link, language)
  }
  const [account, maker] = await Promise.all([accountGet(context.db, must(accountId)), linkMaker(context.db, linkId)])
  const { name: accountName, locale } = must(account)
  return mailInvitation(context, email, { accountName, invitedBy: maker, link }, writtenLanguage(locale))
}

/**
 * Starts resending mails of links and mails about security that failed, or whose process ended before they were sent. Any number of
 * processes may run this.
 * Each try makes a new token, because only the hash of the earlier one is stored. So if an earlier mail arrived after all, its link has ended.
 */
export function startLinkMails(context: PeopleContext, idleMs = IDLE_MS): Loop {
  return startLoop({
    name: 'link-mails',
    log: context.log,
    idleMs,
    async step(signal) {
      if (context.mailer === null) return 'idle'
      const due = await dueMails(context.db, MAILS_PER_STEP)
      for (const entry of due) {
        if (signal.aborted) return 'idle'
        const token = newSecret('link')
        const next = LIMITS.linkMailRetrySeconds[entry.tries + 1] ?? null
        const link = await inTransaction(context.db, (tx) => mailTake(tx, entry, secretHash(token), next))
        if (link !== undefined) await mailLink(context, link, token)
      }
      const hasMore = await sendSecurityMails(context, signal)
      return hasMore || due.length === MAILS_PER_STEP ? 'more' : 'idle'
    },
  })
}
