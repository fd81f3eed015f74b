import { asError, ShelfwireError, unreachable } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'

/** How a database fails to do its work; null stands for any other error, which the statement caused. */
export type Failure =
  /** The connection could not be opened or was lost. */
  | 'connection'
  /** It was lost during a commit: whether the transaction was committed is unknown. */
  | 'commit-unknown'
  /** The server is read-only: a standby, or set to read-only. Nothing was written. */
  | 'read-only'
  /** The disk is full. Nothing was written. */
  | 'disk-full'
  /** The server lacked memory or another resource; the statement was undone. */
  | 'shortage'
  /** The statement took too long or was cancelled, and was undone. */
  | 'cancelled'
  /** A node behind the coordinator of a Citus cluster could not be reached or was lost. The connection to the coordinator is intact. */
  | 'node'

/**
 * SQLSTATEs of a connection that was not opened (too many) or that the server closes (idle in a transaction for too long, transaction too long).
 * Connection errors of class 08, class 57P (shut down, crashed, starting up, idle too long), and classes 28 and 3D (the role may not or no longer
 * sign in; no such database) are recognized by class: the last two occur only when a connection is opened.
 */
const CLOSED = new Set(['25P03', '25P04', '53300'])
const READ_ONLY = '25006'
const DISK_FULL = '53100'
const SHORTAGE = new Set(['53000', '53200', '53400'])
/** Cancelled, also by statement_timeout; or not obtained in time, by lock_timeout. */
const CANCELLED = new Set(['57014', '55P03'])
const SOCKET = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EAI_AGAIN',
])
/** Errors of node-postgres have no code, only these messages. */
const MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|There was an error establishing an SSL|timeout expired|timeout exceeded|Query read timeout)/
/** With these messages, whether the server is gone or busy is unknown. A retry would add to its load. */
const TIMED_OUT = /^(timeout e|Query read timeout|Connection terminated due to connection timeout)/
/** All connections of the pool were in use for too long: another host would not help. */
const POOL_BUSY = /^timeout exceeded/

/** A connection could not be opened, or was lost during a statement. The request may be repeated later. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** The end of a transaction was sent but not acknowledged, or may not have reached every node: the transaction may have been committed. */
export class CommitUnknown extends ConnectionLost {
  override name = 'CommitUnknown'
}

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Functions of Citus that report a transaction that a node did not complete. */
const NODE_TRANSACTION = new Set([
  'ErrorIfPostCommitFailedShardPlacements',
  'CheckRemoteTransactionsHealth',
  'MarkRemoteTransactionFailed',
])
/** The function of Citus that passes on a node's error. */
const FROM_NODE = 'ReportResultError'

function routineOf(error: unknown): string {
  return error instanceof Error && 'routine' in error && typeof error.routine === 'string' ? error.routine : ''
}

/** Whether a node behind the coordinator of a Citus cluster reported the error, rather than the coordinator. */
export function isOfNode(error: unknown): boolean {
  return routineOf(error) === FROM_NODE
}

/**
 * Whether a node behind the coordinator of a Citus cluster could not be reached, or was lost during the statement. The connection to the coordinator
 * can still be used. A plain PostgreSQL server sends nothing like it: an error of class 08 that arrives through a connection is about another
 * connection, except for protocol violations. Recognized by codes and functions, because messages are in the server's language.
 */
export function isNodeAway(error: unknown): boolean {
  const routine = routineOf(error)
  if (routine === '') return false
  const code = sqlStateOf(error)
  return (
    (code.startsWith('08') && code !== '08P01') ||
    (routine === FROM_NODE && (code.startsWith('57P') || CLOSED.has(code) || isBrokenOff(error))) ||
    NODE_TRANSACTION.has(routine)
  )
}

/** A node lost during a statement gives no code, and the message is from the coordinator's client library. */
function isBrokenOff(error: unknown): boolean {
  return (
    sqlStateOf(error) === 'XX000' && error instanceof Error && error.message.startsWith('server closed the connection')
  )
}

/** How the database caused an error; null if the statement caused it. All classification of errors starts here. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CommitUnknown) return 'commit-unknown'
  if (error instanceof ConnectionLost) return 'connection'
  if (!(error instanceof Error)) return null
  if (isNodeAway(error)) return 'node'
  const code = sqlStateOf(error)
  if (code === READ_ONLY) return 'read-only'
  if (code === DISK_FULL) return 'disk-full'
  if (SHORTAGE.has(code)) return 'shortage'
  if (CANCELLED.has(code)) return 'cancelled'
  if (/^(?:08|28|3D|57P)/.test(code) || CLOSED.has(code) || SOCKET.has(code) || MESSAGE.test(error.message))
    return 'connection'
  return null
}

/** Whether the connection caused the error, rather than the statement. */
export function isConnectionError(error: unknown): boolean {
  const failure = failureOf(error)
  return failure === 'connection' || failure === 'commit-unknown'
}

