/** SQLSTATEs of a connection that is gone or is just being closed by the server: idle in transaction too long, shut down, crashed. */
const CLOSED = new Set(['25P03', '57P01', '57P02', '57P03', '57P05'])
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

/** A connection to the database that could not be made, or ended under a statement. What was asked may be asked again later. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** Whether the connection is the reason: nothing was wrong with what was asked. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    code.startsWith('08') ||
    CLOSED.has(code) ||
    SOCKET.has(code) ||
    /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded)/.test(
      error.message,
    )
  )
}
