import { deflateRawSync, crc32 } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { brief, readAll } from '../fixtures.ts'

const mapping = { format: 'xlsx', locale: 'en', fields: { sku: 'sku', cost: 'cost', title: 'title' } }
type Cells = (string | number | boolean | Date | null)[][]
const workbook = (rows: Cells, more: { name: string; rows: Cells }[] = []) =>
  writeXlsx({ sheets: [{ name: 'Sheet1', rows }, ...more] })

/** A zip archive of stored or deflated parts. `claimed` is the size that the directory states. */
function zip(parts: { name: string; text: string; claimed?: number }[]): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, text, claimed } of parts) {
    const data = deflateRawSync(text)
    const fixed = Buffer.alloc(26)
    fixed.writeUInt16LE(20, 0)
    fixed.writeUInt16LE(8, 4)
    fixed.writeUInt32LE(crc32(text), 10)
    fixed.writeUInt32LE(data.length, 14)
    fixed.writeUInt32LE(claimed ?? Buffer.byteLength(text), 18)
    fixed.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fixed, Buffer.from(name), data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fixed, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('504b0506', 'hex'), end])
}

/** A workbook whose sheet is the given XML. */
const sheetOf = (rows: string, more: { name: string; text: string; claimed?: number }[] = []) =>
  zip([
    {
      name: '[Content_Types].xml',
      text: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      text: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    },
    {
      name: 'xl/workbook.xml',
      text: '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      text: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    },
    ...more,
  ])
const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`

describe('xlsx', () => {
  it('reads cells of all kinds, blank rows, and rows shorter than the header', async () => {
    const file = await workbook([
      ['Price list 2026', null, null],
      [null, null, null],
      ['sku', 'cost', 'title'],
      ['A', 12.34, 'Spade'],
      [4006381333931, 0.1 + 0.2, new Date('2026-11-30T00:00:00Z')],
      [],
      ['C', '1.5', true],
      ['D'],
    ])
    const rows = await readAll(file, mapping)
    expect(rows.map((row) => ('offer' in row ? row.offer : row))).toEqual([
      { sku: 'A', cost: '12.34', texts: { en: { title: 'Spade' } } },
      { sku: '4006381333931', cost: '0.3', texts: { en: { title: '2026-11-30' } } },
      { sku: 'C', cost: '1.5', texts: { en: { title: 'true' } } },
      { sku: 'D', cost: null, texts: { en: { title: null } } },
    ])
    expect(rows.map((row) => row.line)).toEqual([4, 5, 7, 8])
    // whatever format the mapping gives for tables, and without one
    for (const format of ['csv', undefined]) {
      const { format: _, ...rest } = mapping
      expect(await readAll(file, format === undefined ? rest : { ...rest, format })).toEqual(rows)
    }
  })

  it('takes the last result of a formula, and nothing of one that has none', async () => {
    const file = sheetOf(
      `<row r="1">${text('A1', 'sku')}${text('B1', 'cost')}${text('C1', 'title')}</row>` +
        `<row r="2">${text('A2', 'A')}<c r="B2"><f>2*3</f><v>6</v></c><c r="C2" t="str"><f>x</f><v>text</v></c></row>` +
        `<row r="3">${text('A3', 'B')}<c r="B3"><f>2*3</f></c></row>`,
    )
    expect((await readAll(file, mapping)).map((row) => ('offer' in row ? row.offer : row))).toEqual([
      { sku: 'A', cost: '6', texts: { en: { title: 'text' } } },
      { sku: 'B', cost: null, texts: { en: { title: null } } },
    ])
  })

  it('reads the sheet that the mapping names, and numbers with a decimal comma in the mapping', async () => {
    const file = await workbook(
      [['nothing']],
      [
        {
          name: 'Preise',
          rows: [
            ['sku', 'cost', 'title'],
            ['A', 1234.5, 'x'],
            ['B', '1.234,50', 'x'],
          ],
        },
      ],
    )
    const rows = await readAll(file, { ...mapping, sheet: 'Preise', decimal: ',' })
    expect(rows).toMatchObject([{ offer: { cost: '1234.5' } }, { offer: { cost: '1234.5' } }])
    await expect(readAll(file, mapping)).rejects.toThrow(/^line 1: the header lacks columns/)
    await expect(readAll(file, { ...mapping, sheet: 'None' })).rejects.toThrow(/no sheet "None"/)
  })

  it('refuses a workbook that is cut off, and what is none', async () => {
    const file = await workbook([
      ['sku', 'cost', 'title'],
      ['A', 1, 'x'],
    ])
    await expect(readAll(file.subarray(0, file.length - 30), mapping)).rejects.toThrow(/workbook is cut off/)
    await expect(readAll('sku,cost,title\nA,1,x\n', mapping)).rejects.toThrow(/not a workbook \(.xlsx\), but text/)
    await expect(readAll(file, { ...mapping, format: 'json' })).rejects.toThrow(/is a workbook \(.xlsx\), and not json/)
  })

  it('refuses a workbook that expands beyond the limits, whatever its directory says', async () => {
    const header = `<row r="1">${text('A1', 'sku')}${text('B1', 'cost')}${text('C1', 'title')}</row>`
    const limits = { importWorkbookSheetBytesMax: 100_000, importWorkbookPartsBytesMax: 100_000 }
    const bomb = header + `<row r="2">${text('A2', 'x'.repeat(200_000))}</row>`
    await expect(readAll(sheetOf(bomb), mapping, undefined, limits)).rejects.toThrow(
      /expands to too much: xl\/worksheets/,
    )
    const strings = [{ name: 'xl/sharedStrings.xml', text: 'x'.repeat(200_000) }]
    await expect(readAll(sheetOf(header, strings), mapping, undefined, limits)).rejects.toThrow(
      /expands to too much: xl\/sharedStrings/,
    )
    const small = zip([{ name: 'xl/worksheets/sheet1.xml', text: 'x'.repeat(200_000), claimed: 0 }])
    await expect(readAll(small, mapping)).rejects.toThrow(/has no size/)
  })

  it('refuses more rows than a file may have, without reading the rest', async () => {
    const rows: Cells = [['sku', 'cost', 'title'], ...Array.from({ length: 2_000 }, (_, i) => [`S${i}`, 1, 'x'])]
    await expect(readAll(await workbook(rows), mapping, undefined, { importRowsMax: 600 })).rejects.toThrow(
      /more than 600 rows/,
    )
    expect(brief(await readAll(await workbook(rows.slice(0, 3)), mapping))).toEqual(['2:S0', '3:S1'])
  })
})
