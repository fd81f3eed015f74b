import { randomUUID } from 'node:crypto'
import { accountsOfPerson, ownersOf } from '../../accounts/members.sql.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import { writtenLanguage, type WrittenLanguage } from '../../platform/text/written-language.ts'
import { auditInsert } from '../audit.sql.ts'
import { languageOfAccounts } from './language-of-person.ts'
import { alertWords, mailAlert } from './mails.ts'
import type { PeopleContext } from '../people.ts'
import type { From } from '../persons.sql.ts'
import { securityMailDelete, securityMailInsert, securityMailsDue, securityMailTake } from './security-mails.sql.ts'
import type { AlertWords, PersonAct } from './words/words.ts'

// Mails about acts that a thief would do, to the person and to the owners of the accounts that the person owns. A mail is written in the transaction
// of the act, for the owners at that time, and sent afterwards: neither a crash nor the removal of an owner prevents it.

/** The person whose sign-in is changed. */
export interface AlertedPerson {
  personId: number
  name: string
  email: string
}

/** The accounts that a person owns, by id, and the language of mails to the person. */
export interface Owned {
  accountIds: readonly number[]
  language: WrittenLanguage
}

/** For a person without accounts. */
export const NO_ACCOUNTS: Owned = { accountIds: [], language: languageOfAccounts([]) }

/** Call it before a transaction: on Citus it asks all nodes. */
export async function accountsOwned(db: Db, personId: number): Promise<Owned> {
  const accounts = await accountsOfPerson(db, personId)
  const owned = accounts.filter(({ role }) => role === 'owner')
  return { accountIds: owned.map(({ accountId }) => accountId), language: languageOfAccounts(accounts) }
}

/**
 * Records a person's change of their own sign-in in the audit trails of the accounts that they own, and writes mails to the person and to the
 * owners of these accounts, in the same transaction. Call `sendAlerts` after the commit.
 * @param more further lines of the mail
 */
export async function recordAndAlert(
  tx: Tx,
  { mailer }: PeopleContext,
  { accountIds, language }: Owned,
  { personId, name, email }: AlertedPerson,
  act: PersonAct,
  from: From,
  more: (words: AlertWords) => readonly string[] = () => [],
): Promise<void> {
  for (const accountId of accountIds)
    await auditInsert(
      tx,
      accountId,
      { personId, name: `${name} <${email}>`, ...from },
      { action: act, target: '/panel/api/person', details: {} },
    )
  if (mailer === null) return
  const owners: Recipient[] = []
  for (const accountId of accountIds) owners.push(...(await ownersToTell(tx, accountId)))
  const recipients = eachOnce(owners)
  recipients.set(email.toLowerCase(), { email, language })
  await insertMails(tx, recipients, (words) => words.acts[act](email), from, more)
}

/**
 * Writes mails to an account's owners about an act in it, in the same transaction.
 * @param sentence without its full stop
 * @param also addresses of former owners whom the act removed
 */
export async function alertOwners(
  tx: Tx,
  { mailer }: PeopleContext,
  accountId: number,
  sentence: (words: AlertWords) => string,
  from: From,
  also: readonly string[] = [],
): Promise<void> {
  if (mailer === null) return
  const owners = await ownersToTell(tx, accountId)
  const language = owners[0]?.language ?? 'en'
  const recipients = eachOnce([...owners, ...also.map((email) => ({ email, language }))])
  await insertMails(tx, recipients, sentence, from)
}

interface Recipient {
  email: string
  language: WrittenLanguage
}

/** The owners of an account, who get mails in its language. */
async function ownersToTell(tx: Tx, accountId: number): Promise<Recipient[]> {
  return (await ownersOf(tx, accountId)).map(({ email, locale }) => ({ email, language: writtenLanguage(locale) }))
}

/** Recipients by lower-case address. Owners of accounts in several languages get English. */
function eachOnce(recipients: readonly Recipient[]): Map<string, Recipient> {
  const found = new Map<string, Recipient>()
  for (const recipient of recipients) {
    const key = recipient.email.toLowerCase()
    const isOther = found.has(key) && found.get(key)?.language !== recipient.language
    found.set(key, isOther ? { ...recipient, language: 'en' } : recipient)
  }
  return found
}

/** Writes one mail for each language of the recipients. */
async function insertMails(
  tx: Tx,
  recipients: ReadonlyMap<string, Recipient>,
  sentence: (words: AlertWords) => string,
  { address }: From,
  more: (words: AlertWords) => readonly string[] = () => [],
): Promise<void> {
  const byLanguage = Map.groupBy(recipients.values(), ({ language }) => language)
  for (const [language, group] of byLanguage) {
    const words = alertWords(language)
    await securityMailInsert(tx, {
      mailId: randomUUID(),
      recipients: group.map(({ email }) => email),
      language,
      sentence: sentence(words),
      more: more(words).join('\n'),
      address,
    })
  }
}

/** Sends new alerts after the answer. Those that fail, or whose process ends first, are sent by the loop of link-mails.ts. */
export function sendAlerts(context: PeopleContext): void {
  if (context.mailer !== null) context.later(() => sendSecurityMails(context))
}

const MAILS_PER_STEP = 10

/**
 * Sends due mails, each at least once. A mail that is refused permanently, or has been tried for almost a day, is given up and logged.
 * @returns whether there may be more
 */
export async function sendSecurityMails(context: PeopleContext, signal?: AbortSignal): Promise<boolean> {
  const { db, mailer, log } = context
  if (mailer === null) return false
  const due = await securityMailsDue(db, MAILS_PER_STEP)
  for (const entry of due) {
    if (signal?.aborted === true) return false
    const mail = await inTransaction(db, (tx) => securityMailTake(tx, entry))
    if (mail === undefined) continue
    faultPoint('security-mail:before-send')
    const { mail: state, error } = await mailAlert(context, mail)
    const isLast = entry.tries + 1 >= LIMITS.securityMailRetrySeconds.length
    if (state === 'waiting' && !isLast) continue
    if (state !== 'sent')
      log.error(
        { error, mailId: mail.mailId, mail: mail.sentence },
        'a mail about the security of an account was given up',
      )
    await inTransaction(db, (tx) => securityMailDelete(tx, mail.mailId))
  }
  return due.length === MAILS_PER_STEP
}
