import type { Tx } from '../../db/sql.ts'
import { registerImages } from '../../images/register/register.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import { imageKey, namedImages } from '../../resolve/content/images.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { urlsIn } from '../../resolve/sourcing/sources.ts'
import { imageInputs, imageUrlInputs } from './inputs.sql.ts'
import { imageStates } from './read-inputs.ts'

/** The pictures of the products of one transaction of the shelver. */
export interface ProductImages {
  /** The products with the states of all pictures that they name; pictures without a row are registered. */
  registered(products: readonly ProductInputs[]): Promise<readonly ProductInputs[]>
}

/**
 * Sees to it that pictures are registered, which for most batches they are: that costs no statement. The first product that
 * names others than are registered for it makes all products of the batch be registered, at once.
 * @param productIds all products whose whole payload is resolved, locked.
 */
export function openProductImages(
  tx: Tx,
  accountId: number,
  account: CompiledAccount,
  productIds: readonly number[],
): ProductImages {
  const hasCopies = account.account.imageBase !== null
  let isRegistered = false
  return {
    async registered(products) {
      if (!hasCopies || products.every(isComplete)) return products
      // those that were read before the others of the batch were registered lack nothing but the states
      if (!isRegistered) await registerImages(tx, accountId, await namedBy(tx, accountId, productIds, products))
      isRegistered = true
      // in a later statement: registering may have waited for a change of state
      const rows = await imageInputs(
        tx,
        accountId,
        products.map(({ productId }) => productId),
      )
      const rowsOf = Map.groupBy(rows, ({ productId }) => productId)
      return products.map((product) => ({ ...product, images: imageStates(rowsOf.get(product.productId) ?? []) }))
    },
  }
}

/** Whether the pictures that are registered for a product are those that it names. */
export function isComplete(product: ProductInputs): boolean {
  const named = namedImages(product)
  const known = Object.keys(product.images)
  return known.length === named.size && known.every((url) => named.has(url))
}

/** The pictures that all products of the batch name; of those that were read already, as they were read. */
async function namedBy(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  products: readonly ProductInputs[],
): Promise<Map<number, Set<string>>> {
  const named = new Map<number, Set<string>>(productIds.map((id) => [id, new Set()]))
  const read = new Set(products.map(({ productId }) => productId))
  const others = productIds.filter((id) => !read.has(id))
  const { offers, overrides } = await imageUrlInputs(tx, accountId, others)
  for (const { productId, images } of offers) for (const url of images) named.get(productId)?.add(imageKey(url))
  for (const { productId, value } of overrides)
    for (const url of urlsIn(value) ?? []) named.get(productId)?.add(imageKey(url))
  for (const product of products) named.set(product.productId, namedImages(product))
  return named
}
