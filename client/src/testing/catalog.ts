import type { ChangeType, CustomerGroup, ListedCategory, Product, Store } from '../answers.ts'
import { openHash, tagsOf, type Tags } from '../verify/halves.ts'
import { ChangeLog } from './change-log.ts'
import { wholeProduct, type GivenProduct } from './given-product.ts'
import { Problem } from './problem.ts'

// The data of a fake: stores with their products, and the change log.

/** A product in a store, with the JSON text in which it is served. */
export interface Listed {
  id: number
  product: Product
  text: string
}

interface Shown {
  store: Store
  isActive: boolean
  listed: ReadonlyMap<number, Listed>
  /** Former slugs of products -> the id of the product that had it last. */
  formerSlugs: ReadonlyMap<string, number>
}

export type Categories = Readonly<Record<string, readonly ListedCategory[]>>

const FORMER_SLUGS_MAX = 20

export class Catalog {
  readonly groups: readonly CustomerGroup[]
  readonly categories: Categories
  readonly log: ChangeLog
  readonly hash = openHash()
  readonly #stores: Map<string, Shown>
  readonly #tags = new WeakMap<Listed, Map<string, Tags | Promise<Tags>>>()
  readonly #waiting = new Set<() => void>()

  constructor(stores: readonly Store[], groups: readonly CustomerGroup[], categories: Categories, now: () => number) {
    this.groups = groups
    this.categories = categories
    this.log = new ChangeLog(now)
    this.#stores = new Map(
      stores.map((store) => [store.slug, { store, isActive: true, listed: new Map(), formerSlugs: new Map() }]),
    )
  }

  /** The active stores, the default one first. */
  get active(): Store[] {
    return [...this.#stores.values()].flatMap(({ store, isActive }) => (isActive ? [store] : []))
  }

  /** All stores, active or not. */
  get shops(): { store: Store; isActive: boolean }[] {
    return [...this.#stores.values()].map(({ store, isActive }) => ({ store, isActive }))
  }

  /** @throws Problem unknown-store */
  find(slug: string | undefined): Store {
    const found = this.active.find((store) => (slug === undefined ? store.is_default : store.slug === slug))
    if (found !== undefined) return found
    const detail =
      slug === undefined ? 'the account has no active store' : `the account has no active store "${slug.slice(0, 80)}"`
    throw new Problem('unknown-store', detail)
  }

  /** The id of a store, active or not. @throws TypeError where there is no such store */
  idOf(slug: string): number {
    return this.#of(slug).store.id
  }

  /** The slugs of all stores, active or not. */
  get slugs(): readonly string[] {
    return [...this.#stores.keys()]
  }

  /** The ids of the products of all stores. */
  ids(): Set<number> {
    return new Set([...this.#stores.values()].flatMap(({ listed }) => [...listed.keys()]))
  }

  has(id: number): boolean {
    return [...this.#stores.values()].some(({ listed }) => listed.has(id))
  }

  /** The SKU of a product; null where no store lists it, too. */
  skuOf(id: number): string | null {
    for (const { listed } of this.#stores.values()) {
      const found = listed.get(id)
      if (found !== undefined) return found.product.sku
    }
    return null
  }

  /** The ids of products that any store lists with this SKU. */
  idsOfSku(sku: string): Set<number> {
    return this.#idsOf((product) => product.sku === sku)
  }

  /** The ids of products that any store lists with one of these EANs. */
  idsOfEans(eans: readonly string[]): Set<number> {
    return this.#idsOf(({ ean }) => ean !== null && eans.includes(ean))
  }

  #idsOf(isIt: (product: Product) => boolean): Set<number> {
    const ids = new Set<number>()
    for (const { listed } of this.#stores.values())
      for (const { id, product } of listed.values()) if (isIt(product)) ids.add(id)
    return ids
  }

  listed(slug: string): ReadonlyMap<number, Listed> {
    return this.#of(slug).listed
  }

  /** All products of a store by ID ascending. */
  all(slug: string): Listed[] {
    return [...this.listed(slug).values()].sort((a, b) => a.id - b.id)
  }

  /** The ids of products to which a slug leads: those that have it, else the one that had it last; of `product-ID` also that product. */
  idsOfSlug(slug: string, store: string): number[] {
    const { listed, formerSlugs } = this.#of(store)
    const current = [...listed.values()].filter(({ product }) => product.slug === slug).map(({ id }) => id)
    const [, digits] = /^product-(\d{1,15})$/.exec(slug) ?? []
    const former = current.length > 0 ? [] : [formerSlugs.get(slug) ?? []].flat()
    return [...current, ...former, ...(digits === undefined ? [] : [Number(digits)])]
  }

  /** A store by its slug, active or not. @throws TypeError where there is no such store */
  #of(slug: string): Shown {
    const found = this.#stores.get(slug)
    if (found === undefined)
      throw new TypeError(`there is no store "${slug}"; there are ${[...this.#stores.keys()].join(', ')}`)
    return found
  }

  /** The tags of a product's text, cached. @param text with purchase prices, or without for a caller that may not see them */
  tags(of: Listed, text: string): Tags | Promise<Tags> {
    const known = this.#tags.get(of) ?? new Map<string, Tags | Promise<Tags>>()
    this.#tags.set(of, known)
    const tags = known.get(text) ?? tagsOf(text, this.hash)
    known.set(text, tags)
    return tags
  }

  /** Writes products of a store, and adds to the change log the halves that differ. */
  put(slug: string, given: readonly GivenProduct[]): void {
    const shown = this.#of(slug)
    // all are made before the first is written, so that an invalid one changes nothing
    const products = given.map((one) => wholeProduct(one, shown.store, this.groups))
    const listed = new Map(shown.listed)
    for (const product of products) {
      const text = JSON.stringify(product)
      const before = listed.get(product.id)
      const kinds = differing(before?.text, text)
      if (kinds.length === 0) continue
      listed.set(product.id, { id: product.id, product, text })
      this.#keepSlug(slug, before?.product, product.slug)
      this.log.add(slug, product.id, kinds)
    }
    this.#set(slug, { listed })
    this.#wake()
  }

  remove(slug: string, ids: readonly number[]): void {
    const listed = new Map(this.#of(slug).listed)
    for (const id of ids) {
      const before = listed.get(id)
      if (before === undefined) continue
      listed.delete(id)
      this.#keepSlug(slug, before.product, undefined)
      this.log.add(slug, id, ['removed'])
    }
    this.#set(slug, { listed })
    this.#wake()
  }

  /** Adds changes of products that are unchanged to the change log. */
  announce(slug: string, kinds: readonly ChangeType[], ids: readonly number[]): void {
    const { listed } = this.#of(slug)
    for (const id of ids) if (listed.has(id) || kinds.includes('removed')) this.log.add(slug, id, kinds)
    this.#wake()
  }

  activate(slug: string, isActive: boolean): void {
    this.#of(slug)
    this.#set(slug, { isActive })
    this.#wake()
  }

  /** @returns a function that returns to the present state, as restoring a backup does */
  remember(): () => void {
    const stores = new Map(this.#stores)
    const restoreLog = this.log.remember()
    return () => {
      for (const [slug, shown] of stores) this.#stores.set(slug, shown)
      restoreLog()
      this.#wake()
    }
  }

  /** Registers a function to be called after each change. @returns a function that unregisters it */
  onChange(call: () => void): () => void {
    this.#waiting.add(call)
    return () => void this.#waiting.delete(call)
  }

  #wake(): void {
    for (const call of this.#waiting) call()
  }

  #set(slug: string, change: Partial<Shown>): void {
    this.#stores.set(slug, { ...this.#of(slug), ...change })
  }

  #keepSlug(store: string, before: Product | undefined, slug: string | undefined): void {
    if (before?.slug === undefined || before.slug === slug) return
    const former = new Map(this.#of(store).formerSlugs)
    former.delete(before.slug)
    former.set(before.slug, before.id)
    const own = [...former].filter(([, id]) => id === before.id).map(([one]) => one)
    for (const one of own.slice(0, -FORMER_SLUGS_MAX)) former.delete(one)
    this.#set(store, { formerSlugs: former })
  }
}

/** Where the price half of a product's text begins. */
const cutOf = (text: string) => text.indexOf(',"prices":[')

/** The halves that differ; of a new product both. */
function differing(before: string | undefined, after: string): ChangeType[] {
  if (before === undefined) return ['price', 'content']
  const kinds: ChangeType[] = []
  if (before.slice(cutOf(before)) !== after.slice(cutOf(after))) kinds.push('price')
  if (before.slice(0, cutOf(before)) !== after.slice(0, cutOf(after))) kinds.push('content')
  return kinds
}
