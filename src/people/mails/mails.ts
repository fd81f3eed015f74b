import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../platform/limits.ts'
import { nameInSubject, nameInText } from './mail-names.ts'
import type { PeopleContext } from '../people.ts'
import type { SecurityMail } from './security-mails.sql.ts'

/** The result of a mail. `off`: the service sends none; `waiting`: it may be sent later; `failed`: it was refused and is not tried again. */
export type Mailed = { mail: 'sent' | 'off'; error: null } | { mail: 'waiting' | 'failed'; error: string }

async function send(
  context: PeopleContext,
  to: string | readonly string[],
  subject: string,
  text: string,
  {
    link = null,
    id = randomUUID(),
    date = new Date(context.now()),
  }: { link?: string | null; id?: string; date?: Date } = {},
): Promise<Mailed> {
  const { mailer } = context
  if (mailer === null) return { mail: 'off', error: null }
  const result = await mailer.send({
    to: typeof to === 'string' ? [to] : to,
    subject,
    text,
    link,
    language: 'en',
    messageId: `<${id}@${mailer.senderHost}>`,
    date,
  })
  if (result === 'sent' || result.isSent) return { mail: 'sent', error: null }
  // the error is the mail server's; it may repeat the address, never the text
  context.log.warn({ error: result.error }, 'a mail of the panel was not sent')
  return { mail: result.isPermanent ? 'failed' : 'waiting', error: result.error }
}

export function mailInvitation(
  context: PeopleContext,
  to: string,
  facts: { accountName: string; invitedBy: string; link: string },
): Promise<Mailed> {
  const account = nameInSubject(facts.accountName)
  return send(
    context,
    to,
    account === null ? 'Invitation to Shelfwire' : `Invitation to ${account} on Shelfwire`,
    `${nameInText(facts.invitedBy)} invites you to the account "${nameInText(facts.accountName)}" on Shelfwire.

Open this link to accept; it works once, within ${LIMITS.invitationDays} days:

${facts.link}

If you do not know what this is about, ignore this mail.
`,
    { link: facts.link },
  )
}

export function mailReset(context: PeopleContext, to: string, link: string): Promise<Mailed> {
  return send(
    context,
    to,
    'A new password for Shelfwire',
    `Somebody asked for a new password for ${to} on Shelfwire.

Open this link to set one; it works once, within ${LIMITS.resetLinkMinutes} minutes:

${link}

If it was not you, ignore this mail: your password stays as it is.
`,
    { link },
  )
}

/** To the new address. */
export function mailNewEmail(context: PeopleContext, to: string, link: string): Promise<Mailed> {
  return send(
    context,
    to,
    'Your new e-mail address for Shelfwire',
    `Somebody wants to sign in to Shelfwire as ${to}.

Open this link to confirm that it is you; it works once, within ${LIMITS.resetLinkMinutes} minutes:

${link}

If it was not you, ignore this mail: nothing changes.
`,
    { link },
  )
}

/** To the old address, before the new one is confirmed. */
export function mailEmailAsked(context: PeopleContext, to: string, email: string): Promise<Mailed> {
  return send(
    context,
    to,
    'Your e-mail address for Shelfwire is to change',
    `Somebody who is signed in as ${to} on Shelfwire asked to sign in as ${email} from now on.

If it was you, open the link that was sent there. If it was not you, set a new password now, which stops it, and sign out everywhere.
`,
  )
}

/** To the old address, once the new one counts. */
export function mailEmailChanged(context: PeopleContext, to: string, email: string): Promise<Mailed> {
  return send(
    context,
    to,
    'Your e-mail address for Shelfwire has changed',
    `${to} no longer signs in to Shelfwire: the address is now ${email}.

If it was not you, tell an owner of your account or the operator of the service now.
`,
  )
}

/** Tells several people, who do not see each other, what happened to somebody's sign-in or to an account. */
export function mailAlert(
  context: PeopleContext,
  { mailId, recipients, sentence, more, address, happenedAt }: SecurityMail & { happenedAt: Date },
): Promise<Mailed> {
  const text = `${sentence}.

When:   ${happenedAt.toISOString().replace('T', ' ').slice(0, 19)} UTC
From:   ${address}
${more === '' ? '' : `\n${more}\n`}
If you expected this, there is nothing to do. If not, somebody else may be signed in: set a new password, sign out everywhere, and look at the
people, tokens and the audit trail of your account.
`
  return send(context, recipients, 'Security of your Shelfwire account', text, { id: mailId, date: happenedAt })
}
