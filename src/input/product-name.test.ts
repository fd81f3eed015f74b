import { expect, test } from 'vitest'
import { NAME_FIELDS } from '../../contract/product-fields.ts'
import { readName, readOptionalName } from './product-name.ts'

test('codes and conditions are kept in one form, whatever form they are sent in', () => {
  expect([readName('country_of_origin', ' de '), readName('hs_code', '8471.30 00')]).toEqual([
    { value: 'DE' },
    { value: '84713000' },
  ])
  const conditions = ['NEW', 'Used', 'http://schema.org/RefurbishedCondition', 'damagedCondition']
  expect(conditions.map((word) => readName('condition', word))).toEqual(
    ['new', 'used', 'refurbished', 'damaged'].map((value) => ({ value })),
  )
  expect(readName('mpn', ' hs-24/a ')).toEqual({ value: 'hs-24/a' })
})

test('the name of a country is refused, and the fault says what a code looks like', () => {
  for (const given of ['Germany', 'UK', 'XX', 'DEU'])
    expect(readName('country_of_origin', given)).toEqual({
      reason: `must be the code of a country, two letters such as DE (ISO 3166-1), not "${given}"`,
    })
})

test('an empty value is none in every field, and null too', () => {
  for (const field of NAME_FIELDS)
    for (const given of ['', ' \u200b', null]) expect(readOptionalName(field, given)).toEqual({ value: null })
})
