import pg from 'pg'
import { keepConnection, type DirectConfig } from './kept-connection.ts'

/** A connection that listens on one channel. */
export interface Listener {
  stop(): Promise<void>
}

/**
 * @param onListening called each time a connection has begun to listen; notifications before that may have been missed.
 */
export async function openListener(
  direct: DirectConfig,
  channel: string,
  onPayload: (payload: string) => void,
  onListening: () => void,
): Promise<Listener> {
  const kept = keepConnection(direct, async (client) => {
    client.on('notification', ({ payload }) => onPayload(payload ?? ''))
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    onListening()
  })
  try {
    await kept.opened
  } catch (error) {
    await kept.stop()
    throw error
  }
  return kept
}
