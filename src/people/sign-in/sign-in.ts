import { inTransaction, type Tx } from '../../db/sql.ts'
import { nowMs } from '../../platform/time/clock.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { ownerOfDevice } from './known-devices.ts'
import type { PeopleContext } from '../people.ts'
import { isPassword } from './passwords.ts'
import {
  personByEmail,
  personEventInsert,
  personGet,
  personLock,
  recoveryCodesDelete,
  recoveryCodeTake,
  totpRemove,
  totpEndCancel,
  totpStepTake,
  type From,
  type PersonRow,
} from '../persons.sql.ts'
import { newSecret, secretHash } from '../secrets.ts'
import { openSession, type Opened, type SignedIn } from './sessions.ts'
import type { Way } from './sessions.sql.ts'
import { stepInsert, stepTake, stepTry } from './sign-in-steps.sql.ts'
import { recoveryCodeHash, stepOfCode } from './totp.ts'

/** The result of a request of a sign-in. */
export type SignInOutcome =
  | {
      state: 'signed-in'
      opened: Opened
      /** Whether all other ways to sign in have been ended, because it was unknown whose they were. */
      tookOver?: boolean
    }
  | { state: 'code-required'; ticket: string }

/** One error for all reasons, so that it does not reveal which addresses are known. */
const refused = () => new ShelfwireError('sign-in-failed', 'the e-mail address or the password is wrong')
const codeRefused = () =>
  new ShelfwireError('sign-in-failed', 'the code is wrong or was used already; wait for the next one and try again')
const stepEnded = () =>
  new ShelfwireError('sign-in-failed', 'this took too long, or there were too many wrong codes; sign in again')

/** The context with which the secret of an authenticator app is sealed. */
export const totpContext = (personId: number) => `totp ${personId}`

/** @throws ShelfwireError local-sign-in-off */
export function requireLocalSignIn({ isLocalSignIn }: Pick<PeopleContext, 'isLocalSignIn'>): void {
  if (!isLocalSignIn)
    throw new ShelfwireError(
      'local-sign-in-off',
      'passwords and passkeys are off here; sign in at the identity provider',
    )
}

/**
 * Signs in by e-mail and password. An unknown address takes the same work and gets the same answer as a wrong password.
 * @throws ShelfwireError sign-in-failed; rate-limited; local-sign-in-off
 */
export async function signIn(
  context: PeopleContext,
  given: { email: string; password: string; device?: string | null },
  from: From,
): Promise<SignInOutcome> {
  requireLocalSignIn(context)
  const { db } = context
  const person = await countedPerson(context, given, from)
  if (!(await isPassword(person?.passwordHash, given.password))) {
    // after the answer: the time of a write that only known addresses cause would reveal them
    if (person !== undefined) context.later(() => personEventInsert(db, person.personId, 'sign-in-failed', from))
    throw refused()
  }
  if (person === undefined) throw refused()
  return inTransaction(db, async (tx) => {
    // checked again under the lock: if the password was changed meanwhile, the session would outlive the change
    const now = await personLock(tx, person.personId)
    if (now?.passwordHash !== person.passwordHash) throw refused()
    return afterPassword(tx, now, from)
  })
}

/**
 * Counts an attempt and looks the person up. Attempts of strangers do not lock out a person whose browser is known.
 * @throws ShelfwireError rate-limited
 */
async function countedPerson(
  { db, attempts }: PeopleContext,
  { email, device = null }: { email: string; device?: string | null },
  from: From,
): Promise<PersonRow | undefined> {
  const ownerId = await ownerOfDevice(db, device)
  const owner = ownerId === undefined ? undefined : await personGet(db, ownerId)
  if (device !== null && owner !== undefined && owner.email.toLowerCase() === email.toLowerCase()) {
    attempts.ofDevice(device)
    return owner
  }
  attempts.ofAddress(from.address)
  attempts.ofEmail(email)
  return personByEmail(db, email)
}

