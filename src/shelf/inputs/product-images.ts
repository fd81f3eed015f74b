import type { Tx } from '../../db/sql.ts'
import { registerImages } from '../../images/register/register.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import { imageKey, namedImages } from '../../resolve/content/images.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { urlsIn } from '../../resolve/sourcing/sources.ts'
import { imageInputs, imageUrlInputs } from './inputs.sql.ts'
import { imageStates } from './read-inputs.ts'

/** The pictures of the products that one shelving transaction resolves. */
export interface ProductImages {
  /** Registers pictures that have no row yet. @returns the products with the states of all their pictures. */
  registered(products: readonly ProductInputs[]): Promise<readonly ProductInputs[]>
}

/**
 * Registers pictures as far as necessary; for most batches they are registered already, which takes no statement. The first
 * product whose pictures differ from the registered ones causes all products of the batch to be registered together.
 * @param productIds all products of which whole payloads are resolved, locked.
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
      // products read before that registration need only the states now
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

/** Whether the pictures registered for a product are those that it names. */
export function isComplete(product: ProductInputs): boolean {
  const named = namedImages(product)
  const known = Object.keys(product.images)
  return known.length === named.size && known.every((url) => named.has(url))
}

/** The pictures that all products of the batch name; products that have been read already are not read again. */
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
