import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { BLOCK } from '../verify/halves.ts'
import type { DigestedBlock } from '../verify/held.ts'
import type { DigestAnswer, DigestWork, BlockRange } from './sqlite-digests.ts'

/** More threads would only wait for the disk. */
const THREADS_MAX = 8
/** How many ids a thread is given at a time: 64 blocks, some 65,000 ids. */
const STRETCH = 64 * BLOCK

/**
 * The digests of the blocks of a store, computed by one thread per core, in the order in which they are ready.
 * @param idAfter finds the lowest id of the store above one; undefined: there is none
 * @returns null where there is only one core, or the thread's file is not beside this one, as in a bundle
 */
export function digestsByThreads(
  work: DigestWork,
  idAfter: (id: number) => number | undefined,
): AsyncGenerator<DigestedBlock> | null {
  const threads = Math.min(THREADS_MAX, availableParallelism())
  const program = threads < 2 ? null : programOfThreads()
  return program === null ? null : computed(program, work, idAfter, threads)
}

/** The file that a thread runs; null where there is none: a bundler may leave it out, and in CommonJS `import.meta.url` does not exist. */
function programOfThreads(): URL | null {
  const own = (import.meta as { url?: string }).url
  if (own?.startsWith('file:') !== true) return null
  // the package has JavaScript, and tests run the sources
  const program = new URL(own.endsWith('.ts') ? './sqlite-digests.ts' : './sqlite-digests.js', own)
  return existsSync(fileURLToPath(program)) ? program : null
}

async function* computed(
  program: URL,
  work: DigestWork,
  idAfter: (id: number) => number | undefined,
  threads: number,
): AsyncGenerator<DigestedBlock> {
  const stretches = stretchesOf(idAfter)
  const running = new Map<Worker, Answer>()
  const workers: Worker[] = []
  try {
    while (workers.length < threads) {
      const { value: stretch } = stretches.next()
      if (stretch === undefined) break
      const worker = new Worker(program, { workerData: work })
      workers.push(worker)
      running.set(worker, asked(worker, stretch))
    }
    while (running.size > 0) {
      const { worker, blocks } = await Promise.race(running.values())
      const { value: stretch } = stretches.next()
      if (stretch === undefined) running.delete(worker)
      else running.set(worker, asked(worker, stretch))
      yield* blocks
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** Stretches of complete blocks in which there are products: ids may be far apart. */
function* stretchesOf(idAfter: (id: number) => number | undefined): Generator<BlockRange, undefined> {
  for (let id = idAfter(-1); id !== undefined;) {
    const first = id - (id % BLOCK)
    const last = first + STRETCH - 1
    yield { first, last }
    id = idAfter(last)
  }
}

type Answer = Promise<{ worker: Worker; blocks: DigestedBlock[] }>

function asked(worker: Worker, stretch: BlockRange): Answer {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(stretch)
  // rejects, too, where the thread cannot start, which is an `error` event
  const answer = once(worker, 'message').then(([message]) => {
    const { blocks, error } = message as DigestAnswer
    if (blocks === undefined) throw error
    return { worker, blocks }
  })
  // it may reject while the consumer is still busy with other blocks, which must not count as unhandled: the next `Promise.race` throws it
  answer.catch(() => {})
  return answer
}
