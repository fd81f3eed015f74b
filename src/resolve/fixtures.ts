import { isAdditionalMember } from '../../contract/additional-members.ts'
import {
  DIMENSIONS,
  forEachField,
  isNameField,
  isOptional,
  isTextField,
  NAME_FIELDS,
} from '../../contract/product-fields.ts'
import { noConditions, PRICING_CONDITIONS, type ConditionValue, type Form } from '../../contract/rule-conditions.ts'
import { CONTENT_MEMBERS } from '../../contract/schemas.ts'
import { daysBefore } from '../model/day.ts'
import { Exact } from '../model/money.ts'
import type { Payload } from '../model/payload.ts'
import { compilingAccount, type CompiledAccount } from './compile.ts'
import type { Explanation } from './explanation.ts'
import type {
  AccountInputs,
  GroupInput,
  OfferInput,
  ProductInputs,
  RuleInput,
  StoreInput,
  SupplierInput,
} from './inputs.ts'
import { compileRule, orderedRules, type CompiledRule } from './prices/price-rules.ts'
import { PLACE_FACTS, PRICING_FACTS, type PriceFacts, type PricePlace } from './rules/facts.ts'
import { resolve } from './resolve.ts'

// Plain inputs for this room's tests, which override single members.

/** A place and facts that the values of CONDITION_CASES refer to. */
export const A_PLACE: PricePlace = { storeId: 1, groupId: 1, day: '2026-11-21' }
export const SOME_FACTS: PriceFacts = {
  productId: 5,
  supplierId: 2,
  manufacturer: 'acme',
  category: 'tools/hand tools',
  cost: new Exact('10'),
}

interface ConditionCase {
  met: ConditionValue
  unmet: ConditionValue
  /** Absent for conditions on ids of an account. */
  never?: ConditionValue
}
function caseOf({ fact, form, of, bound, digits }: (typeof PRICING_CONDITIONS)[number]): ConditionCase {
  const value = of === 'place' ? PLACE_FACTS[fact].read(A_PLACE) : PRICING_FACTS[fact](SOME_FACTS)
  return CASES_OF_FORM[form](String(value), bound === 'from', digits?.fraction ?? 0)
}

/** @param text the fact's value. @param isLower whether the condition is a lower bound of the fact */
type CaseOfForm = (text: string, isLower: boolean, fraction: number) => ConditionCase
const CASES_OF_FORM: Readonly<Record<Form, CaseOfForm>> = {
  ids: (text) => ({ met: [Number(text) + 6, Number(text)], unmet: [Number(text) + 6] }),
  names: (text) => ({ met: [` ${text.toUpperCase()}`], unmet: [`${text} Ltd`], never: ['Nobody'] }),
  paths: (text) => ({ met: [text.toUpperCase()], unmet: [text.slice(0, -1)], never: ['Nothing'] }),
  number(text, isLower, fraction) {
    const step = new Exact(10).pow(-fraction)
    const above = new Exact(text).plus(step).toFixed()
    return isLower
      ? { met: new Exact(text).toFixed(fraction), unmet: above, never: '1000000' }
      : { met: above, unmet: text, never: step.toFixed(fraction) }
  },
  day: (text, isLower) =>
    isLower
      ? { met: text, unmet: daysBefore(text, -1), never: '2999-01-01' }
      : { met: text, unmet: daysBefore(text, 1), never: '2000-01-01' },
}

/**
 * For each condition: a value that A_PLACE and SOME_FACTS just meet, one that they just miss, and, except for ids of an account, one that no
 * product of a test meets.
 */
export const CONDITION_CASES = Object.fromEntries(
  PRICING_CONDITIONS.map((condition) => [condition.field, caseOf(condition)]),
) as Readonly<Record<(typeof PRICING_CONDITIONS)[number]['field'], ConditionCase>>

/** Compiles rules in the order in which they are tried, for use in any store. */
export const compileRules = (rules: readonly RuleInput[]): CompiledRule[] => orderedRules(rules).map(compileRule)

/** Compiles an account without pausing. */
export function compileAccount(account: AccountInputs): CompiledAccount {
  const compiling = compilingAccount(account)
  for (;;) {
    const step = compiling.next()
    if (step.done === true) return step.value
  }
}

