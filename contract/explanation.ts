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
const Locale = OrNull(Text, 'null: the supplier sends it without a language; empty: the same in every language.')

/** @param place schema and description of the locale of an override. */
const SourceIn = <T extends Type.TSchema>(place: T) =>
  Type.Union(
    [
      Type.Object({ from: Type.Literal('override'), locale: place }),
      Type.Object({ from: Type.Literal('supplier'), supplier_id: Id, supplier_sku: Text, locale: Locale }),
    ],
    { description: 'Where it comes from: your override, or the offer of a supplier.' },
  )
const Source = SourceIn(
  Type.String({
    description: 'Empty: the same in every language; *, of an attribute: every locale that is not named.',
  }),
)
/** The source of a field's value: the owner's override, or an offer of a supplier. */
export const FieldSource = SourceIn(
  OrNull(Text, 'null: the same in every language; *, of an attribute: every locale that is not named.'),
)
const ShownFrom = Type.Union([FieldSource, Type.Object({ from: OneOf(['product', 'pattern', 'default']) })], {
  description:
    'Where it comes from. product: its own key; pattern: made by the account’s sku_pattern; default: no source, and nothing is shown.',
})
const shown = <T extends Type.TSchema>(value: T) => ({ value: OrNull(value), source: ShownFrom })
const Shown = <T extends Type.TSchema>(value: T) => Type.Object(shown(value))

const pictureStates = <T extends Type.TSchema>(alt: T) =>
  Type.Array(
    Type.Object({
      url: Type.String({ description: 'As the source gives it.' }),
      state: OneOf(
        ['pending', 'mirrored', 'dead', 'original'],
        'pending: not fetched yet, or not successfully, and its original URL is shown; mirrored: our copy is shown; dead: it is left out; original: this installation does not mirror pictures.',
      ),
      reason: OrNull(
        Text,
        'Why it is dead, or why it could not be fetched the last time, such as not_found, http_500, timeout or not_an_image.',
      ),
      shown: OrNull(Text, 'The URL that stores read; null: it is left out.'),
      copy: OrNull(
        Type.Object({
          hash: Type.String({ description: 'SHA-256 of its bytes, in hexadecimal.' }),
          type: Type.String({ description: 'Its media type.' }),
          width: OrNull(Type.Integer(), 'In pixels.'),
          height: OrNull(Type.Integer(), 'In pixels.'),
        }),
        'Our copy, where it is what is shown.',
      ),
      alt: OrNull(alt, 'What it shows; null: no source says it in a language that the store takes.'),
    }),
    { description: 'Every picture of the source in its order, also those that are left out.' },
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
  { description: 'Suppliers in the order in which the field is taken from them.' },
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
      '= replaces the value by `by`; max and min take the greater and the smaller of the two.',
    ),
    by: Type.String({
      description:
        'An amount; of rounding: minor_digits (half up; with up or down where half up would cross a bound), or the step, its ending and the direction (within_bounds: the one of the two neighbours that is).',
    }),
    result: Text,
  },
  {
    description:
      'One line of arithmetic: what was before, `op` `by`, gives `result`. settle rounds half up to 12 digits, which removes what a division leaves over.',
  },
)
const Tried = { rule_id: Id, name: Text, priority: Type.Integer() }
const Applied = Type.Boolean({ description: 'The first rule that is met is applied.' })

const Listing = Type.Object(
  {
    is_listed: Type.Boolean(),
    by: OneOf(['hand', 'rule', 'default']),
    rules: Type.Array(
      Type.Object({
        ...Tried,
        lists: Type.Boolean(),
        is_applied: Applied,
        unmet: Type.Array(Text, { description: 'Conditions that are not met.' }),
      }),
    ),
  },
  {
    description:
      'Whether the store lists it: by a manual listing, by its assortment rules in the order in which they are tried, or by its default.',
  },
)

const Offer = Type.Object({
  supplier_id: Id,
  supplier_code: OrNull(Text),
  supplier_sku: Text,
  rank: OrNull(Type.Integer({ minimum: 1 }), '1 is the best; null: it does not compete.'),
  ineligible: OrNull(
    OneOf(['unknown_supplier', 'inactive_supplier', 'no_tax_rate', 'no_exchange_rate']),
    'Why it does not compete.',
  ),
  behind_best_by: OrNull(
    OneOf(['has_cost', 'in_stock', 'cost', 'supplier_priority', 'supplier_id', 'supplier_sku']),
    'What ranks the best offer before this one.',
  ),
  cost: OrNull(Text),
  currency: Text,
  comparable_cost: OrNull(Text, 'In the account’s currency.'),
  reported_quantity: Type.Integer(),
  safety_buffer: Type.Integer(),
  quantity: Type.Integer({ description: 'max(0, reported − safety buffer).' }),
})

