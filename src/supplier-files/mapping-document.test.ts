import { describe, expect, test } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { readMappingDocument, storedColumns } from './mapping-document.ts'
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

describe('a mapping that is given is bounded before it is checked (I70)', () => {
  const table = (values: Record<string, string>) => ({ fields: { sku: 'sku', cost: { column: 'c', values } } })
  const entries = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`.padStart(5, '0'), text]))

  test('by its values, and by its characters; what is stored is read all the same', () => {
    const listed = Array.from({ length: LIMITS.importMappingValuesMax }, () => 'a')
    const many = { ...table({}), skip: [{ column: 'c', in: listed }] }
    const long = table(entries(100, 'a'.repeat(LIMITS.importMappingCharactersMax / 100)))
    expect(() => readMappingDocument(many)).toThrow('the mapping must have at most 20000 values')
    expect(() => readMappingDocument(long)).toThrow('the mapping must have at most 200000 characters')
    expect(() => readMappingDocument({ preset: 'shopify', ...many })).toThrow('must have at most 20000 values')
    expect(() => readMappingDocument(Array.from({ length: 50_000 }, () => 1))).toThrow('must have at most 20000 values')
    for (const stored of [many, long]) expect(readMappingDocument(stored, 'stored').fields.cost).toBeDefined()
    expect(readMappingDocument(table(entries(10_000, 'abcde'))).fields.cost).toBeDefined()
  })

  test('and of its unknown keys the first are compared with known ones', () => {
    const reasons = (document: unknown) => {
      try {
        readMappingDocument(document)
        return []
      } catch (error) {
        return (error as { faults: { reason: string }[] }).faults.map(({ reason }) => reason)
      }
    }
    const foreign = entries(19, 'a')
    const meant = { ...foreign, colum: 'c' }
    expect(reasons({ fields: { sku: 'sku', cost: meant } })).toEqual(['is unknown: did you mean "column"?'])
    const later = { ...foreign, foreign: 'a', colum: 'c' }
    expect(reasons({ fields: { sku: 'sku', cost: later } })).toEqual([expect.stringMatching(/^must be an object with/)])
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`cost${i}`, 'a']))
    const found = reasons({ fields: { sku: 'sku', ...fields } })
    expect(found).toHaveLength(LIMITS.importMappingFaultsMax)
    expect(found.filter((reason) => reason.includes('did you mean'))).toHaveLength(20)
    const tags = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`title.gurman${i}`, 'a']))
    expect(reasons({ fields: { sku: 'sku', ...tags } })).toHaveLength(LIMITS.importMappingFaultsMax)
  })
})

test('the columns of a field are those of a stored mapping, of its preset where it has one', () => {
  const own = storedColumns({ locale: 'pl', fields: { sku: 'Nr', 'title.pl-pl': 'Nazwa', cost: { column: 'EK' } } })
  expect(['sku', 'cost', 'title.pl-PL', 'quantity'].map(own)).toEqual([['Nr'], ['EK'], ['Nazwa'], []])
  const preset = storedColumns({ preset: 'shopify', fields: { cost: 'EK' } })
  expect([preset('cost'), preset('sku')]).toEqual([['EK'], storedColumns(SHOPIFY)('sku')])
  for (const none of [null, 7, {}, { preset: 'gone' }, { fields: [] }]) expect(storedColumns(none)('sku')).toEqual([])
})
