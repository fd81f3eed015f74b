import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { blocksOf } from '../verify/digested.ts'
import type { DigestedBlock, Held } from '../verify/held.ts'
import { openHash } from '../verify/halves.ts'

// A thread that reads a SQLite mirror and computes the digests of its blocks: one core cannot hash a million products in five seconds.

/** The mirror and store that a thread works on during all its life. */
export interface DigestWork {
  file: string
  store: string
}

/** The ids of some complete blocks, `first` and `last` included. */
export interface BlockRange {
  first: number
  last: number
}

/** A thread's answer to a stretch. */
export type DigestAnswer = { blocks: DigestedBlock[]; error?: undefined } | { blocks?: undefined; error: unknown }

/** How many products are read from the database at once. */
const PAGE = 500

const { file, store } = workerData as DigestWork
const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
const page = db.prepare(
  'select id, cast(product as text) as text from shelfwire_product where store = ? and id between ? and ? order by id limit ?',
)
const hash = openHash()

function* held({ first, last }: BlockRange) {
  for (let from = first; from <= last;) {
    const rows = page.all(store, from, last, PAGE) as unknown as Held[]
    yield rows
    if (rows.length < PAGE) return
    from = (rows.at(-1)?.id ?? last) + 1
  }
}

async function digestsOf(stretch: BlockRange): Promise<DigestedBlock[]> {
  const blocks: DigestedBlock[] = []
  for await (const { block, held: products, digests } of blocksOf(held(stretch), hash))
    blocks.push({ block, products: products.length, digests })
  return blocks
}

async function answer(stretch: BlockRange): Promise<void> {
  // sent as a message, not thrown: whether a rejection ends a thread depends on an option of the process
  const answered = await digestsOf(stretch).then(
    (blocks): DigestAnswer => ({ blocks }),
    (error: unknown): DigestAnswer => ({ error }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answered)
}

parentPort?.on('message', (stretch: BlockRange) => void answer(stretch))
