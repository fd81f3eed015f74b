import { failureOf } from '../db/connection-errors.ts'
import type { Db, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { personEventInsert, type From } from './persons.sql.ts'
import { isSecretForm, newSecret, secretHash } from './secrets.ts'
import { sessionByHash, sessionInsert, sessionSeen, sessionsTrim, type SessionRow } from './sessions.sql.ts'

/** Somebody who is signed in. */
export interface SignedIn extends SessionRow {
  /** The session's secret, which the cookie has. */
  secret: string
}

/** A session that was just opened. */
export interface Opened {
  sessionId: number
  /** For the cookie. It cannot be read again. */
  secret: string
}

/**
 * Opens a session, in the transaction that made sure who it is. Its secret is always a new one: what a client sent before it
 * signed in is worth nothing afterwards.
 */
export async function openSession(tx: Tx, personId: number, from: From): Promise<Opened> {
  const secret = newSecret('session')
  // before the insert: on Citus a deletion locks the whole table, and two that have inserted would wait for each other
  await sessionsTrim(tx, personId, LIMITS.sessionsPerPersonMax - 1)
  const sessionId = await sessionInsert(tx, personId, secretHash(secret), from)
  await personEventInsert(tx, personId, 'signed-in', from)
  return { sessionId, secret }
}

/** Who is signed in with a session's secret; undefined when nobody is. Notes the use. */
export async function findSession(db: Db, secret: string, from: From): Promise<SignedIn | undefined> {
  if (!isSecretForm('session', secret)) return undefined
  const row = await sessionByHash(db, secretHash(secret), from)
  if (row === undefined) return undefined
  // a database that only reads, or a cluster without one of its nodes, still shows what is there
  if (row.isNews)
    await sessionSeen(db, row.sessionId, from).catch((error: unknown) => {
      if (failureOf(error) === null) throw error
    })
  return { ...row, secret }
}
