import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'

const fields = { sku: 'sku', title: 'title' }
const mapping = { format: 'csv', locale: 'de', fields }

async function warningsOf(content: string | Uint8Array, given: object): Promise<string[]> {
  const warnings: string[] = []
  const pages = readOfferPages(chunked(content), parseMapping(given), undefined, (warning) => warnings.push(warning))
  for await (const page of pages) expect(page.length).toBeGreaterThan(0)
  return warnings
}

describe('the form of a CSV file', () => {
  it.each([',', ';', '\t', '|'])('has its delimiter detected: %j', async (sign) => {
    const others = [',', ';', '\t', '|'].filter((other) => other !== sign).join('')
    const text = `sku${sign}title${sign}n\nA${sign}"x${sign}y"${sign}1\nB${sign}a ${others} b${sign}2\n`
    expect(summariesOf(await readAll(text, mapping))).toEqual(['2:A', '3:B'])
  })

  it('may name its delimiter in a first line', async () => {
    expect(summariesOf(await readAll('sep=;\r\nsku;title\r\nA;a,b,c\r\n', mapping))).toEqual(['3:A'])
    expect(summariesOf(await readAll('\ufeff"sep=^"\nsku^title\nA^x\n', mapping, 3))).toEqual(['3:A'])
  })

  it('may have lines before its header', async () => {
    const text = 'Price list of 2026\n\n"valid, mostly";;\nsku;title\nA;x\n'
    expect(summariesOf(await readAll(text, mapping))).toEqual(['5:A'])
    expect(summariesOf(await readAll('x;y\nsku;title\nA;x\n', { ...mapping, skipLines: 1 }, 4))).toEqual(['3:A'])
    await expect(readAll('a;b\nc;d\n', mapping)).rejects.toThrow(/^line 1: the header lacks .*"sku"/)
    await expect(readAll('a;b\n', { ...mapping, skipLines: 3 })).rejects.toThrow(/no 3 lines before its header/)
  })

  it('may have no header', async () => {
    const numbered = { ...mapping, header: false, fields: { sku: '2', title: '1' } }
    expect(await readAll('Spade;A\nHoe;B\n', numbered)).toMatchObject([
      { line: 1, offer: { sku: 'A', texts: { de: { title: 'Spade' } } } },
      { line: 2, offer: { sku: 'B' } },
    ])
    await expect(readAll('A\n', numbered)).rejects.toThrow(/lacks columns that the mapping names: "2"/)
  })

  it('may end its lines in CR, have other quotes, empty records, and separators at line ends', async () => {
    expect(summariesOf(await readAll('sku,title\rA,"x\ry"\rB,z\r', mapping, 5))).toEqual(['2:A', '4:B'])
    expect(await readAll("sku;title\nA;'x;''y'''\n", { ...mapping, quote: "'" })).toMatchObject([
      { offer: { texts: { de: { title: "x;'y'" } } } },
    ])
    expect(summariesOf(await readAll('sku;title\nA;x;;\n;\n"";" "\nB;y;\n', mapping))).toEqual(['2:A', '5:B'])
  })

  it('may repeat names of columns, which are then numbered', async () => {
    const text = 'sku,image,image,title,x,x\nA,https://a.example/1,https://a.example/2,t,,\n'
    const images = ['image#1', 'image#2']
    expect(await readAll(text, { ...mapping, fields: { ...fields, images } })).toMatchObject([
      { offer: { images: ['https://a.example/1', 'https://a.example/2'] } },
    ])
    await expect(readAll(text, { ...mapping, fields: { ...fields, images: 'image' } })).rejects.toThrow(
      /^line 1: the header names "image" more than once: say which in the mapping, as in "image#1"/,
    )
  })

  it('may have 1,000 columns', async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `c${i}`)
    const cells = names.map((name) => `${name}-1`)
    const text = `${names.join(';')}\n${`${cells.join(';')}\n`.repeat(300)}`
    const rows = await readAll(text, { ...mapping, fields: { sku: 'c999', title: 'c0' } })
    expect(rows).toHaveLength(300)
    expect(rows[299]).toMatchObject({ offer: { sku: 'c999-1', texts: { de: { title: 'c0-1' } } } })
    await expect(readAll(text, mapping, undefined, { importColumnsMax: 999 })).rejects.toThrow(/more than 999 columns/)
  })

  it('warns of a last value that may be cut, and of nothing where the line is ended or its value closed', async () => {
    expect(await warningsOf('sku,title\nA,x\nB,Spade for gar', mapping)).toEqual([
      'line 3: the last line has no line end: if the file is cut off here, its last value "Spade for gar" is cut as well',
    ])
    for (const text of ['sku,title\nA,x\nB,y\n', 'sku,title\nA,x\nB,"y"', 'sku,title\nA,x\nB,'])
      expect(await warningsOf(text, mapping)).toEqual([])
  })
})

describe('an encoding that the mapping does not give', () => {
  const polish = 'Zażółć gęślą jaźń; łódź i źdźbło, święto, część, książka'
  const czech = 'Příliš žluťoučký kůň úpěl ďábelské ódy, šňůra a řeřicha'
  const german = 'Größe, Müllsäcke für Bäume, weiß, grün und schön, Überzug'
  const french = 'Une pièce détachée à côté du château, où l’été fut très agréable, façade'
  const russian = 'Лопата садовая с деревянной ручкой, быстрая доставка по всей стране'
  it.each([
    ['utf-8', polish],
    ['utf-16le', polish],
    ['utf-16be', german],
    ['windows-1250', polish],
    ['windows-1250', czech],
    ['iso-8859-2', polish],
    ['iso-8859-2', czech],
    ['windows-1252', german],
    ['windows-1252', french],
    ['macintosh', german],
    ['macintosh', french],
    ['cp852', polish],
    ['windows-1251', russian],
  ])('is detected: %s', async (encoding, title) => {
    const text = `sku;title\n${'A1;plain text\n'.repeat(3)}B;"${title}"\nC;"${title.split(' ').toReversed().join(' ')}"\n`
    for (const isMarked of encoding.startsWith('utf-16') ? [true, false] : [false]) {
      const bytes = iconv.encode(text, encoding, { addBOM: isMarked })
      const rows = await readAll(bytes, mapping, 100)
      expect(rows[3]).toMatchObject({ offer: { texts: { de: { title } } } })
      const warnings = await warningsOf(bytes, mapping)
      expect(warnings.length).toBe(encoding.startsWith('utf') ? 0 : 1)
    }
  })

  it('is that of the XML declaration', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-2"?><l><p><sku>A</sku><title>Łódź</title></p></l>'
    expect(await readAll(iconv.encode(text, 'iso-8859-2'), { locale: 'pl', fields })).toMatchObject([
      { offer: { texts: { pl: { title: 'Łódź' } } } },
    ])
  })

  it('is UTF-8 for a file of it that has a damaged byte, which is named', async () => {
    const bytes = Buffer.from(`sku;title\n${'A;Zażółć gęślą jaźń\n'.repeat(50)}B;x?x\n`)
    bytes[bytes.length - 3] = 0xff
    await expect(readAll(bytes, mapping)).rejects.toThrow(/^line 52: bytes that are not valid UTF-8/)
  })
})
