import Type from 'typebox'
import { ATTRIBUTE_TYPES } from './attribute-types.ts'
import { OneOf } from './one-of.ts'
import { TEXT_FIELDS } from './product-fields.ts'
import {
  closed,
  CurrencyOf,
  CustomerGroupId,
  described,
  Id,
  must,
  Null,
  ProductId,
  SlugOfStore,
  SupplierCode,
  SupplierSku,
  Text,
} from './values.ts'

// Findings: what an account's owner should look at.

const KnownStore = Type.Union([Text, Null], { description: 'Slug of the store; null: the store was deleted.' })
const KnownSupplier = Type.Union([Text, Null], { description: 'Code of the supplier; null: the supplier was deleted.' })
const ProductIds = Type.Array(Id, { description: 'IDs of the products.' })
const OfferCount = Type.Integer({ description: 'Number of offers.' })
const GroupId = described(Id, 'ID of the variant group.')
const list = <F extends Readonly<Record<string, Type.TSchema>>>(fields: F, description: string) =>
  Type.Array(Type.Object(fields), { description })

/** What a product may lack in a store. */
export const GAP_TEXTS = {
  no_title: 'no title in a language that the store shows',
  no_image: 'no image that can be shown',
  no_category: 'no category',
  no_price: 'no price, because no cost is known or an exchange rate is missing',
  price_zero: 'a price of 0, which is valid if a rule states it; otherwise the product has no price',
} as const
const Gap = OneOf(Object.keys(GAP_TEXTS) as (keyof typeof GAP_TEXTS)[], {
  description: `What is missing. ${Object.entries(GAP_TEXTS)
    .map(([gap, text]) => `${gap}: ${text}`)
    .join('; ')}.`,
})
const At = Type.String({ format: 'date-time', description: 'Time since which the offer is stale. UTC, to the second.' })
const Time = Type.String({ format: 'date-time', description: 'Time in UTC, to the second.' })

/** An offer that keeps its old values, because a refused row is or may be about it. */
export const StaleOffer = Type.Object(
  { sku: SupplierSku, product_id: ProductId, stale_since: At },
  {
    $id: 'StaleOffer',
    description: 'An offer that keeps its old values, because a row that is or may be about it could not be read.',
  },
)

export const ProductWithGap = Type.Object(
  {
    product_id: ProductId,
    sku: Type.Union([Text, Null], { description: 'Exported SKU of the product in the store; null if it has none.' }),
  },
  { $id: 'ProductWithGap', description: 'A product that lacks something in a store.' },
)

/** GET /v1/account/findings/completeness. */
export const Completeness = Type.Object(
  {
    stores: list(
      {
        store: SlugOfStore,
        products: Type.Integer({ description: 'Number of products that the store lists.' }),
        gaps: list(
          {
            gap: Gap,
            products: Type.Integer({ description: 'Number of products with the gap.' }),
            product_ids: Type.Array(Id, { description: 'IDs of the first 20 products with the gap.' }),
          },
          'Gaps of products, one entry for each kind.',
        ),
      },
      'Gaps of products, by active store.',
    ),
    offers_stale: list(
      {
        supplier: SupplierCode,
        offers: Type.Integer({ description: 'Number of stale offers, counted up to 10,000.' }),
        first: Type.Array(StaleOffer, { description: 'The first 20 of these offers.' }),
      },
      'Offers that keep their old values, because an import could not read a row that is, or may be, about them; by supplier.',
    ),
    suppliers_silent: list(
      {
        supplier: SupplierCode,
        silent_days_max: Type.Integer({ description: 'Days after which the supplier is reported.' }),
        heard_at: Type.Union([Time, Null], {
          description: 'When an import of the supplier last finished, or its offers were last written; null: never.',
        }),
      },
      'Suppliers without a finished import or a written offer for more than silent_days_max days.',
    ),
  },
  {
    $id: 'Completeness',
    description: 'Gaps of products, stale offers, and silent suppliers.',
  },
)

/** A variant group, stated by a supplier or made by hand. */
const StatedGroup = {
  variant_group_id: GroupId,
  supplier: Type.Union([Text, Null], {
    description: 'Code of the supplier that states the group; null: you made the group.',
  }),
  group_key: Type.String({ description: 'Key of the group at the supplier; for a group that you made, its ID.' }),
}

