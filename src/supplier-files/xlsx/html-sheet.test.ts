import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { detectMapping } from '../proposal/detect.ts'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'
import { defaultLimits } from '../rows.ts'
import { HtmlRows, isHtmlTable, readHtmlSheet } from './html-sheet.ts'
import { showsNumber } from './number-shown.ts'
import { TakenColumns } from './taken-columns.ts'

const mapping = { locale: 'en', fields: { sku: 'SKU', cost: 'Price', title: 'Name' } }
const header = '<tr><th>SKU</th><th>Name</th><th>Price</th></tr>'
const table = (rows: string) => `<html><body><table border=1>${rows}</table></body></html>`

async function offers(text: string | Uint8Array, settings: object = {}, cuts?: number) {
  const rows = await readAll(text, { ...mapping, ...settings }, cuts)
  return rows.map((one) =>
    'offer' in one
      ? [one.line, one.offer.sku, one.offer.texts?.['en']?.title ?? '', one.offer.cost]
      : summariesOf([one]).join(''),
  )
}

const EXCEL = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><title>Prices <table></title>
<style><!-- td { mso-number-format:"\\@"; } table > tr { } --></style>
<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets></x:ExcelWorksheets></x:ExcelWorkbook></xml><![endif]--></head>
<body link=blue>
<TABLE border=0 cellpadding='0'><tr height=20><td colspan=3 class=xl65>Prices of spring &amp; summer</td></tr></TABLE>
<table>
 <thead>${header}</thead>
 <tr><td class=xl66 title="a > b">K-1<td>Blue&nbsp;belt<br>with  a
   buckle</td><td align=right x:num="9.5">9,50</td></tr>
 <tr><td>007</td><td><b>B</b>ag <table><tr><td>of felt</td></tr></table></td><td x:num>8</td></tr>
 <tr><td rowspan=2>K-3</td><td>Hat &#169; &#x20ac; &Auml;</td><td>7</td></tr>
 <tr><td>not its key</td><td>6</td></tr>
 <tr><td>K-4</td><td></td><td>5.25</td>
