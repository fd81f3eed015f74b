import type { Mapping, Source } from '../mapping/mapping.ts'
import { EAN, optional, type Preset } from './preset-parts.ts'

const NONE = { constant: '' }
const first = (...columns: string[]): Source => ({ first: columns.map(optional) })
const barcodes = (...columns: string[]) => columns.map((column) => ({ column, optional: true, capture: EAN }))

/** eBay's report of active listings. Prices are in the currency of each listing, and include VAT where the seller must show it. */
const EBAY_LISTINGS: Mapping = {
  locale: 'en',
  fields: {
    sku: { first: ['Custom label (SKU)', { column: 'Item number', prefix: 'id:' }] },
    cost: { first: [optional('Current price'), 'Start price'] },
    currency: optional('Currency'),
    quantity: 'Available quantity',
    title: 'Title',
    category: optional('eBay category 1 name'),
    ean: barcodes('P:EAN', 'P:UPC'),
    condition: { column: 'Condition', optional: true },
  },
}

/** A column with or without the `*` that eBay writes before required columns. */
const demanded = (name: string): Source => first(`*${name}`, name)
const VARIATION = { column: 'Relationship', optional: true, in: ['Variation'] }

/**
 * A file that adds articles to eBay (File Exchange). A row of the kind `Variation` is a variation of the article above it, whose own row is then no
 * offer. The currency is part of the first column's name and is not read, so the supplier's is used.
 */
const EBAY_FILE_EXCHANGE: Mapping = {
  locale: 'en',
  group: {
    by: '*Title',
    continues: true,
    inherit: ['*Title', '*Description', 'PicURL', '*ConditionID', '*C:Brand', '*C:Marke'],
    optional: ['*Description', '*ConditionID', '*C:Brand', '*C:Marke'],
    offers: { column: '*StartPrice', notIn: [''] },
  },
  fields: {
    sku: 'CustomLabel',
    cost: '*StartPrice',
    quantity: '*Quantity',
    title: {
      join: [
        '*Title',
        { when: VARIATION, use: { column: 'RelationshipDetails', optional: true, capture: '=([^|]+)' }, else: NONE },
      ],
      with: ' - ',
    },
    description: demanded('Description'),
    manufacturer: first('*C:Brand', '*C:Marke', 'C:Brand', 'C:Marke'),
    ean: barcodes('Product:EAN', 'Product:UPC', 'P:EAN', 'P:UPC'),
    mpn: first('C:Manufacturer Part Number', 'C:Herstellernummer', 'C:MPN'),
    condition: {
      column: '*ConditionID',
      optional: true,
      values: { '1000': 'new', '1500': 'new', '2000': 'refurbished', '2500': 'refurbished', '': '', '*': 'used' },
    },
    images: { column: 'PicURL', split: '|' },
    group_key: { when: VARIATION, use: '*Title', else: NONE },
    group_title: '*Title',
    group_options: [{ packed: 'RelationshipDetails', optional: true, pair: '|', assign: '=' }],
  },
}

/** A file of offers for idealo. Prices include VAT. It states no stock. */
const IDEALO: Mapping = {
  locale: 'de',
  fields: {
    sku: 'sku',
    cost: 'price',
    title: 'title',
    description: optional('description'),
    manufacturer: optional('brand'),
    category: { column: 'categoryPath', replace: [[' > ', '/']] },
    ean: { column: 'eans', optional: true, split: ';' },
    mpn: { column: 'hans', optional: true, split: ';', take: 0 },
    images: { column: 'imageUrls', optional: true, split: ';' },
    delivery_time: optional('deliveryTime'),
    attributes: ['colour', 'size', 'material', 'gender'].map((column) => ({ key: column, column, optional: true })),
  },
}

/**
 * Amazon's template for adding articles (a flat file), by the technical names in its third line. The row of a parent is no offer; its versions take
 * from it the values that they share.
 */
const AMAZON_FLAT_FILE: Mapping = {
  locale: 'en',
  group: {
    by: 'item_sku',
    parent: 'parent_sku',
    anywhere: true,
    inherit: ['product_description', 'brand_name', 'manufacturer', 'main_image_url'],
    optional: ['product_description', 'brand_name', 'manufacturer', 'main_image_url'],
    offers: { column: 'parent_child', notIn: ['Parent', 'parent'] },
  },
  fields: {
    sku: 'item_sku',
    cost: 'standard_price',
    currency: optional('currency'),
    list_price: optional('list_price'),
    quantity: 'quantity',
    title: 'item_name',
    description: optional('product_description'),
    manufacturer: first('brand_name', 'manufacturer'),
    mpn: optional('part_number'),
    ean: { column: 'external_product_id', optional: true, capture: EAN },
    images: [optional('main_image_url'), ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => optional(`other_image_url${n}`))],
    country_of_origin: { column: 'country_of_origin', optional: true, capture: '^[A-Za-z]{2}$' },
    attributes: [
      { key: 'color', column: 'color_name', optional: true },
      { key: 'size', column: 'size_name', optional: true },
      { key: 'material', column: 'material_type', optional: true },
    ],
    group_key: 'parent_sku',
    group_options: [
      { key: 'color', column: 'color_name', optional: true },
      { key: 'size', column: 'size_name', optional: true },
      { key: 'flavor', column: 'flavor_name', optional: true },
    ],
  },
  skip: [{ column: 'update_delete', optional: true, in: ['Delete', 'delete'] }],
}

/** Ready mappings for tables that marketplaces and price comparison sites export or import. */
export const MARKETPLACE_PRESETS = {
  'ebay-listings': {
    mapping: EBAY_LISTINGS,
    requires: [],
    title: 'eBay (active listings)',
    signs: ['Item number', 'Title', 'Custom label (SKU)', 'Available quantity', 'Start price'],
    sellingPrices: ['Current price', 'Start price'],
    vat: 'unknown',
  },
  'ebay-file-exchange': {
    mapping: EBAY_FILE_EXCHANGE,
    requires: [],
    title: 'eBay (File Exchange)',
    signs: ['CustomLabel', '*Title', '*StartPrice', '*Quantity', 'PicURL'],
    sellingPrices: ['*StartPrice'],
    vat: 'unknown',
  },
  idealo: {
    mapping: IDEALO,
    requires: [],
    title: 'idealo',
    signs: ['sku', 'title', 'categoryPath', 'url', 'eans', 'price', 'deliveryTime'],
    sellingPrices: ['price'],
    vat: 'included',
  },
  'amazon-flat-file': {
    mapping: AMAZON_FLAT_FILE,
    requires: [],
    title: 'Amazon (flat file)',
    signs: ['item_sku', 'item_name', 'external_product_id', 'standard_price', 'quantity', 'parent_child', 'parent_sku'],
    sellingPrices: ['standard_price'],
    vat: 'unknown',
  },
} satisfies Record<string, Preset>
