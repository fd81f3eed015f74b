import {
  MAPPED_GROUP_FIELDS,
  NAME_FIELDS,
  TEXT_FIELDS,
  type NameField,
  type TextField,
} from '../../../contract/product-fields.ts'
import iconv from 'iconv-lite'
import { isObject } from '../../input/is-object.ts'
import { canonicalLocale, readLocale, readLocaleForm } from '../../input/locale.ts'
import { readKey } from '../../input/text.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { AvailabilitySettings } from '../availability.ts'
import {
  checkAttribute,
  checkCondition,
  checkConditions,
  checkCostTier,
  checkListSource,
  checkShape,
  checkSource,
  unknownKey,
} from './mapping-check.ts'
import { checkSize } from './mapping-size.ts'
import type { TableChoice } from '../side-by-side.ts'
import {
  MappingShape,
  type AttributeFilter,
  type ColumnSource,
  type Condition,
  type ConstantSource,
  type Format,
} from './mapping-schema.ts'
import { must } from '../../platform/must.ts'

export type { ColumnSource, Condition, Format }

/** Where one value comes from. A string is the name of a column; in formats whose rows are objects, a dotted path. */
export type Source =
  | string
  | ColumnSource
  | ConstantSource
  | { join: Source[]; with?: string }
  | { first: Source[] }
  | { when: Condition | Condition[]; use: Source; else?: Source }
  | { calc: string; of: Record<string, Source> }
  | TierSource
  | SumSource

/** A sum of numbers: of several sources, of which each may be a list, or of the `amount` of each member of one list. */
export type SumSource = { sum: Source[] } | { sum: string; amount: string; where?: Condition | Condition[] }

/** A list of prices by quantity, of which the price for `quantity` pieces (default 1) is taken. */
export interface TierSource {
  tiers: string
  price: string
  from?: string
  quantity?: number
  where?: Condition | Condition[]
}

/** Where attributes come from: one with a given `key`, or several whose keys are in the file. */
export type AttributeSource =
  | ({ key: string } & Exclude<Source, string | TierSource | SumSource>)
  | PackedSource
  | ({ object: string } & AttributeFilter)
  | ({ list: string; name: string; value: string; unit?: string; with?: string } & AttributeFilter)
  | ({ pairs: string; value: string; unit?: string } & AttributeFilter)
  | ParallelSource

/** A list of keys and values in one cell: `size=XS,color=Black`. */
export type PackedSource = {
  packed: string
  pair: string
  assign: string
  /** The table may lack the column. */
  optional?: boolean
  /** A regular expression that extracts the value from the text after the assign sign. */
  capture?: string
  /** Joins the values of a repeated key; default: `, `. */
  with?: string
} & AttributeFilter

/** A list of keys in one cell, and a list of their values in another: `size|color` and `M|red`. */
export type ParallelSource = {
  names: string
  values: string
  /** Separates the entries of both lists. */
  between: string
  /** A key ends before the first of these signs, and a value before the last; the rest is not part of them. */
  cut?: string
  /** The table may lack the columns. */
  optional?: boolean
} & AttributeFilter

/**
 * How a row lists its variants in one cell: `sku=A,size=M|sku=B,size=L`. Between two variants is `between`; within one, `pair` is between its
 * members, and `assign` between a member and its value.
 */
export interface Variants {
  column: string
  between: string
  pair: string
  assign: string
  /** The member that has the value of `by` in the variant's row. */
  key: string
  /** Which rows are variants of no product if no row lists them; the others keep the group that they have. Default: all. */
  alone?: Condition | Condition[]
  /** The table may lack the column. */
  optional?: boolean
}

