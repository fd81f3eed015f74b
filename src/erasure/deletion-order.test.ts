import { expect, test } from 'vitest'
import { deletionOrder } from './deletion-order.ts'

const table = (name: string, ...refersTo: string[]) => ({ name, key: [], refersTo })
const names = (...tables: Parameters<typeof deletionOrder>[0]) => deletionOrder(tables).map(({ name }) => name)

test('what refers to a table is before it, and free tables are in the order of their names', () => {
  expect(
    names(table('account'), table('b', 'account'), table('a', 'b', 'account'), table('z'), table('c', 'account')),
  ).toEqual(['a', 'b', 'c', 'account', 'z'])
})

test('tables that refer to each other in a circle are refused', () => {
  expect(() => names(table('a', 'b'), table('b', 'a'), table('c'))).toThrow('tables refer to each other: a, b')
})
