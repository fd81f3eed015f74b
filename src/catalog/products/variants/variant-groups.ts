import { isDeepStrictEqual } from 'node:util'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import type { Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { trimmed } from '../../../model/blank.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { must } from '../../../platform/must.ts'
import { mergedTexts, textsByLocale, type TextChanges } from '../../settings/content/texts-by-locale.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { productsLockExclusive } from '../products.sql.ts'
import {
  ownPlacesDelete,
  ownPlacesOf,
  ownPlacesWrite,
  variantGroupDelete,
  variantGroupIdsTake,
  variantGroupsCount,
  variantGroupWrite,
  type OwnOption,
  type OwnPlaceRow,
  type OwnVariant,
  type VariantGroupRow,
} from './variant-groups.sql.ts'

// Variant groups by hand. The owner's decision on a product takes precedence over what suppliers state: the product is in the owner's group, or in
// none. The products of each group are registered when they are shelved, as for suppliers' groups
// (docs/decisions/159-groups-are-joined-by-their-products.md).

export interface VariantGroupChanges {
  /** By locale; null removes one entry or, in place of the map, all. */
  title?: TextChanges | null
  /** Replaces all. */
  options?: readonly { key: string; labels?: TextChanges | null }[]
  /** Replaces all, in the given order. */
  products?: readonly { productId: number; options?: Readonly<Record<string, string>> | null }[]
}

/**
 * Creates a group. Its products leave the groups that they were in by hand.
 * @returns its id. @throws ShelfwireError invalid-input, unknown-product; conflict where the account has too many groups.
 */
export async function createVariantGroup(
  tx: Tx,
  accountId: number,
  input: VariantGroupChanges,
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const group = checkGroup({ title: {}, options: [], products: [] }, input)
  if ((await variantGroupsCount(tx, accountId)) >= LIMITS.ownVariantGroupsMax) {
    throw new ShelfwireError(
      'conflict',
      `an account has at most ${LIMITS.ownVariantGroupsMax} groups of variants by hand`,
    )
  }
  const [groupId] = await variantGroupIdsTake(tx, 1)
  const row = await lockedGroup(tx, accountId, { groupId: must(groupId), ...group }, [], input.products)
  await variantGroupWrite(tx, accountId, row)
  return productsWritten(await placeProducts(tx, accountId, row, [], true), row.groupId)
}

/** Edits a group. For products that are no longer in it, what suppliers state counts again. */
export async function editVariantGroup(
  tx: Tx,
  accountId: number,
  old: VariantGroupRow,
  changes: VariantGroupChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const wanted = { groupId: old.groupId, ...checkGroup(old, changes) }
  const isSame = isDeepStrictEqual([wanted.title, wanted.options], [old.title, old.options])
  // even if nothing changes: an earlier equal write may not be in the payloads yet
  const row = await lockedGroup(tx, accountId, wanted, old.products, changes.products)
  if (!isSame) await variantGroupWrite(tx, accountId, row)
  return productsWritten(await placeProducts(tx, accountId, row, old.products, !isSame))
}

/** Deletes a group: for its products, what suppliers state counts again. */
export async function deleteVariantGroup(tx: Tx, accountId: number, old: VariantGroupRow): Promise<Written> {
  await settingsLock(tx, accountId)
  const ids = old.products.map(({ productId }) => productId)
  await productsLockExclusive(tx, accountId, ids)
  await ownPlacesDelete(tx, accountId, ids)
  await variantGroupDelete(tx, accountId, old.groupId)
  await marksAppend(tx, accountId, ids)
  return productsWritten(ids)
}

/**
 * Takes products out of their groups, so that they are in none, whatever suppliers state.
 * @param isFollowing true removes the owner's decisions instead: what suppliers state counts again.
 * @returns the products whose decision changed.
 */
export async function ungroupProducts(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  isFollowing: boolean,
): Promise<Written<number[]>> {
  await settingsLock(tx, accountId)
  const ids = [...new Set(productIds)]
  requireAlive(productIds, new Set(await productsLockExclusive(tx, accountId, ids)), (i) => `product_ids.${i}`)
  const known = new Map((await ownPlacesOf(tx, accountId, ids)).map((row) => [row.productId, row]))
  const changed = ids
    .filter((id) => (isFollowing ? known.has(id) : known.get(id)?.groupId !== null))
    .sort((a, b) => a - b)
  if (isFollowing) await ownPlacesDelete(tx, accountId, changed)
  else
    await ownPlacesWrite(
      tx,
      accountId,
      changed.map((productId) => ({ productId, groupId: null, position: 0, options: {} })),
    )
  await marksAppend(tx, accountId, changed)
  return productsWritten(changed, changed)
}

/**
 * Locks the products that a group has or had. @returns the group without products that were deleted just now, unless the request named them.
 * @throws ShelfwireError unknown-product for those of `named` that the account does not have.
 */
async function lockedGroup(
  tx: Tx,
  accountId: number,
  row: VariantGroupRow,
  before: readonly OwnVariant[],
  named: VariantGroupChanges['products'] = [],
): Promise<VariantGroupRow> {
  const ids = [...new Set([...row.products, ...before].map(({ productId }) => productId))]
  const alive = new Set(await productsLockExclusive(tx, accountId, ids))
  requireAlive(
    named.map(({ productId }) => productId),
    alive,
    (i) => `products.${i}.product_id`,
  )
  return { ...row, products: row.products.filter(({ productId }) => alive.has(productId)) }
}

/** @throws ShelfwireError unknown-product; a fault for each product that the account does not have, named by its place in the request. */
function requireAlive(named: readonly number[], alive: ReadonlySet<number>, nameOf: (place: number) => string): void {
  const faults = named.flatMap((id, i) =>
    alive.has(id) ? [] : [{ name: nameOf(i), reason: `the account has no product ${id}` }],
  )
  const [first] = faults
  if (first !== undefined)
    throw new ShelfwireError('unknown-product', first.reason, { faults: faults.slice(0, LIMITS.faultsMax) })
}

/** Writes the places of a group's products. @returns the products whose place or options changed; all of them if the group's own texts changed. */
async function placeProducts(
  tx: Tx,
  accountId: number,
  { groupId, products }: VariantGroupRow,
  before: readonly OwnVariant[],
  isChanged: boolean,
): Promise<number[]> {
  const rows = products.map(({ productId, options }, i): OwnPlaceRow => ({
    productId,
    groupId,
    position: i + 1,
    options,
  }))
  const kept = new Set(rows.map(({ productId }) => productId))
  const gone = before.flatMap(({ productId }) => (kept.has(productId) ? [] : [productId]))
  const known = new Map((await ownPlacesOf(tx, accountId, [...kept])).map((row) => [row.productId, row]))
  const moved = rows.filter((row) => !isDeepStrictEqual(known.get(row.productId), row))
  await ownPlacesDelete(tx, accountId, gone)
  await ownPlacesWrite(tx, accountId, moved)
  const changed = [...(isChanged ? rows : moved).map(({ productId }) => productId), ...gone].sort((a, b) => a - b)
  await marksAppend(tx, accountId, changed)
  return changed
}

type Group = Omit<VariantGroupRow, 'groupId'>

/** Validates a group after changes. @returns its stored form. */
function checkGroup(old: Group, changes: VariantGroupChanges): Group {
  const check = new Check()
  const title = textsByLocale(
    check,
    'title',
    mergedTexts(check, 'title', old.title, changes.title),
    LIMITS.groupTitleLengthMax,
  )
  const options = changes.options === undefined ? old.options : checkOptions(check, changes.options)
  const known = new Set(options.map(({ key }) => key))
  // the values of removed options are removed, too, unless the request sends products
  const products =
    changes.products === undefined
      ? old.products.map(({ productId, options: values }) => ({
          productId,
          options: Object.fromEntries(Object.entries(values).filter(([key]) => known.has(key))),
        }))
      : checkProducts(check, changes.products, known)
  check.done('group of variants')
  return { title, options, products }
}

function checkOptions(check: Check, given: NonNullable<VariantGroupChanges['options']>): OwnOption[] {
  check.that(given.length <= LIMITS.groupOptionsMax, 'options', `must be at most ${LIMITS.groupOptionsMax}`)
  const seen = new Set<string>()
  return given.slice(0, LIMITS.groupOptionsMax).map(({ key: sent, labels }, i) => {
    const at = `options.${i}`
    const key = check.text(`${at}.key`, sent, LIMITS.attributeKeyLengthMax)
    check.that(!seen.has(key), `${at}.key`, 'is duplicated')
    seen.add(key)
    const name = `${at}.labels`
    return { key, labels: textsByLocale(check, name, mergedTexts(check, name, {}, labels), LIMITS.nameLengthMax) }
  })
}

function checkProducts(
  check: Check,
  given: NonNullable<VariantGroupChanges['products']>,
  known: ReadonlySet<string>,
): OwnVariant[] {
  check.that(given.length <= LIMITS.groupProductsMax, 'products', `must be at most ${LIMITS.groupProductsMax}`)
  const seen = new Set<number>()
  return given.slice(0, LIMITS.groupProductsMax).map(({ productId, options }, i) => {
    const at = `products.${i}`
    check.that(!seen.has(productId), `${at}.product_id`, 'is duplicated')
    seen.add(productId)
    const keys = new Set<string>()
    const values = Object.entries(options ?? {}).map(([sent, value]) => {
      const key = trimmed(sent)
      const name = `${at}.options.${key.slice(0, 40)}`
      check.that(!keys.has(key), name, 'is duplicated')
      keys.add(key)
      check.that(known.has(key), name, 'is not among the options of the group')
      return [key, check.text(name, value, LIMITS.groupOptionValueLengthMax)] as const
    })
    return { productId, options: Object.fromEntries(values) }
  })
}
