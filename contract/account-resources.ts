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
import { SOURCES } from './supplier-sources.ts'
import {
  Amount,
  ByLocale,
  closed,
  Decimal,
  Flag,
  formatted,
  Id,
  Ids,
  must,
  Names,
  Null,
  orNull,
  Priority,
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
      description: 'Its name in the read API: 1 to 63 of a-z, 0-9 and -. Never changes, and is not assigned again.',
    }),
    name: Text,
    locale: Type.String({ description: 'BCP 47.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    is_active: Type.Boolean({
      description: 'An inactive store can not be read; its payloads are brought up to date when it is active again.',
    }),
    is_default: Type.Boolean({
      description:
        'Read when a request names no store. There is always exactly one: make another the default instead of sending false.',
    }),
    lists_by_default: Type.Boolean({
      description: 'Whether it lists a product for which neither an assortment rule nor a manual listing decides.',
    }),
    tax_country: orNull(
      Type.String({
        description: 'The country whose tax its prices name (ISO 3166-1); null: its prices say nothing of tax.',
      }),
      'must be a string',
    ),
    prices_include_tax: Type.Boolean({
      description:
        'Whether its prices have tax in them. Needs a tax_country, and a tax class with a rate there. Products without a rate then have no price.',
    }),
  },
  required: ['slug', 'name', 'locale', 'currency'],
  fixed: ['slug'],
  given: { id: Id },
  schema: 'StoreResource',
  deletion:
    'The store can no longer be read, its rules and manual listings are deleted, its change feed ends, and webhooks no longer report it. Its slug is not assigned again. The default store, and one that a webhook endpoint or channel file is for, can not be deleted.',
} as const satisfies AccountResource

export const GROUPS = {
  path: 'groups',
  noun: 'customer group',
  key: byId('customer group'),
  fields: {
    name: Text,
    tax_country: orNull(
      Type.String({
        description:
          'The country whose tax its prices name (ISO 3166-1), in stores that have a tax_country; null: the store’s.',
      }),
      'must be a string',
    ),
    prices_include_tax: Type.Union([Type.Boolean(), Null], {
      description:
        'Whether its prices have tax in them, in stores that have a tax_country, such as false for trade customers; null: as the store’s. true needs a tax class with a rate in the country.',
      ...must('must be true, false or null'),
    }),
  },
  required: ['name'],
  fixed: [],
  given: { id: Id, is_default: Flag },
  schema: 'GroupResource',
  deletion:
    'Its prices are removed from every payload; rules for it alone are deleted.  The default group can not be deleted.',
} as const satisfies AccountResource

const TaxRate = Type.Object(
  {
    country: Type.String({ description: 'ISO 3166-1, such as DE.' }),
    valid_from: Type.String({ description: 'The first day, such as 2026-01-01.', ...formatted('date') }),
    percent: Decimal('From 0 to 100, at most 4 digits after the point.'),
  },
  closed,
)

export const TAX_CLASSES = {
  path: 'tax-classes',
  noun: 'tax class',
  key: { name: 'key', isText: true, description: 'The tax class’s key.' },
  fields: {
    key: Type.String({
      description: '1 to 63 of a-z, 0-9 and -. Never changes. Products and offers name the class by it.',
    }),
    name: Text,
    is_default: Type.Boolean({
      description:
        'Whether products are in it for which nobody names a class. Of one class at most: making another the default ends that of the one before.',
    }),
    codes: Type.Array(Text, {
      description: 'How suppliers call it in their files, such as 19 or VAT_FULL, in any letter case; at most 50.',
    }),
    rates: Type.Array(TaxRate, {
      description:
        'By country and day; of a country the latest that has begun counts. At most 500, and one for each day. A list replaces the whole list.',
    }),
  },
  required: ['key', 'name'],
  fixed: ['key'],
  given: {},
  schema: 'TaxClassResource',
  deletion: 'The default class can not be deleted, nor one that a product, an offer or a category names.',
} as const satisfies AccountResource

export const CATEGORIES = {
  path: 'categories',
  noun: 'category',
  key: byId('category'),
  fields: {
    path: Type.String({
      description:
        'Levels joined by /, such as Tools/Hand tools, at most 20. Above it is the category with the longest path above its own. Rules and overrides name categories by it, and keep the old path when it changes. A new path moves all categories below it, too.',
    }),
    supplier_paths: Type.Array(Text, {
      description: 'Suppliers’ paths that map to it, each with all below it; the longest that fits counts.',
    }),
    names: ByLocale('Locale -> what stores of that language call it; the last level of the path where there is none.'),
    external_id: orNull(
      Type.String({ description: 'Your shop’s own ID of it; no two categories have the same.' }),
      'must be a string',
    ),
    position: Type.Integer({ description: 'Among those with the same category above: by position, then by path.' }),
    tax_class: orNull(
      Type.String({
        description:
          'The key of the tax class of its products, and of those below it, for which nobody else names one; null: that of the nearest category above which names one, else the default class.',
      }),
      'must be a string',
    ),
  },
  required: ['path'],
  fixed: [],
  given: { id: Id },
  schema: 'CategoryResource',
  deletion:
    'Products that were in it by a supplier’s path fall back to that path; categories below it, and what rules and overrides name, stay as they are.',
} as const satisfies AccountResource

