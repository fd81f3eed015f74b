import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'

// Errors that detection made with unknown files, one test per cause: test/fixtures/supplier-files has the files.

async function proposed(text: string) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(text), (question) => questions.push(question))
  return { mapping, fields: { ...mapping.fields } as Record<string, unknown>, questions }
}

const article = (n: number) => ({ sku: `A-${n}`, name: `Screw ${n}`, price: `${n}.50`, stock: n })

describe('lists of records', () => {
  const besides = (questions: readonly string[]) => questions.filter((one) => one.includes('have the same members'))

  it('are asked about where another one has the same members (I168)', async () => {
    const { mapping, questions } = await proposed(
      JSON.stringify({ screws: [article(1), article(2)], bolts: [article(3), article(4)] }),
    )
    expect(mapping.items).toBe('screws')
    expect(besides(questions)).toEqual([
      'the articles are read from "screws", and records in "bolts" have the same members, which are left out: are they articles, too? Then import each list as a file of its own',
    ])
  })

  it('are not asked about where the other one is of something else', async () => {
    const { questions } = await proposed(
      JSON.stringify({ articles: [article(1), article(2)], shops: [{ id: 1, name: 'North', city: 'Bern' }] }),
    )
    expect(besides(questions)).toEqual([])
  })

  it('are those of the articles, and not of their shop, where there is one article', async () => {
    const { mapping } = await proposed(
      '<feed><shop><name>North</name><rates><rate code="USD" value="28"/></rates><offers><offer id="8"><name>Wallet</name><price>49</price><stock>3</stock><barcode>4006381333931</barcode></offer></offers></shop></feed>',
    )
    expect(mapping.items).toBe('feed.shop.offers.offer')
  })
})

describe('names of columns', () => {
  it.each([
    ['name_ua', 'title.uk'],
    ['name_cz', 'title.cs'],
    ['name_gr', 'title.el'],
  ])('%s is %s', async (name, field) => {
    const { fields } = await proposed(`sku;${name};price\nA-1;Сокира 3 кг;20.50\nA-2;Лопата;12.90\n`)
    expect(fields[field]).toBe(name)
  })

  it('say a currency without anything between', async () => {
    const { fields } = await proposed('sku;name;priceUAH\nA-1;Axe, heavy;2050\nA-2;Spade;1290\n')
    expect(fields).toMatchObject({ cost: 'priceUAH', currency: { constant: 'UAH' } })
  })

  it('of what is within a discount are no price of the article', async () => {
    const { fields } = await proposed(
      JSON.stringify(
        [1, 2].map((n) => ({ sku: `A-${n}`, name: `Axe ${n}`, unitPrice: 20 + n, discounts: [{ price: n }] })),
      ),
    )
    expect(fields['cost']).toBe('unitPrice')
  })
})

describe('paths of categories', () => {
  const category = async (...paths: string[]) => {
    const { fields } = await proposed(
      `sku;name;price;category\n${paths.map((path, n) => `A-${n};Article ${n};${n}.50;${path}`).join('\n')}\n`,
    )
    return fields['category']
  }

  it('keep a comma within the name of a level', async () => {
    expect(
      await category('Home > Cooking, Dining > Pots', 'Home > Coffee, Tea > Cups', 'Office > Paper'),
    ).not.toHaveProperty('split')
    expect(await category('Home > Cooking, Dining > Pots', 'Home > Cooking, Dining > Pans')).not.toHaveProperty('split')
  })

  it('end at a comma behind which different paths have the same, although none begins with it', async () => {
    for (const paths of [
      ['Garten > Boden, Sale > Sommer', 'Haus > Wand, Sale > Winter', 'Haus > Dach'],
      ['Home > Tools, Brands > Acme', 'Home > Pans, Brands > Acme'],
    ])
      expect(await category(...paths)).toMatchObject({ split: ',', take: 0 })
  })

  it('end at a comma behind which another path begins', async () => {
    expect(await category('Home > Pots, Home > Steel', 'Home > Cups, Office > Cups', 'Office > Paper')).toMatchObject({
      split: ',',
      take: 0,
    })
  })
})

