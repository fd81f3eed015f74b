import { say } from '../../../contract/remarks/remarks.ts'
import { Exact } from '../../model/money.ts'
import { unreadable, type RawRow, type ReadLimits, type Warn } from '../rows.ts'
import { parseRecords, type ElementPath } from '../xml/parse.ts'
import { elementText, listOf, memberOf } from '../xml/names.ts'
import { CatalogGroups } from './catalog-groups.ts'
import { localeOf } from './languages.ts'
import { textsOf } from './texts.ts'
import { WaitingArticles, type Article } from './waiting-articles.ts'
import { must } from '../../platform/must.ts'

/** The values of a catalog's header that apply to its articles. `mimeRoot` precedes relative addresses of pictures. */
interface CatalogHeader {
  locale: string
  currency: string
  mimeRoot: string
}

/**
 * Parses a BMEcat catalog, 1.2 or 2005, into rows that are the same for both: `sku`, `mode` (`new`, `update`, `delete`), `title`, `description` (of
 * the catalog's language; `titles.de` and `descriptions.de` by locale), `ean`, `manufacturer`, `manufacturer_sku`, `category`, `keywords`, `features`
 * (name, value, unit), `prices` (type, amount, currency, lower), `price_quantity`, `order_unit`, `content_unit`, `content` (of an order unit, where
 * it is measured), `images`, `image_alts`, `base_product`, `delivery_time`, `stock`, `country_of_origin`, `customs_number`, `weight` (kg), `length`,
 * `width` and `depth` (m); and the elements of the article unchanged.
 * @throws ShelfwireError `source-unreadable` for XML that is not well-formed, cut off, or no catalog
 */
export async function* parseBmecat(
  text: AsyncIterable<string>,
  limits: ReadLimits,
  warn: Warn = () => {},
): AsyncGenerator<RawRow[]> {
  const { importRowBytesMax: rowBytesMax } = limits
  let header: CatalogHeader = { locale: '', currency: '', mimeRoot: '' }
  let isCatalog = false
  let isTooLarge = false
  const groups = new CatalogGroups(limits.importCatalogGroupsBytesMax)
  const waiting = new WaitingArticles(limits.importGroupBytesMax)
  const rowsOf = (articles: readonly Article[]) =>
    articles.map((article) => rowOf(article, header, groups, rowBytesMax))
  for await (const records of parseRecords(text, isRecord, limits, true)) {
    const articles: Article[] = []
    for (const record of records) {
      const name = must(record.path.at(-1))
      if (name === 'HEADER') header = headerOf(record.value)
      else if (name === 'ARTICLE' || name === 'PRODUCT')
        articles.push({ line: record.line, value: record.value, isNew: record.path[1] === 'T_NEW_CATALOG' })
      else groups.take(name, record.value, header.locale)
      isCatalog ||= record.path.length <= 3
    }
    // the groups of articles are in a map after all articles, so the articles wait
    if (groups.areMapped && waiting.add(articles)) continue
    if (groups.areMapped && !isTooLarge) {
      isTooLarge = true
      warn(say('groups_too_late', {}))
      for (const kept of waiting.articles()) yield rowsOf(kept)
    }
    if (articles.length > 0) yield rowsOf(articles)
  }
  if (!isCatalog)
    throw unreadable('line 1: this is no BMEcat catalog: <HEADER> and <ARTICLE> or <PRODUCT> in <BMECAT> are expected')
  for (const articles of waiting.articles()) yield rowsOf(articles)
}

const RECORDS: readonly (readonly [RegExp, number])[] = [
  [/^HEADER$/, 2],
  [/^(?:ARTICLE|PRODUCT|(?:ARTICLE|PRODUCT)_TO_CATALOGGROUP_MAP)$/, 3],
  [/^(?:CATALOG_STRUCTURE|CLASSIFICATION_SYSTEM_NAME)$/, 4],
  [/^CLASSIFICATION_GROUP$/, 5],
]

function isRecord(path: ElementPath): boolean {
  if (path.length < 2 || path.length > 5 || path[0] !== 'BMECAT') return false
  const name = must(path.at(-1))
  return RECORDS.some(([names, depth]) => depth === path.length && names.test(name))
}

