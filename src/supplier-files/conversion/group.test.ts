import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'
import type { ReadRow } from '../reading.ts'

const fields = { sku: 'sku', title: 'title', cost: 'cost', images: 'image' }
const base = { locale: 'en', fields }
const group = { by: 'product', inherit: ['title'], collect: ['image'], offers: { column: 'sku', notIn: [''] } }
const CSV = `product,sku,title,cost,image
P,A,Shirt,1,https://a.example/1
P,B,,2,
P,,,,https://a.example/2
Q,C,Hat,3,
,D,Own,4,
,E,Other,5,
`

describe('rows of one product', () => {
  it('inherit texts and collect images, and parts are no offers', async () => {
    const rows = await readAll(CSV, { ...base, group })
    expect(summariesOf(rows)).toEqual(['2:A', '3:B', '4-', '5:C', '6:D', '7:E'])
    const images = ['https://a.example/1', 'https://a.example/2']
    expect(rows[0]).toMatchObject({ offer: { texts: { en: { title: 'Shirt' } }, cost: '1', images } })
    expect(rows[1]).toMatchObject({ offer: { texts: { en: { title: 'Shirt' } }, cost: '2', images } })
    expect(rows[3]).toMatchObject({ offer: { texts: { en: { title: 'Hat' } }, images: [] } })
    expect(rows[4]).toMatchObject({ offer: { texts: { en: { title: 'Own' } } } })
  })

  it('are one offer, by the first of them, where none is an offer of its own and the mapping says so', async () => {
    const text =
      'product,sku,title,cost,image,type\nP,A,Shirt,1,,product\nP,B,,2,,variant\nQ,C,Hat,3,,product\nR,D,Cap,4,,product\nR,E,,5,,picture\n'
    const one = { ...group, offers: { column: 'type', in: ['variant'] } }
    expect(summariesOf(await readAll(text, { ...base, group: one }))).toEqual(['2-', '3:B', '4-', '5-', '6-'])
    expect(summariesOf(await readAll(text, { ...base, group: { ...one, orFirst: true } }))).toEqual([
      '2-',
      '3:B',
      '4:C',
      '5:D',
      '6-',
    ])
    for (const other of [{ parent: 'product' }, { offers: undefined }])
      expect(() => parseMapping({ ...base, group: { ...one, orFirst: true, ...other } })).toThrow(/group\.orFirst/)
  })

  it('may leave the product empty behind its first row', async () => {
    const text =
      'product,sku,title,cost,image\n,Z,First,9,\nP,A,Shirt,1,\n,B,,2,\n,,,,https://a.example/2\nQ,C,Hat,3,\n'
    const rows = await readAll(text, { ...base, group: { ...group, inherit: ['title', 'product'], continues: true } })
    expect(summariesOf(rows)).toEqual(['2:Z', '3:A', '4:B', '5-', '6:C'])
    expect(rows[2]).toMatchObject({ offer: { texts: { en: { title: 'Shirt' } }, images: ['https://a.example/2'] } })
    expect(rows[0]).toMatchObject({ offer: { texts: { en: { title: 'First' } } } })
    for (const other of [{ anywhere: true }, { parent: 'product' }])
      expect(() => parseMapping({ ...base, group: { ...group, continues: true, ...other } })).toThrow(
        /group\.continues/,
      )
  })

  it('are grouped in objects as in tables', async () => {
    const rows = await readAll(
      '[{"product":"P","sku":"A","title":"Shirt","image":["https://a.example/1"]},{"product":"P","sku":"B","image":"https://a.example/2"}]',
      { ...base, group },
    )
    const images = ['https://a.example/1', 'https://a.example/2']
    expect(rows).toMatchObject([{ offer: { images } }, { offer: { images, texts: { en: { title: 'Shirt' } } } }])
  })

  it('that are apart are different products, unless they may be anywhere', async () => {
    const text = 'product,sku,title,cost,image\nP,A,Shirt,1,\nQ,C,Hat,3,\nP,B,,2,\n'
    const title = (rows: ReadRow[]) =>
      rows.flatMap((row) => ('offer' in row ? [`${row.offer.sku} ${row.offer.texts?.['en']?.title}`] : []))
    expect(title(await readAll(text, { ...base, group }))).toEqual(['A Shirt', 'C Hat', 'B null'])
    expect(title(await readAll(text, { ...base, group: { ...group, anywhere: true } }))).toEqual([
      'A Shirt',
      'B Shirt',
      'C Hat',
    ])
  })

  it('give the same offers in any order, where they may be anywhere', async () => {
    const [header = '', ...lines] = CSV.trim().split('\n')
    const mapping = { ...base, group: { ...group, anywhere: true } }
    const offers = async (order: string[]) =>
      (await readAll(`${[header, ...order].join('\n')}\n`, mapping))
        .flatMap((row) => ('offer' in row ? [{ ...row.offer, images: row.offer.images?.toSorted() }] : []))
        .toSorted((a, b) => (a.sku < b.sku ? -1 : 1))
    const expected = await offers(lines)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: lines.length }), async (order) => {
        expect(await offers(order)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('take from the parent that they name, before or behind it', async () => {
    const text =
      'sku,parent,title,cost,image\nB,P,,2,\nP,,Shirt,,https://a.example/1\nA,P,Own,1,https://a.example/2\nX,gone,,9,\n'
    const under = {
      by: 'sku',
      parent: 'parent',
      inherit: ['title'],
      collect: ['image'],
      offers: { column: 'cost', notIn: [''] },
    }
    const warnings: string[] = []
    const read = async (more: object) => {
      const rows: ReadRow[] = []
      const mapping = parseMapping({ ...base, group: { ...under, ...more } })
      for await (const page of readOfferPages(chunked(text), mapping, undefined, (warning) => warnings.push(warning)))
        rows.push(...page)
      return rows
    }
    const rows = await read({ anywhere: true })
    expect(summariesOf(rows)).toEqual(['3-', '4:A', '2:B', '5:X'])
    expect(rows[1]).toMatchObject({
      offer: { texts: { en: { title: 'Own' } }, images: ['https://a.example/2', 'https://a.example/1'] },
    })
    expect(rows[2]).toMatchObject({ offer: { texts: { en: { title: 'Shirt' } }, images: ['https://a.example/1'] } })
    expect(rows[3]).toMatchObject({ offer: { texts: { en: { title: null } } } })
    expect(warnings).toEqual(['1 rows name a parent that the file does not have'])
    expect(summariesOf(await read({}))).toEqual(['2:B', '3-', '4:A', '5:X'])
    expect(warnings[1]).toMatch(/^2 rows name a parent that the file does not have before them: give "anywhere"/)
  })

  it('are kept within limits', async () => {
    const many = `product,sku,title,cost,image\n${Array.from({ length: 60 }, (_, i) => `P,S${i},t,1,`).join('\n')}\n`
    await expect(readAll(many, { ...base, group }, undefined, { importGroupRowsMax: 50 })).rejects.toThrow(
      /more than 50 rows have the key/,
    )
    await expect(
      readAll(many, { ...base, group: { ...group, anywhere: true } }, undefined, { importGroupBytesMax: 5_000 }),
    ).rejects.toThrow(/too far apart/)
    await expect(readAll(many, { ...base, group: { ...group, inherit: ['titel'] } })).rejects.toThrow(
      /lacks .*"titel" \(did you mean "title"/,
    )
  })
})
