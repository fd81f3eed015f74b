import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinGroups, type GroupedStatement } from './join-groups.ts'

const said = (productId: number, supplierId: number, key: string, groupId: number | null = null): GroupedStatement => ({
  productId,
  supplierId,
  key,
  groupId,
})
/** Ids from 100 on for new groups. */
const joined = (...statements: GroupedStatement[]) => {
  let next = 100
  return joinGroups(statements, () => next++)
}

test('statements of one supplier and key are one group, and so are those of one product', () => {
  expect(joined(said(1, 1, 'tee'), said(2, 1, 'tee'), said(3, 1, 'mug'))).toEqual([100, 100, 101])
  expect(joined(said(1, 1, 'tee'), said(2, 1, 'tee'), said(2, 2, '7'), said(3, 2, '7'), said(4, 2, '8'))).toEqual([
    100, 100, 100, 100, 101,
  ])
  // the same key of another supplier is unrelated
  expect(joined(said(1, 1, 'tee'), said(2, 2, 'tee'))).toEqual([100, 101])
})

test('groups that become one have the lower id, also where the other one is larger', () => {
  const statements = [said(1, 1, 'tee', 3), said(2, 2, '7', 8), said(3, 2, '7', 8), said(1, 2, '7')]
  expect(joined(...statements)).toEqual([3, 3, 3, 3])
})

test('of a group that falls apart the part with most statements keeps the id, of equal ones the first', () => {
  expect(joined(said(1, 1, 'tee', 5), said(2, 2, '7', 5), said(3, 2, '7', 5))).toEqual([100, 5, 5])
  expect(joined(said(1, 1, 'tee', 5), said(2, 2, '7', 5))).toEqual([5, 100])
})

test('whatever the statements and their order: connected ones, and only those, have the same id, and an id is of one group', () => {
  const statement = fc.record({
    productId: fc.integer({ min: 1, max: 6 }),
    supplierId: fc.integer({ min: 1, max: 3 }),
    key: fc.constantFrom('a', 'b', 'c'),
    groupId: fc.option(fc.integer({ min: 1, max: 4 })),
  })
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 14 }), (statements) => {
      const ids = joined(...statements)
      // the transitive closure, by repeating until nothing changes
      const mark = statements.map((_, i) => i)
      for (let isMoving = true; isMoving;) {
        isMoving = false
        for (const [i, a] of statements.entries())
          for (const [j, b] of statements.entries()) {
            const isOne = a.productId === b.productId || (a.supplierId === b.supplierId && a.key === b.key)
            if (isOne && mark[i]! > mark[j]!) {
              mark[i] = mark[j]!
              isMoving = true
            }
          }
      }
      for (const [i] of statements.entries())
        for (const [j] of statements.entries()) expect(ids[i] === ids[j]).toBe(mark[i] === mark[j])
    }),
  )
})
