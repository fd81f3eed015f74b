import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { currentTraceparent } from '../platform/tracing/tracing.ts'
import type { Db } from './sql.ts'

/**
 * What has changed. `mark`: products to be shelved; `change`: the change log; `directory`: tokens or stores; `endpoint`: a
 * webhook endpoint, by its owner; `operation`: an operation to be worked on; `import`: a run of an import to be worked on.
 */
export type Topic = (typeof TOPICS)[number]

/** @param note of the trace that caused the notification; undefined if tracing is off or there is no trace. */
type Listener = (accountId: number, note: string | undefined) => void

export interface Wake {
  /**
   * Notifies all processes of a change of an account. Returns at once; notifications during one tick are sent as one NOTIFY
   * per topic.
   * @param note of the trace that caused it (src/platform/tracing/notes.ts); the running code's trace by default.
   */
  notify(topic: Topic, accountId: number, note?: string): void
  /**
   * Calls back for every notification, of this process or another. It is only a hint: notifications get lost, so poll as well.
   * @returns a function that removes the listener
   */
  on(topic: Topic, listener: Listener): () => void
  /** Starts listening; resolves when the connection is established. */
  start(): Promise<void>
  stop(): Promise<void>
}

const TOPICS = ['mark', 'change', 'directory', 'endpoint', 'operation', 'import'] as const
const CHANNEL = 'shelfwire'
/** NOTIFY takes 8,000 bytes; an account id and its separator take at most 20, together with a note at most 110. */
const ACCOUNTS_PER_NOTIFY = 300

/**
 * LISTEN/NOTIFY between processes. NOTIFY is sent outside transactions and coalesced, because a transaction with a NOTIFY
 * takes a lock at its commit that serializes all commits of the database. Listeners of this process are called directly.
 * docs/decisions/020-notify-after-the-commit-coalesced.md says why.
 */
export function openWake(db: Db, log: Log): Wake {
  const origin = `${process.pid}.${Math.random().toString(36).slice(2, 10)}`
  const listeners: Record<Topic, Set<Listener>> = {
    mark: new Set(),
    change: new Set(),
    directory: new Set(),
    endpoint: new Set(),
    operation: new Set(),
    import: new Set(),
  }
  const pending: Record<Topic, Set<number>> = {
    mark: new Set(),
    change: new Set(),
    directory: new Set(),
    endpoint: new Set(),
    operation: new Set(),
    import: new Set(),
  }
  /** Notes waiting to be sent with notifications, by topic: `account=note`. */
  const notes: Partial<Record<Topic, string[]>> = {}
  let flushing: Promise<void> | undefined
  let listening: { stop: () => Promise<void> } | undefined
  let stopped = false

  const dispatch = (topic: Topic, accountId: number, note: string | undefined) => {
    for (const listener of listeners[topic]) listener(accountId, note)
  }

  const flush = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    for (;;) {
      const topic = TOPICS.find((name) => pending[name].size > 0 || (notes[name]?.length ?? 0) > 0)
      if (topic === undefined) {
        // no await between the check and this line: otherwise a notification in between would not be sent until the next one
        flushing = undefined
        return
      }
      const ids = [...pending[topic]].slice(0, ACCOUNTS_PER_NOTIFY)
      for (const id of ids) pending[topic].delete(id)
      const noted = notes[topic]?.splice(0, LIMITS.traceNotesPerNotify) ?? []
      // the accounts of these notes too, which may be left from an earlier message without room for them
      const named = new Set([...ids, ...noted.map((note) => Number(note.split('=', 1)[0]))])
      const parts = [origin, topic, [...named].join(','), ...(noted.length === 0 ? [] : [noted.join(',')])]
      try {
        await db`select pg_notify(${CHANNEL}, ${parts.join(' ')})`
      } catch (error) {
        // a lost hint costs a poll interval, not correctness
        log.warn({ err: asError(error), topic }, 'notify failed')
      }
    }
  }

  const receive = (payload: string) => {
    const [from, name, ids, noted] = payload.split(' ')
    const topic = TOPICS.find((known) => known === name)
    if (from === origin || ids === undefined || topic === undefined) return
    const notedIds = new Set<string>()
    for (const entry of noted?.split(',') ?? []) {
      const [id = '', note] = entry.split('=')
      notedIds.add(id)
      dispatch(topic, Number(id), note)
    }
    for (const id of ids.split(',')) if (!notedIds.has(id)) dispatch(topic, Number(id), undefined)
  }

  return {
    notify(topic, accountId, note = currentTraceparent()) {
      dispatch(topic, accountId, note)
      if (stopped) return
      pending[topic].add(accountId)
      if (note !== undefined) {
        const waiting = (notes[topic] ??= [])
        if (waiting.length < LIMITS.traceNotesWaitingMax) waiting.push(`${accountId}=${note}`)
      }
      flushing ??= flush()
    },
    on(topic, listener) {
      listeners[topic].add(listener)
      return () => listeners[topic].delete(listener)
    },
    async start() {
      listening = await db.listen(CHANNEL, receive, () => log.debug('listening for notifications'))
    },
    async stop() {
      stopped = true
      await flushing
      await listening?.stop().catch(() => {})
    },
  }
}
