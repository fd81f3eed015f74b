import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { BLOCK } from '../verify/halves.ts'
import type { DigestedBlock } from '../verify/held.ts'
import type { DigestAnswer, DigestWork, Stretch } from './sqlite-digests.ts'

/** More threads than this wait for the disk. */
const THREADS_MAX = 8
/** The ids of whole blocks that a thread is given at a time: some 60,000 products. */
const STRETCH = 64 * BLOCK

/**
 * The digests of the blocks of a store, computed by a thread for each core; their order is that in which they are ready.
 * @param idAfter the lowest id of the store after one; undefined: there is none
 * @returns null where there is one core, or where the thread's file is not beside this one, as in a bundle
 */
export function digestsByThreads(
  work: DigestWork,
  idAfter: (id: number) => number | undefined,
): AsyncGenerator<DigestedBlock> | null {
  const threads = Math.min(THREADS_MAX, availableParallelism())
  const program = threads < 2 ? null : programOfThreads()
  return program === null ? null : computed(program, work, idAfter, threads)
}

/** Where the file of a thread is. A bundler may leave it out, and has no address of a module where it writes CommonJS. */
function programOfThreads(): URL | null {
  const own = (import.meta as { url?: string }).url
  if (own?.startsWith('file:') !== true) return null
  // what is published is JavaScript, and the tests run the sources
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

/** Whole blocks in which there is something: ids may be far apart. */
function* stretchesOf(idAfter: (id: number) => number | undefined): Generator<Stretch, undefined> {
  for (let id = idAfter(-1); id !== undefined;) {
    const first = id - (id % BLOCK)
    const last = first + STRETCH - 1
    yield { first, last }
    id = idAfter(last)
  }
}

type Answer = Promise<{ worker: Worker; blocks: DigestedBlock[] }>

function asked(worker: Worker, stretch: Stretch): Answer {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(stretch)
  // a thread that cannot start is an event of its own, which rejects, too
  const answer = once(worker, 'message').then(([message]) => {
    const { blocks, error } = message as DigestAnswer
    if (blocks === undefined) throw error
    return { worker, blocks }
  })
  // it may come to nothing while the reader is still busy with other blocks; whoever awaits it next is told
  answer.catch(() => {})
  return answer
}
