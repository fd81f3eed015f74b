import { describe, expect, it } from 'vitest'
import type { ShelfwireError } from '../../platform/errors.ts'
import { extendMapping, parseMapping } from './mapping.ts'
import { MAGENTO2 } from '../presets/presets.ts'

function faultsOf(mapping: unknown): string[] {
  try {
    parseMapping(mapping)
  } catch (error) {
    expect(error).toMatchObject({ name: 'ShelfwireError', code: 'invalid-input' })
    return (error as ShelfwireError).faults.map((fault) => `${fault.name} ${fault.reason}`)
  }
  return []
}

describe('parseMapping', () => {
  it('accepts every member that a mapping may have, and makes locales canonical', () => {
    const mapping = {
      format: 'csv',
      delimiter: ';',
      quote: '',
      encoding: 'windows-1250',
      locale: 'EN-us',
      decimal: ',',
      imageBaseUrl: 'https://a.example',
      fields: {
        sku: { join: ['a', { column: 'b', trim: false }, { constant: 'c' }], with: '-' },
        title: 'name',
        'title.PL-pl': {
          column: 'x',
          split: ',',
          take: -1,
          replace: [['a', 'b']],
          values: { y: 'z' },
          default: 'd',
          prefix: 'p',
          suffix: 's',
        },
        ean: ['ean', { column: 'eans', split: '\t' }],
        attributes: [
          { key: 'k', column: 'k' },
          { key: 'c', constant: 'v' },
          { key: 'j', join: ['a'] },
          { packed: 'p', pair: ',', assign: '=', only: ['a'] },
          { object: 'o', except: ['b'] },
        ],
      },
      skip: [
        { column: 'a', in: ['1'] },
        { column: 'b', notIn: [''] },
      ],
    }
    const parsed = parseMapping(mapping)
    expect(parsed.locale).toBe('en-US')
    expect(Object.keys(parsed.fields)).toEqual(['sku', 'title', 'title.pl-PL', 'ean', 'attributes'])
    expect(parsed.fields['title.pl-PL']).toEqual(mapping.fields['title.PL-pl'])
  })

  it.each([
    [{ fields: { sku: 'a' }, delimeter: ';' }, 'delimeter is unknown: did you mean "delimiter"?'],
    [{ fields: { sku: 'a', titel: 'b' } }, expect.stringMatching(/^fields\.titel is unknown: did you mean "title/)],
    [
      { fields: { sku: 'a', zzzzzzzz: 'b' } },
      expect.stringMatching(/^fields\.zzzzzzzz is unknown: the known keys are sku, /),
    ],
    [{ fields: { sku: { column: 'a', spilt: ',' } } }, 'fields.sku.spilt is unknown: did you mean "split"?'],
    [{ fields: { sku: { colum: 'a' } } }, 'fields.sku.colum is unknown: did you mean "column"?'],
    [{ fields: { sku: { join: ['a', { column: 'b', trim: 'no' }] } } }, 'fields.sku.join.1.trim must be true or false'],
    [
      { fields: { sku: 'a', cost: { column: 'b', split: ',' } } },
      expect.stringMatching(/^fields\.cost\.take is required/),
    ],
    [{ fields: { sku: 'a', ean: ['b', 7] } }, expect.stringMatching(/^fields\.ean\.1 must be an object/)],
    [
      {
        fields: {
          sku: 'a',
          attributes: [
            { key: 'a', column: 'a' },
            { packed: 'x', pair: ',' },
          ],
        },
      },
      'fields.attributes.1.assign is required',
    ],
    [{ fields: { sku: 'a', attributes: { key: 'a' } } }, 'fields.attributes must be a list'],
    [
      { fields: { sku: 'a', attributes: [{ key: 'x'.repeat(101), column: 'a' }] } },
      expect.stringMatching(/^fields\.attributes\.0\.key must have at most 100 characters/),
    ],
    [{ fields: { sku: 'a', title: 'b' } }, expect.stringMatching(/^locale is required/)],
    [
      { fields: { sku: 'a', 'title.english!': 'b' } },
      expect.stringMatching(/^fields\.title\.english! must be a BCP 47 .*, not "english!"; did you mean "en"\?$/),
    ],
    [{ fields: { sku: 'a', 'title.pl': 'b', 'title.PL': 'c' } }, 'fields.title.PL is duplicated'],
    [
      { locale: 'pl', fields: { sku: 'a', title: 'b', 'title.pl': 'c' } },
      expect.stringMatching(/^fields\.title is duplicated: pl is the mapping.s locale$/),
    ],
    [{ fields: { title: 'b' }, locale: 'en' }, expect.stringMatching(/^fields\.sku is required/)],
    [{ locale: 'en' }, 'fields is required'],
    [{ format: 'pdf', fields: { sku: 'a' } }, expect.stringMatching(/^format must be one of "csv", "tsv", /)],
    [{ encoding: 'utf-9', fields: { sku: 'a' } }, expect.stringMatching(/^encoding "utf-9" is not a known/)],
    [{ encoding: 'base64', fields: { sku: 'a' } }, expect.stringMatching(/^encoding "base64"/)],
    [{ locale: 'e', fields: { sku: 'a' } }, expect.stringMatching(/^locale must be a BCP 47 .*, not "e"$/)],
    [{ imageBaseUrl: 'ftp://a', fields: { sku: 'a' } }, 'imageBaseUrl must be an http or https URL'],
    [{ format: 'json', quote: "'", fields: { sku: 'a' } }, 'quote has no meaning in "json"'],
    [{ delimiter: ';', quote: ';', fields: { sku: 'a' } }, 'quote must not be the delimiter'],
    [{ fields: { sku: 'a' }, skip: [{ column: 'a', in: [] }] }, 'skip.0.in must not be empty'],
    [{ table: 51, fields: { sku: 'a' } }, 'table must be a whole number from 1 to 50, or "all"'],
    [{ table: 'first', fields: { sku: 'a' } }, 'table must be a whole number from 1 to 50, or "all"'],
    [{ delimiter: '', fields: { sku: 'a' } }, 'delimiter must not be empty'],
    [{ quote: '""', fields: { sku: 'a' } }, 'quote must be a single character, and neither a blank nor a line break'],
    [{ headerLines: 4, fields: { sku: 'a' } }, 'headerLines must be at most 3'],
    [{ availability: { inStok: 1 }, fields: { sku: 'a' } }, 'availability.inStok is not a known member'],
    [{ fields: { sku: { column: 'a', replace: [['b']] } } }, 'fields.sku.replace.0 must have at least 2 values'],
    [
      { fields: { sku: 'a' }, skip: [{ column: 'a' }] },
      expect.stringMatching(/^skip\.0 must be an object with one of in, notIn/),
    ],
    ['text', ' must be an object'],
  ])('refuses %j with the path of the fault', (mapping, fault) => {
    expect(faultsOf(mapping)).toEqual([fault])
  })

  it('reports all faults at once', () => {
    expect(faultsOf({ decimal: ';', fields: { cost: 7 } })).toHaveLength(3)
  })
})

describe('extendMapping', () => {
  it('replaces settings and fields, removes those that are null, and checks the result', () => {
    const mapping = extendMapping(MAGENTO2, {
      locale: 'de',
      fields: { currency: { constant: 'EUR' }, cost: 'net', images: null },
      skip: null,
    })
    expect(mapping).toMatchObject({
      format: 'csv',
      locale: 'de',
      fields: { sku: 'sku', cost: 'net', currency: { constant: 'EUR' } },
    })
    expect(mapping.fields.images).toBeUndefined()
    expect(mapping.skip).toBeUndefined()
    expect(MAGENTO2.fields.cost).toBe('price')
    expect(() => extendMapping(MAGENTO2, { fields: { cots: 'net' } })).toThrow(
      /fields\.cots is unknown: did you mean "cost"/,
    )
  })
})
