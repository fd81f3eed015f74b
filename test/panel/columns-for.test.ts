import { expect, test } from 'vitest'
import { columnsFor } from '../../panel/components/columns-for.ts'

interface Row {
  name: string
  isActive: boolean
}

const COLUMNS = [
  { id: 'name' },
  { id: 'state', isShownFor: (rows: readonly Row[]) => rows.some(({ isActive }) => !isActive) },
]

test('columns are chosen once, by all rows: a list that is searched asks none of them again', () => {
  const all = [
    { name: 'a', isActive: true },
    { name: 'b', isActive: false },
  ]
  expect(columnsFor(COLUMNS, all)).toEqual([{ id: 'name' }, { id: 'state' }])
  expect(columnsFor(COLUMNS, all.slice(0, 1))).toEqual([{ id: 'name' }])
})
