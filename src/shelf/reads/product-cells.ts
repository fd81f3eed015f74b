import { ownStockOf } from '../../catalog/products/stock/own-stock.sql.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { shownValue, type ShownField } from '../../resolve/explain/shown-values.ts'
import { suppliedValue, type OwnableField } from '../../resolve/content/supplied.ts'
import { compiledAccounts } from '../inputs/compiled-inputs.ts'
import { withReadingTurn } from '../inputs/looked-at.ts'
import { productSlices } from '../inputs/product-slices.ts'

/**
 * A column of cells: a field, the reason for a manual exclusion from a store, the price in a price list, or a value that stores read and that cannot
 * be overridden.
 */
export type CellColumn =
  | OwnableField
  | ShownField
  | { field: 'excluded'; storeId: number }
  | { field: 'price'; listKey: string }

export interface ProductCell {
  /** The owner's value; false: the owner hides the attribute; null: none. */
  own: string | false | null
  /** The suppliers' value; for columns that cannot be overridden, the value that stores read. null: none. */
  supplied: string | null
}

export interface ProductCells {
  productId: number
  ownStock: { quantity: number; cost: string | null } | null
  /** One per column, in the order of the columns. */
  cells: ProductCell[]
}

/** The owner's and the suppliers' values of these products, in one snapshot, by id. Products that do not exist are left out. */
export async function readProductCells(
  db: Db,
  accountId: number,
  productIds: readonly number[],
  columns: readonly CellColumn[],
): Promise<ProductCells[]> {
  return withReadingTurn(db, accountId, productIds, () => cellsIn(db, accountId, productIds, columns))
}

function cellsIn(
  db: Db,
  accountId: number,
  productIds: readonly number[],
  columns: readonly CellColumn[],
): Promise<ProductCells[]> {
  return inTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    const [compiled, stocks] = await Promise.all([
      compiledAccounts(db).read(tx, accountId),
      ownStockOf(tx, accountId, productIds),
    ])
    const stockOf = new Map(stocks.map(({ productId, quantity, cost }) => [productId, { quantity, cost }]))
    const found: ProductCells[] = []
    for await (const { products } of productSlices(tx, accountId, productIds))
      for (const product of products) {
        if (product.isDeleted) continue
        const { productId } = product
        const cells = columns.map((column) => cellOf(compiled, product, column))
        found.push({ productId, ownStock: stockOf.get(productId) ?? null, cells })
      }
    return found.sort((a, b) => a.productId - b.productId)
  })
}

function cellOf(compiled: CompiledAccount, product: ProductInputs, column: CellColumn): ProductCell {
  const own = ownValue(product, column)
  if (column.field === 'excluded' || column.field === 'price') return { own, supplied: null }
  const supplied = isShown(column) ? shownValue(compiled, product, column) : suppliedValue(compiled, product, column)
  return { own, supplied }
}

const isShown = (column: CellColumn): column is ShownField =>
  column.field === 'slug' || column.field === 'eans' || column.field === 'image_alts'

function ownValue(product: ProductInputs, column: CellColumn): string | false | null {
  if (column.field === 'excluded')
    return product.exclusions.find(({ storeId }) => storeId === column.storeId)?.reason ?? null
  if (column.field === 'attribute') {
    const found = product.attributeOverrides.find(({ key, locale }) => key === column.key && locale === '')
    return found === undefined ? null : (found.value ?? false)
  }
  if (column.field === 'price')
    return (
      product.listEntries.find(({ listKey, groupId }) => listKey === column.listKey && groupId === 0)?.amount ?? null
    )
  if (isShown(column)) return null
  const place = 'locale' in column ? column.locale : ''
  return product.overrides.find(({ field, locale }) => field === column.field && locale === place)?.value ?? null
}
