import { expect, test } from 'vitest'
import { withLists, type ListsOf } from './shared-lists.ts'

interface Row {
  id: number
  digest: string
  values: number
}
interface Named {
  names: readonly string[] | null
}
type Read = Named & Row

/** Lists as they are stored when they are read; which of them were read. */
function store(stored: readonly Read[]) {
  const asked: number[][] = []
  const of: ListsOf<Row, Named, Read> = {
    idOf: ({ id }) => id,
    none: { names: null },
    read: (ids) => {
      asked.push([...ids])
      return Promise.resolve(stored.filter(({ id }) => ids.includes(id)))
    },
    folded: ({ names }) => ({ names }),
  }
  return { of, asked }
}
const row = (id: number, digest = String(id), values = 1): Row => ({ id, digest, values })
const read = (id: number, names: string[], digest = String(id)): Read => ({ ...row(id, digest), names })

test('lists that are the same as before are not read again, and others are', async () => {
  const first = store([read(1, ['a']), read(2, ['b'])])
  const before = await withLists([row(1), row(2), row(3, ',')], undefined, first.of)
  expect(before.rows).toEqual([
    { id: 1, names: ['a'] },
    { id: 2, names: ['b'] },
    { id: 3, names: null },
  ])
  const second = store([read(2, ['c'], '22')])
  const after = await withLists([row(1), row(2, '22')], before.lists, second.of)
  expect(second.asked).toEqual([[2]])
  expect(after.rows.map(({ names }) => names)).toEqual([['a'], ['c']])
  // the same list object, with what was compiled from it
  expect(after.rows[0]?.names).toBe(before.rows[0]?.names)
  // of a row that is gone nothing is kept
  expect([...(await withLists([row(2, '22')], after.lists, second.of)).lists.keys()]).toEqual([2])
})

test('a list that was written between two statements is known as what it is', async () => {
  // the row was read when its list was 1, the list when it was 2
  const between = await withLists([row(7, '1')], undefined, store([read(7, ['two'], '2')]).of)
  expect(between.rows).toEqual([{ id: 7, names: ['two'] }])
  // it was written back
  const back = store([read(7, ['one'], '1')])
  expect((await withLists([row(7, '1')], between.lists, back.of)).rows).toEqual([{ id: 7, names: ['one'] }])
  expect(back.asked).toEqual([[7]])
})

test('a row that is deleted before its list is read is left out: without the list it would match everything', async () => {
  expect((await withLists([row(1), row(2)], undefined, store([read(2, ['b'])]).of)).rows).toEqual([
    { id: 2, names: ['b'] },
  ])
})

test('so many values are read at a time', async () => {
  const rows = [row(1, '1', 9_000), row(2, '2', 2_000), row(3, '3', 10_000), row(4, '4', 5)]
  const stored = store(rows.map(({ id }) => read(id, ['x'])))
  await withLists(rows, undefined, stored.of)
  expect(stored.asked).toEqual([[1, 2], [3], [4]])
})
