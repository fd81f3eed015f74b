import { describe, expect, it } from 'vitest'
import { summariesOf, readAll } from '../fixtures.ts'

const mapping = { format: 'ndjson', fields: { sku: 'sku', cost: 'price.net' } }

describe('ndjson', () => {
  it('accepts CRLF, blank lines and a last line without a line feed', async () => {
    const rows = await readAll('\ufeff{"sku":"A","price":{"net":1.50}}\r\n\r\n \n{"sku":"B"}', mapping)
    expect(rows).toEqual([
      { line: 1, offer: { sku: 'A', cost: '1.5' } },
      { line: 4, offer: { sku: 'B' } },
    ])
  })

  it('follows dotted paths only through own members of the row', async () => {
    const fields = { sku: 'sku', cost: 'price.net', category: 'constructor.name', manufacturer: 'toString' }
    const rows = await readAll('{"sku":"A","price.net":"2","price":{"net":"3"}}\n{"sku":"B","price":7}\n', {
      ...mapping,
      fields,
    })
    expect(rows).toEqual([
      { line: 1, offer: { sku: 'A', cost: '2' } },
      { line: 2, offer: { sku: 'B' } },
    ])
  })

  it('reports a line that is not an object and continues', async () => {
    const rows = await readAll('{"sku":\n[1]\nnull\n{"sku":7}\n', mapping)
    expect(summariesOf(rows)).toEqual([
      expect.stringMatching(/^1!row is not valid JSON/),
      '2!row is not a JSON object',
      '3!row is not a JSON object',
      '4:7',
    ])
  })

  it('refuses a file that is cut off in its last line', async () => {
    await expect(readAll('{"sku":"A"}\n{"sku":"B', mapping)).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(/^line 2: the file is cut off/),
    })
  })

  it('reports a line that is too long, and refuses a file with one that does not end', async () => {
    const limits = { importRowBytesMax: 100 }
    const long = JSON.stringify({ sku: 'x'.repeat(200) })
    expect(summariesOf(await readAll(`${long}\n{"sku":"B"}\n`, mapping, 7, limits))).toEqual([
      '1!row is longer than 100 bytes',
      '2:B',
    ])
    await expect(readAll(long.repeat(9), mapping, 7, limits)).rejects.toThrow(/^line 1: has no end within 400 bytes/)
  })
})
