import { Problem } from '../problem.ts'
import { NAME_FIELDS, TEXT_FIELDS } from '../../contract-names.ts'
import { OFFER, type Fault } from './body-shapes.ts'
import { readAmount, readPieces, takeOrNote } from './numbers.ts'
import { refuse, requireEchoed, requireShape } from './request.ts'
import {
  nextProduct,
  offerKey,
  productsOfEans,
  unknownReference,
  type Call,
  type Supplier,
  type Made,
  type Offer,
  type Work,
} from './written.ts'

// Offers of suppliers.

const ECHOED = ['supplier', 'sku', 'product_id', 'absent_since']
const SKU_LENGTH_MAX = 200

interface Key {
  supplier: Supplier
  sku: string
  known: Offer | null
}

/** @throws Problem unknown-supplier */
function supplierIn({ written, params: [code = ''] }: Call): Supplier {
  const supplier = written.suppliers.get(code)
  if (supplier !== undefined) return supplier
  throw new Problem('unknown-supplier', `the account has no supplier "${code.slice(0, 80)}"`)
}

/** @throws Problem unknown-supplier, unknown-reference */
function keyIn(call: Call): Key {
  const supplier = supplierIn(call)
  const [, sku = ''] = call.params
  if (sku.length > SKU_LENGTH_MAX || sku.includes('\0')) throw unknownReference('no offer can have this key')
  return { supplier, sku, known: call.written.offers.get(offerKey(supplier.code, sku)) ?? null }
}

/** A page of a supplier's offers by SKU. @throws Problem unknown-supplier */
export function listOffers(call: Call): object {
  const { per_page: perPage, after = '' } = call.query as { per_page: number; after?: string }
  const { code } = supplierIn(call)
  const rest = [...call.written.offers.values()]
    .filter(({ supplier, sku }) => supplier === code && sku > after)
    .sort((a, b) => (a.sku < b.sku ? -1 : 1))
  const data = rest.slice(0, perPage)
  return { data, meta: { per_page: perPage, next_after: rest.length > perPage ? (data.at(-1)?.sku ?? null) : null } }
}

/** @throws Problem unknown-supplier, unknown-reference */
export function findOffer(call: Call): Offer {
  const { supplier, sku, known } = keyIn(call)
  if (known === null) throw unknownReference(`supplier ${supplier.code} has no offer "${sku.slice(0, 80)}"`)
  return known
}

export function putOffer(call: Call): Work {
  const body = requireShape(call.body, OFFER, 'offer')
  return () => put(call, body)
}

async function put(call: Call, body: Record<string, unknown>): Promise<Made> {
  const { supplier, sku, known } = keyIn(call)
  await call.match(known)
  requireEchoed('offer', body, ECHOED, known ?? { supplier: supplier.code, sku })
  return made(call, known, newOffer(call, supplier, sku, offerMembers(body, supplier, {}), known?.product_id))
}

/** An offer with the given members, and defaults for all others. @param productId of an existing offer; unless set, the product that the offer joins */
export function newOffer(
  call: Call,
  supplier: Supplier,
  sku: string,
  members: Record<string, unknown>,
  productId?: number,
): Offer {
  const offer = {
    ...Object.fromEntries(NAME_FIELDS.map((name) => [name, null])),
    eans: [],
    cost: null,
    cost_tiers: null,
    currency: supplier.currency,
    quantity: 0,
    texts: {},
    attributes: [],
    images: [],
    image_alts: null,
    group: null,
    ...members,
    supplier: supplier.code,
    sku,
    absent_since: null,
  } as unknown as Offer
  return { ...offer, product_id: productId ?? productOf(call, supplier.code, sku, offer.eans) }
}

export function patchOffer(call: Call): Work {
  const body = requireShape(call.body, OFFER, 'offer')
  return () => patch(call, body)
}

async function patch(call: Call, body: Record<string, unknown>): Promise<Made> {
  const before = findOffer(call)
  await call.match(before)
  requireEchoed('offer', body, ECHOED, before)
  const { supplier } = keyIn(call)
  return made(call, before, { ...before, ...offerMembers(body, supplier, before.texts) })
}

export const deleteOffer =
  (call: Call): Work =>
  () =>
    remove(call)

async function remove(call: Call): Promise<Made> {
  const before = findOffer(call)
  await call.match(before)
  const offers = new Map(call.written.offers)
  offers.delete(offerKey(before.supplier, before.sku))
  const { supplier, sku, product_id: productId } = before
  // the product stays, even without offers, and the same offer would return to it
  const ofProduct = new Map(call.written.offered).set(offerKey(supplier, sku), productId)
  return {
    status: 204,
    next: { offers, offered: ofProduct },
    writes: [{ kind: 'offer', productId, supplier, sku, before, now: null }],
  }
}

