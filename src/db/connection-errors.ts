/**
 * SQLSTATEs of a connection that was not opened (too many, starting up), was lost, or is being closed by the server: idle in
 * transaction too long, shut down, crashed.
 */
const CLOSED = new Set(['25P03', '53300', '57P01', '57P02', '57P03', '57P05'])
/** SQLSTATEs of a server that does not write: its disk is full, or it is a standby (after a failover) or was set to read only. */
const WRITE_REFUSED = new Set(['53100', '25006'])
/** SQLSTATEs of a server that lacks memory or another resource for a statement, which it has undone. */
const SHORTAGE = new Set(['53000', '53200', '53400'])
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])

/** A connection that could not be opened, or was lost during a statement. The request may be repeated later. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether the server refuses to write, for a reason that has nothing to do with the statement. Nothing was written. */
export function isWriteRefusal(error: unknown): boolean {
  return WRITE_REFUSED.has(sqlStateOf(error))
}

/** Whether the server only reads: it is not the primary any more, and connections to it are of no use. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === '25006'
}

/** Whether the server lacked a resource for the statement. Nothing was written. */
export function isShortage(error: unknown): boolean {
  return SHORTAGE.has(sqlStateOf(error))
}

/** Whether the connection caused the error, and not the statement. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  if (!(error instanceof Error)) return false
  const code = sqlStateOf(error)
  return (
    code.startsWith('08') ||
    CLOSED.has(code) ||
    SOCKET.has(code) ||
    /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded)/.test(
      error.message,
    )
  )
}
