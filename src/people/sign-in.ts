import { inTransaction, type Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { PeopleContext } from './people.ts'
import { isPassword } from './passwords.ts'
import {
  personByEmail,
  personEventInsert,
  personGet,
  personLock,
  recoveryCodeTake,
  totpStepTake,
  type From,
  type PersonRow,
} from './persons.sql.ts'
import { newSecret, secretHash } from './secrets.ts'
import { openSession, type Opened } from './sessions.ts'
import { stepInsert, stepTake, stepTry } from './sign-in-steps.sql.ts'
import { recoveryCodeHash, stepOfCode } from './totp.ts'

/** How far a sign-in is. */
export type SignInOutcome = { state: 'signed-in'; opened: Opened } | { state: 'code-required'; ticket: string }

/** The same for every reason, so that nobody learns which addresses are known. */
const refused = () => new ShelfwireError('sign-in-failed', 'the e-mail address or the password is wrong')
const codeRefused = () =>
  new ShelfwireError('sign-in-failed', 'the code is wrong or was used already; wait for the next one and try again')
const stepEnded = () =>
  new ShelfwireError('sign-in-failed', 'this took too long, or there were too many wrong codes; sign in again')

/** What the secret of an authenticator app is sealed for. */
export const totpContext = (personId: number) => `totp ${personId}`

/**
 * Signs in by e-mail and password. An unknown address takes the same work and gets the same answer as a wrong password.
 * @throws ShelfwireError sign-in-failed; rate-limited
 */
export async function signIn(
  context: PeopleContext,
  given: { email: string; password: string },
  from: From,
): Promise<SignInOutcome> {
  const { db, attempts } = context
  attempts.ofAddress(from.address)
  attempts.ofEmail(given.email)
  const person = await personByEmail(db, given.email)
  if (!(await isPassword(person?.passwordHash, given.password))) {
    // after the answer: a write that only known addresses cause would tell by its time
    if (person !== undefined) context.later(() => personEventInsert(db, person.personId, 'sign-in-failed', from))
    throw refused()
  }
  if (person === undefined) throw refused()
  return inTransaction(db, async (tx) => {
    // a password that is being changed may have been right a moment ago: its session would outlive the change
    const now = await personLock(tx, person.personId)
    if (now?.passwordHash !== person.passwordHash) throw refused()
    return afterPassword(tx, now, from)
  })
}

/** What follows when it is certain that a person knows the password, or has set it just now. */
export async function afterPassword(
  tx: Tx,
  person: Pick<PersonRow, 'personId' | 'totpSecret'>,
  from: From,
): Promise<SignInOutcome> {
  if (person.totpSecret === null) return { state: 'signed-in', opened: await openSession(tx, person.personId, from) }
  const ticket = newSecret('ticket')
  await stepInsert(tx, 'code', secretHash(ticket), { personId: person.personId, challenge: null })
  return { state: 'code-required', ticket }
}

/**
 * Finishes a sign-in by a code of the authenticator app, or by a recovery code. Each code works once.
 * @throws ShelfwireError sign-in-failed; rate-limited
 */
export async function signInByCode(
  context: PeopleContext,
  given: { ticket: string; code: string },
  from: From,
): Promise<SignInOutcome> {
  const { db, attempts } = context
  attempts.ofAddress(from.address)
  const ticketHash = secretHash(given.ticket)
  // in a transaction of its own: a wrong code counts
  const step = await inTransaction(db, (tx) => stepTry(tx, ticketHash))
  const personId = step?.personId ?? null
  if (personId === null) throw stepEnded()
  attempts.ofPerson(personId)
  return inTransaction(db, async (tx) => {
    const person = await personLock(tx, personId)
    if (person === undefined || !(await takeCode(context, tx, person, given.code, from))) {
      context.later(() => personEventInsert(db, personId, 'sign-in-failed', from))
      throw codeRefused()
    }
    if ((await stepTake(tx, 'code', ticketHash)) === undefined) throw stepEnded()
    return { state: 'signed-in', opened: await openSession(tx, personId, from) }
  })
}

/** Uses up a code of a person. @returns false when it is wrong, or was used before. */
async function takeCode(
  context: PeopleContext,
  tx: Tx,
  { personId, totpSecret }: PersonRow,
  given: string,
  from: From,
): Promise<boolean> {
  if (totpSecret === null) return false
  const code = given.replaceAll(/\s/g, '')
  const secret = context.seal.open(totpSecret, totpContext(personId))
  const timeStep = stepOfCode(secret, code, context.now())
  if (timeStep !== null) return totpStepTake(tx, personId, timeStep)
  const codeHash = recoveryCodeHash(code)
  if (codeHash === null || !(await recoveryCodeTake(tx, personId, codeHash))) return false
  await personEventInsert(tx, personId, 'recovery-code-used', from)
  return true
}

/**
 * Makes sure that whoever has the session also knows the password, before what a stolen session must not do.
 * @throws ShelfwireError sign-in-failed; rate-limited
 */
export async function requirePassword(context: PeopleContext, personId: number, password: string): Promise<PersonRow> {
  const person = await personGet(context.db, personId)
  if (person === undefined) throw refused()
  context.attempts.ofSession(personId)
  if (await isPassword(person.passwordHash, password)) return person
  throw new ShelfwireError('sign-in-failed', 'the password is wrong', {
    faults: [{ name: 'password', reason: 'is wrong' }],
  })
}
