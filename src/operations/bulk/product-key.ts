import { gtinOf } from '../../model/gtin.ts'
import { productsLockExclusive } from '../../catalog/products/products.sql.ts'
import { productsByKeys } from '../../catalog/products/keys/product-keys.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { readEan } from '../../input/ean.ts'
import { quoted } from '../../input/verdict.ts'
import { readId } from '../../input/whole.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Candidate, Results } from './results.ts'
import type { Row } from './row.ts'

/** How a row identifies its product. */
export type ProductKey =
  | { by: 'product_id'; productId: number }
  /** The product's own key. */
  | { by: 'sku'; sku: string }
  | { by: 'ean'; ean: string }

const NAMES = ['product_id', 'sku', 'ean'] as const
export const PRODUCT_KEY_MEMBERS: readonly string[] = NAMES

/** The key of a row, which must have exactly one. */
export function readProductKey(row: Row): ProductKey | undefined {
  const [name, ...others] = NAMES.filter((member) => row.has(member))
  if (name === undefined)
    return row.isObject ? row.fault('product_id', 'is required: name the product by product_id, sku or ean') : undefined
  if (others.length > 0)
    return row.fault(others[0] ?? name, `name the product by one of ${NAMES.join(', ')}, not by several`)
  if (name === 'product_id') {
    const productId = row.read(name, readId)
    return productId === undefined ? undefined : { by: name, productId }
  }
  if (name === 'sku') {
    const sku = row.key(name, LIMITS.skuLengthMax)
    return sku === undefined ? undefined : { by: name, sku }
  }
  const ean = row.read(name, readEan)
  return ean === undefined ? undefined : { by: name, ean }
}

/** A row with its product, which is locked until the end of the transaction. */
export type OfProduct<T> = T & { productId: number }

/** Finds and locks the products of rows. Rows that match no product, or several, fail. At most two statements. */
export async function findProducts<T extends { key: ProductKey }>(
  tx: Tx,
  accountId: number,
  rows: readonly Candidate<T>[],
  results: Results,
): Promise<Candidate<OfProduct<T>>[]> {
  const skus = rows.flatMap(({ at, row: { key } }) => (key.by === 'sku' ? [{ at, sku: key.sku }] : []))
  const eans = rows.flatMap(({ at, row: { key } }) =>
    key.by === 'ean' ? [{ at, ean: key.ean, gtin: gtinOf(key.ean) }] : [],
  )
  const found = skus.length + eans.length === 0 ? [] : await productsByKeys(tx, accountId, skus, eans)
  const foundOf = Map.groupBy(found, (entry) => entry.at)
  const named = rows.flatMap(({ at, row }): Candidate<OfProduct<T>>[] => {
    const { key } = row
    const ids = key.by === 'product_id' ? [key.productId] : (foundOf.get(at) ?? []).map((entry) => entry.productId)
    const [productId] = ids
    if (productId !== undefined && ids.length === 1) return [{ at, row: { ...row, productId } }]
    const why =
      productId === undefined ? 'no product has it' : `products ${ids.join(' and ')} have it: name one by product_id`
    results.fail(at, [{ name: key.by, reason: `${describeKey(key)}: ${why}` }])
    return []
  })
  const held =
    named.length === 0
      ? []
      : await productsLockExclusive(tx, accountId, [...new Set(named.map(({ row }) => row.productId))])
  const alive = new Set(held)
  return named.filter(({ at, row: { key, productId } }) => {
    if (!alive.has(productId))
      results.fail(at, [{ name: key.by, reason: `${describeKey(key)}: the account has no such product` }])
    return alive.has(productId)
  })
}

function describeKey(key: ProductKey): string {
  return key.by === 'product_id' ? String(key.productId) : quoted(key.by === 'sku' ? key.sku : key.ean)
}