/** GET /v1/account/findings. */
export const Findings = Type.Object(
  {
    completeness: Completeness,
    ean_collisions: list(
      { gtin: described(Text, 'GTIN of the products, in 14 digits with leading zeros.'), product_ids: ProductIds },
      'GTINs that several products have: merge the products, or have the supplier correct the file.',
    ),
    eans_invalid: list(
      {
        ean: described(Text, 'EAN as it is stated.'),
        product_id: ProductId,
        supplier: Type.Union([Text, Null], {
          description: 'Code of the supplier that states the EAN; null: you state it.',
        }),
        sku: described(Text, 'Key (SKU) of the article at the supplier; empty for EANs that you set.'),
      },
      'EANs with a wrong length or check digit; supplier is null for EANs that you set.',
    ),
    sku_collisions: list(
      { store: KnownStore, sku: described(Text, 'Exported SKU.'), product_ids: ProductIds },
      'Exported SKUs that several products of a store have.',
    ),
    offers_without_rate: list(
      { supplier: KnownSupplier, currency: CurrencyOf('cost'), offers: OfferCount },
      'Number of offers that are not used because their currency has no exchange rate, by supplier and currency.',
    ),
    texts_from_any_locale: list(
      {
        product_id: ProductId,
        store: KnownStore,
        field: OneOf(TEXT_FIELDS, { description: 'Name of the text’s field.' }),
      },
      'Texts that exist neither in the store’s locale nor in the account’s: because any_locale is set, they are shown in another language.',
    ),
    variants_alike: list(
      {
        ...StatedGroup,
        options: Type.Array(Text, { description: 'Options that the products share, each as "key: value".' }),
        product_ids: ProductIds,
      },
      'Products of a group of variants that have the same options, so that customers cannot tell them apart.',
    ),
    variants_without_options: list(
      {
        ...StatedGroup,
        product_id: ProductId,
        missing: Type.Array(Text, {
          description:
            'Keys of options that other products of the group have; empty if no product of the group has options.',
        }),
      },
      'Products of a group of variants for which the supplier states no options, or fewer than for other products of the group. Groups of one product are not reported.',
    ),
    variant_options_twice: list(
      {
        variant_group_id: GroupId,
        key: Type.String({ description: 'Key of the option that fewer products of the group have.' }),
        suppliers: Type.Array(Text, {
          description: 'Codes of the suppliers whose offers state `key`; empty: you stated it.',
        }),
        product_ids: Type.Array(Id, { description: 'IDs of the first 20 products with `key`.' }),
        usual_key: Type.String({ description: 'Key of the option that most products of the group have.' }),
        usual_suppliers: Type.Array(Text, {
          description: 'Codes of the suppliers whose offers state `usual_key`; empty: you stated it.',
        }),
      },
      'Options that a group of variants has twice, because their keys differ in case, spaces, hyphens or underscores, such as Size and size: shops show two options. Use the same key in the mappings of these suppliers; or create the group yourself with its options, and state the values that are then missing.',
    ),
    values_unread: list(
      {
        attribute: Type.String({ description: 'Key of the attribute.' }),
        type: OneOf(ATTRIBUTE_TYPES, { description: 'Type of the attribute, by its definition.' }),
        offers: Type.Integer({ description: 'Number of examined offers with such a value.' }),
        examples: Type.Array(
          Type.Object({
            stated: Type.String({ description: 'Value as the supplier sends it, cut to 200 characters.' }),
            product_id: Type.Integer({ minimum: 1, description: 'ID of the first product with the value.' }),
            reason: Type.String({ description: 'Why the value does not have the type, in English.' }),
          }),
          { description: 'The 3 most frequent values.' },
        ),
      },
      'Attributes for which suppliers state values that do not have the type of the attribute. The first 20,000 offers are examined, with the 500 most frequent values of each attribute and 5,000 in all. GET /v1/account/attributes/{key}/values shows more of one attribute.',
    ),
    tax_rates_missing: list(
      {
        store: Type.Union([Text, Null], {
          description: 'Slug of the store whose prices include the tax; null: the costs of a supplier include it.',
        }),
        supplier: Type.Union([Text, Null], {
          description: 'Code of the supplier whose costs include the tax; null: the prices of a store include it.',
        }),
        country: described(Text, 'Country of the tax (ISO 3166-1).'),
        tax_class: Type.Union([Text, Null], {
          description: 'Key of the tax class; null: products without a class, because there is no default class.',
        }),
      },
      'Tax classes without a rate today in a country whose tax the prices of a store, or the costs of a supplier, include; the other one of store and supplier is null. Products of the class have no price in the store, and offers of the supplier are not used.',
    ),
    tax_classes_unknown: list(
      { supplier: KnownSupplier, value: described(Text, 'Value as the supplier states it.'), offers: OfferCount },
      'Values of tax_class in offers that are neither the key nor a code of a tax class: their products are in the class of their category, else in the default class.',
    ),
    contents_unread: list(
      {
        supplier: KnownSupplier,
        field: OneOf(['net_content', 'unit_price_reference'], { description: 'Name of the field.' }),
        value: described(Text, 'Value as the supplier states it.'),
        offers: OfferCount,
      },
      'Values of net_content or unit_price_reference in offers that are not a quantity with a known unit: prices have no unit_price because of them.',
    ),
    sales_doubtful: list(
      {
        product_id: ProductId,
        supplier: Type.Union([Text, Null], {
          description: 'Code of the supplier that states the sale; null: you state it.',
        }),
        reason: OneOf(['no_end', 'ends_before_it_begins', 'not_below_price', 'too_far_below_price'], {
          description:
            'no_end: the sale has no last day; ends_before_it_begins: the last day is before the first day; not_below_price: the sale is in force, but not shown, because its price is not below the price; too_far_below_price: it is not shown, because a supplier states it and it is below the price by more than price_jump_factor.',
        }),
      },
      'Sales without a last day, sales that end before they begin, and sales that are in force but not shown. Of sales in force, the first 1,000 products are examined.',
    ),
    prices_below_cost: list(
      {
        product_id: ProductId,
        store: KnownStore,
        customer_group_id: CustomerGroupId,
        currency: CurrencyOf('prices'),
        price: Type.String({ description: 'Price as clients read it.' }),
        price_without_tax: Type.String({ description: 'Price without tax, rounded to 4 decimal places.' }),
        base_cost: Type.String({ description: 'Cost without tax.' }),
        made_by: OneOf(['rule', 'price_list', 'sale', 'held'], {
          description:
            'Where the price comes from; held: it is an old price that is kept until the new one is confirmed.',
        }),
        price_list: Type.Union([Text, Null], {
          description: 'Key of the price list that states the price; null: none.',
        }),
      },
      'Prices that are, without tax, below the cost: from a rule, a price list or a sale, or because a higher price is held. The same number of products is examined for each store, 20,000 prices of products in all, beginning with those in price lists.',
    ),
    list_prices_unshown: list(
      {
        supplier: Type.Union([Text, Null], {
          description: 'Code of the supplier that states the list prices; null: you state them.',
        }),
        products: Type.Integer({ description: 'Number of products whose list price no store shows.' }),
        product_ids: Type.Array(Id, { description: 'IDs of the first 3 products.' }),
      },
      'List prices that no store shows, although the products have prices: they are not above the prices, or an exchange rate or tax rate is missing. The first 20,000 list prices of suppliers, and the first 20,000 of your own, are examined.',
    ),
    prices_held: list(
      {
        product_id: ProductId,
        store: KnownStore,
        customer_group_id: CustomerGroupId,
        currency: CurrencyOf('prices'),
        shown_price: described(Text, 'Old price, which is shown until the new one is confirmed, as an exact decimal.'),
        wanted_price: described(Text, 'New price, which is held, as an exact decimal.'),
        held_at: Type.String({
          format: 'date-time',
          description: 'Time since which the price is held. UTC, to the second.',
        }),
      },
      'Prices that would rise or fall by more than price_jump_factor: the old price is shown until the new one is confirmed.',
    ),
    pictures_failing: list(
      {
        image: Type.String({ description: 'URL of the picture, as products have it.' }),
        suppliers: Type.Array(Text, { description: 'Codes of the suppliers whose offers have the picture.' }),
        product_ids: Type.Array(Id, { description: 'IDs of the first 20 products with the picture.' }),
        looks: Type.Integer({ description: 'Number of consecutive attempts to fetch the picture that failed.' }),
        failed_since: Type.String({
          format: 'date-time',
          description: 'Time of the first of these attempts. UTC, to the second.',
        }),
        reasons: Type.Array(Text, { description: 'Reasons of these failures, the most frequent first.' }),
        kept_until: Type.String({
          format: 'date-time',
          description:
            'Earliest time at which products leave out the picture, unless its source is available again or the picture is adopted. UTC, to the second.',
        }),
      },
      'Pictures whose copy is shown, but whose source could not be fetched since the day before yesterday or longer. POST /v1/account/images/adopt keeps their copies.',
    ),
  },
  { $id: 'Findings', description: 'What the account’s owner should look at.' },
)

/** POST /v1/account/findings/confirm-prices. */
export const ConfirmBody = Type.Object(
  {
    product_ids: Type.Union([Type.Array(Id, { minItems: 1 }), Null], {
      description: 'IDs of products whose held prices are confirmed, at most 1,000; null: all products.',
      ...must('must be a list of product ids, or null for all'),
    }),
  },
  closed,
)
export const Confirmed = Type.Object(
  {
    confirmed: Type.Integer({
      description: 'Number of products whose prices change; with product_ids null, number of prices.',
    }),
  },
  { $id: 'Confirmed', description: 'Result of confirming held prices.' },
)
