import Type from 'typebox'
import { CONTENT_UNITS } from './content-units.ts'
import { EXCLUSION_KINDS } from './exclusion-kinds.ts'
import { OneOf as oneOf } from './one-of.ts'
import { forEachField, NAME_FIELDS, SOURCE_FIELDS, TEXT_FIELDS } from './product-fields.ts'
import { PRICE_REASONS } from './rule-conditions.ts'
import { Attribute, ProductCategory, VariantGroup } from './product-parts.ts'
import { Id, Null, Text } from './values.ts'
import { MADE_LIST_PRICES_LEFT_OUT } from './list-prices.ts'
import { TIERS_LEFT_OUT } from './tiers.ts'

// Why a product has the values that it has in a store. Amounts are exact decimals, rounded only where a step says so.

const OrNull = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Null], description === undefined ? {} : { description })
const OneOf = <const N extends readonly string[]>(names: N, description?: string) =>
  oneOf(names, description === undefined ? {} : { description })
const Locale = OrNull(
  Text,
  'Locale of the value; null: the supplier sends it without a language; empty: the same in every language.',
)

/** @param place schema and description of the locale of an override. */
const SourceIn = <T extends Type.TSchema>(place: T) =>
  Type.Union(
    [
      Type.Object({ from: Type.Literal('override'), locale: place }),
      Type.Object({ from: Type.Literal('supplier'), supplier_id: Id, supplier_sku: Text, locale: Locale }),
    ],
    { description: 'Where the value comes from: your override, or the offer of a supplier.' },
  )
const Source = SourceIn(
  Type.String({
    description:
      'Locale of the override; empty: the same in every language; * (attributes only): all locales without a value of their own.',
  }),
)
/** The source of a field's value: the owner's override, or an offer of a supplier. */
export const FieldSource = SourceIn(
  OrNull(
    Text,
    'Locale of the override; null: the same in every language; * (attributes only): all locales without a value of their own.',
  ),
)
const ShownFrom = Type.Union([FieldSource, Type.Object({ from: OneOf(['product', 'pattern', 'default']) })], {
  description:
    'Where the value comes from. product: the product’s own key; pattern: the account’s sku_pattern; default: no source, so that no value is shown.',
})
const shown = <T extends Type.TSchema>(value: T) => ({ value: OrNull(value), source: ShownFrom })
const Shown = <T extends Type.TSchema>(value: T) => Type.Object(shown(value))

const pictureStates = <T extends Type.TSchema>(alt: T) =>
  Type.Array(
    Type.Object({
      url: Type.String({ description: 'URL of the picture at its source.' }),
      state: OneOf(
        ['pending', 'mirrored', 'dead', 'original'],
        'State of the picture. pending: not fetched successfully yet, its original URL is shown; mirrored: our copy is shown; dead: it could not be fetched for too long, and is left out; original: this installation does not copy pictures, the original URL is shown.',
      ),
      reason: OrNull(
        Text,
        'Why the picture is dead, or why the last attempt to fetch it failed, such as not_found, http_500, timeout or not_an_image; null: no failure.',
      ),
      shown: OrNull(Text, 'URL that stores read; null: the picture is left out.'),
      copy: OrNull(
        Type.Object({
          hash: Type.String({ description: 'SHA-256 of the copy’s bytes, in hexadecimal.' }),
          type: Type.String({ description: 'Media type of the copy.' }),
          width: OrNull(Type.Integer(), 'Width in pixels.'),
          height: OrNull(Type.Integer(), 'Height in pixels.'),
        }),
        'Our copy, if it is shown; else null.',
      ),
      alt: OrNull(
        alt,
        'Alternative text: what the picture shows; null: there is none in a language that the store shows.',
      ),
    }),
    { description: 'All pictures of the source in order, including those that are left out.' },
  )

/** GET /v1/account/products/{id}/fields. */
export const ProductFields = Type.Object(
  {
    store: Text,
    sku: Shown(Text),
    ean: Shown(Text),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], () => Shown(Text)),
    images: Type.Object({ ...shown(Type.Array(Text)), states: pictureStates(Shown(Text)) }),
    attributes: Type.Array(Type.Object({ key: Text, label: Text, value: Text, source: FieldSource })),
  },
  { $id: 'ProductFields' },
)

const Asked = Type.Object(
  {
    field: OneOf(SOURCE_FIELDS),
    supplier_ids: Type.Array(Id),
  },
  { description: 'Suppliers in the order of precedence for the field.' },
)
const value = <T extends Type.TSchema>(of: T) => ({ value: OrNull(of), source: OrNull(Source), asked: Asked })
const Value = <T extends Type.TSchema>(of: T) => Type.Object(value(of))