function headerOf(header: unknown): CatalogHeader {
  const catalog = memberOf(header, 'CATALOG')
  const languages = listOf(memberOf(catalog, 'LANGUAGE'))
  const main = languages.find((language) => memberOf(language, '@default') === 'true') ?? languages[0]
  return {
    locale: localeOf(elementText(main)),
    currency: elementText(memberOf(catalog, 'CURRENCY')),
    mimeRoot: elementText(memberOf(catalog, 'MIME_ROOT')),
  }
}

/**
 * The names of elements in BMEcat 2005 and in 1.2. Written in full, because joining the parts of a name for each article takes longer than looking it
 * up.
 */
const PARTS = {
  details: ['PRODUCT_DETAILS', 'ARTICLE_DETAILS'],
  orderDetails: ['PRODUCT_ORDER_DETAILS', 'ARTICLE_ORDER_DETAILS'],
  features: ['PRODUCT_FEATURES', 'ARTICLE_FEATURES'],
  priceDetails: ['PRODUCT_PRICE_DETAILS', 'ARTICLE_PRICE_DETAILS'],
  logistics: ['PRODUCT_LOGISTIC_DETAILS', 'ARTICLE_LOGISTIC_DETAILS'],
  reference: ['PRODUCT_REFERENCE', 'ARTICLE_REFERENCE'],
} as const

const MEASURES = [
  ['weight', 'WEIGHT'],
  ['length', 'LENGTH'],
  ['width', 'WIDTH'],
  ['depth', 'DEPTH'],
] as const

const TEXTS = [
  ['title', 'titles', 'DESCRIPTION_SHORT'],
  ['description', 'descriptions', 'DESCRIPTION_LONG'],
] as const

function rowOf(
  { line, value, isNew }: Article,
  header: CatalogHeader,
  groups: CatalogGroups,
  rowBytesMax: number,
): RawRow {
  if (value === null) return { line, fault: `is longer than ${rowBytesMax} bytes` }
  const article = value as Record<string, unknown>
  const part = (name: keyof typeof PARTS) => memberOf(article, PARTS[name][0]) ?? memberOf(article, PARTS[name][1])
  const details = part('details')
  const order = part('orderDetails')
  const features = part('features')
  const row: Record<string, unknown> = { ...article }
  const set = (name: string, text: unknown) => {
    if (text !== undefined && text !== '') row[name] = text
  }
  // AID is the name in 1.2, PID in 2005
  set('sku', elementText(memberOf(article, 'SUPPLIER_PID') ?? memberOf(article, 'SUPPLIER_AID')))
  set('mode', elementText(memberOf(article, '@mode')) || (isNew ? 'new' : 'update'))
  if (details !== undefined) {
    for (const [name, byLocale, from] of TEXTS) {
      const texts = textsOf(memberOf(details, from), header.locale)
      row[name] = texts[header.locale] ?? Object.values(texts)[0] ?? ''
      row[byLocale] = texts
    }
    row['ean'] = gtinsOf(details)
    row['manufacturer'] = elementText(memberOf(details, 'MANUFACTURER_NAME'))
    set('manufacturer_sku', elementText(memberOf(details, 'MANUFACTURER_PID') ?? memberOf(details, 'MANUFACTURER_AID')))
    set('delivery_time', elementText(memberOf(details, 'DELIVERY_TIME')))
    set('stock', elementText(memberOf(details, 'STOCK')))
    row['keywords'] = listOf(memberOf(details, 'KEYWORD')).map(elementText)
    // the supplier's own groups are more specific than those of a classification system
    set('category', groups.ofArticle(elementText(row['sku'])) || categoryOf(details, features, groups))
  }
  if (features !== undefined) row['features'] = listOf(features).flatMap((set) => featuresOf(set))
  const priceDetails = part('priceDetails')
  if (priceDetails !== undefined) row['prices'] = pricesOf(listOf(priceDetails)[0], header.currency)
  if (order !== undefined) {
    row['price_quantity'] = elementText(memberOf(order, 'PRICE_QUANTITY')) || '1'
    set('order_unit', elementText(memberOf(order, 'ORDER_UNIT')))
    set('content_unit', elementText(memberOf(order, 'CONTENT_UNIT')))
    row['content'] = contentOf(order)
  }
  const logistics = part('logistics')
  if (logistics !== undefined) {
    // the code may include a region of the country, as in DE-BY
    set('country_of_origin', elementText(listOf(memberOf(logistics, 'COUNTRY_OF_ORIGIN'))[0]).replace(/-.*$/, ''))
    const dimensions = listOf(memberOf(logistics, 'PRODUCT_DIMENSIONS'))[0]
    for (const [name, from] of MEASURES) set(name, elementText(memberOf(dimensions, from)))
    set(
      'customs_number',
      elementText(memberOf(listOf(memberOf(logistics, 'CUSTOMS_TARIFF_NUMBER'))[0], 'CUSTOMS_NUMBER')),
    )
  }
  for (const [name, text] of extensionsOf(memberOf(article, 'USER_DEFINED_EXTENSIONS'))) {
    set(name, text)
    if (row['stock'] === undefined && STOCK.test(name)) set('stock', text)
  }
  const reference = part('reference')
  if (reference !== undefined) set('base_product', baseProductOf(reference))
  const mime = memberOf(article, 'MIME_INFO')
  if (mime !== undefined || details !== undefined) {
    const { urls, alts } = picturesOf(mime, header)
    row['images'] = urls
    row['image_alts'] = alts
  }
  return { line, row }
}

