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

// The unit price: what a price as it is shown comes to per kilogram, litre or metre. Which quantity the law wants, and where it wants none, is in
// docs/decisions/178-a-unit-price-is-left-out-where-it-would-mislead.md.

const ONE = new Exact(1)
/** Contents with their references that are remembered. */
const REMEMBERED_MAX = 2_000
/** Per what quantity prices are compared, by the store's units. A content in cubic metres is compared by the cubic metre. */
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

/** The field that is read as a content: the first source whose value is understood, the owner's before all. */
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

/** What a product's prices are compared by. */
export interface Measured {
  content: NetContent
  /** The quantity that a source states for it; null: the usual one of the store. */
  reference: NetContent | null
  /** What `divisionIn` has found, by the units that stores compare in. */
  divisions: Map<typeof METRIC, Division | null>
}

/** @param found the two fields as `findContent` finds them. @returns null where nothing states a content */
export function measuredBy(content: Found<string> | null, reference: Found<string> | null): Measured | null {
  if (content === null) return null
  return measuredByTexts(reference === null ? content.value : `${content.value}\0${reference.value}`)
}

/** The content, and the reference behind a NUL, which the database has in no text: products that have them in common share what they are divided by. */
const measuredByTexts = remembered(REMEMBERED_MAX, (texts: string): Measured | null => {
  const [content = '', reference] = texts.split('\0')
  const kept = keptContent(content)
  if (kept === null) return null
  return { content: kept, reference: reference === undefined ? null : keptContent(reference), divisions: new Map() }
})

/** What one store's prices of a product are divided by. */
interface Division {
  unit: ContentUnit
  referenceQuantity: Exact
  /** The content in `unit`. */
  content: Exact
}

/** null: the stated reference is a quantity of another kind, as litres of what is weighed: one of the two is wrong. */
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

/** How a unit price came about; `value` null: it is left out, and why. */
export interface TracedUnitPrice {
  value: Exact | null
  unit: ContentUnit
  referenceQuantity: Exact
  leftOut: 'same_as_price' | 'zero' | null
  steps: PriceStep[]
}

/** The unit price beside one price in a store, line by line. @returns null where nothing states how much is in it, or one thing in litres and grams */
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
  // multiplied first, so that 10 for 3 pieces is 10 again for 3
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

/** The prices that clients read, each with its unit price where that says something. */
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