const Step = Type.Object(
  {
    step: OneOf([
      'cost',
      'list_price',
      'sale_price',
      'rate',
      'tax',
      'markup',
      'margin',
      'fixed',
      'addition',
      'ceiling',
      'floor_margin',
      'floor_profit',
      'floor_price',
      'floor_zero',
      'settle',
      'rounding',
      'price_list',
      'held',
      'sale',
      'price',
      'reference',
      'content',
      'percent_off',
      'amount_off',
      'tier_price',
    ]),
    op: OneOf(
      ['=', '*', '/', '+', 'max', 'min', 'round'],
      'Operation. = replaces the value with `by`; max and min take the greater or the smaller of the value and `by`.',
    ),
    by: Type.String({
      description:
        'Operand: an amount. For rounding: minor_digits (half up; or up or down if half up would cross a bound), or the step, its ending and the direction (within_bounds: the one of the two nearest prices that is within the bounds).',
    }),
    result: Text,
  },
  {
    description:
      'One step of the calculation: the previous result, `op` `by`, gives `result`. The step settle rounds half up to 12 digits, which removes the remainder of a division.',
  },
)
const Tried = { rule_id: Id, name: Text, priority: Type.Integer() }
const Applied = Type.Boolean({
  description: 'Whether the rule is applied: the first one whose conditions are all met.',
})

const Listing = Type.Object(
  {
    is_listed: Type.Boolean(),
    by: OneOf(['hand', 'rule', 'default']),
    rules: Type.Array(
      Type.Object({
        ...Tried,
        lists: Type.Boolean(),
        is_applied: Applied,
        unmet: Type.Array(Text, { description: 'Conditions of the rule that are not met.' }),
      }),
    ),
  },
  {
    description:
      'Whether the store lists the product, and what decides: a manual listing, an assortment rule (rules are in the order in which they are tried), or the store’s default.',
  },
)

const Offer = Type.Object({
  supplier_id: Id,
  supplier_code: OrNull(Text),
  supplier_sku: Text,
  rank: OrNull(
    Type.Integer({ minimum: 1 }),
    'Rank of the offer, from 1 for the best one; null: the offer is not eligible.',
  ),
  ineligible: OrNull(
    OneOf(['unknown_supplier', 'inactive_supplier', 'no_tax_rate', 'no_exchange_rate']),
    'Why the offer is not eligible; null: it is.',
  ),
  behind_best_by: OrNull(
    OneOf(['has_cost', 'in_stock', 'cost', 'supplier_priority', 'supplier_id', 'supplier_sku']),
    'Criterion by which the best offer ranks before this one; null: this is the best one, or it is not eligible.',
  ),
  cost: OrNull(Text),
  currency: Text,
  comparable_cost: OrNull(Text, 'Cost in the account’s currency, as offers are compared; null: not known.'),
  reported_quantity: Type.Integer(),
  safety_buffer: Type.Integer(),
  quantity: Type.Integer({ description: 'Available quantity: reported_quantity minus safety_buffer, at least 0.' }),
})

const BaseCost = Type.Object({
  source: OneOf(['own_stock', 'best_offer', 'own_cost']),
  supplier_id: OrNull(Id),
  amount: Text,
  currency: Text,
  steps: Type.Array(Step, {
    description: 'Conversion to the store’s currency, unrounded; empty if there is no exchange rate.',
  }),
  shown: OrNull(
    Text,
    'Base cost as shown: the last result, rounded half up to 12 digits and then to the minor unit of the store’s currency; null if there is no exchange rate.',
  ),
})

const ListPrice = Type.Object({
  amount: Text,
  currency: Text,
  steps: Type.Array(Step, {
    description: 'Conversion to the store’s currency, unrounded; empty if there is no exchange rate.',
  }),
  shown: OrNull(
    Text,
    'Amount as shown, rounded like the base cost; a list price is shown beside prices that are below it. null if there is no exchange rate.',
  ),
})

const TaxedListPrice = Type.Object({
  ...ListPrice.properties,
  tax_rate_missing: OrNull(
    Text,
    'Country whose tax rate is not known today, so that no price shows the list price; null: no rate is missing.',
  ),
})

const PriceTax = {
  country: Text,
  rate: OrNull(Text, 'Tax rate in percent; null: the tax class has no rate in the country today.'),
  is_included: Type.Boolean({ description: 'Whether prices include the tax.' }),
}

const Tax = Type.Object({
  class: OrNull(Text, 'Key of the product’s tax class; null: none.'),
  by: OrNull(
    OneOf(['override', 'supplier', 'category', 'default']),
    'What determines the tax class: your override, a supplier’s value, your category, or the account’s default class; null: nothing does.',
  ),
  category: OrNull(Text, 'Path of your category that names the tax class; null unless `by` is category.'),
  ...PriceTax,
  is_priceless: Type.Boolean({
    description:
      'Whether the product has no price, because prices of at least one customer group should include tax and the rate is not known.',
  }),
})

