import { expect, test } from 'vitest'
import { readMappingDocument } from './mapping-document.ts'
import { SHOPIFY } from './presets/presets.ts'

test('a document with a preset is that preset with what the document changes', () => {
  expect(readMappingDocument({ preset: 'shopify' })).toEqual(SHOPIFY)
  const { locale, fields } = readMappingDocument({ preset: 'shopify', locale: 'DE', fields: { ean: null, cost: 'EK' } })
  expect({ locale, cost: fields.cost, ean: fields.ean }).toEqual({ locale: 'de', cost: 'EK', ean: undefined })
  expect(fields.sku).toEqual(SHOPIFY.fields.sku)
})

test('a document without one is a mapping, in which an editor may name its schema', () => {
  const mapping = { $schema: 'https://shelfwire.example/mapping.schema.json', fields: { sku: 'Nr' } }
  expect(readMappingDocument(mapping)).toEqual(mapping)
})

test.each([
  [{ preset: 'shopware' }, /there is no preset "shopware": the presets are magento2, /],
  [{ preset: 7 }, /there is no preset "7"/],
  [{ preset: 'magento2' }, /imageBaseUrl is required by the preset magento2/],
  [{ preset: 'shopify', colour: 'x' }, /colour/],
  [[], /the mapping/],
  [null, /the mapping/],
  ['shopify', /the mapping/],
])('%j is refused', (document, message) => {
  expect(() => readMappingDocument(document)).toThrow(message)
})
