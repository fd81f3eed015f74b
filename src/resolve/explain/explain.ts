import { forEachField, NAME_FIELDS, TEXT_FIELDS, type SourceField } from '../../../contract/product-fields.ts'
import { Exact, toMinor } from '../../model/money.ts'
import { amountLines, AS_STATED, type AmountTax } from '../prices/amount.ts'
import { findListing } from '../rules/assortment.ts'
import { findAttributes } from '../content/attributes.ts'
import { basisOf, skuOf, type Basis } from '../basis.ts'
import type { FoundCategory } from '../content/category.ts'
import type { CompiledAccount, CompiledStore } from '../compile.ts'
import { findExclusions } from '../rules/exclusion.ts'
import type {
  ExplainedCategory,
  ExplainedCost,
  ExplainedGroup,
  ExplainedListing,
  ExplainedListPrice,
  ExplainedMadeListPrice,
  ExplainedOffer,
  ExplainedPrice,
  ExplainedPriceTax,
  ExplainedSale,
  ExplainedSku,
  ExplainedTax,
  ExplainedTaxedListPrice,
  ExplainedTier,
  ExplainedUnitPrice,
  ExplainedValue,
  Explanation,
} from '../explanation.ts'
import { explainSlug, type SlugRecord } from './explain-slug.ts'
import { findAlt, statedAlts } from '../content/image-alts.ts'
import type { Held } from '../prices/guard.ts'
import type { GroupInput, ProductInputs, StoreInput } from '../inputs.ts'
import { listPriceTax, listPriceOmission } from '../prices/list-price.ts'
import type { PriceCondition } from '../prices/price-rules.ts'
import {
  isAccidentallyFree,
  isUntaxable,
  priceBy,
  shownRate,
  type ComputedPrice,
  type PriceStep,
} from '../prices/price.ts'
import { findEntry } from '../prices/price-lists.ts'
import { exclusionFacts, pricesIn, type Pricing } from '../resolve.ts'
import { settle } from '../prices/rounding.ts'
import { saleOutcome, salePriceIn, saleState } from '../prices/sale-price.ts'
import { candidateOf, decidedBy } from '../sourcing/sourcing.ts'
import type { Found } from '../sourcing/sources.ts'
import { taxesIn, taxIn, taxPlace } from '../prices/tax.ts'
import { findText } from '../content/text.ts'
import { tiersOf } from '../prices/tiers.ts'
import { traceUnitPrice } from '../prices/unit-price.ts'
import { must } from '../../platform/must.ts'
import { findGroup } from '../content/variant-group.ts'

/**
 * Explains a product's payload in one store, with the inputs and functions of `resolve`: every number and text with what it was made
 * from. Pure, never throws; null if the account has no such active store.
 * @param slugs all slugs that lead to the product, current and former.
 */
