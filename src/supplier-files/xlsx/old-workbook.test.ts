import { describe, expect, it } from 'vitest'
import { detectMapping } from '../proposal/detect.ts'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'

const mapping = { locale: 'en', fields: { sku: 'SKU', cost: 'Price', title: 'Name' } }

const cell = (value: string | number, attributes = '') =>
  `<Cell${attributes}><Data ss:Type="${typeof value === 'number' ? 'Number' : 'String'}">${value}</Data></Cell>`
const row = (...cells: (string | number)[]) => `<Row>${cells.map((value) => cell(value)).join('')}</Row>`
const sheet = (name: string, rows: string) => `<Worksheet ss:Name="${name}"><Table>${rows}</Table></Worksheet>`
const workbook = (sheets: string, styles = '') =>
  `<?xml version="1.0"?>\r\n<?mso-application progid="Excel.Sheet"?>\r\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"\r\n xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles>${styles}</Styles>${sheets}</Workbook>`
const header = row('SKU', 'Name', 'Price')

async function offers(text: string | Uint8Array, settings: object = {}) {
  const rows = await readAll(text, { ...mapping, ...settings })
  return rows.map((one) =>
    'offer' in one
      ? [one.line, one.offer.sku, one.offer.texts?.['en']?.title ?? '', one.offer.cost]
      : summariesOf([one]).join(''),
  )
}

