import { UNLIMITED_PIECES } from '../availability.ts'
import type { Mapping, Source } from '../mapping/mapping.ts'
import { EAN, numbered, optional, type Preset } from './preset-parts.ts'

const PLACES = 6
const VARIANT = { column: 'fieldType', in: ['Variant'] }
const NONE = { constant: '' }

/** The options of a variant, joined. Empty in the row of the product, where these columns list all values of each option. */
const wixOptions = (sign: string): Source => ({
  when: VARIANT,
  use: { join: numbered('productOptionDescription{n}', PLACES).map(optional), with: sign },
  else: NONE,
})

/** The discount if it is of this mode (a percentage or an amount), otherwise 0. */
const wixDiscount = (mode: string): Source => ({
  when: { column: 'discountMode', optional: true, in: [mode] },
  use: { column: 'discountValue', optional: true, default: '0' },
  else: { constant: '0' },
})

/**
 * A Wix product export (Store Products > Export). A variant's price is that of its product plus its surcharge, less the discount. A product whose
 * variants are not listed is one offer. Pictures are names of files on Wix's server. The unit of weights is a setting of the shop, and not in the
 * file.
 */
const WIX: Mapping = {
  format: 'csv',
  locale: 'en',
  imageBaseUrl: 'https://static.wixstatic.com/media',
  group: {
    by: 'handleId',
    inherit: [
      'name',
      'description',
      'productImageUrl',
      'collection',
      'price',
      'discountMode',
      'discountValue',
      'brand',
      'weight',
      ...numbered('productOptionName{n}', PLACES),
    ],
    optional: [
      'collection',
      'discountMode',
      'discountValue',
      'brand',
      'weight',
      ...numbered('productOptionName{n}', PLACES),
    ],
    offers: VARIANT,
    orFirst: true,
  },
  fields: {
    sku: { first: ['sku', { join: ['handleId', wixOptions('/')], with: '/' }] },
    cost: {
      calc: '(price + surcharge) * (100 - percent) / 100 - amount',
      of: {
        price: 'price',
        surcharge: { column: 'surcharge', optional: true, default: '0' },
        percent: wixDiscount('PERCENT'),
        amount: wixDiscount('AMOUNT'),
      },
    },
    // only beside a discount: otherwise this price is the cost
    list_price: {
      when: { column: 'discountValue', optional: true, above: '0' },
      use: {
        calc: 'price + surcharge',
        of: { price: 'price', surcharge: { column: 'surcharge', optional: true, default: '0' } },
      },
      else: NONE,
    },
    quantity: 'inventory',
    title: { join: ['name', wixOptions(' / ')], with: ' - ' },
    description: 'description',
    manufacturer: optional('brand'),
    // every product is also in the collection of all products
    category: { column: 'collection', optional: true, capture: '^(?:All (?:[Pp]roducts|[Cc]ollections);)*([^;]*)' },
    images: { column: 'productImageUrl', split: ';' },
    attributes: [
      { pairs: 'productOptionName{n}', value: 'productOptionDescription{n}' },
      { key: 'weight', column: 'weight', optional: true, values: { '0.0': '', '0': '' } },
    ],
    group_key: { when: VARIANT, use: 'handleId', else: NONE },
    group_title: 'name',
    group_options: [{ pairs: 'productOptionName{n}', value: 'productOptionDescription{n}' }],
  },
}

const ON_SALE = { column: 'On Sale', in: ['Yes', 'yes', 'YES'] }
const SQUARESPACE_ID = 'Product ID [Non Editable]'
const squarespaceOptions = numbered('Option Value {n}', PLACES).map(optional)

/**
 * A Squarespace product export (Commerce > Inventory > Export all). A row without a product ID is another variant of the product above it; products
 * that are hidden in the shop are left out. The units of weights and sizes are settings of the shop, and not in the file.
 */
const SQUARESPACE: Mapping = {
  format: 'csv',
  locale: 'en',
  availability: { unlimited: UNLIMITED_PIECES },
  group: {
    // files that are made for Squarespace's import have no IDs
    by: { first: [SQUARESPACE_ID, 'Product URL'] },
    continues: true,
    inherit: [
      SQUARESPACE_ID,
      'Product URL',
      'Title',
      'Description',
      'Categories',
      'Visible',
      'Hosted Image URLs',
      ...numbered('Option Name {n}', PLACES),
    ],
    optional: numbered('Option Name {n}', PLACES),
  },
  fields: {
    sku: { first: ['SKU', { column: 'Variant ID [Non Editable]', prefix: 'id:' }] },
    cost: { when: ON_SALE, use: 'Sale Price', else: 'Price' },
    list_price: { when: ON_SALE, use: 'Price', else: NONE },
    quantity: 'Stock',
    title: { join: ['Title', { join: squarespaceOptions, with: ' / ' }], with: ' - ' },
    description: 'Description',
    // `/shop/candles, /gifts`: paths begin with a slash in some versions
    category: { column: 'Categories', capture: '^/?([^,]*)' },
    ean: { column: 'GTIN', optional: true, capture: EAN },
    mpn: optional('MPN'),
    images: { column: 'Hosted Image URLs', split: ' ' },
    attributes: [
      { pairs: 'Option Name {n}', value: 'Option Value {n}' },
      { key: 'weight', column: 'Weight', optional: true, values: { '0.0': '', '0': '' } },
    ],
    group_key: {
      when: { column: 'Option Value 1', notIn: [''] },
      use: { first: [SQUARESPACE_ID, 'Product URL'] },
      else: NONE,
    },
    group_title: 'Title',
    group_options: [{ pairs: 'Option Name {n}', value: 'Option Value {n}' }],
  },
  skip: [{ column: 'Visible', in: ['No', 'no', 'NO'] }],
}

