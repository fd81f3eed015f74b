import {
  isDimension,
  OPTIONAL_NAMES,
  OPTIONAL_TEXTS,
  type DimensionField,
  type OptionalField,
} from '../../contract/product-fields.ts'
import { NO_GAPS, type GapBits } from '../model/gaps.ts'
import type { ContentHalf, Payload, Price, PriceHalf } from '../model/payload.ts'
import { additionalMembers } from './content/additional-members.ts'
import { findListing } from './rules/assortment.ts'
import { findAttributes, payloadAttribute } from './content/attributes.ts'
import { basisOf, type Basis } from './basis.ts'
import type { CompiledAccount, CompiledStore } from './compile.ts'
import { findExclusions, type ExclusionFacts } from './rules/exclusion.ts'
import { holdPrices, type Held } from './prices/guard.ts'
import type { OfferInput, ProductInputs, StoreInput } from './inputs.ts'
import { isAccidentallyFree, resolvePrices, type ComputedPrice } from './prices/price.ts'
import { contentGaps, priceGaps } from './gaps.ts'
import { withStatedListPrice, withRuleListPrice } from './prices/list-price.ts'
import { withPriceLists } from './prices/price-lists.ts'
import { reducedPrices } from './prices/sale-price.ts'
import { taxesIn } from './prices/tax.ts'
import { withTiers } from './prices/tiers.ts'
import { findText, statedTexts } from './content/text.ts'
import { withUnitPrices } from './prices/unit-price.ts'
import { findGroup } from './content/variant-group.ts'

/**
 * The version of the code in this folder. Raise it whenever equal inputs may give a different payload: stored payloads
 * carry it, and a sweep resolves those of an older version again.
 */
export const RESOLVER_VERSION = 9

/** A product in one store. */
export interface Resolution {
  store: StoreInput
  /** null if the store does not list the product. */
  payload: Payload | null
  /** Gaps of the product in the store; none if it is not listed. */
  gaps: GapBits
  pricing: Pricing
}

/** A product's prices in one store, in three stages. */
export interface Pricing {
  /** As the rules and price lists make them, without a sale. */
  computed: readonly ComputedPrice[]
  /** Prices that jumped and are held at the old price. */
  held: readonly Held[]
  /**
   * The prices that clients read, including a sale in force; [] if there is no price, or a price of 0 that no rule
   * states.
   */
  shown: readonly ComputedPrice[]
}

/** The price half of a product in one store, resolved alone. */
export interface PriceResolution {
  store: StoreInput
  /** null if the store does not list the product. */
  price: PriceHalf | null
  /** The exclusion_reason of the content half. */
  exclusionReason: string | null
  /** As in Resolution. */
  priceGaps: number
  pricing: Pricing
}

/** The content half of a product in one store, resolved alone. */
export interface ContentResolution {
  store: StoreInput
  /** null if the store does not list the product or has no payload of it yet. */
  content: ContentHalf | null
  /** As in Resolution. */
  contentGaps: number
}

const UNPRICED: Pricing = { computed: [], held: [], shown: [] }

/**
 * The payload of a product in each store of a compiled account. Pure, synchronous, never throws.
 * docs/decisions/001-resolve-once-read-many.md says why.
 * @param basis of the same product, if the caller has it.
 */
export function resolve(
  compiled: CompiledAccount,
  product: ProductInputs,
  basis: Basis = basisOf(compiled, product),
): Resolution[] {
  if (product.isDeleted)
    return compiled.stores.map(({ store }) => ({ store, payload: null, gaps: NO_GAPS, pricing: UNPRICED }))
  const titleIn = titlesOf(compiled, product, basis)
  const contentIn = contentsOf(compiled, product, basis)
  return compiled.stores.map((inStore) => {
    const { store } = inStore
    if (!findListing(store, inStore.assortment, product, basis.facts).isListed)
      return { store, payload: null, gaps: NO_GAPS, pricing: UNPRICED }
    const pricing = pricesIn(compiled, inStore, product, basis)
    const prices = pricing.shown
    const title = titleIn(inStore)
    const facts = exclusionFacts(compiled, basis, title, prices)
    const [exclusion] = findExclusions(
      store.storeId,
      inStore.exclusions,
      product.exclusions,
      facts,
      prices.length > 0,
      true,
    )
    return {
      store,
      pricing,
      gaps: { content: contentGaps(title, basis.shownImages, basis.fields.category), price: priceGaps(pricing) },
      payload: {
        content: contentIn(inStore, title, exclusion?.reason ?? null),
        price: { prices, stock: basis.stock },
      },
    }
  })
}

