import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { eachRow } from './each-row.ts'
import { chunked, readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'
import { defaultLimits, type RawRow } from '../rows.ts'

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
        { line: 7, row: { title: 'Tee', variants: { sku: 'A' } }, article: 1 },
        { line: 7, row: { title: 'Tee', variants: { sku: 'B' } }, article: 2 },
      ],
    ])
  })

  it('say which of the articles of their record is refused', async () => {
    const mapping = parseMapping({ format: 'ndjson', each: 'variants', fields: { sku: 'variants.sku' }, locale: 'en' })
    const text = '{"variants":[{"sku":"A"},{"size":"S"}]}\n{"size":"S"}\n'
    const rows = await readAll(text, mapping)
    expect(rows).toMatchObject([
      { line: 1, article: 1, offer: { sku: 'A' } },
      { line: 1, faults: [{ name: 'sku', reason: expect.stringMatching(/\(article 2 of the record\)$/) as string }] },
      { line: 2, faults: [{ name: 'sku', reason: expect.not.stringContaining('of the record') as string }] },
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

  it.each([
    ['one level', 'variants', (wide: object) => ({ ...wide, variants: Array.from({ length: 2_000 }, () => ({})) })],
    [
      'an inner level',
      'p.variants',
      (wide: object) => ({ p: { ...wide, variants: Array.from({ length: 2_000 }, () => ({})) } }),
    ],
  ])('of a large record are limited by what is copied at %s', async (_, path, record) => {
    const wide = Object.fromEntries(Array.from({ length: 999 }, (__, at) => [`k${at}`, at]))
    const rows = (await rowsOf([{ line: 1, row: record(wide) }], path)).flat()
    expect(rows.length).toBeLessThanOrEqual(LIMITS.importEachMembersMax / 1_000 + 1)
    expect(rows.at(-1)).toMatchObject({ fault: `has too many rows in "${path}": ask for one record for each article` })
  })

  it('of large records fill a page sooner', async () => {
    const wide = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`k${at}`, at]))
    const record = { ...wide, variants: Array.from({ length: 200 }, () => ({})) }
    const pages = await rowsOf(
      [1, 2, 3].map((line) => ({ line, row: record })),
      'variants',
    )
    expect(pages.flat()).toHaveLength(600)
    const most = LIMITS.importEachMembersMax / 1_000
    expect(pages.map(({ length }) => length)).toEqual([most, most, 600 - 2 * most])
  })

  it('are refused where an element is a single value, but not where it is empty', async () => {
    const record = { variants: [{ sku: 'A' }, null, 'B', { sku: 'C' }, ''] }
    const [page = []] = await rowsOf([{ line: 5, row: record }], 'variants')
    expect(page.map((raw) => ('fault' in raw ? raw.fault : 'row'))).toEqual([
      'row',
      'has a single value among the elements of "variants": it is no article (article 2 of the record)',
      'row',
    ])
  })

  it.each([
    ['{"sku":"A","variants":[]}\n{"sku":"B"}\n', true],
    ['{"sku":"A","variants":[{"size":"S"}]}\n{"sku":"B"}\n', false],
  ])('are warned about where no record of the file has the list: %s', async (text, isWarned) => {
    const mapping = parseMapping({ format: 'ndjson', each: 'variants', fields: { sku: 'sku' }, locale: 'en' })
    const warnings: string[] = []
    for await (const _ of readOfferPages(chunked(text), mapping, undefined, (warning) => warnings.push(warning)));
    const warning =
      'no record has a list in "variants", which "each" of the mapping names: each record is read as one article'
    expect(warnings).toEqual(isWarned ? [warning] : [])
  })

  it('without a key belong to no other row of their record', async () => {
    const mapping = parseMapping({
      format: 'ndjson',
      each: 'variants',
      group: { by: 'variants.parent', anywhere: true, collect: ['variants.image'] },
      fields: { sku: 'variants.sku', images: 'variants.image' },
      locale: 'en',
    })
    const text = '{"variants":[{"sku":"A","image":"https://a.example/1"},{"sku":"B","image":"https://a.example/2"}]}\n'
    const images: unknown[] = []
    for await (const page of readOfferPages(chunked(text), mapping))
      for (const row of page) if ('offer' in row) images.push(row.offer.images)
    expect(images).toEqual([['https://a.example/1'], ['https://a.example/2']])
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
