import type { Target } from '../sync/target.ts'
import type { Comparison, Shelf } from './comparison.ts'

/** How many IDs a request may name, and a file of a directory has at most. */
const WIDTH = 200

/**
 * Reads missing or different products again, and removes those that the service does not have. The position stays: the products written are
 * as new as the position or newer. Where a mirror moves the position meanwhile, the batch is read again, so that nothing newer is overwritten.
 * @returns how many products were written and removed
 */
export async function repair(
  shelf: Pick<Shelf, 'products'>,
  target: Target,
  { store, findings, damages }: Comparison,
  signal: AbortSignal,
): Promise<{ written: number; removed: number }> {
  const done = { written: 0, removed: 0 }
  for (const ids of batches(
    findings.map(({ id }) => id),
    damages,
  )) {
    for (;;) {
      signal.throwIfAborted()
      const position = await target.position(store)
      // should not happen: the comparison has read a position, and a mirror does not lose it
      if (position === null) throw new Error(`the mirror has lost its position in ${store}`)
      const { data: products } = await shelf.products.list({ store, ids, signal })
      const listed = new Set(products.map(({ id }) => id))
      const removed = ids.filter((id) => !listed.has(id))
      if (!(await target.apply({ store, from: position, position, products, removed, changes: [] }))) continue
      done.written += products.length
      done.removed += removed.length
      break
    }
  }
  return done
}

/**
 * The IDs in batches of at most 200. All IDs of a damaged file are in one batch, so that the file is written once, and is then complete,
 * however the process ends.
 */
function* batches(found: readonly number[], damages: Comparison['damages']): Generator<number[]> {
  const ids = new Set(found)
  for (const { first, last } of damages) for (let id = Math.max(1, first); id <= last; id++) ids.add(id)
  const groups = new Map<number, number[]>()
  for (const id of [...ids].sort((a, b) => a - b)) {
    const block = Math.floor(id / WIDTH)
    const group = groups.get(block) ?? []
    groups.set(block, group)
    group.push(id)
  }
  let batch: number[] = []
  for (const group of groups.values()) {
    if (batch.length + group.length > WIDTH) {
      yield batch
      batch = []
    }
    batch.push(...group)
  }
  if (batch.length > 0) yield batch
}
