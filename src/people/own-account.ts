import { inTransaction, type Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { accountsOwned, sendAlerts, recordAndAlert } from './mails/alerts.ts'
import { requireIdentityConfirmed, sessionEnded } from './sign-in/confirmed.ts'
import { devicesDelete } from './sign-in/known-devices.sql.ts'
import { faultOfPassword, passwordHash } from './sign-in/passwords.ts'
import type { PeopleContext } from './people.ts'
import {
  passwordUpdate,
  personEventInsert,
  personLock,
  personNameUpdate,
  recoveryCodesDelete,
  recoveryCodesReplace,
  totpBegin,
  totpConfirm,
  totpRemove,
  type From,
} from './persons.sql.ts'
import { resetLinksDelete } from './links.sql.ts'
import { newSecret, secretHash } from './secrets.ts'
import type { SignedIn } from './sign-in/sessions.ts'
import { sessionConfirm, sessionDelete, sessionRotate, sessionsDelete } from './sign-in/sessions.sql.ts'
import { requirePassword, totpContext } from './sign-in/sign-in.ts'
import { stepsDelete } from './sign-in/sign-in-steps.sql.ts'
import { newRecoveryCodes, newTotp, recoveryCodeHash, stepOfCode } from './sign-in/totp.ts'

// Changes that a person makes to the own sign-in.

/** @throws ShelfwireError invalid-input with a fault named `name` */
export function requireName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length >= 1 && trimmed.length <= LIMITS.nameLengthMax && !/[\p{Cc}\p{Cs}]/u.test(trimmed)) return trimmed
  const reason = `must have 1 to ${LIMITS.nameLengthMax} characters, and no control characters`
  throw new ShelfwireError('invalid-input', `name ${reason}`, { faults: [{ name: 'name', reason }] })
}

/** @throws ShelfwireError invalid-input with a fault named `password` */
export function requireNewPassword(password: string, email: string): void {
  const reason = faultOfPassword(password, email)
  if (reason === null) return
  throw new ShelfwireError('invalid-input', `password ${reason}`, { faults: [{ name: 'password', reason }] })
}

/** Changes a person's name. @throws ShelfwireError invalid-input */
export async function rename(context: PeopleContext, personId: number, name: string): Promise<void> {
  const trimmed = requireName(name)
  await inTransaction(context.db, (tx) => personNameUpdate(tx, personId, trimmed))
}

/**
 * Sets a new password. All other sessions end, as do all links that would set another one; this session continues with a new
 * secret.
 * @returns the session's new secret
 * @throws ShelfwireError sign-in-failed if `current` is wrong; invalid-input; rate-limited
 */
export async function changePassword(
  context: PeopleContext,
  session: SignedIn,
  given: { current: string; password: string },
  from: From,
): Promise<string> {
  const { personId, sessionId, email } = session
  requireNewPassword(given.password, email)
  await requirePassword(context, session, given.current)
  const hash = await passwordHash(given.password)
  const secret = newSecret('session')
  const owned = await accountsOwned(context.db, personId)
  await inTransaction(context.db, async (tx) => {
    await personLock(tx, personId)
    await passwordUpdate(tx, personId, hash)
    await stepsDelete(tx, personId)
    await sessionsDelete(tx, personId, sessionId, 'password-changed')
    await resetLinksDelete(tx, personId)
    await renewSession(tx, sessionId, secret)
    await sessionConfirm(tx, sessionId, false)
    await personEventInsert(tx, personId, 'password-changed', from)
    await recordAndAlert(tx, context, owned, session, 'changePassword', from)
  })
  sendAlerts(context)
  return secret
}

/** @throws ShelfwireError not-signed-in if the session was ended meanwhile */
async function renewSession(tx: Tx, sessionId: number, secret: string): Promise<void> {
  if (!(await sessionRotate(tx, sessionId, secretHash(secret)))) throw sessionEnded()
}

/** Ends one session. @throws ShelfwireError unknown-reference */
export async function endSession(
  context: PeopleContext,
  { personId, sessionId: own }: Pick<SignedIn, 'personId' | 'sessionId'>,
  sessionId: number,
): Promise<void> {
  const isEnded = await inTransaction(context.db, (tx) =>
    sessionDelete(tx, personId, sessionId, sessionId === own ? null : 'elsewhere'),
  )
  if (!isEnded) throw new ShelfwireError('unknown-reference', 'you have no such session')
}

