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

/** The slugs of the products of one transaction of the shelver. */
export interface ProductSlugs {
  /** The products with a slug in each store that lists them. @param later those of the batch whose turn comes later. */
  registered(products: readonly ProductInputs[], later: readonly number[]): Promise<readonly ProductInputs[]>
  /** The inputs of products whose turn has come: those that were read for their slugs, as far as they are kept, and the others now. */
  read(productIds: readonly number[]): Promise<readonly ProductInputs[]>
}

/**
 * Sees to it that products have slugs in the stores that list them, which for most batches they have: that costs no statement. The first product
 * that lacks one makes all products of the batch that lack one get it, at once: in the order of the keys, so that shelvers of other products that
 * ask for the same ones wait for each other and never in a circle. docs/decisions/167-slugs-are-registered.md says why.
 * @param readInputs how the inputs of products whose turn has come are read.
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

/**
 * The same of products that are read for it. They are kept until their turn comes, up to a limit, because their texts may be long: those beyond it
 * are read again then.
 */
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
    // as many as those before it let expect to be kept
    count = Math.max(1, Math.floor((LIMITS.shelveKeptCharacters * at) / Math.max(1, characters)))
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
