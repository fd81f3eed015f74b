import { describe, expect, it } from 'vitest'
import { chunked } from './fixtures.ts'
import { parseMapping } from './mapping/mapping.ts'
import { readOfferPages } from './read-offers.ts'
import { sideBySideTables } from './side-by-side.ts'

const beside = (...columns: string[]) => sideBySideTables(columns)

describe('tables side by side', () => {
  it('are found by names that repeat in the same order, with or without columns between them', () => {
    expect(beside('No', 'Name', 'Price', '#4', 'No', 'Name', 'Price')).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ])
    expect(beside('#1', 'No', 'Price', 'No', 'Price', 'No', 'Price')).toHaveLength(3)
  })

  it('are none where single columns repeat', () => {
    expect(beside('No', 'Name', 'Price')).toBeUndefined()
    expect(beside('No', 'Image', 'Image', 'Price')).toBeUndefined()
    expect(beside('Image', 'Image')).toBeUndefined()
    expect(beside('No', 'Name', 'No', 'Price')).toBeUndefined()
    expect(beside()).toBeUndefined()
  })
})

describe('the table of a mapping', () => {
  const sheet = 'No;Price;;No;Price\nA;1;;C;3\nB;2;;;\n'
  const read = async (table: unknown, text = sheet) => {
    const mapping = parseMapping({ format: 'csv', table, fields: { sku: 'No', cost: 'Price' } })
    const offers: string[] = []
    for await (const page of readOfferPages(chunked(Buffer.from(text)), mapping))
      for (const row of page) offers.push('offer' in row ? `${row.line} ${row.offer.sku} ${row.offer.cost}` : 'none')
    return offers
  }

  it('is one of those side by side, or all of them as if they stood below each other', async () => {
    expect(await read(1)).toEqual(['2 A 1', '3 B 2'])
    expect(await read(2)).toEqual(['2 C 3'])
    expect(await read('all')).toEqual(['2 A 1', '2 C 3', '3 B 2'])
  })

  it('is found below lines of a title', async () => {
    expect(await read('all', `Prices;;;;\n${sheet}`)).toEqual(['3 A 1', '3 C 3', '4 B 2'])
  })

  it('is missed where there is none', async () => {
    await expect(read(3)).rejects.toThrow('the header has 2 tables side by side, and no table 3')
    await expect(read('all', 'No;Price\nA;1\n')).rejects.toThrow('has no tables side by side under the same names')
    expect(() => parseMapping({ table: 0, fields: { sku: 'No' } })).toThrow(/table/)
  })
})
