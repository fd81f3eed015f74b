import { expect, test } from 'vitest'
import { isWrittenAlike } from '../../panel/pages/product/written-alike.ts'

test.each([
  ['en', 'en-GB', true],
  ['de-AT', 'de-CH', true],
  ['zh-Hans', 'zh-CN', true],
  ['zh-Hans', 'zh-Hant', false],
  ['zh-CN', 'zh-TW', false],
  ['sr-Latn', 'sr', false],
  ['de', 'en', false],
  ['no language', 'no language', true],
  ['no language', 'no', false],
])('a text in %s begins one in %s: %s', (one, other, isAlike) => {
  expect([isWrittenAlike(one, other), isWrittenAlike(other, one)]).toEqual([isAlike, isAlike])
})
