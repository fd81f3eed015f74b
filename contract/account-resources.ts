import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { describeMember, EXCLUSION_KINDS } from './exclusion-kinds.ts'
import { NOTICE_CHANNELS } from './notice-channels.ts'
import { PRICE_LISTS } from './price-list-resource.ts'
import { RATES } from './rate-resource.ts'
import { ATTRIBUTE_TYPES, DECIMAL_SIGNS } from './attribute-types.ts'
import { OneOf } from './one-of.ts'
import { SOURCE_FIELDS } from './product-fields.ts'
import { Rounding, Tiers } from './pricing-rule-schemas.ts'
import { conditionSchemas } from './rule-condition-schemas.ts'
import { SUPPLIERS } from './supplier-resource.ts'
import { SOURCES } from './supplier-sources.ts'
import {
  Amount,
  ByLocale,
  closed,
  Decimal,
  described,
  Flag,
  formatted,
  GivenId,
  Id,
  Ids,
  IsActiveRule,
  must,
  NameOf,
  Names,
  Null,
  orNull,
  Priority,
  ProductId,
  Text,
} from './values.ts'

// The account resources: small collections that all follow contract/account-resource.ts.

const byId = (noun: string) => ({ name: 'id', isText: false, description: `ID of the ${noun}.` })

export const STORES = {
  path: 'stores',
  noun: 'store',
  key: { name: 'slug', isText: true, description: 'The store’s slug.' },
  fields: {
    slug: Type.String({
      description:
        'Name of the store in requests of the read API: 1 to 63 characters of a-z, 0-9 and -. Cannot be changed, and is not used again after a deletion.',
    }),
    name: NameOf('store'),
    locale: Type.String({ description: 'Language of the store’s texts (BCP 47), such as de-DE.' }),
    currency: Type.String({ description: 'Currency of the store’s prices (ISO 4217).' }),
    is_active: Type.Boolean({
      description:
        'Whether clients can read the store. The products of an inactive store are updated when it becomes active again.',
    }),
    is_default: Type.Boolean({
      description:
        'Whether this is the store that requests without a `store` read. There is always exactly one default store: make another one the default instead of sending false.',
    }),
    lists_by_default: Type.Boolean({
      description:
        'Whether the store lists products for which neither a manual listing nor an assortment rule decides.',
    }),
    tax_country: orNull(
      Type.String({
        description:
          'Country (ISO 3166-1) whose tax applies to the store’s prices; null: prices have no tax information.',
      }),
      'must be a string',
    ),
    prices_include_tax: Type.Boolean({
      description:
        'Whether the store’s prices include tax. true needs a tax_country and a tax class with a rate there; products without a rate then have no price.',
    }),
  },
  required: ['slug', 'name', 'locale', 'currency'],
  fixed: ['slug'],
  given: { id: GivenId('store') },
  schema: 'StoreResource',
  deletion:
    'The store can no longer be read, its rules and manual listings are deleted, its change feed ends, and webhooks no longer report it. Its slug is not used again. The default store, and a store that has a webhook endpoint or a channel file, cannot be deleted.',
} as const satisfies AccountResource

export const GROUPS = {
  path: 'groups',
  noun: 'customer group',
  key: byId('customer group'),
  fields: {
    name: described(Text, 'Name of the customer group, unique in the account: 1 to 200 characters.'),
    tax_country: orNull(
      Type.String({
        description:
          'Country (ISO 3166-1) whose tax applies to the group’s prices, in stores that have a tax_country; null: the store’s tax_country.',
      }),
      'must be a string',
    ),
    prices_include_tax: Type.Union([Type.Boolean(), Null], {
      description:
        'Whether the group’s prices include tax, in stores that have a tax_country, such as false for trade customers; null: like the store’s prices. true needs a tax class with a rate in the country.',
      ...must('must be true, false or null'),
    }),
  },
  required: ['name'],
  fixed: [],
  given: {
    id: GivenId('customer group'),
    is_default: described(
      Flag,
      'Whether this is the default group, whose prices shoppers see who are not signed in. Cannot be changed.',
    ),
  },
  schema: 'GroupResource',
  deletion:
    'The group’s prices are removed from all products; rules for this group alone are deleted. The default group cannot be deleted.',
} as const satisfies AccountResource

const TaxRate = Type.Object(
  {
    country: Type.String({ description: 'Country of the rate (ISO 3166-1), such as DE.' }),
    valid_from: Type.String({
      description: 'First day on which the rate applies, such as 2026-01-01.',
      ...formatted('date'),
    }),
    percent: Decimal('Tax rate in percent, from 0 to 100 with at most 4 decimal places.'),
  },
  closed,
)

