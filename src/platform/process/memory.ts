import { totalmem } from 'node:os'
import process from 'node:process'
import type { Log } from '../log.ts'

/** Memory in bytes that this process and those that it starts may use: the machine's, or that of its container. */
export function memoryThere(): number {
  const constrained = process.constrainedMemory()
  // without a limit it is 0, or more than there is
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

const LOOK_MS = 3_000
/** How long no request has come after the start, and later: requests that came a moment ago are followed by others. */
const QUIET_AT_START_MS = 1_000
const QUIET_MS = 30_000
/** A collection stops everything else, 110 ms for a service that is at rest, and up to a quarter of a second: it has to be worth it, and seldom. */
const GROWN_BYTES = 64 * 1_048_576
const REST_MS = 60_000

/**
 * Gives memory back that nobody uses: what starting left, and what a time of many requests did. V8 does so only when it needs room itself.
 * It needs `--expose-gc`, with which a service is started (bin/node24.mjs); without it nothing is done.
 * @param lastRequestAt by performance.now()
 */
export function giveMemoryBack(lastRequestAt: () => number): void {
  const collect = globalThis.gc
  if (collect === undefined) return
  let leastBytes = -Infinity
  let collectedAt = -Infinity
  setInterval(() => {
    const now = performance.now()
    const quietMs = collectedAt === -Infinity ? QUIET_AT_START_MS : QUIET_MS
    if (now - lastRequestAt() < quietMs || now - collectedAt < REST_MS) return
    if (process.memoryUsage.rss() < leastBytes + GROWN_BYTES) return
    // `regular` takes a third of the time, and gives nothing back to the machine
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    collectedAt = performance.now()
    leastBytes = process.memoryUsage.rss()
  }, LOOK_MS).unref()
}

/** Says at the start that there is less memory than may be needed. @param most docs/operations.md has what it is made of. */
export function warnOfMemory(log: Log, most: number, there: number = memoryThere()): void {
  if (there >= most) return
  const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)
  log.warn(
    { there_mb: megabytes(there), most_mb: megabytes(most) },
    'there is less memory than this process and those that it starts may take at the most: give it more, or set FILE_READER_MB and IMAGE_DECODER_MB lower',
  )
}
