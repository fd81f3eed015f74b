import Type from 'typebox'
import { CONTENT_UNITS } from './content-units.ts'
import { EXCLUSION_KINDS } from './exclusion-kinds.ts'
import { AttributeShown, explained, pictureStates, Source, Value, value } from './field-sources.ts'
import { OneOf as oneOf } from './one-of.ts'
import { descriptionOf, forEachField, NAME_FIELDS, TEXT_FIELDS } from './product-fields.ts'
import { PRICE_REASONS } from './rule-conditions.ts'
import { Attribute, CONTENT_UNIT, ProductCategory, VariantGroup } from './product-parts.ts'
import {
  CurrencyOf,
  CustomerGroupId,
  described,
  Flag,
  Id,
  nullable,
  ProductId,
  SlugOfStore,
  SupplierId,
  SupplierSku,
  Text,
} from './values.ts'
import { MADE_LIST_PRICES_LEFT_OUT } from './list-prices.ts'
import { TIERS_LEFT_OUT } from './tiers.ts'

// Why a product has the values that it has in a store. Amounts are exact decimals, rounded only where a step says so.

/** @param description it may be left out of the items of a list, and of the alternatives of a value that has one */
const OneOf = <const N extends readonly string[]>(names: N, description?: string) =>
  oneOf(names, description === undefined ? {} : { description })

const Step = Type.Object(
  {
    step: OneOf(
      [
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
      ],
      'Kind of the step. cost, list_price, sale_price, price: the amount with which the calculation begins; tax: tax is taken out or added; rate: conversion to another currency; markup, margin, fixed, addition, ceiling, floor_margin, floor_profit, floor_price, percent_off, amount_off, tier_price: settings of the rule; floor_zero: prices are at least 0; settle, rounding: rounding; price_list, held, sale: the price of a price list, the held price or the sale price is shown instead; reference, content: for a unit price, multiplication by the reference quantity and division by the net content.',
    ),
    op: OneOf(
      ['=', '*', '/', '+', 'max', 'min', 'round'],
      'Operation. = replaces the value with `by`; max and min take the greater or the smaller of the value and `by`.',
    ),
    by: Type.String({
      description:
        'Operand: an amount. For rounding: minor_digits (half up; or up or down if half up would cross a bound), or the step, its ending and the direction (within_bounds: the one of the two nearest prices that is within the bounds).',
    }),
    result: described(Text, 'Result of the step, as an exact decimal.'),
  },
  {
    description:
      'One step of the calculation: the previous result, `op` `by`, gives `result`. The step settle rounds half up to 12 digits, which removes the remainder of a division.',
  },
)
const Tried = {
  rule_id: described(Id, 'ID of the rule.'),
  name: described(Text, 'Name of the rule.'),
  priority: Type.Integer({ description: 'Priority of the rule: lower numbers are tried first.' }),
}
const Applied = Type.Boolean({
  description: 'Whether the rule is applied: the first one whose conditions are all met.',
})

const Listing = Type.Object(
  {
    is_listed: described(Flag, 'Whether the store lists the product.'),
    by: OneOf(
      ['hand', 'rule', 'default'],
      'What decides. hand: a manual listing; rule: the assortment rule that is applied; default: the store’s lists_by_default.',
    ),
    rules: Type.Array(
      Type.Object({
        ...Tried,
        lists: described(Flag, 'Whether the store lists the products that the rule matches.'),
        is_applied: Applied,
        unmet: Type.Array(Text, { description: 'Conditions of the rule that are not met.' }),
      }),
      { description: 'Assortment rules in the order in which they are tried.' },
    ),
  },
  {
    description:
      'Whether the store lists the product, and what decides: a manual listing, an assortment rule (rules are in the order in which they are tried), or the store’s default.',
  },
)

const Offer = Type.Object({
  supplier_id: SupplierId,
  supplier_code: nullable(Text, 'Code of the supplier; null: the supplier was deleted.'),
  supplier_sku: SupplierSku,
  rank: nullable(
    Type.Integer({ minimum: 1 }),
    'Rank of the offer, from 1 for the best one; null: the offer is not eligible.',
  ),
  ineligible: nullable(
    OneOf(['unknown_supplier', 'inactive_supplier', 'no_tax_rate', 'no_exchange_rate']),
    'Why the offer is not eligible; null: it is.',
  ),
  behind_best_by: nullable(
    OneOf(['has_cost', 'in_stock', 'cost', 'supplier_priority', 'supplier_id', 'supplier_sku']),
    'Criterion by which the best offer ranks before this one; null: this is the best one, or it is not eligible.',
  ),
  cost: nullable(Text, 'Purchase cost of one piece as the offer states it, as an exact decimal; null: not known.'),
  currency: CurrencyOf('cost'),
  comparable_cost: nullable(
    Text,
    'Cost without tax in the account’s currency, as offers are compared; null: not known.',
  ),
  reported_quantity: Type.Integer({ description: 'Number of pieces that the supplier reports.' }),
  safety_buffer: Type.Integer({
    description: 'Number of pieces that is subtracted, as the supplier’s settings state.',
  }),
  quantity: Type.Integer({ description: 'Available quantity: reported_quantity minus safety_buffer, at least 0.' }),
})

