import { describe, expect, it } from 'vitest'
import { chunked, readAll } from '../fixtures.ts'
import { detectMapping } from './detect.ts'

// What detection did not see in forty-five files on 30 November 2026, one test per cause: docs/decisions/272-categories-are-read-by-their-ids.md

async function proposed(file: string) {
  const questions: string[] = []
  const { mapping, reasons } = await detectMapping(chunked(file), (question) => questions.push(question))
  const fields = { ...mapping.fields } as Record<string, unknown>
  return { mapping, fields, questions, said: reasons.map(({ reason }) => reason).join('\n') }
}
const offersOf = async (file: string, mapping: unknown) =>
  (await readAll(file, mapping)).flatMap((row) => ('offer' in row ? [row.offer] : []))

/** Numbers of twelve digits and their check digit. */
const ean = (n: number): string => {
  const digits = String(400_900_000_000 + n)
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

describe('versions whose keys are EANs', () => {
  const head = 'EAN;Referencia;Nombre;Color;Talla'
  const shirts = ['100;Camisa;Rojo;S', '100;Camisa;Rojo;M', '100;Camisa;Azul;S', '200;Falda;Rojo;S', '200;Falda;Rojo;M']
  const table = (lines: readonly string[]) => `${head}\n${lines.map((line, n) => `${ean(n)};${line}`).join('\n')}\n`

  it('are in the group of their reference', async () => {
    const file = table([...shirts, '300;Camisa;Verde;S'])
    const { fields, mapping } = await proposed(file)
    expect([fields['sku'], fields['group_key'], fields['group_options']]).toEqual([
      'EAN',
      'Referencia',
      [
        { key: 'Color', column: 'Color' },
        { key: 'Talla', column: 'Talla' },
      ],
    ])
    const offers = await offersOf(file, mapping)
    expect(offers.map(({ group }) => group?.key)).toEqual(['100', '100', '100', '200', '200', '300'])
  })

  it.each([
    ['has two titles', [...shirts, '200;Abrigo;Azul;L']],
    ['has two rows with the same options', [...shirts, '200;Falda;Rojo;M']],
    ['is of one article only', ['100;Camisa;Rojo;S', '100;Camisa;Rojo;M', '200;Falda;Rojo;S', '300;Falda;Azul;S']],
  ])('are in none if a reference %s', async (_, lines) => {
    expect((await proposed(table(lines))).fields['group_key']).toBeUndefined()
  })
})

describe('codes of models', () => {
  const table = (lines: readonly string[]) =>
    `Code;Product_name;Item name;Size;Qty;Price\n${lines.map((line, n) => `${ean(n)};${line};4;9.50`).join('\n')}\n`
  const hoodies = ['TS-20FW-BK;Hoodie black;1', 'TS-20FW-BK;Hoodie black;2', 'TS-20FW-WH;Hoodie white;1']

  it('are no titles, and group the sizes of a model', async () => {
    const { fields } = await proposed(table([...hoodies, 'TS-20FW-WH;Hoodie white;2', 'TS-21SS-RD;Tee red;1']))
    expect([fields['group_title'], fields['group_key'], fields['group_options']]).toEqual([
      'Item name',
      'Product_name',
      [{ key: 'Size', column: 'Size' }],
    ])
  })

  it('are titles if they are words with signs between', async () => {
    const { fields } = await proposed(table(['T-SHIRT;A;1', 'SEMI-DRY;B;1', 'POLO-NECK;C;2', 'V-NECK;D;2']))
    expect(fields['title']).toBe('Product_name')
  })
})

describe('rows without a title', () => {
  const question = 'no column says how'
  const rows = (lines: readonly string[]) => `sku;name;brand;colour;price\n${lines.join('\n')}\n`

  it('are asked about if nothing tells them from the article above', async () => {
    const { mapping, questions } = await proposed(
      rows(['A1;Cable;Acme;;1.50', 'A2;Pump;Bolt;;2.50', 'A3;;;;3.50', 'A4;;;;4.50', 'A5;Valve;Acme;;5.50']),
    )
    expect(mapping.group).toMatchObject({ by: 'name', continues: true })
    expect(questions.join('\n')).toContain(`2 rows have nothing in "name" and get the title of the article above them`)
    expect(questions.join('\n')).toContain(question)
  })

  it('are versions without a question if their colours differ', async () => {
    const { mapping, questions } = await proposed(
      rows(['A1;Cable;Acme;red;1.50', 'A2;;;blue;2.50', 'A3;Pump;Bolt;red;3.50', 'A4;;;blue;4.50', 'A5;;;green;5.50']),
    )
    expect(mapping.group).toMatchObject({ by: 'name', continues: true })
    expect(questions.join('\n')).not.toContain(question)
  })
})

describe('signs for the availability', () => {
  it('are not said to be refused', async () => {
    const { said } = await proposed('sku;name;price;stock\nA1;Cable;1.50;+\nA2;Pump;2.50;-\nA3;Valve;3.50;+\n')
    expect(said).not.toContain('are refused')
  })
})

describe('pictures', () => {
  it.each([' | ', '| ', '|', '; ', ';', ', ', ','])('are split at %j', async (sign) => {
    const pictures = (n: number) => [1, 2].map((i) => `https://a.example/${n}-${i}.jpg`).join(sign)
    const file = `sku\tname\tprice\timages\n${[1, 2, 3].map((n) => `A-${n}\tLamp ${n}\t${n}.50\t${pictures(n)}`).join('\n')}\n`
    const { mapping } = await proposed(file)
    expect((await offersOf(file, mapping))[1]?.images).toEqual([
      'https://a.example/2-1.jpg',
      'https://a.example/2-2.jpg',
    ])
  })
})

describe('categories', () => {
  it('do not end with the sign between their levels', async () => {
    const file = `sku;name;price;category\n${['Home | Lamps |', 'Home | Chairs |', 'Home |']
      .map((path, n) => `A-${n};Thing ${n};${n + 1}.50;${path}`)
      .join('\n')}\n`
    const { mapping } = await proposed(file)
    expect((await offersOf(file, mapping)).map(({ category }) => category)).toEqual([
      'Home/Lamps',
      'Home/Chairs',
      'Home',
    ])
    const feed = (path: string) =>
      `<SHOP><SHOPITEM><ITEM_ID>1</ITEM_ID><PRODUCTNAME>Tričko</PRODUCTNAME><PRICE_VAT>100</PRICE_VAT><CATEGORYTEXT>${path}</CATEGORYTEXT></SHOPITEM></SHOP>`
    for (const [path, category] of [
      ['Heureka.cz | ', 'Heureka.cz'],
      ['Heureka.cz | Oblečení', 'Heureka.cz/Oblečení'],
    ] as const) {
      const one = await proposed(feed(path))
      expect((await offersOf(feed(path), one.mapping))[0]?.category).toBe(category)
    }
  })

  it.each([
    [20, undefined],
    [19, 'Product Type'],
  ])('are none if %i articles have the same product type', async (count, category) => {
    const lines = Array.from({ length: count }, (_, n) => `M-${n};Part ${n};${n + 1}.50;Storable`)
    expect((await proposed(`sku;name;cost;Product Type\n${lines.join('\n')}\n`)).fields['category']).toBe(category)
  })

  it('that Shopify calls uncategorized are those of the type', async () => {
    const head =
      'Handle,Title,Body (HTML),Vendor,Product Category,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Price,Variant Barcode,Image Src'
    const file = `${head}\na,A,,v,Uncategorized,Sweets,Title,Default Title,,,,,S-1,250.0201143,5,,\nb,B,,v,Food > Tea,Tea,Title,Default Title,,,,,S-2,0,6,,\n`
    const { mapping, said } = await proposed(file)
    const offers = await offersOf(file, mapping)
    expect(offers.map(({ category }) => category)).toEqual(['Sweets', 'Food/Tea'])
    // grams that Shopify has calculated from pounds
    expect(offers.map(({ weight }) => weight)).toEqual(['0.25002', null])
    expect(said).not.toContain('without a value')
  })
})

describe('Vietnamese names without marks', () => {
  const rows = [
    '1,Giày chạy bộ,Giay,Yonex,"1,250,000",133,https://a.example/1.jpg,Giày chạy bộ thiết kế hiện đại',
    '2,Vợt cầu lông,Vot,Mizuno,"750,000",134,https://a.example/2.jpg,Vợt cầu lông thiết kế hiện đại',
    '3,Quần thể thao,Quan,Puma,"320,000",126,https://a.example/3.jpg,Quần thể thao thiết kế hiện đại',
  ].join('\n')

  it('mean fields beside others of the language', async () => {
    const { fields, questions } = await proposed(`Id,Ten,Loai,ThuongHieu,Gia,SoLuong,Hinh,MoTa\n${rows}\n`)
    expect(fields).toMatchObject({
      sku: 'Id',
      title: 'Ten',
      category: 'Loai',
      manufacturer: 'ThuongHieu',
      cost: 'Gia',
      quantity: 'SoLuong',
      images: 'Hinh',
      description: 'MoTa',
    })
    expect(questions).toEqual([])
  })

  it('mean nothing alone', async () => {
    const { fields } = await proposed('sku,name,Ten,Gia\nA-1,Lamp,10,x\nA-2,Chair,11,y\nA-3,Table,12,z\n')
    expect(fields).toMatchObject({ sku: 'sku', title: 'name' })
    expect(fields['cost']).toBeUndefined()
  })
})

describe('titles', () => {
  it('are what descriptions begin with, and not the descriptions', async () => {
    const lines = ['Garden spade', 'Watering can', 'Long hose'].map(
      (title, n) => `A-${n};${n + 1}.50;${title};${title} of good quality`,
    )
    const { fields, questions } = await proposed(`sku;price;Foo;description\n${lines.join('\n')}\n`)
    expect([fields['title'], fields['description']]).toEqual(['Foo', 'description'])
    expect(questions.join()).toContain('"Foo" the title')
  })

  it('are short descriptions beside longer ones', async () => {
    const lines = ['Base coat 10 kg', 'Ceiling panel', 'Mortar'].map(
      (text, n) => `P-${n};${text};${text}, dries within a day and is for inside and outside;${n}.50`,
    )
    const { fields } = await proposed(`clave;descripcion;informacion;precio\n${lines.join('\n')}\n`)
    expect(fields).toMatchObject({ sku: 'clave', title: 'descripcion', description: 'informacion', cost: 'precio' })
  })

  it('are no column that few rows have', async () => {
    const lines = Array.from(
      { length: 8 },
      (_, n) => `Door viewer number ${n};${n + 1}.50;${n === 3 ? 'Long hinge' : ''}`,
    )
    expect((await proposed(`${lines.join('\n')}\n`)).fields['title']).toBe('1')
  })

  it('that a few rows lack are not those of the rows above, although articles have sizes', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, n) => `${1000 + n};${n === 12 ? '' : `Picture of hill ${n}`};80x${n};10;${n}90`,
    )
    const { fields, mapping } = await proposed(
      `sku,model,size,stock_count,price\n${lines.join('\n')}\n`.replaceAll(';', ','),
    )
    expect([mapping.group, fields['group_key'], fields['title']]).toEqual([undefined, undefined, 'model'])
    expect(fields['quantity']).toBe('stock_count')
  })

  it('may have the signs of paths', async () => {
    const lines = [1, 2, 3].map((n) => `A-${n};Windows ${n} | Online | One PC;${n}.50`)
    const { fields, questions } = await proposed(`sku;name;price\n${lines.join('\n')}\n`)
    expect(fields['title']).toBe('name')
    expect(questions.join()).not.toContain('title')
  })
})