/** Whether a transaction that ended with this error may have been committed: its end was sent, and no failure was reported. */
export function mayHaveCommitted(error: unknown): boolean {
  return isConnectionError(error) || isNodeAway(error)
}

/** Whether an open connection broke, so that the same statement may succeed at once on another one. */
export function isBroken(error: unknown): boolean {
  return failureOf(error) === 'connection' && error instanceof Error && !TIMED_OUT.test(error.message)
}

/** Whether opening a connection failed for a reason that may not apply to another host. */
export function isHostFailure(error: unknown): boolean {
  return failureOf(error) === 'connection' && error instanceof Error && !POOL_BUSY.test(error.message)
}

/** Whether the server refuses writes for a reason unrelated to the statement. Nothing was written. */
export function isWriteRefusal(error: unknown): boolean {
  const failure = failureOf(error)
  return failure === 'read-only' || failure === 'disk-full'
}

/** Whether the server is read-only: it is no longer the primary, and connections to it are useless. */
export function isReadOnly(error: unknown): boolean {
  return failureOf(error) === 'read-only' && !isOfNode(error)
}

/** SQLSTATE classes of retryable transactions, of resources, and of system errors. */
const SERVER_CLASS = /^(?:40|53|58)/

/**
 * Whether the server or the connection caused the error, rather than the work itself. Such work is repeated without limit. A statement that took too
 * long is not included, because that may be the work's own fault.
 */
export function isServerError(error: unknown): boolean {
  const failure = failureOf(error)
  return (failure !== null && failure !== 'cancelled') || SERVER_CLASS.test(sqlStateOf(error))
}

/** When to retry: a full disk, or a failover that ended at a standby, takes longer than a lost connection. */
const RETRY_SECONDS = 1
const RETRY_SECONDS_WRITES = 10
/** An unreachable node is checked at least this often (src/db/distribution/nodes.ts). */
const RETRY_SECONDS_NODE = 5

/**
 * The problem document for a client if the database does not work; null for other errors.
 * @param isRead whether the request only reads: then writes are not mentioned.
 */
export function databaseProblem(error: unknown, isRead: boolean): ShelfwireError | null {
  const failure = failureOf(error)
  const unavailable = (detail: string) =>
    new ShelfwireError('database-unavailable', detail, { cause: error, retryAfterSeconds: RETRY_SECONDS })
  const repeat = isRead ? 'repeat the request' : 'repeat it with the same Idempotency-Key'
  switch (failure) {
    case null:
      return null
    case 'connection':
      return unavailable(
        isRead
          ? `the database could not be reached, or left in the middle: ${repeat}`
          : `the database could not be reached, or left in the middle; a write may or may not have been made: ${repeat}`,
      )
    case 'commit-unknown':
      return unavailable(
        `the database left while it was committing; the write may have been made or may be lost: ${repeat}, or read what is stored`,
      )
    case 'cancelled':
      return unavailable(`the database did not get to it in time; no effect of the statement remains: ${repeat}`)
    case 'shortage':
      return unavailable('the database is short of memory or of another resource; nothing was written: try again later')
    case 'read-only':
    case 'disk-full':
      return new ShelfwireError(
        'writes-unavailable',
        'the database takes no writes at the moment; nothing was written, and reading goes on: try again later',
        { cause: error, retryAfterSeconds: RETRY_SECONDS_WRITES },
      )
    case 'node':
      return new ShelfwireError(
        'database-unavailable',
        isRead
          ? `a part of the database could not be reached, or left in the middle: ${repeat}`
          : `a part of the database could not be reached, or left in the middle; a write may or may not have been made: ${repeat}`,
        { cause: error, retryAfterSeconds: RETRY_SECONDS_NODE },
      )
    default:
      return unreachable(failure)
  }
}

/** The problem for a client whose account is on a node known to be unreachable: nothing was tried. */
export function accountUnavailable(): ShelfwireError {
  return new ShelfwireError(
    'database-unavailable',
    'the part of the database that has this account could not be reached; nothing was done: try again later',
    { retryAfterSeconds: RETRY_SECONDS_NODE },
  )
}

/**
 * Rethrows an error of work that follows a write in the same request. A failure of the database is reported as one after the write, which has been
 * committed.
 */
export function rethrowAfterWrite(error: unknown): never {
  const failure = failureOf(error)
  if (failure === null) throw error
  throw new ShelfwireError(
    'database-unavailable',
    'it was written, but the database left before the result could be read: read it later, or repeat it with the same Idempotency-Key',
    { cause: error, retryAfterSeconds: failure === 'node' ? RETRY_SECONDS_NODE : RETRY_SECONDS },
  )
}

/**
 * Handles an error of one account's part in a round over all accounts: logs it, so that the other parts are done. @throws the error if the database
 * failed, which every other part would meet, too
 */
export function logUnlessDatabaseFailed(
  log: Log,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, number>>,
): void {
  if (failureOf(error) !== null) throw error
  log.error({ err: asError(error), ...fields }, message)
}
