/** How long computing may keep everything else in the process waiting. */
const TURN_MS = 1

/**
 * `items.map(work)` for work that computes: whoever else has something to do in this process gets a turn every few
 * milliseconds. Reads are answered beside a batch of 1,500 payloads, not after it.
 */
export async function mapInTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - began < TURN_MS) continue
    await new Promise<void>((resolve) => setImmediate(resolve))
    began = performance.now()
  }
  return results
}
