import { randomUUID } from 'node:crypto'
import { LIMITS } from '../platform/limits.ts'
import type { PeopleContext } from './people.ts'

/** What became of a mail. `off`: the service sends none. */
export type Mailed = { mail: 'sent' | 'off'; error: null } | { mail: 'failed'; error: string }

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
  return { mail: 'failed', error: result.error }
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
