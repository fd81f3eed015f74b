import { expect, test } from 'vitest'
import {
  errorsAllowed,
  insideQuery,
  isTerm,
  nearQueries,
  termGrams,
  typingErrors,
  wordsOfTerm,
} from './search-terms.ts'

test('terms are words of letters, and categories by the words of their last level', () => {
  expect(['.giesskanne', '.10l', '.ab', '/garten/kannen', '=bosch', '$1', '.4006381333931'].map(isTerm)).toEqual([
    true,
    false,
    false,
    true,
    false,
    false,
    false,
  ])
  expect(wordsOfTerm('/garten & hof/gießkannen und töpfe')).toEqual(['giesskannen', 'und', 'topfe'])
  expect(termGrams('.kanne')).toEqual(['~^ka', '~kan', '~ann', '~nne', '~ne$'])
  expect(insideQuery(36, 'kann')).toBe("'10~kan' & '10~ann'")
})

test.each([
  ['kanne', 'kanne', 0],
  ['kane', 'kanne', 1],
  ['knane', 'kanne', 1],
  ['gieskane', 'giesskanne', 2],
  ['schraubendreher', 'schrauvendreer', 2],
  ['hammer', 'kammern', 2],
  ['hammer', 'zange', 3],
  ['', 'abc', 3],
])('from %s to %s it takes %i typing errors', (a, b, errors) => {
  expect(typingErrors(a, b, 2)).toBe(errors)
  expect(typingErrors(b, a, 2)).toBe(errors)
})

/** PostgreSQL's result for a query without brackets whose lexemes have no blanks. */
const matches = (query: string, grams: readonly string[]) =>
  query.split(' & ').every((term) => {
    const [, lexeme = '', beginning] = /^'1(.*)'(:\*)?$/.exec(term) ?? []
    return grams.some((gram) => (beginning === undefined ? gram === lexeme : gram.startsWith(lexeme)))
  })

test('every word with one typing error is looked for, and nearly every one with two', () => {
  const words = [
    'hahn',
    'bohrer',
    'kettle',
    'czajnik',
    'perceuse',
    'wasserkocher',
    'schraubendreher',
    'kanata',
    'moskva',
  ]
  const letters = 'aeknrs'
  const typo = (word: string, n: number): string => {
    const at = (n * 7) % word.length
    const letter = letters.charAt(n % letters.length)
    const edits = [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
    ]
    return edits[n % 4] ?? word
  }
  const missed: { typed: string; word: string; errors: number }[] = []
  let tried = 0
  for (const word of words) {
    const grams = termGrams(`.${word}`)
    for (let n = 0; n < 400; n++) {
      const typed = n % 2 === 0 ? typo(word, n >> 1) : typo(typo(word, n >> 1), n % 37)
      const errors = typingErrors(typed, word, 2)
      if (errors === 0 || errors > errorsAllowed(typed.length)) continue
      tried++
      if (!nearQueries(1, typed, errors).some((query) => matches(query, grams))) missed.push({ typed, word, errors })
    }
  }
  expect(tried).toBeGreaterThan(1_500)
  expect(missed.filter(({ errors }) => errors === 1)).toEqual([])
  // short words with two errors, some of them swapped letters
  expect(missed.length / tried).toBeLessThan(0.02)
})
