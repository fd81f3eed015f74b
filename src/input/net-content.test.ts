import { describe, expect, it } from 'vitest'
import { CONTENT_UNITS } from '../../contract/content-units.ts'
import { contentIn, keptContent } from '../model/net-content.ts'
import { readNetContent } from './net-content.ts'

describe('a content', () => {
  it.each([
    ['750 ml', '750 ml'],
    ['750ml', '750 ml'],
    ['0750.50 ML', '750.5 ml'],
    ['6 x 0.33 l', '6 x 0.33 l'],
    ['6x330ml', '6 x 330 ml'],
    ['6 × 330 ml', '6 x 330 ml'],
    ['1 x 2 kg', '2 kg'],
    ['12 fl. oz.', '12 fl oz'],
    ['12 FLOZ', '12 fl oz'],
    ['2 sqm', '2 m2'],
    ['2 m²', '2 m2'],
    ['100 Stück', '100 piece'],
    ['100 ct', '100 piece'],
    ['3 C62', '3 piece'],
    ['5 KGM', '5 kg'],
    ['1 Liter', '1 l'],
    ['20 sq. ft', '20 sq ft'],
    ['0.000001 mg', '0.000001 mg'],
  ])('%j is kept as %j', (given, kept) => {
    expect(readNetContent(given)).toEqual({ value: kept })
    expect(keptContent(kept)).not.toBeNull()
  })

  it.each([
    '750',
    'ml',
    '0 ml',
    '0 x 1 l',
    '-1 l',
    '1,5 l',
    '3 barrels',
    '1 l 2',
    '1.1234567 l',
    '1e3 g',
    '__proto__',
    '',
  ])('%j is none', (given) => {
    expect(readNetContent(given)).toMatchObject({
      reason: expect.stringContaining('must be a quantity above 0 with its unit such as "750 ml"'),
    })
    expect(keptContent(given)).toBeNull()
  })

  it('of every unit is read as it is kept, and is the same in itself', () => {
    for (const unit of CONTENT_UNITS) {
      expect(readNetContent(`2.5 ${unit}`), unit).toEqual({ value: `2.5 ${unit}` })
      expect(contentIn(keptContent(`2.5 ${unit}`)!, unit)?.toFixed()).toBe('2.5')
    }
  })

  it.each([
    ['1 lb', 'oz', '16'],
    ['1 gal', 'qt', '4'],
    ['1 gal', 'fl oz', '128'],
    ['1 yd', 'ft', '3'],
    ['1 sq ft', 'cm2', '929.0304'],
    ['1 m3', 'l', '1000'],
    ['6 x 0.33 l', 'ml', '1980'],
    ['1 t', 'mg', '1000000000'],
  ] as const)('%s in %s is %s', (content, unit, quantity) => {
    expect(contentIn(keptContent(content)!, unit)?.toFixed()).toBe(quantity)
  })

  it('is nothing in a unit of another kind', () => {
    expect(contentIn(keptContent('1 l')!, 'kg')).toBeNull()
  })
})
