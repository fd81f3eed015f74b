import Type from 'typebox'
import {
  Amount,
  ByLocale,
  closed,
  Decimal,
  echoed,
  Flag,
  Id,
  Ids,
  must,
  Names,
  Null,
  optional,
  orNull,
  Priority,
  resettable,
  Text,
} from './values.ts'

// What an account states, as it is written and read below /v1/account. A body of POST and PUT is a whole: what it leaves
// out, or says null of, is its default. A body of PATCH is a merge patch (RFC 7396): absent is unchanged, null goes back to the
// default. What is given out may stand in a body of PUT and PATCH as it was read, so that what GET gave can be sent back.

/** Everything that makes up one kind of source resource: OpenAPI and serve/account read it. */
export interface SourceResource {
  /** Last part of the path below /v1/account. */
  path: string
  /** Singular, as texts name it. */
  noun: string
  /** Member that stands in the path, and what it is. */
  key: { name: string; isText: boolean; description: string }
  /** Members of a body. */
  fields: Readonly<Record<string, Type.TSchema>>
  /** Of a new one. */
  required: readonly string[]
  /** Said when it is made and never changed; the key among them when it is the owner's. */
  fixed: readonly string[]
  /** Members that are given out: read only. */
  given: Readonly<Record<string, Type.TSchema>>
  /** Name of the representation's schema. */
  schema: string
  /** What deleting one does. */
  deletion: string
}

/** A resource's noun with its article. */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export const createBody = ({ fields, required }: SourceResource) =>
  Type.Object({ ...pick(fields, required), ...optional(resettable(omit(fields, required))) }, closed)
export const patchBody = ({ fields, fixed, given }: SourceResource) =>
  Type.Object({ ...optional(resettable(omit(fields, fixed))), ...echoed({ ...pick(fields, fixed), ...given }) }, closed)
export const putBody = ({ fields, required, key, given }: SourceResource) => {
  const rest = omit(fields, [key.name])
  return Type.Object(
    {
      ...pick(rest, required),
      ...optional(resettable(omit(rest, required))),
      ...echoed({ ...pick(fields, [key.name]), ...given }),
    },
    closed,
  )
}
export const representation = ({ fields, given, schema }: SourceResource) =>
  Type.Object({ ...given, ...fields }, { ...closed, $id: schema })

const pick = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
const omit = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const byId = (noun: string) => ({ name: 'id', isText: false, description: `ID of the ${noun}.` })

export const STORES: SourceResource = {
  path: 'stores',
  noun: 'store',
  key: { name: 'slug', isText: true, description: 'The store’s slug.' },
  fields: {
    slug: Type.String({
      description: 'What the read API calls it: 1 to 63 of a-z, 0-9 and -. Never changes, and is not given out again.',
    }),
    name: Text,
    locale: Type.String({ description: 'BCP 47.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    is_active: Type.Boolean({
      description: 'An inactive store can not be read; its payloads are brought up to date when it comes back.',
    }),
    is_default: Type.Boolean({
      description:
        'Read when a request names no store. There is always exactly one: make another the default instead of saying false.',
    }),
    lists_by_default: Type.Boolean({
      description: 'Whether it lists a product that neither an assortment rule nor the hand decides.',
    }),
  },
  required: ['slug', 'name', 'locale', 'currency'],
  fixed: ['slug'],
  given: { id: Id },
  schema: 'StoreSource',
  deletion:
    'The store can no longer be read, its rules and by-hand listings go, its feed ends, and no webhook tells of it any more. Its slug is not given out again. The default store, and one that a webhook endpoint or channel file is for, can not be deleted.',
}

export const GROUPS: SourceResource = {
  path: 'groups',
  noun: 'customer group',
  key: byId('customer group'),
  fields: { name: Text },
  required: ['name'],
  fixed: [],
  given: { id: Id, is_default: Flag },
  schema: 'GroupSource',
  deletion: 'Its prices leave every payload; rules for it alone go with it. The default group can not be deleted.',
}

export const RATES: SourceResource = {
  path: 'rates',
  noun: 'exchange rate',
  key: { name: 'currency', isText: true, description: 'ISO 4217.' },
  fields: {
    currency: Text,
    rate: Decimal(
      'How many units of this currency one unit of the account’s currency buys; above 0, at most 12 digits after the point.',
    ),
  },
  required: ['currency', 'rate'],
  fixed: ['currency'],
  given: {},
  schema: 'RateSource',
  deletion: 'Offers and stores in that currency have no price until there is a rate again.',
}