const Price = Type.Object({
  group_id: Id,
  group: Text,
  rules: Type.Array(
    Type.Object({
      ...Tried,
      is_default: Type.Boolean(),
      is_applied: Applied,
      unmet: Type.Array(OneOf(PRICE_REASONS), { description: 'Conditions of the rule that are not met.' }),
    }),
    { description: 'Pricing rules in the order in which they are tried.' },
  ),
  applied_rule_id: OrNull(Id, 'ID of the rule that is applied; null: no rule is.'),
  steps: Type.Array(Step, { description: 'Steps from the cost in the store’s currency to the price.' }),
  price: OrNull(
    Text,
    'Price as shown; null: no rule applies, or a customer group’s price is a 0 that no rule states, in which case no group has a price.',
  ),
  price_list: OrNull(
    Type.Object({ key: Text, name: Text }),
    'Price list whose price replaces that of the applied rule; null: none.',
  ),
  is_unstated_zero: Type.Boolean({
    description:
      'Whether the price is a 0 that no rule states (with action `fixed` and `fixed_price` 0): it counts as no price.',
  }),
  currency: Text,
  tax: OrNull(Type.Object(PriceTax), 'Tax of this price; null: the store has no tax_country.'),
  list_price: OrNull(
    TaxedListPrice,
    'List price for this customer group, if tax makes it different from `list_price_in_store`; null: it is the same.',
  ),
  made_list_price: OrNull(
    Type.Object({
      steps: Type.Array(Step, { description: 'Steps from the cost in the store’s currency to the list price.' }),
      price: Text,
      left_out: OrNull(
        OneOf(MADE_LIST_PRICES_LEFT_OUT),
        'Why the list price is not shown beside the product’s price: held: the price is held; sale: the product is in a sale; not_above_price: the list price is not above the price. null: it is shown.',
      ),
    }),
    'List price that the applied rule computes (`list_price_percent`) because none is stated; null: the rule computes none.',
  ),
  compare_at_price: OrNull(
    Text,
    'Higher price that is shown beside `price`: in a sale, the price without the sale, else the list price; null: there is none that is above `price`.',
  ),
  lowest_price_30_days: OrNull(
    Text,
    'In a sale, the lowest price of the 30 days before it began; null: there is no sale, or no earlier price is known.',
  ),
  sale: OrNull(
    OneOf(
      ['shown', 'not_below', 'guarded'],
      'Result of the sale that is in force. `shown`: its price is shown; `not_below`: not shown, because its price is not below the price without the sale; `guarded`: not shown, because a supplier states it and it is below that price by more than the account’s price_jump_factor; state it yourself to show it.',
    ),
    'Result of the sale; null: no sale is in force, or its price cannot be converted to the store’s currency.',
  ),
  tiers: Type.Array(
    Type.Object({
      quantity: Type.Integer({ minimum: 2 }),
      steps: Type.Array(Step, {
        description:
          'Steps to the price of one piece: from `price`, from the price that the rule states for this quantity, or from the supplier’s cost for it.',
      }),
      price: Text,
      left_out: OrNull(
        OneOf(TIERS_LEFT_OUT),
        'Why clients do not read the tier: it is 0, not below `price`, or not below the tier before it; or it is computed from a supplier’s cost tier, and the price is held, or it is below `price` by more than the account’s price_jump_factor (`guarded`). null: clients read it.',
      ),
    }),
    {
      description:
        'Tiers that the rule computes from `price` or from the supplier’s cost tiers, by ascending quantity, including those that are left out.',
    },
  ),
  unit_price: OrNull(
    Type.Object({
      value: OrNull(Text, 'Unit price as shown; null: it is left out.'),
      unit: OneOf(CONTENT_UNITS),
      reference_quantity: Text,
      left_out: OrNull(
        OneOf(['same_as_price', 'zero']),
        'Why the unit price is left out: same_as_price: it equals the price, as for a litre in a bottle of one litre; zero: it rounds to 0. null: it is shown.',
      ),
      steps: Type.Array(Step, { description: 'Steps from the price as shown to the unit price.' }),
    }),
    'Unit price: `price` per reference quantity; null: no source states net contents that can be read, the reference is of another kind (such as litres for a weight), or there is no price.',
  ),
  held: OrNull(
    Type.Object({ wanted_price: Text, wanted_rule_id: Id, factor: Text }),
    'New price that is held, because it differs from the old one by more than the account’s price_jump_factor: `price` is the old one until the new one is confirmed; null: the price is not held.',
  ),
})