export function explain(
  compiled: CompiledAccount,
  product: ProductInputs,
  storeId: number,
  slugs: readonly SlugRecord[] = [],
): Explanation | null {
  const inStore = compiled.stores.find(({ store }) => store.storeId === storeId)
  if (inStore === undefined) return null
  const { store } = inStore
  const basis = basisOf(compiled, product)
  const { fields } = basis
  const pricing = pricesIn(compiled, inStore, product, basis)
  const asked = (field: SourceField) => compiled.sources.of(field, basis.sources)
  const value = <T>(field: SourceField, found: Found<T> | null): ExplainedValue<T> => ({
    value: found?.value ?? null,
    source: found?.source ?? null,
    asked: { field, supplierIds: [...new Set(asked(field).map((offer) => offer.supplierId))] },
  })
  const texts = forEachField(TEXT_FIELDS, (field) => findText(field, inStore.texts, product.overrides, asked(field)))
  const facts = exclusionFacts(compiled, basis, texts.title?.value ?? null, pricing.shown)
  const excluded = findExclusions(
    store.storeId,
    inStore.exclusions,
    product.exclusions,
    facts,
    pricing.shown.length > 0,
    false,
  )
  const alts = statedAlts(product.overrides, asked('images'))
  return {
    productId: product.productId,
    storeId,
    store: store.slug,
    day: compiled.account.day,
    listing: explainListing(inStore, product, basis),
    offers: explainOffers(compiled, product, basis),
    stock: {
      own: Math.max(0, product.ownStock?.quantity ?? 0),
      bestSupplier: basis.ranked[0]?.quantity ?? 0,
      total: basis.stock,
    },
    baseCost: explainCost(compiled, inStore, basis),
    listPriceInStore: explainListPrice(compiled, inStore, basis),
    saleInStore: explainSale(compiled, inStore, basis),
    tax: explainTax(compiled, inStore, basis),
    prices: explainPrices(compiled, inStore, product, basis, pricing),
    ...forEachField(TEXT_FIELDS, (field) => value(field, texts[field])),
    ...forEachField(NAME_FIELDS, (field) => value(field, fields[field])),
    category: explainCategory(inStore, value('category', fields.category), fields.category),
    ean: value('ean', fields.ean),
    images: {
      ...value('images', fields.images === null ? null : { ...fields.images, value: basis.shownImages }),
      states: basis.images.map((image) => ({ ...image, alt: findAlt(alts, inStore.texts, image.url) })),
    },
    sku: explainSku(compiled, product, basis),
    slug: explainSlug(compiled, inStore, product, basis, slugs),
    attributes: findAttributes(
      inStore.overridePlaces,
      inStore.definitions,
      product.attributeOverrides,
      asked('attributes'),
    ).map(({ key, label, value: shown, stated, typed, source }) => ({
      key,
      label,
      value: shown,
      stated,
      typed,
      source,
    })),
    group: explainGroup(inStore, product, basis),
    exclusion: {
      excluded: excluded.length > 0,
      reason: excluded[0]?.reason ?? null,
      found: excluded,
      rules: inStore.exclusions.map(({ rule, test }) => ({
        ruleId: rule.ruleId,
        name: rule.name,
        priority: rule.priority,
        kind: rule.kind,
        reason: rule.reason,
        isMatch: test(facts),
      })),
    },
  }
}

function explainCategory(
  inStore: CompiledStore,
  shown: ExplainedValue<string>,
  found: FoundCategory | null,
): ExplainedCategory {
  const own = found?.own ?? null
  return { ...shown, stated: found?.stated ?? null, own: own === null ? null : inStore.shownCategory(own) }
}

function explainGroup(inStore: CompiledStore, product: ProductInputs, { sources }: Basis): ExplainedGroup {
  const found = findGroup(inStore.texts, inStore.definitions, product, sources)
  return {
    value: found?.value ?? null,
    source: found?.source ?? null,
    own: product.ownGroup === null ? null : { groupId: product.ownGroup.groupId },
    stated: sources.flatMap(({ supplierId, supplierSku, group }) =>
      group === null ? [] : [{ supplierId, supplierSku, key: group.key }],
    ),
  }
}

function explainListing(inStore: CompiledStore, product: ProductInputs, basis: Basis): ExplainedListing {
  const { isListed, by, ruleId } = findListing(inStore.store, inStore.assortment, product, basis.facts)
  return {
    isListed,
    by,
    rules: inStore.assortment.map(({ rule, tests }) => ({
      ruleId: rule.ruleId,
      name: rule.name,
      priority: rule.priority,
      lists: rule.isListed,
      isApplied: rule.ruleId === ruleId,
      unmet: tests.filter(({ test }) => !test(basis.facts)).map(({ name }) => name),
    })),
  }
}

