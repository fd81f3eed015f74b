import type { Mapping } from './mapping.ts'

/**
 * A Magento 2 product export (System > Data Transfer > Export). Its image paths are relative to the shop's media folder, so
 * it needs `imageBaseUrl` (`https://shop.example/media/catalog/product`). Prices are in the shop's base currency, which the
 * export does not name: the supplier's currency is assumed unless `fields.currency` is given.
 */
export const MAGENTO2: Mapping = {
  format: 'csv',
  locale: 'en',
  fields: {
    sku: 'sku',
    cost: 'price',
    quantity: 'qty',
    title: 'name',
    description: 'description',
    category: {
      column: 'categories',
      split: ',',
      take: 0,
      replace: [['Default Category/', '']],
      values: { 'Default Category': '' },
    },
    images: [
      { column: 'base_image', values: { no_selection: '' } },
      { column: 'additional_images', split: ',' },
    ],
    attributes: [
      { key: 'weight', column: 'weight' },
      { packed: 'additional_attributes', pair: ',', assign: '=', except: ['has_options', 'required_options'] },
    ],
  },
  // Rows of a store view repeat a sku with the few texts that differ there; as offers they would clear all other fields.
  skip: [{ column: 'store_view_code', notIn: [''] }],
}

/** Ready mappings by the name for `--mapping`, with the settings that the caller must add. */
export const PRESETS: Readonly<Record<string, { mapping: Mapping; requires: readonly (keyof Mapping)[] }>> = {
  magento2: { mapping: MAGENTO2, requires: ['imageBaseUrl'] },
}
