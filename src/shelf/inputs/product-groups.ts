import { variantGroupIdsTake } from '../../catalog/products/variants/variant-groups.sql.ts'
import { marksAppend } from '../../catalog/stale/marks.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import type { GroupPlace, ProductInputs } from '../../resolve/inputs.ts'
import { ownGroupId, statedGroupPlaces } from '../../resolve/content/variant-group.ts'
import { joinGroups, type GroupedStatement } from './join-groups.ts'
import {
  groupsOfKeys,
  groupsTurn,
  membersDelete,
  membersOf,
  membersOfGroups,
  membersWrite,
  type MemberRow,
} from './variant-groups.sql.ts'

type Stated = Omit<GroupPlace, 'groupId'>

const keyOf = ({ supplierId, key }: Pick<GroupPlace, 'supplierId' | 'key'>) => `${supplierId} ${key}`
const rowKey = (row: Pick<MemberRow, 'productId' | 'supplierId' | 'key'>) => `${row.productId} ${keyOf(row)}`

/** The valid statements about a product's group, by the owner or by offers. */
export const statedBy = (account: Pick<CompiledAccount, 'suppliers' | 'sources'>, product: ProductInputs): Stated[] =>
  statedGroupPlaces(account.suppliers, product, (offers) => account.sources.general(offers))

/** Whether the groups registered for a product are those that are stated. */
export function isGroupRegistered(stated: readonly Stated[], { groups }: Pick<ProductInputs, 'groups'>): boolean {
  if (stated.length !== groups.length) return false
  if (stated.length === 0) return true
  const known = new Map(groups.map((place) => [keyOf(place), place.position]))
  return stated.every((place) => known.get(keyOf(place)) === place.position)
}

/**
 * Registers the variant groups of locked products. For most batches they are registered already, which takes no statement. Otherwise it takes the
 * account's turn and recomputes the groups affected; products outside the batch whose group id changes are marked and shelved later.
 * @returns the products with their groups, the ids of products whose statements changed (`movers`), and the ids of products marked (`marked`).
 */
export async function registerGroups(
  tx: Tx,
  accountId: number,
  account: CompiledAccount,
  products: readonly ProductInputs[],
): Promise<{ products: readonly ProductInputs[]; movers: readonly number[]; marked: readonly number[] }> {
  const moving = products.flatMap((product) => {
    // most products have no group
    if (product.groups.length === 0 && product.ownGroup === null && product.offers.every(({ group }) => group === null))
      return []
    const stated = statedBy(account, product)
    return isGroupRegistered(stated, product) ? [] : [{ productId: product.productId, stated }]
  })
  if (moving.length === 0) return { products, movers: [], marked: [] }
  await groupsTurn(tx, accountId)
  // in later statements, because groups may have changed while this waited for the turn
  const ids = products.map(({ productId }) => productId)
  const before = await membersOf(tx, accountId, ids)
  const written = await place(tx, accountId, moving, before)
  const changed = written.filter(({ wasId, groupId }) => wasId !== groupId)
  const here = new Set(ids)
  const others = changed.map(({ productId }) => productId).filter((productId) => !here.has(productId))
  const marked = [...new Set(others)]
  await marksAppend(tx, accountId, marked)
  const moved = new Set(moving.map(({ productId }) => productId))
  const after = new Map([
    ...before.filter(({ productId }) => !moved.has(productId)).map((row) => [rowKey(row), row] as const),
    ...written.filter(({ productId }) => here.has(productId)).map((row) => [rowKey(row), row] as const),
  ])
  const placesOf = Map.groupBy(after.values(), ({ productId }) => productId)
  const placed = products.map((product) => ({
    ...product,
    groups: (placesOf.get(product.productId) ?? []).map(({ supplierId, key, groupId, position }) => ({
      supplierId,
      key,
      groupId,
      position,
    })),
  }))
  return { products: placed, movers: [...moved], marked }
}

/** A row with its former group and position; null: a new row. */
type Written = MemberRow & { wasId: number | null; wasPosition: number | null }