export const TAX_CLASSES = {
  path: 'tax-classes',
  noun: 'tax class',
  key: { name: 'key', isText: true, description: 'The tax class’s key.' },
  fields: {
    key: Type.String({
      description:
        'Key by which products, offers and categories name the tax class: 1 to 63 characters of a-z, 0-9 and -. Cannot be changed.',
    }),
    name: NameOf('tax class'),
    is_default: Type.Boolean({
      description:
        'Whether this class applies to products for which no class is stated. At most one class is the default: making another one the default replaces it.',
    }),
    codes: Type.Array(Text, {
      description:
        'Codes of the class in suppliers’ files, such as 19 or VAT_FULL, compared without regard to case; at most 50.',
    }),
    rates: Type.Array(TaxRate, {
      description:
        'Tax rates by country and first day, at most 500, one for each country and day. For each country, the rate with the latest valid_from that is not in the future applies. A list replaces the whole list.',
    }),
  },
  required: ['key', 'name'],
  fixed: ['key'],
  given: {},
  schema: 'TaxClassResource',
  deletion: 'The default class, and a class that a product, an offer or a category names, cannot be deleted.',
} as const satisfies AccountResource

export const CATEGORIES = {
  path: 'categories',
  noun: 'category',
  key: byId('category'),
  fields: {
    path: Type.String({
      description:
        'Levels of the category, joined by /, such as Tools/Hand tools; at most 20. The parent is the category with the longest path that this path continues. Changing a path also moves all categories below it; rules and overrides name categories by path and keep the old path.',
    }),
    supplier_paths: Type.Array(Text, {
      description:
        'Supplier category paths that are mapped to this category, each with all paths below it. If several mapped paths match a product, the longest one counts.',
    }),
    names: ByLocale(
      'Locale -> name of the category in stores with that locale; without one, the last level of the path is shown.',
    ),
    external_id: orNull(
      Type.String({ description: 'ID of the category in your shop, unique among the categories of the account.' }),
      'must be a string',
    ),
    position: Type.Integer({
      description:
        'Position among the categories with the same parent, lowest first; categories with equal positions are sorted by path.',
    }),
    tax_class: orNull(
      Type.String({
        description:
          'Key of the tax class of products in this category, and in those below it, for which no other class is stated; null: the class of the nearest parent that has one, else the default class.',
      }),
      'must be a string',
    ),
  },
  required: ['path'],
  fixed: [],
  given: { id: GivenId('category') },
  schema: 'CategoryResource',
  deletion:
    'Products that were in the category because of a supplier’s path have that path as their category again. Categories below it stay, as do the paths in rules and overrides.',
} as const satisfies AccountResource

export const ATTRIBUTES = {
  path: 'attributes',
  noun: 'attribute definition',
  key: { name: 'key', isText: true, description: 'The attribute’s key.' },
  fields: {
    key: described(Text, 'Key of the attribute, as in products and offers: 1 to 100 characters. Cannot be changed.'),
    unit: orNull(described(Text, 'Unit of the values, such as cm; null: none.'), 'must be a string'),
    units: ByLocale('Locale -> unit in that locale; `unit` is used for other locales.'),
    position: Type.Integer({
      description:
        'Position of the attribute in products, lowest first; attributes with equal positions are sorted by key.',
    }),
    labels: ByLocale('Locale -> label of the attribute, without the unit.'),
    options: Type.Union([Type.Record(Text, ByLocale('Locale -> text that is shown for the value.')), Null], {
      description: 'Value as suppliers send it -> locale -> text that is shown instead.',
      ...must('must be an object of value, locale and text'),
    }),
    type: orNull(
      OneOf(ATTRIBUTE_TYPES, {
        description:
          'Type of the values. Attributes of products then have `type`, and `value_number`, `value_boolean` or `values`, in addition to `value`; null: only `value`.',
      }),
      `must be one of ${ATTRIBUTE_TYPES.join(', ')}`,
    ),
    separator: orNull(
      Type.String({
        description: 'Separator of the entries of a list; null: entries are separated by |, ; and line feeds.',
      }),
      'must be a string',
    ),
    decimal: orNull(
      OneOf(DECIMAL_SIGNS, {
        description:
          'Decimal separator of numbers; null: detected for each number. Ambiguous values such as 1,250 (1250 or 1.25) are then not read as numbers.',
      }),
      'must be "." or ","',
    ),
  },
  required: ['key'],
  fixed: ['key'],
  given: {},
  schema: 'AttributeResource',
  deletion: 'Products that have the attribute show it with its key as the label, without unit and translations.',
} as const satisfies AccountResource

