import { expect, test } from 'vitest'
import { suggestionsFor } from '../../panel/pages/catalog/suggest.ts'

// Names of categories and suppliers in the search of products become filters.

const CATEGORIES = [
  'Tools',
  'Tools/Hand tools',
  'Tools/Hand tools/Hammers',
  'Garten/Schläuche',
  'Łazienka',
  'Other stools',
]
const SUPPLIERS = [
  { id: 3, code: 'north', name: 'Nordlicht GmbH' },
  { id: 7, code: 'tb', name: 'Toolbox' },
]
const found = (typed: string) =>
  suggestionsFor(typed, CATEGORIES, SUPPLIERS).map(({ filter, value, rest }) => [filter, value, rest])

test('a name is found by the beginnings of its words, the best first; case and accents do not count', () => {
  expect(found('TOOL')).toEqual([
    ['category', 'Tools', ''],
    ['category', 'Tools/Hand tools', ''],
    ['supplier', '7', ''],
  ])
  expect(found('hand tools')).toEqual([['category', 'Tools/Hand tools', '']])
  expect(found('schlauche')).toEqual([['category', 'Garten/Schläuche', '']])
  expect(found('lazie')).toEqual([['category', 'Łazienka', '']])
  expect(found('nordlicht gm')).toEqual([['supplier', '3', '']])
  expect(found('north')).toEqual([['supplier', '3', '']])
})

test('of several words the last may be the name, and the others stay', () => {
  expect(found('red steel hammers')).toEqual([['category', 'Tools/Hand tools/Hammers', 'red steel']])
  expect(found('red ha')).toEqual([])
})

test('nothing is suggested for what is no name, a single letter, or nothing', () => {
  for (const typed of ['', ' ', 't', '-', 'ools', 'zzz', '4006381333931']) expect(found(typed)).toEqual([])
})
