import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { summariesOf, readAll } from '../fixtures.ts'

const HEADER = 'sku,place,pieces,image\n'
const group = { by: 'sku', anywhere: true, orFirst: true, offers: { column: 'sku', empty: true } }
const mapping = {
  locale: 'en',
  fields: { sku: 'sku', quantity: { sum: ['pieces'] }, images: 'image' },
  group: { ...group, collect: ['pieces', 'image'] },
}

async function offers(text: string, of: object = mapping) {
  const rows = await readAll(text, of)
  return rows.flatMap((row) => ('offer' in row ? [row.offer] : []))
}

describe('columns that are collected over the rows of a product', () => {
  it('have all values where they are added up, equal ones too, and each once elsewhere', async () => {
    const text = `${HEADER}A,1,5,https://a.example/1\nB,1,,\nA,2,5,https://a.example/1\nA,3,,\nA,3,0,\nA,4,5,https://a.example/2\n`
    expect(await offers(text)).toMatchObject([
      { sku: 'A', quantity: 15, images: ['https://a.example/1', 'https://a.example/2'] },
      { sku: 'B' },
    ])
  })

  it('are added up wherever the sum stands in the mapping, with what is beside them', async () => {
    const text = `${HEADER}A,x,5,https://a.example/1\nA,y,5,https://a.example/2\nA,x,5,\n`
    const sum = { when: { column: 'sku', empty: false }, use: { calc: 'a * 2', of: { a: { sum: ['pieces'] } } } }
    const fields = { ...mapping.fields, quantity: sum }
    const beside = { ...group, collect: ['pieces'], beside: { image: 'pieces' } }
    expect(await offers(text, { locale: 'en', fields, group: beside })).toMatchObject([
      { quantity: 30, images: ['https://a.example/1', 'https://a.example/2'] },
    ])
  })

  it('are added up as lists of objects, and under their parents', async () => {
    const rows = [
      { sku: 'A', stocks: [{ pieces: 5 }, { pieces: 5 }] },
      { sku: 'A', stocks: [{ pieces: 5 }] },
    ]
    const lists = { ...group, collect: ['stocks'] }
    for (const quantity of [{ sum: 'stocks', amount: 'pieces' }, { sum: ['stocks.pieces'] }])
      expect(
        await offers(JSON.stringify(rows), { locale: 'en', fields: { sku: 'sku', quantity }, group: lists }),
      ).toMatchObject([{ quantity: 15 }])
    const under = { by: 'sku', parent: 'place', collect: ['pieces'] }
    const children = await offers(`${HEADER}A,,5,\nB,A,5,\n`, { ...mapping, group: under })
    expect(children).toMatchObject([{ quantity: 5 }, { quantity: 10 }])
  })

  it('refuse a product that has too many of them to add up', async () => {
    const max = LIMITS.importCollectedValuesMax
    const rows = (count: number) => HEADER + 'A,1,1,\n'.repeat(count)
    expect(await offers(rows(max))).toMatchObject([{ quantity: max }])
    const [first, second] = await readAll(rows(max + 1), mapping)
    expect(summariesOf([first, second].filter((row) => row !== undefined))).toEqual([
      expect.stringMatching(/^2!row the rows of this product have more than 1000 values of "pieces"/),
      '3-',
    ])
    // a known article does not count as missing
    expect(first).toMatchObject({ about: ['A'] })
  })
})
