import { isFact, type Fact } from './rule-conditions.ts'

// The fields of a product whose value comes from one source at a time: an override, or the first supplier with a value, in an
// order that an account may set per field. All lists of fields are derived from this table: columns in statements, input
// checks, mappings, comparisons of imports, bulks, explain, the columns and forms of the panel. The panel imports this file at
// run time, so it imports nothing but another such table. schemas.ts says which fields the payload has.

/** Where a name (a text that is the same in every locale) is shown besides the form in which it is edited. */
type Place =
  /** The payload that clients read. */
  | 'payload'
  /** The member `dimensions` of that payload. */
  | 'dimensions'
  /** A column of the panel's grid. */
  | 'grid'
  /** A column of the panel's list of products. Only fields of the payload can be listed. */
  | 'list'

// `isOptional`: payloads omit the field if the product has no value for it, and the panel's page of a product shows it apart. Every content
// field that was added after the first release is optional, so that payloads of products without it stay the same, byte for byte.

interface Described {
  /**
   * What the field is, with its unit or form, without a period. Descriptions of its members in the API's document, and its row in
   * docs/write-api.md, begin with it. At most about 70 characters, because the panel's first page loads this file.
   */
  description: string
}

/** One text per locale, in the column `texts` of `offer_content`; an override replaces one locale's. */
interface Text extends Described {
  form: 'text'
  /** In UTF-16 units. */
  lengthMax: number
  /** Whether it can have several lines. */
  hasLines: boolean
  isOptional: boolean
}

/** One text for all locales, in the column of `offer_content` that has the field's name; an override replaces it. */
interface Name extends Described {
  form: 'name'
  /** In UTF-16 units. */
  lengthMax: number
  /** The kind of value, by which it is checked and normalized (src/input/product-name.ts). */
  values:
    | 'text'
    | 'condition'
    | 'country'
    | 'hs-code'
    | 'weight'
    | 'length'
    | 'list-price'
    | 'content'
    | 'day'
    | 'tax-in'
  isOptional: boolean
  shownIn: readonly Place[]
  /** Whether its words are in the search index. */
  isSearched: boolean
}

/**
 * Fields of other shapes. One override replaces all picture URLs; attributes are overridden by key; the EAN is taken from
 * offers unless the product has its own; the SKU of offers is used only by the SKU pattern.
 */
interface Special extends Described {
  form: 'images' | 'attributes' | 'ean' | 'sku'
}

