// Long computations yield to the event loop, so that requests are answered beside them.

/** How long a computation may block the event loop. */
const SLICE_MS = 1

/**
 * Opens a yield point for one computation.
 * @param restMs how long it rests for each millisecond it has worked, for what nobody waits for; 0: until what is due has been done once
 * @returns a function to call often, after each small piece of work. It returns a promise to await once SLICE_MS have
 *   passed since the last yield, else null.
 */
export function openYielding(restMs = 0): () => Promise<void> | null {
  let began = performance.now()
  return () => {
    const worked = performance.now() - began
    if (worked < SLICE_MS) return null
    return new Promise((resolve) => {
      const goOn = () => {
        began = performance.now()
        resolve()
      }
      if (restMs === 0) setImmediate(goOn)
      else setTimeout(goOn, restMs * worked)
    })
  }
}

/** What a computation in small steps comes to, yielding between them. */
export async function inTurns<Result>(steps: Generator<void, Result, void>): Promise<Result> {
  const yielding = openYielding()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const pause = yielding()
    if (pause !== null) await pause
  }
}

/** `items.map(work)`, yielding to the event loop: reads are answered beside a batch of 1,500 payloads, not after it. */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
  restMs = 0,
): Promise<Result[]> {
  const results: Result[] = []
  const yielding = openYielding(restMs)
  for (const item of items) {
    results.push(work(item))
    const pause = yielding()
    if (pause !== null) await pause
  }
  return results
}
