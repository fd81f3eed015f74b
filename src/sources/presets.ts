import { HouseError } from '../ground/errors.ts'
import { extendMapping, type Mapping } from './mapping.ts'

/**
 * A Magento 2 product export (System > Data Transfer > Export). Its image paths are relative to the shop's media folder,
 * so it is used with `imageBaseUrl` (`https://shop.example/media/catalog/product`); see presetMapping. Prices are in the
 * shop's base currency, which the export does not name: the supplier's own is taken, or give `fields.currency`.
 */
export const MAGENTO2: Mapping = {
  format: 'csv',
  locale: 'en',
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
      { column: 'base_image', values: { no_selection: '' } },
      { column: 'additional_images', split: ',' },
    ],
    attributes: [
      { key: 'weight', column: 'weight' },
      { packed: 'additional_attributes', pair: ',', assign: '=', except: ['has_options', 'required_options'] },
    ],
  },
  // Rows of a store view repeat a sku with the few texts that differ there; read as offers they would empty the rest.
  skip: [{ column: 'store_view_code', notIn: [''] }],
}

/** Ready mappings by the name that `--mapping` takes, with the settings each caller must add. */
export const PRESETS: Readonly<Record<string, { mapping: Mapping; requires: readonly (keyof Mapping)[] }>> = {
  magento2: { mapping: MAGENTO2, requires: ['imageBaseUrl'] },
}

/**
 * A preset laid under the caller's `overrides` (a part of a mapping).
 * Throws HouseError `invalid-input` for a name that is none, for a setting the preset requires, and as parseMapping does.
 */
export function presetMapping(name: string, overrides: unknown): Mapping {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined
  if (preset === undefined) {
    const known = Object.keys(PRESETS).join(', ')
    throw new HouseError('invalid-input', `there is no preset ${JSON.stringify(name)}: known are ${known}`)
  }
  const mapping = extendMapping(preset.mapping, overrides)
  const faults = preset.requires
    .filter((key) => mapping[key] === undefined)
    .map((key) => ({ name: key, reason: `is missing: the preset ${name} needs it` }))
  if (faults.length > 0) {
    const list = faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
    throw new HouseError('invalid-input', `the mapping is not usable: ${list}`, { faults })
  }
  return mapping
}
