import Type from 'typebox'
import { ATTRIBUTE_TYPES } from './attribute-types.ts'
import { OneOf } from './one-of.ts'
import { TEXT_FIELDS } from './product-fields.ts'
import { closed, Id, must, Null, Text } from './values.ts'

// Findings: what an account's owner should look at.

const Known = Type.Union([Text, Null])
const Ids = Type.Array(Id)
const list = <F extends Readonly<Record<string, Type.TSchema>>>(fields: F, description: string) =>
  Type.Array(Type.Object(fields), { description })

/** What a product may lack in a store. */
export const GAP_TEXTS = {
  no_title: 'no title in a language that the store reads',
  no_image: 'no image that can be shown',
  no_category: 'no category',
  no_price: 'no price, because no cost is known or an exchange rate is missing',
  price_zero: 'a price of 0: shown where a rule states it, otherwise the product has no price',
} as const
const Gap = OneOf(Object.keys(GAP_TEXTS) as (keyof typeof GAP_TEXTS)[], {
  description: Object.entries(GAP_TEXTS)
    .map(([gap, text]) => `${gap}: ${text}`)
    .join('; '),
})
const At = Type.String({ format: 'date-time', description: 'UTC, to the second.' })

/** An offer that keeps its old values, because a refused row is or may be about it. */
export const StaleOffer = Type.Object({ sku: Text, product_id: Id, stale_since: At }, { $id: 'StaleOffer' })

export const ProductWithGap = Type.Object({ product_id: Id, sku: Known }, { $id: 'ProductWithGap' })

/** GET /v1/account/findings/completeness. */
export const Completeness = Type.Object(
  {
    stores: list(
      {
        store: Text,
        products: Type.Integer({ description: 'All that the store lists.' }),
        gaps: list(
          {
            gap: Gap,
            products: Type.Integer({ description: 'How many lack it.' }),
            product_ids: Type.Array(Id, { description: 'The first 20 of them.' }),
          },
          'One for each kind of gap.',
        ),
      },
      'What products lack, for each active store.',
    ),
    offers_stale: list(
      {
        supplier: Text,
        offers: Type.Integer({ description: 'Counted up to 10,000.' }),
        first: Type.Array(StaleOffer, { description: 'The first 20 of them.' }),
      },
      'Offers that keep what they had, because an import had a row of them, or perhaps of them, that could not be read.',
    ),
    suppliers_silent: list(
      {
        supplier: Text,
        silent_days_max: Type.Integer(),
        heard_at: Type.Union([At, Null], { description: 'The last import that came to its end, or offers written.' }),
      },
      'Suppliers that were not heard of for longer than silent_days_max.',
    ),
  },
  { $id: 'Completeness' },
)

/** A variant group, stated by a supplier or made by hand. */
const StatedGroup = {
  variant_group_id: Id,
  supplier: Type.Union([Text, Null], { description: 'null: you made the group.' }),
  group_key: Type.String({ description: 'What the supplier calls the group; of one by hand its ID.' }),
}