</table></body></html>`

describe('a table in HTML that is saved for Excel', () => {
  it('is a sheet: merged cells take the place of several, and a table in a cell is text of it', async () => {
    const right = [
      [3, 'K-1', 'Blue belt\nwith a buckle', '9.5'],
      [4, '007', 'Bag of felt', '8'],
      [5, 'K-3', 'Hat © € Ä', '7'],
      '6!sku is required',
      [7, 'K-4', '', '5.25'],
    ]
    const settings = { skipLines: 1 }
    expect(await offers(EXCEL, settings)).toEqual(right)
    for (const cuts of [1, 2, 3, 7, 64]) expect(await offers(EXCEL, settings, cuts)).toEqual(right)
  })

  it('is detected, with titles above it, and read by what is proposed', async () => {
    const warnings: string[] = []
    const { mapping: found } = await detectMapping(chunked(EXCEL), (warning) => warnings.push(warning))
    expect(found).toMatchObject({ format: 'xlsx', fields: { sku: 'SKU', title: 'Name', cost: 'Price' } })
    expect((await readAll(EXCEL, found)).filter((row) => 'offer' in row)).toHaveLength(4)
  })

  it('is in the encoding that it states', async () => {
    const text = `<meta http-equiv="content-type" content="text/html; charset=windows-1251"><table>${header}<tr><td>Ш-1</td><td>Пояс</td><td>5</td></tr></table>`
    expect(await offers(iconv.encode(text, 'windows-1251'))).toEqual([[2, 'Ш-1', 'Пояс', '5']])
  })

  it('has the address of a picture where a cell shows nothing else', async () => {
    const rows = `${header}<tr><td>K-1</td><td><img src="https://a.example/1.jpg"></td><td>5</td></tr>`
    expect(await offers(table(rows))).toEqual([[2, 'K-1', 'https://a.example/1.jpg', '5']])
  })

  it('has the decoded address of a picture', async () => {
    const rows = `${header}<tr><td>K-1</td><td><img src=x.png><img src="https://a.example/i?a=1&amp;b=2"></td><td>5</td></tr>`
    expect(await offers(table(rows))).toEqual([[2, 'K-1', 'https://a.example/i?a=1&b=2', '5']])
  })

  it('has the number behind a rounded one, and of dates and percentages what is shown', async () => {
    const cell = async (text: string) =>
      (await offers(table(`${header}<tr><td>K-1</td><td ${text}</td><td>5</td></tr>`)))[0]?.[2]
    expect(await cell('x:num="45000">15.03.2023')).toBe('15.03.2023')
    expect(await cell('x:num="0.19">19%')).toBe('19%')
    expect(await cell('x:num="4006381333931">4,00638E+12')).toBe('4006381333931')
    for (const [text, number] of [
      ['9,50', 9.5],
      ['1.234,57 €', 1_234.567],
      ['1 234 руб.', 1_234.4],
      ['1,00,000', 100_000],
      ['US$ 12.00', 12],
      ['EUR 12,-', 12],
      ['-5.5', -5.5],
      ['8', 8],
    ] as const)
      expect([text, showsNumber(text, number)]).toEqual([text, true])
    for (const [text, number] of [
      ['2023-03-15', 45_000],
      ['12:30', 0.52],
      ['5 kg', 5],
      ['19 %', 0.19],
      ['1,2E+10', 5],
      ['', 0],
    ] as const)
      expect([text, showsNumber(text, number)]).toEqual([text, false])
  })

  it('has no elements that pass over what follows but those of HTML', async () => {
    for (const name of ['constructor', 'toString'])
      expect(await offers(table(`${header}<tr><td>K-1</td><td>a<${name}>b</td><td>5</td></tr>`))).toEqual([
        [2, 'K-1', 'ab', '5'],
      ])
  })

  it.each([
    ['a page to sign in', `<html><body><form><table>${header}</table><input name=user></form></body></html>`],
    ['a page of an error', '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>'],
    ['a page with scripts', `<!DOCTYPE html><html><head><script>x</script></head><table>${header}</table></html>`],
    ['a page for phones', `<html><head><meta name="viewport" content="x"></head><table>${header}</table></html>`],
  ])('is not %s, which is refused as a page', async (_, text) => {
    expect(isHtmlTable(Buffer.from(text))).toBe(false)
    await expect(offers(text)).rejects.toThrow(/HTML page, most likely an error page/)
  })

  it('is refused as a page where the mapping says that the file is a text', async () => {
    await expect(offers(table(header), { format: 'csv' })).rejects.toThrow(/HTML page/)
    await expect(offers(table(header), { format: 'xml' })).rejects.toThrow(/HTML page/)
  })

  it('is refused where it is cut off, and where a tag or a text has no end', async () => {
    const whole = table(`${header}<tr><td>K-1</td><td>Belt</td><td>5</td></tr>`)
    for (const cut of ['</table></body></html>', '5</td></tr></table></body></html>'])
      await expect(offers(whole.slice(0, -cut.length))).rejects.toThrow(/cut off/)
    await expect(offers(`<table>${header}<tr><td title="${'x'.repeat(70_000)}`)).rejects.toThrow(/a tag has no end/)
    const long = `<table>${header}<tr><td>${'<b>x</b> '.repeat(600_000)}`
    await expect(offers(long)).rejects.toThrow(/a text of more than/)
    await expect(offers('<table><caption>x</caption></table>')).rejects.toThrow()
  })

  const article = (key: string, name = 'Belt') => `<tr><td>${key}</td><td>${name}</td><td>5</td></tr>`
  const articles = article('K-2') + article('K-3')

  it.each([
    ['a table without an end', table(header + article('K-1', 'see <table><tr><td>x') + articles)],
    ['the end of a table', table(header + article('K-1', 'see</table>') + articles)],
    ['the end of a table, and no row follows', table(header + article('K-1', 'see</table>'))],
    ['a title without an end', table(header + article('K-1', 'see <title>') + articles)],
    ['the end of a page, and is cut off behind it', `<html><table>${header}${article('K-1', 'see</body></html>')}`],
  ])('is refused where a text has %s: no row is lost in silence', async (_, text) => {
    await expect(offers(text)).rejects.toThrow(/cut off.*behind row 2/)
    await expect(offers(text, {}, 5)).rejects.toThrow(/cut off/)
  })

  it.each([
    ['between two tables', `<html><body><table>${header}${article('K-1')}</table>\n`],
    ['in the tag of the second one', `<table>${header}${article('K-1')}</table>\n<tab`],
    ['in a comment between them', `<table>${header}${article('K-1')}</table>\n<!-- K-2`],
    ['in the second one, before its first row', `<table>${header}${article('K-1')}</table><table border=1>`],
    ['behind the end of a page and the next table', `${table(header + article('K-1'))}<table>`],
  ])('is refused where it is cut off %s', async (_, text) => {
    await expect(offers(text)).rejects.toThrow(/cut off/)
  })

  it.each([
    ['without a page around it', `<table>${header}${article('K-1')}</table>\n`],
    ['without ends of cells and rows', '<table><tr><th>SKU<th>Name<th>Price<tr><td>K-1<td>Belt<td>5</table>'],
    ['without the end of the body', `<html><body><table>${header}${article('K-1')}</table></html>`],
    ['without the end of the page', `<html><body><table>${header}${article('K-1')}</table></body>`],
    ['without the end of the table', `<html><body><table>${header}${article('K-1')}</body></html>`],
    ['with the end of a page in a text', table(header + article('K-1', 'Belt</body></html>'))],
    ['with a page in a text', table(header + article('K-1', '<html><body>Belt</body></html>'))],
    ['with something behind its end', `${table(header + article('K-1'))}<table><tr><td></table><p>`],
    ['as two pages', table(header) + table(article('K-1'))],
    ['with ends that have no beginning', `<table>${header}${article('K-1')}</table></td></tr></table>`],
  ])('is read %s', async (_, text) => {
    for (const cuts of [1, 1e6]) expect(await offers(text, {}, cuts)).toEqual([[2, 'K-1', 'Belt', '5']])
  })

  it('is the same whatever comes behind its first 64 KiB, and in whatever pieces', async () => {
    const style = `<style>${'td { color: red }\n'.repeat(400)}</style>`
    const many = Array.from({ length: 3_000 }, (_, i) => article(`K-${i}`)).join('')
    const text = `<html>${style}<table>${header}${many}${article('L', '<form><input></form>Hat')}</table></html>`
    const { mapping: found } = await detectMapping(chunked(text))
    expect(found).toMatchObject({ format: 'xlsx' })
    for (const cuts of [5_000, 1e9]) expect(await offers(text, {}, cuts)).toHaveLength(3_001)
    const pageLate = `<html>${style}<table>${header}${article('K-1')}</table><form></form></html>`
    for (const cuts of [4_096, 5_000, 1e9]) await expect(offers(pageLate, {}, cuts)).rejects.toThrow(/HTML page/)
  })

  it('is none where a line of a CSV stands before it', () => {
    expect(isHtmlTable(Buffer.from('html;sku\n<table><tr><td>x</td></tr></table>;K-1\n'))).toBe(false)
    expect(isHtmlTable(Buffer.from('\ufeff\n<table><tr>'))).toBe(true)
    expect(isHtmlTable(Buffer.from('\ufeff<table><tr>', 'utf16le'))).toBe(true)
  })

  it('is doubtful where it states an encoding that its bytes do not have', async () => {
    const text = `<meta charset="windows-1252">${table(header + article('K-1', 'Gürtel'))}`
    const pages = readOfferPages(chunked(text), parseMapping(mapping), defaultLimits)
    while ((await pages.next()).done !== true);
    expect(pages.doubts().misread).toMatchObject({ encoding: 'windows-1252', right: 'ü' })
  })

  it('with merged cells of any size takes time and memory in proportion to its own', async () => {
    const seconds = async (text: string) => {
      const before = process.cpuUsage()
      await readAll(table(header + text), mapping)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1e6
    }
    await seconds(article('K-1'))
    const wide = '<td colspan=16384 rowspan=999999>'
    expect(await seconds(`<tr>${wide.repeat(1_100)}`)).toBeLessThan(1)
    expect(await seconds(`<tr><td>K<td>${wide}${'<tr><td>'.repeat(20_000)}`)).toBeLessThan(2)
    const uneven = '<td rowspan=999999><td rowspan=999998>'.repeat(2_490)
    expect(await seconds(`<tr>${uneven}${'<tr><td>'.repeat(50_000)}`)).toBeLessThan(2)
    expect(await seconds('<table><tr><td rowspan=2></table>'.repeat(20_000))).toBeLessThan(1)
  })

  it('hands on its rows before a piece makes more than some cells of them', async () => {
    const sheet = new HtmlRows(defaultLimits)
    async function* one() {
      yield await Promise.resolve(table('<tr><td colspan=4999><td>x'.repeat(2_400)))
    }
    let rows = 0
    let most = 0
    const take = () => {
      const taken = sheet.taken()
      rows += taken.length
      most = Math.max(
        most,
        taken.reduce((sum, { cells }) => sum + cells.length, 0),
      )
    }
    for await (const _ of readHtmlSheet(one(), sheet)) take()
    take()
    expect(rows).toBe(2_400)
    expect(most).toBeLessThan(60_000)
  })

  it('passes over columns as a table of each of them does', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const taken = new TakenColumns(13)
    let each = new Map<number, number>()
    for (let row = 1; row < 3_000; row++) {
      if (random(20) === 0) {
        taken.clear()
        each = new Map()
      }
      for (let cells = random(4); cells > 0; cells--) {
        const [column, columns, rows] = [1 + random(18), 1 + random(6), 1 + random(5)]
        taken.take(column, columns, row, rows)
        for (let at = column; at < Math.min(column + columns, 16); at++)
          each.set(at, Math.max(each.get(at) ?? 0, row + rows - 1))
      }
      const from = 1 + random(18)
      let free = from
      while ((each.get(free) ?? 0) >= row) free++
      expect([row, taken.free(from, row)]).toEqual([row, free])
    }
  })

  it('takes time in proportion to its size, in small pieces as well', async () => {
    const row = `<tr><td>K-1</td><td title='${'>'.repeat(500)}'>Belt</td><td>5</td></tr>`
    const seconds = async (count: number) => {
      const text = table(header + row.repeat(count))
      const before = process.cpuUsage()
      for await (const page of chunked(text, 64)) void page
      await readAll(text, mapping, 64)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1e6
    }
    await seconds(200)
    const few = Math.min(await seconds(500), await seconds(500))
    const many = await seconds(4_000)
    expect(many).toBeLessThan(few * 8 * 3)
  })
})