/** How rows that belong together become offers. */
export interface Grouping {
  /** The key that rows of one product share; with `parent`, all keys by which children may name a row. */
  by: Source | Source[]
  /** Rows of one product may be anywhere in the file; otherwise they must follow each other. */
  anywhere?: boolean
  /** A row that leaves `by` empty belongs to the product of the row before it. */
  continues?: boolean
  /** The column in which a row names the `by` of its parent. */
  parent?: string
  /** How rows list their variants, which have rows and offers of their own. */
  variants?: Variants
  /** Columns that a row may leave empty, and that are then filled from the product's first row, or from the parent. */
  inherit?: string[]
  /** Columns whose values are collected over all rows of the product: each different value once, or all values if a field adds them up. */
  collect?: string[]
  /** Columns that are collected together with one of `collect`, so that their values stay beside each other: column -> collected column. */
  beside?: Record<string, string>
  /** Which of the columns above a table may lack. */
  optional?: string[]
  /** Which rows are offers of their own; default: all. */
  offers?: Condition | Condition[]
  /** If no row of a product meets `offers`, its first row is the offer. */
  orFirst?: boolean
}

/** The cost of one piece from a quantity on. */
export type CostTierSource = { quantity: number | Source; cost: Source } | CostTierPacked | CostTierList

/** Several tiers in one cell: `1: 10.00, 10: 9.20`. */
export interface CostTierPacked {
  packed: string
  pair: string
  assign: string
  /** The table may lack the column. */
  optional?: boolean
}

/** A list of prices by quantity. A TierSource takes one price of such a list. */
export interface CostTierList {
  tiers: string
  /** The quantity from which a price applies. */
  from: string
  price: string
  /** The currency of a price; prices in another currency than the row's are ignored. */
  currency?: string
  /** For how many pieces the prices are, read from the row; default: 1. */
  per?: Source
  where?: Condition | Condition[]
}

/** The sources of the fields. A text (`title`, `description`) is in the mapping's locale; `title.pl` names its own. */
export interface Fields extends Partial<Record<TextField | NameField, Source>> {
  sku: Source
  cost?: Source
  /** Of several lists, only the first that has a tier counts. */
  cost_tiers?: CostTierSource[]
  currency?: Source
  quantity?: Source
  ean?: Source | Source[]
  images?: Source | Source[]
  /**
   * Alternative texts of the pictures, in the mapping's locale. Each source belongs to the source of `images` at the same position; without `images`
   * they have no effect.
   */
  image_alts?: Source | Source[]
  attributes?: AttributeSource[]
  /** Length, width and height as one text. */
  dimensions?: Source
  /** The group of variants to which the offer belongs; its title is in the mapping's locale. */
  group_key?: Source
  group_title?: Source
  group_position?: Source
  /** The attributes in which the variants of the group differ. */
  group_options?: AttributeSource[]
  [text: `${TextField}.${string}`]: Source
  [alts: `image_alts.${string}`]: Source | Source[]
}

/** Where an XML document has its categories, which stand before the articles. */
export interface CategorySettings {
  /** Dotted path of the categories. */
  items: string
  /** The members of a category; the name may be its text, `#text`. */
  id: string
  name: string
  /** The id of the category that contains it. */
  parent?: string
  /** The member of an article with the id of its category. */
  of: string
}

/** A mapping file: the form of a supplier's file, and the columns or paths of its fields. parseMapping makes it. */
export interface Mapping {
  /** Default: detected from the content. */
  format?: Format
  /** Default: detected from the first records, or from a first line `sep=;`. */
  delimiter?: string
  /** `''`: quotes have no meaning; default: `"`. */
  quote?: string
  /** Any encoding that iconv-lite knows; default: detected. */
  encoding?: string
  /** Whether a table has a row of column names; default: true. Without one the columns are named 1, 2 and so on. */
  header?: boolean
  /** Lines before the row of column names. */
  skipLines?: number
  /** How many rows name the columns, one above the other, as with merged cells; default: 1. */
  headerLines?: number
  /** Whether rows may lack cells at their end, which are then empty; default: such rows are refused. */
  shortRows?: boolean
  /** The file inside a zip archive that has several. */
  file?: string
  /** The sheet of a workbook; default: the first that is not hidden. */
  sheet?: string
  /** Which of several tables side by side with the same column names is read, from 1 on, or all; default: the sheet is one table. */
  table?: TableChoice
  /** Dotted path of the list in a JSON document, or of the records in an XML document (`catalog.product`). */
  items?: string
  /** The categories of an XML document that the articles name by their ids; the path of an article's category is its member `#category`. */
  categories?: CategorySettings
  /**
   * Dotted path of a list in each record whose elements are the articles (`variants`). docs/decisions/231-a-record-may-list-its-articles.md says why.
   */
  each?: string
  /** Locale of `title` and `description`. */
  locale?: string
  /**
   * The decimal sign; default: a point, except in amounts that certainly have a comma; a number such as `1,234`, which may be 1234 or 1.234, is
   * refused then.
   */
  decimal?: '.' | ','
  /** The http or https URL that precedes relative addresses of pictures. */
  imageBaseUrl?: string
  /** How many pieces words such as `in stock` count as. */
  availability?: AvailabilitySettings
  group?: Grouping
  fields: Fields
  /** Rows that meet one of these conditions are left out. */
  skip?: Condition[]
}