/** The key of the article of which this one is a version; '' if it names none. */
function baseProductOf(references: unknown): string {
  const base = listOf(references).find((one) => elementText(memberOf(one, '@type')) === 'base_product')
  return elementText(memberOf(base, 'PROD_ID_TO') ?? memberOf(base, 'ART_ID_TO'))
}

/** The values of EAN, GTIN (2005), and INTERNATIONAL_PID of the type gtin, ean or upc. */
function gtinsOf(details: unknown): string[] {
  const named = [...listOf(memberOf(details, 'EAN')), ...listOf(memberOf(details, 'GTIN'))].map(elementText)
  const typed = listOf(memberOf(details, 'INTERNATIONAL_PID'))
    .filter((id) => /^(?:gtin|ean|upc)/i.test(elementText(memberOf(id, '@type'))))
    .map(elementText)
  return [...new Set([...named, ...typed])].filter((text) => text !== '')
}

/**
 * The article's group in a classification system, with its parents if the catalog contains the system; otherwise its name or, failing that, the
 * supplier's ERP group.
 */
function categoryOf(details: unknown, features: unknown, groups: CatalogGroups): string {
  for (const set of listOf(features)) {
    const path = groups.ofClass(
      elementText(memberOf(set, 'REFERENCE_FEATURE_SYSTEM_NAME')),
      elementText(memberOf(set, 'REFERENCE_FEATURE_GROUP_ID')),
    )
    if (path !== '') return path
  }
  // without the name of a system, this name is only a heading for some features
  const set = listOf(features).find((one) => elementText(memberOf(one, 'REFERENCE_FEATURE_SYSTEM_NAME')) !== '')
  return (
    elementText(memberOf(set, 'REFERENCE_FEATURE_GROUP_NAME')) || elementText(memberOf(details, 'ERP_GROUP_SUPPLIER'))
  )
}

const STOCK = /(?:^|[._])(?:STOCK|STOCK_QUANTITY|QUANTITY_IN_STOCK|BESTAND|LAGERBESTAND|AVAILABILITY|VERFUEGBARKEIT)$/i

/** The texts of the elements that suppliers add to the format, by their names: `UDX.SUPPLIER.STOCK`. */
function extensionsOf(extensions: unknown): [string, string][] {
  if (typeof extensions !== 'object' || extensions === null) return []
  return Object.entries(extensions).map(([name, value]): [string, string] => [name, elementText(value)])
}

/**
 * Codes of UN/ECE recommendation 20 for weights, volumes, lengths and areas. Units that are counted, such as pieces, are left out, because unit
 * prices are not compared by them.
 */
