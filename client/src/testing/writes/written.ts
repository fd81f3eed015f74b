import type { Schemas } from '../../api.ts'
import type { Catalog } from '../catalog.ts'
import { Problem, type Reply } from '../problem.ts'

// The data that an account has written: own stock, offers, products, settings. They can be read back, but the fake resolves nothing: what readers see
// of a write, the test states. docs/decisions/229-the-fake-keeps-writes-and-resolves-none.md says why.

export type OwnStock = Schemas['StockResource']
export type Offer = Schemas['OfferResource']
export type Supplier = Schemas['SupplierResource']
export type Rate = Schemas['RateResource']
export type ProductAsSet = Schemas['ProductResource']

/** A write that has changed something, before it is answered. `before` is null where it was created, `now` where it was deleted. */
export type Write =
  | { kind: 'stock'; productId: number; before: OwnStock | null; now: OwnStock | null }
  | { kind: 'offer'; productId: number; supplier: string; sku: string; before: Offer | null; now: Offer | null }
  | { kind: 'product'; productId: number; before: ProductAsSet | null; now: ProductAsSet | null }
  | { kind: 'supplier'; productId: null; before: Supplier | null; now: Supplier | null }
  | { kind: 'rate'; productId: null; before: Rate | null; now: Rate | null }

/** A supplier as a test states it; members that are left out have the values of a new one. */
export interface GivenSupplier extends Partial<Supplier> {
  code: string
  /** ISO 4217; `EUR` unless set. */
  currency?: string
}

/** A supplier's code and its SKU. */
export type OfferKey = `${string}\n${string}`
export const offerKey = (supplier: string, sku: string): OfferKey => `${supplier}\n${sku}`

/** The account's state. Each write replaces it as a whole, so that a backup is only a reference. */
export interface Written {
  stock: ReadonlyMap<number, OwnStock>
  /** By supplier and SKU. */
  offers: ReadonlyMap<OfferKey, Offer>
  products: ReadonlyMap<number, ProductAsSet>
  /** By code. */
  suppliers: ReadonlyMap<string, Supplier>
  /** By currency. */
  rates: ReadonlyMap<string, Rate>
  /** The products of deleted offers, to which they return when they are written again. */
  offered: ReadonlyMap<OfferKey, number>
  /** Products that writes have made, with their SKU. */
  made: ReadonlyMap<number, string | null>
  /** Products that were deleted. */
  deleted: ReadonlySet<number>
  /** By ID, the newest last. */
  operations: ReadonlyMap<number, KeptOperation>
  /** Requests and their answers by Idempotency-Key. */
  answers: ReadonlyMap<string, { request: string; reply: Reply }>
}

export interface KeptOperation {
  operation: Schemas['Operation']
  errors: readonly Schemas['OperationError'][]
}

/** One step of work that is done after the answer. @returns the changes of this step, and the next one; null: it was the last */
export type DeferredStep = (call: Call) => Pick<Made, 'next' | 'writes'> & { later: DeferredStep | null }

/** A request, and the state that a handler needs for it. */
export interface Call {
  catalog: Catalog
  account: Schemas['AccountResource']
  written: Written
  /** The variable parts of the path. */
  params: readonly string[]
  body: unknown
  /** When the account was made, as a timestamp. */
  since: string
  /** The present, as a timestamp. */
  at: string
  /** Parameters of the query, parsed. */
  query: Readonly<Record<string, unknown>>
  /** Compares If-Match and If-None-Match with the present resource; null: there is none. @throws Problem precondition-failed */
  match(current: unknown): Promise<void>
}

/** The result of a handler: the answer, and the changes of the state. */
export interface Made {
  status: 200 | 201 | 202 | 204
  data?: unknown
  location?: string
  /** The whole body, in place of `{ data }`; the answer then has no ETag. */
  whole?: object
  next: Partial<Written>
  /** The changes in their order, for `onWrite`. */
  writes: readonly Write[]
  /** Work after the answer, and the state where `onWrite` throws during it. */
  later?: { run: DeferredStep; failed: (call: Call, message: string) => Partial<Written> }
}

/** The second part of a handler, after the body was checked. Skipped where the Idempotency-Key shows that the write was made before. */
export type Work = () => Promise<Made>

const ID = /^[1-9]\d{0,18}$/
const NO_PRODUCT = 'the account has no such product'

/** The product ID of a path. @throws Problem unknown-product where no product can have it */
export function idIn({ params }: Call): number {
  const text = params[0] ?? ''
  const id = ID.test(text) ? Number(text) : 0
  if (id > 0 && Number.isSafeInteger(id)) return id
  throw new Problem('unknown-product', NO_PRODUCT)
}

/** The ID of the path's product, which the account must have. @throws Problem unknown-product */
export function productIn(call: Call): number {
  const id = idIn(call)
  if (hasProduct(call, id)) return id
  throw new Problem('unknown-product', NO_PRODUCT)
}

export const hasProduct = ({ catalog, written }: Call, id: number): boolean =>
  !written.deleted.has(id) && (written.made.has(id) || catalog.has(id))

/** The ids of all products that the account has, ascending. */
export const productIds = (call: Call): number[] =>
  [...new Set([...call.written.made.keys(), ...call.catalog.ids()])]
    .filter((id) => hasProduct(call, id))
    .sort((a, b) => a - b)

/** The id for a new product. */
export function nextProduct({ catalog, written }: Call): number {
  let highest = 0
  for (const ids of [catalog.ids(), written.made.keys(), written.deleted])
    for (const id of ids) highest = Math.max(highest, id)
  return highest + 1
}

/** A product's SKU: the one that was set, else that of the offer which made it, else the one that stores list. */
export function ownSku({ catalog, written }: Call, id: number): string | null {
  const set = written.products.get(id)
  return set === undefined ? (written.made.get(id) ?? catalog.skuOf(id)) : set.sku
}

/** The ids of products that have a SKU, ascending. */
export function productsOfSku(call: Call, sku: string): number[] {
  const ids = call.catalog.idsOfSku(sku)
  for (const [id, own] of call.written.made) if (own === sku) ids.add(id)
  for (const product of call.written.products.values()) if (product.sku === sku) ids.add(product.id)
  return [...ids].filter((id) => hasProduct(call, id) && ownSku(call, id) === sku).sort((a, b) => a - b)
}

/** The ids of products that have one of the EANs by an offer, by an override or in a store, ascending. */
export function productsOfEans({ catalog, written }: Call, eans: readonly string[]): number[] {
  const ids = catalog.idsOfEans(eans)
  for (const offer of written.offers.values())
    if (offer.eans.some((ean) => eans.includes(ean))) ids.add(offer.product_id)
  for (const { id, ean } of written.products.values()) if (ean !== null && eans.includes(ean)) ids.add(id)
  return [...ids].filter((id) => !written.deleted.has(id)).sort((a, b) => a - b)
}

export const unknownReference = (detail: string) => new Problem('unknown-reference', detail)