export const CATEGORIES: SourceResource = {
  path: 'categories',
  noun: 'category',
  key: byId('category'),
  fields: {
    path: Type.String({ description: 'Levels joined by /, such as Tools/Hand tools. Rules name categories by it.' }),
    supplier_paths: Type.Array(Text, {
      description: 'Suppliers’ paths that stand for it, each with all below it; the longest that fits counts.',
    }),
  },
  required: ['path'],
  fixed: [],
  given: { id: Id },
  schema: 'CategorySource',
  deletion:
    'Products that were in it by a supplier’s path fall back to that path; what rules and products name by hand stays as it is.',
}

export const ATTRIBUTES: SourceResource = {
  path: 'attributes',
  noun: 'attribute definition',
  key: { name: 'key', isText: true, description: 'The attribute’s key.' },
  fields: {
    key: Text,
    unit: orNull(Text, 'must be a string'),
    units: ByLocale('Locale -> unit; unit is for locales that are not named.'),
    position: Type.Integer({ description: 'Attributes are shown by position, then by key.' }),
    labels: ByLocale('Locale -> label, without the unit.'),
    options: Type.Union([Type.Record(Text, ByLocale('Locale -> text shown.')), Null], {
      description: 'Value as suppliers state it -> locale -> text shown.',
      ...must('must be an object of value, locale and text'),
    }),
  },
  required: ['key'],
  fixed: ['key'],
  given: {},
  schema: 'AttributeSource',
  deletion: 'The attribute is shown by its key, without unit and translations, where a product has it.',
}

export const SUPPLIERS: SourceResource = {
  path: 'suppliers',
  noun: 'supplier',
  key: { name: 'code', isText: true, description: 'The supplier’s code.' },
  fields: {
    code: Type.String({ description: '1 to 63 of a-z, 0-9 and -. Never changes.' }),
    name: Text,
    currency: Type.String({ description: 'Of costs that state none (ISO 4217).' }),
    priority: Priority,
    safety_buffer: Type.Integer({ description: 'Pieces taken off every quantity it reports.' }),
    is_active: Type.Boolean({
      description: 'The offers of an inactive supplier do not compete; its texts serve where nobody else has any.',
    }),
  },
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  given: { id: Id },
  schema: 'SupplierSource',
  deletion:
    'Its offers, texts, images and EANs count nowhere any more, at once; products stay. Rules for it alone go with it. Its code may be used again, by another supplier.',
}

export const PRICING_RULES: SourceResource = {
  path: 'pricing-rules',
  noun: 'pricing rule',
  key: byId('pricing rule'),
  fields: {
    name: Text,
    priority: Priority,
    is_active: Flag,
    store_ids: Ids('Stores it is for; null: all.'),
    group_ids: Ids('Customer groups it is for; null: all.'),
    product_ids: Ids('Products it is for; null: all.'),
    supplier_ids: Ids('Suppliers whose cost it prices; null: any.'),
    manufacturers: Names('Manufacturers, letter case aside; null: any.'),
    categories: Names('Categories, each with all below it; null: any.'),
    cost_min: Amount('Cost in the account’s currency: at least this.'),
    cost_below: Amount('Cost in the account’s currency: less than this.'),
    valid_from: orNull(Type.String({ description: 'First day, in the account’s time zone.' }), 'must be a string'),
    valid_to: orNull(Type.String({ description: 'Last day.' }), 'must be a string'),
    action: Type.Union(
      [Type.Literal('markup'), Type.Literal('margin'), Type.Literal('fixed')],
      must('must be markup, margin or fixed'),
    ),
    percent: Amount('markup: percent of the cost on top of it; margin: percent of the price that is not cost.'),
    fixed_price: Amount('The price, with the action fixed.'),
    addition: Amount('Added to the price.'),
    floor_margin_percent: Amount('The lowest share of the price, in percent, that must not be cost.'),
    floor_profit: Amount('The least that must be left over the cost.'),
    floor_price: Amount('The price is not lower.'),
    ceiling_price: Amount('The price is not higher, unless a floor says so.'),
    currency: orNull(Type.String({ description: 'Of the amounts; null: the account’s.' }), 'must be a string'),
    rounding: Type.Union(
      [
        Type.Record(
          Text,
          Type.Union(
            [
              Type.Object(
                optional({
                  step: Decimal('Above 0.'),
                  ending: Decimal('0 or more and below the step: 0.99 with step 1 gives 12.99.'),
                  direction: Type.Union(
                    [Type.Literal('up'), Type.Literal('down'), Type.Literal('nearest')],
                    must('must be up, down or nearest'),
                  ),
                }),
                closed,
              ),
              Null,
            ],
            must('must be an object of step, ending and direction'),
          ),
        ),
        Null,
      ],
      {
        description:
          'Currency of the store -> how its prices are rounded: step, ending and direction, all three. A patch of one that stands may name some of them.',
        ...must('must be an object by currency'),
      },
    ),
  },
  required: ['name', 'action'],
  fixed: [],
  given: { id: Id, is_default: Flag },
  schema: 'PricingRuleSource',
  deletion: 'What it priced is priced by the next rule that matches. The default rule can not be deleted.',
}

