import type { Db } from '../db/sql.ts'
import type { Mailer } from '../outbound/mailer.ts'
import { asError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Seal } from '../platform/secrets/seal.ts'
import { openAttempts, type Attempts } from './sign-in/attempts.ts'
import type { Provider } from './provider/provider.ts'

/** The context of this room's functions; one per process that answers requests. */
export interface PeopleContext {
  db: Db
  log: Log
  /** Seals the secrets of authenticator apps. */
  seal: Seal
  /** Null: no mail is sent, and links are shown to the person who makes them. */
  mailer: Mailer | null
  /** Base URL of links, without a slash at the end. */
  publicUrl: () => string
  attempts: Attempts
  /** The identity provider; null: none is set. */
  provider: Provider | null
  /** Whether people can sign in by password and passkey. */
  isLocalSignIn: boolean
  /** Runs work after the answer; nobody waits for it. */
  later: (work: () => PromiseLike<unknown>) => void
  /** The time in milliseconds since 1970, by which codes are checked. */
  now: () => number
}

export interface People extends PeopleContext {
  /** Resolves when everything given to `later` has ended. */
  settled(): Promise<void>
}

/** Opens the room for a process. */
export function openPeople(
  rooms: Pick<PeopleContext, 'db' | 'log' | 'seal' | 'mailer' | 'publicUrl'> &
    Partial<Pick<PeopleContext, 'provider' | 'isLocalSignIn'>>,
): People {
  const pending = new Set<Promise<void>>()
  return {
    provider: null,
    isLocalSignIn: true,
    ...rooms,
    attempts: openAttempts(),
    now: () => Date.now(),
    later(work) {
      const done = Promise.resolve()
        .then(work)
        .then(
          () => undefined,
          (error: unknown) => rooms.log.warn({ err: asError(error) }, 'work after an answer failed'),
        )
        .finally(() => pending.delete(done))
      pending.add(done)
    },
    async settled() {
      await Promise.all(pending)
    },
  }
}
