import { expect, test } from 'vitest'
import { proposeType } from './propose-type.ts'

const proposed = (...values: string[]) => proposeType(values.map((value) => ({ value, offers: 1 })))
const none = { separator: null, decimal: null, unit: null }

test('numbers are proposed with the decimal sign that they need and the unit that nearly all have', () => {
  expect(proposed('1', '2.5', '30')).toEqual({ ...none, type: 'number' })
  expect(proposed('1,5 mm', '2 mm', '3,25 mm')).toEqual({ ...none, type: 'number', unit: 'mm' })
  expect(proposed('1,5', '1,250', '2,125', '3,5')).toEqual({ ...none, type: 'number', decimal: ',' })
  expect(proposed('5 mm', '5 cm', '6 mm')).toEqual({ ...none, type: 'number' })
  // 1250 or 1.25: no value shows which
  expect(proposed('1,250', '2,500')).toMatchObject({ type: 'number', decimal: '.' })
  expect(proposed('5', 'five', 'six')).toBeNull()
})

test('yes and no are proposed where there is a word for it, and lists where entries are short', () => {
  expect(proposed('yes', 'no', 'yes')).toEqual({ ...none, type: 'boolean' })
  expect(proposed('0', '1')).toEqual({ ...none, type: 'number' })
  expect(proposed('red|blue', 'red', 'green')).toEqual({ ...none, type: 'list' })
  expect(proposed('red, blue', 'red', 'green, red')).toEqual({ ...none, type: 'list', separator: ',' })
  expect(
    proposed(
      'Forged by hand, with a handle that is made of ash from the forests of the north, oiled',
      'Plain, but good, and with a handle that nobody has ever managed to break in fifty years',
    ),
  ).toBeNull()
  expect(proposed()).toBeNull()
})
