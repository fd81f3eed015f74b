/** How long computing may keep everything else in the process waiting. */
const TURN_MS = 1

/**
 * For loops that compute for long: call the result after each piece of work, and whoever else has something to do in this
 * process gets a turn every few milliseconds. Reads are answered beside a batch of 1,500 payloads, not after it.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now()
        resolve()
      })
    })
  }
}
