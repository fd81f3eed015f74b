import { totalmem } from 'node:os'
import process from 'node:process'
import type { Log } from '../log.ts'

/** The memory in bytes that this process and its children may use: the machine's, or the limit of its container. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory()
  // without a limit this is 0, or more than the machine has
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

const LOOK_MS = 3_000
/** How long there must have been no request before the first collection, and before later ones: after recent requests, more are likely. */
const QUIET_AT_START_MS = 1_000
const QUIET_MS = 30_000
/** A collection stops everything else for 110 ms in an idle service and up to a quarter of a second otherwise: it must be worth it, and rare. */
const GROWN_BYTES = 64 * 1_048_576
const REST_MS = 60_000

/**
 * Returns unused memory to the system, after the start and after times of many requests. V8 itself does so only when it needs room. Needs
 * `--expose-gc`, which bin/node24.mjs passes to the service; does nothing without it.
 * @param lastRequestAt by performance.now()
 */
export function releaseMemoryWhenIdle(lastRequestAt: () => number): void {
  const collect = globalThis.gc
  if (collect === undefined) return
  let leastBytes = -Infinity
  let collectedAt = -Infinity
  setInterval(() => {
    const now = performance.now()
    const quietMs = collectedAt === -Infinity ? QUIET_AT_START_MS : QUIET_MS
    if (now - lastRequestAt() < quietMs || now - collectedAt < REST_MS) return
    if (process.memoryUsage.rss() < leastBytes + GROWN_BYTES) return
    // flavor `regular` takes a third of the time, but returns nothing to the system
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    collectedAt = performance.now()
    leastBytes = process.memoryUsage.rss()
  }, LOOK_MS).unref()
}

/** Warns at the start if there is less memory than may be needed. @param most in bytes; docs/operations.md says how it is computed. */
export function warnOfMemory(log: Log, most: number, there: number = availableMemory()): void {
  if (there >= most) return
  const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)
  log.warn(
    { there_mb: megabytes(there), most_mb: megabytes(most) },
    'there is less memory than this process and those that it starts may take at the most: give it more, or set FILE_READER_MB and IMAGE_DECODER_MB lower',
  )
}
