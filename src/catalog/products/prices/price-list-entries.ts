import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { openYielding } from '../../../platform/turns/yielding.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { entriesCount, entriesDelete, entriesOf, entriesUpsert, type ListEntry } from './price-list-entries.sql.ts'
import { must } from '../../../platform/must.ts'

/** An entry as it is to be; null removes it. */
export interface EntryWrite extends Omit<ListEntry, 'amount'> {
  amount: string | null
  /** The amount that it replaces, null for none; undefined: whichever there is. */
  expected?: string | null | undefined
}

/** What a write makes of a list. */
export interface EntryChanges {
  created: readonly ListEntry[]
  changed: readonly ListEntry[]
  removed: readonly ListEntry[]
  /** How many entries it names that are as it says. */
  unchanged: number
  /** Places in `rows` of those that would replace something else than they expect. */
  unexpected: readonly number[]
}

const placeOf = ({ productId, groupId }: Pick<ListEntry, 'productId' | 'groupId'>) => `${productId}.${groupId}`

/**
 * What rows make of a locked list; writes nothing. @param isWhole entries that the rows do not name are removed.
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
  // a list has hundreds of thousands of entries, a file a hundred thousand rows
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
    // what is there already was written by a request whose answer was lost, too
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

/** Writes what `entryChanges` found, and marks the products. */
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
