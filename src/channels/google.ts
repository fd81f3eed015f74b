import { gtinOf } from '../model/gtin.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Good } from './channel-product.ts'
import { cleanText } from './plain-text.ts'

// Google Merchant Center, product data specification, as RSS 2.0 (support.google.com/merchants/answer/7052112).

/** What stands before the items. @param home address of the shop, or of this service where it is not known. */
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
export function googleItem(good: Good): string {
  const gtin = good.ean !== null && gtinOf(good.ean) !== null ? good.ean : null
  const [first, ...others] = good.images
  return (
    '<item>\n' +
    element('g:id', good.sku ?? good.id) +
    element('title', cut(good.title, LIMITS.channelTitleLengthMax)) +
    (good.description === '' ? '' : element('description', cut(good.description, LIMITS.channelDescriptionLengthMax))) +
    (good.link === null ? '' : element('link', good.link)) +
    (first === undefined ? '' : element('g:image_link', first)) +
    others
      .slice(0, LIMITS.channelAdditionalImagesMax)
      .map((url) => element('g:additional_image_link', url))
      .join('') +
    element('g:availability', Number(good.stock) > 0 ? 'in_stock' : 'out_of_stock') +
    element('g:price', `${good.price} ${good.currency}`) +
    (good.manufacturer === null ? '' : element('g:brand', good.manufacturer)) +
    (gtin === null ? '' : element('g:gtin', gtin)) +
    // a SKU of ours is no number of the manufacturer’s; without a GTIN there is nothing that identifies it elsewhere
    (gtin === null ? element('g:identifier_exists', 'no') : '') +
    element('g:condition', 'new') +
    '</item>\n'
  )
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>\n`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)
}

/** At most so many UTF-16 units, none of them half of a character. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const end = /[\uD800-\uDBFF]/.test(text[lengthMax - 1] ?? '') ? lengthMax - 1 : lengthMax
  return text.slice(0, end).trimEnd()
}
