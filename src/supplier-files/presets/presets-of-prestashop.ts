import type { Mapping } from '../mapping/mapping.ts'
import { EAN, optional } from './preset-parts.ts'

/** A PrestaShop product file in the form that the shop imports and export modules write, with English column names. */
export const PRESTASHOP: Mapping = {
  format: 'csv',
  locale: 'en',
  fields: {
    sku: { first: ['Reference #', { column: 'Product ID', prefix: 'id:' }] },
    cost: 'Price tax excluded',
    quantity: 'Quantity',
    title: 'Name *',
    description: { first: ['Description', { column: 'Summary', optional: true }] },
    manufacturer: 'Manufacturer',
    category: { column: 'Categories (x,y,z...)', split: ',', take: 0 },
    ean: [
      { column: 'EAN13', optional: true, capture: EAN },
      { column: 'UPC', optional: true, capture: EAN },
    ],
    images: { column: 'Image URLs (x,y,z...)', split: ',' },
    image_alts: { column: 'Image alt texts (x,y,z...)', optional: true, split: ',' },
    weight: optional('Weight'),
    length: optional('Depth'),
    width: optional('Width'),
    height: optional('Height'),
    mpn: optional('MPN'),
    condition: optional('Condition'),
    delivery_time: optional('Delivery time of in-stock products'),
    seo_title: optional('Meta title'),
    seo_description: optional('Meta description'),
    attributes: [
      { packed: 'Feature(Name:Value:Position)', optional: true, pair: ',', assign: ':', capture: '^([^:]*)' },
      { key: 'weight', column: 'Weight', optional: true, values: { '0': '' } },
    ],
  },
  skip: [{ column: 'Active (0/1)', in: ['0'] }],
}

const COMBINED = { between: ',', cut: ':', optional: true }
/** Some versions write a star behind the names. */
const COMBINATIONS = [
  { names: 'Attribute (Name:Type:Position)*', values: 'Value (Value:Position)*', ...COMBINED },
  { names: 'Attribute (Name:Type:Position)', values: 'Value (Value:Position)', ...COMBINED },
]

/**
 * PrestaShop's combinations, a separate file without texts: each is a variant of the product with this ID. `Color:color:0,Size:select:1` and
 * `Blue:0,M:1` are the names and values of its attributes, each followed by settings of how the shop shows them.
 */
export const PRESTASHOP_COMBINATIONS: Mapping = {
  format: 'csv',
  locale: 'en',
  fields: {
    sku: {
      first: [
        'Reference',
        {
          join: [
            { first: [optional('Product ID*'), optional('Product ID'), optional('Product Reference')] },
            { first: [optional('Value (Value:Position)*'), optional('Value (Value:Position)')] },
          ],
          with: '/',
        },
      ],
    },
    cost: { first: [optional('Wholesale price'), optional('Cost price')] },
    quantity: optional('Quantity'),
    ean: [
      { column: 'EAN13', optional: true, capture: EAN },
      { column: 'UPC', optional: true, capture: EAN },
    ],
    images: [
      { column: 'Image URLs (x,y,z...)', optional: true, split: ',' },
      { column: 'Image URL', optional: true, split: ',' },
    ],
    mpn: optional('MPN'),
    attributes: COMBINATIONS,
    group_key: { first: [optional('Product ID*'), optional('Product ID'), optional('Product Reference')] },
    // the shop's default combination is first in the group
    group_position: { column: 'Default (0 = No, 1 = Yes)', optional: true, values: { '1': '0', '*': '1' } },
    group_options: COMBINATIONS,
  },
}
