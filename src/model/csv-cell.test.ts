import { expect, test } from 'vitest'
import { csvCell, withoutFormula } from './csv-cell.ts'

test.each([
  ['=1+2', "'=1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd|calc', "'+cmd|calc"],
  ['-2+3', "'-2+3"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['-5', '-5'],
  ['+49', '+49'],
  ['-0.5', '-0.5'],
  ['-1,5', '-1,5'],
  ['A=1', 'A=1'],
  ['', ''],
])('%j is %j where people open it', (given, shown) => expect(withoutFormula(given)).toBe(shown))

test('a cell with a quote, a comma or a line end is quoted', () => {
  expect(['a"b', 'a,b', 'a\nb', 'a\rb', 'a b'].map(csvCell)).toEqual(['"a""b"', '"a,b"', '"a\nb"', '"a\rb"', 'a b'])
})
