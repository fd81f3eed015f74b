import type { Condition, Mapping, Source } from '../mapping/mapping.ts'
import { EAN, numbered, optional, type Preset } from './preset-parts.ts'

// Shop and inventory systems: Shopware, OpenCart, JTL, Odoo and Akeneo. They export text tables and workbooks, so these mappings state no format.

const NONE = { constant: '' }
const FALSE = ['False', 'false', 'FALSE', '0', 'no', 'nein']

/**
 * A product export of Shopware 6 by its own profile. Values that a version leaves empty are taken from its product. Categories and options are
 * internal ids there, and are not read.
 */
const SHOPWARE: Mapping = {
  locale: 'de',
  group: {
    by: 'id',
    parent: 'parent_id',
    anywhere: true,
    inherit: ['name', 'description', 'price_net', 'manufacturer_name', 'cover_media_url'],
    optional: ['manufacturer_name', 'cover_media_url'],
  },
  fields: {
    sku: 'product_number',
    cost: 'price_net',
    quantity: 'stock',
    title: 'name',
    description: 'description',
    manufacturer: optional('manufacturer_name'),
    ean: { column: 'ean', optional: true, capture: EAN },
    mpn: optional('manufacturer_number'),
    images: optional('cover_media_url'),
    group_key: 'parent_id',
    group_title: 'name',
  },
}

/** The language tags of columns such as `name(en-gb)`, by our locale. */
const OPENCART_LANGUAGES = {
  en: ['en-gb', 'en', 'en-us'],
  de: ['de-de', 'de'],
  fr: ['fr-fr', 'fr'],
  pl: ['pl-pl', 'pl'],
}
const opencart = (column: string, language: keyof typeof OPENCART_LANGUAGES): Source => ({
  first: OPENCART_LANGUAGES[language].map((tag) => optional(`${column}(${tag})`)),
})

/**
 * The products of OpenCart as the tool Export/Import writes them: a workbook, or its sheet of products as a table. Categories and options are ids
 * that other sheets name, and are not read.
 */
const OPENCART: Mapping = {
  locale: 'en',
  fields: {
    sku: { first: ['sku', 'model', { column: 'product_id', prefix: 'id:' }] },
    cost: 'price',
    quantity: 'quantity',
    title: opencart('name', 'en'),
    'title.de': opencart('name', 'de'),
    'title.fr': opencart('name', 'fr'),
    'title.pl': opencart('name', 'pl'),
    description: opencart('description', 'en'),
    'description.de': opencart('description', 'de'),
    'description.fr': opencart('description', 'fr'),
    'description.pl': opencart('description', 'pl'),
    manufacturer: optional('manufacturer'),
    ean: ['ean', 'upc', 'jan'].map((column) => ({ column, optional: true, capture: EAN })),
    mpn: optional('mpn'),
    // a weight of 0 means that none is known
    weight: {
      when: { column: 'weight', optional: true, above: '0' },
      use: { join: ['weight', { column: 'weight_unit', optional: true }], with: ' ' },
      else: NONE,
    },
  },
}

const IS_PRODUCT_OF_VERSIONS = { column: 'Ist Vaterartikel', notIn: ['1', 'Y', 'J', 'ja', 'Ja'] }
const JTL_SHARED = [
  'Kurzbeschreibung',
  'Beschreibung',
  'Hersteller',
  ...numbered('Kategorie Ebene {n}', 5),
  ...numbered('Bild {n}', 10),
  ...numbered('Variationsname {n}', 5),
]
const first = (...columns: string[]): Source => ({ first: columns.map(optional) })

