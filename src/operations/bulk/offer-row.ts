import { forEachField, lengthMaxOf, NAME_FIELDS } from '../../../contract/product-fields.ts'
import { MUST } from '../../../contract/values.ts'
import type { OfferWrite } from '../../catalog/products/offer-state.ts'
import { readCurrency } from '../../input/currency.ts'
import { readEan } from '../../input/ean.ts'
import { tooMany } from '../../input/list.ts'
import { readLocale } from '../../input/locale.ts'
import { readKey, readOptionalText, readSku, readText } from '../../input/text.ts'
import { readUrl } from '../../input/url.ts'
import type { OfferAttribute, OfferTexts } from '../../model/offer.ts'
import { LIMITS } from '../../platform/limits.ts'
import { isObject, Row } from './row.ts'

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

/** A complete offer from a row: absent members stay unchanged, null clears. */
export function readOffer(sent: unknown): OfferRow {
  const members = new Row(sent, MEMBERS)
  const { supplier, sku } = readOfferKey(members)
  const given = {
    eans: members.each('eans', LIMITS.eansPerProductMax, readEan),
    cost: members.amount('cost'),
    currency: readOfferCurrency(members),
    quantity: members.has('quantity') ? (members.pieces('quantity') ?? 0) : undefined,
    texts: readTexts(members),
    ...forEachField(NAME_FIELDS, (field) => members.clearable(field, lengthMaxOf(field))),
    attributes: readAttributes(members),
    images: readImages(members, 'images'),
  }
  return { members, supplier, offer: { sku, ...defined(given) } }
}

/** Only the members that are present. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** The supplier's code and its key of the article. */
export function readOfferKey(members: Row): { supplier: string; sku: string } {
  members.need('supplier')
  members.need('sku')
  const sku = members.read('sku', (given) => readSku(given, LIMITS.skuLengthMax)) ?? ''
  return { supplier: members.key('supplier', CODE_LENGTH_MAX) ?? '', sku }
}

/** null: the supplier's currency. */
export function readOfferCurrency(members: Row): string | null | undefined {
  return members.readOrNull('currency', readCurrency)
}

/** URLs in their order, without duplicates; also used for overrides. */
export function readImages(members: Row, name: string): string[] | undefined {
  return members.each(name, LIMITS.imagesPerProductMax, readUrl)
}

function readAttributes(members: Row): OfferAttribute[] | undefined {
  const list = members.get('attributes')
  if (list === undefined || list === null) return list === null ? [] : undefined
  if (!Array.isArray(list)) return members.fault('attributes', MUST.list)
  if (list.length > LIMITS.attributesPerProductMax)
    return members.fault('attributes', tooMany(list.length, LIMITS.attributesPerProductMax))
  const found = new Map<string, string>()
  for (const [i, entry] of (list as unknown[]).entries()) {
    const at = `attributes.${i}`
    if (!isObject(entry)) {
      members.fault(at, 'must be an object of key and value')
      continue
    }
    members.known(entry, ['key', 'value'], `${at}.`)
    const key = members.take(`${at}.key`, readKey(entry['key'], LIMITS.attributeKeyLengthMax))
    const value = members.take(`${at}.value`, readText(entry['value'], LIMITS.attributeValueLengthMax))
    if (key === undefined || value === undefined) continue
    if (found.has(key)) members.fault(`${at}.key`, 'is duplicated')
    found.set(key, value)
  }
  return Array.from(found, ([key, value]) => ({ key, value }))
}

function readTexts(members: Row): Record<string, OfferTexts> | null | undefined {
  const given = members.get('texts')
  if (given === undefined || given === null) return given
  if (!isObject(given)) return members.fault('texts', MUST.object)
  const tags = Object.keys(given)
  if (tags.length > LIMITS.localesPerOfferMax)
    return members.fault('texts', tooMany(tags.length, LIMITS.localesPerOfferMax))
  const texts = new Map<string, OfferTexts>()
  for (const tag of tags) {
    const at = `texts.${tag.slice(0, 40)}`
    const locale = members.take(at, readLocale(tag))
    const entry = given[tag]
    if (locale === undefined) continue
    if (texts.has(locale)) members.fault(at, 'is duplicated')
    else if (entry === null) texts.set(locale, { title: null, description: null })
    else if (!isObject(entry)) members.fault(at, 'must be an object of title and description')
    else texts.set(locale, textsOf(members, at, entry))
  }
  return Object.fromEntries(texts)
}

function textsOf(members: Row, at: string, entry: Readonly<Record<string, unknown>>): OfferTexts {
  members.known(entry, ['title', 'description'], `${at}.`)
  const read = (name: string, lengthMax: number) =>
    entry[name] === undefined ? undefined : members.take(`${at}.${name}`, readOptionalText(entry[name], lengthMax))
  return defined({
    title: read('title', LIMITS.titleLengthMax),
    description: read('description', LIMITS.descriptionLengthMax),
  })
}
