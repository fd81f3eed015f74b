import type { ReadyMapping } from '../../../contract/file-formats.ts'
import { DIMENSIONS } from '../../../contract/product-fields.ts'
import type { Mapping, Source } from '../mapping/mapping.ts'
import { EAN, optional, type Preset } from './preset-parts.ts'
import { BIGCOMMERCE_PRESETS } from './presets-of-bigcommerce.ts'
import { BMECAT } from './presets-of-bmecat.ts'
import { FEED_PRESETS } from './presets-of-feeds.ts'
import { GOODS_PRESETS } from './presets-of-goods-systems.ts'
import { MARKETPLACE_PRESETS } from './presets-of-marketplaces.ts'
import { PRESTASHOP, PRESTASHOP_COMBINATIONS } from './presets-of-prestashop.ts'
import { PROCUREMENT_PRESETS } from './presets-of-procurement.ts'
import { SHOP_PRESETS } from './presets-of-shops.ts'
import { WOOCOMMERCE, WOOCOMMERCE_DE, WOO_PRICES } from './presets-of-woocommerce.ts'
import { WORDPRESS_PRESETS } from './presets-of-wordpress.ts'
import { VENDURE } from './presets-of-vendure.ts'

// The prices in exports of shops are read as costs: what a supplier asks is the cost of the merchant who buys there.

/**
 * A Magento 2 product export (System > Data Transfer > Export). Its image paths are relative to the shop's media folder, so
 * it needs `imageBaseUrl` (`https://shop.example/media/catalog/product`). Prices are in the shop's base currency, which the
 * export does not name: the supplier's currency is assumed unless `fields.currency` is given.
 */
export const MAGENTO2: Mapping = {
  format: 'csv',
  locale: 'en',
  group: {
    by: 'sku',
    variants: {
      column: 'configurable_variations',
      between: '|',
      pair: ',',
      assign: '=',
      key: 'sku',
      // products that are not visible by themselves are variants of a product that a partial export may leave out
      alone: { column: 'visibility', optional: true, notIn: ['Not Visible Individually'] },
      optional: true,
    },
  },
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
      { column: 'base_image', optional: true, values: { no_selection: '' } },
      { column: 'additional_images', optional: true, split: ',' },
    ],
    image_alts: [optional('base_image_label'), { column: 'additional_image_labels', optional: true, split: ',' }],
    // some versions write the country's name instead of its code, which is ignored
    country_of_origin: { column: 'country_of_manufacture', optional: true, capture: '^[A-Za-z]{2}$' },
    list_price: optional('msrp_price'),
    seo_title: optional('meta_title'),
    seo_description: optional('meta_description'),
    attributes: [
      { key: 'weight', column: 'weight', optional: true },
      {
        packed: 'additional_attributes',
        optional: true,
        pair: ',',
        assign: '=',
        except: ['has_options', 'required_options'],
      },
    ],
    // a configurable product is an offer itself, but not a variant of its group
    group_key: optional('parent.sku'),
    group_title: optional('parent.name'),
    group_position: optional('variant.position'),
    group_options: [{ packed: 'variant', optional: true, pair: ',', assign: '=', except: ['sku'] }],
  },
  // Rows of a store view repeat a sku with the few texts that differ there; as offers they would clear all other fields.
  skip: [{ column: 'store_view_code', notIn: [''] }],
}

const SHOPIFY_FACTS = ['Product Category', 'Status', 'SEO Title', 'SEO Description', 'Google Shopping / Condition']

/** Joins a quantity and its unit, which are in separate columns. */
const shopifyMeasure = (of: 'Total' | 'Base'): Source => ({
  when: { column: `Unit Price ${of} Measure`, optional: true, empty: false },
  use: { join: [optional(`Unit Price ${of} Measure`), optional(`Unit Price ${of} Measure Unit`)], with: ' ' },
  else: { constant: '' },
})

/**
 * A Shopify product export (Products > Export). Each variant is an offer; its key is its SKU or, without one, the product's handle
 * and options. Pictures of the product belong to all its variants.
 */
