import { expect, test } from 'vitest'
import { csvCell, spreadsheetCell, withoutFormula } from './csv-cell.ts'

test.each([
  ['=1+2', "'=1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd|calc', "'+cmd|calc"],
  ['-2+3', "'-2+3"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\t1', "'\t1"],
  ['Pen;=1+1', "Pen;'=1+1"],
  ['Pen; =1+1;@x', "Pen;' =1+1;'@x"],
  ['Pen\t-cmd|calc', "Pen\t'-cmd|calc"],
  ['Pen\n+1', "Pen\n'+1"],
  [' =1', "' =1"],
  ['＝1+1', "'＝1+1"],
  ['Pen;-5', "Pen;'-5"],
  ['Pen; 5-7=-2', 'Pen; 5-7=-2'],
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

test('a cell that people open is quoted where a spreadsheet may cut it, and no part of it is a formula', () => {
  expect(['a b', 'a;b', 'a\tb', 'a";=1', '-5'].map(spreadsheetCell)).toEqual([
    'a b',
    '"a;b"',
    '"a\tb"',
    `"a"";'=1"`,
    '-5',
  ])
})

test('a long text of separators and spaces is looked through once', () => {
  const begun = performance.now()
  expect(withoutFormula('; '.repeat(100_000))).toHaveLength(200_000)
  expect(withoutFormula(`;${' '.repeat(200_000)}`)).toHaveLength(200_001)
  expect(performance.now() - begun).toBeLessThan(1_000)
})