export const ATTRIBUTES = {
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
      description: 'Value as suppliers send it -> locale -> text shown.',
      ...must('must be an object of value, locale and text'),
    }),
    type: orNull(
      OneOf(ATTRIBUTE_TYPES, {
        description:
          'What its values are: products then have `type` and `value_number`, `value_boolean` or `values` beside `value`. null: nothing but `value`.',
      }),
      `must be one of ${ATTRIBUTE_TYPES.join(', ')}`,
    ),
    separator: orNull(
      Type.String({ description: 'Between the entries of a list; null: |, ; and line feeds.' }),
      'must be a string',
    ),
    decimal: orNull(
      OneOf(DECIMAL_SIGNS, {
        description:
          'The decimal sign of its numbers. null: they show it; 1,250 is then no number, because it may be 1250 or 1.25.',
      }),
      'must be "." or ","',
    ),
  },
  required: ['key'],
  fixed: ['key'],
  given: {},
  schema: 'AttributeResource',
  deletion: 'The attribute is shown by its key, without unit and translations, where a product has it.',
} as const satisfies AccountResource

export const VARIANT_GROUPS = {
  path: 'variant-groups',
  noun: 'group of variants',
  key: byId('group of variants'),
  fields: {
    title: ByLocale('Locale -> title of the group; without any, as suppliers state it.'),
    options: Type.Array(Type.Object({ key: Text, labels: Type.Optional(ByLocale('Locale -> label.')) }, closed), {
      description: 'In what the variants differ, in order, at most 20; none: as suppliers state it.',
    }),
    products: Type.Array(
      Type.Object(
        {
          product_id: Id,
          options: Type.Optional(
            Type.Union([Type.Record(Text, Text), Null], {
              description: 'Key of an option -> what this product has; one that is left out is as suppliers state it.',
              ...must('must be an object of option and string'),
            }),
          ),
        },
        closed,
      ),
      {
        description:
          'The products of the group in their order, the leading one first, at most 1,000. A product is in one group: it leaves the one that it was in. One that is no longer named is grouped as suppliers state it again.',
      },
    ),
  },
  required: ['products'],
  fixed: [],
  given: { id: Id },
  schema: 'VariantGroupResource',
  deletion: 'Its products are grouped as suppliers state it again.',
} as const satisfies AccountResource

export const SUPPLIERS = {
  path: 'suppliers',
  noun: 'supplier',
  key: { name: 'code', isText: true, description: 'The supplier’s code.' },
  fields: {
    code: Type.String({ description: '1 to 63 of a-z, 0-9 and -. Never changes.' }),
    name: Text,
    currency: Type.String({ description: 'Of costs without a currency (ISO 4217).' }),
    priority: Priority,
    safety_buffer: Type.Integer({ description: 'Pieces subtracted from every quantity it reports.' }),
    is_active: Type.Boolean({
      description:
        'The offers of an inactive supplier do not compete; its texts are used where no other supplier has any.',
    }),
    cost_tax_country: orNull(
      Type.String({
        description:
          'The country whose tax is in its costs (ISO 3166-1): they are taken without it, by the rate of the product’s tax class; offers without a rate do not compete. null: costs are without tax.',
      }),
      'must be a string',
    ),
    list_price_tax: orNull(
      Type.String({
        description:
          'The country whose tax is in its list prices (ISO 3166-1), or none where they have none in them: stores with a tax_country show them with or without tax as their prices, by the rates of the product’s tax class. null: they are shown as they are stated.',
      }),
      'must be a string',
    ),
    zeroed_share_max: Decimal(
      'An import that would set more than this share of the offers in stock to 0 is held until it is confirmed. From 0 to 1; 0.5 by default; 1 holds none.',
    ),
    refused_share_max: Decimal('The same for rows that are refused, from three rows on; 0.25 by default.'),
    prices_lost_share_max: Decimal('The same for known costs that the file leaves empty; 0.5 by default.'),
    prices_zero_share_max: Decimal('The same for known costs that become 0, from three on; 0.05 by default.'),
    prices_jump_share_max: Decimal(
      'The same for known costs that rise or fall by more than prices_jump_factor, from three on; 0.2 by default.',
    ),
    prices_jump_factor: Decimal('The factor for prices_jump_share_max, above 1; 3 by default.'),
    emptied_share_max: Decimal(
      'The same for known titles, pictures, EANs and quantities, each separately, that the file leaves empty, from three on; 0.5 by default.',
    ),
    swapped_share_max: Decimal(
      'The same for offers whose cost and quantity the file states the other way round, from three on; 0.2 by default.',
    ),
    silent_days_max: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Null], {
      description: 'After so many days without an import or a written offer the supplier is a finding; null: never.',
      ...must('must be a whole number'),
    }),
  },
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  given: { id: Id },
  schema: 'SupplierResource',
  deletion:
    'Its offers, texts, images and EANs no longer count, at once; products stay. Rules for it alone are deleted. Its code may be used again, by another supplier.',
} as const satisfies AccountResource