const BaseCost = Type.Object({
  source: OneOf(
    ['own_stock', 'best_offer', 'own_cost'],
    'Where the cost comes from. own_stock: the cost of the own stock, of which pieces are left; best_offer: the cost of the best offer; own_cost: the cost of the own stock although no pieces are left, because no eligible offer has a cost.',
  ),
  supplier_id: nullable(Id, 'ID of the supplier of the best offer; null: the cost is that of the own stock.'),
  amount: described(Text, 'Cost of one piece as it is stated, as an exact decimal.'),
  currency: CurrencyOf('amount'),
  steps: Type.Array(Step, {
    description: 'Conversion to the store’s currency, unrounded; empty if there is no exchange rate.',
  }),
  shown: nullable(
    Text,
    'Base cost as shown: the last result, rounded half up to 12 digits and then to the minor unit of the store’s currency; null if there is no exchange rate.',
  ),
})

const ListPrice = Type.Object({
  amount: described(Text, 'Amount as it is stated, as an exact decimal.'),
  currency: CurrencyOf('amount'),
  steps: Type.Array(Step, {
    description: 'Conversion to the store’s currency, unrounded; empty if there is no exchange rate.',
  }),
  shown: nullable(
    Text,
    'Amount as shown, rounded like the base cost; a list price is shown beside prices that are below it. null if there is no exchange rate.',
  ),
})

const TaxedListPrice = Type.Object({
  ...ListPrice.properties,
  tax_rate_missing: nullable(
    Text,
    'Country whose tax rate is not known today, so that no price shows the list price; null: no rate is missing.',
  ),
})

const PriceTax = {
  country: described(Text, 'Country whose tax applies (ISO 3166-1).'),
  rate: nullable(Text, 'Tax rate in percent; null: the tax class has no rate in the country today.'),
  is_included: Type.Boolean({ description: 'Whether prices include the tax.' }),
}

const Tax = Type.Object({
  class: nullable(Text, 'Key of the product’s tax class; null: none.'),
  by: nullable(
    OneOf(['override', 'supplier', 'category', 'default']),
    'What determines the tax class: your override, a supplier’s value, your category, or the account’s default class; null: nothing does.',
  ),
  category: nullable(Text, 'Path of your category that names the tax class; null unless `by` is category.'),
  ...PriceTax,
  is_priceless: Type.Boolean({
    description:
      'Whether the product has no price, because prices of at least one customer group should include tax and the rate is not known.',
  }),
})

