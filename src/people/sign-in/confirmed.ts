import { ShelfwireError } from '../../platform/errors.ts'
import { isLinked } from './identities.sql.ts'
import type { PeopleContext } from '../people.ts'
import { personGet, type PersonRow } from '../persons.sql.ts'
import type { SignedIn } from './sessions.ts'
import { requirePassword } from './sign-in.ts'

// Acts for which a stolen cookie must not be enough.

/** The error if a session was ended while its request was processed. */
export const sessionEnded = () => new ShelfwireError('not-signed-in', 'the session was ended meanwhile; sign in again')

/**
 * Refuses an act that would outlive the session, unless its person has given the password or a passkey, or authenticated at the identity
 * provider, recently.
 * @throws ShelfwireError confirmation-required
 */
export function requireConfirmed({ isConfirmed }: Pick<SignedIn, 'isConfirmed'>): void {
  if (isConfirmed) return
  throw new ShelfwireError(
    'confirmation-required',
    'confirm that it is you, with your password, a passkey or at the identity provider, then repeat the request',
  )
}

/**
 * Makes sure that a change of a person's sign-in is made by that person: by the password or, for people who sign in at the identity provider and
 * may never have had a password, by a session that was confirmed recently.
 * @throws ShelfwireError sign-in-failed; rate-limited; local-sign-in-off; confirmation-required; invalid-input if a person without an identity
 * gives no password
 */
export async function requireIdentityConfirmed(
  context: PeopleContext,
  session: Pick<SignedIn, 'personId' | 'sessionId' | 'isConfirmed'>,
  password: string | undefined,
): Promise<PersonRow> {
  if (password !== undefined) return requirePassword(context, session, password)
  const person = await personGet(context.db, session.personId)
  if (person === undefined) throw sessionEnded()
  if (!(await isLinked(context.db, session.personId))) throw passwordMissing()
  requireConfirmed(session)
  return person
}

/**
 * Like requireIdentityConfirmed, before an identity is linked, which can sign in as the person from then on: by the password or, if passwords are off,
 * by a session that was confirmed recently. A recent sign-in does not replace the password: somebody at an unlocked desk would keep access for
 * ever.
 * @throws ShelfwireError sign-in-failed; rate-limited; local-sign-in-off; confirmation-required; invalid-input without a password
 */
export async function requireOwnPassword(
  context: PeopleContext,
  session: Pick<SignedIn, 'personId' | 'sessionId' | 'isConfirmed'>,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await requirePassword(context, session, password)
  else if (context.isLocalSignIn) throw passwordMissing()
  else {
    requireConfirmed(session)
    context.attempts.ofSession(session.sessionId)
  }
}

const passwordMissing = () =>
  new ShelfwireError('invalid-input', 'password is required', {
    faults: [{ name: 'password', reason: 'is required' }],
  })