export const PRICING_RULES = {
  path: 'pricing-rules',
  noun: 'pricing rule',
  key: byId('pricing rule'),
  fields: {
    name: Text,
    priority: Priority,
    is_active: Flag,
    ...conditionSchemas('pricing'),
    action: Type.Union(
      [Type.Literal('markup'), Type.Literal('margin'), Type.Literal('fixed')],
      must('must be markup, margin or fixed'),
    ),
    percent: Amount('markup: percent of the cost on top of it; margin: percent of the price that is not cost.'),
    fixed_price: Amount(
      'The price, with the action fixed. 0 gives the product away: any other price of 0 counts as no price.',
    ),
    addition: Amount('Added to the price.'),
    floor_margin_percent: Amount('The lowest share of the price, in percent, that must not be cost.'),
    floor_profit: Amount('The lowest difference between price and cost.'),
    floor_price: Amount('The price is not lower.'),
    ceiling_price: Amount('The highest price; a floor above it takes precedence.'),
    currency: orNull(Type.String({ description: 'Of the amounts; null: the account’s.' }), 'must be a string'),
    rounding: Rounding,
    tiers: Tiers,
    tiers_above_price: Type.Boolean({
      description: 'Whether tiers need not be below the price. They fall among themselves all the same.',
    }),
    tiers_from_supplier: Type.Boolean({
      description:
        'Whether tiers are made of the cost tiers of the offer whose cost is used, each by the whole rule, in place of `tiers`; not with the action fixed. They are left out while the price is held.',
    }),
    list_price_percent: Amount(
      'Percent of the cost on top of it, above 0: of products for which nobody states a list price it makes one, rounded as its prices are, and prices of the rule below that are shown beside it.',
    ),
    over_price_lists: Type.Boolean({
      description: 'Whether its price wins over price lists; else a list’s price replaces it.',
    }),
  },
  required: ['name', 'action'],
  fixed: [],
  given: { id: Id, is_default: Flag },
  schema: 'PricingRuleResource',
  deletion: 'Its products are priced by the next rule that matches.  The default rule can not be deleted.',
} as const satisfies AccountResource

export const EXCLUSION_RULES = {
  path: 'exclusion-rules',
  noun: 'exclusion rule',
  key: byId('exclusion rule'),
  fields: {
    name: Text,
    kind: OneOf(EXCLUSION_KINDS, must(`must be one of ${EXCLUSION_KINDS.join(', ')}`)),
    reason: Type.String({ description: 'What clients read as exclusion_reason; the kind unless set.' }),
    priority: Priority,
    is_active: Flag,
    store_ids: Ids('Stores it is for; null: all.'),
    names: Names(`By the kind: ${describeMember('names')}.`),
    supplier_ids: Ids(`By the kind: ${describeMember('supplier_ids')}.`),
    amount: Amount(`By the kind: ${describeMember('amount')}.`),
    currency: orNull(
      Type.String({ description: 'Of an amount that is a price; null: the account’s.' }),
      'must be an ISO 4217 code',
    ),
  },
  required: ['name', 'kind'],
  fixed: [],
  given: { id: Id },
  schema: 'ExclusionRuleResource',
  deletion: 'What it excluded is exported again, unless something else excludes it.',
} as const satisfies AccountResource

export const ASSORTMENT_RULES = {
  path: 'assortment-rules',
  noun: 'assortment rule',
  key: byId('assortment rule'),
  fields: {
    name: Text,
    store_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      format: 'int64',
      description: 'The store whose assortment it changes.',
    }),
    is_listed: Type.Boolean({ description: 'Whether the store lists what it matches.' }),
    priority: Priority,
    is_active: Flag,
    ...conditionSchemas('assortment'),
  },
  required: ['name', 'store_id', 'is_listed'],
  fixed: ['store_id'],
  given: { id: Id },
  schema: 'AssortmentRuleResource',
  deletion:
    'The next rule that matches decides, or the store’s default; products that it no longer lists are removed there.',
} as const satisfies AccountResource

export const SOURCE_ORDERS = {
  path: 'source-orders',
  noun: 'source order',
  key: {
    name: 'field',
    isText: true,
    description: `One of ${SOURCE_FIELDS.join(', ')}.`,
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
  schema: 'SourceOrderResource',
  deletion: 'The field is taken from suppliers by their priority again.',
} as const satisfies AccountResource

export const CHANNELS = {
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
  schema: 'ChannelResource',
  needsConfirmation: true,
  once: {
    url: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'The secret address; shown once, and absent where the answer is repeated under an Idempotency-Key.',
      }),
    ),
  },
  deletion: 'Its address stops at once.',
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