const MEASURED = new Set('MGM GRM KGM TNE MLT CLT DLT LTR MTQ MMT CMT MTR KMT CMK MTK'.split(' '))

/** The content of an order unit, such as `0.75 LTR`; '' if it is counted and not measured. */
function contentOf(order: unknown): string {
  const unit = elementText(memberOf(order, 'CONTENT_UNIT'))
  return MEASURED.has(unit) ? `${elementText(memberOf(order, 'NO_CU_PER_OU')) || '1'} ${unit}` : ''
}

function featuresOf(set: unknown): Record<string, unknown>[] {
  const heading = elementText(memberOf(set, 'REFERENCE_FEATURE_GROUP_NAME'))
  return listOf(memberOf(set, 'FEATURE')).flatMap((feature) => {
    const template = memberOf(feature, 'FTEMPLATE')
    const own = [memberOf(feature, 'FNAME'), memberOf(feature, 'FT_NAME'), memberOf(template, 'FT_NAME')]
    const stated = own.map(elementText).find((text) => text !== '') ?? ''
    const name = stated === '-' ? heading : stated
    // 1.2 may have the values of variants instead; FVALUE_DETAILS spells out the codes of a classification system
    const values = listOf(
      memberOf(feature, 'FVALUE') ??
        memberOf(listOf(memberOf(feature, 'VARIANTS'))[0], 'FVALUE') ??
        memberOf(feature, 'FVALUE_DETAILS'),
    )
      .map(elementText)
      // the heading of a group of features has its own name as its value
      .filter((value) => value !== '' && value !== '-' && value !== name)
    return name === '' || values.length === 0
      ? []
      : [{ name, value: values, unit: elementText(memberOf(feature, 'FUNIT')) }]
  })
}

function pricesOf(details: unknown, currency: string): Record<string, string>[] {
  const prices = listOf(memberOf(details, 'PRODUCT_PRICE') ?? memberOf(details, 'ARTICLE_PRICE'))
  return prices.flatMap((price) => {
    const amount = elementText(memberOf(price, 'PRICE_AMOUNT'))
    if (amount === '') return []
    return [
      {
        type: elementText(memberOf(price, '@price_type')),
        amount: withFactor(amount, elementText(memberOf(price, 'PRICE_FACTOR'))),
        currency: elementText(memberOf(price, 'PRICE_CURRENCY')) || currency,
        lower: elementText(memberOf(price, 'LOWER_BOUND')) || '1',
        tax: elementText(memberOf(price, 'TAX')),
      },
    ]
  })
}

const PLAIN = /^\d{1,15}(?:\.\d{1,6})?$/

const withFactor = (amount: string, factor: string): string =>
  PLAIN.test(amount) && PLAIN.test(factor) && factor !== '1'
    ? new Exact(amount).times(factor).toDecimalPlaces(6).toFixed()
    : amount

/** The addresses of the article's pictures and their alternative texts, without data sheets, logos, icons and thumbnails. */
function picturesOf(mime: unknown, { mimeRoot: root, locale }: CatalogHeader): { urls: string[]; alts: string[] } {
  const urls: string[] = []
  const alts: string[] = []
  for (const one of listOf(memberOf(mime, 'MIME'))) {
    const source = elementText(memberOf(one, 'MIME_SOURCE'))
    const type = elementText(memberOf(one, 'MIME_TYPE'))
    const purpose = elementText(memberOf(one, 'MIME_PURPOSE'))
    const isPicture = type === '' ? /\.(?:jpe?g|png|gif|webp|tiff?|bmp)$/i.test(source) : /^image\//i.test(type)
    if (source === '' || !isPicture || /^(?:data_sheet|logo|icon|thumbnail|safety_data_sheet)$/i.test(purpose)) continue
    const isAbsolute = /^(?:https?:)?\/\//i.test(source)
    const isWhole = isAbsolute || !/^https?:\/\//i.test(root)
    urls.push(isWhole ? source : `${root.replace(/\/+$/, '')}/${source.replace(/^\/+/, '')}`)
    alts.push(textsOf(memberOf(one, 'MIME_ALT'), locale)[locale] ?? '')
  }
  return { urls, alts }
}
