import { isFact, type Fact } from './rule-conditions.ts'

// The fields of a product that come from one source at a time: an override, or the first supplier with a value, in an
// order that an account may set per field. Lists of fields, wherever they are needed, are made from this table: columns in
// statements, input checks, mappings, comparisons of imports, bulks, explain, the columns and forms of the panel, which imports
// this file at run time. It therefore imports nothing but another such table. schemas.ts says which fields the payload shows.

/** Where a text that is the same in every locale is shown beside its form. */
type Place =
  /** The payload that clients read. */
  | 'payload'
  /** The member `dimensions` of that payload. */
  | 'dimensions'
  /** A column of the panel's grid. */
  | 'grid'
  /** A column of the panel's list of products; only what the payload has. */
  | 'list'

// `isOptional`: the payload goes without the field where the product has no value for it, and the panel's page of a product names it apart.
// Every field of the content that came after the first release is: so payloads of products without it stay what they were, byte for byte.

/** One text per locale, in the column `texts` of `offer_content`; an override replaces one locale's. */
interface Text {
  form: 'text'
  /** UTF-16 units. */
  lengthMax: number
  /** Whether it is written in lines. */
  hasLines: boolean
  isOptional: boolean
}

/** One text for all locales, in the column of `offer_content` that has the field's name; an override replaces it. */
interface Name {
  form: 'name'
  /** UTF-16 units. */
  lengthMax: number
  /** What is read as its value, and kept in one form (src/input/product-name.ts). */
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
  /** Whether its words are among those by which a product is found. */
  isSearched: boolean
}

/**
 * The URLs of pictures, which one override replaces; attributes, with overrides by key; the EAN, where the product can have its
 * own; the SKU, which suppliers have for the pattern alone.
 */
interface Special {
  form: 'images' | 'attributes' | 'ean' | 'sku'
}

