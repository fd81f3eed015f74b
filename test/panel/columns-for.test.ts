import { expect, test } from 'vitest'
import { columnsFor } from '../../panel/components/columns-for.ts'
import type { Column } from '../../panel/components/list.tsx'

interface Row {
  name: string
  isActive: boolean
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name },
  { id: 'state', title: 'State', cell: () => null, isShownFor: (rows) => rows.some(({ isActive }) => !isActive) },
]
const idsOf = (columns: readonly Column<Row>[]) => columns.map(({ id }) => id)

test('columns are chosen once, by all rows: a list that is searched has no say in it', () => {
  const all = [
    { name: 'a', isActive: true },
    { name: 'b', isActive: false },
  ]
  const columns = columnsFor(COLUMNS, all)
  expect(idsOf(columns)).toEqual(['name', 'state'])
  // the list asks each column about the rows that it has
  expect(columns.filter(({ isShownFor }) => isShownFor?.(all.slice(0, 1)) ?? true)).toEqual(columns)
  expect(idsOf(columnsFor(COLUMNS, all.slice(0, 1)))).toEqual(['name'])
})