const BaseCost = Type.Object({
  source: OneOf(['own_stock', 'best_offer', 'own_cost']),
  supplier_id: OrNull(Id),
  amount: Text,
  currency: Text,
  steps: Type.Array(Step, { description: 'To the store’s currency, unrounded; empty without a rate.' }),
  shown: OrNull(
    Text,
    'As shown: the last result, half up to 12 digits and then to the minor digits of the store’s currency; null without a rate.',
  ),
})

const ListPrice = Type.Object({
  amount: Text,
  currency: Text,
  steps: Type.Array(Step, { description: 'To the store’s currency, unrounded; empty without a rate.' }),
  shown: OrNull(Text, 'Rounded as the base cost is; prices below it show it. null without a rate.'),
})

const TaxedListPrice = Type.Object({
  ...ListPrice.properties,
  tax_rate_missing: OrNull(
    Text,
    'The country whose rate is not known today, without which no price shows the list price; null: none is missing.',
  ),
})

const PriceTax = {
  country: Text,
  rate: OrNull(Text, 'Percent; null: the class has no rate there today.'),
  is_included: Type.Boolean({ description: 'Whether prices have it in them.' }),
}

const Tax = Type.Object({
  class: OrNull(Text, 'The key of the product’s tax class; null: it is in none.'),
  by: OrNull(
    OneOf(['override', 'supplier', 'category', 'default']),
    'Who says so: your own tax_class, a supplier’s, your category, or the account’s default class. null: nobody.',
  ),
  category: OrNull(Text, 'The path of your category that names the class; null unless `by` is category.'),
  ...PriceTax,
  is_priceless: Type.Boolean({
    description: 'They would, for any customer group, but the rate is not known: there is no price for any.',
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
      unmet: Type.Array(OneOf(PRICE_REASONS), { description: 'Conditions that are not met.' }),
    }),
    { description: 'In the order in which they are tried.' },
  ),
  applied_rule_id: OrNull(Id),
  steps: Type.Array(Step, { description: 'From the cost in the store’s currency to the price.' }),
  price: OrNull(
    Text,
    'As shown; null: no rule applies, or the price of a group is a zero that no rule states, and then no group has one.',
  ),
  price_list: OrNull(
    Type.Object({ key: Text, name: Text }),
    'The price list that says the price in place of the applied rule; null: none does.',
  ),
  is_unstated_zero: Type.Boolean({
    description: 'The price is 0 without a rule of the action `fixed` with `fixed_price` 0: it counts as no price.',
  }),
  currency: Text,
  tax: OrNull(Type.Object(PriceTax), 'What this price says of tax; null: the store has no tax_country.'),
  list_price: OrNull(
    TaxedListPrice,
    'The list price as this group is shown it, where tax makes it another one than `list_price_in_store`; null: it is that one.',
  ),
  made_list_price: OrNull(
    Type.Object({
      steps: Type.Array(Step, { description: 'From the cost in the store’s currency.' }),
      price: Text,
      left_out: OrNull(
        OneOf(MADE_LIST_PRICES_LEFT_OUT),
        'Why `price` is not shown beside it: it is held, or in a sale, or not below it. null: it is.',
      ),
    }),
    'The list price that the applied rule makes (`list_price_percent`), because nobody states one; null: it makes none.',
  ),
  compare_at_price: OrNull(
    Text,
    'Shown beside `price`: in a sale the price without it, else the list price; null: there is none, or it is not above it.',
  ),
  lowest_price_30_days: OrNull(
    Text,
    'In a sale the lowest price in the 30 days before it began; null: there is no sale, or none of these prices is known.',
  ),
  sale: OrNull(
    OneOf(
      ['shown', 'not_below', 'guarded'],
      'What became of the sale that is in force: `not_below`: its price is not below the price without it; `guarded`: a supplier’s price that is further below it than the account’s factor, which is not shown unless you state it yourself.',
    ),
    'null: no sale is in force, or its price is none in the store’s currency.',
  ),
  tiers: Type.Array(
    Type.Object({
      quantity: Type.Integer({ minimum: 2 }),
      steps: Type.Array(Step, {
        description:
          'From `price`, from the price that the rule states for this quantity, or from the supplier’s cost for it, to the price of one piece.',
      }),
      price: Text,
      left_out: OrNull(
        OneOf(TIERS_LEFT_OUT),
        'Why clients do not read it: it is 0, or not below `price`, or not below the tier before it; or it is made of a supplier’s tier of cost, and the price is held, or it is further below `price` than the account’s factor allows (`guarded`). null: they read it.',
      ),
    }),
    {
      description:
        'What the rule makes of `price`, or of the supplier’s tiers, from a quantity on, by rising quantity, also what is left out.',
    },
  ),
  unit_price: OrNull(
    Type.Object({
      value: OrNull(Text, 'As shown; null: left out.'),
      unit: OneOf(CONTENT_UNITS),
      reference_quantity: Text,
      left_out: OrNull(
        OneOf(['same_as_price', 'zero']),
        'Why it is: it is the price itself, as that of a litre in a bottle of one litre; or it rounds to 0.',
      ),
      steps: Type.Array(Step, { description: 'From the price as it is shown.' }),
    }),
    'What `price` comes to per quantity; null: no source states a content that is understood, the reference is of another kind, or there is no price.',
  ),
  held: OrNull(
    Type.Object({ wanted_price: Text, wanted_rule_id: Id, factor: Text }),
    'Set when the price jumped by more than the account’s factor: `price` is the old one, shown until the new one is confirmed.',
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
      description: 'The day as of which it is resolved, in the account’s time zone.',
    }),
    listing: Listing,
    offers: Type.Array(Offer, { description: 'Every offer: those that compete, best first, then those that do not.' }),
    stock: Type.Object({ own: Type.Integer(), best_supplier: Type.Integer(), total: Type.Integer() }),
    base_cost: OrNull(BaseCost),
    list_price_in_store: OrNull(
      TaxedListPrice,
      'The list price with or without tax, as prices of the store are, as `list_price` has it with its source; null: no source states one.',
    ),
    sale_in_store: OrNull(
      Type.Object({
        ...ListPrice.properties,
        state: OneOf(['in_force', 'not_begun', 'ended'], 'On `day`, by its first and its last day.'),
      }),
      'The sale, as `sale_price`, `sale_begins_on` and `sale_ends_on` have it with its source; null: no source states one.',
    ),
    tax: OrNull(
      Tax,
      'What prices say of tax, unless their customer group says otherwise; null: the store has no tax_country.',
    ),
    prices: Type.Array(Price, { description: 'One for each customer group.' }),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], () => Value(Text)),
    category: Type.Object({
      ...value(Text),
      stated: OrNull(Text, 'As the source sends it; `value` is your category that it is mapped to, if there is one.'),
      own: OrNull(
        ProductCategory,
        'Your category that it is in, as `categories` of the product shows it: because the source’s path is mapped to it, or because your override is its path.',
      ),
    }),
    ean: Value(Text),
    images: Type.Object({
      ...value(Type.Array(Text)),
      states: pictureStates(Type.Object({ value: Text, source: Source })),
    }),
    sku: Type.Object({
      value: OrNull(Text),
      pattern: OrNull(Text, 'null: the product’s own key.'),
      missing: OrNull(Text, 'The placeholder for which there is no value; there is no SKU then.'),
      steps: Type.Array(Type.Object({ placeholder: Text, value: OrNull(Text), result: OrNull(Text) })),
    }),
    slug: OrNull(
      Type.Object({
        value: Type.String({ description: 'What the store reads, or would read if it listed the product.' }),
        by: OneOf(
          ['title', 'hand', 'id'],
          '`title`: made of the title when the store first listed the product with one; `hand`: set by you; `id`: the product has no title yet.',
        ),
        old: Type.Array(Text, { description: 'Those that it had before, the latest first: they lead to it.' }),
      }),
      'null: the account has not chosen the additional member `slug`.',
    ),
    attributes: Type.Array(
      Type.Object({
        key: Text,
        label: Text,
        value: Text,
        stated: Type.String({ description: 'As the source sends it, before labels and notation.' }),
        typed: OrNull(
          Type.Object({ members: Type.Omit(Attribute, ['key', 'label', 'value']), unread: Type.Optional(Text) }),
          'What the payload has of it by the type of its definition; `unread`: why the type does not understand it. null: the definition states no type.',
        ),
        source: Source,
      }),
    ),
    group: Type.Object({
      value: OrNull(Type.Object(VariantGroup.properties)),
      source: OrNull(Source, 'You, or the first offer that states a group: it gives the key.'),
      own: OrNull(
        Type.Object({ group_id: OrNull(Id) }),
        'What you say: the group that you put it into, or null in it: none. null: suppliers decide.',
      ),
      stated: Type.Array(Type.Object({ supplier_id: Id, supplier_sku: Text, key: Text }), {
        description: 'Every offer that states a group, in the order in which they are asked; they are joined into one.',
      }),
    }),
    exclusion: Type.Object({
      excluded: Type.Boolean(),
      reason: OrNull(Text, 'The first of `found`.'),
      found: Type.Array(Type.Object({ by: OneOf(['no_price', 'hand', 'rule']), reason: Text, rule_id: OrNull(Id) }), {
        description: 'All that excludes it, in order.',
      }),
      rules: Type.Array(
        Type.Object({ ...Tried, kind: OneOf(EXCLUSION_KINDS), reason: Text, is_match: Type.Boolean() }),
        { description: 'In the order in which they are tried.' },
      ),
    }),
  },
  { $id: 'Explanation' },
)
