import type { ShopConfig } from '@vendure/core'

// Custom fields that the plugin adds to the shop's products and variants. The shop can only read them.

const field = (name: string, type: string, label: string, more: object = {}) => ({
  name,
  type,
  nullable: true,
  readonly: true,
  label: [{ languageCode: 'en', value: label }],
  ...more,
})

const DETAILS = [
  { name: 'channel', type: 'string' },
  { name: 'currency', type: 'string' },
  { name: 'quantity', type: 'int' },
  { name: 'price', type: 'int' },
  { name: 'compareAtPrice', type: 'int' },
  { name: 'lowestPrice', type: 'int' },
  { name: 'isSale', type: 'boolean' },
]

const FIELDS: Readonly<Record<string, object[]>> = {
  Product: [field('shelfwireKey', 'string', 'Shelfwire')],
  ProductVariant: [
    field('shelfwireId', 'int', 'Shelfwire'),
    field('shelfwireEan', 'string', 'EAN'),
    field('shelfwireWeight', 'int', 'Weight in grams'),
    field('shelfwireHsCode', 'string', 'HS code'),
    field('shelfwireOrigin', 'string', 'Country of origin'),
    field('shelfwirePrices', 'struct', 'List prices, and prices by quantity', { list: true, fields: DETAILS }),
    // not public, because other customers must not see the prices of a group
    field('shelfwireGroupPrices', 'struct', 'Prices of customer groups', {
      list: true,
      public: false,
      fields: [{ name: 'customerGroup', type: 'string' }, ...DETAILS],
    }),
  ],
}

export function withCustomFields(config: ShopConfig): ShopConfig {
  for (const [entity, fields] of Object.entries(FIELDS))
    config.customFields[entity] = [...(config.customFields[entity] ?? []), ...fields]
  return config
}
