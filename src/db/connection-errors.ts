/** SQLSTATEs of a lost connection, or one that the server is closing: idle in transaction too long, shut down, crashed. */
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

/** A connection that could not be opened, or was lost during a statement. The request may be repeated later. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** Whether the connection caused the error, and not the statement. */
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
