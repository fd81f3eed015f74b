import { useSyncExternalStore } from 'react'

// One clock for everything that says how long ago something was.

const TICK_MS = 10_000
let now = new Date()
const listeners = new Set<() => void>()

setInterval(() => {
  now = new Date()
  for (const listener of listeners) listener()
}, TICK_MS)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The time, renewed every ten seconds; what arrives between two ticks may be a little ahead of it. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now)
}
