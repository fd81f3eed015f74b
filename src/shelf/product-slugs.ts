import {
  productsLackingSlugs,
  slugsTake,
  slugsTakeBack,
  slugsTakeKept,
  type SlugRow,
} from '../catalog/products/slugs.sql.ts'
import type { Tx } from '../db/sql.ts'
import { withId } from '../model/slug.ts'
import { LIMITS } from '../platform/limits.ts'
import { slugIn, wantedSlug } from '../resolve/additional-members.ts'
import { findListing, isNeverListed } from '../resolve/assortment.ts'
import { listingBasisOf } from '../resolve/basis.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { readProductInputs } from './read-inputs.ts'

/** The slugs of the products of one transaction of the shelver. */
export interface ProductSlugs {
  /** The products with a slug in each store that lists them. @param later those of the batch that are not read yet. */
  registered(products: readonly ProductInputs[], later: readonly number[]): Promise<readonly ProductInputs[]>
}

/**
 * Sees to it that products have slugs in the stores that list them, which for most batches they have: that costs no statement. The first product
 * that lacks one makes all products of the batch that lack one get it, at once: in the order of the keys, so that shelvers of other products that
 * ask for the same ones wait for each other and never in a circle. docs/decisions/167-slugs-are-registered.md says why.
 */
export function openProductSlugs(tx: Tx, accountId: number, account: CompiledAccount): ProductSlugs {
  let isRegistered = !account.account.additionalMembers.includes('slug')
  return {
    async registered(products, later) {
      if (isRegistered) return products
      const wanted = products.flatMap((product) => wantedSlugs(account, product))
      if (wanted.length === 0) return products
      isRegistered = true
      const taken = await take(tx, accountId, [...wanted, ...(await wantedLater(tx, accountId, account, later))])
      const takenOf = Map.groupBy(taken, ({ productId }) => productId)
      return products.map((product) => {
        const more = takenOf.get(product.productId)
        return more === undefined ? product : { ...product, slugs: [...product.slugs, ...more] }
      })
    },
  }
}

/** The slugs that a product asks for: in the stores that list it, and in which it has a title and no slug. */
export function wantedSlugs(account: CompiledAccount, product: ProductInputs): SlugRow[] {
  const { productId } = product
  if (product.isDeleted) return []
  // also those that do not list it, each time it is shelved
  const lacking = account.stores.filter(
    ({ store, assortment }) =>
      slugIn(product, store.storeId) === undefined && !isNeverListed(store, assortment, product),
  )
  if (lacking.length === 0) return []
  const { facts, sources } = listingBasisOf(account, product)
  const titles = account.sources.of('title', sources)
  return lacking
    .filter(({ store, assortment }) => findListing(store, assortment, product, facts).isListed)
    .flatMap((inStore) => {
      const slug = wantedSlug(inStore, product, titles)
      return slug === null ? [] : [{ storeId: inStore.store.storeId, productId, slug }]
    })
}

/** The same of products that are read for it, and read again when their turn comes: their texts may be long. */
async function wantedLater(
  tx: Tx,
  accountId: number,
  account: CompiledAccount,
  productIds: readonly number[],
): Promise<SlugRow[]> {
  if (productIds.length === 0) return []
  const storeIds = account.stores.map(({ store }) => store.storeId)
  const ids = await productsLackingSlugs(tx, accountId, storeIds, productIds)
  const wanted: SlugRow[] = []
  for (let at = 0; at < ids.length; at += LIMITS.shelveSliceProducts) {
    const slice = await readProductInputs(tx, accountId, ids.slice(at, at + LIMITS.shelveSliceProducts))
    for (const product of slice) wanted.push(...wantedSlugs(account, product))
  }
  return wanted
}

/** Gives each product its slug, or where another one has it, its own form of it, in at most three statements. */
async function take(tx: Tx, accountId: number, wanted: readonly SlugRow[]): Promise<SlugRow[]> {
  const taken: SlugRow[] = await slugsTake(tx, accountId, wanted)
  const lacking = without(wanted, taken)
  if (lacking.length === 0) return taken
  // its own, from before the owner gave it another one
  const back = await slugsTakeBack(tx, accountId, lacking)
  const lost = without(lacking, back).map((row) => ({ ...row, slug: withId(row.slug, row.productId) }))
  if (lost.length > 0) await slugsTakeKept(tx, accountId, lost)
  return [...taken, ...back, ...lost]
}

function without(rows: readonly SlugRow[], found: readonly SlugRow[]): SlugRow[] {
  const has = new Set(found.map(({ storeId, productId }) => `${storeId} ${productId}`))
  return rows.filter(({ storeId, productId }) => !has.has(`${storeId} ${productId}`))
}
