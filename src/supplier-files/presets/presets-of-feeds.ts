import type { Mapping } from '../mapping/mapping.ts'
import { EAN, optional, type Preset } from './preset-parts.ts'

/** The text of the first attribute with one of these names: `<a name="EAN">…</a>`. */
const ceneo = (names: string[]) => ({
  tiers: 'attrs.a',
  price: '#text',
  where: { column: '@name', in: names },
})
const PRODUCER = ['Producent', 'producent', 'Marka']
const PRODUCER_CODE = ['Kod_producenta', 'Kod producenta', 'kod_producenta']
const CENEO_EAN = ['EAN', 'ean', 'Ean', 'GTIN']

/**
 * An offer file of Ceneo. Prices are in złoty and include VAT. If it states no stock, this follows from the availability: an article that is sent
 * within days (1, 3, 7 and 14) counts as one piece, others (90, 99, 110) as none.
 */
const CENEO: Mapping = {
  format: 'xml',
  items: 'offers.o',
  locale: 'pl',
  fields: {
    sku: '@id',
    cost: '@price',
    currency: { constant: 'PLN' },
    quantity: {
      first: [optional('@stock'), { column: '@avail', values: { '1': '1', '3': '1', '7': '1', '14': '1', '*': '0' } }],
    },
    title: 'name',
    description: optional('desc'),
    manufacturer: ceneo(PRODUCER),
    category: { column: 'cat', take: 0, replace: [[' > ', '/']] },
    ean: ceneo(CENEO_EAN),
    images: [optional('imgs.main.@url'), optional('imgs.i.@url')],
    mpn: ceneo(PRODUCER_CODE),
    weight: { column: '@weight', optional: true, suffix: ' kg' },
    attributes: [
      { list: 'attrs.a', name: '@name', value: '#text', except: [...PRODUCER, ...PRODUCER_CODE, ...CENEO_EAN] },
    ],
  },
}

/** The parameters in which versions of an article differ. */
const HEUREKA_OPTIONS = [
  'Barva',
  'Farba',
  'Velikost',
  'Veľkosť',
  'Objem',
  'Příchuť',
  'Príchuť',
  'Materiál',
  'Vzor',
  'Vůně',
  'Délka',
]

/**
 * A product feed of Heureka or Zboží. Prices include VAT. If it states no stock, an article that is sent at once (`DELIVERY_DATE` 0) counts as one
 * piece, and any other as none.
 */
const HEUREKA: Mapping = {
  format: 'xml',
  items: 'SHOP.SHOPITEM',
  locale: 'cs',
  fields: {
    sku: 'ITEM_ID',
    cost: 'PRICE_VAT',
    currency: optional('CURRENCY'),
    quantity: {
      first: [
        optional('STOCK'),
        optional('STOCK_QUANTITY'),
        { column: 'DELIVERY_DATE', optional: true, values: { '0': '1', '*': '0' } },
      ],
    },
    title: { first: [optional('PRODUCTNAME'), optional('PRODUCT')] },
    description: optional('DESCRIPTION'),
    manufacturer: { first: [optional('MANUFACTURER'), optional('BRAND')] },
    category: {
      column: 'CATEGORYTEXT',
      optional: true,
      take: 0,
      // some shops write the sign behind the last level, too
      capture: '^[| ]*(.*?)[| ]*$',
      replace: [[' | ', '/']],
    },
    ean: { column: 'EAN', optional: true, capture: EAN },
    images: [optional('IMGURL'), optional('IMGURL_ALTERNATIVE')],
    mpn: optional('PRODUCTNO'),
    attributes: [{ list: 'PARAM', name: 'PARAM_NAME', value: 'VAL' }],
    group_key: { first: [optional('ITEMGROUP_ID'), { constant: '' }] },
    group_options: [{ list: 'PARAM', name: 'PARAM_NAME', value: 'VAL', only: HEUREKA_OPTIONS }],
  },
}

/** The types of `product-id` that are EANs; type 1 is Amazon's own number. */
const AMAZON_EANS = { column: 'product-id-type', optional: true, in: ['2', '3', '4'] }

/**
 * Amazon's report of listings (all, active or open ones), in which quotes have no meaning. It has no stock of articles that Amazon ships itself;
 * these keep their quantity.
 */
const AMAZON_LISTINGS: Mapping = {
  format: 'tsv',
  quote: '',
  locale: 'en',
  fields: {
    sku: 'seller-sku',
    cost: 'price',
    quantity: {
      when: { column: 'fulfillment-channel', optional: true, in: ['', 'DEFAULT', 'MERCHANT'] },
      use: 'quantity',
    },
    title: 'item-name',
    description: optional('item-description'),
    ean: { when: AMAZON_EANS, use: { column: 'product-id', optional: true, capture: EAN }, else: { constant: '' } },
    images: optional('image-url'),
    condition: {
      column: 'item-condition',
      optional: true,
      values: { '11': 'new', '10': 'refurbished', '': '', '*': 'used' },
    },
    attributes: [{ key: 'ASIN', column: 'asin1', optional: true }],
  },
}

/** Ready mappings for files of marketplaces and price comparison sites. */
export const FEED_PRESETS = {
  ceneo: {
    mapping: CENEO,
    requires: [],
    title: 'Ceneo',
    signs: ['@id', '@price', '@avail', 'cat', 'name', 'imgs'],
    sellingPrices: ['@price'],
    vat: 'included',
  },
  heureka: {
    mapping: HEUREKA,
    requires: [],
    title: 'Heureka',
    signs: ['ITEM_ID', 'PRODUCTNAME', 'PRICE_VAT', 'URL'],
    sellingPrices: ['PRICE_VAT'],
    vat: 'included',
  },
  'amazon-listings': {
    mapping: AMAZON_LISTINGS,
    requires: [],
    title: 'Amazon listings',
    signs: ['item-name', 'seller-sku', 'price', 'quantity', 'listing-id', 'product-id'],
    sellingPrices: ['price'],
    vat: 'unknown',
  },
} satisfies Record<string, Preset>