const Price = Type.Object({
  group_id: CustomerGroupId,
  group: described(Text, 'Name of the customer group.'),
  rules: Type.Array(
    Type.Object({
      ...Tried,
      is_default: described(Flag, 'Whether this is the account’s default rule.'),
      is_applied: Applied,
      unmet: Type.Array(OneOf(PRICE_REASONS), { description: 'Conditions of the rule that are not met.' }),
    }),
    { description: 'Pricing rules in the order in which they are tried.' },
  ),
  applied_rule_id: nullable(Id, 'ID of the rule that is applied; null: no rule is.'),
  steps: Type.Array(Step, { description: 'Steps from the cost in the store’s currency to the price.' }),
  price: nullable(
    Text,
    'Price as shown; null: no rule applies, or a customer group’s price is a 0 that no rule states, in which case no group has a price.',
  ),
  price_list: nullable(
    Type.Object({
      key: described(Text, 'Key of the price list.'),
      name: described(Text, 'Name of the price list.'),
    }),
    'Price list whose price replaces that of the applied rule; null: none.',
  ),
  is_unstated_zero: Type.Boolean({
    description:
      'Whether the price is a 0 that no rule states (with action `fixed` and `fixed_price` 0): it counts as no price.',
  }),
  currency: CurrencyOf('prices'),
  tax: nullable(Type.Object(PriceTax), 'Tax of this price; null: the store has no tax_country.'),
  list_price: nullable(
    TaxedListPrice,
    'List price for this customer group, if tax makes it different from `list_price_in_store`; null: it is the same.',
  ),
  made_list_price: nullable(
    Type.Object({
      steps: Type.Array(Step, { description: 'Steps from the cost in the store’s currency to the list price.' }),
      price: described(Text, 'List price: the result of the steps.'),
      left_out: nullable(
        OneOf(MADE_LIST_PRICES_LEFT_OUT),
        'Why the list price is not shown beside the product’s price: held: the price is held; sale: the product is in a sale; not_above_price: the list price is not above the price. null: it is shown.',
      ),
    }),
    'List price that the applied rule computes (`list_price_percent`) because none is stated; null: the rule computes none.',
  ),
  compare_at_price: nullable(
    Text,
    'Higher price that is shown beside `price`: in a sale, the price without the sale, else the list price; null: there is none that is above `price`.',
  ),
  lowest_price_30_days: nullable(
    Text,
    'In a sale, the lowest price of the 30 days before it began; null: there is no sale, or no earlier price is known.',
  ),
  sale: nullable(
    OneOf(
      ['shown', 'not_below', 'guarded'],
      'Result of the sale that is in force. `shown`: its price is shown; `not_below`: not shown, because its price is not below the price without the sale; `guarded`: not shown, because a supplier states it and it is below that price by more than the account’s price_jump_factor; state it yourself to show it.',
    ),
    'Result of the sale; null: no sale is in force, or its price cannot be converted to the store’s currency.',
  ),
  tiers: Type.Array(
    Type.Object({
      quantity: Type.Integer({ minimum: 2, description: 'Minimum number of pieces for this price.' }),
      steps: Type.Array(Step, {
        description:
          'Steps to the price of one piece: from `price`, from the price that the rule states for this quantity, or from the supplier’s cost for it.',
      }),
      price: described(Text, 'Price of one piece: the result of the steps.'),
      left_out: nullable(
        OneOf(TIERS_LEFT_OUT),
        'Why clients do not read the tier: it is 0, not below `price`, or not below the tier before it; or it is computed from a supplier’s cost tier, and the price is held, or it is below `price` by more than the account’s price_jump_factor (`guarded`). null: clients read it.',
      ),
    }),
    {
      description:
        'Tiers that the rule computes from `price` or from the supplier’s cost tiers, by ascending quantity, including those that are left out.',
    },
  ),
  unit_price: nullable(
    Type.Object({
      value: nullable(Text, 'Unit price as shown; null: it is left out.'),
      unit: OneOf(CONTENT_UNITS, CONTENT_UNIT),
      reference_quantity: described(Text, 'Quantity that the unit price is for, in the unit, such as 1 or 100.'),
      left_out: nullable(
        OneOf(['same_as_price', 'zero']),
        'Why the unit price is left out: same_as_price: it equals the price, as for a litre in a bottle of one litre; zero: it rounds to 0. null: it is shown.',
      ),
      steps: Type.Array(Step, { description: 'Steps from the price as shown to the unit price.' }),
    }),
    'Unit price: `price` per reference quantity; null: no source states net contents that can be read, the reference is of another kind (such as litres for a weight), or there is no price.',
  ),
  held: nullable(
    Type.Object({
      wanted_price: described(Text, 'New price, as an exact decimal.'),
      wanted_rule_id: described(Id, 'ID of the rule that makes the new price.'),
      factor: described(Text, 'The account’s price_jump_factor, as an exact decimal.'),
    }),
    'New price that is held, because it differs from the old one by more than the account’s price_jump_factor: `price` is the old one until the new one is confirmed; null: the price is not held.',
  ),
})

