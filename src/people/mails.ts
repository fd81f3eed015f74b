import { randomUUID } from 'node:crypto'
import { LIMITS } from '../platform/limits.ts'
import type { PeopleContext } from './people.ts'

/** What became of a mail. `off`: the service sends none; `waiting`: it may be sent later; `failed`: it was refused for good. */
export type Mailed = { mail: 'sent' | 'off'; error: null } | { mail: 'waiting' | 'failed'; error: string }

async function send(context: PeopleContext, to: string, subject: string, text: string): Promise<Mailed> {
  const { mailer } = context
  if (mailer === null) return { mail: 'off', error: null }
  const result = await mailer.send({
    to: [to],
    subject,
    text,
    messageId: `<${randomUUID()}@${mailer.senderHost}>`,
    date: new Date(context.now()),
  })
  if (result === 'sent' || result.isSent) return { mail: 'sent', error: null }
  // the error is the mail server's; it may repeat the address, never the text
  context.log.warn({ error: result.error }, 'a mail of the panel was not sent')
  return { mail: result.isPermanent ? 'failed' : 'waiting', error: result.error }
}

/** Control characters could feign further lines of the mail. */
const oneLine = (text: string) => text.replaceAll(/\p{C}+/gu, ' ')

export function mailInvitation(
  context: PeopleContext,
  to: string,
  facts: { accountName: string; invitedBy: string; link: string },
): Promise<Mailed> {
  const account = oneLine(facts.accountName)
  return send(
    context,
    to,
    `Invitation to ${account} on Shelfwire`,
    `${oneLine(facts.invitedBy)} invites you to the account "${account}" on Shelfwire.

Open this link to accept; it works once, within ${LIMITS.invitationDays} days:

${facts.link}

If you do not know what this is about, ignore this mail.
`,
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