describe('groups', () => {
  it('are those of the number of a group that only some articles have', async () => {
    const { fields } = await proposed(
      JSON.stringify([1, 2, 3].map((n) => ({ ...article(n), ...(n > 1 ? { group_id: 'G' } : {}) }))),
    )
    expect(fields['group_key']).toBe('group_id')
  })

  it.each([
    ['product_group_id;product_group_name', '7;Garden', '8;Kitchen'],
    ['productGroupId', '7', '8'],
    ['Item Group ID', '7', '8'],
    ['group_id;color', '7;green', '8;red'],
  ])('are none by the number of a group of merchandise: %s', async (columns, garden, kitchen) => {
    for (const last of [garden, garden.replace('7', '')]) {
      const { fields } = await proposed(
        `sku;name;purchase_price;stock;${columns}\n` +
          `A1;Spade;11.00;1;${garden}\nA2;Pan;12.00;2;${kitchen}\nA3;Rake;13.00;3;${garden}\nA4;Pot;14.00;4;${kitchen}\nA5;Hoe;15.00;5;${last}\n`,
      )
      expect(fields['group_key']).toBeUndefined()
      expect(JSON.stringify(fields['attributes'])).toContain(columns.split(';')[0])
    }
  })

  it('are none by the number of a category beside it, although the articles of each are called alike', async () => {
    const rows = ['Spade, small;7;Spades', 'Spade, large;7;Spades', 'Pot, small;8;Pots', 'Pot, large;8;Pots']
    const { fields } = await proposed(
      `sku;name;group_id;category;price\n${rows.map((row, n) => `A${n};${row};${n}.50\n`).join('')}`,
    )
    expect(fields['group_key']).toBeUndefined()
  })

  it('are those of a number whose rows have options, and a word of their titles', async () => {
    const rows = ['Red shirt;red;7', 'Blue shirt;blue;7', 'Red cap;red;8', 'Blue cap;blue;8', 'Mug;white;']
    const { fields } = await proposed(
      `sku;name;color;group_id;price\n${rows.map((row, n) => `A${n};${row};${n}.50\n`).join('')}`,
    )
    expect(fields['group_key']).toBe('group_id')
  })

  it('are none where every parent is 0', async () => {
    const { fields } = await proposed(JSON.stringify([1, 2, 3].map((n) => ({ ...article(n), parent_id: 0 }))))
    expect(fields['group_key']).toBeUndefined()
  })

  it('leave out those whose parent is 0', async () => {
    const { fields } = await proposed(
      JSON.stringify([1, 2, 3].map((n) => ({ ...article(n), parent_id: n === 1 ? 0 : 77 }))),
    )
    expect(fields['group_key']).toMatchObject({ when: { column: 'parent_id', notIn: ['', '0'] } })
  })
})

describe('lists of several pages', () => {
  it('leave out headings and the feet of pages', async () => {
    const page = (n: number, ...rows: string[]) => [`PART ${n};;;;`, ...rows, `Report 1.1;;;;Page ${n}/2`]
    const { mapping, fields } = await proposed(
      [
        'code;description;model;price;warranty',
        ...page(
          1,
          '1012;Adapter for the computer, black;BT-5;4,79;3',
          '1013;Adapter for the socket, white;AC-02;8,44;3',
        ),
        ...page(2, '1701;Headphones with a microphone;HS-78;12,68;3', '1702;Headphones for games, blue;HS-28;19,54;3'),
      ].join('\n'),
    )
    expect(fields).toMatchObject({ sku: 'code', title: 'description', cost: 'price' })
    expect(mapping.skip).toEqual([{ column: 'description', empty: true }])
  })

  it.each([
    ['A9;;;;discontinued', '"A9"'],
    ['A9;;;;', '"A9"'],
    ['B-9x;;;;discontinued', '"B-9x"'],
  ])('leave out no article of which little is there, and ask about it: %s', async (row, example) => {
    const rows = ['A1;Spade;11.00;1;', 'A2;Rake;12.00;2;', 'A3;Hoe, small;13.00;3;green', 'A4;Pan;14.00;4;']
    for (const heading of [';Tools;;;', 'Tools;;;;', ';;;;Tools']) {
      const text = ['sku;name;price;stock;note', heading, ...rows, row, ''].join('\n')
      const { mapping, questions } = await proposed(text)
      const skipped = (await readAll(text, mapping)).flatMap((one) => ('skipped' in one ? [one.line] : []))
      expect(skipped).not.toContain(7)
      expect(
        questions.filter((question) => question.includes(`such as ${example}`) || question.includes('Tools')),
      ).toEqual([expect.stringContaining('are they headings?')])
    }
  })
})
