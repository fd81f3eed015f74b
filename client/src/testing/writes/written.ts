import type { Schemas } from '../../api.ts'
import type { Catalog } from '../catalog.ts'
import { Problem, type Reply } from '../problem.ts'

// What an account has written: own stock, offers, and what is set on products. It is kept as it was sent and read back; what becomes of it for
// readers is said by the test. docs/decisions/229-the-fake-keeps-writes-and-resolves-none.md says why.

export type OwnStock = Schemas['StockResource']
export type Offer = Schemas['OfferResource']
export type Supplier = Schemas['SupplierResource']
export type Rate = Schemas['RateResource']
export type ProductAsSet = Schemas['ProductResource']

/** One write that has changed something, before it is answered. `null`: there was nothing, or there is nothing any more. */
export type Write =
  | { kind: 'stock'; productId: number; before: OwnStock | null; now: OwnStock | null }
  | { kind: 'offer'; productId: number; supplier: string; sku: string; before: Offer | null; now: Offer | null }
  | { kind: 'product'; productId: number; before: ProductAsSet | null; now: ProductAsSet | null }
  | { kind: 'supplier'; productId: null; before: Supplier | null; now: Supplier | null }
  | { kind: 'rate'; productId: null; before: Rate | null; now: Rate | null }

/** Whatever is left out is as for a new one. */
export interface GivenSupplier extends Partial<Supplier> {
  code: string
  /** ISO 4217; `EUR` unless set. */
  currency?: string
}

/** Of a supplier and its key. */
export type OfferKey = `${string}\n${string}`
export const offerKey = (supplier: string, sku: string): OfferKey => `${supplier}\n${sku}`

/** Replaced as a whole by each write, so that a backup is a reference. */
export interface Written {
  stock: ReadonlyMap<number, OwnStock>
  /** By supplier and key. */
  offers: ReadonlyMap<OfferKey, Offer>
  products: ReadonlyMap<number, ProductAsSet>
  /** By code. */
  suppliers: ReadonlyMap<string, Supplier>
  /** By currency. */
  rates: ReadonlyMap<string, Rate>
  /** The products of offers that were deleted, to which they return. */
  offered: ReadonlyMap<OfferKey, number>
  /** Products that were made by writes, with their own keys, and those that were deleted. */
  made: ReadonlyMap<number, string | null>
  deleted: ReadonlySet<number>
  /** By ID, the newest last. */
  operations: ReadonlyMap<number, KeptOperation>
  answers: ReadonlyMap<string, { request: string; reply: Reply }>
}

export interface KeptOperation {
  operation: Schemas['Operation']
  errors: readonly Schemas['OperationError'][]
}

/** Work that begins when it has been answered: a step of it, with what is left; null: nothing. */
export type Later = (call: Call) => Pick<Made, 'next' | 'writes'> & { later: Later | null }

/** What a handler knows of a request. */
export interface Call {
  catalog: Catalog
  account: Schemas['AccountResource']
  written: Written
  /** Of the path. */
  params: readonly string[]
  body: unknown
  /** When the account was made, as a timestamp. */
  since: string
  /** The present, as a timestamp. */
  at: string
  /** Parameters of the query, as they are read. */
  query: Readonly<Record<string, unknown>>
  /** Compares If-Match and If-None-Match with what there is. */
  match(current: unknown): Promise<void>
}

/** What a handler makes of a request. */
export interface Made {
  status: 200 | 201 | 202 | 204
  data?: unknown
  location?: string
  /** In place of `{ data }`, without an ETag. */
  whole?: object
  next: Partial<Written>
  /** In their order. */
  writes: readonly Write[]
  /** What goes on afterwards, and what is to be said where `onWrite` throws at it. */
  later?: { run: Later; failed: (call: Call, message: string) => Partial<Written> }
}

/** What is done when the body has been read, and the write was not made before. */
export type Work = () => Promise<Made>

const ID = /^[1-9]\d{0,18}$/
const NO_PRODUCT = 'the account has no such product'

/** The ID of a path. @throws Problem unknown-product where none can be so */
export function idIn({ params }: Call): number {
  const text = params[0] ?? ''
  const id = ID.test(text) ? Number(text) : 0
  if (id > 0 && Number.isSafeInteger(id)) return id
  throw new Problem('unknown-product', NO_PRODUCT)
}

/** A product of the path that the account has. @throws Problem unknown-product */
export function productIn(call: Call): number {
  const id = idIn(call)
  if (hasProduct(call, id)) return id
  throw new Problem('unknown-product', NO_PRODUCT)
}

export const hasProduct = ({ catalog, written }: Call, id: number): boolean =>
  !written.deleted.has(id) && (written.made.has(id) || catalog.has(id))

/** Of all products that the account has, ascending. */
export const productIds = (call: Call): number[] =>
  [...new Set([...call.written.made.keys(), ...call.catalog.ids()])]
    .filter((id) => hasProduct(call, id))
    .sort((a, b) => a - b)

/** The number of a product that is made. */
export function nextProduct({ catalog, written }: Call): number {
  let highest = 0
  for (const ids of [catalog.ids(), written.made.keys(), written.deleted])
    for (const id of ids) highest = Math.max(highest, id)
  return highest + 1
}

/** Its own key: what is set, that of the offer that made it, or the one that stores show. */
export function ownSku({ catalog, written }: Call, id: number): string | null {
  const set = written.products.get(id)
  return set === undefined ? (written.made.get(id) ?? catalog.skuOf(id)) : set.sku
}

/** By ID ascending. */
export function productsOfSku(call: Call, sku: string): number[] {
  const ids = call.catalog.idsOfSku(sku)
  for (const [id, own] of call.written.made) if (own === sku) ids.add(id)
  for (const product of call.written.products.values()) if (product.sku === sku) ids.add(product.id)
  return [...ids].filter((id) => hasProduct(call, id) && ownSku(call, id) === sku).sort((a, b) => a - b)
}

/** By ID ascending: those that have one by an offer or by what is set, and those that stores show with one. */
export function productsOfEans({ catalog, written }: Call, eans: readonly string[]): number[] {
  const ids = catalog.idsOfEans(eans)
  for (const offer of written.offers.values())
    if (offer.eans.some((ean) => eans.includes(ean))) ids.add(offer.product_id)
  for (const { id, ean } of written.products.values()) if (ean !== null && eans.includes(ean)) ids.add(id)
  return [...ids].filter((id) => !written.deleted.has(id)).sort((a, b) => a - b)
}

export const unknownReference = (detail: string) => new Problem('unknown-reference', detail)
