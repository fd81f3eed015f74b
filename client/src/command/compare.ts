import { ShelfwireError } from '../error.ts'
import type { Cursor, Product } from '../answers.ts'
import type { Shelfwire } from '../shelfwire.ts'
import { positionOf } from '../sync/position.ts'
import { EXIT, Failure } from './failure.ts'
import type { OpenedMirror } from './mirror-source.ts'
import { differences, type Difference } from './product-differences.ts'
import type { Damage } from '../targets/ndjson.ts'

// Compares a mirror with the service at the mirror's own cursor: what the feed shows after that cursor is not compared, because the mirror
// has not read it yet, and everything else must be equal. So changes that are made meanwhile are never taken for differences, and what is
// not compared is written whole when the mirror reads its change. One request for all products: the export.

export type Kind = 'missing' | 'superfluous' | 'different'

export interface Finding {
  id: number
  kind: Kind
  /** Of the first findings of a store alone, so that a mirror that is all wrong takes no more memory. */
  differences: Difference[] | null
}

export interface Comparison {
  store: string
  /** Products of the service's export. */
  products: number
  /** By ID ascending. */
  findings: Finding[]
  damages: Damage[]
  /** How many products have changed after the cursor. */
  changed: number
  /** The time of the cursor. */
  asOf: string
}

interface Comparing {
  shelf: Shelfwire
  mirror: OpenedMirror
  store: string
  /** How many findings keep their differences. */
  detailed: number
  onProgress: (products: number) => void
  signal: AbortSignal
}

/** @throws Failure where the mirror is not filled, or ahead of the service */
export async function compare({ shelf, mirror, store, detailed, onProgress, signal }: Comparing): Promise<Comparison> {
  const cursor = await cursorOf(mirror, store)
  const changed = new Set<number>()
  // before the export, so that what is known to be behind costs nothing; and after it, for what was changed meanwhile
  let read = await addChanges(shelf, store, cursor, changed, signal)
  const damages: Damage[] = []
  const held = iteratorOf(mirror.walk(store, (damage) => void damages.push(damage)))
  const findings: Finding[] = []
  let kept = 0
  const find = (id: number, kind: Kind, of: () => Difference[] | null) => {
    if (changed.has(id)) return
    findings.push({ id, kind, differences: kept++ < detailed ? of() : null })
  }
  let products = 0
  let own = await held.next()
  const { products: exported } = await shelf.export({ store, signal })
  try {
    for await (const product of exported) {
      products++
      if (products % 200 === 0) onProgress(products)
      for (; own.done !== true && own.value.id < product.id; own = await held.next())
        find(own.value.id, 'superfluous', () => null)
      if (own.done === true || own.value.id > product.id) find(product.id, 'missing', () => null)
      else {
        const { value } = own
        const differing = differences(value, product)
        if (differing.length > 0) find(product.id, 'different', () => differing)
        own = await held.next()
      }
    }
    for (; own.done !== true; own = await held.next()) find(own.value.id, 'superfluous', () => null)
  } finally {
    await held.return?.()
  }
  read = await addChanges(shelf, store, read, changed, signal)
  return {
    store,
    products,
    findings: findings.filter(({ id }) => !changed.has(id)),
    damages,
    changed: changed.size,
    asOf: cursor.since,
  }
}

const iteratorOf = (products: AsyncIterable<Product> | Iterable<Product>): AsyncIterator<Product> | Iterator<Product> =>
  Symbol.asyncIterator in products ? products[Symbol.asyncIterator]() : products[Symbol.iterator]()

async function cursorOf(mirror: OpenedMirror, store: string): Promise<Cursor> {
  const text = await mirror.target.position(store)
  const position = text === null ? null : positionOf(store, text)
  if (position?.kind !== 'following')
    throw new Failure(
      EXIT.unequal,
      'not-filled',
      `${store}: the mirror is not filled yet: run \`mirror\` until it says that it is up to date`,
    )
  return { since: position.since, since_id: position.since_id }
}

/** Adds what the feed shows after a cursor. @returns where it ends */
async function addChanges(
  shelf: Shelfwire,
  store: string,
  cursor: Cursor,
  changed: Set<number>,
  signal: AbortSignal,
): Promise<Cursor> {
  for (let at = cursor; ;) {
    const answer = await shelf.changes({ store, cursor: at, signal }).catch((error: unknown) => {
      if (error instanceof ShelfwireError && error.code === 'cursor-ahead')
        throw new Failure(
          EXIT.unequal,
          'cursor-ahead',
          `${store}: the service was restored from a backup older than this mirror: run \`mirror\`, which fills it again`,
          error,
        )
      throw error
    })
    for (const change of answer.changes) changed.add(change.product_id)
    at = { since: answer.next_since, since_id: answer.next_id }
    if (!answer.has_more) return at
  }
}
