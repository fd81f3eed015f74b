import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summariesOf, chunked, readAll } from './fixtures.ts'
import { parseMapping } from './mapping/mapping.ts'
import { readOfferPages } from './read-offers.ts'
import { defaultLimits } from './rows.ts'

const fields = { sku: 'sku', title: 'title', images: { column: 'images', split: '|' } }
const files = {
  csv: '\ufeffsku,title,images\r\nA,"Zażółć\r\n""😀"" x",https://a.example/ż.jpg|https://a.example/b.jpg\r\n"B" ,y,\r\nC,z\r\n\r\nD,€,\r\n',
  ndjson:
    '\ufeff{"sku":"A","title":"Zażółć 😀","images":["https://a.example/ż.jpg"]}\r\n\r\n{"sku":"B"\r\n{"sku":"C","title":"€"}\r\n',
  json: '\ufeff[{"sku":"A","title":"Zażółć 😀 \\ud83d\\ude00","images":["https://a.example/ż.jpg"]}, 1, {"title":"€"}]',
}

describe('readOfferPages', () => {
  it.each(['csv', 'ndjson', 'json'] as const)('reads the same rows of %s for every chunking', async (format) => {
    const mapping = { format, locale: 'pl', fields }
    const text = files[format]
    const whole = await readAll(text, mapping)
    expect(whole.length).toBeGreaterThanOrEqual(3)
    expect(whole.some((row) => 'faults' in row)).toBe(true)
    const length = Buffer.byteLength(text)
    for (let cut = 0; cut <= length; cut++) expect(await readAll(text, mapping, [cut])).toEqual(whole)
    expect(await readAll(text, mapping, 1)).toEqual(whole)
    // The first bytes are collected to detect the kind of the file. Later chunks reach the parser as they are.
    const pad = format === 'json' ? ' '.repeat(4_200) : ''
    const long =
      format === 'csv'
        ? text + 'P,p,\r\n'.repeat(700) + text.slice(text.indexOf('\n') + 1)
        : format === 'json'
          ? pad + text.slice(1)
          : text + '{"sku":"P"}\n'.repeat(400) + text.slice(1)
    const rows = await readAll(long, mapping)
    const start = long.length - text.length - 10
    const bytes = Buffer.byteLength(long)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: start, max: bytes }), { minLength: 1, maxLength: 8 }),
        async (cuts) => {
          expect(await readAll(long, mapping, cuts)).toEqual(rows)
        },
      ),
      { numRuns: 60 },
    )
    for (let cut = Math.max(start, 4_096); cut < bytes; cut++) expect(await readAll(long, mapping, [cut])).toEqual(rows)
  })

  it('yields pages of the given size, in order', async () => {
    const text = `sku\n${Array.from({ length: 25 }, (_, i) => `S${i}`).join('\n')}\n`
    const sizes: number[] = []
    const limits = { ...defaultLimits, importPageRows: 10, importRowsMax: 25 }
    const mapping = parseMapping({ format: 'csv', fields: { sku: 'sku' } })
    for await (const page of readOfferPages(chunked(text), mapping, limits)) sizes.push(page.length)
    expect(sizes).toEqual([10, 10, 5])
    await expect(readAll(`${text}one more\n`, mapping, undefined, { importRowsMax: 25 })).rejects.toThrow(
      /^line 27: the file has more than 25 rows/,
    )
  })

  it('skips rows by the rules of skip', async () => {
    const skip = [
      { column: 'type', in: ['set', ''] },
      { column: 'on', notIn: ['1'] },
    ]
    const rows = await readAll('sku,type,on\nA,one,1\nB, set ,1\nC,one,0\nD,,1\nE,one,1\n', {
      format: 'csv',
      fields: { sku: 'sku' },
      skip,
    })
    expect(summariesOf(rows)).toEqual(['2:A', '3-', '4-', '5-', '6:E'])
  })

  it('refuses a file in which most numbers have another decimal sign than the one they were read by', async () => {
    const mapping = { format: 'csv', fields: { sku: 'sku', cost: 'cost' } }
    const text = (...costs: string[]) => `sku;cost\n${costs.map((cost, i) => `S${i};${cost}`).join('\n')}\n`
    await expect(readAll(text('1.200', '12,50', '7,5'), mapping)).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(/^cost: 1 values such as "1.200" were read with "." .* set "decimal"/),
    })
    expect(await readAll(text('1.200', '12,50', '7,5'), { ...mapping, decimal: ',' })).toMatchObject([
      { offer: { cost: '1200' } },
      { offer: { cost: '12.5' } },
      { offer: { cost: '7.5' } },
    ])
    expect(summariesOf(await readAll(text('1.200', '12.50', '7.5', '1,5'), mapping)).slice(0, 3)).toEqual([
      '2:S0',
      '3:S1',
      '4:S2',
    ])
  })
})
