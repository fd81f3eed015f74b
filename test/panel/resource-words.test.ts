import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { ACCOUNT_RESOURCES } from '../../contract/account-resources.ts'

// The pages of account resources take their labels by the names of members: each member that the contract declares has one.

interface Words {
  fields?: Record<string, string>
  hints?: Record<string, string>
  members?: Record<string, string>
}

const words = JSON.parse(
  readFileSync(new URL('../../panel/words/en/resources.json', import.meta.url), 'utf8'),
) as Record<string, Words>
const withPage = ACCOUNT_RESOURCES.filter(({ path }) => words[path] !== undefined)

test('the resources that the panel edits have words', () => {
  expect(withPage.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'stores',
      'groups',
      'rates',
      'tax-classes',
      'price-lists',
      'categories',
      'attributes',
      'suppliers',
      'source-orders',
      'channels',
      'notice-channels',
    ]),
  )
})

test.each(withPage)('every member of $path has a label, and hints are for members alone', ({ path, fields }) => {
  expect(Object.keys(words[path]?.fields ?? {}).toSorted()).toEqual(Object.keys(fields).toSorted())
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(words[path]?.hints ?? {})))
})

test('every member that products can have beside those of all accounts says what it is', () => {
  expect(Object.keys(words['account']?.members ?? {})).toEqual(ADDITIONAL_MEMBER_NAMES)
})