describe('keys', () => {
  it('are no batches beside other numbers', async () => {
    const lines = Array.from({ length: 6 }, (_, n) => `Tablets ${n};ESU11${n};${n + 3}${n}7;${n + 2}.50`)
    const { fields } = await proposed(`Medicine;Batch;Barcode;Price\n${lines.join('\n')}\n`)
    expect(fields['sku']).toBe('Barcode')
    const alone = lines.map((line) => line.replace(/;\d+;/, ';'))
    const { fields: other, questions } = await proposed(
      `Medicine;Batch;Price\n${alone.map((l) => l.replace(/^Tablets \d/, 'Tablets')).join('\n')}\n`,
    )
    expect(other['sku']).toBe('Batch')
    expect(questions.join()).toContain('"Batch" the key')
  })

  it('are no days until which articles keep, which a workbook has as numbers', async () => {
    const lines = Array.from({ length: 6 }, (_, n) => `Tablets ${n};${44_000 + 37 * n};${n + 3}${n}7;${n + 2}.50`)
    expect((await proposed(`Medicine;Expiry;Barcode;Price\n${lines.join('\n')}\n`)).fields['sku']).toBe('Barcode')
  })

  it('with options are tried before it is said what would be refused', async () => {
    const head =
      'Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Price,Variant Barcode,Image Src'
    const row = (size: string) => `h,t,,v,ty,Size,${size},,,,,SAME,5,,\n`
    const { questions, said } = await proposed(`${head}\n${row('S')}${row('M')}`)
    expect(questions.join()).toContain('are recognized by their options as well')
    expect(said).not.toContain('would be refused')
  })
})

