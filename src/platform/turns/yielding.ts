// Long computations yield to the event loop, so that requests are answered beside them.

/** How long a computation may block the event loop. */
const SLICE_MS = 1

/**
 * Opens a yield point for one computation.
 * @param restMs how long to pause for each millisecond of work, for work that nobody waits for; 0: only until other due work has been done once
 * @returns a function to call often, after each small piece of work. It returns a promise to await if SLICE_MS have passed since the last yield, else
 * null.
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

/** The result of a computation in small steps, with yields between them. */
export async function inTurns<Result>(steps: Generator<void, Result, void>): Promise<Result> {
  const yielding = openYielding()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const pause = yielding()
    if (pause !== null) await pause
  }
}

/** `items.map(work)` with yields to the event loop, so that reads are answered during a batch of 1,500 payloads and not after it. */
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
