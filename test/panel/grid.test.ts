import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GridColumn } from '../../panel/pages/grid/columns.ts'
import { changesOf, fillRows } from '../../panel/pages/grid/fill.ts'
import { readIds } from '../../panel/pages/grid/search.ts'
import { batchesOf, priceFault } from '../../panel/pages/grid/save.ts'
import { keyOf, SheetState, type SheetRow } from '../../panel/pages/grid/sheet-state.ts'
import { fromTsv, toTsv } from '../../panel/pages/grid/tsv.ts'

// The state of the panel's grid: clipboard blocks, addresses, and unsaved input.

describe('blocks of cells', () => {
  test('are read as spreadsheets write them', () => {
    expect(fromTsv('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(fromTsv('"two\nlines"\t"say ""hi"""\nx\t')).toEqual([
      ['two\nlines', 'say "hi"'],
      ['x', ''],
    ])
    expect(fromTsv('19" rack\t"open')).toEqual([['19" rack', '"open']])
    expect(fromTsv('')).toEqual([['']])
  })

  test('come back as they were, whatever is in the cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', '=', "'", '+', '-', '1', 'ł') })
    fc.assert(
      fc.property(
        fc
          .array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 })
          // an apostrophe before a formula is added by the grid itself
          .filter((rows) => rows.flat().every((text) => !/^'[=+\-@]/.test(text))),
        (rows) => {
          expect(fromTsv(toTsv(rows))).toEqual(rows)
        },
      ),
    )
  })

  test('hold nothing that a spreadsheet would calculate; numbers stay numbers', () => {
    expect(toTsv([['=HYPERLINK("x")', '+1 day', '-12,5', '@a', 'a=b']])).toBe(
      `"'=HYPERLINK(""x"")"\t'+1 day\t-12,5\t'@a\ta=b`,
    )
  })
})

test('an address names products one by one and in ranges; what it cannot mean is left out', () => {
  expect(readIds('3,7-9,x,0,-4,2-1')).toEqual([3, 7, 8, 9])
  expect(readIds('1-99999999')).toHaveLength(10_000)
})

const row = (id: number, own: string | false | null, supplied: string | null = 'theirs'): SheetRow => ({
  id,
  sku: null,
  title_locale: null,
  picture: null,
  title: null,
  stock: { quantity: 5, cost: null },
  cells: new Map([['category', { own, supplied }]]),
})

