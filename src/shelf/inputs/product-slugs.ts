import {
  productsLackingSlugs,
  slugsTake,
  slugsTakeBack,
  slugsTakeKept,
  type SlugRow,
} from '../../catalog/products/slugs/slugs.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { withId } from '../../model/slug.ts'
import { LIMITS } from '../../platform/limits.ts'
import { slugIn, wantedSlug } from '../../resolve/content/additional-members.ts'
import { findListing, isNeverListed } from '../../resolve/rules/assortment.ts'
import { listingBasisOf } from '../../resolve/basis.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { readProductInputs } from './read-inputs.ts'
import { charactersOf, nextSlice, type Weights } from '../slices.ts'

/** The slugs of the products that one shelving transaction resolves. */
export interface ProductSlugs {
  /** The products with a slug in each store that lists them. @param later ids of the products of the batch that are resolved later. */
  registered(products: readonly ProductInputs[], later: readonly number[]): Promise<readonly ProductInputs[]>
  /** The inputs of products that are resolved next: from those kept when slugs were taken, otherwise read now. */
  read(productIds: readonly number[]): Promise<readonly ProductInputs[]>
}

/**
 * Takes slugs as far as necessary; for most batches none is missing, which takes no statement. The first product without a slug causes slugs to be
 * taken for all products of the batch together, in key order, so that concurrent shelvers that want the same slugs cannot deadlock.
 * docs/decisions/167-slugs-are-registered.md says why.
 * @param readInputs reads the inputs of products.
 */
export function openProductSlugs(
  tx: Tx,
  accountId: number,
  account: CompiledAccount,
  weights: Weights,
  readInputs = readProductInputs,
): ProductSlugs {
  let isRegistered = !account.account.additionalMembers.includes('slug')
  const kept = new Map<number, ProductInputs>()
  return {
    async registered(products, later) {
      if (isRegistered) return products
      const wanted = products.flatMap((product) => wantedSlugs(account, product))
      if (wanted.length === 0) return products
      isRegistered = true
      const wantedLater = await readLater(tx, accountId, account, later, weights, kept, readInputs)
      const taken = await take(tx, accountId, [...wanted, ...wantedLater])
      const takenOf = Map.groupBy(taken, ({ productId }) => productId)
      const withTaken = (product: ProductInputs): ProductInputs => {
        const more = takenOf.get(product.productId)
        return more === undefined ? product : { ...product, slugs: [...product.slugs, ...more] }
      }
      for (const [productId, product] of kept) kept.set(productId, withTaken(product))
      return products.map(withTaken)
    },
    async read(productIds) {
      if (kept.size === 0) return readInputs(tx, accountId, productIds)
      const found = productIds.flatMap((productId) => {
        const product = kept.get(productId)
        return product !== undefined && kept.delete(productId) ? [product] : []
      })
      if (found.length === productIds.length) return found
      const has = new Set(found.map(({ productId }) => productId))
      const others = productIds.filter((productId) => !has.has(productId))
      return [...found, ...(await readInputs(tx, accountId, others))].sort((a, b) => a.productId - b.productId)
    },
  }
}

/** The slugs that a product needs: one for each store that lists it, if it has a title and no slug there. */
export function wantedSlugs(account: CompiledAccount, product: ProductInputs): SlugRow[] {
  const { productId } = product
  if (product.isDeleted) return []
  // stores that do not list the product have no slug of it either, so they are checked each time it is shelved
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

/** The slugs that products resolved later need. Their inputs are kept, up to a limit because texts may be long; beyond it they are read again. */
async function readLater(
  tx: Tx,
  accountId: number,
  account: CompiledAccount,
  productIds: readonly number[],
  weights: Weights,
  kept: Map<number, ProductInputs>,
  readInputs: typeof readProductInputs,
): Promise<SlugRow[]> {
  if (productIds.length === 0) return []
  const storeIds = account.stores.map(({ store }) => store.storeId)
  const ids = await productsLackingSlugs(tx, accountId, storeIds, productIds)
  const wanted: SlugRow[] = []
  let characters = 0
  let count: number = LIMITS.shelveSliceProducts
  for (let at = 0; at < ids.length;) {
    const next = nextSlice(ids, at, count, weights)
    const slice = await readInputs(tx, accountId, next)
    at += next.length
    for (const product of slice) {
      wanted.push(...wantedSlugs(account, product))
      characters += charactersOf(product)
      if (characters <= LIMITS.shelveKeptCharacters) kept.set(product.productId, product)
    }
    // as many as can be expected to fit into the kept characters, by the average so far
    count = Math.max(1, Math.floor((LIMITS.shelveKeptCharacters * at) / Math.max(1, characters)))
  }
  return wanted
}

/** Takes each wanted slug, or the product's own form of it (with its id) if another product has it. At most three statements. */
async function take(tx: Tx, accountId: number, wanted: readonly SlugRow[]): Promise<SlugRow[]> {
  const taken: SlugRow[] = await slugsTake(tx, accountId, wanted)
  const lacking = without(wanted, taken)
  if (lacking.length === 0) return taken
  // own forms that the product had before the owner gave it another slug
  const back = await slugsTakeBack(tx, accountId, lacking)
  const lost = without(lacking, back).map((row) => ({ ...row, slug: withId(row.slug, row.productId) }))
  if (lost.length > 0) await slugsTakeKept(tx, accountId, lost)
  return [...taken, ...back, ...lost]
}

function without(rows: readonly SlugRow[], found: readonly SlugRow[]): SlugRow[] {
  const has = new Set(found.map(({ storeId, productId }) => `${storeId} ${productId}`))
  return rows.filter(({ storeId, productId }) => !has.has(`${storeId} ${productId}`))
}