function explainOffers(compiled: CompiledAccount, product: ProductInputs, basis: Basis): ExplainedOffer[] {
  const [best] = basis.ranked
  const competing = basis.ranked.map((candidate, i): ExplainedOffer => ({
    supplierId: candidate.supplier.supplierId,
    supplierCode: candidate.supplier.code,
    supplierSku: candidate.offer.supplierSku,
    rank: i + 1,
    ineligible: null,
    behindBestBy: best === undefined || i === 0 ? null : decidedBy(best, candidate),
    cost: candidate.offer.cost === null ? null : new Exact(candidate.offer.cost).toFixed(),
    currency: candidate.offer.currency,
    comparableCost: candidate.comparableCost?.toFixed() ?? null,
    reportedQuantity: candidate.offer.quantity,
    safetyBuffer: candidate.supplier.safetyBuffer,
    quantity: candidate.quantity,
  }))
  // including offers of deleted suppliers, which do not count but exist until they are removed
  const others = compiled.sources.general(product.offers).flatMap((offer): ExplainedOffer[] => {
    const why = candidateOf(
      offer,
      compiled.suppliers,
      compiled.account.currency,
      compiled.money,
      basis.taxOf,
      basis.ownCostTax,
    )
    if (typeof why !== 'string') return []
    const supplier = compiled.suppliers.get(offer.supplierId)
    return [
      {
        supplierId: offer.supplierId,
        supplierCode: supplier?.code ?? null,
        supplierSku: offer.supplierSku,
        rank: null,
        ineligible: why,
        behindBestBy: null,
        cost: offer.cost === null ? null : new Exact(offer.cost).toFixed(),
        currency: offer.currency,
        comparableCost: null,
        reportedQuantity: offer.quantity,
        safetyBuffer: supplier?.safetyBuffer ?? 0,
        quantity: Math.max(0, offer.quantity - (supplier?.safetyBuffer ?? 0)),
      },
    ]
  })
  return [...competing, ...others]
}

function explainCost(compiled: CompiledAccount, { store }: CompiledStore, { cost }: Basis): ExplainedCost | null {
  if (cost === null) return null
  const { amount, withTax, currency, source, supplierId } = cost
  const stated = withTax?.amount ?? amount
  return {
    source,
    supplierId,
    ...explainAmount(compiled, store, 'cost', stated, currency, { out: withTax?.rate ?? null, in: null }),
  }
}

function explainTax(compiled: CompiledAccount, { store }: CompiledStore, { taxClass }: Basis): ExplainedTax | null {
  const shown = explainPriceTax(compiled, store, taxClass, null)
  if (shown === null) return null
  const taxOf = taxesIn(compiled.tax, taxClass, store)
  return {
    class: taxClass?.taxClass.key ?? null,
    by: taxClass === null ? null : (taxClass.source?.from ?? (taxClass.category === null ? 'default' : 'category')),
    category: taxClass?.category?.path ?? null,
    ...shown,
    isPriceless: compiled.groups.some((group) => isUntaxable(taxOf(group))),
  }
}

function explainPriceTax(
  compiled: CompiledAccount,
  store: StoreInput,
  taxClass: Basis['taxClass'],
  group: GroupInput | null,
): ExplainedPriceTax | null {
  const place = taxPlace(store, group)
  const tax = taxIn(compiled.tax, taxClass, store, group)
  if (place === null || tax === null) return null
  return {
    country: place.country,
    rate: tax.rate?.percent.toFixed() ?? null,
    isIncluded: place.isIncluded,
  }
}

function explainListPrice(
  compiled: CompiledAccount,
  { store }: CompiledStore,
  { listPrice, taxClass, taxOf }: Basis,
  group: GroupInput | null = null,
): ExplainedTaxedListPrice | null {
  if (listPrice === null) return null
  const shown = taxIn(compiled.tax, taxClass, store, group)
  const tax = listPriceTax(listPrice.tax, shown, taxOf)
  const { amount, currency } = listPrice
  const none = { amount: amount.toFixed(), currency, steps: [], shown: null }
  if (tax === null) return { ...none, taxRateMissing: listPrice.tax }
  // without its own tax rate the group has no prices either
  if (listPrice.tax !== null && isUntaxable(shown))
    return { ...none, taxRateMissing: taxPlace(store, group)?.country ?? null }
  return { ...explainAmount(compiled, store, 'list_price', amount, currency, tax), taxRateMissing: null }
}

