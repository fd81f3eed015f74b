import { expect, test } from 'vitest'
import { proposeFields } from './propose-fields.ts'
import { readFileWeight, weightUnitOf } from './weights.ts'

test('weights are read as files write them, by the decimal sign of the mapping', () => {
  const read = (text: string, sign?: '.' | ',') => {
    const verdict = readFileWeight(text, sign)
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
  expect(names.map(weightUnitOf)).toEqual(['g', 'kg', 'kg', 'lbs', undefined, undefined, undefined])
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
