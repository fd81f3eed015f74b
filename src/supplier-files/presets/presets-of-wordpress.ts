import type { Mapping, Source } from '../mapping/mapping.ts'
import type { Preset } from './preset-parts.ts'

const META = 'wp:postmeta'

/** The first value that WordPress stores under one of these names in the meta data of an article, which are a list of names and values. */
const meta = (...names: string[]): Source => ({
  first: names.map((name) => ({
    tiers: META,
    price: 'wp:meta_value',
    where: { column: 'wp:meta_key', in: [name] },
  })),
})

/**
 * The products in an export of WordPress (WXR, Tools > Export). Pictures are not read, because the export names them by the numbers of other records.
 * Values that a variation leaves empty are taken from its product, which is no offer itself. The price is the one on the day of the export.
 */
const WXR: Mapping = {
  format: 'xml',
  items: 'rss.channel.item',
  locale: 'en',
  group: {
    by: 'wp:post_id',
    parent: 'wp:post_parent',
    anywhere: true,
    inherit: ['content:encoded', 'excerpt:encoded', 'category'],
    optional: ['excerpt:encoded', 'category'],
    offers: [
      { column: 'wp:post_type', in: ['product', 'product_variation'] },
      { column: 'wp:status', in: ['publish'] },
      // the type of a product is one of its categories
      { column: 'category.@nicename', optional: true, notIn: ['variable', 'grouped'] },
    ],
  },
  fields: {
    sku: { first: [meta('_sku'), { column: 'wp:post_id', prefix: 'id:' }] },
    cost: meta('_price', '_regular_price'),
    quantity: {
      first: [
        { when: { column: `${META}.wp:meta_value`, in: ['outofstock'] }, use: { constant: '0' } },
        meta('_stock', '_stock_status'),
      ],
    },
    title: 'title',
    description: { first: ['content:encoded', { column: 'excerpt:encoded', optional: true }] },
    category: { tiers: 'category', price: '#text', where: { column: '@domain', in: ['product_cat'] } },
    ean: meta('_global_unique_id', '_ts_gtin', '_alg_ean'),
    group_key: {
      when: { column: 'wp:post_type', in: ['product_variation'] },
      use: 'wp:post_parent',
      else: { constant: '' },
    },
    group_options: [
      {
        list: META,
        name: 'wp:meta_key',
        value: 'wp:meta_value',
        only: ['color', 'colour', 'size', 'farbe', 'groesse', 'kolor', 'rozmiar'].flatMap((name) => [
          `attribute_pa_${name}`,
          `attribute_${name}`,
        ]),
      },
    ],
  },
}

/** Ready mappings for products in an export of WordPress. */
export const WORDPRESS_PRESETS = {
  'woocommerce-wxr': {
    mapping: WXR,
    requires: [],
    title: 'WordPress (WXR)',
    signs: ['wp:post_id', 'wp:post_type', 'wp:postmeta', 'content:encoded'],
    holds: ['http://wordpress.org/export/', '<item>', 'wp:postmeta', '_regular_price'],
    sellingPrices: [],
    vat: 'unknown',
  },
} satisfies Record<string, Preset>
