import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { truncatedValue, type KnownOffer } from './cut.ts'

const KNOWN: KnownOffer = {
  cost: '20',
  quantity: 15,
  texts: { en: { title: 'Spade of steel', description: 'Digs' } },
  manufacturer: 'Acme',
  category: 'Tools/Garden',
  attributes: [{ key: 'color', value: 'red' }],
  images: ['https://i.example/a.jpg'],
}

describe('the last record of a file without a line end', () => {
  it.each([
    ['a cost', { cost: '2' }, { field: 'cost', before: '20', value: '2' }],
    ['a quantity', { quantity: 1 }, { field: 'quantity', before: '15', value: '1' }],
    [
      'a title',
      { texts: { en: { title: 'Spade' } } },
      { field: 'title (en)', before: 'Spade of steel', value: 'Spade' },
    ],
    ['a category', { category: 'Tools' }, { field: 'category', before: 'Tools/Garden', value: 'Tools' }],
    [
      'an attribute',
      { attributes: [{ key: 'color', value: 're' }] },
      { field: 'attribute color', before: 'red', value: 're' },
    ],
  ])('may be cut in %s', (_name, over, expected) => {
    expect(truncatedValue(KNOWN, { sku: 'A', ...over })).toEqual(expected)
  })

  it.each([
    ['says the same', { cost: '20.00', quantity: 15 }],
    ['says something else', { cost: '19' }],
    ['says more', { cost: '205' }],
    ['clears a value', { cost: null }],
    ['differs in two values', { cost: '2', quantity: 1 }],
    ['says nothing', {}],
  ])('is whole when it %s', (_name, over) => {
    expect(truncatedValue(KNOWN, { sku: 'A', ...over })).toBeNull()
  })

  it('is cut wherever a text was cut, but at its end', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 2 }), fc.nat(), (text, at) => {
        const value = text.slice(0, 1 + (at % (text.length - 1)))
        const known = { ...KNOWN, manufacturer: text }
        expect(truncatedValue(known, { sku: 'A', manufacturer: value })).toEqual({
          field: 'manufacturer',
          before: text,
          value,
        })
        expect(truncatedValue(known, { sku: 'A', manufacturer: text })).toBeNull()
      }),
    )
  })
})
