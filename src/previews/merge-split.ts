import type { OfferKey } from '../catalog/products/merge-split.sql.ts'
import { mergeProducts, splitProduct } from '../catalog/products/merge-split.ts'
import { ownStockOf, type OwnStockRow } from '../catalog/products/stock/own-stock.sql.ts'
import { productSources, type ProductSources } from '../catalog/products/product-resource.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { mapYielding } from '../platform/turns/yielding.ts'
import { resolve, type Resolution } from '../resolve/resolve.ts'
import { charactersOf, partsOf } from '../shelf/slices.ts'
import { withNewHolds } from '../shelf/payloads/price-guard.ts'
import { compiledAccounts } from '../shelf/inputs/compiled-inputs.ts'
import { withReadingTurn } from '../shelf/inputs/looked-at.ts'
import { productSlices } from '../shelf/inputs/product-slices.ts'
import { readProductInputs } from '../shelf/inputs/read-inputs.ts'

// Previews of a merge or split: it is executed, the products are resolved, and all of it is rolled back. Nothing is computed in a second way, and
// what the preview refuses, the write refuses as well.

/** What clients would read of a product in one store; null: it is not listed. */
export interface Shown {
  title: string | null
  sku: string | null
  /** The default customer group's price as decimal text; null: none. */
  price: string | null
  currency: string
  isHeld: boolean
  stock: number
  exclusionReason: string | null
}

interface Regrouped {
  /** null: the product that a split would create. */
  productId: number | null
  stores: { store: string; before: Shown | null; after: Shown | null }[]
}

export interface RegroupPreview {
  /** The product that is kept comes first. */
  products: Regrouped[]
  /** The offers, stock and values of the products that a merge would delete. */
  takes: { productId: number; offers: OfferKey[]; stock: OwnStockRow | null; sources: ProductSources }[]
  stock: { before: OwnStockRow | null; after: OwnStockRow | null }
}

/** @throws ShelfwireError as mergeProducts. */
export function previewMerge(
  db: Db,
  accountId: number,
  winnerId: number,
  loserIds: readonly number[],
): Promise<RegroupPreview> {
  const losers = [...new Set(loserIds)]
  return rolledBack(db, accountId, [winnerId, ...losers], async (tx) => {
    const compiled = await compiledAccounts(db).read(tx, accountId)
    const [before] = await readProductInputs(tx, accountId, [winnerId])
    // of the deleted products only the results are kept, not their inputs
    const gone = new Map<number, { stores: Regrouped['stores']; offers: OfferKey[] }>()
    for await (const { products } of productSlices(tx, accountId, losers))
      for (const product of products) {
        const stores = await comparison(compiled, product, undefined)
        gone.set(product.productId, { stores, offers: product.offers.map(keyOf) })
      }
    const [sources, stock] = [
      await productSources(tx, accountId, losers),
      await ownStockOf(tx, accountId, [winnerId, ...losers]),
    ]
    await mergeProducts(tx, accountId, winnerId, losers)
    const [merged] = await readProductInputs(tx, accountId, [winnerId])
    const [stockAfter = null] = await ownStockOf(tx, accountId, [winnerId])
    const stockOf = (productId: number) => stock.find((row) => row.productId === productId) ?? null
    return {
      products: [
        { productId: winnerId, stores: await comparison(compiled, before, merged) },
        ...losers.map((productId) => ({ productId, stores: gone.get(productId)?.stores ?? [] })),
      ],
      takes: sources.map((entry) => ({
        productId: entry.productId,
        offers: gone.get(entry.productId)?.offers ?? [],
        stock: stockOf(entry.productId),
        sources: entry,
      })),
      stock: { before: stockOf(winnerId), after: stockAfter },
    }
  })
}

/** @param readMade reads from the product that the split creates, before it is rolled back. @throws ShelfwireError as splitProduct. */
export function previewSplit<Made>(
  db: Db,
  accountId: number,
  productId: number,
  offers: readonly OfferKey[],
  readMade: (tx: Tx, newId: number) => Promise<Made>,
): Promise<RegroupPreview & { made: Made }> {
  return rolledBack(db, accountId, [productId], async (tx) => {
    const compiled = await compiledAccounts(db).read(tx, accountId)
    const [before] = await readProductInputs(tx, accountId, [productId])
    const [stock = null] = await ownStockOf(tx, accountId, [productId])
    const { value: newId } = await splitProduct(tx, accountId, productId, offers)
    const after = await readProductInputs(tx, accountId, [productId, newId])
    const afterOf = (id: number) => after.find((product) => product.productId === id)
    return {
      products: [
        { productId, stores: await comparison(compiled, before, afterOf(productId)) },
        { productId: null, stores: await comparison(compiled, undefined, afterOf(newId)) },
      ],
      takes: [],
      stock: { before: stock, after: stock },
      made: await readMade(tx, newId),
    }
  })
}

const keyOf = ({ supplierId, supplierSku }: OfferKey): OfferKey => ({ supplierId, supplierSku })

class RolledBack extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('a preview was rolled back')
    this.value = value
  }
}

async function rolledBack<T>(
  db: Db,
  accountId: number,
  productIds: readonly number[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await withReadingTurn(db, accountId, productIds, () =>
      inTransaction(db, async (tx) => {
        throw new RolledBack(await work(tx))
      }),
    )
  } catch (error) {
    if (error instanceof RolledBack) return error.value as T
    throw error
  }
}

/** The stores in which clients would read something different, in the members of `Shown`. Long products are resolved in some stores at a time. */
async function comparison(
  compiled: CompiledAccount,
  before: ProductInputs | undefined,
  after: ProductInputs | undefined,
): Promise<Regrouped['stores']> {
  const heavier = [before, after].filter((product) => product !== undefined)
  const [longest] = heavier.toSorted((a, b) => charactersOf(b) - charactersOf(a))
  const parts = longest === undefined ? [] : [...partsOf(compiled, [longest])]
  return (await mapYielding(parts, ({ account }) => comparisonIn(account, before, after))).flat()
}

function comparisonIn(
  compiled: CompiledAccount,
  before: ProductInputs | undefined,
  after: ProductInputs | undefined,
): Regrouped['stores'] {
  const old = before === undefined ? [] : resolve(compiled, before)
  const fresh = after === undefined ? [] : resolve(compiled, after)
  const places = fresh.map(({ store, pricing }, i) => ({
    storeId: store.storeId,
    shown: old[i]?.pricing.shown ?? [],
    pricing,
  }))
  const guarded = after === undefined ? after : withNewHolds(after, places, compiled)
  const final = guarded === undefined || guarded === after ? fresh : resolve(compiled, guarded)
  return compiled.stores.flatMap(({ store }, i) => {
    const [was, is] = [shownOf(compiled, old[i]), shownOf(compiled, final[i])]
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ store: store.slug, before: was, after: is }]
  })
}

function shownOf(compiled: CompiledAccount, resolution: Resolution | undefined): Shown | null {
  const payload = resolution?.payload ?? null
  if (resolution === undefined || payload === null) return null
  const { store, pricing } = resolution
  const isDefault = ({ groupId }: { groupId: number }) => groupId === compiled.defaultGroupId
  return {
    title: payload.content.title,
    sku: payload.content.sku,
    price: pricing.shown.find(isDefault)?.computedPrice.toFixed() ?? null,
    currency: store.currency,
    isHeld: pricing.held.some(isDefault),
    stock: payload.price.stock,
    exclusionReason: payload.content.exclusion_reason,
  }
}
