import { describe, expect, it } from 'vitest'
import { hasNoHeader } from './proposal/header-line.ts'
import { factorsOf, numberColumns } from './proposal/line-total.ts'
import { columnsOf } from './proposal/sample-columns.ts'
import { placeColumnsOf, placesOf } from './proposal/stock-rows.ts'

const records = (...lines: string[]) => lines.map((line, place) => ({ line: place + 1, cells: line.split(';') }))

describe('a table without a line of names', () => {
  it('is one whose first line has what those below it have', () => {
    expect(
      hasNoHeader(records('200219;Tea;3.33 €', '200163;Mug;14.29 €', '200164;Pot;13.80 €', '200165;Cup;2.00 €')),
    ).toBe(true)
  })

  it('is none where sizes or years name the columns', () => {
    expect(hasNoHeader(records('Shoe;36;37;38', 'Runner;1;0;4', 'Walker;3;2;0', 'Boot;0;0;1'))).toBe(false)
    expect(hasNoHeader(records('Kod;2025 LİSTE;2026', 'A1;5.20;7.20', 'A2;5.50;7.70', 'A3;6.50;9.00'))).toBe(false)
  })

  it('is none where a name is known', () => {
    expect(hasNoHeader(records('sku;10001', 'A1;10002', 'A2;10003', 'A3;10004'))).toBe(false)
  })
})

describe('rows that stand for several pieces', () => {
  it('have a total that is a price times a number of pieces', () => {
    const rows = [
      { total: '6300', one: '1050', pieces: '6' },
      { total: '7700', one: '550', pieces: '14' },
      { total: '2400', one: '800', pieces: '3' },
    ]
    const columns = columnsOf(rows)
    const total = columns.find(({ name }) => name === 'total')
    expect(total === undefined ? undefined : factorsOf(total, numberColumns(columns, rows), rows)).toEqual({
      price: 'one',
      pieces: 'pieces',
    })
    const other = [...rows, { total: '99', one: '10', pieces: '2' }]
    expect(
      total === undefined ? undefined : factorsOf(total, numberColumns(columnsOf(other), other), other),
    ).toBeUndefined()
  })

  it('have the place of the stock in a column, where that distinguishes them', () => {
    const rows = [
      { sku: 'A', Location: 'x', qty: '7' },
      { sku: 'A', Location: 'y', qty: '6' },
      { sku: 'B', Location: 'x', qty: '1' },
    ]
    expect(placesOf(placeColumnsOf(columnsOf(rows)), rows, 'sku')).toEqual(['Location'])
    const twice = [...rows, { sku: 'A', Location: 'x', qty: '1' }]
    expect(placesOf(placeColumnsOf(columnsOf(twice)), twice, 'sku')).toBeUndefined()
  })
})