/**
 * The content halves of a product, from inputs without those that only prices depend on.
 * @param exclusionIn the exclusion reason in a store's stored payload, which is kept; undefined: nothing is stored.
 */
export function resolveContentHalves(
  compiled: CompiledAccount,
  product: ProductInputs,
  exclusionIn: (storeId: number) => string | null | undefined,
  basis: Basis = basisOf(compiled, product),
): ContentResolution[] {
  if (product.isDeleted) return compiled.stores.map(({ store }) => ({ store, content: null, contentGaps: 0 }))
  const titleIn = titlesOf(compiled, product, basis)
  const contentIn = contentsOf(compiled, product, basis)
  return compiled.stores.map((inStore) => {
    const { store } = inStore
    const exclusion = exclusionIn(store.storeId)
    if (exclusion === undefined || !findListing(store, inStore.assortment, product, basis.facts).isListed)
      return { store, content: null, contentGaps: 0 }
    const title = titleIn(inStore)
    return {
      store,
      content: contentIn(inStore, title, exclusion),
      contentGaps: contentGaps(title, basis.shownImages, basis.fields.category),
    }
  })
}

/**
 * The price halves of a product, and whether it is excluded, from inputs without texts, attributes, images and EANs.
 * Only for accounts whose exclusion rules read none of these (`CompiledAccount.isPriceAlone`).
 */
export function resolvePriceHalves(
  compiled: CompiledAccount,
  product: ProductInputs,
  basis: Basis = basisOf(compiled, product),
): PriceResolution[] {
  if (product.isDeleted)
    return compiled.stores.map(({ store }) => ({
      store,
      price: null,
      exclusionReason: null,
      priceGaps: 0,
      pricing: UNPRICED,
    }))
  return compiled.stores.map((inStore) => {
    const { store } = inStore
    if (!findListing(store, inStore.assortment, product, basis.facts).isListed)
      return { store, price: null, exclusionReason: null, priceGaps: 0, pricing: UNPRICED }
    const pricing = pricesIn(compiled, inStore, product, basis)
    const prices = pricing.shown
    const facts = exclusionFacts(compiled, basis, null, prices)
    const [exclusion] = findExclusions(
      store.storeId,
      inStore.exclusions,
      product.exclusions,
      facts,
      prices.length > 0,
      true,
    )
    return {
      store,
      pricing,
      price: { prices, stock: basis.stock },
      exclusionReason: exclusion?.reason ?? null,
      priceGaps: priceGaps(pricing),
    }
  })
}

/** A product's prices in one store. */
export function pricesIn(
  compiled: CompiledAccount,
  inStore: CompiledStore,
  product: ProductInputs,
  basis: Basis,
): Pricing {
  const ruleFor = (groupId: number) => inStore.ruleTables.get(groupId)?.find(basis.facts)
  const { store } = inStore
  const tax = taxesIn(compiled.tax, basis.taxClass, store)
  const ruled = resolvePrices(basis.cost, store, compiled.groups, ruleFor, compiled.money, tax, basis.made)
  const computed = withPriceLists(inStore.priceLists, product.listEntries, ruled)
  const held: Held[] = []
  // before looking for zeros: a fall to 0 is a jump like any other
  const prices = holdPrices(store.storeId, computed, product.holds, compiled.jumpFactor, held)
  let priced = prices.some(isAccidentallyFree) ? [] : prices
  // after holding: the guard is about the price without the sale, which returns when the sale ends
  if (basis.sale !== null) priced = reducedPrices(compiled, basis.sale, priced, store.storeId, product.priceHistory)
  let shown = withTiers(priced, basis.cost, compiled, held, basis.made)
  // compared with the price as shown, which may be held
  if (basis.listPrice === null) shown = withRuleListPrice(shown, basis.cost, compiled, held, basis.made)
  else if (shown.length > 0) shown = withStatedListPrice(shown, basis.listPrice, basis.taxOf, compiled)
  if (basis.measured !== null) shown = withUnitPrices(shown, basis.measured, store)
  return { computed, held, shown }
}