/** Ends all sessions of a person, except one, and all unfinished sign-ins, and forgets all known browsers. */
export async function endSessions(
  context: PeopleContext,
  personId: number,
  exceptId: number | null,
  from: From,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await personLock(tx, personId)
    await stepsDelete(tx, personId)
    await sessionsDelete(tx, personId, exceptId, 'everywhere')
    await devicesDelete(tx, personId)
    await personEventInsert(tx, personId, 'signed-out-everywhere', from)
  })
}

const setUpAlready = () =>
  new ShelfwireError('conflict', 'codes are set up already; remove them first to use another app')
const notSetUp = () => new ShelfwireError('conflict', 'codes are not set up')

/** Begins to set up codes. @throws errors of requireIdentityConfirmed(); ShelfwireError conflict if they are set up already */
export async function beginTotp(
  context: PeopleContext,
  session: SignedIn,
  password: string | undefined,
): Promise<{ secret: string; uri: string }> {
  const { personId } = session
  const { email } = await requireIdentityConfirmed(context, session, password)
  const totp = newTotp(email)
  await inTransaction(context.db, async (tx) => {
    if ((await personLock(tx, personId))?.totpSecret !== null) throw setUpAlready()
    await totpBegin(tx, personId, context.seal.close(totp.secret, totpContext(personId)))
  })
  return totp
}

/**
 * Confirms the setup by a code, which is used up, and ends all other sessions, because they were opened without a code. This session
 * continues with a new secret, so that a copy that was stolen before is useless.
 * @returns recovery codes, and the session's new secret
 * @throws ShelfwireError sign-in-failed if the code is wrong; conflict if no setup was begun
 */
export async function confirmTotp(
  context: PeopleContext,
  session: SignedIn,
  code: string,
  from: From,
): Promise<{ codes: string[]; secret: string }> {
  const { personId, sessionId } = session
  context.attempts.ofPerson(personId)
  const codes = newRecoveryCodes()
  const secret = newSecret('session')
  const owned = await accountsOwned(context.db, personId)
  await inTransaction(context.db, async (tx) => {
    const person = await personLock(tx, personId)
    if (person === undefined || person.totpSecret !== null) throw setUpAlready()
    if (person.totpPending === null) throw new ShelfwireError('conflict', 'the setup was not begun')
    const step = stepOfCode(
      context.seal.open(person.totpPending, totpContext(personId)),
      code.replaceAll(/\s/g, ''),
      context.now(),
    )
    if (step === null)
      throw new ShelfwireError(
        'sign-in-failed',
        'the code is wrong; check the clock of the device, and try the next one',
      )
    await totpConfirm(tx, personId, person.totpPending, step)
    await recoveryCodesReplace(tx, personId, codes.map(hashOf))
    await stepsDelete(tx, personId)
    await sessionsDelete(tx, personId, sessionId, 'codes-set-up')
    await renewSession(tx, sessionId, secret)
    await personEventInsert(tx, personId, 'totp-added', from)
    await recordAndAlert(tx, context, owned, session, 'confirmTotp', from)
  })
  sendAlerts(context)
  return { codes, secret }
}

/** Replaces the recovery codes. @throws errors of requireIdentityConfirmed(); ShelfwireError conflict if codes are not set up */
export async function renewRecoveryCodes(
  context: PeopleContext,
  session: SignedIn,
  password: string | undefined,
  from: From,
): Promise<string[]> {
  const { personId } = session
  await requireIdentityConfirmed(context, session, password)
  const codes = newRecoveryCodes()
  await inTransaction(context.db, async (tx) => {
    if ((await personLock(tx, personId))?.totpSecret === null) throw notSetUp()
    await recoveryCodesReplace(tx, personId, codes.map(hashOf))
    await personEventInsert(tx, personId, 'recovery-codes-renewed', from)
  })
  return codes
}

/** Removes codes as a second factor. @throws errors of requireIdentityConfirmed(); ShelfwireError conflict if codes are not set up */
export async function removeTotp(
  context: PeopleContext,
  session: SignedIn,
  password: string | undefined,
  from: From,
): Promise<void> {
  const { personId } = session
  await requireIdentityConfirmed(context, session, password)
  const owned = await accountsOwned(context.db, personId)
  await inTransaction(context.db, async (tx) => {
    if ((await personLock(tx, personId))?.totpSecret === null) throw notSetUp()
    await totpRemove(tx, personId)
    await recoveryCodesDelete(tx, personId)
    await personEventInsert(tx, personId, 'totp-removed', from)
    await recordAndAlert(tx, context, owned, session, 'removeTotp', from)
  })
  sendAlerts(context)
}

const hashOf = (code: string): Buffer => {
  const hash = recoveryCodeHash(code)
  if (hash === null) throw new Error('a recovery code of ours has not the form of one')
  return hash
}
