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

// Telling people what a thief would do: the person, and the owners of the accounts that the person owns. A mail is written in the transaction of the
// act, to those who are owners then, and sent after it: neither a crash nor the removal of an owner keeps it from anybody.

/** The message, in a sentence about somebody. Also the action in the trail of the accounts that the person owns. */
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

export interface Whose {
  personId: number
  name: string
  email: string
}

/** Accounts that a person owns. Asked before a transaction: on Citus it asks all nodes. */
export async function accountsOwned(db: Db, personId: number): Promise<number[]> {
  const accounts = await accountsOfPerson(db, personId)
  return accounts.filter(({ role }) => role === 'owner').map(({ accountId }) => accountId)
}

/**
 * Writes what a person did with their own sign-in into the audit trails of the accounts that they own, and mails about it to the person and the owners of
 * these accounts, in the same transaction. `sendAlerts` follows the commit.
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

/** Writes mails to the owners of an account about what somebody did in it, in the same transaction. @param also addresses of those who were owners until now */
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

/** Sends the alerts that were just written, after the answer; those that fail, or whose process ends before, are sent by the loop of link-mails.ts. */
export function sendAlerts(context: PeopleContext): void {
  if (context.mailer !== null) context.later(() => sendSecurityMails(context))
}

const MAILS_PER_STEP = 10

/**
 * Sends the mails that are due, each at least once. A mail that is refused permanently, or was tried for almost a day, is given up and logged.
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