export function exclusionFacts(
  compiled: CompiledAccount,
  basis: Basis,
  title: string | null,
  prices: readonly Price[],
): ExclusionFacts {
  return {
    productId: basis.facts.productId,
    manufacturer: basis.facts.manufacturer,
    category: basis.facts.category,
    supplierId: basis.facts.bestSupplierId,
    ean: basis.fields.ean?.value ?? null,
    title,
    imageCount: basis.shownImages.length,
    stock: basis.stock,
    price: prices.find((price) => price.groupId === compiled.defaultGroupId) ?? null,
  }
}

/** The title in each store; null if no source has one in the store's locales. */
function titlesOf(
  compiled: CompiledAccount,
  { overrides }: ProductInputs,
  { sources }: Basis,
): (inStore: CompiledStore) => string | null {
  const titles = compiled.sources.of('title', sources)
  return ({ texts }) => findText('title', texts, overrides, titles)?.value ?? null
}

/** The content half in each store that lists the product. */
function contentsOf(
  compiled: CompiledAccount,
  product: ProductInputs,
  basis: Basis,
): (inStore: CompiledStore, title: string | null, exclusionReason: string | null) => ContentHalf {
  const { fields } = basis
  const descriptions = compiled.sources.of('description', basis.sources)
  const attributes = compiled.sources.of('attributes', basis.sources)
  const optional = optionalIn(compiled, product, basis)
  const additional = additionalMembers(compiled, product, basis)
  return (inStore, title, exclusionReason) => ({
    id: product.productId,
    sku: basis.sku,
    ean: fields.ean?.value ?? null,
    title,
    description: findText('description', inStore.texts, product.overrides, descriptions)?.value ?? null,
    manufacturer: fields.manufacturer?.value ?? null,
    images: basis.shownImages,
    store: inStore.store.slug,
    excluded: exclusionReason !== null,
    exclusion_reason: exclusionReason,
    attributes: attributesIn(inStore, product, attributes),
    ...optional(inStore),
    ...groupIn(inStore, product, basis),
    ...categoriesIn(inStore, basis),
    ...additional(inStore),
  })
}

type OptionalMembers = { [K in Exclude<OptionalField, DimensionField>]?: string } & {
  dimensions?: Partial<Record<DimensionField, string>>
}

/** The optional members of a product that have a value, by store. Most products have none. */
function optionalIn(
  compiled: CompiledAccount,
  { overrides }: ProductInputs,
  { fields, sources }: Basis,
): (inStore: CompiledStore) => OptionalMembers {
  const names: OptionalMembers = {}
  for (const field of OPTIONAL_NAMES) {
    const name = fields[field]
    if (name === null) continue
    if (isDimension(field)) names.dimensions = { ...names.dimensions, [field]: name.value }
    else names[field] = name.value
  }
  const texts = statedTexts(OPTIONAL_TEXTS, overrides, sources)
  if (texts.length === 0) return () => names
  const asked = texts.map((field) => [field, compiled.sources.of(field, sources)] as const)
  return (inStore) => {
    const members = { ...names }
    for (const [field, offers] of asked) {
      const text = findText(field, inStore.texts, overrides, offers)
      if (text !== null) members[field] = text.value
    }
    return members
  }
}

function groupIn(inStore: CompiledStore, product: ProductInputs, { sources }: Basis): Pick<ContentHalf, 'group'> {
  const found = findGroup(inStore.texts, inStore.definitions, product, sources)
  return found === null ? {} : { group: found.value }
}

/** The payload entry of the product's category; shops find the categories above it by GET /v1/categories. */
function categoriesIn(inStore: CompiledStore, { fields }: Basis): Pick<ContentHalf, 'categories'> {
  const own = fields.category?.own ?? null
  return own === null ? {} : { categories: [inStore.shownCategory(own)] }
}

function attributesIn(inStore: CompiledStore, product: ProductInputs, sources: readonly OfferInput[]) {
  return findAttributes(inStore.overridePlaces, inStore.definitions, product.attributeOverrides, sources).map(
    payloadAttribute,
  )
}
