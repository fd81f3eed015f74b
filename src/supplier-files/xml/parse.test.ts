import { describe, expect, it } from 'vitest'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { defaultLimits } from '../rows.ts'
import { readText } from '../text.ts'
import { parseXml } from './parse.ts'

async function rowsOf(text: string, items?: string, cuts?: number): Promise<unknown[]> {
  const rows: unknown[] = []
  const pieces = readText(chunked(text, cuts), 'utf-8', 1e9)
  for await (const page of parseXml(pieces, { items, limits: { ...defaultLimits, importRowBytesMax: 100_000 } }))
    rows.push(...page.map((raw) => ('row' in raw ? { ...raw.row } : raw)))
  return rows
}
const mapping = { format: 'xml', locale: 'en', items: 'shop.product', fields: { sku: '@id', title: 'name' } }

describe('xml', () => {
  it('reads elements, attributes, lists, CDATA and prefixes, cut anywhere', async () => {
    const text = `<?xml version="1.0"?><!-- a --><shop xmlns:x="urn:x"><date>today</date>
      <product id="A"><name>Spade &amp; &quot;Co&quot; &nbsp;&#xe4;</name><x:price cur="EUR"> 5 </x:price>
        <img>a</img><img>b</img><img/><text><![CDATA[<b>x</b>]]></text><empty/></product>
      <product id="B"/></shop>`
    const expected = [
      {
        '@id': 'A',
        name: 'Spade & "Co" \u00a0ä',
        'x:price': { '@cur': 'EUR', '#text': '5' },
        img: ['a', 'b', ''],
        text: '<b>x</b>',
        empty: '',
      },
      { '@id': 'B' },
    ]
    for (const cuts of [1, 7, 1_000]) expect(await rowsOf(text, 'shop.product', cuts)).toEqual(expected)
    expect(await rowsOf(text)).toHaveLength(3)
    expect(await rowsOf(text, '*.product')).toHaveLength(2)
  })

  it('maps texts beside attributes, members of lists, and attributes of members', async () => {
    const rows = await readAll(
      '<s><p id="1"><price cur="EUR">5</price><image url="https://a.example/1.jpg"/><image url="https://a.example/2.jpg"/></p></s>',
      { items: 's.p', fields: { sku: '@id', cost: 'price', currency: 'price.@cur', images: 'image.@url' } },
    )
    expect(rows).toEqual([
      {
        line: 1,
        offer: {
          sku: '1',
          cost: '5',
          currency: 'EUR',
          images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
        },
      },
    ])
  })

  it.each([
    ['<shop><product id="A"></shop>', /not well-formed XML: unexpected close tag/],
    ['<shop><product id="A"/>', /cut off: <shop> is not closed/],
    ['<shop><product id="A"/></shop><shop/>', /not well-formed XML/],
    ['<shop><item/></shop>', /no element at "shop.product"/],
    ['<shop><product id=A/></shop>', /not well-formed/],
    ['<shop><product>&bomb;</product></shop>', /undefined entity/],
    ['<shop><product>R&D; new</product></shop>', /undefined entity.*"&" is written "&amp;"/],
    [
      '<!DOCTYPE shop [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><shop><product>&b;</product></shop>',
      /undefined entity/,
    ],
    [
      '<!DOCTYPE shop [<!ENTITY x SYSTEM "file:///etc/passwd">]><shop><product>&x;</product></shop>',
      /undefined entity/,
    ],
    [`<shop>${'<a>'.repeat(70)}`, /nested more than 64 deep/],
    ['sku,title\nA,x\n', /not XML/],
  ])('refuses %j', async (text, message) => {
    await expect(readAll(text, mapping)).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(message),
    })
  })

  it('reports a record that is too long, and refuses what has no end', async () => {
    const limits = { importRowBytesMax: 1_000 }
    const long = `<product id="A"><name>${'x'.repeat(1_500)}</name></product>`
    expect(summariesOf(await readAll(`<shop>${long}\n<product id="B"/></shop>`, mapping, 100, limits))).toEqual([
      '1!row is longer than 1000 bytes',
      '2:B',
    ])
    for (const endless of [
      `<shop><product id="${'x'.repeat(9_000)}`,
      `<shop><product>${'<a>x</a>'.repeat(1_000)}`,
      `<!DOCTYPE shop [${'<!ENTITY a "b">'.repeat(500)}`,
      `<shop>${'x'.repeat(9_000)}`,
    ])
      await expect(readAll(endless, mapping, 100, limits)).rejects.toThrow(/no element ends within 4000 bytes/)
  })

  it('is not confused by an element called __proto__', async () => {
    const [row] = await rowsOf('<s><p><__proto__><x>1</x></__proto__><x>2</x></p></s>', 's.p')
    expect(Object.keys(row as object)).toEqual(['__proto__', 'x'])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('an ampersand that begins no entity', () => {
  const document =
    '<?a b&c?><a><!-- x & y --><p u="?a=1&b=2"><s>AT&T & Co &amp; Son</s><t><![CDATA[R & D <i> &amp;]]></t></p><p u="&#38;"><s>&</s><t>&copy=1</t></p></a>'
  const rows = [
    { '@u': '?a=1&b=2', s: 'AT&T & Co & Son', t: 'R & D <i> &amp;' },
    { '@u': '&', s: '&', t: '&copy=1' },
  ]

  it.each(Array.from({ length: document.length }, (_, at) => at + 1))(
    'is read as it stands, in pieces of %i characters',
    async (size) => {
      expect(await rowsOf(document, 'a.p', size)).toEqual(rows)
    },
  )

  it('is none before a name of an entity and its semicolon', async () => {
    await expect(rowsOf('<a><p>R&D; more</p></a>')).rejects.toThrow('line 1: not well-formed XML: undefined entity')
  })
})

it.each(['<a><p>x</p><p>y &am', '<a><p><![CDATA[a & b'])(
  'a file that is cut off is called so: %j',
  async (document) => {
    await expect(rowsOf(document)).rejects.toThrow('cut off')
  },
)
