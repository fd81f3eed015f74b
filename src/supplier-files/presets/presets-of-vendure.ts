import type { Mapping } from '../mapping/mapping.ts'
import { optional } from './preset-parts.ts'

/**
 * A product file of Vendure. A row without a name is another variant of the product above it. `imageBaseUrl` is needed if pictures are names of
 * files.
 */
export const VENDURE: Mapping = {
  format: 'csv',
  locale: 'en',
  group: {
    // Vendure derives the slug from the name if the file has none
    by: { first: ['slug', 'name'] },
    continues: true,
    inherit: ['name', 'slug', 'description', 'assets', 'facets', 'optionGroups'],
    optional: ['assets', 'facets'],
  },
  fields: {
    sku: 'sku',
    cost: 'price',
    quantity: optional('stockOnHand'),
    title: { join: ['name', { column: 'optionValues', replace: [['|', ' / ']] }], with: ' - ' },
    description: 'description',
    manufacturer: { column: 'facets', optional: true, capture: '(?:^|\\|)\\s*brand:([^|]*)' },
    category: { column: 'facets', optional: true, capture: '(?:^|\\|)\\s*category:([^|]*)' },
    images: [
      { column: 'variantAssets', optional: true, split: '|' },
      { column: 'assets', optional: true, split: '|' },
    ],
    attributes: [
      { names: 'optionGroups', values: 'optionValues', between: '|' },
      { packed: 'variantFacets', optional: true, pair: '|', assign: ':' },
      { packed: 'facets', optional: true, pair: '|', assign: ':', except: ['brand', 'category'] },
    ],
    group_key: {
      when: { column: 'optionGroups', notIn: [''] },
      use: { first: ['slug', 'name'] },
      else: { constant: '' },
    },
    group_title: 'name',
    group_options: [{ names: 'optionGroups', values: 'optionValues', between: '|' }],
  },
  skip: [{ column: 'enabled', optional: true, in: ['false', 'FALSE', '0'] }],
}