const FIELDS = {
  title: { form: 'text', description: 'Title', lengthMax: 5_000, hasLines: false, isOptional: false },
  description: {
    form: 'text',
    description: 'Description; may contain HTML',
    lengthMax: 200_000,
    hasLines: true,
    isOptional: false,
  },
  manufacturer: {
    form: 'name',
    description: 'Name of the manufacturer',
    lengthMax: 200,
    values: 'text',
    isOptional: false,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: true,
  },
  // not in the search index: a search for its words looks in the account's categories; not in the payload: stores see
  // it only through rules
  category: {
    form: 'name',
    description: 'Category as a path, such as `Tools/Hammers`',
    lengthMax: 1_000,
    values: 'text',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  mpn: {
    form: 'name',
    description: 'Manufacturer’s part number',
    lengthMax: 100,
    values: 'text',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: true,
  },
  condition: {
    form: 'name',
    description: 'Condition: `new`, `refurbished`, `used` or `damaged`',
    lengthMax: 20,
    values: 'condition',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  country_of_origin: {
    form: 'name',
    description: 'Country of origin (ISO 3166-1 alpha-2), such as `DE`',
    lengthMax: 2,
    values: 'country',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  hs_code: {
    form: 'name',
    description: 'Customs tariff number: 6 to 12 digits',
    lengthMax: 12,
    values: 'hs-code',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  weight: {
    form: 'name',
    description: 'Weight in kilograms: a decimal above 0, such as `"0.35"`',
    lengthMax: 20,
    values: 'weight',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  length: {
    form: 'name',
    description: 'Length in centimetres: a decimal above 0, such as `"30"`',
    lengthMax: 20,
    values: 'length',
    isOptional: true,
    shownIn: ['dimensions', 'grid', 'list'],
    isSearched: false,
  },
  width: {
    form: 'name',
    description: 'Width in centimetres: a decimal above 0, such as `"30"`',
    lengthMax: 20,
    values: 'length',
    isOptional: true,
    shownIn: ['dimensions', 'grid', 'list'],
    isSearched: false,
  },
  height: {
    form: 'name',
    description: 'Height in centimetres: a decimal above 0, such as `"30"`',
    lengthMax: 20,
    values: 'length',
    isOptional: true,
    shownIn: ['dimensions', 'grid', 'list'],
    isSearched: false,
  },
  // in the price half of payloads: prices show it as compare_at_price if it is above the price
  // (src/resolve/prices/list-price.ts)
  list_price: {
    form: 'name',
    description: 'List price: a decimal above 0, such as `"129.9"` or `"129.9 EUR"`',
    lengthMax: 26,
    values: 'list-price',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // a country, whose tax the list price includes, or `none`; taken from the source of the list price
  // (src/resolve/prices/list-price.ts). `cost_tax` is the same for the cost of an offer (src/resolve/sourcing/sourcing.ts)
  list_price_tax: {
    form: 'name',
    description: 'Country whose tax the list price includes (ISO 3166-1), or `none`',
    lengthMax: 4,
    values: 'tax-in',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  cost_tax: {
    form: 'name',
    description: 'Country whose tax the cost includes (ISO 3166-1), or `none`',
    lengthMax: 4,
    values: 'tax-in',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // the price as it is shown, and the first and last day of the sale; all three come from one source
  // (src/resolve/prices/sale-price.ts)
  sale_price: {
    form: 'name',
    description: 'Sale price: a decimal above 0, such as `"129.9"` or `"129.9 EUR"`',
    lengthMax: 26,
    values: 'list-price',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  sale_begins_on: {
    form: 'name',
    description: 'First day of the sale, such as `"2026-11-30"`',
    lengthMax: 10,
    values: 'day',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  sale_ends_on: {
    form: 'name',
    description: 'Last day of the sale, such as `"2026-11-30"`',
    lengthMax: 10,
    values: 'day',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // the key of a tax class, or one of its codes, as a supplier writes it (src/resolve/prices/tax.ts)
  tax_class: {
    form: 'name',
    description: 'Tax class: its key, or one of its codes',
    lengthMax: 63,
    values: 'text',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // the contents of a package, from which prices compute their unit price (src/resolve/prices/unit-price.ts)
  net_content: {
    form: 'name',
    description: 'Net content of the whole package, such as `"750 ml"` or `"6 x 0.33 l"`',
    lengthMax: 60,
    values: 'content',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  // the quantity to which the unit price refers, if it is not the usual one of the store
  unit_price_reference: {
    form: 'name',
    description: 'Quantity to which the unit price refers, such as `"100 ml"`',
    lengthMax: 60,
    values: 'content',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  delivery_time: {
    form: 'text',
    description: 'Delivery time in words, such as `2-4 days`',
    lengthMax: 200,
    hasLines: false,
    isOptional: true,
  },
  seo_title: {
    form: 'text',
    description: 'Title for search engines',
    lengthMax: 300,
    hasLines: false,
    isOptional: true,
  },
  seo_description: {
    form: 'text',
    description: 'Description for search engines',
    lengthMax: 2_000,
    hasLines: true,
    isOptional: true,
  },
  images: { form: 'images', description: 'URLs of the pictures, in the order in which they are shown' },
  attributes: { form: 'attributes', description: 'Attributes: values by key' },
  ean: { form: 'ean', description: 'Primary EAN' },
  sku: { form: 'sku', description: 'SKU at the supplier, which a `sku_pattern` can use' },
} as const satisfies Record<string, Text | Name | Special>

type Fields = typeof FIELDS
type Form = Fields[SourceField]['form']

/** Fields with a source order. */
export type SourceField = keyof Fields
type FieldOf<F extends Form> = { [K in SourceField]: Fields[K]['form'] extends F ? K : never }[SourceField]

export type TextField = FieldOf<'text'>
export type NameField = FieldOf<'name'>
/**
 * What one override replaces: a field, or the descriptions of pictures in one locale. Attributes have overrides of their own, and the EAN and the SKU
 * belong to the product.
 */
export type OverrideField = FieldOf<'text' | 'name' | 'images'> | 'image_alts'
/**
 * Fields for which the panel shows the value of every source. Attributes are missing because they have keys, the SKU because it is made of
 * several values.
 */
export type SourcedField = Exclude<SourceField, 'attributes' | 'sku'>
type NameIn<P extends Place> = {
  [K in NameField]: P extends Fields[K]['shownIn'][number] ? K : never
}[NameField]
export type PayloadName = NameIn<'payload'>
/** Fields that the payload has in its member `dimensions`. */
export type DimensionField = NameIn<'dimensions'>
/** Fields that the payload has only if the product has a value. */
export type OptionalField = {
  [K in TextField | PayloadName | DimensionField]: true extends Fields[K]['isOptional'] ? K : never
}[TextField | PayloadName | DimensionField]
export type ListedName = NameIn<'list'>
/** Fields that are facts for conditions of rules, so that prices depend on them. */
type ConditionName = NameField & Fact
/** Fields that prices show or are computed from. */
const SHOWN_BY_PRICES = [
  'list_price',
  'list_price_tax',
  'cost_tax',
  'sale_price',
  'sale_begins_on',
  'sale_ends_on',
  'tax_class',
  'net_content',
  'unit_price_reference',
] as const
/** Fields on which prices depend, because conditions of rules use them or prices show them. */
export type PricedName = ConditionName | (typeof SHOWN_BY_PRICES)[number]
/** Fields of a sale; all are taken from one source. */
export type SaleField = 'sale_price' | 'sale_begins_on' | 'sale_ends_on'

/** The fields of these forms, grouped by form. */
const fieldsOf = <F extends Form>(...forms: F[]): FieldOf<F>[] =>
  forms.flatMap((form) => SOURCE_FIELDS.filter((field): field is FieldOf<F> => FIELDS[field].form === form))

export const SOURCE_FIELDS = Object.keys(FIELDS) as readonly SourceField[]
export const TEXT_FIELDS = fieldsOf('text')
export const NAME_FIELDS = fieldsOf('name')
export const OVERRIDE_FIELDS: readonly OverrideField[] = [...fieldsOf('text', 'name', 'images'), 'image_alts']
export const SOURCED_FIELDS: readonly SourcedField[] = fieldsOf('text', 'name', 'ean', 'images')

const namesIn = <P extends Place>(place: P) =>
  NAME_FIELDS.filter((field): field is NameIn<P> => (FIELDS[field].shownIn as readonly Place[]).includes(place))

export const DIMENSIONS = namesIn('dimensions')
/** `satisfies` makes tsc refuse fields that the payload does not have. */
export const LISTED_NAMES = namesIn('list') satisfies readonly (PayloadName | DimensionField)[]
export const GRID_NAMES = namesIn('grid')
export const SEARCHED_NAMES = NAME_FIELDS.filter((field) => FIELDS[field].isSearched)
export const isSaleField = (field: string): field is SaleField =>
  field === 'sale_price' || field === 'sale_begins_on' || field === 'sale_ends_on'
export const PRICED_NAMES = NAME_FIELDS.filter(
  (field): field is PricedName => isFact(field) || (SHOWN_BY_PRICES as readonly string[]).includes(field),
)

/** What the field is, without a period. */
export const descriptionOf = (field: SourceField): string => FIELDS[field].description
/** The maximal length of a value in UTF-16 units. */
export const lengthMaxOf = (field: TextField | NameField): number => FIELDS[field].lengthMax
/** The kind of value of a name field. */
export const valuesOf = (field: NameField): Name['values'] => FIELDS[field].values
export const hasLines = (field: TextField): boolean => FIELDS[field].hasLines
/** Whether its overrides are per locale. */
export const isByLocale = (field: string): field is TextField | 'image_alts' =>
  field === 'image_alts' || isTextField(field)
export const isTextField = (field: string): field is TextField => (TEXT_FIELDS as readonly string[]).includes(field)
export const isNameField = (field: string): field is NameField => (NAME_FIELDS as readonly string[]).includes(field)
export const isSourcedField = (field: string): field is SourcedField =>
  (SOURCED_FIELDS as readonly string[]).includes(field)
export const isInPayload = (field: NameField): field is PayloadName =>
  (FIELDS[field].shownIn as readonly Place[]).includes('payload')
export const isDimension = (field: SourceField): field is DimensionField =>
  (DIMENSIONS as readonly string[]).includes(field)

export const isOptional = (field: TextField | NameField): field is OptionalField => FIELDS[field].isOptional

/** Texts that every payload has; optional ones are listed after them in the panel. */
export const SHORT_TEXTS = TEXT_FIELDS.filter((field) => !isOptional(field) && !hasLines(field))
export const LONG_TEXTS = TEXT_FIELDS.filter((field) => !isOptional(field) && hasLines(field))
export const OPTIONAL_TEXTS = TEXT_FIELDS.filter((field): field is TextField & OptionalField => isOptional(field))
export const OPTIONAL_NAMES = NAME_FIELDS.filter((field): field is NameField & OptionalField => isOptional(field))

/**
 * Fields that a mapping can fill besides attributes, in the order in which the panel shows them. `dimensions` is one text with all
 * three, such as `30 x 20 x 10 cm`.
 */
export const MAPPED_FIELDS = [
  'sku',
  ...SHORT_TEXTS,
  'cost',
  'currency',
  'quantity',
  'ean',
  ...NAME_FIELDS,
  'dimensions',
  ...LONG_TEXTS,
  'images',
  ...OPTIONAL_TEXTS,
] as const
export type MappedField = (typeof MAPPED_FIELDS)[number]

/** The descriptions of `images` in a mapping. Proposals do not look for a column for it. */
export const MAPPED_ALTS = 'image_alts'

/** Members of a mapping for the variant group of an article, besides `group_options`. */
export const MAPPED_GROUP_FIELDS = ['group_key', 'group_title', 'group_position'] as const

/** Fields of an offer that an import compares; the changes of a run can be filtered by them. */
export const COMPARED_FIELDS = [
  'cost',
  'cost_tiers',
  'currency',
  'quantity',
  'eans',
  ...TEXT_FIELDS,
  ...NAME_FIELDS,
  'attributes',
  'images',
  'image_alts',
] as const
export type ComparedField = (typeof COMPARED_FIELDS)[number]

/** An object with `make(field)` for each field. */
export function forEachField<F extends SourceField, T>(fields: readonly F[], make: (field: F) => T): Record<F, T> {
  return Object.fromEntries(fields.map((field) => [field, make(field)])) as Record<F, T>
}
