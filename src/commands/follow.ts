import { setTimeout as sleep } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs a pass once; with --follow again and again, with a rest in between, until SIGINT or SIGTERM.
 * @param pass a long one looks at the signal, which is aborted then
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
