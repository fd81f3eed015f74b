import { expect, test } from 'vitest'
import {
  eanWords,
  facetLexeme,
  foldText,
  prefixLexeme,
  exactLexeme,
  joinLexemes,
  keyWords,
  searchQuery,
  sortKey,
  inSpellingOf,
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
  const words = typedWords(' Red RED  rot ')
  expect(words).toEqual([
    { word: 'red', beginnings: ['red'], whole: [] },
    { word: 'rot', beginnings: ['rot'], whole: [] },
  ])
  expect(typedWords('a b c d e f g h i j k l')).toHaveLength(10)
  expect(typedWords('%_&|!')).toEqual([])
  expect(typedWords('a'.repeat(10_000))).toMatchObject([{ word: 'a'.repeat(40) }])
  expect(typedWords('ue'.repeat(20))[0]?.beginnings.length).toBeLessThanOrEqual(8)
})

test.each([
  ['Mühle', 'muhle', ['muhle', 'muehle'], []],
  ['muehle', 'muehle', ['muehle', 'muhle'], []],
  ['Ueberzug', 'ueberzug', ['ueberzug', 'uberzug'], []],
  ['Fuß', 'fuss', ['fuss'], []],
  ['Smørbrød', 'smorbrod', ['smorbrod', 'smoerbroed'], []],
  // these are not umlauts
  ['neue', 'neue', ['neue'], []],
  ['Bauer', 'bauer', ['bauer'], []],
  ['quelle', 'quelle', ['quelle'], []],
  // at the end of the typed text, the word may continue differently
  ['blue', 'blue', ['blue'], ['blu']],
  ['menue', 'menue', ['menue'], ['menu']],
  ['gruenroeste', 'gruenroeste', ['gruenroeste', 'grunroste', 'gruenroste', 'grunroeste'], []],
])('%s is also found as it is written otherwise', (text, word, beginnings, whole) => {
  const [typed] = typedWords(text)
  expect(typed?.word).toBe(word)
  expect(typed?.beginnings.toSorted()).toEqual(beginnings.toSorted())
  expect(typed?.whole).toEqual(whole)
})

test('a text that was meant is written as a title writes it', () => {
  expect(inSpellingOf('giesskanne rot', 'Gießkanne, 10 l')).toBe('Gießkanne rot')
})

test('products without a key sort after all others', () => {
  const keys = [null, 'Zebra', '', 'äpfel', 'apfel 2', '~tilde'].map(sortKey)
  expect(keys).toEqual(['~', 'zebra', '~', 'apfel', 'apfel 2', '~tilde'])
  expect(sortKey('x'.repeat(500))).toHaveLength(60)
})

test('lexemes are those of one account, and a query holds no syntax but its own', () => {
  expect(joinLexemes(36, [wordLexeme('a'), facetLexeme('supplier', '7')])).toBe('10.a\u001f10$7')
  expect(searchQuery(1, [])).toBeNull()
  expect(
    searchQuery(1, [
      [exactLexeme(facetLexeme('manufacturer', "o'neil \\ sons & co:*"))],
      [prefixLexeme(wordLexeme('ham'))],
    ]),
  ).toBe("'1=o''neil \\\\ sons & co:*' & '1.ham':*")
  const words = ['a', 'b'].map((word) => exactLexeme(wordLexeme(word)))
  expect(searchQuery(1, [words, words.slice(0, 1)], [words])).toBe("('1.a' | '1.b') & '1.a' & !(('1.a' | '1.b'))")
})
