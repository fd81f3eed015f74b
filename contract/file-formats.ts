// Formats of suppliers' files and ready mappings, by their names in mapping files. src/supplier-files has a parser for each format and a mapping for
// each ready one; the panel offers both. docs/how-to/add-a-file-format.md and docs/how-to/add-a-ready-mapping.md list the steps to add one. The panel
// imports this file at run time, so it imports nothing.

export const FILE_FORMATS = ['csv', 'tsv', 'ndjson', 'json', 'xml', 'xlsx', 'google', 'bmecat', 'cif'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** Names of the systems and standards whose files the ready mappings read. They are not translated. */
export const READY_MAPPINGS = {
  magento2: 'Magento 2',
  woocommerce: 'WooCommerce',
  'woocommerce-de': 'WooCommerce',
  'woocommerce-wxr': 'WooCommerce',
  shopify: 'Shopify',
  prestashop: 'PrestaShop',
  'prestashop-combinations': 'PrestaShop',
  vendure: 'Vendure',
  wix: 'Wix',
  squarespace: 'Squarespace',
  medusa: 'Medusa',
  ceneo: 'Ceneo',
  heureka: 'Heureka, Zboží',
  'amazon-listings': 'Amazon',
  'amazon-flat-file': 'Amazon',
  'ebay-listings': 'eBay',
  'ebay-file-exchange': 'eBay',
  idealo: 'idealo',
  bigcommerce: 'BigCommerce',
  'bigcommerce-v3': 'BigCommerce',
  shopware6: 'Shopware 6',
  opencart: 'OpenCart',
  jtl: 'JTL',
  odoo: 'Odoo',
  'odoo-technical': 'Odoo',
  akeneo: 'Akeneo',
  cif: 'CIF',
  cxml: 'cXML',
  icecat: 'Icecat',
  google: 'Google Merchant',
  bmecat: 'BMEcat',
} as const satisfies Record<string, string>

export type ReadyMapping = keyof typeof READY_MAPPINGS

/** In the order in which they are shown. */
export const READY_MAPPING_NAMES = Object.keys(READY_MAPPINGS) as readonly ReadyMapping[]
export const isReadyMapping = (name: string): name is ReadyMapping => Object.hasOwn(READY_MAPPINGS, name)