/** Settings that have a meaning only in these formats. */
const MEANINGS: Readonly<Record<string, readonly Format[]>> = {
  delimiter: ['csv', 'tsv', 'google'],
  quote: ['csv', 'tsv', 'google'],
  items: ['json', 'xml'],
  categories: ['xml'],
  each: ['json', 'ndjson', 'xml'],
  header: ['csv', 'tsv', 'xlsx'],
  skipLines: ['csv', 'tsv', 'xlsx'],
  headerLines: ['csv', 'tsv', 'xlsx'],
  shortRows: ['csv', 'tsv'],
  sheet: ['xlsx'],
  table: ['csv', 'tsv', 'xlsx'],
}

const oneValue: readonly string[] = [
  'sku',
  'cost',
  'currency',
  'quantity',
  ...TEXT_FIELDS,
  ...NAME_FIELDS,
  'dimensions',
  ...MAPPED_GROUP_FIELDS,
]
const attributeLists = ['attributes', 'group_options']
const COST_TIERS = 'cost_tiers'
const manyValues = ['ean', 'images', 'image_alts']
/** Fields that may name a locale. */
const LOCAL_FIELDS = [...TEXT_FIELDS, 'image_alts'] as const
const fieldNames = [
  ...oneValue,
  COST_TIERS,
  ...manyValues,
  ...attributeLists,
  ...LOCAL_FIELDS.map((field) => `${field}.<locale>`),
]
const textKey = new RegExp(`^(${LOCAL_FIELDS.join('|')})\\.(.+)$`)

/** Where a mapping comes from. Earlier releases stored any locale of valid form, and a `stored` mapping is still read with it. */
export type MappingOrigin = 'given' | 'stored'

/**
 * Checks a mapping (parsed JSON) and returns it with locales in canonical form.
 * @throws ShelfwireError `invalid-input` with all faults, named by dotted paths
 */
export function parseMapping(value: unknown, origin: MappingOrigin = 'given'): Mapping {
  const faults: Fault[] = []
  checkSize(value, faults)
  if (faults.length === 0 && checkShape(MappingShape, value, '', faults)) {
    const readTag = origin === 'given' ? readLocale : readLocaleForm
    checkSettings(value, readTag, faults)
    if (isObject(value['fields'])) checkFields(value['fields'], typeof value['locale'] === 'string', readTag, faults)
    const group = value['group']
    if (isObject(group)) {
      if (group['by'] !== undefined) checkListSource(group['by'], 'group.by', faults)
      const variants = group['variants']
      if (isObject(variants) && variants['alone'] !== undefined)
        checkConditions(variants['alone'], 'group.variants.alone', faults)
      if (variants !== undefined)
        for (const name of [
          'anywhere',
          'continues',
          'parent',
          'inherit',
          'collect',
          'beside',
          'optional',
          'offers',
          'orFirst',
        ])
          if (group[name] !== undefined)
            faults.push({ name: `group.${name}`, reason: 'has no meaning beside "variants"' })
      checkBeside(group, faults)
      if (group['orFirst'] === true && (group['parent'] !== undefined || group['offers'] === undefined))
        faults.push({ name: 'group.orFirst', reason: 'has no meaning beside "parent", and without "offers"' })
      if (group['continues'] === true && (group['anywhere'] === true || group['parent'] !== undefined))
        faults.push({ name: 'group.continues', reason: 'has no meaning beside "anywhere" and "parent"' })
      if (group['offers'] !== undefined) checkConditions(group['offers'], 'group.offers', faults)
    }
    if (Array.isArray(value['skip'])) {
      for (const [i, rule] of value['skip'].entries()) checkCondition(rule, `skip.${i}`, faults)
    }
  }
  if (faults.length > 0) {
    const first = faults.slice(0, LIMITS.importMappingFaultsMax)
    const list = first.map((fault) => `${fault.name || 'the mapping'} ${fault.reason}`).join('; ')
    throw new ShelfwireError('invalid-input', `the mapping is invalid: ${list}`, { faults: first })
  }
  return canonical(structuredClone(value) as Mapping)
}