/** Medusa has a column of prices for each currency, which is in its name. The first of these that is filled is read. */
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'CZK', 'SEK', 'NOK', 'DKK', 'CAD', 'AUD', 'INR']
const medusaPrices = CURRENCIES.flatMap((currency) =>
  ['Variant Price {n}', 'Price {n}'].map((name) => ({ currency, column: name.replace('{n}', currency) })),
)
/** The option values of a product without options in Medusa. */
const ONLY = { 'Default option value': '', 'Default Option Value': '', Default: '', default: '' }
const medusaOption = (n: string): Source => ({
  first: [
    { column: `Variant Option ${n} Value`, optional: true, values: ONLY },
    { column: `Option ${n} Value`, optional: true, values: ONLY },
  ],
})
const medusaOptions = numbered('{n}', 3).map(medusaOption)
const MEDUSA_OPTIONS = [
  { pairs: 'Variant Option {n} Name', value: 'Variant Option {n} Value', except: ['Default option', 'Default'] },
  { pairs: 'Option {n} Name', value: 'Option {n} Value', except: ['Default option', 'Default'] },
]

/**
 * A product export of Medusa, version 2 or 1: each row is a variant with all values of its product. Version 2 states no stock. Neither version names
 * the categories, so collection and type are read instead. Drafts are left out.
 */
const MEDUSA: Mapping = {
  format: 'csv',
  locale: 'en',
  fields: {
    sku: { first: ['Variant SKU', { join: ['Product Handle', ...medusaOptions], with: '/' }] },
    cost: { first: medusaPrices.map(({ column }) => optional(column)) },
    currency: {
      first: medusaPrices.map(({ column, currency }) => ({
        when: { column, optional: true, notIn: [''] },
        use: { constant: currency },
      })),
    },
    quantity: optional('Variant Inventory Quantity'),
    title: { join: ['Product Title', { join: medusaOptions, with: ' / ' }], with: ' - ' },
    description: optional('Product Description'),
    category: { first: [optional('Product Collection Title'), optional('Product Type')] },
    ean: { column: 'Variant Barcode', optional: true, capture: EAN },
    images: [
      optional('Product Thumbnail'),
      ...numbered('Product Image {n} Url', 10).map(optional),
      ...numbered('Image {n} Url', 10).map(optional),
    ],
    country_of_origin: {
      first: ['Variant Origin Country', 'Product Origin Country'].map((column) => ({
        column,
        optional: true,
        capture: '^[A-Za-z]{2}$',
      })),
    },
    hs_code: { first: [optional('Variant HS Code'), optional('Product HS Code')] },
    attributes: [
      ...MEDUSA_OPTIONS,
      { key: 'material', first: [optional('Variant Material'), optional('Product Material')] },
      { key: 'weight', first: [optional('Variant Weight'), optional('Product Weight')] },
    ],
    group_key: {
      when: { column: 'Product Handle', notIn: [''] },
      use: {
        when: { column: 'Variant Option 1 Value', optional: true, in: Object.keys(ONLY) },
        use: NONE,
        else: 'Product Handle',
      },
      else: NONE,
    },
    group_title: 'Product Title',
    group_options: MEDUSA_OPTIONS,
  },
  skip: [{ column: 'Product Status', optional: true, in: ['draft', 'rejected'] }],
}

/** Ready mappings for exports of shop systems. */
export const SHOP_PRESETS = {
  wix: {
    mapping: WIX,
    requires: [],
    title: 'Wix',
    signs: ['handleId', 'fieldType', 'name', 'productImageUrl', 'price', 'inventory', 'productOptionName1'],
    sellingPrices: ['price'],
    vat: 'unknown',
    repeatedKey: { key: 'sku', options: [wixOptions('/')] },
  },
  squarespace: {
    mapping: SQUARESPACE,
    requires: [],
    title: 'Squarespace',
    signs: [SQUARESPACE_ID, 'Variant ID [Non Editable]', 'Title', 'SKU', 'Price', 'On Sale', 'Hosted Image URLs'],
    sellingPrices: ['Price', 'Sale Price'],
    vat: 'unknown',
    repeatedKey: { key: 'SKU', options: squarespaceOptions },
  },
  medusa: {
    mapping: MEDUSA,
    requires: [],
    title: 'Medusa',
    signs: ['Product Handle', 'Product Title', 'Variant Title', 'Variant SKU'],
    sellingPrices: medusaPrices.map(({ column }) => column),
    vat: 'unknown',
    repeatedKey: { key: 'Variant SKU', options: medusaOptions },
  },
} satisfies Record<string, Preset>