/** GET /v1/account/findings. */
export const Findings = Type.Object(
  {
    completeness: Completeness,
    ean_collisions: list(
      { gtin: Text, product_ids: Ids },
      'GTINs that several products carry: merge the products, or have the supplier file corrected.',
    ),
    eans_invalid: list(
      { ean: Text, product_id: Id, supplier: Known, sku: Text },
      'EANs with a wrong length or check digit; supplier null: your own.',
    ),
    sku_collisions: list(
      { store: Known, sku: Text, product_ids: Ids },
      'SKUs that several products of one store export.',
    ),
    offers_without_rate: list(
      { supplier: Known, currency: Text, offers: Type.Integer() },
      'Offers that do not compete because there is no exchange rate.',
    ),
    texts_from_any_locale: list(
      { product_id: Id, store: Known, field: OneOf(TEXT_FIELDS, {}) },
      'Texts that neither the store’s locale nor the account’s has: they are shown in another language, because any_locale is set.',
    ),
    variants_alike: list(
      {
        ...StatedGroup,
        options: Type.Array(Text, { description: 'Each as "key: value".' }),
        product_ids: Ids,
      },
      'Products of one group of variants for which a supplier states the same options: a customer cannot tell them apart.',
    ),
    variants_without_options: list(
      {
        ...StatedGroup,
        product_id: Id,
        missing: Type.Array(Text, {
          description: 'Keys of options that others of the group have; empty where none of the group has any.',
        }),
      },
      'Products for which a supplier states no options, or not all that it states for others of their group. A group of one product needs none.',
    ),
    variant_options_twice: list(
      {
        variant_group_id: Id,
        key: Type.String({ description: 'A key that fewer products of the group have.' }),
        suppliers: Type.Array(Text, { description: 'Codes of those whose offers say it; empty: you did.' }),
        product_ids: Type.Array(Id, { description: 'The first 20 products that have it.' }),
        usual_key: Type.String({ description: 'The key that most products of the group have.' }),
        usual_suppliers: Type.Array(Text, { description: 'Codes of those whose offers say that; empty: you did.' }),
      },
      'Options that a group of variants has twice, because their keys differ by case, spaces, hyphens or underscores, such as Size and size: shops show two options. Use one key in the mappings of these suppliers, or make a group by hand that names its options, and state the values that are missing then.',
    ),
    values_unread: list(
      {
        attribute: Type.String({ description: 'Its key.' }),
        type: OneOf(ATTRIBUTE_TYPES, {}),
        offers: Type.Integer({ description: 'How many of those that were looked at have such a value.' }),
        examples: Type.Array(
          Type.Object({
            stated: Type.String({ description: 'As the supplier sends it; at most 200 characters of it.' }),
            product_id: Type.Integer({ minimum: 1, description: 'The first product that has it.' }),
            reason: Type.String({ description: 'Why the type does not understand it, in English.' }),
          }),
          { description: 'The 3 most frequent ones.' },
        ),
      },
      'Attributes of which suppliers state values that their type does not understand. The first 20,000 offers are looked at, and of each attribute its 500 most frequent values, 5,000 in all. GET /v1/account/attributes/{key}/values shows more of one attribute.',
    ),
    tax_rates_missing: list(
      {
        store: Known,
        supplier: Known,
        country: Text,
        tax_class: Type.Union([Text, Null], {
          description: 'Its key; null: products without a class, because there is no default one.',
        }),
      },
      'Tax that is in the prices of a store, or in the costs of a supplier (the other one is null), and has no rate today: products of the class have no price there, offers do not compete.',
    ),
    tax_classes_unknown: list(
      { supplier: Known, value: Text, offers: Type.Integer() },
      'What offers state as their tax_class, and no class has as its key or one of its codes: their products are in the default class.',
    ),
    contents_unread: list(
      {
        supplier: Known,
        field: OneOf(['net_content', 'unit_price_reference'], {}),
        value: Text,
        offers: Type.Integer(),
      },
      'What offers state as net_content or unit_price_reference, and no quantity with a known unit is: prices of their products have no unit_price by it.',
    ),
    sales_doubtful: list(
      {
        product_id: Id,
        supplier: Type.Union([Text, Null], { description: 'null: you state it.' }),
        reason: OneOf(['no_end', 'ends_before_it_begins', 'not_below_price', 'too_far_below_price'], {}),
      },
      'Sales without a last day, those that end before they begin, and those that are in force and not shown: because their price is not below the price, or a supplier’s is further below it than price_jump_factor. Of those in force the first 1,000 products are looked at.',
    ),
    prices_below_cost: list(
      {
        product_id: Id,
        store: Known,
        customer_group_id: Id,
        currency: Text,
        price: Type.String({ description: 'As it is shown.' }),
        price_without_tax: Type.String({ description: 'The same where no tax is in it; to 4 digits.' }),
        base_cost: Type.String({ description: 'Without tax.' }),
        made_by: OneOf(['rule', 'price_list', 'sale', 'held'], {}),
        price_list: Type.Union([Text, Null], { description: 'The key of the price list that makes it.' }),
      },
      'Prices that clients read and that, without tax, are below the cost: of a rule, a price list or a sale, or because a higher one is held. Of each store as many products are looked at, 20,000 payloads in all, those in price lists first.',
    ),
    list_prices_unshown: list(
      {
        supplier: Type.Union([Text, Null], { description: 'null: you state them.' }),
        products: Type.Integer(),
        product_ids: Type.Array(Id, { description: 'The first 3.' }),
      },
      'List prices that stand beside no price in any store, although their products have prices: they are not above them, or a rate of exchange or tax is missing. The first 20,000 of suppliers, and of your own, are looked at.',
    ),
    prices_held: list(
      {
        product_id: Id,
        store: Known,
        customer_group_id: Id,
        currency: Text,
        shown_price: Text,
        wanted_price: Text,
        held_at: Type.String({ format: 'date-time', description: 'UTC, to the second.' }),
      },
      'Prices that moved by more than price_jump_factor: the old one is shown until the new one is confirmed.',
    ),
    pictures_failing: list(
      {
        image: Type.String({ description: 'The URL that products name it by.' }),
        suppliers: Type.Array(Text, { description: 'Codes of those whose offers name it.' }),
        product_ids: Type.Array(Id, { description: 'The first 20 products that name it.' }),
        looks: Type.Integer({ description: 'In a row that did not find it.' }),
        failed_since: At,
        reasons: Type.Array(Text, { description: 'Of these looks, the most frequent first.' }),
        kept_until: Type.String({
          format: 'date-time',
          description:
            'When it is left out at the earliest, unless its source is back or it is adopted. UTC, to the second.',
        }),
      },
      'Pictures whose copy is shown, while every look at their source since the day before yesterday or longer has failed. Their copies can be adopted.',
    ),
  },
  { $id: 'Findings' },
)

/** POST /v1/account/findings/confirm-prices. */
export const ConfirmBody = Type.Object(
  {
    product_ids: Type.Union([Type.Array(Id, { minItems: 1 }), Null], {
      description: 'Products whose held prices are confirmed, up to 1,000; null: all.',
      ...must('must be a list of product ids, or null for all'),
    }),
  },
  closed,
)
export const Confirmed = Type.Object(
  { confirmed: Type.Integer({ description: 'Products whose prices change; with null, the number of prices.' }) },
  { $id: 'Confirmed' },
)
