import { Problem } from '../problem.ts'
import { NAME_FIELDS, TEXT_FIELDS } from '../../contract-names.ts'
import { PRODUCT_CREATE, PRODUCT_PATCH, type Fault } from './body-shapes.ts'
import { canonicalLocale } from './offers.ts'
import { requireEchoed, requireShape } from './request.ts'
import {
  nextProduct,
  ownSku,
  productIds,
  productIn,
  productsOfEans,
  productsOfSku,
  type Call,
  type Made,
  type ProductAsSet,
  type Work,
} from './written.ts'

// Products and their overrides.

const ECHOED = ['id', 'created_at', 'variant_group']
/** Members that are maps by store; `exclusions` may also have `*`, for every store. */
const BY_STORE = new Set(['listings', 'exclusions', 'slugs'])
const EVERY = '*'

type Members = Record<string, unknown>

/** @throws Problem unknown-product */
export const productOfPath = (call: Call): ProductAsSet => productAsSet(call, productIn(call))

/** A product's resource: the overrides that were written, or an empty one for a product that the account has. */
export function productAsSet(call: Call, id: number): ProductAsSet {
  const empty = {
    id,
    created_at: call.since,
    sku: ownSku(call, id),
    ean: null,
    ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, {}])),
    ...Object.fromEntries(NAME_FIELDS.map((name) => [name, null])),
    images: null,
    image_alts: {},
    attributes: {},
    listings: {},
    exclusions: {},
    slugs: {},
  }
  return call.written.products.get(id) ?? (empty as unknown as ProductAsSet)
}

export function patchProduct(call: Call): Work {
  const body = requireShape(call.body, PRODUCT_PATCH, 'product')
  return () => patch(call, body)
}

async function patch(call: Call, body: Members): Promise<Made> {
  const before = productOfPath(call)
  await call.match(before)
  requireEchoed('product', body, ECHOED, before)
  const product = changed(call, before, body)
  return {
    status: 200,
    data: product,
    next: { products: new Map(call.written.products).set(product.id, product) },
    writes: [{ kind: 'product', productId: product.id, before, now: product }],
  }
}

/** The resource after a merge patch. @throws Problem invalid-input */
function changed(call: Call, before: ProductAsSet, body: Members): ProductAsSet {
  refuseUnknownStores(call, body)
  const now = { ...(before as unknown as Members) }
  for (const [name, value] of Object.entries(body)) {
    if (ECHOED.includes(name)) continue
    const isMap = (TEXT_FIELDS as readonly string[]).includes(name) || BY_STORE.has(name)
    const isDeep = name === 'attributes' || name === 'image_alts'
    now[name] = isMap || isDeep ? merged(now[name] as Members, value as Members | null, placeIn(name), isDeep) : value
  }
  return now as unknown as ProductAsSet
}

/** Creates a product without an offer. */
export function createProduct(call: Call): Work {
  const body = requireShape(call.body, PRODUCT_CREATE, 'product')
  return () => {
    const id = nextProduct(call)
    const product = { ...changed(call, productAsSet(call, id), body), created_at: call.at }
    return Promise.resolve({
      status: 201,
      data: product,
      location: `/v1/account/products/${id}`,
      next: {
        made: new Map(call.written.made).set(id, product.sku),
        products: new Map(call.written.products).set(id, product),
      },
      writes: [{ kind: 'product', productId: id, before: null, now: product }],
    })
  }
}

/** A page of products by ID; with `sku` or `ean`, at most two that have it. */
export function listProducts(call: Call): object {
  const {
    per_page: perPage,
    after = 0,
    sku,
    ean,
  } = call.query as {
    per_page: number
    after?: number
    sku?: string
    ean?: string
  }
  const ofSku = sku === undefined ? null : productsOfSku(call, sku).slice(0, 2)
  const ofEan = ean === undefined ? null : productsOfEans(call, [ean]).slice(0, 2)
  const all = ofSku === null ? (ofEan ?? productIds(call)) : ofSku.filter((id) => ofEan?.includes(id) ?? true)
  const rest = all.filter((id) => id > after)
  const ids = rest.slice(0, perPage)
  const next = rest.length > perPage ? (ids.at(-1) ?? null) : null
  return { data: ids.map((id) => productAsSet(call, id)), meta: { per_page: perPage, next_after: next } }
}

export const deleteProduct =
  (call: Call): Work =>
  () =>
    remove(call)

async function remove(call: Call): Promise<Made> {
  const before = productOfPath(call)
  await call.match(before)
  const { id } = before
  const { written } = call
  const without = <K, V>(map: ReadonlyMap<K, V>, isOf: (key: K, value: V) => boolean) =>
    new Map([...map].filter(([key, value]) => !isOf(key, value)))
  return {
    status: 204,
    next: {
      stock: without(written.stock, (key) => key === id),
      products: without(written.products, (key) => key === id),
      offers: without(written.offers, (_, offer) => offer.product_id === id),
      deleted: new Set(written.deleted).add(id),
    },
    writes: [{ kind: 'product', productId: id, before, now: null }],
  }
}

/** Normalizes the names within a map member: locales to their canonical form, others not at all. */
const placeIn = (name: string) =>
  BY_STORE.has(name) || name === 'attributes' ? (place: string) => place : canonicalLocale

/** A map after a merge patch, sorted by name. With `isDeep` its values are maps, too; one that becomes empty is removed. */
function merged(before: Members, patch: Members | null, place: (name: string) => string, isDeep: boolean): Members {
  if (patch === null) return {}
  const all = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(patch)) {
    const at = place(name)
    const next =
      isDeep && value !== null
        ? merged((all.get(at) ?? {}) as Members, value as Members, (inner) => inner, false)
        : value
    if (next === null || (isDeep && Object.keys(next as Members).length === 0)) all.delete(at)
    else all.set(at, next)
  }
  return sorted(all)
}

/** Sorts by name, so that equal maps have equal JSON. */
export const sorted = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

/** @throws Problem invalid-input */
function refuseUnknownStores({ catalog }: Call, body: Members): void {
  const faults: Fault[] = [...BY_STORE].flatMap((name) =>
    Object.keys((body[name] ?? {}) as Members)
      .filter((slug) => !(name === 'exclusions' && slug === EVERY) && !catalog.slugs.includes(slug))
      .map((slug) => ({ name: `${name}.${slug.slice(0, 80)}`, reason: 'the account has no such store' })),
  )
  const [first] = faults
  if (first !== undefined) throw new Problem('invalid-input', `${first.name} ${first.reason}`, { faults })
}