/**
 * Merges `overrides` (a part of a mapping) into `base` and checks the result. Settings and single fields are replaced as a whole; `null` removes one.
 * @throws ShelfwireError `invalid-input` as parseMapping does
 */
export function extendMapping(base: Mapping, overrides: unknown, origin: MappingOrigin = 'given'): Mapping {
  if (!isObject(overrides)) return parseMapping(overrides, origin)
  const { fields } = overrides
  const merged = {
    ...base,
    ...overrides,
    fields: isObject(fields) ? withoutNulls({ ...base.fields, ...fields }) : (fields ?? base.fields),
  }
  return parseMapping(withoutNulls(merged), origin)
}

function checkSettings(mapping: Record<string, unknown>, readTag: typeof readLocale, faults: Fault[]): void {
  const { encoding, locale, imageBaseUrl, format } = mapping
  // iconv-lite has these three codecs, but they encode bytes, not text.
  if (typeof encoding === 'string' && (!iconv.encodingExists(encoding) || /^(base64|hex|binary)$/i.test(encoding))) {
    faults.push({
      name: 'encoding',
      reason: `${JSON.stringify(encoding)} is not a known encoding such as "utf-8" or "windows-1250"`,
    })
  }
  const tag = typeof locale === 'string' ? readTag(locale) : { value: '' }
  if ('reason' in tag) faults.push({ name: 'locale', reason: tag.reason })
  if (typeof imageBaseUrl === 'string' && !(/^https?:\/\//i.test(imageBaseUrl) && URL.canParse(imageBaseUrl))) {
    faults.push({ name: 'imageBaseUrl', reason: 'must be an http or https URL' })
  }
  for (const [key, meant] of Object.entries(MEANINGS)) {
    if (mapping[key] !== undefined && format !== undefined && !meant.includes(format as Format))
      faults.push({ name: key, reason: `has no meaning in ${JSON.stringify(format)}` })
  }
  if (mapping['categories'] !== undefined && mapping['items'] === undefined)
    faults.push({ name: 'categories', reason: 'has no meaning without "items"' })
  if (mapping['delimiter'] !== undefined && mapping['delimiter'] === mapping['quote']) {
    faults.push({ name: 'quote', reason: 'must not be the delimiter' })
  }
}

function checkFields(
  fields: Record<string, unknown>,
  hasLocale: boolean,
  readTag: typeof readLocale,
  faults: Fault[],
): void {
  if (fields['sku'] === undefined) faults.push({ name: 'fields.sku', reason: 'is required: every offer needs a sku' })
  const locales = new Set<string>()
  const texts = new Set<string>()
  for (const [key, source] of Object.entries(fields)) {
    // with so many faults or locales the mapping is refused anyway; checking a tag, or finding a similar name, takes a tenth of a millisecond
    if (faults.length >= LIMITS.importMappingFaultsMax || locales.size > LIMITS.localesPerOfferMax) break
    const path = `fields.${key}`
    const text = textKey.exec(key)
    if (text !== null) {
      const locale = readTag(text[2])
      if ('reason' in locale) faults.push({ name: path, reason: locale.reason })
      else {
        const field = `${text[1]}.${locale.value}`
        if (texts.has(field)) faults.push({ name: path, reason: 'is duplicated' })
        texts.add(field)
        locales.add(locale.value)
      }
      if (text[1] === 'image_alts') checkListSource(source, path, faults)
      else checkSource(source, path, faults)
    } else if (attributeLists.includes(key)) checkAttributes(source, path, faults)
    else if (key === COST_TIERS) checkCostTiers(source, path, faults)
    else if (manyValues.includes(key)) checkListSource(source, path, faults)
    else if (oneValue.includes(key)) checkSource(source, path, faults)
    else faults.push({ name: path, reason: unknownKey(key, fieldNames, faults) })
  }
  for (const field of [...MAPPED_GROUP_FIELDS, 'group_options'])
    if (fields[field] !== undefined && fields['group_key'] === undefined)
      faults.push({ name: `fields.${field}`, reason: 'has no meaning without "group_key"' })
  if (!hasLocale && fields['group_title'] !== undefined)
    faults.push({ name: 'locale', reason: 'is required: it is the language of "group_title"' })
  else if (!hasLocale && LOCAL_FIELDS.some((field) => fields[field] !== undefined)) {
    const texts = LOCAL_FIELDS.map((field) => `"${field}"`).join(', ')
    faults.push({ name: 'locale', reason: `is required: it is the language of ${texts}` })
  }
  if (locales.size > LIMITS.localesPerOfferMax)
    faults.push({ name: 'fields', reason: `has more than ${LIMITS.localesPerOfferMax} locales` })
}

function checkBeside({ collect, beside }: Record<string, unknown>, faults: Fault[]): void {
  const columns = new Set<unknown>(Array.isArray(collect) ? collect : [])
  for (const [column, collected] of Object.entries(isObject(beside) ? beside : {}))
    if (faults.length < LIMITS.importMappingFaultsMax && !columns.has(collected))
      faults.push({ name: `group.beside.${column}`, reason: 'must name a column of "collect"' })
}

function checkAttributes(value: unknown, path: string, faults: Fault[]): void {
  if (!Array.isArray(value)) {
    faults.push({ name: path, reason: 'must be a list' })
    return
  }
  for (const [i, attribute] of value.entries()) {
    checkAttribute(attribute, `${path}.${i}`, faults)
    const key: unknown = isObject(attribute) ? attribute['key'] : undefined
    const verdict = typeof key === 'string' ? readKey(key, LIMITS.attributeKeyLengthMax) : { value: '' }
    if ('reason' in verdict) faults.push({ name: `${path}.${i}.key`, reason: verdict.reason })
  }
}

function checkCostTiers(value: unknown, path: string, faults: Fault[]): void {
  if (!Array.isArray(value) || value.length === 0) {
    faults.push({ name: path, reason: 'must be a list of tiers' })
    return
  }
  for (const [i, tier] of value.entries()) checkCostTier(tier, `${path}.${i}`, faults)
  const lists = value.filter((tier) => isObject(tier) && 'tiers' in tier).length
  if (lists > 0 && lists < value.length)
    faults.push({ name: path, reason: 'must be all lists, of which the first with a tier counts, or none' })
}

/** Makes locales canonical; refuses `title` beside `title.<locale>` of the mapping's own locale. */
function canonical(mapping: Mapping): Mapping {
  if (mapping.locale !== undefined) mapping.locale = canonicalLocale(mapping.locale) ?? mapping.locale
  const fields = canonicalFields(mapping.fields)
  for (const text of LOCAL_FIELDS) {
    if (
      mapping.locale !== undefined &&
      fields[text] !== undefined &&
      fields[`${text}.${mapping.locale}`] !== undefined
    ) {
      const reason = `is duplicated: ${mapping.locale} is the mapping's locale`
      throw new ShelfwireError('invalid-input', `the mapping is not usable: fields.${text} ${reason}`, {
        faults: [{ name: `fields.${text}`, reason }],
      })
    }
  }
  return { ...mapping, fields }
}

/** Fields with the locales in their names in canonical form. */
export function canonicalFields(fields: object): Fields {
  const entries = Object.entries(fields).map(([key, source]): [string, unknown] => {
    const text = textKey.exec(key)
    return text === null ? [key, source] : [`${text[1]}.${canonicalLocale(must(text[2])) ?? text[2]}`, source]
  })
  return Object.fromEntries(entries) as unknown as Fields
}

function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}
