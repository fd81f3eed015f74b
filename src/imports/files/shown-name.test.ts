import { expect, test } from 'vitest'
import { shownName } from './shown-name.ts'

test.for([
  ['offers.csv', 'offers.csv'],
  [' a\u0000b\r\n.csv ', 'ab.csv'],
  ['Lager übersicht 📦.csv', 'Lager übersicht 📦.csv'],
  ['\t', 'file'],
  ['', 'file'],
  ['half \ud83d of a pair', 'half \ufffd of a pair'],
] as const)('a name like %j is shown as %j', ([name, shown]) => {
  expect(shownName(name)).toBe(shown)
})

test('a long name is cut, and no half of a surrogate pair is left', () => {
  expect(shownName('x'.repeat(300))).toBe('x'.repeat(200))
  expect(shownName(`${'x'.repeat(199)}📦.csv`)).toBe(`${'x'.repeat(199)}\ufffd`)
})