describe('a workbook in the XML form of Excel 2003', () => {
  it('is a table: cells and rows that are left out are empty, and merged cells take the place of several', async () => {
    const rows = [
      `<Row ss:Index="2">${cell('Prices of spring', ' ss:MergeAcross="2"')}</Row>`,
      `<Row ss:Span="1"/>`,
      header,
      `<Row>${cell('K-1')}${cell(9, ' ss:Index="3"')}</Row>`,
      `<Row ss:Index="9">${cell('K-2', ' ss:MergeAcross="0"')}${cell('Belt')}${cell(1e1)}</Row>`,
    ].join('')
    expect(await offers(workbook(sheet('A', rows)))).toEqual([
      [6, 'K-1', '', '9'],
      [9, 'K-2', 'Belt', '10'],
    ])
  })

  it('has texts in several fonts whole, without what is remarked on a cell, and numbers as they are shown', async () => {
    const styles = '<Style ss:ID="s5"><NumberFormat ss:Format="00000"/></Style>'
    const rich =
      '<Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">Bl<B>ue <I>b</I></B>elt</ss:Data><Comment ss:Author="x"><ss:Data>sold out</ss:Data></Comment></Cell>'
    const rows = `${header}<Row>${cell(42, ' ss:StyleID="s5"')}${rich}${cell(0.1 + 0.2)}</Row><Row><Cell><Data ss:Type="String">\n K-2 \n</Data></Cell>${cell('')}${cell(3)}</Row>`
    expect(await offers(workbook(sheet('A', rows), styles))).toEqual([
      [2, '00042', 'Blue belt', '0.3'],
      [3, 'K-2', '', '3'],
    ])
  })

  it('has days as texts', async () => {
    const day = (text: string) => `<Cell><Data ss:Type="DateTime">${text}</Data></Cell>`
    const rows = `${header}<Row>${cell('K-1')}${day('2026-11-30T00:00:00.000')}${cell(1)}</Row><Row>${cell('K-2')}${day('2026-11-30T12:30:00.000')}${cell(1)}</Row>`
    expect((await offers(workbook(sheet('A', rows)))).map((one) => one[2])).toEqual([
      '2026-11-30',
      '2026-11-30T12:30:00',
    ])
  })

  it('is UTF-8 where its bytes are, whatever it says: that is seen when it is detected, and when it is imported', async () => {
    const text = workbook(sheet('A', header + row('K-1', 'Gürtel', 9) + row('K-2', 'Hüte', 8))).replace(
      '"1.0"',
      '"1.0" encoding="windows-1252"',
    )
    const { mapping: found } = await detectMapping(chunked(text))
    expect(found).toMatchObject({ format: 'xlsx', encoding: 'utf-8' })
    expect(await offers(text, { encoding: 'utf-8' })).toMatchObject([
      [2, 'K-1', 'Gürtel', '9'],
      [3, 'K-2', 'Hüte', '8'],
    ])
    const pages = readOfferPages(chunked(text), parseMapping(mapping))
    while ((await pages.next()).done !== true);
    expect(pages.doubts().misread).toMatchObject({ encoding: 'windows-1252', right: 'ü' })
  })

  it('is read by its first sheet, or the one that the mapping names', async () => {
    const text = workbook(sheet('A', header + row('K-1', 'Belt', 9)) + sheet('B', header + row('K-2', 'Bag', 8)))
    expect(await offers(text)).toEqual([[2, 'K-1', 'Belt', '9']])
    expect(await offers(text, { sheet: 'B', format: 'xlsx' })).toEqual([[2, 'K-2', 'Bag', '8']])
    await expect(offers(text, { sheet: 'C' })).rejects.toThrow('no sheet "C", but "A", "B"')
  })

  it('comes in whatever its chunks and its encoding are', async () => {
    const text = workbook(sheet('A', header + row('K-1', 'Пояс', 9)))
    const utf16 = Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(text, 'utf16le')])
    expect(await offers(utf16)).toEqual([[2, 'K-1', 'Пояс', '9']])
    for (const cuts of [1, 7]) expect(summariesOf(await readAll(text, mapping, cuts))).toEqual(['2:K-1'])
  })

  it('stays a document where the mapping says so', async () => {
    const text = workbook(sheet('A', row('K-1', 'Belt', 9)))
    const path = { items: 'Workbook.Worksheet.Table.Row', fields: { sku: { column: 'Cell.Data', take: 0 } } }
    const rows = await readAll(text, { locale: 'en', format: 'xml', ...path })
    expect(summariesOf(rows)).toEqual(['4:K-1'])
    expect(summariesOf(await readAll(text, { locale: 'en', ...path }))).toEqual(['4:K-1'])
  })

  it('is refused where it is cut off or no XML, and beyond the limits', async () => {
    const text = workbook(sheet('A', header + row('K-1', 'Belt', 9)))
    await expect(offers(text.slice(0, -60))).rejects.toThrow('the workbook is damaged')
    await expect(offers(text.replace('</Row>', '</Rov>'))).rejects.toThrow('not well-formed')
    const wide = `${header}<Row>${cell('K-1')}${cell('x', ' ss:Index="6000"')}</Row>`
    await expect(offers(workbook(sheet('A', wide)))).rejects.toThrow('more than 5000 columns')
  })

  it('has no more than a row of it held, within the limits of rows, sheets and formats (I157)', async () => {
    const fonts = '<B>bold</B><I>slanted</I>'.repeat(2_000)
    const long = `<Row>${cell('K-1')}<Cell><Data ss:Type="String">${fonts}</Data></Cell>${cell(9)}</Row>`
    const rows = await readAll(workbook(sheet('A', header + long + row('K-2', 'Bag', 8))), mapping, 50, {
      importRowBytesMax: 10_000,
    })
    expect(summariesOf(rows)).toEqual(['2!row is longer than 10000 bytes', '3:K-2'])
    const few = { importWorkbookEntriesMax: 2 }
    const sheets = ['A', 'B', 'C'].map((name) => sheet(name, header)).join('')
    await expect(readAll(workbook(sheets), { ...mapping, sheet: 'D' }, undefined, few)).rejects.toThrow(
      'more than 2 sheets',
    )
    const style = (id: number) => `<Style ss:ID="s${id}"><NumberFormat ss:Format="00${'0'.repeat(id)}"/></Style>`
    const styles = [1, 2, 3].map(style).join('')
    await expect(readAll(workbook(sheet('A', header), styles), mapping, undefined, few)).rejects.toThrow(
      'more than 2 formats',
    )
  })

  it('is no workbook for a document that has one within it, or a long beginning', async () => {
    const within = `<?xml version="1.0"?><items xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><item><sku>A</sku></item></items>`
    expect(summariesOf(await readAll(within, { locale: 'en', fields: { sku: 'sku' } }))).toEqual(['1:A'])
    const before = performance.now()
    await readAll(`${' '.repeat(4_000)}<a><b><sku>A</sku></b></a>`, { locale: 'en', fields: { sku: 'sku' } })
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('is detected with the sheet that has the articles', async () => {
    const asked: string[] = []
    const notes = sheet('Contact', row('Ask us', 'sales@example.org'))
    const list = sheet(
      'Prices',
      row('SKU', 'Name', 'Price', 'Stock') + row('K-1', 'Belt', 9.5, 4) + row('K-2', 'Bag', 8, 2),
    )
    const { mapping: found, form } = await detectMapping(chunked(workbook(notes + list)), (one) => asked.push(one))
    expect(found).toMatchObject({
      format: 'xlsx',
      sheet: 'Prices',
      fields: { sku: 'SKU', title: 'Name', cost: 'Price', quantity: 'Stock' },
    })
    expect(form).toMatchObject({ encoding: null, delimiter: null, headerLine: 1, rows: 2 })
    expect(asked.join()).toContain('the articles are read from the sheet "Prices"')
  })
})
