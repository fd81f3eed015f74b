/** How long computing may keep everything else in the process waiting. */
const TURN_MS = 1

/**
 * For work that computes: whoever else has something to do in this process gets a turn every few milliseconds.
 * @returns what to call often; a promise to await where it is somebody else's turn, else null.
 */
export function openYielding(): () => Promise<void> | null {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return null
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now()
        resolve()
      })
    })
  }
}

/**
 * `items.map(work)`, taking turns. Reads are answered beside a batch of 1,500 payloads, not after it.
 */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const turn = openYielding()
  for (const item of items) {
    results.push(work(item))
    const others = turn()
    if (others !== null) await others
  }
  return results
}
