import { expect, test } from 'vitest'
import { isUnknownWord, withAvailability, withMeaning } from '../../panel/pages/import/availability.ts'

// The meaning of words in place of a quantity, as a mapping defines it.

test('a word is given a meaning and loses it again; nothing else of the mapping is touched', () => {
  const doc = { fields: { quantity: 'Stock' }, availability: { inStock: 5, words: { bald: 'backorder' } } }
  const said = withMeaning(doc, 'auf Anfrage', 'outOfStock')
  expect(said).toEqual({
    fields: { quantity: 'Stock' },
    availability: { inStock: 5, words: { bald: 'backorder', 'auf Anfrage': 'outOfStock' } },
  })
  expect(withMeaning(said, 'auf Anfrage', '')).toEqual(doc)
})

test('what says nothing any more is left out', () => {
  const doc = { fields: {} }
  expect(withMeaning(withMeaning(doc, 'bald', 'preorder'), 'bald', '')).toEqual(doc)
  expect(withAvailability(withAvailability(doc, 'inStock', 3), 'inStock', undefined)).toEqual(doc)
})

test('only words in place of quantities are asked about', () => {
  expect(isUnknownWord('quantity', 'auf Anfrage')).toBe(true)
  for (const [field, value] of [
    ['quantity', '5 each'],
    ['quantity', '-'],
    ['quantity', null],
    ['cost', 'auf Anfrage'],
  ] as const)
    expect([field, value, isUnknownWord(field, value)]).toEqual([field, value, false])
})
