import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { chunked } from './fixtures.ts'
import { parseMapping } from './mapping/mapping.ts'
import { readOfferPages } from './read-offers.ts'
import { twiceEncoded } from './conversion/twice-encoded.ts'

async function misread(bytes: Buffer, encoding: string) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield await Promise.resolve(bytes.subarray(at, at + 7))
  }
  const pages = readOfferPages(
    pieces(),
    parseMapping({ encoding, locale: 'de', fields: { sku: 'sku', title: 'title' } }),
  )
  while ((await pages.next()).done !== true);
  return pages.doubts().misread
}
const file = (title: string) => `sku,title\n${'x'.repeat(100)},plain\nA,${title}\n`

it.each(['iso-8859-1', 'iso-8859-15', 'macintosh', 'cp437'])(
  'UTF-8 that is read as %s is found out',
  async (encoding) => {
    const found = await misread(Buffer.from(file('Schöner Stuhl – 5 €')), encoding)
    expect(found).toMatchObject({ encoding, characters: 3, right: 'ö' })
  },
)

it.each(['windows-1252', 'iso-8859-1', 'windows-1250', 'macintosh'])('text in %s is right', async (encoding) => {
  expect(await misread(iconv.encode(file('Schöner Stuhl, größer'), encoding), encoding)).toBeNull()
  expect(await misread(Buffer.from(file('Stuhl')), encoding)).toBeNull()
})

it('the pair of the issue is found out', async () => {
  expect(await misread(Buffer.from(file('Schöner')), 'windows-1252')).toMatchObject({ right: 'ö', wrong: 'Ã¶' })
})

it('UTF-8 with some damaged bytes is found out where it would come out wrong in many places', async () => {
  const damaged = Buffer.from(file(`Schöner größer Stühle für Gärten, Flüsse, Höfe, Töpfe, Bänke, ${'ü'.repeat(40)}`))
  damaged[150] = 0xff
  expect(await misread(damaged, 'windows-1252')).toMatchObject({ broken: expect.any(Number) as number, right: 'ö' })
  const few = Buffer.concat([Buffer.from(file('Schöner')), iconv.encode('größer, Stühle\n', 'windows-1252')])
  expect(await misread(few, 'windows-1252')).toBeNull()
})

it.each(['PÓŁKA ŻÓŁTA ŚCIĘTA', 'Zażółć gęślą jaźń', 'Příliš žluťoučký kůň'])(
  '%s in windows-1250 is right',
  async (text) => {
    expect(await misread(iconv.encode(file(`${text} `.repeat(50)), 'windows-1250'), 'windows-1250')).toBeNull()
  },
)

it('texts that were encoded twice are told by field, and imported as they are', async () => {
  const twice = iconv.decode(Buffer.from('Schöner Stuhl für 5 €'), 'windows-1252')
  const warnings: string[] = []
  const mapping = parseMapping({ locale: 'de', fields: { sku: 'sku', title: 'title' } })
  const rows = []
  const bytes = Buffer.from(`${file(twice)}B,${twice}\nC,Grün\nD,São Tomé Â© Ã la carte\n`)
  for await (const page of readOfferPages(chunked(bytes), mapping, undefined, (warning) => void warnings.push(warning)))
    rows.push(...page)
  expect(rows[1]).toMatchObject({ offer: { sku: 'A', texts: { de: { title: twice } } } })
  expect(warnings).toEqual([
    expect.stringMatching(
      /^title\.de: 3 texts were encoded twice .* "Ã¶" for "ö"; the first is "SchÃ¶ner .*" in line 3/,
    ),
  ])
  expect(['Ã¶', 'â‚¬', 'Ã\u009f', 'Â°', 'Ä…'].map((text) => twiceEncoded(`x${text}y`)?.right)).toEqual([
    'ö',
    '€',
    'ß',
    '°',
    'ą',
  ])
  for (const text of ['Schön', 'ÄÖÜ', 'É.', 'â la carte', 'NATÜRLICH “so”', 'Ø 5', 'ÇA', 'Ü – Ö'])
    expect(twiceEncoded(text)).toBeNull()
})
