import process from 'node:process'

/** What a piece of work did to the event loop of its process. */
export interface Block<T> {
  /** The most milliseconds of processor time between two turns: what others do on the machine does not count. */
  longestMs: number
  /** All of its processor time. */
  totalMs: number
  result: T
}

/** Runs a piece of work, and measures how long it keeps the event loop at a time. */
export async function measureBlocks<T>(work: () => Promise<T>): Promise<Block<T>> {
  const began = cpuMs()
  let last = began
  let longestMs = 0
  let isOver = false
  const tick = () => {
    const now = cpuMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await new Promise((resolve) => setImmediate(resolve))
  try {
    const result = await work()
    await new Promise((resolve) => setImmediate(resolve))
    return { longestMs, totalMs: cpuMs() - began, result }
  } finally {
    isOver = true
  }
}

/** Processor time of this thread: without the collector's other threads and those of zlib. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