function made(call: Call, before: Offer | null, now: Offer): Made {
  const { supplier, sku, product_id: productId } = now
  return {
    status: before === null ? 201 : 200,
    data: now,
    ...(before === null ? { location: `/v1/account/suppliers/${supplier}/offers/${encodeURIComponent(sku)}` } : {}),
    next: {
      offers: new Map(call.written.offers).set(offerKey(supplier, sku), now),
      ...(call.catalog.has(productId) || call.written.made.has(productId)
        ? {}
        : { made: new Map(call.written.made).set(productId, sku) }),
    },
    writes: [{ kind: 'offer', productId, supplier, sku, before, now }],
  }
}

/** The product that an offer joins: the one that it had before it was deleted, one with one of its EANs, or a new one. The service does so where no other key contradicts. */
function productOf(call: Call, supplier: string, sku: string, eans: readonly string[]): number {
  const { written } = call
  const offered = written.offered.get(offerKey(supplier, sku))
  if (offered !== undefined && !written.deleted.has(offered)) return offered
  if (eans.length > 0) {
    // two offers of one supplier never join the same product
    const own = [...written.offers.values()].filter((offer) => offer.supplier === supplier)
    const taken = new Set(own.map((offer) => offer.product_id))
    const joined = productsOfEans(call, eans).find((id) => !taken.has(id))
    if (joined !== undefined) return joined
  }
  return nextProduct(call)
}

/** The members that a body sets, in the form in which an offer keeps them. @throws Problem invalid-input */
export function offerMembers(
  body: Record<string, unknown>,
  supplier: Supplier,
  texts: Offer['texts'],
): Record<string, unknown> {
  const faults: Fault[] = []
  const take = takeOrNote(faults)
  const members = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
      if (ECHOED.includes(name)) return []
      if (name === 'texts') return [[name, mergedTexts(texts, value as Offer['texts'] | null)]]
      if (name === 'eans') return [[name, distinct(((value ?? []) as string[]).map(digitsOf))]]
      if (name === 'attributes') return [[name, value ?? []]]
      if (name === 'images') return [[name, distinct((value ?? []) as string[])]]
      if (name === 'group') return [[name, value === null ? null : wholeGroup(value as GivenOfferGroup)]]
      if (name === 'currency') return [[name, value ?? supplier.currency]]
      if (name === 'quantity') return [[name, value === null ? 0 : take(name, readPieces(value as number | string))]]
      if (name === 'cost' && value !== null) return [[name, take(name, readAmount(value as number | string))]]
      return [[name, value]]
    }),
  )
  refuse('offer', faults)
  return members
}

const distinct = (list: readonly string[]) => [...new Set(list)]
const digitsOf = (ean: string) => ean.replace(/[\s-]/g, '')

type OfferGroup = NonNullable<Offer['group']>
type GivenOfferGroup = Pick<OfferGroup, 'key'> & { [K in keyof OfferGroup]?: OfferGroup[K] | null }

/** Adds the members that were left out. */
function wholeGroup({ key, title, options, position }: GivenOfferGroup): OfferGroup {
  return {
    key,
    title: title ?? {},
    options: (options ?? []).map(({ label, ...option }) => ({ ...option, label: label ?? null })),
    position: position ?? null,
  }
}

/** A merge patch of texts, by canonical locale; null removes a text, or all texts of a locale. */
function mergedTexts(before: Offer['texts'], given: Offer['texts'] | null): Offer['texts'] {
  const texts = new Map(Object.entries(before))
  for (const [name, of] of Object.entries(given ?? {})) {
    const locale = canonicalLocale(name)
    if (of === null) {
      texts.delete(locale)
      continue
    }
    const merged = Object.entries({ ...texts.get(locale), ...of }).filter(([, text]) => text !== null)
    const ordered = TEXT_FIELDS.flatMap((field) => merged.filter(([name_]) => name_ === field))
    if (ordered.length === 0) texts.delete(locale)
    else texts.set(locale, Object.fromEntries(ordered))
  }
  return given === null ? {} : Object.fromEntries(texts)
}

/** `pl-pl` as `pl-PL`; a text that is no locale is returned unchanged. */
export function canonicalLocale(name: string): string {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? name
  } catch {
    return name
  }
}
