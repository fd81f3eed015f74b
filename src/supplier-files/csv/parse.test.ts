import { describe, expect, it } from 'vitest'
import { summariesOf, readAll } from '../fixtures.ts'

const mapping = { format: 'csv', locale: 'en', fields: { sku: 'sku', title: 'title' } }
const rows = async (text: string, more: object = {}) => summariesOf(await readAll(text, { ...mapping, ...more }))

describe('csv', () => {
  it('accepts a BOM, CRLF, blank lines and a last line without a line feed', async () => {
    expect(await rows('\ufeffsku,title\r\nA,x\r\n\r\nB,y')).toEqual(['2:A', '4:B'])
    const [first] = await readAll('\ufeffsku,title\r\nA,x\r\n', mapping)
    expect(first).toEqual({ line: 2, offer: { sku: 'A', texts: { en: { title: 'x' } } } })
  })

  it.each(['\n', '\r\n'])('counts physical lines through quoted line feeds (%j)', async (end) => {
    const text = ['sku,title', 'A,"one', 'two', '', 'three ""four"""', 'B,x', '"C', 'D",y', 'E,z', ''].join(end)
    const read = await readAll(text, mapping)
    expect(summariesOf(read)).toEqual(['2:A', '6:B', `7:C${end}D`, '9:E'])
    expect(read[0]).toMatchObject({ offer: { texts: { en: { title: `one${end}two${end}${end}three "four"` } } } })
  })

  it.each([
    [';', 'csv'],
    ['|', 'csv'],
    ['\t', 'tsv'],
    ['||', 'csv'],
  ])('accepts %j as the delimiter', async (delimiter, format) => {
    const text = `sku${delimiter}title\nA${delimiter}"x${delimiter}y"\n`
    const [row] = await readAll(text, { ...mapping, format, ...(format === 'tsv' ? {} : { delimiter }) })
    expect(row).toEqual({ line: 2, offer: { sku: 'A', texts: { en: { title: `x${delimiter}y` } } } })
  })

  it('reads quotes as text if the mapping says so', async () => {
    const [row] = await readAll('sku,title\nA,"x\n', { ...mapping, quote: '' })
    expect(row).toMatchObject({ offer: { texts: { en: { title: '"x' } } } })
  })

  it('reports a row with the wrong number of columns and continues', async () => {
    expect(await rows('sku,title\nA\nB,x,y\nC,z\n')).toEqual([
      '2!row has 1 columns where the header has 2',
      '3!row has 3 columns where the header has 2',
      '4:C',
    ])
  })

  it('reports malformed quotes and continues with the next line', async () => {
    expect(await rows('sku,title\n"A" x,y\nB,z\n')).toEqual([
      expect.stringMatching(/^2!row has malformed quotes/),
      '3:B',
    ])
  })

  it('reports a row that is too long, and refuses a file with a record that does not end', async () => {
    const long = { importRowBytesMax: 1_000 }
    const huge = await readAll(`sku,title\nA,${'ż'.repeat(501)}\nB,${'x'.repeat(990)}\n`, mapping, 64, long)
    expect(summariesOf(huge)).toEqual(['2!row is longer than 1000 bytes', '3:B'])
    await expect(readAll(`sku,title\nA,"${'x\n'.repeat(3_000)}`, mapping, 64, long)).rejects.toThrow(
      /^line 2: .*no end within 4000 bytes/,
    )
  })

  it.each([
    ['sku,title\nA,x\nB,"y\nC,z\n', /^line 3: the file is cut off: a quote/],
    ['sku,title\nA,x\nB', /^line 3: the file is cut off: its last row ends after 1 of 2/],
    ['sku,title,sku\nA,x,B\n', /^line 1: the header names "sku" more than once/],
    ['\n\n', /^line 1: the file has no header/],
    ['', /empty/],
    [
      'SKU,titel\nA,x\n',
      /^line 1: the header lacks .*"sku" \(did you mean "SKU"\?\), "title" \(did you mean "titel"\?\)/,
    ],
    ['sku;title\nA;x\n', /one column: is the delimiter "," right/, { delimiter: ',' }],
  ])('refuses %j', async (text, message, more?: object) => {
    await expect(rows(text, more)).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(message),
    })
  })
})
