import type pg from 'pg'
import type { Hosts } from './hosts.ts'

/** A separate connection beside the pool, reopened whenever it is lost. */
export interface KeptConnection {
  /** Settles with the first attempt to open it; further attempts follow if that fails. */
  opened: Promise<void>
  stop(): Promise<void>
}

/** The parameters of such a connection. */
export interface DirectConfig {
  config: pg.ClientConfig
  hosts: Hosts
}

const RETRY_MS_FIRST = 50
const RETRY_MS_MAX = 1_000

/**
 * @param setUp prepares each new connection; if it throws, the connection is closed and another one opened.
 * @param onLost called when a connection that was set up is lost.
 */
export function keepConnection(
  { config, hosts }: DirectConfig,
  setUp: (client: pg.Client) => Promise<void>,
  onLost: () => void = () => {},
): KeptConnection {
  let client: pg.Client | undefined
  let opening: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let retryMs = RETRY_MS_FIRST
  let isStopped = false

  const connect = async () => {
    const fresh = new hosts.Client(config)
    opening = fresh
    let isLost = false
    const lost = () => {
      if (isLost) return
      isLost = true
      if (client === fresh) client = undefined
      onLost()
      retry()
    }
    try {
      await fresh.connect()
      fresh.on('end', lost)
      await setUp(fresh)
    } catch (error) {
      isLost = true
      await fresh.end().catch(() => {})
      throw error
    } finally {
      opening = undefined
    }
    if (isStopped) await fresh.end().catch(() => {})
    else if (!isLost) {
      client = fresh
      retryMs = RETRY_MS_FIRST
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

  const opened = hosts.attempt(connect)
  opened.catch(retry)
  return {
    opened,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const last = client ?? opening
      client = undefined
      last?.removeAllListeners('end')
      await last?.end().catch(() => {})
    },
  }
}
