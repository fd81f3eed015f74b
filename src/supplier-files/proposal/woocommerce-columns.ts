import { woocommerce, type WooNames } from '../presets/presets-of-woocommerce.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { memberText } from '../rows.ts'
import { share, type SampleRows } from './sample-columns.ts'

// WooCommerce names the columns of its export in the language of the shop, but always in the same order. Some columns have the
// same values in every language, and show the positions of all others.

const TYPES = /^(?:simple|variable|variation|grouped|external|subscription|variable-subscription)(?:,|$)/
const VISIBILITY = /^(?:visible|catalog|search|hidden)$/
const TAXABLE = /^(?:taxable|shipping|none)$/
const WEIGHT = /^(.{1,40}) \((?:kg|g|lbs|oz)\)$/
const LENGTH = /^(.{1,40}) \((?:mm|cm|m|in|yd)\)$/

/** The least share of rows with the values that only WooCommerce writes. */
const MOST = 0.9

/** The possible positions of the visibility in the catalog: without and with a column for GTINs. */
const VISIBILITY_PLACES = [6, 7]

/** The names of the columns of a WooCommerce export, in any language; undefined for other tables. */
export function wooNames(columns: readonly string[], rows: SampleRows): WooNames | undefined {
  const valuesAt = (place: number) => {
    const name = columns[place]
    return name === undefined ? [] : rows.map((row) => memberText(row[name])).filter((value) => value !== '')
  }
  const isAll = (place: number, pattern: RegExp) => {
    const values = valuesAt(place)
    // rows with broken quotes have other values there
    return values.length > 0 && share(values, (value) => pattern.test(value)) >= MOST
  }
  if (columns[0]?.toUpperCase() !== 'ID' || new Set(columns).size < columns.length || !isAll(1, TYPES)) return undefined
  const visibility = VISIBILITY_PLACES.find((place) => isAll(place, VISIBILITY))
  const weight = columns.findIndex((name) => WEIGHT.test(name))
  if (visibility === undefined || !isAll(visibility + 5, TAXABLE)) return undefined
  // the weight is at a fixed distance, plus one in versions with a column for low stock
  if (weight < visibility + 11 || weight > visibility + 12) return undefined
  const at = (place: number) => columns[place] ?? ''
  const [nameColumn, valueColumn] = [at(weight + 21), at(weight + 22)]
  const hasBrands = !/1/.test(nameColumn) && /1/.test(valueColumn)
  const attribute = weight + (hasBrands ? 22 : 21)
  const numbered = (name: string) => name.replace(/1(?!\d)/, '{n}')
  if (at(weight + 14) === '') return undefined
  return {
    id: at(0),
    type: at(1),
    sku: at(2),
    gtin: visibility === 7 ? [at(3)] : [],
    name: at(visibility - 3),
    published: at(visibility - 2),
    summary: at(visibility + 1),
    description: at(visibility + 2),
    saleStarts: at(visibility + 3),
    saleEnds: at(visibility + 4),
    inStock: at(visibility + 7),
    stock: [at(visibility + 8)],
    weight: WEIGHT.exec(at(weight))?.[1] ?? '',
    length: LENGTH.exec(at(weight + 1))?.[1] ?? '',
    width: LENGTH.exec(at(weight + 2))?.[1] ?? '',
    height: LENGTH.exec(at(weight + 3))?.[1] ?? '',
    salePrice: at(weight + 6),
    price: at(weight + 7),
    categories: at(weight + 8),
    images: at(weight + 11),
    parent: at(weight + 14),
    brands: hasBrands ? at(weight + 21) : '',
    attributeName: numbered(at(attribute)),
    attributeValues: numbered(at(attribute + 1)),
  }
}

/** The mapping of a WooCommerce export with these column names. */
export function wooMapping(names: WooNames, locale: string, decimal: '.' | ',' | undefined): Mapping {
  const mapping = woocommerce(names, { locale, ...(decimal === undefined ? {} : { decimal }) })
  const { manufacturer, ean, attributes, group_options: options, ...fields } = mapping.fields
  const hasAttributes = names.attributeName.includes('{n}') && names.attributeValues.includes('{n}')
  return {
    ...mapping,
    fields: {
      ...fields,
      ...(names.brands === '' || manufacturer === undefined ? {} : { manufacturer }),
      ...(names.gtin.length === 0 || ean === undefined ? {} : { ean }),
      ...(hasAttributes && attributes !== undefined && options !== undefined
        ? { attributes, group_options: options }
        : {}),
    },
  }
}
