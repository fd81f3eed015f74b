import { productAsSet, sorted } from '../products.ts'
import type { ProductAsSet } from '../written.ts'
import { findProduct, PRODUCT_KEY_MEMBERS, readProductKey } from './product-key.ts'
import { failed, NOT_EXPECTED, Row, type Bulk, type Result, type RowsWriter } from './row.ts'

// Exclusions of products by hand.

const MEMBERS = [...PRODUCT_KEY_MEMBERS, 'store', 'reason', 'expected']
const EVERY = '*'

/** Of several rows for one product and store the last one counts. The result of each row says whether any of them has changed the product. */
export const writeExclusionRows: RowsWriter = (bulk, rows) => {
  const { draft, writes } = bulk
  /** By product and store: the reasons after the rows so far. They are compared with the former ones at the end. */
  const reasons = new Map<number, Map<string, string | null>>()
  const read = rows.map((sent) => readRow(bulk, sent, reasons))
  const changed = new Set<number>()
  for (const [productId, places] of reasons) {
    const before = productAsSet(bulk.call, productId)
    const exclusions = sorted(places)
    if (JSON.stringify(before.exclusions) === JSON.stringify(exclusions)) continue
    const now: ProductAsSet = { ...before, exclusions }
    draft.products.set(productId, now)
    writes.push({ kind: 'product', productId, before, now })
    changed.add(productId)
  }
  return read.map((one): Result =>
    typeof one === 'number' ? { status: changed.has(one) ? 'changed' : 'unchanged', product_id: one } : one,
  )
}

/** Applies a row to the reasons. @returns the id of its product, or the result of a refused row */
function readRow({ call }: Bulk, sent: unknown, reasons: Map<number, Map<string, string | null>>): number | Result {
  const row = new Row(sent, MEMBERS)
  const key = readProductKey(row)
  row.need('reason')
  const store = row.get('store') ?? null
  const slug = store === null ? null : row.text('store')
  const reason = row.has('reason') ? (row.textOrNull('reason') ?? null) : null
  const expected = row.get('expected')
  if (expected !== undefined && expected !== null && typeof expected !== 'string')
    row.note('expected', 'must be the reason as it was read, or null')
  if (!row.isGood || key === undefined) return failed(row.faults)

  const found = findProduct(call, key)
  if (typeof found !== 'number') return found
  if (typeof slug === 'string' && !call.catalog.slugs.includes(slug))
    return failed([{ name: 'store', reason: `the account has no store "${slug}"` }])
  const place = slug ?? EVERY
  const places = reasons.get(found) ?? new Map(Object.entries(productAsSet(call, found).exclusions ?? {}))
  reasons.set(found, places)
  if (expected !== undefined && expected !== (places.get(place) ?? null)) return failed([NOT_EXPECTED], found)
  if (reason === null) places.delete(place)
  else places.set(place, reason)
  return found
}
