import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { BLOCK } from '../verify/halves.ts'
import type { DigestedBlock } from '../verify/held.ts'
import type { DigestWork, Stretch } from './sqlite-digests.ts'

/** More threads than this wait for the disk. */
const THREADS_MAX = 8
/** Whole blocks that a thread is given at a time: some 60,000 products. */
const STRETCH = 64 * BLOCK
// what is published is JavaScript, and the tests run the sources
const DIGESTS = new URL(
  import.meta.url.endsWith('.ts') ? './sqlite-digests.ts' : './sqlite-digests.js',
  import.meta.url,
)

/**
 * The digests of the blocks of a store, computed by a thread for each core; their order is that in which they are ready.
 * @param ids the lowest and the highest one
 * @returns null where there is one core
 */
export function digestsByThreads(
  work: DigestWork,
  ids: { lowest: number; highest: number },
): AsyncGenerator<DigestedBlock> | null {
  const threads = Math.min(THREADS_MAX, availableParallelism())
  return threads < 2 ? null : computed(work, ids, threads)
}

async function* computed(
  work: DigestWork,
  { lowest, highest }: { lowest: number; highest: number },
  threads: number,
): AsyncGenerator<DigestedBlock> {
  const stretches: Stretch[] = []
  for (let first = lowest - (lowest % BLOCK); first <= highest; first += STRETCH)
    stretches.push({ first, last: first + STRETCH - 1 })
  const workers = Array.from(
    { length: Math.min(threads, stretches.length) },
    () => new Worker(DIGESTS, { workerData: work }),
  )
  const next = (worker: Worker): Answer | null => {
    const stretch = stretches.shift()
    if (stretch === undefined) return null
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(stretch)
    // an error of the thread is one of the event, too
    return once(worker, 'message').then(([blocks]) => ({ worker, blocks: blocks as DigestedBlock[] }))
  }
  try {
    const running = new Map(workers.map((worker) => [worker, next(worker)]))
    for (;;) {
      const answers = [...running.values()].filter((answer) => answer !== null)
      if (answers.length === 0) return
      const { worker, blocks } = await Promise.race(answers)
      running.set(worker, next(worker))
      yield* blocks
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

type Answer = Promise<{ worker: Worker; blocks: DigestedBlock[] }>