/** An export of articles by JTL-Ameise, with its column names. An article of versions (`Vaterartikel`) is no offer itself. */
const JTL: Mapping = {
  locale: 'de',
  decimal: ',',
  group: {
    by: 'Artikelnummer',
    parent: 'Identifizierungsspalte Vaterartikel',
    anywhere: true,
    inherit: JTL_SHARED,
    optional: JTL_SHARED,
    offers: IS_PRODUCT_OF_VERSIONS,
  },
  fields: {
    sku: 'Artikelnummer',
    cost: first('Netto-VK', 'Std. VK Netto', 'Brutto-VK', 'Std. VK Brutto'),
    quantity: first('Verfügbarer Bestand', 'Lagerbestand Gesamt', 'Lagerbestand'),
    title: 'Artikelname',
    description: first('Beschreibung', 'Kurzbeschreibung'),
    manufacturer: optional('Hersteller'),
    category: { join: numbered('Kategorie Ebene {n}', 5).map(optional), with: '/' },
    ean: ['GTIN', 'EAN/Barcode'].map((column) => ({ column, optional: true, capture: EAN })),
    mpn: optional('HAN'),
    list_price: optional('UVP'),
    images: numbered('Bild {n}', 10).map(optional),
    weight: { column: 'Artikelgewicht', optional: true, suffix: ' kg' },
    group_key: 'Identifizierungsspalte Vaterartikel',
    group_options: [{ pairs: 'Variationsname {n}', value: 'Variationswert {n}' }],
  },
  skip: [{ column: 'Aktiv', optional: true, in: ['N', '0', 'nein'] }],
}

/** The cost if the file has a column for it, where 0 means that none is known; otherwise the sales price. */
const odooCost = (cost: string, price: string): Source => ({
  when: { column: cost, optional: true, empty: false },
  use: { column: cost, optional: true, values: { '0': '', '0.0': '', '0.00': '' } },
  else: optional(price),
})
/** The path of a category such as `All / Saleable / Office` without `All`, which contains every category, and `Saleable`. */
const odooCategory = (column: string) => ({
  column,
  optional: true,
  capture: '^(?:All(?: / |$))?(?:Saleable / )?(.*)$',
  replace: [[' / ', '/'] as [string, string]],
})
const notSold = (...columns: string[]): Condition[] => columns.map((column) => ({ column, optional: true, in: FALSE }))

/** Products of Odoo, exported with the labels of fields, in English. */
const ODOO: Mapping = {
  locale: 'en',
  fields: {
    sku: {
      first: ['Internal Reference', { column: 'External ID', optional: true, prefix: 'id:' }],
    },
    cost: odooCost('Cost', 'Sales Price'),
    quantity: first('Quantity On Hand', 'Forecasted Quantity'),
    title: 'Name',
    description: first('Sales Description', 'Description'),
    category: odooCategory('Product Category'),
    ean: { column: 'Barcode', optional: true, capture: EAN },
    hs_code: optional('HS Code'),
    // kilograms are assumed; a database of Odoo may be set to pounds
    attributes: [{ key: 'weight', column: 'Weight', optional: true, values: { '0': '', '0.0': '', '0.00': '' } }],
  },
  skip: notSold('Can be Sold', 'Active'),
}

/** Products of Odoo, exported so that they can be imported again: with the technical names of fields. */
const ODOO_TECHNICAL: Mapping = {
  locale: 'en',
  fields: {
    sku: { first: ['default_code', { column: 'id', optional: true, prefix: 'id:' }] },
    cost: odooCost('standard_price', 'list_price'),
    quantity: first('qty_available', 'virtual_available'),
    title: 'name',
    description: first('description_sale', 'description'),
    category: { first: ['categ_id/complete_name', 'categ_id/name', 'categ_id'].map(odooCategory) },
    ean: { column: 'barcode', optional: true, capture: EAN },
    hs_code: optional('hs_code'),
    attributes: [{ key: 'weight', column: 'weight', optional: true, values: { '0': '', '0.0': '', '0.00': '' } }],
  },
  skip: notSold('sale_ok', 'active'),
}

/** Akeneo's language tags by our locale. A text that is the same in all languages has no tag. */
const AKENEO_LANGUAGES = {
  en: ['', '-en_US', '-en_GB'],
  de: ['-de_DE', '-de_AT', '-de_CH'],
  fr: ['-fr_FR', '-fr_BE'],
  pl: ['-pl_PL'],
  es: ['-es_ES'],
  it: ['-it_IT'],
  nl: ['-nl_NL'],
} as const
type AkeneoLanguage = keyof typeof AKENEO_LANGUAGES
const akeneoNames = (name: string, language: AkeneoLanguage): string[] =>
  AKENEO_LANGUAGES[language].flatMap((tag) => ['', '-ecommerce'].map((channel) => `${name}${tag}${channel}`))
const akeneo = (name: string, language: AkeneoLanguage): Source => first(...akeneoNames(name, language))
const OTHERS = Object.keys(AKENEO_LANGUAGES).filter((language) => language !== 'en') as AkeneoLanguage[]
const others = (field: 'title' | 'description', name: string) =>
  Object.fromEntries(OTHERS.map((language) => [`${field}.${language}`, akeneo(name, language)]))
