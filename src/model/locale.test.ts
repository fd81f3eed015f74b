import { expect, it } from 'vitest'
import { localeChain } from './locale.ts'

it.each([
  ['pl-PL', 'en', ['pl-PL', 'pl', 'en']],
  ['en', 'en', ['en']],
  ['de', 'de-AT', ['de', 'de-AT']],
  ['de-AT', 'de', ['de-AT', 'de']],
  ['en-GB', 'en-US', ['en-GB', 'en', 'en-US']],
  ['zh-TW', 'en', ['zh-TW', 'zh', 'en']],
  ['es-MX', 'en', ['es-MX', 'es', 'en']],
  ['nb-NO', 'en', ['nb-NO', 'nb', 'en']],
  ['zh-Hant-TW', 'en-GB', ['zh-Hant-TW', 'zh-Hant', 'zh', 'en-GB', 'en']],
])('the chain of %s with the fallback %s is %j', (locale, fallback, expected) => {
  expect(localeChain(locale, fallback)).toEqual(expected)
})