/** GET /v1/products/{id}/explain. */
export const Explanation = Type.Object(
  {
    product_id: Id,
    store_id: Id,
    store: Text,
    day: Type.String({
      format: 'date',
      description: 'Day for which the product is explained, in the account’s time zone.',
    }),
    listing: Listing,
    offers: Type.Array(Offer, {
      description: 'All offers: eligible ones first, the best one first, then those that are not eligible.',
    }),
    stock: Type.Object({ own: Type.Integer(), best_supplier: Type.Integer(), total: Type.Integer() }),
    base_cost: OrNull(BaseCost, 'Cost from which prices are computed; null: no cost is known.'),
    list_price_in_store: OrNull(
      TaxedListPrice,
      'List price in the store, with or without tax like the store’s prices; `list_price` has the stated value and its source. null: no source states one.',
    ),
    sale_in_store: OrNull(
      Type.Object({
        ...ListPrice.properties,
        state: OneOf(
          ['in_force', 'not_begun', 'ended'],
          'State of the sale on `day`, according to its first and its last day.',
        ),
      }),
      'Sale price in the store; `sale_price`, `sale_begins_on` and `sale_ends_on` have the stated values and their source. null: no source states a sale.',
    ),
    tax: OrNull(
      Tax,
      'Tax of the prices, unless their customer group has settings of its own; null: the store has no tax_country.',
    ),
    prices: Type.Array(Price, { description: 'Prices, one for each customer group.' }),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], () => Value(Text)),
    category: Type.Object({
      ...value(Text),
      stated: OrNull(
        Text,
        'Category as the source states it; `value` is the category of yours to which it is mapped, if there is one.',
      ),
      own: OrNull(
        ProductCategory,
        'Your category that contains the product, as in `categories` of the product: because the source’s path is mapped to it, or because your override is its path; null: none.',
      ),
    }),
    ean: Value(Text),
    images: Type.Object({
      ...value(Type.Array(Text)),
      states: pictureStates(Type.Object({ value: Text, source: Source })),
    }),
    sku: Type.Object({
      value: OrNull(Text),
      pattern: OrNull(Text, 'Pattern from which the SKU is made; null: the SKU is the product’s own key.'),
      missing: OrNull(Text, 'Placeholder of the pattern that has no value, so that there is no SKU; null: none.'),
      steps: Type.Array(Type.Object({ placeholder: Text, value: OrNull(Text), result: OrNull(Text) })),
    }),
    slug: OrNull(
      Type.Object({
        value: Type.String({ description: 'Slug that the store reads, or would read if it listed the product.' }),
        by: OneOf(
          ['title', 'hand', 'id'],
          'Where the slug comes from. `title`: from the title that the product had when the store first listed it with one; `hand`: set by you; `id`: from the ID, because the product has no title yet.',
        ),
        old: Type.Array(Text, { description: 'Earlier slugs of the product, the latest first; they still find it.' }),
      }),
      'Slug of the product in the store; null: additional_members of the account does not include `slug`.',
    ),
    attributes: Type.Array(
      Type.Object({
        key: Text,
        label: Text,
        value: Text,
        stated: Type.String({ description: 'Value as the source sends it, before it is translated or formatted.' }),
        typed: OrNull(
          Type.Object({ members: Type.Omit(Attribute, ['key', 'label', 'value']), unread: Type.Optional(Text) }),
          'Members that the product has in addition because the definition states a type; `unread`: why the value does not have the type. null: the definition states no type.',
        ),
        source: Source,
      }),
    ),
    group: Type.Object({
      value: OrNull(Type.Object(VariantGroup.properties)),
      source: OrNull(
        Source,
        'Where the group comes from: you, or the first offer that states a group, from which its key is taken; null: no group.',
      ),
      own: OrNull(
        Type.Object({ group_id: OrNull(Id, 'ID of the group; null: you took the product out of its group.') }),
        'Group that you set for the product; null: the group comes from suppliers.',
      ),
      stated: Type.Array(Type.Object({ supplier_id: Id, supplier_sku: Text, key: Text }), {
        description: 'All offers that state a group, in order of precedence; their groups are joined into one.',
      }),
    }),
    exclusion: Type.Object({
      excluded: Type.Boolean(),
      reason: OrNull(Text, 'Reason that clients read: the first of `found`; null: the product is not excluded.'),
      found: Type.Array(Type.Object({ by: OneOf(['no_price', 'hand', 'rule']), reason: Text, rule_id: OrNull(Id) }), {
        description: 'Everything that excludes the product, in order of precedence.',
      }),
      rules: Type.Array(
        Type.Object({ ...Tried, kind: OneOf(EXCLUSION_KINDS), reason: Text, is_match: Type.Boolean() }),
        { description: 'Exclusion rules in the order in which they are tried.' },
      ),
    }),
  },
  { $id: 'Explanation' },
)
