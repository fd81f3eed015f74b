import { describe, expect, it } from 'vitest'
import iconv from 'iconv-lite'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'

// Further errors that detection made with unknown files, one test per cause: test/fixtures/supplier-files has the files, and
// docs/decisions/258-versions-have-one-title.md says why.

async function proposed(file: string | Uint8Array) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(file), (question) => questions.push(question))
  return { mapping, fields: { ...mapping.fields } as Record<string, unknown>, questions }
}

describe('groups', () => {
  const rows = [
    'Brake pads;Corolla',
    'Oil filter;Corolla',
    'Radiator;Corolla',
    'Head lamp;Tucson',
    'Brake pads rear;Tucson',
  ]
  const table = (column: string, lines: readonly string[]) =>
    `sku;name;${column};dealer_price\n${lines.map((line, n) => `A-${n};${line};${n}.50`).join('\n')}\n`

  it.each(['model', 'Product', 'style_no'])(
    'are none by what articles of several kinds share: %s (I174)',
    async (column) => {
      const { fields, mapping } = await proposed(table(column, rows))
      expect(fields['group_key']).toBeUndefined()
      expect(mapping.group).toBeUndefined()
    },
  )

  it('are those of a model whose articles are called alike', async () => {
    const shirts = ['Shirt Oslo, red;S1', 'Shirt Oslo, blue;S1', 'Cap Bergen, red;S2', 'Cap Bergen, blue;S2']
    const { fields } = await proposed(table('model', shirts))
    expect(fields['group_key']).toBe('model')
  })

  const versions = (number: string, ...lines: readonly string[]) =>
    `${number};NAME;SKU;VARIATION;COST PRICE\n${lines.map((line, n) => `${line};${n + 1}.50`).join('\n')}\n`
  const four = [
    '7;Shirt;A-1;Colour->Red,Size->S',
    '7;Shirt;A-2;Colour->Red,Size->M',
    '8;Coat;A-3;Colour->Blue,Size->S',
    '8;Coat;A-4;Colour->Blue,Size->M',
  ]

  it('are those of a number that stands for one title, with names and values of options apart', async () => {
    const text = versions('CATALOGUE ID', ...four)
    const { fields, mapping } = await proposed(text)
    expect(mapping.group).toMatchObject({ by: 'CATALOGUE ID' })
    expect(fields['group_options']).toEqual([{ packed: 'VARIATION', pair: ',', assign: '->' }])
    const offers = await readAll(text, mapping)
    expect(JSON.stringify(offers[0])).toContain('Shirt - Colour Red, Size S')
  })

  it.each([
    [
      'a number that has two titles',
      'CATALOGUE ID',
      [...four, '7;Skirt;A-5;Colour->Red,Size->S', '7;Skirt;A-6;Colour->Red,Size->M'],
    ],
    ['one that is on one row of each', 'CATALOGUE ID', four.map((line, n) => line.replace(/^\d/, String(n)))],
    ['that of a category', 'CATEGORY ID', four],
  ])('are none by %s', async (_, number, lines) => {
    const { mapping } = await proposed(versions(number, ...lines))
    expect(mapping.group).toBeUndefined()
  })

  const named = (...lines: readonly string[]) =>
    `sku;name;group_id;group_name;color;purchase_price\n${lines.map((line, n) => `A-${n};${line};${n}.50`).join('\n')}\n`

  it('are those whose names their articles begin with, and no names of merchandise', async () => {
    const boots = named(
      'Winter boots brown;1;Winter boots;brown',
      'Winter boots black;1;Winter boots;black',
      'Felt slippers grey;2;Felt slippers;grey',
      'Felt slippers green;2;Felt slippers;green',
    )
    expect((await proposed(boots)).fields['group_key']).toBe('group_id')
    const merchandise = boots.replaceAll(/;(?:Winter boots|Felt slippers);/g, ';Warm shoes;')
    expect((await proposed(merchandise)).fields['group_key']).toBeUndefined()
  })
})

describe('titles and descriptions', () => {
  it('are no names for programs where another column has words', async () => {
    const { fields } = await proposed('id,name,title,price\n1,pack_2,Two grams,12\n2,pack_3,Three grams,17\n')
    expect(fields['title']).toBe('title')
    const alone = await proposed('id,name,price\n1,pack_2,12\n2,pack_3,17\n')
    expect(alone.fields['title']).toBe('name')
  })

  it('are no sizes of packs', async () => {
    const { fields } = await proposed('sku,name,pack description,price\nA,Cheese,1 kg,12\nB,Oil,6 x 330 ml,17\n')
    expect(fields['description']).toBeUndefined()
  })

  it('are Persian by the forms of their letters', async () => {
    const { mapping } = await proposed('sku,name,price\nA,یک کیلو گندم,12\nB,چای ایرانی,17\n')
    expect(mapping.locale).toBe('fa')
    const arabic = await proposed('sku,name,price\nA,شاي أخضر في علبة,12\nB,قهوة عربية,17\n')
    expect(arabic.mapping.locale).toBe('ar')
  })
})

