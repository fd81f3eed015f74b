import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank, trimmed, UNSEEN_CHARACTERS, visible } from './blank.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 20_261_122), numRuns: 2_000 }

test.each([
  ['', ''],
  [' A ', 'A'],
  ['\t\r\n\u0085\u00a0\u1680\u2003\u2028\u202f\u205f\u3000A\u3000', 'A'],
  ['\ufeff\u200bA\u200b\u2060', 'A'],
  ['\u00adA\u00adB\u00ad', 'A\u00adB'],
  ['\u200d\u200cA\u200c\u200d ', 'A'],
  ['a\u200bb', 'a\u200bb'],
  // a non-joiner inside a Persian word, joiners inside an emoji
  ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  [' 👩\u200d🔧 ', '👩\u200d🔧'],
  // a Malayalam word that ends in a chillu, written with a joiner after the virama; a second joiner is meaningless
  ['\u0d05\u0d35\u0d28\u0d4d\u200d ', '\u0d05\u0d35\u0d28\u0d4d\u200d'],
  ['\u0d28\u0d4d\u200d\u200d', '\u0d28\u0d4d\u200d'],
  // characters that belong to a neighbour are kept: a variation selector, the end of an embedding
  ['❤\ufe0f ', '❤\ufe0f'],
  ['\u202bA\u202c', '\u202bA\u202c'],
])('%j is trimmed to %j', (text, shown) => {
  expect(trimmed(text)).toBe(shown)
})

test.each([
  '',
  ' ',
  '\u200b',
  '\u200d',
  '\ufeff\u2060',
  '\u00ad',
  '\u200e\u200f',
  '\u3164',
  '\u2800',
  '\ufe0f',
  '\u0001',
])('%j shows nothing', (text) => {
  expect([isBlank(text), visible(text)]).toEqual([true, null])
})

test.each(['.', '\u0301', '_', '0', '\u200bA', '😀'])('%j shows something', (text) => {
  expect([isBlank(text), visible(text)]).toEqual([false, trimmed(text)])
})

test('all that Unicode calls white space, and what it lets be ignored in its first plane, is unseen', () => {
  const codes = Array.from({ length: 0xffff }, (_, i) => i + 1)
  const unseen = codes.filter((code) =>
    /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(String.fromCharCode(code)),
  )
  // unassigned ones are ignored; the empty braille pattern and the annotation marks are not in these classes
  const assigned = unseen.filter((code) => !/\p{Cn}/u.test(String.fromCharCode(code)))
  expect(assigned.filter((code) => !isBlank(String.fromCharCode(code)))).toEqual([])
})

test(`trimming once is enough, and takes nothing that is seen (SEED=${SEED.seed})`, () => {
  const unit = fc.constantFrom('a', ' ', '\u200d', '\u200b', '\u094d', '\ufe0f', '😀', '\u202c', '\ufeff')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const once = trimmed(text)
      expect(trimmed(once)).toBe(once)
      expect(text).toContain(once)
      expect([...text.replace(once, '')].every((character) => UNSEEN_CHARACTERS.includes(character))).toBe(true)
      expect(visible(text) === null).toBe(isBlank(text))
    }),
    SEED,
  )
})