/** Registers the statements about these products, and joins and splits groups accordingly. @returns the affected rows, changed or not. */
async function place(
  tx: Tx,
  accountId: number,
  moving: readonly { productId: number; stated: readonly Stated[] }[],
  known: readonly MemberRow[],
): Promise<Written[]> {
  const knownOf = Map.groupBy(known, ({ productId }) => productId)
  const old = moving.flatMap(({ productId }) => knownOf.get(productId) ?? [])
  const rowOf = new Map(old.map((row) => [rowKey(row), row]))
  const stated = moving.flatMap(({ productId, stated: places }) => places.map((each) => ({ ...each, productId })))
  /** The present group of a statement. The id of a group by hand is known before the group is registered. */
  const knownId = (row: Omit<MemberRow, 'groupId' | 'position'>) =>
    ownGroupId(row) ?? rowOf.get(rowKey(row))?.groupId ?? null
  const kept = new Set(stated.map(rowKey))
  const gone = old.filter((row) => !kept.has(rowKey(row)))
  const keys = [...new Map(stated.map((each) => [keyOf(each), each])).values()]
  const grouped = keys.length === 0 ? [] : await groupsOfKeys(tx, accountId, keys)
  // a product that leaves one of several groups may have joined them; one that leaves its only group splits nothing
  const loaded = new Set(gone.flatMap((row) => ((knownOf.get(row.productId)?.length ?? 0) > 1 ? [row.groupId] : [])))
  for (const id of joined([...stated.map((row) => ({ ...row, groupId: knownId(row) })), ...grouped.map(asStatement)]))
    loaded.add(id)
  // all members of a group are read only if it is joined with another or may be split
  const moved = new Set(moving.map(({ productId }) => productId))
  const max = LIMITS.groupStatementsJoinedMax
  const members = loaded.size === 0 ? [] : await membersOfGroups(tx, accountId, [...loaded], max + 1)
  const isTooLarge = members.length > max
  let needed = 0
  // placeholders below zero until ids are taken: most changes need none
  const takeId = () => -++needed
  let all: (MemberRow | (typeof stated)[number])[] = stated
  let found: number[]
  if (isTooLarge) found = idsByKey(stated, rowOf, grouped, takeId)
  else {
    for (const row of members) rowOf.set(rowKey(row), row)
    all = [...members.filter(({ productId }) => !moved.has(productId)), ...stated]
    const placed = [
      ...all.map((row): GroupedStatement => ({ ...row, groupId: knownId(row) })),
      ...grouped.filter(({ groupId }) => !loaded.has(groupId)).map(asStatement),
    ]
    found = joinGroups(placed, takeId)
  }
  const fresh = needed === 0 ? [] : await variantGroupIdsTake(tx, needed)
  const rows = all.map(({ productId, supplierId, key, position }, i): Written => {
    const id = must(found[i])
    const was = rowOf.get(rowKey({ productId, supplierId, key }))
    return {
      productId,
      supplierId,
      key,
      position,
      groupId: id < 0 ? must(fresh[-id - 1]) : id,
      wasId: was?.groupId ?? null,
      wasPosition: was?.position ?? null,
    }
  })
  await membersDelete(tx, accountId, gone)
  await membersWrite(
    tx,
    accountId,
    rows.filter((row) => row.wasId !== row.groupId || row.wasPosition !== row.position),
  )
  return rows
}

/**
 * The groups of statements whose groups are too large to be read whole: each statement gets the group of its key, and groups are neither joined nor
 * split. Otherwise a supplier that states one key for everything would make the shelver read a million rows for each product.
 */
function idsByKey(
  stated: readonly (Stated & { productId: number })[],
  rowOf: ReadonlyMap<string, MemberRow>,
  grouped: readonly Omit<GroupPlace, 'position'>[],
  takeId: () => number,
): number[] {
  const idOfKey = new Map(grouped.map((each) => [keyOf(each), each.groupId]))
  return stated.map((each) => {
    const id = ownGroupId(each) ?? rowOf.get(rowKey(each))?.groupId ?? idOfKey.get(keyOf(each)) ?? takeId()
    idOfKey.set(keyOf(each), id)
    return id
  })
}

/** Represents all members of a group by one pseudo-product that has all of its keys. */
const asStatement = ({ supplierId, key, groupId }: Omit<GroupPlace, 'position'>): GroupedStatement => ({
  productId: -groupId,
  supplierId,
  key,
  groupId,
})

/** The ids of existing groups that are joined with one another. */
function joined(placed: readonly GroupedStatement[]): number[] {
  let made = 0
  const found = joinGroups(placed, () => --made)
  const idsOf = new Map<number, Set<number>>()
  for (const [i, { groupId }] of placed.entries()) {
    if (groupId === null) continue
    const id = must(found[i])
    idsOf.set(id, (idsOf.get(id) ?? new Set()).add(groupId))
  }
  return [...idsOf.values()].flatMap((ids) => (ids.size > 1 ? [...ids] : []))
}
