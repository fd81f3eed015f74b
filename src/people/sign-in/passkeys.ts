import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { inTransaction } from '../../db/sql.ts'
import { explainViolation } from '../../db/statements/violations.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { accountsOwned, sendAlerts, recordAndAlert } from '../mails/alerts.ts'
import { requireIdentityConfirmed, sessionEnded } from './confirmed.ts'
import { nameInText } from '../mails/mail-names.ts'
import { requireName } from '../own-account.ts'
import {
  passkeyByCredential,
  passkeyDelete,
  passkeyInsert,
  passkeysList,
  passkeyUsed,
  type PasskeyRow,
} from './passkeys.sql.ts'
import type { PeopleContext } from '../people.ts'
import { personEventInsert, personLock, type From } from '../persons.sql.ts'
import { newSecret, secretHash } from '../secrets.ts'
import { openSession, type SignedIn } from './sessions.ts'
import { sessionConfirm } from './sessions.sql.ts'
import { requireLocalSignIn, type SignInOutcome } from './sign-in.ts'
import { stepInsert, stepTake, type StepKind, type StepRow } from './sign-in-steps.sql.ts'

// Passkeys (WebAuthn). The authenticator verifies its user by fingerprint, face or PIN, so no code is required in addition.

/** Loading it takes 134 ms, so it is loaded at the first use of a passkey. */
const library = () => import('@simplewebauthn/server')

/** Origin of the page in the browser, such as `https://panel.example.com`. */
export type PageOrigin = string

const refused = () =>
  new ShelfwireError('sign-in-failed', 'the passkey was not accepted; try again, or sign in by password')

/** Options for the browser, with their ticket. */
export interface Ceremony {
  ticket: string
  options: object
}

/** Begins to sign in by any passkey for this address. */
export async function beginPasskeySignIn(context: PeopleContext, origin: PageOrigin, from: From): Promise<Ceremony> {
  requireLocalSignIn(context)
  context.attempts.ofAddress(from.address)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({ rpID: hostOf(origin), userVerification: 'required' })
  return { ticket: await keep(context, 'passkey-sign-in', null, options.challenge), options }
}

/** @throws ShelfwireError sign-in-failed */
export async function signInByPasskey(
  context: PeopleContext,
  given: { ticket: string; response: unknown },
  origin: PageOrigin,
  from: From,
): Promise<SignInOutcome> {
  requireLocalSignIn(context)
  context.attempts.ofAddress(from.address)
  const step = await take(context, 'passkey-sign-in', given.ticket)
  const { passkey, counter } = await passkeyStep(context, step, given.response, origin)
  return inTransaction(context.db, async (tx) => {
    if (!(await passkeyUsed(tx, passkey.passkeyId, counter))) throw refused()
    return { state: 'signed-in', opened: await openSession(tx, passkey.personId, from, { by: 'passkey' }) }
  })
}

/** The passkey that has signed a challenge, and its new counter. @throws ShelfwireError sign-in-failed */
export async function passkeyStep(
  context: PeopleContext,
  step: StepRow,
  given: unknown,
  origin: PageOrigin,
): Promise<{ passkey: PasskeyRow; counter: number }> {
  const response = given as AuthenticationResponseJSON
  const passkey =
    typeof response.id === 'string' && /^[\w-]{1,1400}$/.test(response.id)
      ? await passkeyByCredential(context.db, response.id)
      : undefined
  if (passkey === undefined) throw refused()
  const counter = await verified(async ({ verifyAuthenticationResponse }) => {
    const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: must(step.challenge),
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
    })
    return isVerified ? authenticationInfo.newCounter : null
  })
  return { passkey, counter }
}

/** Begins to add a passkey. @throws errors of requireIdentityConfirmed(); ShelfwireError conflict; local-sign-in-off if passkeys cannot sign in */
export async function beginPasskey(
  context: PeopleContext,
  session: SignedIn,
  password: string | undefined,
  origin: PageOrigin,
): Promise<Ceremony> {
  requireLocalSignIn(context)
  const { personId } = session
  const person = await requireIdentityConfirmed(context, session, password)
  const existing = await passkeysList(context.db, personId)
  refuseMore(existing)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Shelfwire',
    rpID: hostOf(origin),
    userName: person.email,
    userDisplayName: person.name,
    userID: new TextEncoder().encode(`person ${personId}`),
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ticket: await keep(context, 'passkey-add', personId, options.challenge), options }
}

