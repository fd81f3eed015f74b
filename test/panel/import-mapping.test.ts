import { describe, expect, test } from 'vitest'
import { cellsOf } from '../../panel/pages/import/cells.ts'
import { columnsOf } from '../../panel/pages/import/columns.ts'
import {
  asKind,
  columnsIn,
  fieldOfColumn,
  kindOf,
  lineOf,
  reads,
  settingsNotShown,
  withColumn,
  withColumnAs,
  withField,
  type Doc,
} from '../../panel/pages/import/mapping.ts'
import { changeField, changeKind } from '../../panel/pages/import/change-filters.ts'
import { importSearch } from '../../panel/pages/import/search.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { PRESETS } from '../../src/supplier-files/presets/presets.ts'

// How the panel's form reads and changes a mapping.

describe('what the form does not show is kept', () => {
  test('by a change of one field, in every ready mapping', () => {
    for (const { mapping } of Object.values(PRESETS)) {
      const doc = JSON.parse(JSON.stringify(mapping)) as Doc
      const changed = withField(doc, 'manufacturer', 'Brand')
      expect({ ...changed, fields: { ...(changed['fields'] as Doc), manufacturer: undefined } }).toEqual({
        ...doc,
        fields: { ...(doc['fields'] as Doc), manufacturer: undefined },
      })
      expect(() => parseMapping(changed)).not.toThrow()
    }
  })

  test('by another column, whose steps stay', () => {
    expect(withColumn({ column: 'A', split: ',', take: 0, x: 1 }, 'B')).toEqual({
      column: 'B',
      split: ',',
      take: 0,
      x: 1,
    })
    expect(withColumn({ join: ['A'] }, 'B')).toBe('B')
  })

  test('and it is named', () => {
    expect(
      settingsNotShown({ fields: { sku: 'A', other: 'B', 'title.de': 'C' }, group: {}, odd: {}, decimal: ',' }),
    ).toEqual(['odd', 'fields.other'])
    // the fields of variants have places in the form
    const group = { group_key: 'A', group_title: 'B', group_position: 'C', group_options: [] }
    expect(settingsNotShown({ fields: { sku: 'A', ...group } })).toEqual([])
  })

  test('but for a column that becomes a field: it is no longer an attribute of its own name', () => {
    const doc = { fields: { attributes: [{ key: 'Net', column: 'Net' }, { key: 'Color', column: 'Net' }, 'Net'] } }
    expect(withField(doc, 'cost', { column: 'Net', decimal: ',' })).toEqual({
      fields: { cost: { column: 'Net', decimal: ',' }, attributes: [{ key: 'Color', column: 'Net' }, 'Net'] },
    })
    expect(withField({ fields: { attributes: [{ key: 'Net', column: 'Net' }] } }, 'cost', 'Net')).toEqual({
      fields: { cost: 'Net' },
    })
    expect(withField(doc, 'cost', 'Gross')).toEqual({ fields: { ...doc.fields, cost: 'Gross' } })
  })

  test('a field is taken out of a ready mapping by null, and left out of one of our own', () => {
    expect(withField({ preset: 'google', fields: {} }, 'ean', undefined)).toEqual({
      preset: 'google',
      fields: { ean: null },
    })
    expect(withField({ fields: { ean: 'A' } }, 'ean', undefined)).toEqual({ fields: {} })
  })
})

test('a column is used where a list, an object or numbered pairs read it', () => {
  const pairs = [{ pairs: 'Option{n} Name', value: 'Option{n} Value' }]
  expect(reads(pairs, 'Option1 Name')).toBe(true)
  expect(reads(pairs, 'Option12 Value')).toBe(true)
  expect(reads(pairs, 'Option Name')).toBe(false)
  expect(reads(pairs, 'Option1 Names')).toBe(false)
  expect(reads([{ list: 'PARAM', name: 'PARAM_NAME', value: 'VAL' }], 'PARAM.VAL')).toBe(true)
  expect(reads('PARAM', 'PARAM.VAL')).toBe(false)
  expect(reads({ first: ['A', 'B'] }, 'B')).toBe(true)
})

test('every kind of source that the form makes is a valid one', () => {
  for (const kind of ['column', 'constant', 'join', 'first', 'when', 'calc', 'tiers'] as const) {
    const source = asKind('A', kind)
    expect([kind, kindOf(source)]).toEqual([kind, kind])
    expect(() => parseMapping({ locale: 'en', fields: { sku: 'S', cost: source } })).not.toThrow()
    if (kind !== 'constant') expect(columnsIn(source)).toContain('A')
  }
})

test('a fault is found at the line of its member', () => {
  const doc: Doc = {
    decimal: ',',
    fields: { sku: 'A', 'title.de': { column: 'B', prefix: 'x' }, images: ['C', { column: 'D', split: ',' }] },
    skip: [
      { column: 'A', empty: true },
      { column: 'B', in: ['1'] },
    ],
  }
  const lines = JSON.stringify(doc, null, 2).split('\n')
  const at = (path: string) => lines[lineOf(doc, path) - 1]?.trim()
  expect(at('')).toBe('{')
  expect(at('decimal')).toBe('"decimal": ",",')
  expect(at('fields.title.de.prefix')).toBe('"prefix": "x"')
  expect(at('fields.images.1.split')).toBe('"split": ","')
  expect(at('skip.1.in')).toBe('"in": [')
  expect([at('skip.1'), lineOf(doc, 'skip.1.column') - lineOf(doc, 'skip.1')]).toEqual(['{', 1])
  // a missing member is located at the object that would contain it
  expect(at('fields.unknown')).toBe('"fields": {')
})

