import type { CustomerGroup, Price, Product, Store } from '../answers.ts'
import { MEMBERS } from '../contract-names.ts'
import { productText } from '../verify/product-text.ts'

// Completes the products that tests state.

/** A product as a test states it: members that are left out get default values. */
export interface GivenProduct extends Partial<Omit<Product, 'id' | 'store' | 'texts'>> {
  id: number
  /** The same price for every customer group, in place of `prices`; 10 unless either is set. */
  price?: number
}

export interface GivenStore {
  slug: string
  /** 1, 2, 3, … unless set. */
  id?: number
  name?: string
  /** BCP 47; `en` unless set. */
  locale?: string
  /** ISO 4217; `EUR` unless set. */
  currency?: string
  /** The first store is the default one unless another is marked. */
  is_default?: boolean
}

export interface GivenGroup {
  name: string
  id?: number
  is_default?: boolean
}

/** Completes stores, the default one first. @throws TypeError where two have the same slug or id */
export function storesOf(given: readonly GivenStore[]): Store[] {
  const hasDefault = given.some((store) => store.is_default === true)
  const stores = given.map(({ slug, id, name, locale, currency, is_default: isDefault }, i) => ({
    id: id ?? i + 1,
    slug,
    name: name ?? slug,
    locale: locale ?? 'en',
    currency: currency ?? 'EUR',
    is_default: hasDefault ? isDefault === true : i === 0,
  }))
  for (const name of ['slug', 'id'] as const)
    if (new Set(stores.map((store) => store[name])).size < stores.length)
      throw new TypeError(`two stores have the same ${name}`)
  return stores.sort((a, b) => Number(b.is_default) - Number(a.is_default))
}

export function groupsOf(given: readonly GivenGroup[]): CustomerGroup[] {
  const hasDefault = given.some((group) => group.is_default === true)
  return given
    .map(({ id, name, is_default: isDefault }, i) => ({
      id: id ?? i + 1,
      name,
      is_default: hasDefault ? isDefault === true : i === 0,
    }))
    .sort((a, b) => a.id - b.id)
}

/**
 * The product as the store shows it, members in the order in which the service writes them.
 * @throws TypeError for an impossible ID, and for a member that products do not have
 */
export function wholeProduct(given: GivenProduct, store: Store, groups: readonly CustomerGroup[]): Product {
  const { id, price, ...stated } = given
  if (!Number.isSafeInteger(id) || id < 1)
    throw new TypeError(`the id of a product is a whole number above 0, not ${id}`)
  const known: readonly string[] = MEMBERS.product
  const unknown = Object.keys(stated).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`products have no member "${unknown}"; known are price, ${known.join(', ')}`)
  const prices = stated.prices ?? groups.map((group) => priceOf(group, price ?? 10, store.currency))
  const isWithoutPrice = prices.length === 0
  const made = {
    sku: `SKU-${id}`,
    ean: null,
    title: `Product ${id}`,
    description: null,
    manufacturer: null,
    images: [],
    // the service excludes products without a price
    excluded: isWithoutPrice,
    exclusion_reason: isWithoutPrice ? 'no_price' : null,
    attributes: [],
    stock: 5,
  }
  const members = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
  return JSON.parse(productText({ ...made, ...members, id, store: store.slug, prices })) as Product
}

const priceOf = (group: CustomerGroup, price: number, currency: string): Price => ({
  customer_group_id: group.id,
  customer_group: group.name,
  base_cost: price,
  computed_price: price,
  currency,
  applied_rule_id: 1,
  is_default: group.is_default,
})
