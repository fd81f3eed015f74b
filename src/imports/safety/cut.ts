import { NAME_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import { plainDecimal } from '../../model/money.ts'
import type { OfferRecord } from '../../model/offer.ts'

/** The known values of an offer, as far as a record can state them. */
export type KnownOffer = Pick<
  OfferRecord,
  'cost' | 'costTiers' | 'quantity' | 'texts' | 'attributes' | 'images' | 'imageAlts' | 'group'
> &
  Partial<Record<(typeof NAME_FIELDS)[number], string | null>>

/**
 * Finds the only value of a record that differs from the known offer, if it is the beginning of the known value, as in
 * the last row of a file that was cut within its last cell. Null if other values differ, or none.
 */
export function truncatedValue(
  known: KnownOffer,
  record: OfferRecord,
): { field: string; before: string; value: string } | null {
  const before = values(known)
  const differing = [...values(record)].filter(([field, value]) => before.get(field) !== value)
  const [only] = differing
  if (only === undefined || differing.length > 1) return null
  const [field, value] = only
  const was = before.get(field) ?? ''
  return value !== '' && was.length > value.length && was.startsWith(value) ? { field, before: was, value } : null
}

/** The stated values of an offer by field, as texts. */
function values(offer: KnownOffer | OfferRecord): Map<string, string> {
  const found = new Map<string, string>()
  const add = (field: string, value: string | number | null | undefined) => {
    if (value !== undefined) found.set(field, value === null ? '' : String(value))
  }
  add('cost', typeof offer.cost === 'string' ? plainDecimal(offer.cost) : offer.cost)
  for (const tier of offer.costTiers ?? []) add(`cost from ${tier.quantity}`, tier.cost)
  add('quantity', offer.quantity)
  for (const field of NAME_FIELDS) add(field, offer[field])
  for (const [locale, texts] of Object.entries(offer.texts ?? {}))
    for (const field of TEXT_FIELDS) add(`${field} (${locale})`, texts[field])
  for (const { key, value } of offer.attributes ?? []) add(`attribute ${key}`, value)
  for (const [i, url] of (offer.images ?? []).entries()) add(`image ${i + 1}`, url)
  for (const [locale, texts] of Object.entries(offer.imageAlts ?? {}))
    for (const [url, text] of Object.entries(texts)) add(`text of image ${url} (${locale})`, text)
  if (offer.group !== undefined && offer.group !== null) {
    const { key, title, options, position } = offer.group
    add('group', key)
    for (const [locale, text] of Object.entries(title)) add(`group title (${locale})`, text)
    for (const option of options) add(`option ${option.key}`, option.value)
    add('group position', position)
  }
  return found
}
