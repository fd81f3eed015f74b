import i18next from 'i18next'
import { afterAll, expect, test } from 'vitest'
import * as de from '../../contract/faults/de.ts'
import * as pl from '../../contract/faults/pl.ts'
import { addFaults, faultWords } from '../../panel/words/faults.ts'
import { noticeWords } from '../../src/notices/notice-text.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { presetMapping } from '../../src/supplier-files/presets/preset-mapping.ts'
import { englishIn } from './english.ts'

// A run fails with all faults of its mapping in one sentence. The panel and notices say each of them in German and Polish.

const LANGUAGES = { de, pl }
for (const [language, { forms, sentences }] of Object.entries(LANGUAGES)) addFaults(language, forms, sentences)
const speak = (lng: string) => i18next.init({ lng, resources: {} })
afterAll(() => speak('en'))

const condition = (matches: string) => ({ fields: { sku: 'a' }, skip: [{ column: 'a', matches }] })
const MAPPINGS: readonly unknown[] = [
  'text',
  {},
  { fields: { sku: '', ean: [] }, table: 0, delimiter: '', quote: 'ab', skipLines: -1, headerLines: 9, items: 'a..b' },
  { fields: { sku: 'a' }, delimiter: '\n', skipLines: 1.5, skip: 'b', decimal: ';', availability: { inStok: 1 } },
  { fields: { sku: 'a' }, delimiter: '123456789', availability: { inStock: -1, words: { few: 'some' } } },
  {
    fields: { sku: 'a' },
    group: {
      by: 'a',
      inherit: 'a',
      optional: [1],
      beside: { 'My column': 1 },
      orFirst: true,
      variants: { column: 'a' },
    },
  },
  { fields: { sku: { column: 'a', replace: [['a']] } }, group: { by: 'a', anywhere: true, continues: true } },
  { fields: { sku: { column: 7, replace: [['a', 'b', 'c']], values: { a: 1 } } } },
  { fields: { sku: { calc: 'a+', of: { a: 'a' } }, cost: { calc: 'a', of: {} }, ean: 7 } },
  { fields: { sku: 'a', cost: { calc: 'a b', of: { a: 'a' } }, quantity: { calc: '(a', of: { a: 'a' } } } },
  { fields: { sku: 'a', cost: { calc: 'a!', of: { a: 'a' } }, cost_tiers: [] } },
  { fields: { sku: { column: 'a', capture: '(a{100}){1000}' } } },
  { fields: { sku: { column: 'a', capture: '(a{500}){30}' } } },
  { fields: { sku: 'a', attributes: [{ pairs: 'a', value: 'b' }] }, skip: [{ column: 'a', above: 'x' }] },
  { fields: { sku: 'a', attributes: 'b', group_title: 'c' }, skip: [{ column: 'a', in: [] }, {}] },
  { fields: { sku: 'a', 'title.english!': 'x', 'title.pl': 'b', 'title.PL': 'c' }, locale: 'e', format: 'pdf' },
  { fields: { sku: 'a' }, encoding: 'utf-9', format: 'json', quote: "'", imageBaseUrl: 'x' },
  { fields: { sku: 'a', title: 'b' }, delimiter: ';', quote: ';' },
  { fields: { sku: 'a', title: 'b', 'title.pl': 'c' }, locale: 'pl' },
  { fields: { titel: 'x' }, 'zzzz; zzzz zzz': 1 },
  { fields: { sku: { sum: 7 }, cost: { sum: 'a' }, title: { sum: ['a'], amount: 'b' } }, locale: 'en' },
  { fields: { sku: 'a', quantity: { column: 'a', split: ',' }, ean: { join: [] } } },
  ...['(', ')', '[', '[b-a]', '*', 'a**', 'a{2,1}', '\\', '\\q', '(?=a)', '(?P<n', '(?P<n>a)(?P<n>b)'].map(condition),
  condition('x'.repeat(501)),
]

/** Paths and members, which are the same in every language. */
const NAMES = /\b(?:fields|group)\.\S+|column, constant, join, first, when, calc, tiers, sum/g

const refusal = (refused: () => unknown): string => {
  try {
    refused()
  } catch (error) {
    if (error instanceof ShelfwireError) return error.message
    throw error
  }
  throw new Error('the mapping was not refused')
}
const REFUSALS = [
  ...MAPPINGS.map((mapping) => refusal(() => parseMapping(mapping))),
  refusal(() => presetMapping('magento2', {})),
  refusal(() => presetMapping('shopware', {})),
]

test.each(['de', 'pl'])('all faults of a mapping are said in %s, in the panel and in notices', async (language) => {
  await speak(language)
  for (const refused of REFUSALS)
    for (const said of [faultWords(refused), noticeWords(language).reason(refused)])
      expect([refused, said, ...englishIn(said.replaceAll(NAMES, ''))]).toEqual([refused, said])
})

test('English says what the service says', async () => {
  await speak('en')
  for (const refused of REFUSALS) {
    expect(faultWords(refused)).toBe(refused)
    expect(noticeWords('en').reason(refused)).toBe(refused)
  }
})

test('a path may have spaces, a reason a semicolon, and a fault without a translation stays between the others', () => {
  const { reason } = noticeWords('de')
  expect(
    reason(
      'the mapping is invalid: the mapping has more than 500 sources, conditions and replacements; fields.title.english! must be a BCP 47 language tag such as en or pl-PL, not "english!"; did you mean "en"?; fields.x is eaten; group.beside.Preis, netto must name a column of "collect"',
    ),
  ).toBe(
    'die Zuordnung ist ungültig: die Zuordnung hat zusammen mehr als 500 Quellen, Bedingungen und Ersetzungen; fields.title.english! muss ein Sprachkürzel nach BCP 47 sein, etwa en oder pl-PL; angegeben ist „english!“. Meinten Sie „en“?; fields.x is eaten; group.beside.Preis, netto muss eine der gesammelten Spalten nennen',
  )
})

test('a list of faults that is made to be slow is not', () => {
  const { reason } = noticeWords('de')
  const began = performance.now()
  for (const unit of ['a a; ', 'a is a; ', '; a is ', 'a must be a list; ', 'is ', 'a, not "'])
    expect(reason(`the mapping is invalid: ${unit.repeat(1_000)}`.slice(0, 1_000)).length).toBeGreaterThan(0)
  expect(performance.now() - began).toBeLessThan(2_000)
})
