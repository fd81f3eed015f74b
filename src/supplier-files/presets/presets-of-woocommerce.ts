import type { Mapping, Source } from '../mapping/mapping.ts'
import { EAN, optional } from './preset-parts.ts'

/** The names that WooCommerce gives to its columns in one language. */
export interface WooNames {
  id: string
  type: string
  sku: string
  name: string
  published: string
  summary: string
  description: string
  saleStarts: string
  saleEnds: string
  inStock: string
  /** Several names, because versions differ. */
  stock: readonly string[]
  salePrice: string
  price: string
  categories: string
  images: string
  parent: string
  brands: string
  /** The names of weight and sizes without their units, which follow in parentheses and depend on the shop. */
  weight: string
  length: string
  width: string
  height: string
  gtin: readonly string[]
  attributeName: string
  attributeValues: string
  /** The columns of the plug-in Germanized, in this language. */
  unit?: string
  unitProduct?: string
  unitBase?: string
}

/**
 * A quantity of the plug-in Germanized and its unit, from columns with names or from those of its meta data. Undefined if the file has none of
 * them.
 */
function germanized(unit: string | undefined, quantity: string | undefined, meta: string): Source {
  const ofColumns = (units: string, quantities: string, rest: Source): Source => ({
    when: [
      { column: units, optional: true, empty: false },
      { column: quantities, optional: true, empty: false },
    ],
    use: { join: [optional(quantities), optional(units)], with: ' ' },
    else: rest,
  })
  const ofMeta = ofColumns('Meta: _unit', meta, optional(quantity ?? meta))
  return unit === undefined || quantity === undefined ? ofMeta : ofColumns(unit, quantity, ofMeta)
}

/**
 * The mapping of a WooCommerce product export (Products > Export) by its column names. Values that a variation leaves empty are taken from its
 * product, which is no offer itself.
 * @param more settings such as the locale
 */
export function woocommerce(names: WooNames, more: Partial<Mapping>): Mapping {
  const key = [names.sku, { column: names.id, prefix: 'id:' }]
  const measures = (name: string, units: readonly string[]) =>
    units.map((unit) => ({ column: `${name} (${unit})`, optional: true, suffix: ` ${unit}` }))
  const lengths = (name: string) => measures(name, ['cm', 'mm', 'm', 'in', 'yd'])
  const sizes = {
    weight: { first: measures(names.weight, ['kg', 'g', 'lbs', 'oz']) },
    length: { first: lengths(names.length) },
    width: { first: lengths(names.width) },
    height: { first: lengths(names.height) },
  }
  const ofSizes = Object.values(sizes).flatMap(({ first }) => first.map(({ column }) => column))
  return {
    format: 'csv',
    ...more,
    group: {
      by: key,
      parent: names.parent,
      anywhere: true,
      inherit: [names.description, names.summary, names.categories, names.images, ...ofSizes],
      optional: ofSizes,
      offers: { column: names.type, matches: '^(simple|variation|external|subscription)' },
    },
    fields: {
      sku: { first: key },
      cost: {
        first: [
          {
            when: [
              // a sale price of 0 says that there is no sale
              { column: names.salePrice, matches: '[1-9]' },
              { column: names.saleStarts, empty: true },
              { column: names.saleEnds, empty: true },
            ],
            use: names.salePrice,
          },
          names.price,
        ],
      },
      // only beside a sale price: otherwise the regular price is the cost
      list_price: {
        when: [
          { column: names.salePrice, matches: '[1-9]' },
          { column: names.saleStarts, empty: true },
          { column: names.saleEnds, empty: true },
        ],
        use: names.price,
        else: { constant: '' },
      },
      quantity: {
        first: [
          { when: { column: names.inStock, in: ['0'] }, use: { constant: '0' } },
          ...names.stock.map((column) => ({ column, optional: true })),
          names.inStock,
        ],
      },
      title: names.name,
      description: { first: [names.description, names.summary] },
      category: { column: names.categories, split: ', ', take: 0, replace: [[' > ', '/']] },
      manufacturer: { column: names.brands, optional: true },
      ean: names.gtin.map((column) => ({ column, optional: true, capture: EAN })),
      images: { column: names.images, split: ', ' },
      ...sizes,
      net_content: germanized(names.unit, names.unitProduct, 'Meta: _unit_product'),
      unit_price_reference: germanized(names.unit, names.unitBase, 'Meta: _unit_base'),
      attributes: [{ pairs: names.attributeName, value: names.attributeValues }],
      // the row of a variation has only the attributes in which it differs from others
      group_key: names.parent,
      group_options: [{ pairs: names.attributeName, value: names.attributeValues }],
    },
    skip: [{ column: names.published, in: ['0', '-1'] }],
  }
}

const ENGLISH: WooNames = {
  id: 'ID',
  type: 'Type',
  sku: 'SKU',
  name: 'Name',
  published: 'Published',
  summary: 'Short description',
  description: 'Description',
  saleStarts: 'Date sale price starts',
  saleEnds: 'Date sale price ends',
  inStock: 'In stock?',
  stock: ['Stock'],
  salePrice: 'Sale price',
  price: 'Regular price',
  categories: 'Categories',
  images: 'Images',
  parent: 'Parent',
  brands: 'Brands',
  weight: 'Weight',
  length: 'Length',
  width: 'Width',
  height: 'Height',
  gtin: ['GTIN, UPC, EAN, or ISBN'],
  attributeName: 'Attribute {n} name',
  attributeValues: 'Attribute {n} value(s)',
  unit: 'Unit',
  unitProduct: 'Unit product',
  unitBase: 'Unit base',
}

const GERMAN: WooNames = {
  id: 'ID',
  type: 'Typ',
  sku: 'Artikelnummer',
  name: 'Name',
  published: 'Veröffentlicht',
  summary: 'Kurzbeschreibung',
  description: 'Beschreibung',
  saleStarts: 'Datum, an dem Angebotspreis beginnt',
  saleEnds: 'Datum, an dem Angebotspreis endet',
  inStock: 'Vorrätig?',
  stock: ['Bestand', 'Lager'],
  salePrice: 'Angebotspreis',
  price: 'Regulärer Preis',
  categories: 'Kategorien',
  images: 'Bilder',
  parent: 'Übergeordnetes Produkt',
  brands: 'Marken',
  weight: 'Gewicht',
  length: 'Länge',
  width: 'Breite',
  height: 'Höhe',
  gtin: ['GTIN, UPC, EAN oder ISBN', 'Meta: _ts_gtin'],
  attributeName: 'Attribut {n} Name',
  attributeValues: 'Attribut {n} Wert(e)',
  unit: 'Einheit',
  unitProduct: 'Produkteinheit',
  unitBase: 'Grundpreiseinheit',
}

/** A WooCommerce export with English column names. */
export const WOOCOMMERCE: Mapping = woocommerce(ENGLISH, { locale: 'en' })

/** A WooCommerce export with German column names, and prices such as `64,99`. */
export const WOOCOMMERCE_DE: Mapping = woocommerce(GERMAN, { locale: 'de', decimal: ',' })

/** The columns of prices in these exports. */
export const WOO_PRICES = {
  en: [ENGLISH.price, ENGLISH.salePrice],
  de: [GERMAN.price, GERMAN.salePrice],
}