const FIELDS = {
  title: { form: 'text', lengthMax: 5_000, hasLines: false, isOptional: false },
  description: { form: 'text', lengthMax: 200_000, hasLines: true, isOptional: false },
  manufacturer: {
    form: 'name',
    lengthMax: 200,
    values: 'text',
    isOptional: false,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: true,
  },
  // its words are found in the list of the account's categories, and stores read it by rules alone
  category: {
    form: 'name',
    lengthMax: 1_000,
    values: 'text',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  mpn: {
    form: 'name',
    lengthMax: 100,
    values: 'text',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: true,
  },
  condition: {
    form: 'name',
    lengthMax: 20,
    values: 'condition',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  country_of_origin: {
    form: 'name',
    lengthMax: 2,
    values: 'country',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  hs_code: {
    form: 'name',
    lengthMax: 12,
    values: 'hs-code',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  weight: {
    form: 'name',
    lengthMax: 20,
    values: 'weight',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  length: {
    form: 'name',
    lengthMax: 20,
    values: 'length',
    isOptional: true,
    shownIn: ['dimensions', 'grid', 'list'],
    isSearched: false,
  },
  width: {
    form: 'name',
    lengthMax: 20,
    values: 'length',
    isOptional: true,
    shownIn: ['dimensions', 'grid', 'list'],
    isSearched: false,
  },
  height: {
    form: 'name',
    lengthMax: 20,
    values: 'length',
    isOptional: true,
    shownIn: ['dimensions', 'grid', 'list'],
    isSearched: false,
  },
  // in the price half of payloads: prices show it as compare_at_price where it is above them (src/resolve/prices/list-price.ts)
  list_price: {
    form: 'name',
    lengthMax: 26,
    values: 'list-price',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // whose tax is in it, which comes from the source of the list price (src/resolve/prices/list-price.ts); whose is in the cost of an offer
  // (src/resolve/sourcing/sourcing.ts): a country, or `none`
  list_price_tax: {
    form: 'name',
    lengthMax: 4,
    values: 'tax-in',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  cost_tax: {
    form: 'name',
    lengthMax: 4,
    values: 'tax-in',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // a price as it is shown and the days on which it counts, which come from one source together (src/resolve/prices/sale-price.ts)
  sale_price: {
    form: 'name',
    lengthMax: 26,
    values: 'list-price',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  sale_begins_on: {
    form: 'name',
    lengthMax: 10,
    values: 'day',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  sale_ends_on: {
    form: 'name',
    lengthMax: 10,
    values: 'day',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // the key of a tax class, or a code of one, as a supplier has it (src/resolve/prices/tax.ts)
  tax_class: {
    form: 'name',
    lengthMax: 63,
    values: 'text',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  // what a package contains, by which prices show their unit price (src/resolve/prices/unit-price.ts)
  net_content: {
    form: 'name',
    lengthMax: 60,
    values: 'content',
    isOptional: true,
    shownIn: ['payload', 'grid', 'list'],
    isSearched: false,
  },
  // the quantity for which the unit price is stated, where it is not the usual one of the store
  unit_price_reference: {
    form: 'name',
    lengthMax: 60,
    values: 'content',
    isOptional: false,
    shownIn: ['grid'],
    isSearched: false,
  },
  delivery_time: { form: 'text', lengthMax: 200, hasLines: false, isOptional: true },
  seo_title: { form: 'text', lengthMax: 300, hasLines: false, isOptional: true },
  seo_description: { form: 'text', lengthMax: 2_000, hasLines: true, isOptional: true },
  images: { form: 'images' },
  attributes: { form: 'attributes' },
  ean: { form: 'ean' },
  sku: { form: 'sku' },
} as const satisfies Record<string, Text | Name | Special>

type Fields = typeof FIELDS
type Form = Fields[SourceField]['form']

/** Fields with a source order. */
export type SourceField = keyof Fields
type FieldOf<F extends Form> = { [K in SourceField]: Fields[K]['form'] extends F ? K : never }[SourceField]

export type TextField = FieldOf<'text'>
export type NameField = FieldOf<'name'>
/**
 * What one override replaces: a field, or in one locale what pictures show. Attributes have their own overrides, an EAN and a SKU belong to the product.
 */
export type OverrideField = FieldOf<'text' | 'name' | 'images'> | 'image_alts'
/** Fields for which the panel shows each source's value. Not attributes, which have keys, and not the SKU, which is made of several values. */
export type SourcedField = Exclude<SourceField, 'attributes' | 'sku'>
type NameIn<P extends Place> = {
  [K in NameField]: P extends Fields[K]['shownIn'][number] ? K : never
}[NameField]
export type PayloadName = NameIn<'payload'>
/** Those that the payload has together, in its member `dimensions`. */
export type DimensionField = NameIn<'dimensions'>
/** Those that the payload has only where the product has a value. */
export type OptionalField = {
  [K in TextField | PayloadName | DimensionField]: true extends Fields[K]['isOptional'] ? K : never
}[TextField | PayloadName | DimensionField]
export type ListedName = NameIn<'list'>
/** Those that conditions of rules ask for, so that prices depend on them. */
type ConditionName = NameField & Fact
/** Those that prices show, or are computed by. */
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
/** Those on which prices depend: conditions of rules ask for them, or prices show them. */
export type PricedName = ConditionName | (typeof SHOWN_BY_PRICES)[number]
/** What is said of a sale: one source says all of it. */
export type SaleField = 'sale_price' | 'sale_begins_on' | 'sale_ends_on'

/** The fields of these forms, form by form. */
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
/** Only fields that the payload has: tsc refuses others. */
export const LISTED_NAMES = namesIn('list') satisfies readonly (PayloadName | DimensionField)[]
export const GRID_NAMES = namesIn('grid')
export const SEARCHED_NAMES = NAME_FIELDS.filter((field) => FIELDS[field].isSearched)
export const isSaleField = (field: string): field is SaleField =>
  field === 'sale_price' || field === 'sale_begins_on' || field === 'sale_ends_on'
export const PRICED_NAMES = NAME_FIELDS.filter(
  (field): field is PricedName => isFact(field) || (SHOWN_BY_PRICES as readonly string[]).includes(field),
)

/** The most UTF-16 units of a text. */
export const lengthMaxOf = (field: TextField | NameField): number => FIELDS[field].lengthMax
/** What is read as the value of a name. */
export const valuesOf = (field: NameField): Name['values'] => FIELDS[field].values
export const hasLines = (field: TextField): boolean => FIELDS[field].hasLines
/** Whether overrides of it are by locale. */
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

/** Texts of every product; the optional ones come last wherever fields are shown. */
export const SHORT_TEXTS = TEXT_FIELDS.filter((field) => !isOptional(field) && !hasLines(field))
export const LONG_TEXTS = TEXT_FIELDS.filter((field) => !isOptional(field) && hasLines(field))
export const OPTIONAL_TEXTS = TEXT_FIELDS.filter((field): field is TextField & OptionalField => isOptional(field))
export const OPTIONAL_NAMES = NAME_FIELDS.filter((field): field is NameField & OptionalField => isOptional(field))

/**
 * What a mapping reads beside attributes, in the order in which the panel shows it. `dimensions` is one text with all three, as in
 * `30 x 20 x 10 cm`.
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

/** What a mapping reads beside `images`; proposals do not find it. */
export const MAPPED_ALTS = 'image_alts'

/** What a mapping reads of the group of variants that an article belongs to, beside `group_options`. */
export const MAPPED_GROUP_FIELDS = ['group_key', 'group_title', 'group_position'] as const

/** What an import compares of an offer, by which its changes can be asked for. */
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

/** The same for each field, by its name. */
export function forEachField<F extends SourceField, T>(fields: readonly F[], make: (field: F) => T): Record<F, T> {
  return Object.fromEntries(fields.map((field) => [field, make(field)])) as Record<F, T>
}
