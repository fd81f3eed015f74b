import type { SessionEnd } from '../../../contract/panel/session.ts'
import { failureOf } from '../../db/connection-errors.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { closeIdToken } from './kept-id-token.ts'
import { personEventInsert, type From } from '../persons.sql.ts'
import { isSecretForm, newSecret, secretHash } from '../secrets.ts'
import {
  sessionByHash,
  sessionConfirm,
  sessionEnd,
  sessionInsert,
  sessionSeen,
  sessionsTrim,
  type SessionRow,
  type Way,
} from './sessions.sql.ts'

/** Somebody who is signed in. */
export interface SignedIn extends SessionRow {
  /** The session's secret, which the cookie has. */
  secret: string
}

/** A session that was just opened. */
export interface Opened {
  personId: number
  sessionId: number
  /** For the cookie. It cannot be read again. */
  secret: string
}

/**
 * Opens a session, in the transaction that made sure who it is. Its secret is always a new one: what a client sent before it
 * signed in is worth nothing afterwards.
 * docs/decisions/085-sessions-of-the-panel.md says why.
 */
export async function openSession(
  tx: Tx,
  personId: number,
  from: From,
  way: Way = { by: 'password' },
): Promise<Opened> {
  const secret = newSecret('session')
  // before the insert: on Citus a deletion locks the whole table, and two that have inserted would wait for each other
  await sessionsTrim(tx, personId, LIMITS.sessionsPerPersonMax - 1)
  const sessionId = await sessionInsert(
    tx,
    personId,
    secretHash(secret),
    from,
    way,
    typeof way.idToken === 'string' ? closeIdToken(way.idToken, secret) : null,
  )
  if (way.by === 'passkey') await sessionConfirm(tx, sessionId, true)
  await personEventInsert(tx, personId, 'signed-in', from)
  return { personId, sessionId, secret }
}

/** Why a session ended that its person did not end here. Only who has its cookie asks. */
export async function whyEnded(db: Db, secret: string): Promise<SessionEnd | null> {
  return isSecretForm('session', secret) ? sessionEnd(db, secretHash(secret)) : null
}

/** Finds the person who is signed in with a session's secret; undefined when nobody is. Records the use. */
export async function findSession(db: Db, secret: string, from: From): Promise<SignedIn | undefined> {
  if (!isSecretForm('session', secret)) return undefined
  const row = await sessionByHash(db, secretHash(secret), from)
  if (row === undefined) return undefined
  // a read-only database, or a cluster without one of its nodes, still serves reads
  if (row.isNews)
    await sessionSeen(db, row.sessionId, from).catch((error: unknown) => {
      if (failureOf(error) === null) throw error
    })
  return { ...row, secret }
}
