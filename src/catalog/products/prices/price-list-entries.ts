import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { openYielding } from '../../../platform/turns/yielding.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { entriesCount, entriesDelete, entriesOf, entriesUpsert, type ListEntry } from './price-list-entries.sql.ts'
import { must } from '../../../platform/must.ts'

/** An entry to be written; amount null removes it. */
export interface EntryWrite extends Omit<ListEntry, 'amount'> {
  amount: string | null
  /** The amount that the row expects to replace, null for none; undefined: any. */
  expected?: string | null | undefined
}

/** The changes that a write makes to a list. */
export interface EntryChanges {
  created: readonly ListEntry[]
  changed: readonly ListEntry[]
  removed: readonly ListEntry[]
  /** How many of the named entries have the given amount already. */
  unchanged: number
  /** Indexes in `rows` of those whose expected amount is not the current one. */
  unexpected: readonly number[]
}

const placeOf = ({ productId, groupId }: Pick<ListEntry, 'productId' | 'groupId'>) => `${productId}.${groupId}`

/**
 * Computes what rows would change in a locked list; writes nothing. @param isWhole whether entries that the rows do not
 * name are removed.
 * @throws ShelfwireError conflict where the list would be too long.
 */
export async function entryChanges(
  tx: Tx,
  accountId: number,
  key: string,
  rows: readonly EntryWrite[],
  isWhole: boolean,
): Promise<EntryChanges> {
  const ids = isWhole ? null : [...new Set(rows.map(({ productId }) => productId))]
  // a list may have hundreds of thousands of entries, and a file a hundred thousand rows: requests are answered in
  // between
  const turn = openYielding()
  const present = new Map<string, ListEntry>()
  for (const entry of await entriesOf(tx, accountId, key, ids)) {
    present.set(placeOf(entry), entry)
    const others = turn()
    if (others !== null) await others
  }
  const created: ListEntry[] = []
  const changed: ListEntry[] = []
  const removed: ListEntry[] = []
  let unchanged = 0
  const unexpected: number[] = []
  const named = new Set<string>()
  for (const [i, { amount, expected, ...at }] of rows.entries()) {
    const place = placeOf(at)
    const old = present.get(place)
    named.add(place)
    // unchanged, whatever is expected: a client whose answer was lost repeats its request
    if ((old?.amount ?? null) === amount) unchanged++
    else if (expected !== undefined && (old?.amount ?? null) !== expected) unexpected.push(i)
    else if (amount === null) removed.push({ ...at, amount: must(old).amount })
    else if (old === undefined) created.push({ ...at, amount })
    else changed.push({ ...at, amount })
    const others = turn()
    if (others !== null) await others
  }
  if (isWhole) for (const [place, entry] of present) if (!named.has(place)) removed.push(entry)
  const more = created.length - removed.length
  if (more > 0 && (await entriesCount(tx, accountId, key)) + more > LIMITS.priceListEntriesMax)
    throw new ShelfwireError('conflict', `a price list has at most ${LIMITS.priceListEntriesMax} entries`)
  return { created, changed, removed, unchanged, unexpected }
}

/** Writes the changes that `entryChanges` computed, and marks the products. */
export async function writeEntries(
  tx: Tx,
  accountId: number,
  key: string,
  { created, changed, removed }: EntryChanges,
): Promise<Written> {
  await entriesDelete(tx, accountId, key, removed)
  await entriesUpsert(tx, accountId, key, [...created, ...changed])
  const ids = [...new Set([...created, ...changed, ...removed].map(({ productId }) => productId))]
  await marksAppend(tx, accountId, ids, 'price')
  return productsWritten(ids, undefined, 'price')
}
