import * as fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { chunked, readAll } from './fixtures.ts'
import { readText } from './text.ts'

async function decode(
  content: string | Uint8Array,
  encoding = 'utf-8',
  cuts?: number | number[],
  max = 1e9,
): Promise<string> {
  let text = ''
  for await (const piece of readText(chunked(content, cuts), encoding, max)) text += piece
  return text
}

describe('readText', () => {
  it('decodes the same text for every chunking, also of long files', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (part, size, long) => {
          fc.pre(Array.from(part).every((sign) => sign >= ' ' && sign !== '\ufeff'))
          const text = long ? part.repeat(3_000) : part
          expect(await decode(text, 'utf-8', long ? size * 97 : size)).toBe(text)
        },
      ),
      { numRuns: 200 },
    )
  })

  it.each([
    ['in the middle', Buffer.concat([Buffer.from('sku\nA\nB'), Buffer.from([0xb9]), Buffer.from('\nC\n')]), 3],
    ['at the end', Buffer.concat([Buffer.from('sku\nA\n'), Buffer.from([0xc5])]), 3],
    ['overlong', Buffer.concat([Buffer.from('sku\n'), Buffer.from([0xc0, 0xaf]), Buffer.from('\n')]), 2],
    ['a surrogate', Buffer.concat([Buffer.from('sku\n'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('\n')]), 2],
    [
      'far in',
      Buffer.concat([Buffer.from('zażółć\n'.repeat(20_000)), Buffer.from([0xff]), Buffer.from('\nx')]),
      20_001,
    ],
  ])('names the line of invalid UTF-8 %s', async (_, bytes, line) => {
    for (const size of [1_000, 4_097, 1e9]) {
      await expect(decode(bytes, 'utf-8', size)).rejects.toMatchObject({
        code: 'source-unreadable',
        message: expect.stringMatching(new RegExp(`^line ${line}: bytes that are not valid UTF-8`)),
      })
    }
  })

  it('decodes windows-1250 and utf-16, cut at any byte', async () => {
    const text = 'sku,title\nŁ1,Zażółć gęślą jaźń\n'
    for (const encoding of ['windows-1250', 'utf-16le', 'utf-16']) {
      const bytes = iconv.encode(text, encoding)
      for (let cut = 0; cut <= bytes.length; cut++) expect(await decode(bytes, encoding, [cut])).toBe(text)
    }
    const rows = await readAll(iconv.encode(text, 'windows-1250'), {
      format: 'csv',
      encoding: 'windows-1250',
      locale: 'pl',
      fields: { sku: 'sku', title: 'title' },
    })
    expect(rows).toEqual([{ line: 2, offer: { sku: 'Ł1', texts: { pl: { title: 'Zażółć gęślą jaźń' } } } }])
  })

  it('names the line of a byte that is invalid in the encoding', async () => {
    const bytes = Buffer.concat([Buffer.from('sku\nA\n'), Buffer.from([0x81])])
    await expect(decode(bytes, 'windows-1250')).rejects.toThrow(/^line 3: a byte without meaning in windows-1250/)
  })

  it.each([
    ['377abcaf271c0004', /7z archive/],
    ['d0cf11e0a1b11ae1', /old Excel/],
    ['0904060000001000', /workbook of Excel 4/],
    ['0908100000060500', /old workbook/],
    ['255044462d312e37', /PDF/],
    ['fffe73006b007500', /UTF-16/],
    ['73006b0075000a00', /binary file/],
  ])('refuses the binary file %s', async (hex, words) => {
    await expect(decode(Buffer.from(hex, 'hex'), 'utf-8', 1)).rejects.toThrow(words)
  })

  it('refuses a file that is too large, and an empty one', async () => {
    expect(await decode('12345', 'utf-8', 2, 5)).toBe('12345')
    await expect(decode('123456', 'utf-8', 2, 5)).rejects.toThrow(/larger than 5 bytes/)
    await expect(decode('')).rejects.toThrow(/empty/)
  })
})
