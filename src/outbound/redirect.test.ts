import { expect, test } from 'vitest'
import { isRedirect, redirectTarget } from './redirect.ts'

test.for([
  ['https://b.example/x.csv', 'https://b.example/x.csv'],
  ['/x.csv', 'https://a.example/x.csv'],
  ['x.csv#part', 'https://a.example/files/x.csv'],
  ['//b.example', 'https://b.example/'],
  ['https://', null],
  [null, null],
] as const)('a redirect to %j leads to %j', ([location, target]) => {
  expect(redirectTarget(location, 'https://a.example/files/')?.href ?? null).toBe(target)
})

test('only a status that comes with another place is a redirect', () => {
  expect([200, 300, 301, 302, 303, 304, 305, 307, 308, 404].filter(isRedirect)).toEqual([301, 302, 303, 307, 308])
})
