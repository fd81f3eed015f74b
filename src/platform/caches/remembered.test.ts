import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

test('what a function made of a key is not made again until as many others were asked for as are remembered', () => {
  const made: string[] = []
  const length = remembered(2, (text: string) => (made.push(text), text === '' ? undefined : text.length))
  expect(['a', 'a', '', '', 'a'].map(length)).toEqual([1, 1, undefined, undefined, 1])
  expect(made).toEqual(['a', ''])
  expect(length('bb')).toBe(2)
  expect([length('bb'), length('a')]).toEqual([2, 1])
  expect(made).toEqual(['a', '', 'bb', 'a'])
})
