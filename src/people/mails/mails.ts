import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../platform/limits.ts'
import { writtenLanguage, type WrittenLanguage } from '../../platform/text/written-language.ts'
import { nameInSubject, nameInText } from './mail-names.ts'
import type { PeopleContext } from '../people.ts'
import type { SecurityMail } from './security-mails.sql.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { pl } from './words/pl.ts'
import type { AlertWords, MailWords, MailTexts } from './words/words.ts'

const WORDS: Readonly<Record<WrittenLanguage, MailWords>> = { en, de, pl }

/** The result of a mail. `off`: the service sends no mail; `waiting`: it may be sent later; `failed`: it was refused and is given up. */
export type Mailed = { mail: 'sent' | 'off'; error: null } | { mail: 'waiting' | 'failed'; error: string }

async function send(
  context: PeopleContext,
  to: string | readonly string[],
  { subject, text }: MailTexts,
  {
    language,
    link = null,
    id = randomUUID(),
    date = new Date(context.now()),
  }: { language: WrittenLanguage; link?: string | null; id?: string; date?: Date },
): Promise<Mailed> {
  const { mailer } = context
  if (mailer === null) return { mail: 'off', error: null }
  const result = await mailer.send({
    to: typeof to === 'string' ? [to] : to,
    subject,
    text,
    link,
    language,
    messageId: `<${id}@${mailer.senderHost}>`,
    date,
  })
  if (result === 'sent' || result.isSent) return { mail: 'sent', error: null }
  // the mail server's error may contain the address, but never the text of the mail
  context.log.warn({ error: result.error }, 'a mail of the panel was not sent')
  return { mail: result.isPermanent ? 'failed' : 'waiting', error: result.error }
}

/** Mails the link of an invitation to an account. */
export function mailInvitation(
  context: PeopleContext,
  to: string,
  { accountName, invitedBy, link }: { accountName: string; invitedBy: string | null; link: string },
  language: WrittenLanguage,
): Promise<Mailed> {
  const words = WORDS[language]
  const said = words.invitation({
    account: nameInSubject(accountName),
    accountName: nameInText(accountName),
    invitedBy: invitedBy === null ? words.operator : nameInText(invitedBy),
    days: LIMITS.invitationDays,
    link,
  })
  return send(context, to, said, { language, link })
}

/** Mails the link that sets a new password. */
export function mailReset(
  context: PeopleContext,
  to: string,
  link: string,
  language: WrittenLanguage,
): Promise<Mailed> {
  return send(context, to, WORDS[language].reset(to, LIMITS.resetLinkMinutes, link), { language, link })
}

/** To the new address. */
export function mailNewEmail(
  context: PeopleContext,
  to: string,
  link: string,
  language: WrittenLanguage,
): Promise<Mailed> {
  return send(context, to, WORDS[language].newEmail(to, LIMITS.resetLinkMinutes, link), { language, link })
}

/** To the old address, before the new one is confirmed. */
export function mailEmailAsked(
  context: PeopleContext,
  to: string,
  email: string,
  language: WrittenLanguage,
): Promise<Mailed> {
  return send(context, to, WORDS[language].emailAsked(to, email), { language })
}

/** To the old address, after the new one was confirmed. */
export function mailEmailChanged(
  context: PeopleContext,
  to: string,
  email: string,
  language: WrittenLanguage,
): Promise<Mailed> {
  return send(context, to, WORDS[language].emailChanged(to, email), { language })
}

/** The words of alerts, whose sentences are composed when they are written, in the transaction of the act. */
export const alertWords = (language: WrittenLanguage): AlertWords => WORDS[language].alerts

/** Mails a change of somebody's sign-in, or of an account, to several people of one language, who do not see each other's addresses. */
export function mailAlert(
  context: PeopleContext,
  { mailId, recipients, language: name, happenedAt, ...facts }: SecurityMail & { happenedAt: Date },
): Promise<Mailed> {
  const language = writtenLanguage(name)
  const said = WORDS[language].alerts.mail({ happenedAt, ...facts })
  return send(context, recipients, said, { language, id: mailId, date: happenedAt })
}