it('adds up stock by the racks of a store room', async () => {
  const lines = ['8;17;A-1;7', '8;18;A-1;8', '3;19;A-1;9', '3;20;A-2;5']
  const file = `rua;rack;codigo;quantidade\n${lines.join('\n')}\n`
  const { mapping, questions } = await proposed(file)
  expect((await offersOf(file, mapping)).map(({ sku, quantity }) => [sku, quantity])).toEqual([
    ['A-1', 24],
    ['A-2', 5],
  ])
  expect(questions.join()).toContain('is added up')
})

it('knows EANs of 8 digits among longer ones, whatever their column is called', async () => {
  const eans = [ean(1), ean(2), '50173419', ean(3)]
  const table = (values: readonly string[]) =>
    `sku;name;price;X\n${values.map((value, n) => `A-${n};Lamp ${n};${n + 1}.50;${value}`).join('\n')}\n`
  expect((await proposed(table(eans))).fields['ean']).toBe('X')
  expect((await proposed(table(['50173419', '59072171', '50173419', ean(3)]))).fields['ean']).toBeUndefined()
})

it('asks about a discount that has most of the price', async () => {
  const table = (part: (n: number) => string) =>
    `sku;name;price;discount\n${[1, 2, 3, 4, 5, 6].map((n) => `A-${n};Lamp ${n};$${n}0.00;${part(n)}`).join('\n')}\n`
  expect((await proposed(table((n) => `$${n * 9}.00`))).questions.join()).toContain('"discount" has other prices')
  // an amount to take off, and percentages
  expect((await proposed(table((n) => `$${n}.00`))).questions.join()).not.toContain('discount')
  expect((await proposed(table(() => '10%'))).questions.join()).not.toContain('"discount" has')
})

it('reads numbered names and values of options as attributes', async () => {
  const names = [1, 2].map((n) => `Attribute ${n} name;Attribute ${n} value(s);Attribute ${n} visible`).join(';')
  const lines = ['A-1;Cup;2.50;Size;S;1;Colour;red;1', 'A-2;Cup;2.60;Size;M;1;Colour;red;1', 'A-3;Jug;3.50;Size;S;1;;;']
  const file = `sku;name;price;${names}\n${lines.join('\n')}\n`
  const { mapping, fields } = await proposed(file)
  expect(fields['attributes']).toEqual([{ pairs: 'Attribute {n} name', value: 'Attribute {n} value(s)' }])
  expect((await offersOf(file, mapping))[0]?.attributes).toEqual([
    { key: 'Size', value: 'S' },
    { key: 'Colour', value: 'red' },
  ])
})