function explainSale(compiled: CompiledAccount, { store }: CompiledStore, { sale }: Basis): ExplainedSale | null {
  if (sale === null) return null
  return {
    ...explainAmount(compiled, store, 'sale_price', sale.amount, sale.currency),
    state: saleState(sale, compiled.account.day),
  }
}

/** An amount in its own currency, and converted to the store's. @param tax rates to take out of the amount and to add to it. */
function explainAmount(
  compiled: CompiledAccount,
  store: StoreInput,
  name: 'cost' | 'list_price' | 'sale_price',
  amount: Exact,
  currency: string,
  tax: AmountTax = AS_STATED,
): ExplainedListPrice {
  const { steps, converted } = amountLines(name, amount, tax, [currency, store.currency], compiled.money)
  return {
    amount: amount.toFixed(),
    currency,
    steps,
    shown: converted === null ? null : toMinor(settle(converted), store.currency).toFixed(),
  }
}

function explainPrices(
  compiled: CompiledAccount,
  inStore: CompiledStore,
  { listEntries }: ProductInputs,
  basis: Basis,
  { computed, held, shown }: Pricing,
): ExplainedPrice[] {
  const { store } = inStore
  const ofStore = explainListPrice(compiled, inStore, basis)
  const { cost, facts } = basis
  const taxOf = taxesIn(compiled.tax, basis.taxClass, store)
  const converted = cost === null ? null : compiled.money.convert(cost.amount, cost.currency, store.currency)
  const taxes = new Map(compiled.groups.map((group) => [group, taxOf(group)]))
  const appliedTo = (groupId: number) => inStore.ruleTables.get(groupId)?.find(facts)
  // a group without a rule has no price, so that its missing tax rate takes none from the others
  const isUnpriced = compiled.groups.some(
    (group) => isUntaxable(taxes.get(group) ?? null) && appliedTo(group.groupId) !== undefined,
  )
  const amount = isUnpriced ? null : converted
  const sale =
    basis.sale === null || saleState(basis.sale, compiled.account.day) !== 'in_force'
      ? null
      : { stated: basis.sale, price: salePriceIn(basis.sale, store.currency, compiled) }
  return compiled.groups.map((group): ExplainedPrice => {
    const tax = taxes.get(group) ?? null
    const factor = tax?.isIncluded === true ? (tax.rate?.factor ?? null) : null
    const applied = appliedTo(group.groupId)
    const place = { storeId: store.storeId, groupId: group.groupId, day: compiled.account.day }
    const rules = compiled.rules.map((entry) => ({
      ruleId: entry.rule.ruleId,
      name: entry.rule.name,
      priority: entry.rule.priority,
      isDefault: entry.rule.isDefault,
      isApplied: amount !== null && entry.rule === applied?.rule,
      unmet: [
        ...entry.placeTests.filter(({ test }) => !test(place)).map(({ name }) => name),
        ...entry.productTests.filter(({ test }) => !test(facts)).map(({ name }) => name),
        ...(inStore.pricedRules.get(entry) === null ? ['rate' as PriceCondition] : []),
      ],
    }))
    const ofGroup = ({ groupId }: { groupId: number }) => groupId === group.groupId
    const made = computed.find(ofGroup)
    const hold = held.find(ofGroup)
    const shownPrice = shown.find(ofGroup)
    const regular = hold?.shown ?? made
    const outcome =
      sale === null || sale.price === null || shownPrice === undefined || regular === undefined
        ? null
        : saleOutcome(sale.stated, regular.computedPrice, sale.price, compiled.jumpFactor)
    const reduced = shownPrice === undefined || shownPrice.sale === null ? null : shownPrice.computedPrice.toFixed()
    const last: PriceStep[] = reduced === null ? [] : [{ step: 'sale', op: 'min', by: reduced, result: reduced }]
    const common = {
      groupId: group.groupId,
      group: group.name,
      rules,
      currency: store.currency,
      tax: explainPriceTax(compiled, store, basis.taxClass, group),
      price: shownPrice?.computedPrice.toFixed() ?? null,
      listPrice: ifDifferent(ofStore, explainListPrice(compiled, inStore, basis, group)),
      madeListPrice: explainMadeListPrice(basis, shownPrice, amount, held),
      compareAtPrice: shownPrice?.compareAtPrice?.toFixed() ?? null,
      lowestPrice30Days: shownPrice?.sale?.lowest?.toFixed() ?? null,
      sale: outcome,
      tiers: explainTiers(compiled, basis, shownPrice, amount, held),
      unitPrice: explainUnitPrice(basis, store, shownPrice?.computedPrice),
      isUnstatedZero: made !== undefined && hold === undefined && isAccidentallyFree(made),
      priceList: null as ExplainedPrice['priceList'],
    }
    if (amount === null || applied === undefined) return { ...common, appliedRuleId: null, steps: [], held: null }
    const steps = costStep(amount)
    const { price } = priceBy(applied, amount, store.currency, factor, steps)
    const entry = applied.rule.overPriceLists ? null : findEntry(inStore.priceLists, listEntries, group.groupId)
    if (entry !== null) {
      const stated = entry.amount.toFixed()
      steps.push({ step: 'price_list', op: '=', by: stated, result: stated })
      common.priceList = { key: entry.list.key, name: entry.list.name }
    }
    if (hold === undefined)
      return { ...common, appliedRuleId: applied.rule.ruleId, steps: [...steps, ...last], held: null }
    const old = hold.shown.computedPrice.toFixed()
    return {
      ...common,
      appliedRuleId: hold.shown.ruleId,
      steps: [...steps, { step: 'held', op: '=', by: old, result: old }, ...last],
      held: {
        wantedPrice: price.toFixed(),
        wantedRuleId: hold.wanted.ruleId,
        factor: must(compiled.jumpFactor).toFixed(),
      },
    }
  })
}

