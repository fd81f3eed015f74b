import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './service.ts'

/** A client of one process, with one token. */
export type Read = (path: string) => Promise<Answer>

export interface Counted {
  admitted: number
  refused: number
  /** From before the first request to after the last answer. */
  seconds: number
  /** The duration of the slowest request. */
  slowestMs: number
}

/**
 * Sends requests with all clients at the same time, each on `connections` connections with a pause of `pauseMs` after each answer, for so many
 * milliseconds or until `signal` is aborted. Every answer must be 200 or 429.
 */
export async function sendFor(
  milliseconds: number,
  clients: readonly Read[],
  options: { connections?: number; pauseMs?: number; signal?: AbortSignal } = {},
): Promise<Counted> {
  const { connections = 4, pauseMs = 5, signal } = options
  const counted = { admitted: 0, refused: 0, slowestMs: 0 }
  const from = performance.now()
  const isGoingOn = () => performance.now() - from < milliseconds && signal?.aborted !== true
  const ask = async (read: Read) => {
    while (isGoingOn()) {
      const askedAt = performance.now()
      const { status } = await read('/v1/stores')
      counted.slowestMs = Math.max(counted.slowestMs, performance.now() - askedAt)
      if (status === 200) counted.admitted++
      else if (status === 429) counted.refused++
      else throw new Error(`status ${status}`)
      await sleep(pauseMs)
    }
  }
  await Promise.all(clients.flatMap((read) => Array.from({ length: connections }, () => ask(read))))
  return { ...counted, seconds: (performance.now() - from) / 1_000 }
}