/**
 * @throws ShelfwireError sign-in-failed if the answer is wrong; conflict; invalid-input for the name; not-signed-in if the session was ended
 * meanwhile
 */
export async function addPasskey(
  context: PeopleContext,
  session: SignedIn,
  given: { ticket: string; name: string; response: unknown },
  origin: PageOrigin,
  from: From,
): Promise<PasskeyRow> {
  const { personId, sessionId } = session
  const name = requireName(given.name)
  const step = await take(context, 'passkey-add', given.ticket)
  if (step.personId !== personId) throw refused()
  const made = await verified(async ({ verifyRegistrationResponse }) => {
    const { verified: isVerified, registrationInfo } = await verifyRegistrationResponse({
      response: given.response as RegistrationResponseJSON,
      expectedChallenge: must(step.challenge),
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      requireUserVerification: true,
    })
    return isVerified ? (registrationInfo?.credential ?? null) : null
  })
  const owned = await accountsOwned(context.db, personId)
  try {
    const added = await inTransaction(context.db, async (tx) => {
      await personLock(tx, personId)
      refuseMore(await passkeysList(tx, personId))
      await personEventInsert(tx, personId, 'passkey-added', from)
      // the authenticator has just verified the person
      if (!(await sessionConfirm(tx, sessionId, true))) throw sessionEnded()
      await recordAndAlert(tx, context, owned, session, 'addPasskey', from, (words) => [
        words.passkeyName(nameInText(name)),
      ])
      return await passkeyInsert(tx, {
        personId,
        credentialId: made.id,
        publicKey: Buffer.from(made.publicKey),
        counter: made.counter,
        transports: made.transports ?? [],
        name,
      })
    })
    sendAlerts(context)
    return added
  } catch (error) {
    return explainViolation(error, { passkey_credential_id_key: 'this passkey was added already' })
  }
}

/** @throws ShelfwireError unknown-reference */
export async function removePasskey(
  context: PeopleContext,
  session: SignedIn,
  passkeyId: number,
  from: From,
): Promise<void> {
  const { personId } = session
  const owned = await accountsOwned(context.db, personId)
  await inTransaction(context.db, async (tx) => {
    await personLock(tx, personId)
    if (!(await passkeyDelete(tx, personId, passkeyId)))
      throw new ShelfwireError('unknown-reference', 'you have no such passkey')
    await personEventInsert(tx, personId, 'passkey-removed', from)
    await recordAndAlert(tx, context, owned, session, 'removePasskey', from)
  })
  sendAlerts(context)
}

function refuseMore(existing: readonly unknown[]): void {
  if (existing.length >= LIMITS.passkeysPerPersonMax)
    throw new ShelfwireError('conflict', `there are ${LIMITS.passkeysPerPersonMax} passkeys at most; remove one first`)
}

/** Stores a challenge. @returns the ticket with which `take` uses it up */
export async function keep(
  context: PeopleContext,
  kind: StepKind,
  personId: number | null,
  challenge: string,
): Promise<string> {
  const ticket = newSecret('ticket')
  await inTransaction(context.db, (tx) => stepInsert(tx, kind, secretHash(ticket), { personId, challenge }))
  return ticket
}

/** Uses up the step of a ticket, whether the answer is right or wrong, so that a challenge is signed once. */
export async function take(context: PeopleContext, kind: StepKind, ticket: string): Promise<StepRow> {
  const step = await inTransaction(context.db, (tx) => stepTake(tx, kind, secretHash(ticket)))
  if (step === undefined) throw refused()
  return step
}

/** Turns errors of the library about an answer into sign-in-failed: they are no fault of ours, and their text is of no use to clients. */
async function verified<T>(work: (lib: Awaited<ReturnType<typeof library>>) => Promise<T | null>): Promise<T> {
  const loaded = await library()
  try {
    const result = await work(loaded)
    if (result !== null) return result
  } catch (error) {
    throw new ShelfwireError('sign-in-failed', refused().message, { cause: error })
  }
  throw refused()
}

function hostOf(origin: PageOrigin): string {
  return new URL(origin).hostname
}