describe('what was typed', () => {
  const sheet = (...rows: SheetRow[]) => {
    const state = new SheetState()
    state.take(rows)
    return state
  }
  const type = (state: SheetState, id: number, text: string, column = 'category') =>
    state.write([{ id, column, value: state.asOwn(id, column, text) }])

  test('of a price list says which price it replaces, and that it moves far once that was said to be right', () => {
    const column = 'price.summer'
    const state = sheet({ ...row(1, null), cells: new Map([[column, { own: '12.5', supplied: null }]]) })
    const sent = () =>
      batchesOf(state)
        .flat()
        .map(({ row: { price, expected }, isConfirmed }) => [price, expected, isConfirmed])
    type(state, 1, '99', column)
    expect(sent()).toEqual([['99', '12.5', false]])
    state.refused(new Map([[keyOf(1, column), { kind: 'jump', reason: '' }]]))
    state.confirmJump(1, column)
    expect([sent(), state.faults.size]).toEqual([[['99', '12.5', true]], 0])
    // another value needs another confirmation
    type(state, 1, '98', column)
    expect(sent()).toEqual([['98', '12.5', false]])
    // all waiting cells are confirmed at once, and no others
    state.take([{ ...row(2, null), cells: new Map([[column, { own: '1', supplied: null }]]) }])
    type(state, 2, '50', column)
    state.refused(new Map([[keyOf(1, column), { kind: 'jump', reason: '' }]]))
    state.refused(new Map([[keyOf(2, column), { kind: 'refused', reason: 'why' }]]))
    expect(state.jumps).toBe(1)
    state.confirmJumps()
    expect([sent(), state.jumps, state.faults.size]).toEqual([
      [
        ['98', '12.5', true],
        ['50', '1', false],
      ],
      0,
      1,
    ])
  })

  test('of a price is refused as a conflict, as a jump, or for what is wrong with it', () => {
    const kindOf = (name: string) => priceFault({ faults: [{ name, reason: 'why' }], sentence: '' })
    expect(kindOf('entries.0.expected')).toEqual({ kind: 'conflict', reason: 'why' })
    expect(kindOf('confirm')).toEqual({ kind: 'jump', reason: 'why' })
    expect(kindOf('entries.0.price')).toEqual({ kind: 'refused', reason: 'why' })
    expect(priceFault({ faults: [], sentence: 'Gone.' })).toEqual({ kind: 'refused', reason: 'Gone.' })
  })

  test('goes into no cell of a column that is only read, however it comes there', () => {
    const state = sheet(row(1, null), row(2, null))
    for (const column of ['slug.main', 'eans', 'image_alts.en']) {
      expect(type(state, 1, 'x', column)).toBe(0)
      const filled = { name: column, kind: 'text', isReadOnly: true } as GridColumn
      expect(fillRows(state, [{ column: filled, value: 'x' }])).toBe(0)
    }
    expect([state.drafts.size, state.canUndo]).toEqual([0, false])
    // a field whose name only begins the same is not affected
    expect(type(state, 1, 'x', 'attribute.eans')).toBe(1)
  })

  test('is a change where it differs from what is there, and nothing where it says what suppliers say', () => {
    const state = sheet(row(1, null), row(2, 'mine'))
    expect(type(state, 1, 'theirs')).toBe(0)
    expect(type(state, 2, 'mine')).toBe(0)
    expect(type(state, 2, '')).toBe(1)
    expect([state.shown(2, 'category'), state.drafts.get(keyOf(2, 'category'))]).toEqual([
      'theirs',
      { value: null, expected: 'mine', stock: { quantity: 5, cost: null } },
    ])
    expect(type(state, 2, 'mine')).toBe(1)
    expect(state.drafts.size).toBe(0)
  })

  test('is undone and redone step by step, across a save', () => {
    const state = sheet(row(1, null), row(2, 'mine'))
    type(state, 1, 'A')
    type(state, 2, 'B')
    state.undo()
    expect([...state.drafts.keys()]).toEqual([keyOf(1, 'category')])
    state.redo()
    state.stored(new Map(state.drafts))
    expect([state.drafts.size, state.own(2, 'category')]).toEqual([0, 'B'])
    state.undo()
    expect(state.drafts.get(keyOf(2, 'category'))).toMatchObject({ value: 'mine', expected: 'B' })
    expect(type(state, 2, 'C')).toBe(1)
    expect(state.canRedo).toBe(false)
  })

  test('into a cell while it is being saved stays, and replaces what was saved', () => {
    const state = sheet(row(1, null))
    type(state, 1, 'A')
    const sent = new Map(state.drafts)
    type(state, 1, 'B')
    state.stored(sent)
    expect(state.drafts.get(keyOf(1, 'category'))).toMatchObject({ value: 'B', expected: 'A' })
  })

  test('and was changed by somebody else stays beside it until it is decided; the same value is no conflict', () => {
    const state = sheet(row(1, 'before'), row(2, 'before'))
    type(state, 1, 'mine')
    type(state, 2, 'same')
    state.take([row(1, 'other'), row(2, 'same')])
    const fault = { kind: 'conflict', reason: 'is another' } as const
    state.refused(new Map([keyOf(1, 'category'), keyOf(2, 'category')].map((key) => [key, fault])))
    expect([...state.faults.keys()]).toEqual([keyOf(1, 'category')])
    expect([...state.drafts]).toMatchObject([[keyOf(1, 'category'), { value: 'mine', expected: 'before' }]])
    state.insist(1, 'category')
    expect([state.faults.size, state.drafts.get(keyOf(1, 'category'))]).toMatchObject([
      0,
      { value: 'mine', expected: 'other' },
    ])
  })

  test('comes back after a reload, unless it was saved meanwhile', () => {
    const kept = new Map([
      [keyOf(1, 'category'), { value: 'A', expected: null, stock: null }],
      [keyOf(2, 'category'), { value: 'B', expected: null, stock: null }],
      [keyOf(3, 'category'), { value: 'C', expected: null, stock: null }],
    ])
    const state = sheet(row(1, null), row(2, 'B'))
    state.restore(kept)
    expect([...state.drafts.keys()]).toEqual([keyOf(1, 'category')])
  })

  test('into own stock is about both of its columns', () => {
    const state = sheet(row(1, null))
    type(state, 1, '7', 'quantity')
    expect(state.drafts.get(keyOf(1, 'quantity'))).toEqual({
      value: '7',
      expected: '5',
      stock: { quantity: 5, cost: null },
    })
    state.stored(new Map(state.drafts))
    expect(state.row(1)?.stock).toEqual({ quantity: 7, cost: null })
  })
})