test('columns are paths of members, with the first values', () => {
  const rows = [
    {
      id: 1,
      price: { net: '2', '@currency': 'EUR' },
      img: [{ url: 'a' }, { url: 'b' }],
      name: { '#text': 'N', '@lang': 'de' },
    },
    { id: 2, extra: '' },
    null,
  ]
  expect(columnsOf(rows)).toEqual([
    { name: 'id', samples: ['1', '2'] },
    { name: 'price.net', samples: ['2'] },
    { name: 'price.@currency', samples: ['EUR'] },
    { name: 'img.url', samples: ['a', 'b'] },
    { name: 'name', samples: ['N'] },
    { name: 'name.@lang', samples: ['de'] },
    { name: 'extra', samples: [] },
  ])
})

test('a change is shown value by value', () => {
  const money = (cost: string, currency: string) => `${cost} ${currency}`
  const before = { cost: '1', currency: 'EUR', quantity: 2, content: { texts: { en: { title: 'A' } } } }
  const after = { cost: '1', currency: 'USD', quantity: 2, content: { texts: { en: { title: null } } }, eans: ['4'] }
  expect(
    cellsOf({ sku: 'S', kind: 'changed', before, after }, money).map((cell) => [cell.field, cell.before, cell.after]),
  ).toEqual([
    ['title.en', 'A', '–'],
    ['cost', '1 EUR', '1 USD'],
    ['eans', '–', '4'],
  ])
  expect(cellsOf({ sku: 'S', kind: 'changed', before, after }, money, 'title')).toHaveLength(1)
})

test('the address keeps a key of digits, and nothing that it does not know', () => {
  expect(importSearch({ run: '7', sku: 400, kind: 'changed', field: 'cost', step: 'map' })).toEqual({
    run: 7,
    step: 'map',
    source: undefined,
    kind: 'changed',
    field: 'cost',
    sku: '400',
  })
  expect(importSearch({ run: '-1', step: 'z' })).toEqual({})
  expect(['changed', 'x', undefined].map(changeKind)).toEqual(['changed', undefined, undefined])
  expect(['title', 'currency', 'y', undefined].map(changeField)).toEqual(['title', undefined, undefined, undefined])
})

describe('a column is given to a field from the side of the file', () => {
  const doc: Doc = {
    fields: {
      sku: 'Nr',
      cost: { column: 'EK', capture: '\\d+' },
      images: ['Bild 1', 'Bild 2'],
      title: { join: ['Name', 'Farbe'], with: ' ' },
      attributes: [{ key: 'Farbe', column: 'Farbe' }],
    },
  }

  test('which field is made of it alone', () => {
    expect(['Nr', 'EK', 'Bild 2', 'Farbe', 'Name', 'other'].map((column) => fieldOfColumn(doc, column))).toEqual([
      'sku',
      'cost',
      'images',
      'attributes',
      undefined,
      undefined,
    ])
  })

  test('it leaves the field that it was, and takes the place of the column there, whose steps stay', () => {
    expect(withColumnAs(doc, 'Nr', 'cost')['fields']).toEqual({
      cost: { column: 'Nr', capture: '\\d+' },
      images: ['Bild 1', 'Bild 2'],
      title: { join: ['Name', 'Farbe'], with: ' ' },
      attributes: [{ key: 'Farbe', column: 'Farbe' }],
    })
    expect(withColumnAs(doc, 'EK', 'cost')).toBe(doc)
  })

  test('pictures and attributes are added to, and one of several is taken out', () => {
    expect(withColumnAs(doc, 'Bild 3', 'images')['fields']).toMatchObject({ images: ['Bild 1', 'Bild 2', 'Bild 3'] })
    expect(withColumnAs(doc, 'Bild 1', undefined)['fields']).toMatchObject({ images: ['Bild 2'] })
    expect(withColumnAs(doc, 'Material', 'attributes')['fields']).toMatchObject({
      attributes: [
        { key: 'Farbe', column: 'Farbe' },
        { key: 'Material', column: 'Material' },
      ],
    })
    expect(withColumnAs(doc, 'Farbe', 'manufacturer')['fields']).toEqual({
      ...(doc['fields'] as Doc),
      manufacturer: 'Farbe',
      attributes: undefined,
    })
    expect(withColumnAs(doc, 'Farbe', undefined)['fields']).not.toHaveProperty('attributes')
  })

  test('of a ready mapping a field that is left is null, and can be given a column again', () => {
    const left = withColumnAs({ preset: 'shopify', fields: { cost: 'Cost' } }, 'Cost', undefined)
    expect(left).toEqual({ preset: 'shopify', fields: { cost: null } })
    expect(withColumnAs(left, 'Cost', 'cost')).toEqual({ preset: 'shopify', fields: { cost: 'Cost' } })
  })
})