export const SHOPIFY: Mapping = {
  format: 'csv',
  locale: 'en',
  group: {
    by: 'Handle',
    inherit: [
      'Title',
      'Body (HTML)',
      'Vendor',
      'Product Category',
      'Type',
      'Status',
      'Option1 Name',
      'Option2 Name',
      'Option3 Name',
      'SEO Title',
      'SEO Description',
      'Google Shopping / Condition',
    ],
    collect: ['Image Src'],
    beside: { 'Image Alt Text': 'Image Src' },
    optional: ['Image Alt Text', ...SHOPIFY_FACTS],
    offers: { column: 'Variant Price', notIn: [''] },
  },
  fields: {
    sku: {
      first: [
        // without the apostrophe by which Excel marks texts; any other one belongs to the key
        { column: 'Variant SKU', capture: "(?s)^'?(.*)$" },
        {
          join: [
            'Handle',
            { column: 'Option1 Value', values: { 'Default Title': '' } },
            'Option2 Value',
            'Option3 Value',
          ],
          with: '/',
        },
      ],
    },
    cost: 'Variant Price',
    list_price: optional('Variant Compare At Price'),
    quantity: { column: 'Variant Inventory Qty', optional: true },
    title: {
      join: [
        'Title',
        {
          join: [{ column: 'Option1 Value', values: { 'Default Title': '' } }, 'Option2 Value', 'Option3 Value'],
          with: ' / ',
        },
      ],
      with: ' - ',
    },
    description: 'Body (HTML)',
    manufacturer: 'Vendor',
    category: {
      first: [
        { column: 'Product Category', optional: true, values: { Uncategorized: '' }, replace: [[' > ', '/']] },
        'Type',
      ],
    },
    ean: { column: 'Variant Barcode', capture: EAN },
    images: [{ column: 'Variant Image', optional: true }, 'Image Src'],
    image_alts: [{ constant: '' }, optional('Image Alt Text')],
    weight: { column: 'Variant Grams', optional: true, suffix: ' g' },
    mpn: optional('Google Shopping / MPN'),
    condition: optional('Google Shopping / Condition'),
    net_content: shopifyMeasure('Total'),
    unit_price_reference: shopifyMeasure('Base'),
    seo_title: optional('SEO Title'),
    seo_description: optional('SEO Description'),
    attributes: [
      { pairs: 'Option{n} Name', value: 'Option{n} Value', except: ['Title'] },
      { key: 'weight_g', column: 'Variant Grams', optional: true, values: { '0': '', '0.0': '' } },
    ],
    // a product without options has a single variant with this name
    group_key: {
      when: { column: 'Option1 Value', notIn: ['', 'Default Title'] },
      use: 'Handle',
      else: { constant: '' },
    },
    group_title: 'Title',
    group_options: [{ pairs: 'Option{n} Name', value: 'Option{n} Value' }],
  },
  // drafts and archived products are not for sale, although they have prices and stock
  skip: [{ column: 'Status', optional: true, in: ['draft', 'archived'] }],
}

/** A Google Merchant feed: RSS 2.0, Atom or a table. If the feed states no quantity, it follows from the availability. */
export const GOOGLE: Mapping = {
  format: 'google',
  locale: 'en',
  fields: {
    sku: 'id',
    // many feeds state a sale price of 0 if there is no sale
    cost: { when: { column: 'sale_price', optional: true, matches: '[1-9]' }, use: 'sale_price', else: 'price' },
    // only beside a sale price: otherwise `price` is the cost
    list_price: {
      when: { column: 'sale_price', optional: true, matches: '[1-9]' },
      use: optional('price'),
      else: { constant: '' },
    },
    quantity: { first: ['sell_on_google_quantity', 'quantity_to_sell_on_facebook', 'quantity', 'availability'] },
    title: 'title',
    description: 'description',
    manufacturer: { first: ['brand'] },
    category: {
      first: [
        { column: 'product_type', take: 0, replace: [[' > ', '/']] },
        // a number alone is an id in Google's taxonomy
        { column: 'google_product_category', take: 0, replace: [[' > ', '/']], capture: '^(.*\\D.*)$' },
      ],
    },
    ean: { column: 'gtin', optional: true, capture: EAN },
    images: ['image_link', { column: 'additional_image_link', optional: true }],
    weight: optional('shipping_weight'),
    ...Object.fromEntries(
      DIMENSIONS.map((name) => [name, { first: [optional(`product_${name}`), optional(`shipping_${name}`)] }]),
    ),
    mpn: optional('mpn'),
    condition: optional('condition'),
    net_content: optional('unit_pricing_measure'),
    unit_price_reference: optional('unit_pricing_base_measure'),
    attributes: [
      ...['color', 'size', 'material', 'pattern', 'gender', 'age_group', 'condition'].map((name) => ({
        key: name,
        column: name,
        optional: true,
      })),
      { key: 'weight', column: 'shipping_weight', optional: true },
      { list: 'product_detail', name: 'attribute_name', value: 'attribute_value' },
    ],
    // an item without a group id belongs to no group
    group_key: { first: [optional('item_group_id'), { constant: '' }] },
    group_options: ['color', 'size', 'material', 'pattern'].map((name) => ({
      key: name,
      column: name,
      optional: true,
    })),
  },
}

