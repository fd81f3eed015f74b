import { forEachField, lengthMaxOf, NAME_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import { MUST_TEXTS } from '../../../contract/product-resources.ts'
import { MUST } from '../../../contract/values.ts'
import { readCostTiers } from '../../input/cost-tiers.ts'
import { readCurrency } from '../../input/currency.ts'
import { readEan } from '../../input/ean.ts'
import { readImageAlts } from '../../input/image-alts.ts'
import { isObject } from '../../input/is-object.ts'
import { tooMany } from '../../input/list.ts'
import { readLocale, readLocaleForm } from '../../input/locale.ts'
import { readOptionalName } from '../../input/product-name.ts'
import { readKey, readOptionalText, readSku, readText } from '../../input/text.ts'
import { readUrl } from '../../input/url.ts'
import { readWhole } from '../../input/whole.ts'
import type { GroupOption, OfferAttribute, OfferGroup, OfferTexts } from '../../model/offer.ts'
import { offerCharacters, tooLong } from '../../model/offer-size.ts'
import type { OfferWrite } from '../../model/record-text.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Row, WHOLE_ROW } from './row.ts'

const CODE_LENGTH_MAX = 63
const MEMBERS = new Set([
  'supplier',
  'sku',
  'eans',
  'cost',
  'cost_tiers',
  'currency',
  'quantity',
  'texts',
  ...NAME_FIELDS,
  'attributes',
  'images',
  'image_alts',
  'group',
])

export interface OfferRow {
  members: Row
  supplier: string
  offer: OfferWrite
}

/** An offer from a row: absent members stay unchanged, null clears. */
export function readOffer(sent: unknown): OfferRow {
  const members = new Row(sent, MEMBERS)
  const { supplier, sku } = readOfferKey(members)
  const given = {
    eans: members.each('eans', LIMITS.eansPerProductMax, readEan),
    cost: members.amount('cost'),
    costTiers: readTiers(members),
    currency: readOfferCurrency(members),
    quantity: members.has('quantity') ? (members.pieces('quantity') ?? 0) : undefined,
    texts: readTexts(members),
    ...forEachField(NAME_FIELDS, (field) => members.read(field, (given) => readOptionalName(field, given))),
    attributes: readAttributes(members),
    images: readImages(members, 'images'),
    imageAlts: readAlts(members),
    group: readGroup(members),
  }
  const offer = { sku, ...defined(given) }
  const characters = offerCharacters(offer)
  if (characters > LIMITS.offerCharactersMax) members.fault(WHOLE_ROW, tooLong(characters, LIMITS.offerCharactersMax))
  return { members, supplier, offer }
}

/** The object without members that are undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** The key of an offer: the supplier's code and the supplier's SKU. */
export function readOfferKey(members: Row): { supplier: string; sku: string } {
  members.need('supplier')
  members.need('sku')
  const sku = members.read('sku', (given) => readSku(given, LIMITS.skuLengthMax)) ?? ''
  return { supplier: members.key('supplier', CODE_LENGTH_MAX) ?? '', sku }
}

/** Cost tiers, which must be below the row's cost. */
function readTiers(members: Row): OfferWrite['costTiers'] {
  const given = members.get('cost_tiers')
  if (given === undefined || given === null) return given
  return readCostTiers('cost_tiers', given, members.get('cost'), (fault) => members.fault(fault.name, fault.reason))
}

/** null: the currency of the supplier. */
export function readOfferCurrency(members: Row): string | null | undefined {
  return members.readOrNull('currency', readCurrency)
}

/** URLs in their order, without duplicates; also used for overrides. */
export function readImages(members: Row, name: string): string[] | undefined {
  return members.each(name, LIMITS.imagesPerProductMax, readUrl)
}

/** Texts of pictures. If the row also has `images`, only these may have texts. */
function readAlts(members: Row): OfferWrite['imageAlts'] {
  const given = members.get('image_alts')
  if (given === undefined || given === null) return given
  const alts = readImageAlts('image_alts', given, (fault) => members.fault(fault.name, fault.reason))
  const named = members.get('images')
  if (alts === undefined || !Array.isArray(named)) return alts
  const urls = new Set(named.map((url) => memberUrl(url)))
  for (const [locale, texts] of Object.entries(alts))
    for (const url of Object.keys(texts))
      if (!urls.has(url)) members.fault(`image_alts.${locale}.${url.slice(0, 80)}`, 'is not among `images`')
  return alts
}

const memberUrl = (given: unknown) => {
  const url = readUrl(given)
  return 'value' in url ? url.value : null
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

const GROUP_MEMBERS = ['key', 'title', 'options', 'position']

function readGroup(members: Row): OfferGroup | null | undefined {
  const given = members.get('group')
  if (given === undefined || given === null) return given
  if (!isObject(given)) return members.fault('group', MUST.object)
  members.known(given, GROUP_MEMBERS, 'group.')
  const key = members.take('group.key', readText(given['key'], LIMITS.groupKeyLengthMax))
  const { position } = given
  return {
    key: key ?? '',
    title: readGroupTitle(members, given['title']),
    options: readGroupOptions(members, given['options']),
    position:
      position === undefined || position === null
        ? null
        : (members.take('group.position', readWhole(position, 0, LIMITS.groupPositionMax)) ?? null),
  }
}

function readGroupTitle(members: Row, given: unknown): Record<string, string> {
  if (given === undefined || given === null) return {}
  if (!isObject(given)) {
    members.fault('group.title', MUST.object)
    return {}
  }
  const tags = Object.keys(given)
  if (tags.length > LIMITS.localesPerOfferMax)
    members.fault('group.title', tooMany(tags.length, LIMITS.localesPerOfferMax))
  const titles = new Map<string, string>()
  for (const tag of tags.slice(0, LIMITS.localesPerOfferMax)) {
    const at = `group.title.${tag.slice(0, 40)}`
    const locale = members.take(at, readLocale(tag))
    const title = members.take(at, readOptionalText(given[tag], LIMITS.groupTitleLengthMax))
    if (locale === undefined || title === undefined) continue
    if (titles.has(locale)) members.fault(at, 'is duplicated')
    else if (title !== null) titles.set(locale, title)
  }
  return Object.fromEntries(titles)
}

function readGroupOptions(members: Row, given: unknown): GroupOption[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) {
    members.fault('group.options', MUST.list)
    return []
  }
  if (given.length > LIMITS.groupOptionsMax)
    members.fault('group.options', tooMany(given.length, LIMITS.groupOptionsMax))
  const options = new Map<string, GroupOption>()
  for (const [i, entry] of (given as unknown[]).slice(0, LIMITS.groupOptionsMax).entries()) {
    const at = `group.options.${i}`
    if (!isObject(entry)) {
      members.fault(at, 'must be an object of key, label and value')
      continue
    }
    members.known(entry, ['key', 'label', 'value'], `${at}.`)
    const key = members.take(`${at}.key`, readText(entry['key'], LIMITS.attributeKeyLengthMax))
    const label =
      entry['label'] === undefined
        ? null
        : members.take(`${at}.label`, readOptionalText(entry['label'], LIMITS.nameLengthMax))
    const value = members.take(`${at}.value`, readText(entry['value'], LIMITS.groupOptionValueLengthMax))
    if (key === undefined || value === undefined || label === undefined) continue
    if (options.has(key)) members.fault(`${at}.key`, 'is duplicated')
    options.set(key, { key, label, value })
  }
  return [...options.values()]
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
    const entry = given[tag]
    // a text to be removed may be in a locale that was accepted only by an earlier release
    const locale = members.take(at, entry === null ? readLocaleForm(tag) : readLocale(tag))
    if (locale === undefined) continue
    if (texts.has(locale)) members.fault(at, 'is duplicated')
    else if (entry === null)
      texts.set(
        locale,
        forEachField(TEXT_FIELDS, () => null),
      )
    else if (!isObject(entry)) members.fault(at, MUST_TEXTS)
    else texts.set(locale, textsOf(members, at, entry))
  }
  return Object.fromEntries(texts)
}

function textsOf(members: Row, at: string, entry: Readonly<Record<string, unknown>>): OfferTexts {
  members.known(entry, TEXT_FIELDS, `${at}.`)
  return defined(
    forEachField(TEXT_FIELDS, (field) =>
      entry[field] === undefined
        ? undefined
        : members.take(`${at}.${field}`, readOptionalText(entry[field], lengthMaxOf(field))),
    ),
  )
}
