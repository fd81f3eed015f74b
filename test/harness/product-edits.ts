import { editLockedProduct, type ProductChanges } from '../../src/catalog/products/edit-product.ts'
import { lockProducts } from '../../src/catalog/products/require-products.ts'
import { productsWritten, type Written } from '../../src/catalog/stale/written.ts'
import type { Tx } from '../../src/db/sql.ts'

// Edits of several products, through the function by which the service edits one.

/** Locks a product and edits it, as a request does. */
export async function editProduct(
  tx: Tx,
  accountId: number,
  productId: number,
  changes: ProductChanges,
): Promise<Written> {
  await lockProducts(tx, accountId, [productId])
  return editLockedProduct(tx, accountId, productId, changes)
}

const NONE = { overrides: [], attributeOverrides: [], attributeResets: [], listings: [], exclusions: [] } as const

/** Edits products in id order, the order in which every writer of several products locks them. */
async function editEach(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  changes: Partial<ProductChanges>,
): Promise<Written> {
  const edited: number[] = []
  for (const productId of [...new Set(productIds)].toSorted((a, b) => a - b)) {
    const written = await editProduct(tx, accountId, productId, {
      ...structuredClone(NONE),
      ...changes,
    } as ProductChanges)
    edited.push(...written.productIds)
  }
  return productsWritten(edited)
}

/** Sets manually whether a store lists the products. */
export const setListing = (
  tx: Tx,
  accountId: number,
  storeId: number,
  productIds: readonly number[],
  isListed: boolean,
): Promise<Written> => editEach(tx, accountId, productIds, { listings: [{ storeId, isListed }] })

/** Chooses the EAN that is shown; null: the first supplier's again. */
export const setPrimaryEan = (tx: Tx, accountId: number, productId: number, ean: string | null): Promise<Written> =>
  editEach(tx, accountId, [productId], { ean })

/** Sets a product's slug in a store by hand; null: it is generated again. The store must have the slug `main` and the locale `en`. */
export const setSlug = (
  tx: Tx,
  accountId: number,
  productId: number,
  storeId: number,
  text: string | null,
): Promise<Written> =>
  editEach(tx, accountId, [productId], { slugs: [{ storeId, name: 'slugs.main', locale: 'en', text }] })
