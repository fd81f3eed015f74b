import { inTransaction } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { sessionEnded } from './confirmed.ts'
import { keep, passkeyStep, take, type Ceremony, type PageOrigin } from './passkeys.ts'
import { passkeysList, passkeyUsed } from './passkeys.sql.ts'
import type { PeopleContext } from '../people.ts'
import { personLock } from '../persons.sql.ts'
import type { SignedIn } from './sessions.ts'
import { sessionConfirm } from './sessions.sql.ts'
import { requireLocalSignIn, requirePassword } from './sign-in.ts'

// A stolen cookie must not be enough for acts whose effect outlives the session: they require the password or a passkey
// again.

type Whose = Pick<SignedIn, 'personId' | 'sessionId'>

/** @throws ShelfwireError local-sign-in-off; sign-in-failed; rate-limited; not-signed-in if the session was ended meanwhile */
export async function confirmByPassword(context: PeopleContext, session: Whose, password: string): Promise<void> {
  const { passwordHash } = await requirePassword(context, session, password)
  await inTransaction(context.db, async (tx) => {
    // checked again under the lock: the password may have been changed since
    const now = await personLock(tx, session.personId)
    if (now?.passwordHash !== passwordHash) throw sessionEnded()
    if (!(await sessionConfirm(tx, session.sessionId, false))) throw sessionEnded()
  })
}

/** Begins to confirm by one of the person's own passkeys. @throws ShelfwireError local-sign-in-off */
export async function beginPasskeyConfirm(
  context: PeopleContext,
  { personId }: Whose,
  origin: PageOrigin,
): Promise<Ceremony> {
  requireLocalSignIn(context)
  const passkeys = await passkeysList(context.db, personId)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
  })
  return { ticket: await keep(context, 'passkey-confirm', personId, options.challenge), options }
}

/** @throws ShelfwireError local-sign-in-off; sign-in-failed, also for somebody else's passkey; not-signed-in if the session was ended meanwhile */
export async function confirmByPasskey(
  context: PeopleContext,
  { personId, sessionId }: Whose,
  given: { ticket: string; response: unknown },
  origin: PageOrigin,
): Promise<void> {
  requireLocalSignIn(context)
  context.attempts.ofSession(sessionId)
  const step = await take(context, 'passkey-confirm', given.ticket)
  const { passkey, counter } = await passkeyStep(context, step, given.response, origin)
  if (step.personId !== personId || passkey.personId !== personId) throw refused()
  await inTransaction(context.db, async (tx) => {
    if (!(await passkeyUsed(tx, passkey.passkeyId, counter))) throw refused()
    if (!(await sessionConfirm(tx, sessionId, true))) throw sessionEnded()
  })
}

const refused = () =>
  new ShelfwireError('sign-in-failed', 'the passkey was not accepted; try again, or use the password')