/** The ready mappings by their names, which `--mapping` and `preset` take. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  magento2: {
    mapping: MAGENTO2,
    requires: ['imageBaseUrl'],
    title: 'Magento 2',
    signs: ['sku', 'store_view_code', 'attribute_set_code', 'product_type', 'categories'],
    sellingPrices: ['price'],
    vat: 'unknown',
  },
  woocommerce: {
    mapping: WOOCOMMERCE,
    requires: [],
    title: 'WooCommerce',
    signs: ['SKU', 'Type', 'Regular price', 'In stock?', 'Categories', 'Parent'],
    sellingPrices: WOO_PRICES.en,
    vat: 'unknown',
  },
  'woocommerce-de': {
    mapping: WOOCOMMERCE_DE,
    requires: [],
    title: 'WooCommerce in German',
    signs: ['Artikelnummer', 'Typ', 'Regulärer Preis', 'Vorrätig?', 'Kategorien', 'Übergeordnetes Produkt'],
    sellingPrices: WOO_PRICES.de,
    vat: 'unknown',
  },
  shopify: {
    mapping: SHOPIFY,
    requires: [],
    title: 'Shopify',
    signs: ['Handle', 'Title', 'Body (HTML)', 'Variant Price', 'Image Src'],
    sellingPrices: ['Variant Price'],
    vat: 'unknown',
    repeatedKey: {
      key: 'Variant SKU',
      options: [{ column: 'Option1 Value', values: { 'Default Title': '' } }, 'Option2 Value', 'Option3 Value'],
    },
  },
  prestashop: {
    mapping: PRESTASHOP,
    requires: [],
    title: 'PrestaShop',
    signs: ['Product ID', 'Name *', 'Reference #', 'Price tax excluded', 'Image URLs (x,y,z...)'],
    sellingPrices: ['Price tax excluded'],
    vat: 'excluded',
  },
  'prestashop-combinations': {
    mapping: PRESTASHOP_COMBINATIONS,
    requires: [],
    title: 'PrestaShop combinations',
    signs: ['Reference', 'Impact on price', 'Minimal quantity', 'Default (0 = No, 1 = Yes)'],
    sellingPrices: [],
    vat: 'excluded',
  },
  vendure: {
    mapping: VENDURE,
    requires: [],
    title: 'Vendure',
    signs: ['name', 'slug', 'optionGroups', 'optionValues', 'sku', 'price'],
    sellingPrices: ['price'],
    vat: 'unknown',
  },
  ...SHOP_PRESETS,
  ...WORDPRESS_PRESETS,
  ...FEED_PRESETS,
  ...MARKETPLACE_PRESETS,
  ...BIGCOMMERCE_PRESETS,
  ...GOODS_PRESETS,
  ...PROCUREMENT_PRESETS,
  google: {
    mapping: GOOGLE,
    requires: [],
    title: 'Google Merchant',
    signs: ['id', 'title', 'link', 'image_link', 'availability', 'price'],
    sellingPrices: ['price', 'sale_price'],
    vat: 'unknown',
  },
  bmecat: { mapping: BMECAT, requires: [], title: 'BMEcat', signs: [], sellingPrices: [], vat: 'excluded' },
} satisfies Readonly<Record<ReadyMapping, Preset>>
