import { setTimeout as sleep } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs a pass once, or with --follow repeatedly, `restMs` apart, until SIGINT or SIGTERM.
 * @param pass a long pass should stop when its signal is aborted
 */
export async function repeat(
  { follow }: { follow?: true },
  restMs: number,
  pass: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  if (follow === undefined) return pass(signal)
  const end = () => ending.abort()
  for (const name of SIGNALS) process.once(name, end)
  try {
    while (!signal.aborted) {
      await pass(signal)
      await sleep(restMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    for (const name of SIGNALS) process.off(name, end)
  }
}
