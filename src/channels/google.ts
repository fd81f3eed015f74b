import { DIMENSIONS } from '../../contract/product-fields.ts'
import { joiningGtinOf } from '../model/gtin.ts'
import { LIMITS } from '../platform/limits.ts'
import type { ChannelProduct, ChannelScope } from './channel-product.ts'
import { cleanText } from './plain-text.ts'
import { googleBase, googleMeasure } from './unit-pricing.ts'

// Google Merchant Center, product data specification, as RSS 2.0 (support.google.com/merchants/answer/7052112).

/** The part before the items. @param home address of the shop, or of this service if that is not known. */
export function googleHead(store: string, home: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n' +
    element('title', cleanText(store)) +
    element('link', home) +
    element('description', `Products of ${cleanText(store)}`)
  )
}

export const GOOGLE_TAIL = '</channel>\n</rss>\n'

/** One item of the feed. */
export function googleItem(product: ChannelProduct, scope: Pick<ChannelScope, 'timeZone'>): string {
  // Google refuses GTINs of restricted ranges
  const gtin = product.ean !== null && joiningGtinOf(product.ean) !== null ? product.ean : null
  const [first, ...others] = product.images
  return (
    '<item>\n' +
    element('g:id', product.sku ?? product.id) +
    element('title', cut(product.title, LIMITS.channelTitleLengthMax)) +
    (product.description === ''
      ? ''
      : element('description', cut(product.description, LIMITS.channelDescriptionLengthMax))) +
    (product.link === null ? '' : element('link', product.link)) +
    (first === undefined ? '' : element('g:image_link', first)) +
    others
      .slice(0, LIMITS.channelAdditionalImagesMax)
      .map((url) => element('g:additional_image_link', url))
      .join('') +
    element('g:availability', Number(product.stock) > 0 ? 'in_stock' : 'out_of_stock') +
    pricesOf(product, scope) +
    unitPricingOf(product) +
    (product.manufacturer === null ? '' : element('g:brand', product.manufacturer)) +
    (gtin === null ? '' : element('g:gtin', gtin)) +
    (product.mpn === null ? '' : element('g:mpn', product.mpn)) +
    (product.groupId === null ? '' : element('g:item_group_id', product.groupId)) +
    (product.category === null
      ? ''
      : element('g:product_type', cut(product.category, LIMITS.channelProductTypeLengthMax))) +
    // our SKU is not a manufacturer's part number; such a number identifies an article only together with the brand
    (gtin === null && (product.mpn === null || product.manufacturer === null)
      ? element('g:identifier_exists', 'no')
      : '') +
    element('g:condition', conditionOf(product.condition)) +
    (product.weight === null ? '' : element('g:shipping_weight', `${product.weight} kg`)) +
    packageOf(product.dimensions) +
    '</item>\n'
  )
}

/** The compare-at price is Google's price, and our price its sale price: with both days of a sale within that time, otherwise without an end. */
function pricesOf(
  { price, compareAtPrice, saleBeginsOn, saleEndsOn, currency }: ChannelProduct,
  { timeZone }: Pick<ChannelScope, 'timeZone'>,
): string {
  if (compareAtPrice === null) return element('g:price', `${price} ${currency}`)
  return (
    element('g:price', `${compareAtPrice} ${currency}`) +
    element('g:sale_price', `${price} ${currency}`) +
    (saleBeginsOn === null || saleEndsOn === null
      ? ''
      : element(
          'g:sale_price_effective_date',
          `${saleBeginsOn}T00:00${offsetAt(timeZone, `${saleBeginsOn}T00:00Z`)}/${saleEndsOn}T23:59${offsetAt(timeZone, `${saleEndsOn}T23:59Z`)}`,
        ))
  )
}

/**
 * The offset of a time zone at a moment, in Google's form: `+0100`. @param moment local time read as if it were UTC, so the result is wrong only in
 * the hours around a change of clocks.
 */
function offsetAt(timeZone: string, moment: string): string {
  const name =
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(new Date(moment))
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const offset = name.replace('GMT', '').replace(':', '')
  return offset === '' ? '+0000' : offset.slice(0, 5)
}

/** The net content, and the base measure of the unit price. If Google does not accept the base measure, it is left out and Google chooses one. */
function unitPricingOf({ netContent, unitPrice }: ChannelProduct): string {
  const measure = netContent === null ? null : googleMeasure(netContent)
  if (measure === null) return ''
  const base = unitPrice === null ? null : googleBase(unitPrice.quantity, unitPrice.unit)
  return (
    element('g:unit_pricing_measure', measure) + (base === null ? '' : element('g:unit_pricing_base_measure', base))
  )
}

/** Google accepts all three sides or none, each from 1 cm to 400 cm. */
function packageOf(dimensions: ChannelProduct['dimensions']): string {
  const sides = DIMENSIONS.map((name) => [name, dimensions[name]] as const)
  if (!sides.every(([, side]) => side !== undefined && Number(side) >= 1 && Number(side) <= 400)) return ''
  return sides.map(([name, side]) => element(`g:shipping_${name}`, `${side} cm`)).join('')
}

/** Google has no condition `damaged`, and takes articles without a condition for new. */
const conditionOf = (condition: string | null): string => (condition === 'damaged' ? 'used' : (condition ?? 'new'))

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>\n`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)
}

/** Cuts to at most `lengthMax` UTF-16 units, but not within a character. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax
  return text.slice(0, end).trimEnd()
}
