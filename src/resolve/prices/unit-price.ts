import type { ContentUnit } from '../../../contract/content-units.ts'
import type { NameField } from '../../../contract/product-fields.ts'
import { quotientTo, times } from '../../model/arithmetic.ts'
import { Exact, minorDigits, toMinor } from '../../model/money.ts'
import { contentIn, keptContent, kindOf, type ContentKind, type NetContent } from '../../model/net-content.ts'
import type { Price, UnitPrice } from '../../model/payload.ts'
import type { OfferInput, OverrideInput, StoreInput } from '../inputs.ts'
import type { PriceStep } from './price.ts'
import { settle } from './rounding.ts'
import type { Found } from '../sourcing/sources.ts'
import { findName } from '../content/text.ts'
import { remembered } from '../../platform/caches/remembered.ts'

// The unit price: a price as shown per kilogram, litre, metre and so on. Which quantity the law requires, and when there is no unit price, is in
// docs/decisions/178-a-unit-price-is-left-out-where-it-would-mislead.md.

const ONE = new Exact(1)
/** Cached pairs of content and reference. */
const REMEMBERED_MAX = 2_000
/** The reference quantities of stores with metric units. A content in cubic metres is compared per cubic metre. */
const METRIC: Readonly<Record<ContentKind, ContentUnit>> = {
  weight: 'kg',
  volume: 'l',
  length: 'm',
  area: 'm2',
  count: 'piece',
}
const CUSTOMARY: typeof METRIC = { weight: 'lb', volume: 'qt', length: 'ft', area: 'sq ft', count: 'piece' }
/** Countries that measure in pounds and feet (CLDR, supplemental data on measurement systems); Britain states unit prices in kilograms and litres. */
const OF_CUSTOMARY = /-(?:US|LR)\b/i

/** The value of one of these fields from the first source whose value can be read, the owner's first. */
export function findContent(
  field: NameField & ('net_content' | 'unit_price_reference'),
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
): Found<string> | null {
  const found = findName(field, overrides, sources)
  if (found === null || keptContent(found.value) !== null) return found
  const understood = (text: string | null) => text !== null && keptContent(text) !== null
  return findName(
    field,
    overrides.filter((entry) => entry.field !== field || understood(entry.value)),
    sources.filter((offer) => understood(offer[field])),
  )
}

/** The content that a product's prices are divided by. */
export interface Measured {
  content: NetContent
  /** The stated reference quantity; null: the usual one of the store. */
  reference: NetContent | null
  /** Cached results of `divisionIn`, by METRIC or CUSTOMARY. */
  divisions: Map<typeof METRIC, Division | null>
}

/** @param content, @param reference as `findContent` finds them. @returns null if no content is stated */
export function measuredBy(content: Found<string> | null, reference: Found<string> | null): Measured | null {
  if (content === null) return null
  return measuredByTexts(reference === null ? content.value : `${content.value}\0${reference.value}`)
}

/** Content and reference in one text, separated by NUL, which no stored text contains: products with equal texts share the result. */
const measuredByTexts = remembered(REMEMBERED_MAX, (texts: string): Measured | null => {
  const [content = '', reference] = texts.split('\0')
  const kept = keptContent(content)
  if (kept === null) return null
  return { content: kept, reference: reference === undefined ? null : keptContent(reference), divisions: new Map() }
})

/** The divisor of one store's prices of a product. */
interface Division {
  unit: ContentUnit
  referenceQuantity: Exact
  /** The content in `unit`. */
  content: Exact
}

/** null if the stated reference is a quantity of another kind, such as litres of something weighed: one of the two is wrong. */
function divisionIn(measured: Measured, { locale }: StoreInput): Division | null {
  const usual = OF_CUSTOMARY.test(locale) ? CUSTOMARY : METRIC
  const known = measured.divisions.get(usual)
  if (known !== undefined) return known
  const division = divisionBy(measured, usual)
  measured.divisions.set(usual, division)
  return division
}

function divisionBy({ content, reference }: Measured, usual: typeof METRIC): Division | null {
  const unit = reference?.unit ?? (content.unit === 'm3' && usual === METRIC ? 'm3' : usual[kindOf(content.unit)])
  const inUnit = contentIn(content, unit)
  return inUnit === null ? null : { unit, referenceQuantity: reference?.quantity ?? ONE, content: inUnit }
}

/** A unit price with its calculation. `value` is null if it is left out, for the reason `leftOut`. */
export interface TracedUnitPrice {
  value: Exact | null
  unit: ContentUnit
  referenceQuantity: Exact
  leftOut: 'same_as_price' | 'zero' | null
  steps: PriceStep[]
}

/**
 * The unit price for one price in a store, with its steps. @returns null if no content is stated, or if content and reference are of different kinds
 */
export function traceUnitPrice(measured: Measured | null, price: Exact, store: StoreInput): TracedUnitPrice | null {
  const division = measured === null ? null : divisionIn(measured, store)
  if (division === null) return null
  const steps: PriceStep[] = []
  const { unit, referenceQuantity } = division
  return { ...dividedPrice(division, price, store.currency, steps), unit, referenceQuantity, steps }
}

/** @param trace receives each step, for `explain`. */
function dividedPrice(
  { referenceQuantity, content }: Division,
  price: Exact,
  currency: string,
  trace?: PriceStep[],
): Pick<TracedUnitPrice, 'value' | 'leftOut'> {
  if (trace === undefined) {
    const multiplied = referenceQuantity === ONE ? price : times(price, referenceQuantity)
    const value = quotientTo(minorDigits(currency), multiplied, content)
    if (value !== null) return shownUnitPrice(value, price)
  }
  let result = price
  const step = (name: PriceStep['step'], op: PriceStep['op'], by: Exact, value: Exact) => {
    result = value
    trace?.push({ step: name, op, by: by.toFixed(), result: value.toFixed() })
  }
  step('price', '=', price, price)
  // multiplied first, so that 10 for 3 pieces is again 10 per 3 pieces
  if (!referenceQuantity.equals(ONE)) step('reference', '*', referenceQuantity, times(price, referenceQuantity))
  step('content', '/', content, result.dividedBy(content))
  const settled = settle(result)
  if (trace !== undefined && !settled.equals(result)) step('settle', 'round', settled, settled)
  const value = toMinor(settled, currency)
  trace?.push({ step: 'rounding', op: 'round', by: 'minor_digits', result: value.toFixed() })
  return shownUnitPrice(value, price)
}

function shownUnitPrice(value: Exact, price: Exact): Pick<TracedUnitPrice, 'value' | 'leftOut'> {
  const leftOut = value.isZero() ? 'zero' : value.equals(price) ? 'same_as_price' : null
  return { value: leftOut === null ? value : null, leftOut }
}

/** The prices that clients read, each with its unit price unless that is left out. */
export function withUnitPrices<P extends Price>(
  prices: readonly P[],
  measured: Measured,
  store: StoreInput,
): readonly P[] {
  const division = divisionIn(measured, store)
  if (division === null) return prices
  const { unit, referenceQuantity } = division
  return prices.map((price) => {
    const { value } = dividedPrice(division, price.computedPrice, store.currency)
    const unitPrice: UnitPrice | null = value === null ? null : { value, unit, referenceQuantity }
    return unitPrice === null ? price : { ...price, unitPrice }
  })
}
