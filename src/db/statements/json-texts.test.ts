import { expect, test } from 'vitest'
import { jsonTexts } from './json-texts.ts'

const TEXTS: readonly string[][] = [
  [],
  [''],
  ['', '', 'a'],
  ['"ä"', '"日本語"', '"😀"', ''],
  ['a', '語'.repeat(10_000), 'b'],
  Array.from({ length: 3_000 }, (_, i) => JSON.stringify({ i, text: 'ł語😀x'.repeat(i % 40) })),
]

test.for(TEXTS)('texts are separated, in UTF-8, whatever they take', (texts) => {
  expect(jsonTexts(texts).toString()).toBe(texts.join('\x1e'))
})

test('half of a surrogate pair is written as what PostgreSQL stores for it', () => {
  expect(jsonTexts(['\ud800', 'a']).toString()).toBe('\ufffd\x1ea')
})
