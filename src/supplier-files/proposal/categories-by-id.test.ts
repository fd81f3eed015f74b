import { describe, expect, it } from 'vitest'
import { parseMapping } from '../mapping/mapping.ts'
import { chunked, readAll } from '../fixtures.ts'
import { readOfferPages } from '../read-offers.ts'
import { detectMapping } from './detect.ts'

// Articles that name their category by its id: docs/decisions/272-categories-are-read-by-their-ids.md

async function proposed(file: string) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(file), (question) => questions.push(question))
  return { mapping, questions }
}

const offer = (id: number, category: string) =>
  `<offer id="${id}" available="true"><price>${id}.50</price><currencyId>UAH</currencyId>${category}<name>Lamp number ${id}</name></offer>`
const feed = (categories: string, offers: string) =>
  `<yml_catalog><shop><name>Shop</name><categories>${categories}</categories><offers>${offers}</offers></shop></yml_catalog>`
const CATEGORIES =
  '<category id="1">Home</category><category id="7" parentId="1">Lamps/light</category><category id="8">Garden</category>'

const categoriesOf = async (text: string, mapping: Parameters<typeof readAll>[1]) =>
  (await readAll(text, mapping)).map((row) => ('offer' in row ? (row.offer.category ?? null) : row))

describe('categories by their ids', () => {
  const text = feed(
    CATEGORIES,
    [offer(1, '<categoryId>7</categoryId>'), offer(2, '<categoryId>8</categoryId>'), offer(3, '')].join(''),
  )

  it('are the names of the category and of those that contain it', async () => {
    const { mapping, questions } = await proposed(text)
    expect(mapping.categories).toEqual({
      items: 'yml_catalog.shop.categories.category',
      id: '@id',
      name: '#text',
      parent: '@parentId',
      of: 'categoryId',
    })
    expect(mapping.fields.category).toBe('#category')
    expect(JSON.stringify(mapping.fields.attributes ?? [])).not.toContain('categoryId')
    expect(questions.join()).not.toContain('categories.category')
    expect(await categoriesOf(text, mapping)).toEqual(['Home/Lamps-light', 'Garden', null])
  })

  it('are read from members, and of several the first that the file has', async () => {
    const own =
      '<catalog><groups><group><id>a</id><name>Tools</name></group><group><id>b</id><name>Saws</name><parent_id>a</parent_id></group></groups>' +
      '<products><product><sku>S-1</sku><name>Saw one</name><price>1.50</price><group_id>b</group_id></product>' +
      '<product><sku>S-2</sku><name>Saw two</name><price>2.50</price><group_id>x</group_id><group_id>a</group_id></product>' +
      '<product><sku>S-3</sku><name>Saw three</name><price>3.50</price><group_id>b</group_id></product></products></catalog>'
    const { mapping } = await proposed(own)
    expect(mapping.categories).toEqual({
      items: 'catalog.groups.group',
      id: 'id',
      name: 'name',
      parent: 'parent_id',
      of: 'group_id',
    })
    expect(await categoriesOf(own, mapping)).toEqual(['Tools/Saws', 'Tools', 'Tools/Saws'])
  })

  it.each([
    ['articles name others', feed(CATEGORIES, [1, 2].map((id) => offer(id, '<categoryId>99</categoryId>')).join(''))],
    [
      'articles have a category in words',
      feed(CATEGORIES, [1, 2].map((id) => offer(id, '<categoryId>7</categoryId><category>Lamps</category>')).join('')),
    ],
    ['there are none', feed('', [1, 2].map((id) => offer(id, '<categoryId>7</categoryId>')).join(''))],
  ])('are not proposed if %s', async (_, other) => {
    expect((await proposed(other)).mapping.categories).toBeUndefined()
  })

  it('that contain each other end, and a category without a name is no level', async () => {
    const circle = feed(
      '<category id="1" parentId="2">One</category><category id="2" parentId="1"></category>',
      offer(1, '<categoryId>1</categoryId>'),
    )
    const mapping = parseMapping({
      format: 'xml',
      items: 'yml_catalog.shop.offers.offer',
      categories: {
        items: 'yml_catalog.shop.categories.category',
        id: '@id',
        name: '#text',
        parent: '@parentId',
        of: 'categoryId',
      },
      fields: { sku: '@id', category: '#category' },
    })
    const [path] = (await categoriesOf(circle, mapping)) as string[]
    expect(new Set(path?.split('/'))).toEqual(new Set(['One']))
  })

  it('take bounded memory, and a mapping for them states the path of the articles', async () => {
    const settings = { items: 'a.c', id: '@id', name: '#text', of: 'c' }
    const fields = { sku: '@id', category: '#category' }
    expect(() => parseMapping({ format: 'xml', categories: settings, fields })).toThrow(
      'categories has no meaning without "items"',
    )
    expect(() => parseMapping({ format: 'json', items: 'a', categories: settings, fields })).toThrow(
      'categories has no meaning in "json"',
    )
    const mapping = parseMapping({ format: 'xml', items: 'a.p', categories: settings, fields })
    const many = `<a>${Array.from({ length: 200 }, (_, n) => `<c id="${n}">Category ${n}</c>`).join('')}<p id="1"><c>1</c></p></a>`
    expect(await categoriesOf(many, mapping)).toEqual(['Category 1'])
    await expect(readAll(many, mapping, undefined, { importCatalogGroupsBytesMax: 10_000 })).rejects.toThrow(
      'the categories of the file take more than 10000 bytes: split the file',
    )
  })

  it('behind the articles are not read, which is said, and the offers keep theirs', async () => {
    const mapping = parseMapping({
      format: 'xml',
      items: 'a.p',
      categories: { items: 'a.c', id: '@id', name: '#text', of: 'c' },
      fields: { sku: '@id', category: '#category' },
    })
    const warnings: string[] = []
    const behind = chunked('<a><p id="1"><c>1</c></p><c id="1">Lamps</c></a>')
    for await (const page of readOfferPages(behind, mapping, undefined, (warning) => warnings.push(warning)))
      expect(page).toEqual([{ line: 1, offer: { sku: '1' } }])
    expect(warnings.join()).toContain('#category')
  })
})
