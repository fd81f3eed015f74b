import { hash } from 'node:crypto'
import { CONTENT_MEMBERS } from '../../contract/schemas.ts'
import { amountText } from '../model/money.ts'
import type { ContentHalf, Price, PriceHalf, PriceSale, PriceTax, Tier, UnitPrice } from '../model/payload.ts'
import { must } from '../platform/must.ts'

// A half is stored as the members of a JSON object without its braces, so that a response is built by joining stored
// texts: `{` content `,` price `}`. Members are in the order of the contract.

const MEMBERS = (Object.keys(CONTENT_MEMBERS) as (keyof ContentHalf)[]).map((name, i) => ({
  i,
  name,
  prefix: `${i === 0 ? '' : ','}"${name}":`,
}))

/**
 * Returns an encoder for the content halves of one product, called store after store. It writes JSON members in the contract's order, and
 * encodes values that are the same in consecutive stores only once.
 */
export function contentEncoder(): (content: ContentHalf) => string {
  const values: unknown[] = []
  const texts: string[] = []
  return (content) => {
    let text = ''
    // not Object.entries(), whose pairs took a tenth of this function's time; it runs for every payload
    for (const { i, name, prefix } of MEMBERS) {
      const value = content[name]
      // an optional member without a value is left out, so that other payloads stay as they were before the member existed
      if (value === undefined) continue
      if (values[i] !== value) {
        values[i] = value
        texts[i] = prefix + JSON.stringify(value)
      }
      text += texts[i]
    }
    return text
  }
}

/** Encodes the content half of one store. */
export const encodeContent = (content: ContentHalf): string => contentEncoder()(content)

/** The content half with `updated_at` as its last member. @param at an ISO timestamp as the API writes it. */
export const withUpdatedAt = (content: string, at: string): string => `${content},"updated_at":"${at}"`

/** Encodes the JSON members prices and stock. Amounts are written from exact decimals, never through binary floating point. */
export function encodePrice(price: PriceHalf): string {
  const entries = price.prices.map(
    (entry) =>
      `{"customer_group_id":${entry.groupId},"customer_group":${JSON.stringify(entry.group)}` +
      `,"base_cost":${amountText(entry.baseCost)},"computed_price":${amountText(entry.computedPrice)}` +
      `,"currency":"${entry.currency}","applied_rule_id":${entry.ruleId}` +
      (entry.isDefault === null ? '' : `,"is_default":${entry.isDefault}`) +
      (entry.compareAtPrice === null ? '' : `,"compare_at_price":${amountText(entry.compareAtPrice)}`) +
      (entry.sale === null ? '' : encodeSale(entry.sale)) +
      (entry.tax === null ? '' : encodeTax(entry.tax)) +
      (entry.tiers.length === 0 ? '' : `,"tiers":[${entry.tiers.map(encodeTier).join(',')}]`) +
      (entry.unitPrice === null ? '}' : `${encodeUnitPrice(entry.unitPrice)}}`),
  )
  return `"prices":[${entries.join(',')}],"stock":${price.stock}`
}

const encodeSale = ({ beginsOn, endsOn, lowest }: PriceSale): string =>
  ',"is_sale":true' +
  (lowest === null ? '' : `,"lowest_price_30_days":${amountText(lowest)}`) +
  (beginsOn === null ? '' : `,"sale_begins_on":"${beginsOn}"`) +
  (endsOn === null ? '' : `,"sale_ends_on":"${endsOn}"`)

const encodeTax = ({ isIncluded, rate, taxClass }: PriceTax): string =>
  `,"tax_included":${isIncluded}` +
  (rate === null ? '' : `,"tax_rate":${amountText(rate.percent)}`) +
  (taxClass === null ? '' : `,"tax_class":${JSON.stringify(taxClass)}`)

const encodeTier = ({ quantity, price }: Tier): string => `{"quantity":${quantity},"price":${amountText(price)}}`
const encodeUnitPrice = ({ value, unit, referenceQuantity }: UnitPrice): string =>
  `,"unit_price":{"value":${amountText(value)},"unit":"${unit}","reference_quantity":${amountText(referenceQuantity)}}`

/** One of the prices in a stored half; amounts are decimal texts. */
export interface EncodedPrice {
  groupId: number
  currency: string
  /** The price without the sale, for a price that is on sale. */
  regularPrice: string
  ruleId: number
}

/** Matches one price of `encodePrice` up to `is_sale`. */
const ENCODED_PRICE =
  /"customer_group_id":(\d+),"customer_group":"(?:[^"\\]|\\.)*","base_cost":[\d.]+,"computed_price":([\d.]+),"currency":"([A-Z]{3})","applied_rule_id":(\d+)(?:,"is_default":(?:true|false))?(?:,"compare_at_price":([\d.]+))?(,"is_sale":true)?/gs

/**
 * Reads the prices of a half that `encodePrice` wrote. Not by JSON.parse: it took a tenth of the time of computing new prices, because it also
 * parses tiers, taxes and unit prices, and it would turn amounts into binary floating point.
 */
export function encodedPrices(half: string): EncodedPrice[] {
  const prices: EncodedPrice[] = []
  // not matchAll, which clones the pattern for each half
  ENCODED_PRICE.lastIndex = 0
  for (let found = ENCODED_PRICE.exec(half); found !== null; found = ENCODED_PRICE.exec(half)) {
    const [, groupId, price, currency, ruleId, compareAt, isSale] = found
    prices.push({
      groupId: Number(groupId),
      currency: must(currency),
      regularPrice: must(isSale === undefined ? price : (compareAt ?? price)),
      ruleId: Number(ruleId),
    })
  }
  return prices
}

/**
 * The prices as the price history stores them: currency, then each group's id and price by ascending group id, as in payloads (`EUR 1:19.99
 * 2:18.5`). Empty without prices.
 */
export function shownPrices(prices: readonly Price[]): string {
  const [first] = prices
  if (first === undefined) return ''
  let text = first.currency
  for (const entry of prices) text += ` ${entry.groupId}:${amountText(entry.computedPrice)}`
  return text
}

/**
 * 96 bits of SHA-512 in 16 base64url characters. SHA-512 is faster than SHA-256 on processors without SHA instructions. Equal bodies have
 * equal tags; collisions are unlikely enough to ignore.
 */
export function tagOf(body: string): string {
  return hash('sha512', body, 'base64url').slice(0, 16)
}
