import { NAME_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import type { MadeListPriceLeftOut } from '../../../contract/list-prices.ts'
import type { TierLeftOut } from '../../../contract/tiers.ts'
import type {
  ExplainedPrice,
  ExplainedTier,
  ExplainedUnitPrice,
  ExplainedValue,
  Explanation,
  ExplainedMadeListPrice,
  ExplainedTaxedListPrice,
} from '../../resolve/explanation.ts'
import type { PriceStep } from '../../resolve/prices/price.ts'
import type { Source } from '../../resolve/sourcing/sources.ts'
import type { TypedValue } from '../../resolve/content/typed-value.ts'
import { must } from '../../platform/must.ts'

/** Describes how the type of an attribute's definition reads its value. */
function typedText(typed: TypedValue | null): string {
  if (typed === null) return ''
  const { type, value_number: number, unit, value_boolean: is, values } = typed.members
  if (typed.unread !== undefined) return `, no ${type}: ${typed.unread}`
  if (number !== undefined) return `, read as the number ${number}${unit === undefined ? '' : ` ${unit}`}`
  if (is !== undefined) return `, read as ${is ? 'yes' : 'no'}`
  return values === undefined ? '' : `, read as ${values.length} entries`
}

const TEXT_SHOWN = 100
const DIGITS_SHOWN = 8

const SLUG_BY = { title: 'made of the title', hand: 'by hand', id: 'there is no title yet' } as const

const slugLines = (slug: Explanation['slug']): string[] =>
  slug === null ? [] : [`slug: ${slug.value} (${SLUG_BY[slug.by]})`, ...slug.old.map((old) => `  ${old} leads to it`)]

/** An explanation as text for a terminal, with shortened amounts and texts; --json prints it in full. */
export function explanationText(explanation: Explanation): string {
  const { listing, offers, stock, baseCost, listPriceInStore, saleInStore, tax, exclusion, sku, slug, attributes } =
    explanation
  return [
    `product ${explanation.productId} in store "${explanation.store}", as of ${explanation.day}`,
    `listed: ${listing.isListed ? 'yes' : 'no'} (${listing.by === 'default' ? 'the store’s default' : listing.by})`,
    ...listing.rules.map(
      (rule) =>
        `  ${rule.isApplied ? '→' : ' '} rule ${rule.ruleId} "${rule.name}" ${rule.lists ? 'lists' : 'unlists'}${unmet(rule.unmet)}`,
    ),
    'offers:',
    ...offers.map(
      (offer) =>
        `  ${offer.rank === 1 ? '→' : ' '} ${offer.supplierCode ?? offer.supplierId}:${offer.supplierSku} ${offer.cost ?? 'no cost'} ${offer.currency}` +
        `${offer.comparableCost === null ? '' : ` (${short(offer.comparableCost)} compared)`}, ${offer.quantity} pieces (${offer.reportedQuantity} reported, ${offer.safetyBuffer} kept back)` +
        `${offer.ineligible === null ? '' : `; does not compete: ${words(offer.ineligible)}`}${offer.behindBestBy === null ? '' : `; behind the best by ${words(offer.behindBestBy)}`}`,
    ),
    `stock: ${stock.own} own + ${stock.bestSupplier} of the best supplier = ${stock.total}`,
    baseCost === null
      ? 'base cost: none is known'
      : `base cost: ${short(baseCost.amount)} ${baseCost.currency} (${words(baseCost.source)})${arithmetic(baseCost.steps.slice(1))}, shown as ${baseCost.shown ?? 'nothing, because a rate is missing'}`,
    ...(listPriceInStore === null ? [] : [listPriceLine(listPriceInStore)]),
    ...(saleInStore === null
      ? []
      : [
          `sale price: ${short(saleInStore.amount)} ${saleInStore.currency}${arithmetic(saleInStore.steps.slice(1))}, shown as ${saleInStore.shown ?? 'nothing, because a rate is missing'}${saleInStore.state === 'in_force' ? '' : ` (${words(saleInStore.state)})`}`,
        ]),
    ...(tax === null ? [] : [taxLine(tax)]),
    ...explanation.prices.flatMap(priceLines),
    ...[...TEXT_FIELDS, ...NAME_FIELDS, 'ean' as const].map((field) => valueLine(field, explanation[field])),
    `images: ${explanation.images.value?.length ?? 0}${explanation.images.source === null ? '' : ` (${sourceText(explanation.images.source)})`}`,
    ...explanation.images.states.map(
      ({ url, state, reason, shown }) =>
        `  ${shown === null ? ' ' : '→'} ${cut(url)} ${state}${reason === null ? '' : ` (${words(reason)})`}`,
    ),
    ...slugLines(slug),
    `sku: ${sku.value ?? 'none'}${sku.pattern === null ? ' (the product’s own key)' : ` (pattern ${sku.pattern}${sku.missing === null ? '' : `; ${words(sku.missing)} is missing`})`}`,
    ...attributes.map(
      (attribute) =>
        `attribute ${attribute.label}: ${cut(attribute.value)} (${sourceText(attribute.source)}${attribute.stated === attribute.value ? '' : `, given as ${cut(attribute.stated)}`}${typedText(attribute.typed)})`,
    ),
    `excluded: ${exclusion.excluded ? `yes, ${must(exclusion.reason)}` : 'no'}`,
    ...exclusion.found.slice(1).map((found) => `  also: ${found.reason}`),
    ...exclusion.rules.map(
      (rule) =>
        `  ${rule.isMatch ? '→' : ' '} rule ${rule.ruleId} "${rule.name}" (${words(rule.kind)}) ${rule.isMatch ? 'matches' : 'does not match'}`,
    ),
  ].join('\n')
}

function listPriceLine({ amount, currency, steps, shown, taxRateMissing }: ExplainedTaxedListPrice): string {
  const missing = taxRateMissing === null ? 'a rate' : `the tax rate of ${taxRateMissing}`
  return `list price: ${short(amount)} ${currency}${arithmetic(steps.slice(1))}, shown as ${shown ?? `nothing, because ${missing} is missing`} beside prices below it`
}

function priceLines(price: ExplainedPrice): string[] {
  // the settle step only removes a division's rounding error, beyond the digits shown here
  const steps = price.steps.slice(1).filter((step) => step.step !== 'settle')
  return [
    `price for ${price.group}: ${price.price ?? 'none'} ${price.currency}${price.compareAtPrice === null ? '' : ` instead of ${price.compareAtPrice}`}${price.lowestPrice30Days === null ? '' : `, lowest of 30 days ${price.lowestPrice30Days}`}${price.sale === 'guarded' ? ' (the sale price is too far below it, unless you state it yourself)' : ''}${price.held === null ? '' : ` (held; ${price.held.wantedPrice} waits to be confirmed: more than ${price.held.factor} times)`}${price.isUnstatedZero ? ' (a price of 0, which no rule states)' : ''}`,
    ...(price.priceList === null ? [] : [`  → price list ${price.priceList.key} "${price.priceList.name}" says it`]),
    ...(price.steps.length === 0 ? [] : [`    ${short(must(price.steps[0]).result)}${arithmetic(steps)}`]),
    ...(price.listPrice === null ? [] : [`  ${listPriceLine(price.listPrice)}`]),
    ...(price.madeListPrice === null ? [] : [madeListPriceLine(price.madeListPrice)]),
    ...price.tiers.map(tierLine),
    ...(price.unitPrice === null ? [] : [unitPriceLine(price.unitPrice, price.currency)]),
    ...price.rules.map(
      (rule) =>
        `  ${rule.isApplied ? '→' : ' '} rule ${rule.ruleId} "${rule.name}"${rule.isDefault ? ' (default)' : ''}${unmet(rule.unmet)}`,
    ),
  ]
}

const NOT_BESIDE = {
  held: ', not shown while the price is held',
  sale: ', not shown in a sale',
  not_above_price: ', not shown: not above the price',
} as const satisfies Record<MadeListPriceLeftOut, string>

function madeListPriceLine({ steps, price, leftOut }: ExplainedMadeListPrice): string {
  const [cost, ...rest] = steps.filter(({ step }) => step !== 'settle')
  return `  list price by the rule: ${price}${leftOut === null ? '' : NOT_BESIDE[leftOut]}, of ${short(must(cost).result)} [cost]${arithmetic(rest)}`
}

const LEFT_OUT = {
  held: ', not shown while the price is held',
  guarded: ', not shown: too far below the price',
  zero: ', which is no price',
  not_below_price: ', not shown: not below the price',
  not_below_tier: ', not shown: not below the tier before it',
} as const satisfies Record<TierLeftOut, string>

function tierLine({ quantity, steps, price, leftOut }: ExplainedTier): string {
  const [first, ...rest] = steps.filter(({ step }) => step !== 'settle')
  const why = leftOut === null ? '' : LEFT_OUT[leftOut]
  return `  from ${quantity}: ${price}${why}, of ${first === undefined ? '' : `${short(first.result)} [${words(first.step)}]`}${arithmetic(rest)}`
}

const WITHOUT = { same_as_price: 'the same as the price', zero: '0' } as const

function unitPriceLine(
  { value, unit, referenceQuantity, leftOut, steps }: ExplainedUnitPrice,
  currency: string,
): string {
  const shown = leftOut === null ? `${value} ${currency}` : `none, it would be ${WITHOUT[leftOut]}`
  const shownSteps = steps.slice(1).filter((step) => step.step !== 'settle')
  return `    per ${referenceQuantity} ${unit}: ${must(steps[0]).result}${arithmetic(shownSteps)}: ${shown}`
}

const SIGNS = { '=': '=', '*': '×', '/': '÷', '+': '+', max: 'at least', min: 'at most', round: 'rounded to' } as const

/** Steps as text: ` × 1.45 = 33.93 [markup] rounded to 1 … = 33.99 [rounding]`. */
function arithmetic(steps: readonly PriceStep[]): string {
  return steps
    .map(
      (step) =>
        ` ${SIGNS[step.op]} ${/^-?\d/.test(step.by) ? short(step.by) : words(step.by)}${step.op === '=' ? '' : ` = ${short(step.result)}`} [${words(step.step)}]`,
    )
    .join('')
}

function taxLine({
  class: key,
  by,
  category,
  country,
  rate,
  isIncluded,
  isPriceless,
}: NonNullable<Explanation['tax']>): string {
  const whose =
    key === null ? 'no class' : `class ${key} (${category === null ? (by ?? 'nobody') : `category ${category}`})`
  const percent = rate === null ? `no rate in ${country}` : `${rate}% in ${country}`
  return `tax: ${whose}, ${percent}, ${isPriceless ? 'so there is no price with tax' : isIncluded ? 'in the prices' : 'not in the prices'}`
}

function valueLine(name: string, value: ExplainedValue<string>): string {
  return `${name}: ${value.value === null ? 'none' : `${cut(value.value)} (${value.source === null ? '' : sourceText(value.source)})`}`
}

function sourceText(source: Source): string {
  if (source.from === 'override') return `override${source.locale === '' ? '' : `, ${source.locale}`}`
  return `supplier ${source.supplierId}, ${source.supplierSku}${source.locale === null ? '' : `, ${source.locale}`}`
}

const unmet = (names: readonly string[]) => (names.length === 0 ? '' : `; not met: ${names.map(words).join(', ')}`)
const words = (name: string) => name.replaceAll('_', ' ')

/** An amount with at most DIGITS_SHOWN decimals. */
function short(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return fraction.length <= DIGITS_SHOWN ? amount : `${whole}.${fraction.slice(0, DIGITS_SHOWN)}…`
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= TEXT_SHOWN ? line : `${line.slice(0, TEXT_SHOWN)}…`
}
