import { deflateRawSync, crc32 } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { summariesOf, readAll } from '../fixtures.ts'

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
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
/** A workbook of several sheets, with shared texts and styles. */
function workbookOf(
  sheets: { name: string; rows: string; state?: string }[],
  { texts = '', styles = '', properties = '', prefix = '' } = {},
): Buffer {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const listed = sheets.map(
    ({ name, state = 'visible' }, i) => `<sheet name="${name}" sheetId="${i + 1}" state="${state}" r:id="s${i}"/>`,
  )
  const targets = sheets.map((_, i) => relation(`s${i}`, 'worksheet', `/xl/worksheets/sheet${i}.xml`))
  const tag = prefix === '' ? '' : `${prefix}:`
  const xmlns = prefix === '' ? 'xmlns' : `xmlns:${prefix}`
  return zip([
    { name: '[Content_Types].xml', text: '<Types/>' },
    {
      name: '_rels/.rels',
      text: `<Relationships>${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      text: `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr ${properties}/><sheets>${listed.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: `<Relationships>${targets.join('')}${relation('t', 'sharedStrings', 'sharedStrings.xml')}${relation('y', 'styles', 'styles.xml')}</Relationships>`,
    },
    ...sheets.map(({ rows }, i) => ({
      name: `xl/worksheets/sheet${i}.xml`,
      text: `<${tag}worksheet ${xmlns}="${main}"><${tag}sheetData>${rows}</${tag}sheetData></${tag}worksheet>`,
    })),
    { name: 'xl/sharedStrings.xml', text: `<sst xmlns="${main}">${texts}</sst>` },
    { name: 'xl/styles.xml', text: `<styleSheet xmlns="${main}">${styles}</styleSheet>` },
  ])
}
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
    // with each table format that a mapping may state, and without one
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
    expect(summariesOf(await readAll(await workbook(rows.slice(0, 3)), mapping))).toEqual(['2:S0', '3:S1'])
  })

  it('reads dates, times and numbers with zeros before them as they are shown', async () => {
    const formats = ['m/d/yyyy', '00000', '[Red]0.00;"today"', '[$-407]d. mmm yyyy', 'h:mm', '0000.0', '[h]:mm']
    const styles = `<numFmts>${formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>
      <cellStyleXfs><xf numFmtId="14"/><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')}</cellXfs>`
    const row = (n: number, style: number, value: string) =>
      `<row r="${n}"><c r="A${n}" s="${style}"><v>${value}</v></c><c r="C${n}" s="${style}"><v>${value}</v></c></row>`
    const rows = [
      [1, '46356'],
      [2, '46356.25'],
      [3, '42'],
      [4, '0.5'],
      [5, '1'],
      [6, '0.75'],
      [7, '12.5'],
      [0, '12.1'],
      [1, '59'],
    ].map(([style, value], i) => row(i + 2, Number(style), String(value)))
    const header = `<row r="1">${text('A1', 'sku')}${text('B1', 'cost')}${text('C1', 'title')}</row>`
    const titles = async (properties: string) =>
      (await readAll(workbookOf([{ name: 'A', rows: header + rows.join('') }], { styles, properties }), mapping)).map(
        (read) => ('offer' in read ? read.offer.texts?.['en']?.title : read),
      )
    expect(await titles('')).toEqual([
      '2026-11-30',
      '2026-11-30T06:00:00',
      '00042',
      '0.5',
      '1900-01-01',
      '18:00:00',
      '12.5',
      '12.1',
      '1900-02-28',
    ])
    expect((await titles('date1904="1"'))[0]).toBe('2030-12-01')
  })

  it('reads shared texts of several formats, without readings in another script, and elements with a prefix', async () => {
    const texts =
      '<si><t>sku</t></si><si><t>cost</t></si><si><t>title</t></si><si><r><rPr/><t>Spa</t></r><r><t xml:space="preserve">de </t></r><rPh sb="0" eb="1"><t>x</t></rPh></si><si><t/></si>'
    const cells = (n: number, ...indexes: number[]) =>
      `<x:row>${indexes.map((index) => `<x:c t="s"><x:v>${index}</x:v></x:c>`).join('')}</x:row>`.replace(
        '<x:row>',
        `<x:row r="${n}">`,
      )
    const rows = `${cells(1, 0, 1, 2)}<x:row r="3"><x:c t="inlineStr"><x:is><x:t>A</x:t></x:is></x:c><x:c><x:v>1.5E2</x:v></x:c><x:c t="s"><x:v>3</x:v></x:c></x:row>${cells(9, 3, 4, 99)}`
    const read = await readAll(workbookOf([{ name: 'A', rows }], { texts, prefix: 'x' }), mapping)
    expect(read).toMatchObject([
      { line: 3, offer: { sku: 'A', cost: '150', texts: { en: { title: 'Spade' } } } },
      { line: 9, offer: { sku: 'Spade', cost: null, texts: { en: { title: null } } } },
    ])
  })

  it('takes the first sheet that is not hidden, and names those that there are', async () => {
    const rows = (sku: string) =>
      `<row r="1">${text('A1', 'sku')}${text('B1', 'cost')}${text('C1', 'title')}</row><row r="2">${text('A2', sku)}</row>`
    const file = workbookOf([
      { name: 'Lists', rows: rows('L'), state: 'hidden' },
      { name: 'Preise', rows: rows('P') },
    ])
    expect(await readAll(file, mapping)).toMatchObject([{ offer: { sku: 'P' } }])
    expect(await readAll(file, { ...mapping, sheet: 'Lists' })).toMatchObject([{ offer: { sku: 'L' } }])
    await expect(readAll(file, { ...mapping, sheet: 'preise' })).rejects.toThrow(
      /no sheet "preise", but "Lists", "Preise"/,
    )
  })

  it.each([
    ['xl/workbook.bin', 'x', /binary workbook \(.xlsb\): save it as .xlsx/],
    ['xl/other.xml', '<a/>', /no list of its sheets/],
  ])('refuses a workbook of %s', async (name, part, message) => {
    await expect(
      readAll(
        zip([
          { name: '[Content_Types].xml', text: '<Types/>' },
          { name, text: part },
        ]),
        mapping,
      ),
    ).rejects.toThrow(message)
  })

  it.each([
    [
      'an element that is not closed',
      '<row r="1"><c r="A1"><v>1</v>',
      /damaged: xl\/worksheets\/sheet0.xml is not well-formed/,
    ],
    ['elements nested too deep', '<a>'.repeat(100), /nested more than 64 deep/],
    ['a column beyond the last', '<row r="1"><c r="XFE1"><v>1</v></c></row>', /cell XFE1 that no sheet has/],
    [
      'a text without an end',
      `<row r="1"><c r="A1"><v>${'1'.repeat(5_000_000)}`,
      /no element .* ends within|not well-formed/,
    ],
    ['an entity', '<!DOCTYPE x [<!ENTITY e "y">]><row r="1"><c r="A1" t="str"><v>&e;</v></c></row>', /not well-formed/],
  ])('refuses %s', async (_, rows, message) => {
    await expect(
      readAll(workbookOf([{ name: 'A', rows }]), mapping, undefined, { importRowBytesMax: 1_000_000 }),
    ).rejects.toThrow(message)
  })

  it('refuses a part that is not what was packed, or more than its directory says', async () => {
    const file = Buffer.from(
      sheetOf(`<row r="1">${text('A1', 'sku')}${text('B1', 'cost')}${text('C1', 'title')}</row>`),
    )
    const directory = file.lastIndexOf(Buffer.from('504b0102', 'hex'))
    const damaged = Buffer.from(file)
    damaged.writeUInt32LE(1, directory + 16)
    await expect(readAll(damaged, mapping)).rejects.toThrow(/sheet1.xml is not what was packed/)
    const larger = Buffer.from(file)
    larger.writeUInt32LE(20, directory + 24)
    await expect(readAll(larger, mapping)).rejects.toThrow(/sheet1.xml expands to more than its directory says/)
  })
})
