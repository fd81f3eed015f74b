import process from 'node:process'

/** The result of some work, and how long it blocked the event loop of its process. */
export interface Block<T> {
  /** The longest processor time in ms between two turns of the event loop; other work of the machine does not count. */
  longestMs: number
  /** The total processor time in ms. */
  totalMs: number
  result: T
}

/** Runs some work and measures how long it blocks the event loop at a time. */
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

/** The processor time of this thread in ms, without threads of the garbage collector and zlib. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
