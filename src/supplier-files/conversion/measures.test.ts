import { expect, test } from 'vitest'
import { proposeFields } from '../proposal/propose-fields.ts'
import { readFileDimensions, readFileMeasure, unitOf } from './measures.ts'

test('weights are read as files write them, by the decimal sign of the mapping', () => {
  const read = (text: string, sign?: '.' | ',') => {
    const verdict = readFileMeasure(text, sign, 'weight')
    return 'value' in verdict ? verdict.value : verdict.reason.replace(/[,:] .*/, '')
  }
  expect([read('350 g'), read('0,35 kg', ','), read('12 oz'), read('1.250,5 g', ','), read('0.35')]).toEqual([
    '0.35',
    '0.35',
    '0.340194',
    '1.2505',
    '0.35',
  ])
  expect([read(''), read('0'), read('0.000000'), read('0,0 kg', ',')]).toEqual([null, null, null, null])
  expect(read('3 t')).toMatch(/^must be a weight/)
  // 1.234 kg or 1234 kg
  expect(read('1,234 kg')).toMatch(/^"1,234 kg" is 1234 or 1.234/)
})

test('the name of a column may have the unit of its weights', () => {
  const names = ['Weight (g)', 'weight_kg', 'Gewicht [kg]', 'Weight in lbs', 'weight', 'Weight (EUR)', 'packaging']
  expect(names.map((name) => unitOf(name, 'weight'))).toEqual(['g', 'kg', 'kg', 'lbs', undefined, undefined, undefined])
})

test('a column of weights is proposed only where its name or its values say the unit', async () => {
  const proposed = async (name: string, values: readonly string[]) => {
    const rows = values.map((value, i) => ({ sku: `A-${i}`, price: `${i + 1}.50`, [name]: value }))
    return (await proposeFields(rows, () => {})).fields['weight']
  }
  // 350 kilograms or grams
  expect(await proposed('Weight', ['350', '1200', '80'])).toBeUndefined()
  expect(await proposed('Weight (g)', ['350', '1200', '80'])).toEqual({ column: 'Weight (g)', suffix: ' g' })
  expect(await proposed('Weight', ['350 g', '1,2 kg', '80 g'])).toBe('Weight')
})

test('length, width and height are read from one text where it shows which is which', () => {
  const read = (text: string, sign?: '.' | ',') => {
    const verdict = readFileDimensions(text, sign)
    return 'value' in verdict ? Object.values(verdict.value) : verdict.reason.replace(/[,:] .*/, '')
  }
  for (const text of [
    '30 x 20 x 10 cm',
    '30x20x10cm',
    '300×200×100 mm',
    '30 cm * 20 cm * 10 cm',
    '30 by 20 by 10',
    '0.3/0.2/0.1 m',
  ])
    expect(read(text), text).toEqual(['30', '20', '10'])
  expect(read('30,5 x 20 x 1.200 mm', ',')).toEqual(['3.05', '2', '120'])
  expect(read('12" x 8" x 4"')).toEqual(['30.48', '20.32', '10.16'])
  expect(read('300 mm x 20 cm x 0.1 m')).toEqual(['30', '20', '10'])
  // a dimension of 0 is unknown, and an empty cell states none
  expect([read('30 x 20 x 0 cm'), read('')]).toEqual([
    ['30', '20', null],
    [null, null, null],
  ])
  for (const text of [
    '30x20',
    '30 x 20 x 10 x 5',
    '30 cm x 20 x 10',
    'x 20 x 10',
    '30',
    'L30 x 20 x 10',
    `${'3'.repeat(99)}x2x1`,
  ])
    expect(read(text), text).toMatch(/^must be/)
  expect(read('30 x -20 x 10')).toMatch(/^must be a length/)
  expect(read('30 x 1e9 x 10')).toMatch(/^must be/)
  expect(read('1,250 x 20 x 10 mm')).toMatch(/is 1250 or 1.250/)
})

test('columns of lengths are proposed where they show their unit, and one text of all three in its known order', async () => {
  const proposed = async (name: string, values: readonly string[], field: string) => {
    const rows = values.map((value, i) => ({ sku: `A-${i}`, price: `${i + 1}.50`, [name]: value }))
    return (await proposeFields(rows, () => {})).fields[field]
  }
  expect(await proposed('Länge', ['300', '120', '80'], 'length')).toBeUndefined()
  expect(await proposed('Länge (mm)', ['300', '120', '80'], 'length')).toEqual({ column: 'Länge (mm)', suffix: ' mm' })
  expect(await proposed('Height', ['30 cm', '12 in', '8"'], 'height')).toBe('Height')
  const sizes = ['30 x 20 x 10', '8 x 8 x 3', '120 x 60 x 75']
  expect(await proposed('Abmessungen (cm)', sizes, 'dimensions')).toEqual({ column: 'Abmessungen (cm)', suffix: ' cm' })
  expect(
    await proposed(
      'Dimensions LxWxH',
      sizes.map((size) => `${size} cm`),
      'dimensions',
    ),
  ).toBe('Dimensions LxWxH')
  expect(await proposed('Dimensions', sizes, 'dimensions')).toBeUndefined()
  expect(
    await proposed(
      'Maße (BxHxT)',
      sizes.map((size) => `${size} cm`),
      'dimensions',
    ),
  ).toBeUndefined()
})