/** Continues after a person has given or set the password, or has signed in at the identity provider: asks for a code, or opens the session. */
export async function afterPassword(
  tx: Tx,
  person: Pick<PersonRow, 'personId' | 'totpSecret' | 'areCodesEnded'>,
  from: From,
  way: Way = { by: 'password' },
): Promise<SignInOutcome> {
  if (person.totpSecret !== null && person.areCodesEnded) {
    await totpRemove(tx, person.personId)
    await recoveryCodesDelete(tx, person.personId)
    await personEventInsert(tx, person.personId, 'totp-removed', from)
  }
  if (person.totpSecret === null || person.areCodesEnded)
    return { state: 'signed-in', opened: await openSession(tx, person.personId, from, way) }
  const ticket = newSecret('ticket')
  await stepInsert(tx, 'code', secretHash(ticket), { personId: person.personId, challenge: encodeWay(way) })
  return { state: 'code-required', ticket }
}

/**
 * How a sign-in that asks for a code began: `password`, or `provider SECONDS SID`: the time at which the provider authenticated the person, in
 * seconds since 1970, or 0 if unknown, and the provider's session, URI-encoded, or empty if unknown. Earlier releases read only the first two.
 */
function encodeWay({ by, askedSecondsAgo = null, sid = null }: Way): string {
  if (by !== 'provider') return by
  const asked = askedSecondsAgo === null ? 0 : Math.max(0, Math.floor(nowMs() / 1_000 - askedSecondsAgo))
  return `${by} ${asked} ${encodeURIComponent(sid ?? '')}`
}

function decodeWay(begun: string | null | undefined): Way {
  const [by, asked = '0', sid = ''] = begun?.split(' ') ?? []
  if (by !== 'provider') return { by: 'password' }
  return {
    by,
    askedSecondsAgo: asked === '0' ? null : Math.max(0, nowMs() / 1_000 - Number(asked)),
    sid: sid === '' ? null : decodeURIComponent(sid),
  }
}

/**
 * Finishes a sign-in by a code of the authenticator app, or by a recovery code. Each code works once.
 * @throws ShelfwireError sign-in-failed; rate-limited
 */
export async function signInByCode(
  context: PeopleContext,
  given: { ticket: string; code: string; device?: string | null },
  from: From,
): Promise<SignInOutcome> {
  const { db, attempts } = context
  if ((await ownerOfDevice(db, given.device ?? null)) === undefined) attempts.ofAddress(from.address)
  const ticketHash = secretHash(given.ticket)
  // in a transaction of its own, so that the try is counted even if the code is wrong
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
    // the person has just used a code, so codes must not expire any more
    await totpEndCancel(tx, personId)
    return { state: 'signed-in', opened: await openSession(tx, personId, from, decodeWay(step?.challenge)) }
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
  // recovery codes first: they are for emergencies, and need no key
  const codeHash = recoveryCodeHash(code)
  if (codeHash !== null) {
    if (!(await recoveryCodeTake(tx, personId, codeHash))) return false
    await personEventInsert(tx, personId, 'recovery-code-used', from)
    return true
  }
  const timeStep = stepOfCode(opened(context, personId, totpSecret), code, context.now())
  return timeStep !== null && totpStepTake(tx, personId, timeStep)
}

/** @throws ShelfwireError sign-in-failed if the key is missing that the secret was sealed with */
function opened(context: PeopleContext, personId: number, totpSecret: string): string {
  try {
    return context.seal.open(totpSecret, totpContext(personId))
  } catch (error) {
    context.log.error({ err: asError(error), personId }, 'the secret of an authenticator app cannot be opened')
    throw new ShelfwireError(
      'sign-in-failed',
      'codes of the app cannot be checked at the moment, which is a fault of this service; use a recovery code or a passkey',
      { cause: error },
    )
  }
}

/**
 * Makes sure that the user of a session also knows the password, before acts for which a stolen session must not be enough.
 * @throws ShelfwireError sign-in-failed; rate-limited; local-sign-in-off
 */
export async function requirePassword(
  context: PeopleContext,
  { personId, sessionId }: Pick<SignedIn, 'personId' | 'sessionId'>,
  password: string,
): Promise<PersonRow> {
  requireLocalSignIn(context)
  const person = await personGet(context.db, personId)
  if (person === undefined) throw refused()
  context.attempts.ofSession(sessionId)
  if (await isPassword(person.passwordHash, password)) return person
  throw new ShelfwireError('sign-in-failed', 'the password is wrong', {
    faults: [{ name: 'password', reason: 'is wrong' }],
  })
}
