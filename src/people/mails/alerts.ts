import { randomUUID } from 'node:crypto'
import { accountsOfPerson, membersList } from '../../accounts/members.sql.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import { auditInsert } from '../audit.sql.ts'
import { mailAlert } from './mails.ts'
import type { PeopleContext } from '../people.ts'
import type { From } from '../persons.sql.ts'
import { securityMailDelete, securityMailInsert, securityMailsDue, securityMailTake } from './security-mails.sql.ts'

// Mails about acts that a thief would do, to the person and to the owners of the accounts that the person owns. A mail is written in the transaction
// of the act, for the owners at that time, and sent afterwards: neither a crash nor the removal of an owner prevents it.

/** The messages, as predicates of a sentence about the person. The names are also the actions in the audit trails. */
const OF_PERSON = {
  changePassword: 'has a new password',
  resetPassword: 'has a new password, set by a link that was mailed',
  addPasskey: 'has added a passkey',
  removePasskey: 'has removed a passkey',
  confirmTotp: 'has set up codes of an authenticator app',
  removeTotp: 'no longer signs in with codes of an authenticator app',
  linkProvider: 'signs in at the identity provider from now on',
  unlinkProvider: 'no longer signs in at the identity provider',
  takeOverByProvider: 'signs in at the identity provider from now on, and all that signed in before has ended',
} as const
export type PersonAct = keyof typeof OF_PERSON

/** The person whose sign-in is changed. */
export interface Whose {
  personId: number
  name: string
  email: string
}

/** Ids of the accounts that a person owns. Call it before a transaction: on Citus it asks all nodes. */
export async function accountsOwned(db: Db, personId: number): Promise<number[]> {
  const accounts = await accountsOfPerson(db, personId)
  return accounts.filter(({ role }) => role === 'owner').map(({ accountId }) => accountId)
}

/**
 * Records a person's change of their own sign-in in the audit trails of the accounts that they own, and writes mails to the person and to the
 * owners of these accounts, in the same transaction. Call `sendAlerts` after the commit.
 */
export async function recordAndAlert(
  tx: Tx,
  { mailer }: PeopleContext,
  accountIds: readonly number[],
  { personId, name, email }: Whose,
  act: PersonAct,
  from: From,
  more = '',
): Promise<void> {
  for (const accountId of accountIds)
    await auditInsert(
      tx,
      accountId,
      { personId, name: `${name} <${email}>`, ...from },
      { action: act, target: '/panel/api/person', details: {} },
    )
  if (mailer === null) return
  const owners: string[] = []
  for (const accountId of accountIds) owners.push(...(await ownersOf(tx, accountId)))
  await insertMail(tx, [email, ...owners], `${email} ${OF_PERSON[act]}`, from, more)
}

/** Writes mails to an account's owners about an act in it, in the same transaction. @param also addresses of former owners whom the act removed */
export async function alertOwners(
  tx: Tx,
  { mailer }: PeopleContext,
  accountId: number,
  sentence: string,
  from: From,
  also: readonly string[] = [],
): Promise<void> {
  if (mailer !== null) await insertMail(tx, [...(await ownersOf(tx, accountId)), ...also], sentence, from, '')
}

async function insertMail(
  tx: Tx,
  to: readonly string[],
  sentence: string,
  { address }: From,
  more: string,
): Promise<void> {
  const recipients = [...new Map(to.map((email) => [email.toLowerCase(), email])).values()]
  if (recipients.length === 0) return
  await securityMailInsert(tx, { mailId: randomUUID(), recipients, sentence, more, address })
}

async function ownersOf(tx: Tx, accountId: number): Promise<string[]> {
  return (await membersList(tx, accountId)).filter(({ role }) => role === 'owner').map(({ email }) => email)
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
      log.error({ error, mail: mail.sentence }, 'a mail about the security of an account was given up')
    await inTransaction(db, (tx) => securityMailDelete(tx, mail.mailId))
  }
  return due.length === MAILS_PER_STEP
}
