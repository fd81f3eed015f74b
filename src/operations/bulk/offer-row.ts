import { forEachField, lengthMaxOf, NAME_FIELDS } from '../../../contract/product-fields.ts'
import { canonicalLocale } from '../../input/check.ts'
import { EAN_DIGITS_MAX } from '../../model/gtin.ts'
import type { OfferWrite } from '../../catalog/products/offers.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { OfferAttribute, OfferTexts } from '../../model/offer.ts'
import { quoted } from '../../supplier-files/text-fault.ts'
import { parseCurrency, parseEan, parseImage } from '../../supplier-files/values.ts'
import { Row } from './row.ts'

const CODE_LENGTH_MAX = 63
const MEMBERS = new Set([
  'supplier',
  'sku',
  'eans',
  'cost',
  'currency',
  'quantity',
  'texts',
  ...NAME_FIELDS,
  'attributes',
  'images',
])

export interface OfferRow {
  members: Row
  supplier: string
  offer: OfferWrite
}

/** A whole offer of a row: what is absent stays as it is, null clears. The same is demanded as of an import. */
export function readOffer(sent: unknown): OfferRow {
  const members = new Row(sent, MEMBERS)
  const { supplier, sku } = readOfferKey(members)
  const stated = {
    eans: readEans(members),
    cost: members.amount('cost'),
    currency: readCurrency(members),
    quantity: members.has('quantity') ? (members.pieces('quantity') ?? 0) : undefined,
    texts: readTexts(members),
    ...forEachField(NAME_FIELDS, (field) => members.clearable(field, lengthMaxOf(field))),
    attributes: readAttributes(members),
    images: readImages(members, 'images'),
  }
  return {
    members,
    supplier,
    offer: {
      sku,
      ...(Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as Omit<
        OfferWrite,
        'sku'
      >),
    },
  }
}

/** Code of the supplier and its key of the article. */
export function readOfferKey(members: Row): { supplier: string; sku: string } {
  members.need('supplier')
  members.need('sku')
  const sku = members.text('sku', LIMITS.skuLengthMax) ?? ''
  // feeds are read without them, so such a key would never meet its article there
  if (sku !== sku.trim()) members.fault('sku', `${quoted(sku)} begins or ends with a blank`)
  return { supplier: members.text('supplier', CODE_LENGTH_MAX) ?? '', sku }
}

/** undefined and null: the supplier's own. */
export function readCurrency(members: Row): string | undefined {
  const value = members.get('currency')
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return members.fault('currency', 'must be a text such as "EUR"')
  const parsed = parseCurrency(value)
  return 'value' in parsed ? parsed.value : members.fault('currency', parsed.reason)
}

function readEans(members: Row): string[] | undefined {
  const list = members.list('eans', LIMITS.eansPerProductMax)
  if (list === undefined || list === null) return list === null ? [] : undefined
  const eans = list.flatMap((value, i) => {
    const name = `eans.${i}`
    const text = members.textOf(name, value, LIMITS.skuLengthMax)
    const parsed = text === undefined ? undefined : parseEan(text)
    if (parsed === undefined) return []
    if ('reason' in parsed) return members.fault(name, parsed.reason) ?? []
    return parsed.value.length > EAN_DIGITS_MAX
      ? (members.fault(name, `has more than ${EAN_DIGITS_MAX} digits`) ?? [])
      : [parsed.value]
  })
  return [...new Set(eans)]
}

/** Addresses in their order, each once; also of overrides. */
export function readImages(members: Row, name: string): string[] | undefined {
  const list = members.list(name, LIMITS.imagesPerProductMax)
  if (list === undefined || list === null) return list === null ? [] : undefined
  const images = list.flatMap((value, i) => {
    const at = `${name}.${i}`
    const text = members.textOf(at, value, LIMITS.urlLengthMax)
    if (text === undefined) return []
    if (!/^https?:\/\//i.test(text)) return members.fault(at, `${quoted(text)} is no http or https URL`) ?? []
    const parsed = parseImage(text, undefined)
    return 'value' in parsed ? [parsed.value] : (members.fault(at, parsed.reason) ?? [])
  })
  return [...new Set(images)]
}

function readAttributes(members: Row): OfferAttribute[] | undefined {
  const list = members.list('attributes', LIMITS.attributesPerProductMax)
  if (list === undefined || list === null) return list === null ? [] : undefined
  const found = new Map<string, string>()
  list.forEach((entry, i) => {
    const at = `attributes.${i}`
    if (!isObject(entry)) return members.fault(at, 'must be an object {key, value}')
    refuseUnknown(members, at, entry, ['key', 'value'])
    const key = members.textOf(`${at}.key`, entry['key'], LIMITS.attributeKeyLengthMax)
    const value = members.textOf(`${at}.value`, entry['value'], LIMITS.attributeValueLengthMax)
    if (key === undefined || value === undefined) return undefined
    if (found.has(key)) return members.fault(`${at}.key`, `${quoted(key)} stands twice`)
    found.set(key, value)
    return undefined
  })
  return Array.from(found, ([key, value]) => ({ key, value }))
}

function readTexts(members: Row): Record<string, OfferTexts> | null | undefined {
  const given = members.get('texts')
  if (given === undefined || given === null) return given
  if (!isObject(given)) return members.fault('texts', 'must be an object by locale, or null')
  const locales = Object.keys(given)
  if (locales.length > LIMITS.localesPerOfferMax)
    return members.fault('texts', `has ${locales.length} locales, more than ${LIMITS.localesPerOfferMax}`)
  const texts = new Map<string, OfferTexts>()
  for (const tag of locales) {
    const at = `texts.${tag.slice(0, 40)}`
    const locale = canonicalLocale(tag)
    const entry = given[tag]
    if (locale === null) members.fault(at, 'is not a BCP 47 language tag such as en or pl-PL')
    else if (texts.has(locale)) members.fault(at, `stands twice, as ${locale}`)
    else if (entry === null) texts.set(locale, { title: null, description: null })
    else if (!isObject(entry)) members.fault(at, 'must be an object {title, description}, or null')
    else texts.set(locale, textsOf(members, at, entry))
  }
  return Object.fromEntries(texts)
}

function textsOf(members: Row, at: string, entry: Readonly<Record<string, unknown>>): OfferTexts {
  refuseUnknown(members, at, entry, ['title', 'description'])
  const found: OfferTexts = {}
  for (const [name, lengthMax] of [
    ['title', LIMITS.titleLengthMax],
    ['description', LIMITS.descriptionLengthMax],
  ] as const) {
    const value = entry[name]
    if (value === undefined) continue
    const text = value === null || value === '' ? null : members.textOf(`${at}.${name}`, value, lengthMax)
    if (text !== undefined) found[name] = text
  }
  return found
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuseUnknown(
  members: Row,
  at: string,
  entry: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  for (const name of Object.keys(entry)) {
    if (!known.includes(name))
      members.fault(`${at}.${name.slice(0, 60)}`, `is not a member; they are ${known.join(', ')}`)
  }
}
