import {
  productExclusionsOf,
  productExclusionsWrite,
  type ProductExclusionRow,
} from '../../catalog/products/listings/exclusions.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { marksAppend } from '../../catalog/stale/marks.sql.ts'
import { productsWritten } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { readOptionalText } from '../../input/text.ts'
import { LIMITS } from '../../platform/limits.ts'
import { findProducts, PRODUCT_KEY_MEMBERS, readProductKey, type ProductKey } from './product-key.ts'
import { NOT_EXPECTED, Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'
import type { Rows } from './rows.ts'

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'store', 'reason', 'expected'])
const NO_KEY: ProductKey = { by: 'product_id', productId: 0 }
const SLUG_LENGTH_MAX = 63

interface ExclusionRow {
  members: Row
  key: ProductKey
  /** null: every store. */
  store: string | null
  /** null: removes the manual exclusion. */
  reason: string | null
  /** The reason that must be present, null for no exclusion; undefined: any. */
  expected: string | null | undefined
}

function readExclusion(sent: unknown): ExclusionRow {
  const members = new Row(sent, MEMBERS)
  const key = readProductKey(members) ?? NO_KEY
  members.need('reason')
  const given = members.get('store')
  const store = given === undefined || given === null ? null : (members.key('store', SLUG_LENGTH_MAX) ?? null)
  const reason = members.readOrNull('reason', (text) => readOptionalText(text, LIMITS.nameLengthMax)) ?? null
  const expected = members.get('expected')
  if (expected === undefined || expected === null || typeof expected === 'string')
    return { members, key, store, reason, expected }
  members.fault('expected', 'must be the reason as it was read, or null')
  return { members, key, store, reason, expected: undefined }
}

/**
 * Writes manual exclusions of a batch of rows {product_id or sku or ean, store, reason, expected}; of several rows for one product and store
 * the last one wins. The products are locked before the stores are read: a deletion of a store either locks the products later, and then
 * deletes these exclusions too, or has already deleted the store.
 */
export async function writeExclusions(tx: Tx, accountId: number, sent: Rows): Promise<BulkWritten> {
  const results = new Results(sent.length)
  const found = await findProducts(tx, accountId, await results.read(sent, readExclusion), results)
  const stores = new Map((await storesList(tx, accountId)).map((row) => [row.slug, row.storeId]))
  const named = found.flatMap(({ at, row: { productId, store, reason, expected } }) => {
    const storeId = store === null ? 0 : stores.get(store)
    if (storeId !== undefined) return [{ at, productId, storeId, reason, expected }]
    results.fail(at, [{ name: 'store', reason: `the account has no store "${store}"` }])
    return []
  })
  const expecting = named.filter(({ expected }) => expected !== undefined).map(({ productId }) => productId)
  const present = expecting.length === 0 ? [] : await productExclusionsOf(tx, accountId, [...new Set(expecting)])
  const reasons = new Map(present.map((row) => [`${row.productId}.${row.storeId}`, row.reason]))
  const rows = named.filter(({ at, productId, storeId, reason, expected }) => {
    const place = `${productId}.${storeId}`
    const isExpected = expected === undefined || expected === (reasons.get(place) ?? null)
    if (isExpected) reasons.set(place, reason)
    else results.fail(at, [NOT_EXPECTED], productId)
    return isExpected
  })
  const last = new Map<string, ProductExclusionRow>(
    rows.map(({ productId, storeId, reason }) => [`${productId}.${storeId}`, { productId, storeId, reason }]),
  )
  const changed = await productExclusionsWrite(tx, accountId, [...last.values()])
  await marksAppend(tx, accountId, [...new Set(changed)])
  const isChanged = new Set(changed)
  for (const { at, productId } of rows) results.done(at, isChanged.has(productId) ? 'changed' : 'unchanged', productId)
  return productsWritten(changed, results.list)
}
