import pg from 'pg'

/** A connection that listens on one channel and is opened again whenever it is lost. */
export interface Listener {
  stop(): Promise<void>
}

const RETRY_MS_FIRST = 50
const RETRY_MS_MAX = 1_000

/** @param onListening called whenever a connection has begun to listen; earlier notifications may have been missed. */
export async function openListener(
  config: pg.ClientConfig,
  channel: string,
  onPayload: (payload: string) => void,
  onListening: () => void,
): Promise<Listener> {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let retryMs = RETRY_MS_FIRST
  let isStopped = false

  const connect = async () => {
    const fresh = new pg.Client(config)
    let isLost = false
    const lost = () => {
      if (isLost) return
      isLost = true
      if (client === fresh) client = undefined
      retry()
    }
    // before it connects: a server may close a connection as soon as it opens
    fresh.on('error', () => {})
    try {
      await fresh.connect()
      fresh.on('end', lost)
      fresh.on('notification', ({ payload }) => onPayload(payload ?? ''))
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      isLost = true
      await fresh.end().catch(() => {})
      throw error
    }
    if (isStopped) await fresh.end().catch(() => {})
    else if (!isLost) {
      client = fresh
      retryMs = RETRY_MS_FIRST
      onListening()
    }
  }
  const retry = () => {
    if (isStopped || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      connect().catch(retry)
    }, retryMs)
    retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
  }

  await connect()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const last = client
      client = undefined
      last?.removeAllListeners('end')
      await last?.end().catch(() => {})
    },
  }
}
