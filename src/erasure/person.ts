import { setTimeout as sleep } from 'node:timers/promises'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { auditForget, type Forgotten } from '../people/audit.sql.ts'
import {
  emailsForget,
  linksOfEmailDelete,
  memberships,
  runSequentiallyOnNodes,
  personCounts,
  personDelete,
  viewsDelete,
  type Membership,
} from '../people/erasure/erase-people.sql.ts'
import { accountsAfter } from '../people/erasure/forget.sql.ts'
import { forgetMember } from '../people/members.ts'
import { personByEmail, personLock } from '../people/persons.sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { erasureGet } from './erasures.sql.ts'

// Erases a person on request: the sign-in and its data are deleted in one transaction, and entries of audit logs get a mark in place of the name.
// docs/decisions/171-erased-people.md says why.

/** Counts of what is stored of a person, or was erased. Contains nothing that identifies anybody. */
export interface PersonErasure {
  /** Sign-ins with the address: 0 or 1. */
  signIns: number
  memberships: number
  sessions: number
  passkeys: number
  /** Invitations and links that set a password or an address. */
  links: number
  /** Lists of products that the person saved. */
  views: number
  /** Entries of audit logs that name the person. */
  auditEntries: number
}

/** What an erasure would find. Entries of audit logs and lists are counted only when they are changed. */
export interface PersonPreview extends Omit<PersonErasure, 'views' | 'auditEntries'> {
  /**
   * Accounts that would have no owner left who can sign in. The person is erased only when each of them has another owner, or is to be erased, too.
   */
  lastOwnerOf: { accountId: number; name: string }[]
}

/** Counts what is stored of the person with an e-mail address. @throws ShelfwireError unknown-reference if nothing is */
export async function previewPersonErasure(db: Db, email: string): Promise<PersonPreview> {
  const person = await personByEmail(db, email)
  const personId = person?.personId ?? null
  const of = await memberships(db, personId, email)
  const counts = await personCounts(db, personId, email)
  if (person === undefined && of.length === 0 && counts.links === 0) throw nobody()
  return {
    signIns: person === undefined ? 0 : 1,
    memberships: of.length,
    ...counts,
    lastOwnerOf: (await blocking(db, of)).map(({ accountId, accountName: name }) => ({ accountId, name })),
  }
}

/**
 * Erases the person with an e-mail address. May be killed at any point and run again: the sign-in is deleted all at once, and audit logs are
 * processed both before and after that.
 * @param onStep called with the number of audit log entries changed so far
 * @param quietSeconds how long requests that have begun may still write
 * @returns what was erased
 * @throws ShelfwireError unknown-reference if nothing is stored under the address; conflict while an account would have no owner who can sign in
 */
export async function erasePerson(
  db: Db,
  email: string,
  onStep: (entries: number) => void,
  quietSeconds: number = LIMITS.erasureQuietSeconds,
): Promise<PersonErasure> {
  const person = await personByEmail(db, email)
  const forgotten: Forgotten = { personId: person?.personId ?? null, email: person?.email ?? email }
  // checked before anything is changed, and once more under the locks
  requireOwners(await blocking(db, await memberships(db, forgotten.personId, email)))
  const before = await forgetInLogs(db, forgotten, onStep)
  const erased = await eraseSignIn(db, forgotten)
  const isKnown = erased.signIns + erased.memberships + erased.links > 0
  if (isKnown) await sleep(quietSeconds * 1_000)
  const after = isKnown ? await forgetInLogs(db, forgotten, onStep) : { views: 0, auditEntries: 0 }
  const auditEntries = before.auditEntries + after.auditEntries
  const views = before.views + after.views
  if (!isKnown && auditEntries === 0) throw nobody()
  return { ...erased, views, auditEntries }
}

const nobody = () => new ShelfwireError('unknown-reference', 'nothing is kept of anybody with this address')

/** The accounts of which the person is the last owner, except those that are to be erased. */
async function blocking(reader: Reader, of: readonly Membership[]): Promise<Membership[]> {
  const stay: Membership[] = []
  for (const membership of of)
    if (membership.isLastOwner && (await erasureGet(reader, membership.accountId)) === undefined) stay.push(membership)
  return stay
}

function requireOwners(blocked: readonly Membership[]): void {
  if (blocked.length === 0) return
  const named = blocked.map(({ accountId, accountName }) => `${accountId} "${accountName}"`).join(', ')
  throw new ShelfwireError(
    'conflict',
    `the person is the last owner who can sign in of account ${named}; make another member an owner first, or erase the account, too: shelfwire account erase`,
  )
}

type SignInErasure = Omit<PersonErasure, 'views' | 'auditEntries'>

async function eraseSignIn(db: Db, forgotten: Forgotten): Promise<SignInErasure> {
  for (;;) {
    // read before the locks are taken: in the lock order, settings of accounts come before people
    const known = await memberships(db, forgotten.personId, forgotten.email)
    const erased = await inTransaction(db, (tx) => eraseUnderLocks(tx, forgotten, known))
    if (erased !== null) return erased
  }
}

/** @returns null if the person has joined an account meanwhile */
async function eraseUnderLocks(
  tx: Tx,
  { personId, email }: Forgotten,
  known: readonly Membership[],
): Promise<SignInErasure | null> {
  await runSequentiallyOnNodes(tx)
  const accounts = [...new Set(known.map(({ accountId }) => accountId))].toSorted((a, b) => a - b)
  for (const accountId of accounts) await settingsLock(tx, accountId)
  const person = personId === null ? undefined : await personLock(tx, personId)
  const of = await memberships(tx, personId, email)
  if (of.some(({ accountId }) => !accounts.includes(accountId))) return null
  requireOwners(await blocking(tx, of))
  const counts = await personCounts(tx, personId, email)
  for (const { accountId, memberId, email: address } of of)
    await forgetMember(tx, accountId, { memberId, email: address, personId })
  await linksOfEmailDelete(tx, email)
  if (person !== undefined) await personDelete(tx, person.personId)
  await emailsForget(tx, email)
  return { signIns: person === undefined ? 0 : 1, memberships: of.length, ...counts }
}

/** Removes the person from the audit logs of all accounts, and deletes saved lists, in small transactions. */
async function forgetInLogs(
  db: Db,
  forgotten: Forgotten,
  onStep: (entries: number) => void,
): Promise<{ views: number; auditEntries: number }> {
  const { personId } = forgotten
  const done = { views: 0, auditEntries: 0 }
  for (let accounts = await accountsAfter(db, 0, 500); accounts.length > 0;) {
    for (const accountId of accounts) {
      if (personId !== null) done.views += await inTransaction(db, (tx) => viewsDelete(tx, accountId, personId))
      for (let after: number | null = 0; after !== null;) {
        const from: number = after
        const part: { changed: number; lastId: number | null } = await inTransaction(db, (tx) =>
          auditForget(tx, accountId, forgotten, from, LIMITS.erasureAuditEntriesPerStep),
        )
        done.auditEntries += part.changed
        after = part.lastId
      }
      onStep(done.auditEntries)
    }
    accounts = await accountsAfter(db, accounts.at(-1) ?? 0, 500)
  }
  return done
}