export const EXCLUSION_RULES: SourceResource = {
  path: 'exclusion-rules',
  noun: 'exclusion rule',
  key: byId('exclusion rule'),
  fields: {
    name: Text,
    kind: Type.Union(
      [
        'manufacturer',
        'category',
        'supplier',
        'no_ean',
        'no_title',
        'no_image',
        'no_price',
        'no_stock',
        'price_below',
        'price_above',
        'margin_below',
      ].map((kind) => Type.Literal(kind)),
      must(
        'must be manufacturer, category, supplier, no_ean, no_title, no_image, no_price, no_stock, price_below, price_above or margin_below',
      ),
    ),
    reason: Type.String({ description: 'What clients read as exclusion_reason; the kind unless stated.' }),
    priority: Priority,
    is_active: Flag,
    store_ids: Ids('Stores it is for; null: all.'),
    names: Names('Manufacturers, or categories with all below them.'),
    supplier_ids: Ids('Suppliers, with the kind supplier.'),
    amount: Amount('A price of the default customer group, or a margin in percent.'),
    currency: orNull(Type.String({ description: 'Of a price bound; null: the account’s.' }), 'must be a string'),
  },
  required: ['name', 'kind'],
  fixed: [],
  given: { id: Id },
  schema: 'ExclusionRuleSource',
  deletion: 'What it excluded is exported again, unless something else excludes it.',
}

export const ASSORTMENT_RULES: SourceResource = {
  path: 'assortment-rules',
  noun: 'assortment rule',
  key: byId('assortment rule'),
  fields: {
    name: Text,
    store_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The store whose catalog it decides.',
    }),
    is_listed: Type.Boolean({ description: 'Whether the store lists what it matches.' }),
    priority: Priority,
    is_active: Flag,
    supplier_ids: Ids('Any of these suppliers offers the product; null: any.'),
    manufacturers: Names('Manufacturers, letter case aside; null: any.'),
    categories: Names('Categories, each with all below it; null: any.'),
  },
  required: ['name', 'store_id', 'is_listed'],
  fixed: ['store_id'],
  given: { id: Id },
  schema: 'AssortmentRuleSource',
  deletion: 'The next rule that matches decides, or the store’s default; products that leave are removed there.',
}

export const SOURCE_ORDERS: SourceResource = {
  path: 'source-orders',
  noun: 'source order',
  key: {
    name: 'field',
    isText: true,
    description: 'title, description, manufacturer, category, images, attributes, ean or sku.',
  },
  fields: {
    field: Text,
    supplier_ids: Type.Array(Id, {
      minItems: 1,
      description: 'Suppliers that are asked first for the field, in this order; the others follow by their priority.',
    }),
  },
  required: ['field', 'supplier_ids'],
  fixed: ['field'],
  given: {},
  schema: 'SourceOrderSource',
  deletion: 'The field is taken from suppliers by their priority again.',
}

export const CHANNELS: SourceResource = {
  path: 'channels',
  noun: 'channel file',
  key: byId('channel file'),
  fields: {
    name: Text,
    store: Type.String({ description: 'Slug of the store whose catalog it is.' }),
    format: Type.Union([Type.Literal('google'), Type.Literal('csv')], {
      description: 'Google Merchant XML, or CSV.',
      ...must('must be google or csv'),
    }),
    group_id: Type.Union([Id, Null], {
      description: 'Whose prices; null: the default customer group’s.',
      ...must('must be an ID: a whole number above 0'),
    }),
    link_template: orNull(
      Type.String({ description: 'Address of a product’s page in the shop, with {sku}, {id} and {ean}.' }),
      'must be a string',
    ),
  },
  required: ['name', 'store', 'format'],
  fixed: ['store', 'format'],
  given: { id: Id },
  schema: 'ChannelSource',
  deletion: 'Its address stops at once.',
}

/** Small collections, all with the same grammar. */
export const SOURCE_RESOURCES: readonly SourceResource[] = [
  STORES,
  GROUPS,
  RATES,
  CATEGORIES,
  ATTRIBUTES,
  SUPPLIERS,
  SOURCE_ORDERS,
  PRICING_RULES,
  EXCLUSION_RULES,
  ASSORTMENT_RULES,
  CHANNELS,
]
