import { Decimal } from 'decimal.js'

// A model of an account in memory, in the simplest form, written from docs/write-api.md and docs/rules.md: its data, and
// what each of its stores shows. It imports nothing from src, so that it cannot repeat a mistake of the service.

export interface ModelStore {
  id: number
  locales: string[]
  currency: string
  isActive: boolean
  listsByDefault: boolean
}
export interface ModelOffer {
  supplier: string
  sku: string
  productId: number
  cost: string | null
  currency: string
  quantity: number
  ean: string | null
  titles: Record<string, string>
  manufacturer: string | null
  images: string[]
}
export interface ModelProduct {
  sku: string | null
  titles: Record<string, string>
  manufacturer: string | null
  images: string[] | null
  listings: Record<string, boolean>
  /** Reason by store slug; `*` excludes in every store. */
  exclusions: Record<string, string>
  stock: { quantity: number; cost: string | null } | null
}
export interface ModelRule {
  priority: number
  isActive: boolean
  isDefault: boolean
  storeIds: number[] | null
  groupIds: number[] | null
  productIds: number[] | null
  supplierIds: number[] | null
  manufacturers: string[] | null
  costMin: string | null
  costBelow: string | null
  action: 'markup' | 'margin' | 'fixed'
  percent: string | null
  fixedPrice: string | null
  addition: string | null
  floorPrice: string | null
  /** Whether prices in EUR are rounded up to end in .99. */
  endsIn99: boolean
}
export interface ModelExclusion {
  priority: number
  kind: 'manufacturer' | 'no_stock' | 'no_title' | 'no_image' | 'no_ean'
  names: string[]
  storeIds: number[] | null
  reason: string
}
export interface ModelAssortment {
  priority: number
  storeId: number
  isListed: boolean
  manufacturers: string[] | null
  supplierIds: number[] | null
}
interface ModelSupplier {
  id: number
  currency: string
  priority: number
  buffer: number
  isActive: boolean
}

/** A product as the model expects a store to show it. */
export interface Shown {
  id: number
  sku: string | null
  ean: string | null
  title: string | null
  manufacturer: string | null
  images: string[]
  excluded: boolean
  exclusion_reason: string | null
  stock: number
  prices: {
    customer_group_id: number
    customer_group: string
    base_cost: number
    computed_price: number
    currency: string
    applied_rule_id: number
  }[]
}

export class AccountModel {
  readonly currency = 'EUR'
  readonly locale = 'en'
  stores = new Map<string, ModelStore>()
  groups = new Map<number, string>()
  rates = new Map<string, string>()
  suppliers = new Map<string, ModelSupplier>()
  /** By supplier code and key. */
  offers = new Map<string, ModelOffer>()
  products = new Map<number, ModelProduct>()
  rules = new Map<number, ModelRule>()
  exclusions = new Map<number, ModelExclusion>()
  assortments = new Map<number, ModelAssortment>()
  /** The product ids of articles whose offer was deleted, by the same key: an offer that is written again returns to its product. */
  homes = new Map<string, number>()

  /** All products that a store shows, by id. */
  shelf(slug: string): Map<number, Shown> {
    const shelf = new Map<number, Shown>()
    for (const id of [...this.products.keys()].sort((a, b) => a - b))
      if (this.isListed(slug, id)) shelf.set(id, this.#shown(slug, id))
    return shelf
  }

  offersOf(productId: number): ModelOffer[] {
    return [...this.offers.values()].filter((offer) => offer.productId === productId)
  }

  isListed(slug: string, id: number): boolean {
    const product = this.products.get(id)!
    const store = this.stores.get(slug)!
    if (product.listings[slug] !== undefined) return product.listings[slug]
    const manufacturer = this.#manufacturer(id)
    const suppliers = this.offersOf(id).map((offer) => this.suppliers.get(offer.supplier)!.id)
    const rule = byPriority(this.assortments).find(
      ([, rule]) =>
        rule.storeId === store.id &&
        (rule.manufacturers === null || isAmong(rule.manufacturers, manufacturer)) &&
        (rule.supplierIds === null || rule.supplierIds.some((supplierId) => suppliers.includes(supplierId))),
    )
    return rule?.[1].isListed ?? store.listsByDefault
  }

  #rate(currency: string): Decimal | null {
    if (currency === this.currency) return new Decimal(1)
    const rate = this.rates.get(currency)
    return rate === undefined ? null : new Decimal(rate)
  }

