import { ShelfwireError } from '../../platform/errors.ts'
import { isLinked } from './identities.sql.ts'
import type { PeopleContext } from '../people.ts'
import { personGet, type PersonRow } from '../persons.sql.ts'
import type { SignedIn } from './sessions.ts'
import { requirePassword } from './sign-in.ts'

// What a stolen cookie must not be enough for.

export const sessionEnded = () => new ShelfwireError('not-signed-in', 'the session was ended meanwhile; sign in again')

/**
 * Refuses what would outlive a session whose person has not given the password or a passkey, or was asked by the identity provider, for a while.
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
 * Makes sure that it is the person who changes how the person signs in: by the password, or, without one, by a session that was confirmed a moment ago.
 * That is for people who sign in at the identity provider: they may never have had a password.
 * @throws ShelfwireError sign-in-failed; rate-limited; local-sign-in-off; confirmation-required; invalid-input without a password for who has no identity
 */
export async function requireThemselves(
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
 * The same before an identity of the provider is linked, which signs in as the person from then on: by the password, or where passwords are off by a session
 * that was confirmed a moment ago. Not without a password of who has just signed in: whoever finds the desk unlocked would stay for ever.
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