/** GET /v1/products/{id}/explain. */
export const Explanation = Type.Object(
  {
    product_id: ProductId,
    store_id: described(Id, 'ID of the store.'),
    store: SlugOfStore,
    day: Type.String({
      format: 'date',
      description: 'Day for which the product is explained, in the account’s time zone.',
    }),
    listing: Listing,
    offers: Type.Array(Offer, {
      description: 'All offers: eligible ones first, the best one first, then those that are not eligible.',
    }),
    stock: Type.Object(
      {
        own: Type.Integer({ description: 'Number of pieces of the own stock.' }),
        best_supplier: Type.Integer({ description: 'Available quantity of the best offer; 0 if there is none.' }),
        total: Type.Integer({ description: 'Number of pieces that the store can sell: the sum of the two.' }),
      },
      { description: 'Stock of the product, in pieces.' },
    ),
    base_cost: nullable(BaseCost, 'Cost from which prices are computed; null: no cost is known.'),
    list_price_in_store: nullable(
      TaxedListPrice,
      'List price in the store, with or without tax like the store’s prices; `list_price` has the stated value and its source. null: no source states one.',
    ),
    sale_in_store: nullable(
      Type.Object({
        ...ListPrice.properties,
        state: OneOf(
          ['in_force', 'not_begun', 'ended'],
          'State of the sale on `day`, according to its first and its last day.',
        ),
      }),
      'Sale price in the store; `sale_price`, `sale_begins_on` and `sale_ends_on` have the stated values and their source. null: no source states a sale.',
    ),
    tax: nullable(
      Tax,
      'Tax of the prices, unless their customer group has settings of its own; null: the store has no tax_country.',
    ),
    prices: Type.Array(Price, { description: 'Prices, one for each customer group.' }),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], (field) => Value(Text, descriptionOf(field))),
    category: Type.Object(
      {
        ...value(Text),
        stated: nullable(
          Text,
          'Category as the source states it; `value` is the category of yours to which it is mapped, if there is one.',
        ),
        own: nullable(
          ProductCategory,
          'Your category that contains the product, as in `categories` of the product: because the source’s path is mapped to it, or because your override is its path; null: none.',
        ),
      },
      explained(descriptionOf('category')),
    ),
    ean: Value(Text, descriptionOf('ean')),
    images: Type.Object(
      {
        ...value(Type.Array(Text)),
        states: pictureStates(Type.Object({ value: described(Text, 'Alternative text.'), source: Source })),
      },
      explained(descriptionOf('images')),
    ),
    sku: Type.Object(
      {
        value: nullable(Text, 'Exported SKU; null: none.'),
        pattern: nullable(Text, 'Pattern from which the SKU is made; null: the SKU is the product’s own key.'),
        missing: nullable(Text, 'Placeholder of the pattern that has no value, so that there is no SKU; null: none.'),
        steps: Type.Array(
          Type.Object({
            placeholder: described(Text, 'Placeholder of the pattern, without its braces.'),
            value: nullable(Text, 'Value of the placeholder; null: the product has none.'),
            result: nullable(Text, 'Part of the SKU that is made of the value; null: the product has no value.'),
          }),
          { description: 'Placeholders of the pattern in their order; empty if there is no pattern.' },
        ),
      },
      { description: 'Exported SKU, and how it is made.' },
    ),
    slug: nullable(
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
        ...AttributeShown,
        stated: Type.String({ description: 'Value as the source sends it, before it is translated or formatted.' }),
        typed: nullable(
          Type.Object({
            members: described(
              Type.Omit(Attribute, ['key', 'label', 'value']),
              'Members that the product’s attribute has in addition.',
            ),
            unread: Type.Optional(described(Text, 'Why the value does not have the type. Left out if it has it.')),
          }),
          'Members that the product has in addition because the definition states a type; `unread`: why the value does not have the type. null: the definition states no type.',
        ),
        source: Source,
      }),
      { description: 'Attributes of the product, in the order in which they are shown.' },
    ),
    group: Type.Object(
      {
        value: nullable(
          Type.Object(VariantGroup.properties),
          'Group as the store shows it; null: the product is in none.',
        ),
        source: nullable(
          Source,
          'Where the group comes from: you, or the first offer that states a group, from which its key is taken; null: no group.',
        ),
        own: nullable(
          Type.Object({ group_id: nullable(Id, 'ID of the group; null: you took the product out of its group.') }),
          'Group that you set for the product; null: the group comes from suppliers.',
        ),
        stated: Type.Array(
          Type.Object({
            supplier_id: SupplierId,
            supplier_sku: SupplierSku,
            key: described(Text, 'Key of the group at the supplier.'),
          }),
          {
            description: 'All offers that state a group, in order of precedence; their groups are joined into one.',
          },
        ),
      },
      { description: 'Variant group of the product, and where it comes from.' },
    ),
    exclusion: Type.Object(
      {
        excluded: described(Flag, 'Whether the product is excluded from the store’s export.'),
        reason: nullable(Text, 'Reason that clients read: the first of `found`; null: the product is not excluded.'),
        found: Type.Array(
          Type.Object({
            by: OneOf(
              ['no_price', 'hand', 'rule'],
              'What excludes the product. no_price: it has no price; hand: a manual exclusion; rule: an exclusion rule.',
            ),
            reason: described(Text, 'Reason that clients read if it is the first one.'),
            rule_id: nullable(Id, 'ID of the rule; null unless `by` is rule.'),
          }),
          {
            description: 'Everything that excludes the product, in order of precedence.',
          },
        ),
        rules: Type.Array(
          Type.Object({
            ...Tried,
            kind: OneOf(EXCLUSION_KINDS, 'Kind of the rule.'),
            reason: described(Text, 'Reason that the rule states.'),
            is_match: described(Flag, 'Whether the rule excludes the product.'),
          }),
          { description: 'Exclusion rules in the order in which they are tried.' },
        ),
      },
      { description: 'Whether the product is excluded from the store’s export, and why.' },
    ),
  },
  { $id: 'Explanation', description: 'Why a product has its values in a store.' },
)
