import { describe, expect, it } from 'vitest'
import { eachRow } from './each-row.ts'
import { chunked } from './fixtures.ts'
import { parseMapping } from './mapping.ts'
import { readOfferPages } from './read-offers.ts'
import { defaultLimits, type RawRow } from './rows.ts'

async function rowsOf(raws: RawRow[], path: string, limits = defaultLimits): Promise<RawRow[][]> {
  const pages: RawRow[][] = []
  const source = (async function* () {
    yield raws
  })()
  for await (const page of eachRow(source, path, limits)) pages.push(page)
  return pages
}

describe('rows of the articles that a record lists', () => {
  it('have the one element in the place of the list, and the line of their record', async () => {
    const record = { title: 'Tee', variants: [{ sku: 'A' }, { sku: 'B' }] }
    expect(await rowsOf([{ line: 7, row: record }], 'variants')).toEqual([
      [
        { line: 7, row: { title: 'Tee', variants: { sku: 'A' } } },
        { line: 7, row: { title: 'Tee', variants: { sku: 'B' } } },
      ],
    ])
  })

  it('are those of each list on the path', async () => {
    const record = {
      name: 'Tops',
      products: [
        { id: 1, sizes: [{ sku: 'A' }, { sku: 'B' }] },
        { id: 2, sizes: { sku: 'C' } },
      ],
    }
    const [page = []] = await rowsOf([{ line: 1, row: record }], 'products.sizes')
    expect(page.map((raw) => ('row' in raw ? raw.row : undefined))).toEqual([
      { name: 'Tops', products: { id: 1, sizes: { sku: 'A' } } },
      { name: 'Tops', products: { id: 1, sizes: { sku: 'B' } } },
      { name: 'Tops', products: { id: 2, sizes: { sku: 'C' } } },
    ])
  })

  it.each([[{ sku: 'A' }], [{ sku: 'A', variants: [] }], [{ sku: 'A', variants: 'none' }]])(
    'are the record itself where it lists none: %j',
    async (record) => {
      expect(await rowsOf([{ line: 1, row: record }], 'variants')).toEqual([[{ line: 1, row: record }]])
    },
  )

  it('come in pages, and a record with too many of them is refused', async () => {
    const record = { variants: Array.from({ length: 5 }, (_, at) => ({ sku: String(at) })) }
    const pages = await rowsOf([{ line: 3, row: record }], 'variants', { ...defaultLimits, importPageRows: 2 })
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    const refused = await rowsOf([{ line: 3, row: record }], 'variants', { ...defaultLimits, importGroupRowsMax: 4 })
    expect(refused.flat().at(-1)).toEqual({
      line: 3,
      fault: 'has too many rows in "variants": ask for one record for each article',
    })
  })

  it('become offers by a mapping', async () => {
    const mapping = parseMapping({
      format: 'ndjson',
      each: 'variants',
      fields: { sku: 'variants.sku', cost: 'variants.price', title: 'name' },
      locale: 'en',
    })
    const text = '{"name":"Tee","variants":[{"sku":"A","price":"5.00"},{"sku":"B","price":"6.00"}]}\n'
    const offers: unknown[] = []
    for await (const page of readOfferPages(chunked(text), mapping))
      for (const row of page) if ('offer' in row) offers.push([row.offer.sku, row.offer.cost, row.offer.texts])
    expect(offers).toEqual([
      ['A', '5', { en: { title: 'Tee' } }],
      ['B', '6', { en: { title: 'Tee' } }],
    ])
    expect(() => parseMapping({ format: 'csv', each: 'variants', fields: { sku: 'sku' } })).toThrow(
      'each has no meaning in "csv"',
    )
  })
})
