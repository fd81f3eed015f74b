import { LRUCache } from 'lru-cache'
import { LIMITS } from '../limits.ts'
import { readTraceparent } from './traceparent.ts'
import { traceparentOf, type Notes, type TraceContext } from './tracing.ts'

// A note travels with a notification, so that the process that does the work knows the trace that it belongs to: a traceparent and, for changes,
// their numbers in the feed. If the notification is lost, so is the note; only the trace suffers.

interface Noted {
  context: TraceContext
  /** Numbers in the feed; 0 if the note is not about changes. */
  first: number
  last: number
  position: number
}

/** The note `traceparent.first.last`, without blanks and commas, which separate the parts of a notification. */
export const noteOf = (context: TraceContext, { first, last }: { first: number; last: number }): string =>
  `${traceparentOf(context)}.${first}.${last}`

export function openNotes(): Notes {
  const accounts = new LRUCache<number, readonly Noted[]>({
    max: LIMITS.traceNotedAccounts,
    ttl: LIMITS.traceNotedMs,
  })
  let position = 0
  return {
    add(accountId, note) {
      const [traceparent, first, last] = note.split('.')
      const context = readTraceparent(traceparent)
      if (context === null) return
      const noted = accounts.get(accountId) ?? []
      // several listeners of a process receive the same note
      if (noted.some((known) => known.context.spanId === context.spanId && known.last === Number(last ?? 0))) return
      const added = { context, first: Number(first ?? 0), last: Number(last ?? 0), position: ++position }
      accounts.set(accountId, [...noted, added].slice(-LIMITS.traceNotesPerAccount))
    },
    of(accountId, [after, upTo] = [-1, Infinity]) {
      const noted = accounts.get(accountId) ?? []
      return noted.flatMap(({ context, first, last }) => (last > after && first <= upTo ? [context] : []))
    },
    position: () => position,
    forget(accountId, upTo) {
      const left = (accounts.get(accountId) ?? []).filter((noted) => noted.position > upTo)
      if (left.length === 0) accounts.delete(accountId)
      else accounts.set(accountId, left)
    },
  }
}
