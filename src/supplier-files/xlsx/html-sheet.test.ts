import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { detectMapping } from '../detect.ts'
import { brief, chunked, readAll } from '../fixtures.ts'
import { isHtmlTable } from './html-sheet.ts'

const mapping = { locale: 'en', fields: { sku: 'SKU', cost: 'Price', title: 'Name' } }
const header = '<tr><th>SKU</th><th>Name</th><th>Price</th></tr>'
const table = (rows: string) => `<html><body><table border=1>${rows}</table></body></html>`

async function offers(text: string | Uint8Array, settings: object = {}, cuts?: number) {
  const rows = await readAll(text, { ...mapping, ...settings }, cuts)
  return rows.map((one) =>
    'offer' in one
      ? [one.line, one.offer.sku, one.offer.texts?.['en']?.title ?? '', one.offer.cost]
      : brief([one]).join(''),
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