export const VARIANT_GROUPS = {
  path: 'variant-groups',
  noun: 'group of variants',
  key: byId('group of variants'),
  fields: {
    title: ByLocale('Locale -> title of the group; if there is none, the title that suppliers state is used.'),
    options: Type.Array(
      Type.Object(
        {
          key: described(Text, 'Key of the option, such as size: 1 to 100 characters.'),
          labels: Type.Optional(ByLocale('Locale -> label of the option.')),
        },
        closed,
      ),
      {
        description:
          'Options in which the variants differ, such as size and color, in order; at most 20. If empty, the options that suppliers state are used.',
      },
    ),
    products: Type.Array(
      Type.Object(
        {
          product_id: ProductId,
          options: Type.Optional(
            Type.Union([Type.Record(Text, Text), Null], {
              description:
                'Key of an option -> value of this product. For options that are left out, the value that suppliers state is used.',
              ...must('must be an object of option and string'),
            }),
          ),
        },
        closed,
      ),
      {
        description:
          'Products of the group in their order, the leading product first; at most 1,000. A product is in one group only: if it was in another one, it leaves that. A product that is no longer named is grouped as suppliers state it again.',
      },
    ),
  },
  required: ['products'],
  fixed: [],
  given: { id: GivenId('group of variants') },
  schema: 'VariantGroupResource',
  deletion: 'The products of the group are grouped as suppliers state it again.',
} as const satisfies AccountResource

export const PRICING_RULES = {
  path: 'pricing-rules',
  noun: 'pricing rule',
  key: byId('pricing rule'),
  fields: {
    name: NameOf('rule'),
    priority: Priority,
    is_active: IsActiveRule,
    ...conditionSchemas('pricing'),
    action: Type.Union([Type.Literal('markup'), Type.Literal('margin'), Type.Literal('fixed')], {
      description:
        'How the rule makes the price. markup: from the cost, to which `percent` of it is added; margin: from the cost, so that `percent` of the price is margin; fixed: the price is `fixed_price`.',
      ...must('must be markup, margin or fixed'),
    }),
    percent: Amount(
      'With the action markup: percentage of the cost that is added to the cost. With margin: margin as a percentage of the price.',
    ),
    fixed_price: Amount(
      'Price, with the action fixed. 0 is a valid price only if it is stated here: any other price of 0 counts as no price.',
    ),
    addition: Amount('Amount that is added to the price.'),
    floor_margin_percent: Amount('Lowest margin, as a percentage of the price.'),
    floor_profit: Amount('Lowest profit: the difference between price and cost.'),
    floor_price: Amount('Lowest price.'),
    ceiling_price: Amount('Highest price; a floor that is above it takes precedence.'),
    currency: orNull(
      Type.String({ description: 'Currency (ISO 4217) of the rule’s amounts; null: the account’s currency.' }),
      'must be a string',
    ),
    rounding: Rounding,
    tiers: Tiers,
    tiers_above_price: Type.Boolean({
      description: 'Whether tiers may be above the price. Each tier must still be below the tier before it.',
    }),
    tiers_from_supplier: Type.Boolean({
      description:
        'Whether tiers are computed from the supplier’s cost tiers instead of `tiers`: each tier of the offer whose cost is used passes through the whole rule. Not with the action fixed. Products have no such tiers while the price is held.',
    }),
    list_price_percent: Amount(
      'Percentage of the cost, above 0, that is added to the cost to compute a list price for products for which none is stated. The list price is rounded like the rule’s prices, and is shown beside lower prices as compare_at_price.',
    ),
    over_price_lists: Type.Boolean({
      description:
        'Whether the rule’s price takes precedence over price lists; if false, a price from a price list replaces it.',
    }),
  },
  required: ['name', 'action'],
  fixed: [],
  given: {
    id: GivenId('rule'),
    is_default: described(
      Flag,
      'Whether this is the account’s default rule, which applies where no other rule does. Cannot be changed.',
    ),
  },
  schema: 'PricingRuleResource',
  deletion: 'Products of the rule are priced by the next rule that matches. The default rule cannot be deleted.',
} as const satisfies AccountResource