describe('costs', () => {
  it('are in the currency that is called like their column (I174)', async () => {
    const { fields } = await proposed(
      JSON.stringify(
        [1, 2, 3].map((n) => ({
          sku: `A-${n}`,
          name: `Lever ${n}`,
          transfer_price: 0,
          transfer_price_currency: 'TRY',
          purchase_price: n + 0.5,
          purchase_price_currency: 'EUR',
        })),
      ),
    )
    expect(fields).toMatchObject({ cost: 'purchase_price', currency: 'purchase_price_currency' })
  })

  it('are said to have the tax in them by what they are in', async () => {
    const { detectMapping: detect } = await import('./detect.ts')
    const articles = [1, 2].map((n) => ({ sku: `A-${n}`, name: `Lever ${n}`, with_vat: { price: n + 0.5 } }))
    const { prices } = await detect(chunked(JSON.stringify(articles)))
    expect(prices).toEqual([{ column: 'with_vat.price', kind: 'selling', vat: 'included' }])
  })

  it('have no decimals in a currency that is written without', async () => {
    const text = 'sku,name,price\nA,Tea,Rp 144.000\nB,Rice,Rp 60.000\n'
    const { mapping } = await proposed(text)
    expect(JSON.stringify(await readAll(text, mapping))).toContain('"cost":"144000","currency":"IDR"')
  })

  it('are no numbers of pages', async () => {
    const { fields } = await proposed('sku;titulo;pagina\nA;El faro;92.0\nB;Los rios;180.0\nC;Una casa;204.0\n')
    expect(fields['cost']).toBeUndefined()
  })
})

describe('keys', () => {
  const models = (repeated: number) =>
    JSON.stringify(
      Array.from({ length: 10 }, (_, n) => ({ id: n + 70, model: `RX-${n < repeated ? 1 : n + 20}`, price: n + 0.5 })),
    )

  it('are those of the system where the number of articles repeats, and that is asked about (I174)', async () => {
    const { fields, questions } = await proposed(models(4))
    expect(fields['sku']).toBe('id')
    expect(questions).toContain(
      '3 of 10 rows have the "model" of another one, and articles are recognized by "id": is that right? Else give "sku": "model", and these rows are refused',
    )
  })

  it('are the numbers of articles where none repeats', async () => {
    const { fields, questions } = await proposed(models(1))
    expect(fields['sku']).toBe('model')
    expect(questions.join()).not.toContain('are recognized by')
  })

  const feed = (title: string) =>
    `<rss><channel>${['Ring', 'Ring', 'Bowl', 'Bowl'].map((name, n) => `<item><${title}>${name}</${title}><link>https://shop.example/${n}</link><note>n</note></item>`).join('')}</channel></rss>`

  it('are addresses where titles repeat and nothing else differs, and of nothing without a title', async () => {
    const { fields, questions } = await proposed(feed('title'))
    expect(fields['sku']).toBe('link')
    expect(questions.join()).toContain('is "link" the key of the articles?')
    await expect(proposed(feed('priority'))).rejects.toThrow('nothing could be the key')
  })
})

describe('files', () => {
  it('are feeds of Google where the prefix is not declared', async () => {
    const item = (n: number) => `<item><g:id>A-${n}</g:id><g:title>Axe</g:title><g:price>${n}.00 EUR</g:price></item>`
    const { mapping } = await proposed(`<rss version="2.0"><channel>${item(1)}${item(2)}</channel></rss>`)
    expect(mapping.format).toBe('google')
  })

  it('are in windows-1251 where a few short words are Cyrillic', async () => {
    const text = 'Код;Назва;Ціна\n1;Насос;450\n2;Фільтр;35\n3;Ключ;78\n'
    const { mapping } = await proposed(iconv.encode(text, 'windows-1251'))
    expect(mapping.encoding).toBe('windows-1251')
  })

  it('have one category before a semicolon, and none before that of an entity', async () => {
    const category = async (one: string, other: string) =>
      (await proposed(`sku\tname\tprice\tcategory\nA\tCup\t1.50\t${one}\nB\tPot\t2.50\t${other}\n`)).fields['category']
    expect(await category('kitchen;cups', 'kitchen;pots')).toMatchObject({ split: ';', take: 0 })
    expect(await category('Pots &amp; Pans', 'Cups &amp; Mugs')).toBe('category')
  })
})
