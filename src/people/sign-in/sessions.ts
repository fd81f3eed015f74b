import type { SessionEnd } from '../../../contract/panel/session.ts'
import { failureOf } from '../../db/connections/connection-errors.ts'
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
  /** The session's secret, from the cookie. */
  secret: string
}

/** A session that was just opened. */
export interface Opened {
  personId: number
  sessionId: number
  /** The value of the cookie, which cannot be read again. */
  secret: string
}

/**
 * Opens a session, in the transaction that has authenticated its person. The secret is always a new one: a cookie from before the
 * sign-in is useless afterwards.
 * docs/decisions/085-sessions-of-the-panel.md says why.
 */
export async function openSession(
  tx: Tx,
  personId: number,
  from: From,
  way: Way = { by: 'password' },
): Promise<Opened> {
  const secret = newSecret('session')
  // before the insert: on Citus a deletion locks the whole table, and two transactions that have both inserted would deadlock
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

/** Why a session ended that its person did not end in this browser. Only a client with its cookie can ask. */
export async function sessionEndReason(db: Db, secret: string): Promise<SessionEnd | null> {
  return isSecretForm('session', secret) ? sessionEnd(db, secretHash(secret)) : null
}

/** Finds the signed-in person by a session's secret, and records the use; undefined if there is no such session. */
export async function findSession(db: Db, secret: string, from: From): Promise<SignedIn | undefined> {
  if (!isSecretForm('session', secret)) return undefined
  const row = await sessionByHash(db, secretHash(secret), from)
  if (row === undefined) return undefined
  // a failed record is ignored: a read-only database, or a cluster without one of its nodes, still serves reads
  if (row.isNews)
    await sessionSeen(db, row.sessionId, from).catch((error: unknown) => {
      if (failureOf(error) === null) throw error
    })
  return { ...row, secret }
}
