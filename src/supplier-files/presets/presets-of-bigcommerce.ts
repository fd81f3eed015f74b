import { UNLIMITED_PIECES } from '../availability.ts'
import type { Mapping, Source } from '../mapping/mapping.ts'
import { EAN, optional, type Preset } from './preset-parts.ts'

const NONE = { constant: '' }
/** The quantity of articles whose stock is not tracked. */
const UNLIMITED = { constant: 'unlimited' }
const BARCODE = { capture: EAN, optional: true }

/** The sale price if a row has one, otherwise `column`. These exports write 0 for no sale price. */
const saleOr = (column: string): Source => ({
  when: { column: 'Sale Price', optional: true, above: '0' },
  use: 'Sale Price',
  else: column,
})
/** The recommended price or, without one, the regular price beside a sale price. */
const LIST_PRICE: Source = {
  first: [
    { when: { column: 'Retail Price', optional: true, above: '0' }, use: 'Retail Price', else: NONE },
    { when: { column: 'Sale Price', optional: true, above: '0' }, use: 'Price', else: NONE },
  ],
}
const CONDITION = { column: 'Product Condition', optional: true }

/**
 * A BigCommerce product export in the form of its former template. Its rows of the types `SKU` and `Rule` are left out: the names of SKUs are
 * only in the row of their product, and their prices are rules. The units of weights and sizes are settings of the shop, and not in the file.
 */
const BIGCOMMERCE: Mapping = {
  locale: 'en',
  availability: { unlimited: UNLIMITED_PIECES },
  fields: {
    sku: { first: ['Product Code/SKU', { column: 'Product ID', prefix: 'id:' }] },
    cost: saleOr('Price'),
    list_price: LIST_PRICE,
    quantity: {
      when: { column: 'Track Inventory', optional: true, in: ['none'] },
      use: UNLIMITED,
      else: optional('Current Stock Level'),
    },
    title: 'Product Name',
    description: optional('Product Description'),
    manufacturer: optional('Brand Name'),
    category: { column: 'Category', optional: true, split: ';', take: 0 },
    ean: [
      { column: 'Product UPC/EAN', ...BARCODE },
      { column: 'GPS Global Trade Item Number', ...BARCODE },
    ],
    mpn: optional('GPS Manufacturer Part Number'),
    condition: CONDITION,
    images: [1, 2, 3, 4, 5].flatMap((n) => [
      optional(`Product Image File - ${n}`),
      optional(`Product Image URL - ${n}`),
    ]),
    seo_title: optional('Page Title'),
    seo_description: optional('Meta Description'),
  },
  skip: [{ column: 'Item Type', in: ['SKU', 'Rule'] }],
}

const VARIANT = { column: 'Item', in: ['Variant'] }
/** The value of an option such as `Type=Swatch|Name=Color|Value=Green[#00ff00]`. */
const option = { column: 'Options', capture: 'Value=([^|\\[\\n]+)' }

/**
 * A BigCommerce product export in the form of its current template: the row of a product, then those of its variants and pictures. A product
 * without variants is an offer. Brands and categories are ids of the shop, and are not read.
 */
const BIGCOMMERCE_V3: Mapping = {
  locale: 'en',
  availability: { unlimited: UNLIMITED_PIECES },
  group: {
    by: { when: { column: 'Item', in: ['Product'] }, use: { join: ['ID', 'SKU', 'Name'], with: '/' }, else: NONE },
    continues: true,
    inherit: ['Name', 'Description', 'Product URL', 'Product Condition', 'Page Title', 'Meta Description'],
    collect: ['Internal Image URL (Export)', 'Image URL (Import)'],
    optional: ['Product Condition', 'Page Title', 'Meta Description', 'Image URL (Import)'],
    offers: VARIANT,
    orFirst: true,
  },
  fields: {
    sku: { first: ['SKU', { column: 'ID', prefix: 'id:' }] },
    cost: saleOr('Price'),
    list_price: LIST_PRICE,
    quantity: {
      when: { column: 'Inventory Tracking', optional: true, in: ['none'] },
      use: UNLIMITED,
      else: 'Current Stock',
    },
    title: { join: ['Name', { when: VARIANT, use: option, else: NONE }], with: ' - ' },
    description: 'Description',
    ean: [
      { column: 'UPC/EAN', ...BARCODE },
      { column: 'Global Trade Number', ...BARCODE },
    ],
    mpn: optional('Manufacturer Part Number'),
    condition: CONDITION,
    images: [optional('Variant Image URL'), 'Internal Image URL (Export)', optional('Image URL (Import)')],
    seo_title: optional('Page Title'),
    seo_description: optional('Meta Description'),
    group_key: { when: VARIANT, use: 'Product URL', else: NONE },
    group_title: 'Name',
    group_options: [{ key: 'Option', when: VARIANT, use: option, else: NONE }],
  },
}

/** Ready mappings for exports of BigCommerce. */
export const BIGCOMMERCE_PRESETS = {
  bigcommerce: {
    mapping: BIGCOMMERCE,
    requires: [],
    title: 'BigCommerce (former template)',
    signs: ['Item Type', 'Product ID', 'Product Name', 'Product Code/SKU', 'Price', 'Current Stock Level'],
    sellingPrices: ['Price', 'Sale Price'],
    vat: 'unknown',
  },
  'bigcommerce-v3': {
    mapping: BIGCOMMERCE_V3,
    requires: [],
    title: 'BigCommerce',
    signs: ['Item', 'ID', 'Name', 'SKU', 'Options', 'Current Stock', 'Price', 'Internal Image URL (Export)'],
    sellingPrices: ['Price', 'Sale Price'],
    vat: 'unknown',
  },
} satisfies Record<string, Preset>