export const EXCLUSION_RULES = {
  path: 'exclusion-rules',
  noun: 'exclusion rule',
  key: byId('exclusion rule'),
  fields: {
    name: NameOf('rule'),
    kind: OneOf(EXCLUSION_KINDS, {
      description:
        'Kind of the rule: which products it excludes. manufacturer, category: those of one of `names`; supplier: those whose best offer is from one of `supplier_ids`; no_ean, no_title, no_image, no_category, no_price, no_stock: those without; price_below, price_above, margin_below: those whose price or margin is below or above `amount`.',
      ...must(`must be one of ${EXCLUSION_KINDS.join(', ')}`),
    }),
    reason: Type.String({ description: 'Reason that clients read as exclusion_reason; the kind by default.' }),
    priority: Priority,
    is_active: IsActiveRule,
    store_ids: Ids('IDs of the stores to which the rule applies; null: all stores.'),
    names: Names(`Names, depending on the kind: ${describeMember('names')}.`),
    supplier_ids: Ids(`IDs of ${describeMember('supplier_ids')}, if the kind is supplier.`),
    amount: Amount(`Threshold, depending on the kind: ${describeMember('amount')}.`),
    currency: orNull(
      Type.String({ description: 'Currency (ISO 4217) of an amount that is a price; null: the account’s currency.' }),
      'must be an ISO 4217 code',
    ),
  },
  required: ['name', 'kind'],
  fixed: [],
  given: { id: GivenId('rule') },
  schema: 'ExclusionRuleResource',
  deletion: 'Products that the rule excluded are no longer excluded, unless something else excludes them.',
} as const satisfies AccountResource

export const ASSORTMENT_RULES = {
  path: 'assortment-rules',
  noun: 'assortment rule',
  key: byId('assortment rule'),
  fields: {
    name: NameOf('rule'),
    store_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      format: 'int64',
      description: 'ID of the store whose assortment the rule changes.',
    }),
    is_listed: Type.Boolean({ description: 'Whether the store lists the products that the rule matches.' }),
    priority: Priority,
    is_active: IsActiveRule,
    ...conditionSchemas('assortment'),
  },
  required: ['name', 'store_id', 'is_listed'],
  fixed: ['store_id'],
  given: { id: GivenId('rule') },
  schema: 'AssortmentRuleResource',
  deletion:
    'For products of the rule, the next rule that matches decides, else the store’s default; products that are no longer listed are removed from the store.',
} as const satisfies AccountResource

const SOURCE_FIELD = `Name of the field: one of ${SOURCE_FIELDS.join(', ')}.`
export const SOURCE_ORDERS = {
  path: 'source-orders',
  noun: 'source order',
  key: {
    name: 'field',
    isText: true,
    description: SOURCE_FIELD,
  },
  fields: {
    field: described(Text, `${SOURCE_FIELD} Cannot be changed.`),
    supplier_ids: Type.Array(Id, {
      minItems: 1,
      description:
        'IDs of the suppliers that take precedence for this field, in this order; other suppliers follow by their priority.',
    }),
  },
  required: ['field', 'supplier_ids'],
  fixed: ['field'],
  given: {},
  schema: 'SourceOrderResource',
  deletion: 'Values of the field come from suppliers in the order of their priority again.',
} as const satisfies AccountResource

export const CHANNELS = {
  path: 'channels',
  noun: 'channel file',
  key: byId('channel file'),
  fields: {
    name: NameOf('channel file'),
    store: Type.String({ description: 'Slug of the store whose products the file has.' }),
    format: Type.Union([Type.Literal('google'), Type.Literal('csv')], {
      description: 'Format of the file: Google Merchant XML, or CSV.',
      ...must('must be google or csv'),
    }),
    group_id: Type.Union([Id, Null], {
      description: 'ID of the customer group whose prices the file has; null: the default group.',
      ...must('must be an ID: a whole number above 0'),
    }),
    link_template: orNull(
      Type.String({
        description: 'Template for the URL of a product’s page in the shop; {sku}, {id} and {ean} are replaced.',
      }),
      'must be a string',
    ),
  },
  required: ['name', 'store', 'format'],
  fixed: ['store', 'format'],
  given: { id: GivenId('channel file') },
  schema: 'ChannelResource',
  needsConfirmation: true,
  once: {
    url: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Secret URL of the file; shown only once, and absent if the answer is repeated under an Idempotency-Key.',
      }),
    ),
  },
  deletion: 'The URL of the file stops working at once.',
} as const satisfies AccountResource

/** All account resources. A resource that is not listed here has no routes. */
export const ACCOUNT_RESOURCES: readonly AccountResource[] = [
  STORES,
  GROUPS,
  RATES,
  TAX_CLASSES,
  PRICE_LISTS,
  CATEGORIES,
  ATTRIBUTES,
  VARIANT_GROUPS,
  SUPPLIERS,
  SOURCES,
  SOURCE_ORDERS,
  PRICING_RULES,
  EXCLUSION_RULES,
  ASSORTMENT_RULES,
  CHANNELS,
  NOTICE_CHANNELS,
]
