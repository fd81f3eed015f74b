import { asError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { isSameProcess, processOf } from './lock.ts'

/** How often the server's process is checked for being alive, with signal 0. */
const CHECK_MS = 200
const RETRY_MS_FIRST = 100
const RETRY_MS_MAX = 5_000

/** Watches the server's process until `stop`. */
export interface Supervisor {
  /** Starts no further restart; resolves when a running one has ended. */
  stop(): Promise<void>
}

/**
 * Restarts the server when its process has ended unexpectedly: killed by the kernel for lack of memory, or by a person, or crashed. Connections are
 * lost; clients reconnect on the same port.
 * @param restart starts the server on its port, or finds the one that another process has started there meanwhile; returns its process id. If it
 * fails, this is logged, and it is called again.
 */
export function supervise(first: number, restart: () => Promise<number>, log: Log): Supervisor {
  let server = processOf(first)
  let timer: NodeJS.Timeout | undefined
  let retryMs = RETRY_MS_FIRST
  let isStopped = false
  let restarting: Promise<void> | undefined

  const check = () => {
    if (isStopped) return
    if (isSameProcess(server)) return next(CHECK_MS)
    log.error({ pid: server.pid }, 'the embedded database has ended, starting it again')
    restarting = restart()
      .then(
        (pid) => {
          server = processOf(pid)
          retryMs = RETRY_MS_FIRST
          log.warn({ pid }, 'the embedded database runs again')
          next(CHECK_MS)
        },
        (error: unknown) => {
          log.error({ err: asError(error), retryMs }, 'the embedded database could not be started again')
          next(retryMs)
          retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
        },
      )
      .finally(() => (restarting = undefined))
  }
  const next = (milliseconds: number) => {
    if (!isStopped) timer = setTimeout(check, milliseconds).unref()
  }

  next(CHECK_MS)
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await restarting
    },
  }
}