  /** Offers in the order in which they give a product its texts and pictures: those of active suppliers first, then by priority. */
  #speakers(id: number): ModelOffer[] {
    const rank = ({ supplier }: ModelOffer) => this.suppliers.get(supplier)!
    return this.offersOf(id).sort(
      (a, b) =>
        Number(rank(b).isActive) - Number(rank(a).isActive) ||
        rank(a).priority - rank(b).priority ||
        rank(a).id - rank(b).id,
    )
  }

  #manufacturer(id: number): string | null {
    return (
      this.products.get(id)!.manufacturer ??
      this.#speakers(id).find((offer) => offer.manufacturer !== null)?.manufacturer ??
      null
    )
  }

  #title(store: ModelStore, id: number): string | null {
    const locales = [...new Set([...store.locales, this.locale])]
    const { titles } = this.products.get(id)!
    for (const locale of locales) {
      const text =
        titles[locale] ?? this.#speakers(id).find((offer) => offer.titles[locale] !== undefined)?.titles[locale]
      if (text !== undefined) return text
    }
    return null
  }

  #best(id: number): { offer: ModelOffer; supplierId: number; cost: Decimal | null; quantity: number } | null {
    const eligible = this.offersOf(id).flatMap((offer) => {
      const supplier = this.suppliers.get(offer.supplier)!
      const rate = this.#rate(offer.currency)
      // an offer without a cost needs no rate
      if (!supplier.isActive || (rate === null && offer.cost !== null)) return []
      return [
        {
          offer,
          supplier,
          supplierId: supplier.id,
          cost: offer.cost === null || rate === null ? null : new Decimal(offer.cost).div(rate),
          quantity: Math.max(0, offer.quantity - supplier.buffer),
        },
      ]
    })
    eligible.sort(
      (a, b) =>
        Number(a.cost === null) - Number(b.cost === null) ||
        Number(a.quantity === 0) - Number(b.quantity === 0) ||
        (a.cost !== null && b.cost !== null ? a.cost.cmp(b.cost) : 0) ||
        a.supplier.priority - b.supplier.priority ||
        a.supplierId - b.supplierId,
    )
    return eligible[0] ?? null
  }

  #shown(slug: string, id: number): Shown {
    const store = this.stores.get(slug)!
    const product = this.products.get(id)!
    const best = this.#best(id)
    const own = Math.max(0, product.stock?.quantity ?? 0)
    const stock = own + (best?.quantity ?? 0)
    const ownCost = product.stock?.cost ?? null
    const isOwn = ownCost !== null && (own > 0 || (best?.cost ?? null) === null)
    const cost = isOwn ? new Decimal(ownCost) : (best?.cost ?? null)
    const rate = this.#rate(store.currency)
    const manufacturer = this.#manufacturer(id)
    const title = this.#title(store, id)
    const images = product.images ?? this.#speakers(id).find((offer) => offer.images.length > 0)?.images ?? []
    const ean = this.#speakers(id).find((offer) => offer.ean !== null)?.ean ?? null
    const prices =
      cost === null || rate === null
        ? []
        : [...this.groups].map(([groupId, group]) => {
            const [ruleId, rule] = this.#rule({
              store,
              groupId,
              id,
              cost,
              manufacturer,
              supplierId: isOwn ? null : best!.supplierId,
            })
            return {
              customer_group_id: groupId,
              customer_group: group,
              base_cost: money(cost.mul(rate)),
              computed_price: price(rule, cost, rate, store.currency),
              currency: store.currency,
              applied_rule_id: ruleId,
            }
          })
    const reason =
      prices.length === 0
        ? 'no_price'
        : (product.exclusions[slug] ??
          product.exclusions['*'] ??
          this.#excludedBy({ store, manufacturer, title, images, ean, stock }))
    return {
      id,
      sku: product.sku,
      ean,
      title,
      manufacturer,
      images,
      excluded: reason !== null,
      exclusion_reason: reason,
      stock,
      prices,
    }
  }

  #rule(of: {
    store: ModelStore
    groupId: number
    id: number
    cost: Decimal
    manufacturer: string | null
    supplierId: number | null
  }): [number, ModelRule] {
    const rules = byPriority(this.rules).sort(([, a], [, b]) => Number(a.isDefault) - Number(b.isDefault))
    return rules.find(
      ([, rule]) =>
        rule.isActive &&
        (rule.storeIds?.includes(of.store.id) ?? true) &&
        (rule.groupIds?.includes(of.groupId) ?? true) &&
        (rule.productIds?.includes(of.id) ?? true) &&
        (rule.supplierIds === null || (of.supplierId !== null && rule.supplierIds.includes(of.supplierId))) &&
        (rule.manufacturers === null || isAmong(rule.manufacturers, of.manufacturer)) &&
        (rule.costMin === null || of.cost.gte(rule.costMin)) &&
        (rule.costBelow === null || of.cost.lt(rule.costBelow)),
    )!
  }

  #excludedBy(of: {
    store: ModelStore
    manufacturer: string | null
    title: string | null
    images: string[]
    ean: string | null
    stock: number
  }): string | null {
    const isMet: Record<ModelExclusion['kind'], (rule: ModelExclusion) => boolean> = {
      manufacturer: (rule) => isAmong(rule.names, of.manufacturer),
      no_stock: () => of.stock === 0,
      no_title: () => of.title === null,
      no_image: () => of.images.length === 0,
      no_ean: () => of.ean === null,
    }
    return (
      byPriority(this.exclusions).find(
        ([, rule]) => (rule.storeIds?.includes(of.store.id) ?? true) && isMet[rule.kind](rule),
      )?.[1].reason ?? null
    )
  }
}

const byPriority = <T extends { priority: number }>(rules: Map<number, T>) =>
  [...rules].sort(([a, one], [b, two]) => one.priority - two.priority || a - b)
const isAmong = (names: readonly string[], name: string | null) =>
  name !== null && names.some((one) => one.toLowerCase() === name.toLowerCase())
const money = (amount: Decimal) => amount.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber()

/** Applies a rule in the order of docs/rules.md: action, addition, floor, and one rounding at the end. Costs and amounts are in the account's currency. */
function price(rule: ModelRule, cost: Decimal, rate: Decimal, currency: string): number {
  let amount: Decimal
  if (rule.action === 'fixed') amount = new Decimal(rule.fixedPrice!)
  else if (rule.action === 'markup') amount = cost.mul(new Decimal(rule.percent ?? 0).div(100).add(1))
  else amount = cost.div(new Decimal(1).sub(new Decimal(rule.percent!).div(100)))
  if (rule.addition !== null) amount = amount.add(rule.addition)
  if (rule.floorPrice !== null) amount = Decimal.max(amount, rule.floorPrice)
  const shown = amount.mul(rate)
  if (!rule.endsIn99 || currency !== 'EUR') return money(shown)
  return Decimal.max(shown.sub('0.99').ceil(), 0).add('0.99').toNumber()
}
