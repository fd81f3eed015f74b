import type { Writable } from 'node:stream'
import type pg from 'pg'
import { destroyConnection } from './hosts.ts'

/** Sends statements and gives up those that the server does not answer in time. */
export interface AnswerDeadlines {
  /**
   * @param answerMs how long to wait for the answer
   * @throws Error 'Query read timeout' after that time or up to a second later; the connection is then cut
   */
  query(client: pg.PoolClient, config: pg.QueryConfig, answerMs: number): Promise<pg.QueryResult>
  stop(): void
}

interface Waiting {
  client: pg.PoolClient
  until: number
  reject(error: Error): void
}

const CHECK_MS = 1_000

/**
 * One timer for all statements. pg sets and clears one per statement (its query_timeout); results then survive the next collections of
 * young objects and are moved to the old generation, which took a quarter of the processor time of single reads.
 * @param leastMs the shortest `answerMs` that will be used
 */
export function openAnswerDeadlines(leastMs: number): AnswerDeadlines {
  const unanswered = new Set<Waiting>()
  const look = setInterval(
    () => {
      const now = performance.now()
      for (const waiting of unanswered) {
        if (waiting.until > now) continue
        unanswered.delete(waiting)
        waiting.reject(new Error('Query read timeout'))
        // statements sent after it on this connection will not be answered either
        destroyConnection(waiting.client)
      }
    },
    Math.min(CHECK_MS, leastMs / 4),
  ).unref()
  return {
    query: (client, config, answerMs) =>
      new Promise((resolve, reject) => {
        const waiting = { client, until: performance.now() + answerMs, reject }
        unanswered.add(waiting)
        writeTogether(client)
        client.query(config, (error: Error | null | undefined, result: pg.QueryResult) => {
          unanswered.delete(waiting)
          if (error === null || error === undefined) resolve(result)
          else reject(error)
        })
      }),
    stop: () => clearInterval(look),
  }
}

/** Streams that collect what is sent until the end of this turn of the event loop. */
const held = new WeakSet<Writable>()

/**
 * Makes everything sent on a connection in one turn of the event loop leave in one write. pg writes each statement separately: half of
 * the processor time of a small write was spent in these system calls, each of which may wake the server for a single statement.
 */
function writeTogether(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (held.has(stream)) return
  held.add(stream)
  stream.cork()
  process.nextTick(() => {
    held.delete(stream)
    stream.uncork()
  })
}