describe('one value for every row', () => {
  const column = (name: string, kind: GridColumn['kind'] = 'text'): GridColumn => ({
    name,
    title: name,
    kind,
    width: 1,
    isNumber: false,
    isLong: false,
    isReadOnly: false,
    locale: undefined,
  })

  test('is one step to undo; what suppliers say anyway is no value of one’s own', () => {
    const state = new SheetState()
    state.take([row(1, 'mine'), row(2, null), row(3, null, 'mine'), row(4, false)])
    expect(fillRows(state, [{ column: column('category'), value: 'mine' }])).toBe(2)
    expect([1, 2, 3, 4].map((id) => state.own(id, 'category'))).toEqual(['mine', 'mine', null, 'mine'])
    state.undo()
    expect([1, 2, 3, 4].map((id) => state.own(id, 'category'))).toEqual(['mine', null, null, false])
    fillRows(state, [{ column: column('category'), value: null }])
    expect([1, 2, 3, 4].map((id) => state.own(id, 'category'))).toEqual([null, null, null, null])
  })

  test('is one change of the service for each column, own stock and its cost together', () => {
    const quantity = { column: column('quantity', 'quantity'), value: '5' }
    const cost = { column: column('cost', 'cost'), value: '1.50' }
    expect(
      changesOf([
        { column: column('title.pl-PL'), value: 'Tytuł' },
        { column: column(`attribute.${encodeURIComponent('a.b c')}`), value: false },
        { column: column('manufacturer'), value: null },
        { column: column('excluded.main', 'excluded'), value: 'recalled' },
        { column: column('excluded', 'excluded'), value: '' },
        quantity,
        cost,
      ]),
    ).toEqual([
      { override: { field: 'title', locale: 'pl-PL', value: 'Tytuł' } },
      { override: { field: 'attribute', key: 'a.b c', value: false } },
      { override: { field: 'manufacturer', value: null } },
      { exclusion: { store: 'main', reason: 'recalled' } },
      { exclusion: { store: null, reason: null } },
      { stock: { quantity: '5', cost: '1.50' } },
    ])
    expect(
      changesOf([
        { ...quantity, value: null },
        { ...cost, value: null },
      ]),
    ).toEqual([{ stock: { quantity: null } }])
    // the service stores no cost without own stock
    expect(changesOf([cost])).toBeNull()
  })

  test('what was typed into a column and is not saved is given up when the service writes it', () => {
    const state = new SheetState()
    state.take([row(1, null)])
    state.write([{ id: 1, column: 'category', value: 'typed' }])
    state.write([{ id: 1, column: 'quantity', value: '9' }])
    state.forget(['category'])
    expect([...state.drafts.keys()]).toEqual([keyOf(1, 'quantity')])
  })
})