/** A group's list price, if it differs from the store's; otherwise null. */
const ifDifferent = <T extends ExplainedTaxedListPrice | null>(ofStore: T, ofGroup: T): T | null =>
  ofGroup?.shown === ofStore?.shown && ofGroup?.steps.length === ofStore?.steps.length ? null : ofGroup

function explainMadeListPrice(
  { listPrice }: Basis,
  price: ComputedPrice | undefined,
  cost: Exact | null,
  held: readonly Held[],
): ExplainedMadeListPrice | null {
  if (listPrice !== null || cost === null || price === undefined || price.listPriceBy === null) return null
  const steps = costStep(cost)
  const made = priceBy(price.listPriceBy, cost, price.currency, shownRate(price.tax)?.factor ?? null, steps).price
  return { steps, price: made.toFixed(), leftOut: listPriceOmission(made, price, held) }
}

const costStep = (cost: Exact): PriceStep[] => [{ step: 'cost', op: '=', by: cost.toFixed(), result: cost.toFixed() }]

function explainTiers(
  { money, jumpFactor }: CompiledAccount,
  { cost }: Basis,
  price: ComputedPrice | undefined,
  amount: Exact | null,
  held: readonly Held[],
): ExplainedTier[] {
  const tiers: ExplainedTier[] = []
  if (price !== undefined && price.tiersBy !== null && cost !== null && amount !== null)
    tiersOf(price.tiersBy, price, { cost, amount, money, held, jumpFactor }, tiers)
  return tiers
}

function explainUnitPrice({ measured }: Basis, store: StoreInput, price: Exact | undefined): ExplainedUnitPrice | null {
  const traced = price === undefined ? null : traceUnitPrice(measured, price, store)
  if (traced === null) return null
  const { value, referenceQuantity, ...rest } = traced
  return { ...rest, value: value?.toFixed() ?? null, referenceQuantity: referenceQuantity.toFixed() }
}

function explainSku(compiled: CompiledAccount, product: ProductInputs, basis: Basis): ExplainedSku {
  const { sku, missing, steps } = skuOf(compiled, product, basis.sources, basis.fields, true)
  return { value: sku, pattern: compiled.skuPattern === null ? null : compiled.account.skuPattern, missing, steps }
}
