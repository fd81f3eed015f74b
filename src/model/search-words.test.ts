import { expect, test } from 'vitest'
import {
  eanWords,
  facetLexeme,
  foldText,
  joinLexemes,
  keyWords,
  searchQuery,
  sortKey,
  typedWords,
  wordLexeme,
  wordsOf,
} from './search-words.ts'

test('texts are compared in Latin letters, without case and accents, composed or not', () => {
  expect(foldText('ŁÓDŹ Größe naïve')).toBe('lodz grosse naive')
  expect(foldText('e\u0301cole')).toBe(foldText('École'))
  expect(foldText('Москва')).toBe('moskva')
  expect(wordsOf('Hammer-Set 3,5"  (Stahl)')).toEqual(['hammer', 'set', '3', '5', 'stahl'])
  expect(wordsOf('🔨 !!!')).toEqual(['hammer'])
  expect(wordsOf(`${'a'.repeat(90)} b`)).toEqual(['a'.repeat(40), 'b'])
  expect(wordsOf('w '.repeat(5_000))).toHaveLength(100)
})

test('keys are found by their parts and as one word, EANs without the zeros that pad them', () => {
  expect(keyWords('AB-12/x')).toEqual(['ab', '12', 'x', 'ab12x'])
  expect(keyWords('4711')).toEqual(['4711'])
  expect(keyWords('--')).toEqual([])
  expect(eanWords('0400638133393')).toEqual(['0400638133393', '400638133393'])
  expect(eanWords('4006381333931')).toEqual(['4006381333931'])
  expect(eanWords('000')).toEqual(['000'])
})

test('what is typed is at most ten words, each once', () => {
  expect(typedWords(' Red RED  rot ')).toEqual(['red', 'rot'])
  expect(typedWords('a b c d e f g h i j k l')).toHaveLength(10)
  expect(typedWords('%_&|!')).toEqual([])
})

test('products without a key sort after all others', () => {
  const keys = [null, 'Zebra', '', 'äpfel', 'apfel 2', '~tilde'].map(sortKey)
  expect(keys).toEqual(['~', 'zebra', '~', 'apfel', 'apfel 2', '~tilde'])
  expect(sortKey('x'.repeat(500))).toHaveLength(60)
})

test('lexemes are those of one account, and a query holds no syntax but its own', () => {
  expect(joinLexemes(36, [wordLexeme('a'), facetLexeme('supplier', '7')])).toBe('10.a\u001f10$7')
  expect(searchQuery(1, [], [])).toBeNull()
  expect(searchQuery(1, [facetLexeme('manufacturer', "o'neil \\ sons & co:*")], [wordLexeme('ham')])).toBe(
    "'1=o''neil \\\\ sons & co:*' & '1.ham':*",
  )
})