/** Akeneo has a column of prices for each currency, which is in its name. The first of these that is filled is read. */
const AKENEO_PRICES = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'CZK', 'SEK'].map((currency) => ({
  currency,
  column: `price-${currency}`,
}))
const akeneoImages = ['picture', 'image', 'image_1', 'image_2', 'image_3', 'main_image'].map(optional)

/**
 * A product export of Akeneo with the usual attributes (`sku`, `name`, `description`, `price`, `ean`). Each installation defines its own, so others
 * must be added to the mapping. Categories are codes. Akeneo has no stock.
 */
const AKENEO: Mapping = {
  locale: 'en',
  fields: {
    sku: 'sku',
    cost: { first: AKENEO_PRICES.map(({ column }) => optional(column)) },
    currency: {
      first: AKENEO_PRICES.map(({ column, currency }) => ({
        when: { column, optional: true, notIn: [''] },
        use: { constant: currency },
      })),
    },
    title: akeneo('name', 'en'),
    ...others('title', 'name'),
    description: akeneo('description', 'en'),
    ...others('description', 'description'),
    manufacturer: first('brand', 'manufacturer'),
    category: { column: 'categories', split: ',', take: 0 },
    ean: {
      first: ['ean', 'EAN', 'gtin', 'GTIN', 'barcode'].map((column) => ({ column, optional: true, capture: EAN })),
    },
    images: akeneoImages,
    weight: {
      when: { column: 'weight', optional: true, above: '0' },
      use: {
        join: [
          'weight',
          {
            column: 'weight-unit',
            optional: true,
            values: { KILOGRAM: 'kg', GRAM: 'g', POUND: 'lb', OUNCE: 'oz', MILLIGRAM: 'mg' },
          },
        ],
        with: ' ',
      },
      else: NONE,
    },
    group_key: { first: [optional('parent'), NONE] },
    group_options: [
      { key: 'color', column: 'color', optional: true },
      { key: 'size', column: 'size', optional: true },
    ],
  },
}

/** Ready mappings for exports of shop and inventory systems. */
export const GOODS_PRESETS = {
  shopware6: {
    mapping: SHOPWARE,
    requires: [],
    title: 'Shopware 6',
    signs: ['id', 'parent_id', 'product_number', 'stock', 'name', 'price_net'],
    sellingPrices: ['price_net'],
    vat: 'excluded',
  },
  opencart: {
    mapping: OPENCART,
    requires: [],
    title: 'OpenCart',
    signs: ['product_id', 'sku', 'model', 'quantity', 'price', 'tax_class_id', 'stock_status_id'],
    oneOf: OPENCART_LANGUAGES.en.map((tag) => `name(${tag})`),
    sellingPrices: ['price'],
    vat: 'unknown',
  },
  jtl: {
    mapping: JTL,
    requires: [],
    title: 'JTL-Ameise',
    signs: ['Artikelnummer', 'Artikelname', 'Ist Vaterartikel', 'Identifizierungsspalte Vaterartikel'],
    oneOf: ['Netto-VK', 'Std. VK Netto', 'Brutto-VK', 'Std. VK Brutto'],
    sellingPrices: ['Netto-VK', 'Std. VK Netto', 'Brutto-VK', 'Std. VK Brutto'],
    vat: 'unknown',
  },
  odoo: {
    mapping: ODOO,
    requires: [],
    title: 'Odoo (labels)',
    signs: ['Name', 'Internal Reference', 'Sales Price', 'Barcode'],
    sellingPrices: [],
    vat: 'unknown',
  },
  'odoo-technical': {
    mapping: ODOO_TECHNICAL,
    requires: [],
    title: 'Odoo (technical names)',
    signs: ['name', 'default_code', 'barcode', 'list_price'],
    sellingPrices: [],
    vat: 'unknown',
  },
  akeneo: {
    mapping: AKENEO,
    requires: [],
    title: 'Akeneo',
    signs: ['sku', 'categories', 'enabled', 'family', 'groups'],
    oneOf: akeneoNames('name', 'en'),
    sellingPrices: AKENEO_PRICES.map(({ column }) => column),
    vat: 'unknown',
  },
} satisfies Record<string, Preset>
