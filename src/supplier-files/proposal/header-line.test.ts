import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'
import { hasShortRows, upperHeader } from './header-line.ts'
import { joinHeaderRows } from '../table/rows.ts'

const records = (rows: readonly (readonly string[])[]) => rows.map((cells, place) => ({ line: place + 1, cells }))

describe('names of columns in two lines', () => {
  const articles = [
    ['A1', 'Cup', '2.5', '4.9', '7'],
    ['A2', 'Jug', '3.5', '6.9', '0'],
    ['A3', 'Mug', '1.5', '2.9', '4'],
  ]
  const names = [
    ['No.', 'Name', 'Price', '', 'Stock'],
    ['', '', 'net', 'gross', ''],
  ]

  it('are those of the upper line above those of the lower one', () => {
    expect(upperHeader(records([...names, ...articles]), 1)).toBe(1)
    expect(joinHeaderRows(names[1] ?? [], names[0] ?? [])).toEqual(['No.', 'Name', 'Price net', 'Price gross', 'Stock'])
  })

  it('are none where the second line is an article, a heading or the names once more', () => {
    expect(upperHeader(records([names[0] ?? [], ...articles]), 1)).toBeUndefined()
    const heading = ['Kitchen', '', '', '', '']
    expect(upperHeader(records([['No.', 'Name', 'Net', 'Gross', 'Stock'], heading, ...articles]), 1)).toBeUndefined()
    const again = ['sku', 'title', 'net', 'gross', 'stock']
    expect(upperHeader(records([['No.', 'Name', 'Net', 'Gross', 'Stock'], again, ...articles]), 1)).toBeUndefined()
  })

  it('are none where titles stand above tables side by side', () => {
    const titles = ['Floor', '', '', 'Wall', '', '']
    const both = ['No.', 'Name', 'Price', 'No.', 'Name', 'Price']
    const rows = articles.map(([no = '', name = '', price = '']) => [no, name, price, `${no}w`, name, price])
    expect(upperHeader(records([titles, both, ...rows]), 2)).toBeUndefined()
  })
})

describe('rows that are shorter than their header', () => {
  const header = ['id', 'name', 'price', 'note']

  it('are whole where their numbers are in their places, and are asked about', async () => {
    expect(hasShortRows(records([header, ['1', 'Cup', '2.5', 'x'], ['2', 'Jug', '3.5'], ['3', 'Mug', '1.5']]))).toBe(
      true,
    )
    const warnings: string[] = []
    const file = 'id,name,price,note\n1,Cup,2.5,x\n2,Jug,3.5\n3,Mug,1.5\n4,Pot,9.5'
    const { mapping } = await detectMapping(chunked(Buffer.from(file)), (warning) => warnings.push(warning))
    expect(mapping.shortRows).toBe(true)
    expect(warnings.join()).toContain('shorter than the line with the names')
  })

  it('are whole where only features of the same name mix numbers and words', () => {
    const features = [...header, 'brand', 'unit', 'feature', 'value', 'feature', 'value']
    const row = (n: number, ...more: string[]) => [String(n), 'Cup', '2.5', 'x', 'Acme', 'pc', 'Width', ...more]
    const many = Array.from({ length: 12 }, (_, n) => row(n, String(n + 10)))
    expect(hasShortRows(records([features, ...many, row(12, 'wide', 'Colour')]))).toBe(true)
    // the same word under a name of its own
    expect(hasShortRows(records([[...features.slice(0, 7), 'width', 'a', 'b'], ...many, row(12, 'wide')]))).toBe(false)
  })

  it('are broken where they are not', () => {
    // a line feed in a name without quotes, and a missing cell in the middle
    expect(
      hasShortRows(
        records([header, ['1', 'Cup', '2.5', 'x'], ['2', 'Jug'], ['and lid', '3.5', ''], ['3', 'Mug', '1.5', 'y']]),
      ),
    ).toBe(false)
    expect(
      hasShortRows(
        records([header, ['1', 'Cup', '2.5', 'x'], ['2', '3.5', 'y'], ['3', '1.5', 'z'], ['4', 'Pot', '9.5', '']]),
      ),
    ).toBe(false)
  })
})