export const aStore = (over: Partial<StoreInput> = {}): StoreInput => ({
  storeId: 1,
  slug: 'main',
  locale: 'en',
  currency: 'EUR',
  listsByDefault: true,
  taxCountry: null,
  pricesIncludeTax: false,
  ...over,
})
export const aGroup = (over: Partial<GroupInput> = {}): GroupInput => ({
  groupId: 1,
  name: 'Retail',
  isDefault: true,
  taxCountry: null,
  pricesIncludeTax: null,
  ...over,
})
export const aRule = (over: Partial<RuleInput> = {}): RuleInput => ({
  ruleId: 1,
  name: 'Rule',
  priority: 100,
  isDefault: false,
  isActive: true,
  ...noConditions('pricing'),
  action: 'markup',
  percent: '0',
  fixedPrice: null,
  addition: null,
  floorMarginPercent: null,
  floorProfit: null,
  floorPrice: null,
  ceilingPrice: null,
  currency: null,
  rounding: {},
  overPriceLists: false,
  tiers: null,
  tiersAbovePrice: false,
  tiersFromSupplier: false,
  listPricePercent: null,
  ...over,
})
export const aSupplier = (supplierId: number, over: Partial<SupplierInput> = {}): SupplierInput => ({
  supplierId,
  code: `s${supplierId}`,
  priority: 100,
  safetyBuffer: 0,
  isActive: true,
  costTaxCountry: null,
  listPriceTax: null,
  ...over,
})
export const anOffer = (supplierId: number, over: Partial<OfferInput> = {}): OfferInput => ({
  supplierId,
  supplierSku: `S${supplierId}`,
  cost: '10',
  costTiers: null,
  currency: 'EUR',
  quantity: 5,
  ...forEachField(NAME_FIELDS, () => null),
  texts: {},
  attributes: [],
  images: [],
  imageAlts: null,
  group: null,
  ...over,
})
export const aProduct = (over: Partial<ProductInputs> = {}): ProductInputs => ({
  productId: 1,
  sku: 'A',
  isDeleted: false,
  createdAt: '2026-11-20T10:00:00+00:00',
  eans: [],
  offers: [],
  ownStock: null,
  overrides: [],
  attributeOverrides: [],
  listings: [],
  exclusions: [],
  holds: [],
  listEntries: [],
  priceHistory: [],
  images: {},
  groups: [],
  slugs: [],
  ownGroup: null,
  ...over,
})
/** One store, one group, a default rule that adds nothing, suppliers 1 to 3 of one priority; in EUR and English. */
export const anAccount = (over: Partial<AccountInputs> = {}): AccountInputs => ({
  currency: 'EUR',
  locale: 'en',
  anyLocale: false,
  day: '2026-11-20',
  skuPattern: null,
  priceJumpFactor: null,
  stores: [aStore()],
  groups: [aGroup()],
  rules: [aRule({ ruleId: 1, isDefault: true })],
  rates: {},
  suppliers: [aSupplier(1), aSupplier(2), aSupplier(3)],
  attributes: [],
  categories: [],
  exclusionRules: [],
  assortmentRules: [],
  sourceOrders: [],
  taxClasses: [],
  priceLists: [],
  imageBase: null,
  additionalMembers: [],
  ...over,
})

/** The payload of one store; null if the store does not list the product. */
export function payloadOf(account: AccountInputs, product: ProductInputs, storeId = 1): Payload | null {
  return resolve(compileAccount(account), product).find((entry) => entry.store.storeId === storeId)?.payload ?? null
}

/** The content half as an explanation implies it: members that are fields of a source, by their names. */
export function contentExplained(explanation: Explanation): Record<string, unknown> {
  const { productId, store, sku, images, attributes, exclusion, group, category } = explanation
  // an optional member without a value is left out
  const names = Object.keys(CONTENT_MEMBERS)
    .filter((name) => isTextField(name) || isNameField(name))
    .filter((name) => !isOptional(name) || explanation[name].value !== null)
  const dimensions = Object.fromEntries(
    DIMENSIONS.flatMap((name) => (explanation[name].value === null ? [] : [[name, explanation[name].value]])),
  )
  return {
    ...forEachField(names, (name) => explanation[name].value),
    id: productId,
    sku: sku.value,
    ean: explanation.ean.value,
    images: images.value ?? [],
    store,
    excluded: exclusion.excluded,
    exclusion_reason: exclusion.reason,
    attributes: attributes.map(({ key, label, value, typed }) => ({ key, label, value, ...typed?.members })),
    ...(group.value === null ? {} : { group: group.value }),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
    ...(category.own === null ? {} : { categories: [category.own] }),
  }
}

/** The content half without optional members that an account enables, which no explanation covers. */
export const withoutAdditional = (content: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(content).filter(([name]) => !isAdditionalMember(name)))
