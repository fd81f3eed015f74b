import { productsByKeys } from '../../catalog/products/keys/product-keys.sql.ts'
import { productsLockShared } from '../../catalog/products/products.sql.ts'
import { entryChanges, writeEntries, type EntryWrite } from '../../catalog/products/prices/price-list-entries.ts'
import { groupsList } from '../../catalog/settings/stores/groups.sql.ts'
import { lockPriceList } from '../../catalog/settings/prices/price-lists.ts'
import { productsWritten, type Written } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { quoted } from '../../input/verdict.ts'
import { gtinOf } from '../../model/gtin.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { previewPriceList, type ListPreview } from '../../previews/price-list.ts'
import type { GroupInput, PriceListInput } from '../../resolve/inputs.ts'
import type { CompiledAccounts } from '../../shelf/inputs/compiled-inputs.ts'
import { NOT_EXPECTED } from '../bulk/results.ts'
import type { EntryRow } from './rows.ts'

/** The numbers of entries by result, and the effect on prices. */
export interface EntriesWritten {
  created: number
  changed: number
  removed: number
  unchanged: number
  preview: ListPreview
}

interface Options {
  /** Whether entries that no row names are removed. */
  isWhole: boolean
  isDryRun: boolean
  /** Whether prices may jump: the caller has confirmed it. */
  isConfirmed: boolean
}

/**
 * Writes entries of a list: all rows or none. First all rows are checked, then their effect on prices.
 * @param read reads the rows, given the list and the account's groups.
 * @throws ShelfwireError unknown-reference; invalid-input, which names faulty rows; conflict if a row expects another price than the present one, or
 *   prices jump without a confirmation.
 */
export async function writePriceList(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  key: string,
  read: (list: PriceListInput, groups: readonly GroupInput[]) => Promise<{ rows: EntryRow[]; faults: Fault[] }>,
  { isWhole, isDryRun, isConfirmed }: Options,
): Promise<Written<EntriesWritten>> {
  const list = await lockPriceList(tx, accountId, key)
  const groups = await groupsList(tx, accountId)
  const { rows, faults } = await read(list, groups)
  const entries = await judged(tx, accountId, rows, groups, faults)
  const [first] = faults
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `nothing was written: ${first.name}: ${first.reason}`, {
      faults: faults.slice(0, LIMITS.faultsMax),
    })
  const changes = await entryChanges(tx, accountId, key, entries, isWhole)
  if (changes.unexpected.length > 0)
    throw new ShelfwireError('conflict', 'nothing was written: prices were changed meanwhile; read them again', {
      // no row has a fault here, so the index of an entry is that of its row
      faults: changes.unexpected
        .slice(0, LIMITS.faultsMax)
        .map((i) => ({ name: `${must(rows[i]).at}.${NOT_EXPECTED.name}`, reason: NOT_EXPECTED.reason })),
    })
  const byProduct = new Map<number, Map<number, string | null>>()
  const note = (productId: number, groupId: number, amount: string | null) => {
    const ofProduct = byProduct.get(productId) ?? new Map<number, string | null>()
    ofProduct.set(groupId, amount)
    byProduct.set(productId, ofProduct)
  }
  for (const entry of [...changes.created, ...changes.changed]) note(entry.productId, entry.groupId, entry.amount)
  for (const entry of changes.removed) note(entry.productId, entry.groupId, null)
  const preview = await previewPriceList(tx, accountId, await accounts.get(tx, accountId), key, byProduct)
  const value = {
    created: changes.created.length,
    changed: changes.changed.length,
    removed: changes.removed.length,
    unchanged: changes.unchanged,
    preview,
  }
  if (isDryRun) return productsWritten([], value)
  if (preview.jumps > 0 && !isConfirmed)
    throw new ShelfwireError(
      'conflict',
      `nothing was written: ${preview.jumps} prices would change by more than the account's price_jump_factor; look at them with dry_run=true, and send it again with confirm=true`,
      { faults: [{ name: 'confirm', reason: JUMPS }] },
    )
  return { ...(await writeEntries(tx, accountId, key, changes)), value }
}

const JUMPS = "must be true where prices change by more than the account's price_jump_factor"

/** The rows with their products, which are locked against deletion; adds the faults of the other rows. */
async function judged(
  tx: Tx,
  accountId: number,
  rows: readonly EntryRow[],
  groups: readonly GroupInput[],
  faults: Fault[],
): Promise<EntryWrite[]> {
  const fail = (at: string, reason: string) => {
    if (faults.length < LIMITS.faultsMax) faults.push({ name: at, reason })
  }
  const skus = rows.flatMap(({ key }, at) => (key.by === 'sku' ? [{ at, sku: key.sku }] : []))
  const eans = rows.flatMap(({ key }, at) => (key.by === 'ean' ? [{ at, ean: key.ean, gtin: gtinOf(key.ean) }] : []))
  const found = skus.length + eans.length === 0 ? [] : await productsByKeys(tx, accountId, skus, eans)
  const foundOf = Map.groupBy(found, ({ at }) => at)
  const idsOf = (i: number, { key }: EntryRow) =>
    key.by === 'product_id' ? [key.productId] : (foundOf.get(i) ?? []).map(({ productId }) => productId)
  const named = rows.map((row, i) => idsOf(i, row))
  const alive = new Set(await productsLockShared(tx, accountId, [...new Set(named.flat())]))
  const known = new Set(groups.map(({ groupId }) => groupId))
  const seen = new Map<string, string>()
  const entries: EntryWrite[] = []
  const turn = openYielding()
  for (const [i, { at, key, groupId, amount, expected }] of rows.entries()) {
    const [productId, second] = named[i] ?? []
    const text = key.by === 'product_id' ? String(key.productId) : quoted(key.by === 'sku' ? key.sku : key.ean)
    if (second !== undefined) fail(at, `${key.by}: ${text}: products ${productId} and ${second} have it`)
    else if (productId === undefined || !alive.has(productId)) fail(at, `${key.by}: ${text}: no product has it`)
    else if (groupId !== 0 && !known.has(groupId)) fail(at, `group_id: the account has no customer group ${groupId}`)
    else {
      const place = `${productId}.${groupId}`
      const before = seen.get(place)
      if (before === undefined) {
        seen.set(place, at)
        entries.push({ productId, groupId, amount, expected })
      } else fail(at, `is the product and customer group of ${before} again`)
    }
    const others = turn()
    if (others !== null) await others
  }
  return entries
}
