import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readAll } from '../fixtures.ts'
import { presetMapping } from '../presets/preset-mapping.ts'

// Groups of variants as files state them.

const option = (key: string, value: string) => ({ key, label: null, value })

describe('ready mappings', () => {
  const groupsOf = async (name: string, preset: string) => {
    const rows = await readAll(
      readFileSync(new URL(`../exports/${name}`, import.meta.url)),
      presetMapping(preset, { imageBaseUrl: 'https://shop.example/' }),
    )
    return rows.flatMap((row) => ('offer' in row ? [[row.offer.sku, row.offer.group]] : []))
  }
  const glove = (size: string) => ({
    key: 'GLOVE',
    title: {},
    options: [option('Size', size), option('Lining', 'No')],
    position: null,
  })
  const trowel = (handle: string) => ({
    key: 'trowel',
    title: { en: 'Hand trowel' },
    options: [option('Handle', handle)],
    position: null,
  })

  it('shopify: variants of a handle, with the options of the product; a product without options is in none', async () => {
    expect(await groupsOf('shopify.csv', 'shopify')).toEqual([
      ['0012', trowel('Ash')],
      ['trowel/Oak', trowel('Oak')],
      ['gift-card', null],
    ])
  })

  it('woocommerce: variations of a parent, with the attributes in which they differ', async () => {
    expect(await groupsOf('woocommerce.csv', 'woocommerce')).toEqual([
      ['HAT', null],
      ['id:13', null],
      ['GLOVE-M', glove('M')],
      ['GLOVE-L', glove('L')],
    ])
    expect(await groupsOf('woocommerce-de.csv', 'woocommerce-de')).toMatchObject([
      ['HANDSCHUH-M', { key: 'HANDSCHUH', options: [option('Größe', 'M')] }],
      ['HANDSCHUH-L', { key: 'HANDSCHUH', options: [option('Größe', 'L')] }],
    ])
  })

  it('magento2: the variants that a configurable product lists, which is none of them itself', async () => {
    const spade = (size: string, position: number) => ({
      key: 'SPADE',
      title: { en: 'Spade' },
      options: [option('size', size)],
      position,
    })
    expect(await groupsOf('magento2.csv', 'magento2')).toEqual([
      ['SPADE-S', spade('S', 1)],
      ['SPADE-L', spade('L', 2)],
      ['SPADE', null],
    ])
  })

  it('google: items of an item_group_id', async () => {
    expect(await groupsOf('google.xml', 'google')).toMatchObject([
      ['CLOCK-BLACK', { key: 'CLOCK', options: [option('color', 'Black')] }],
      ['CLOCK-WHITE', null],
    ])
  })
})

it('bmecat: in none, unless a mapping takes the article that references name as base_product', async () => {
  const file = (article: string, id: string) =>
    ['A-M:M', 'A-L:L', 'A'].map((text) => {
      const [sku, size] = text.split(':')
      const features = `<${article}_FEATURES><FEATURE><FNAME>Größe</FNAME><FVALUE>${size}</FVALUE></FEATURE><FEATURE><FNAME>Stoff</FNAME><FVALUE>Leinen</FVALUE></FEATURE></${article}_FEATURES>`
      const reference = (type: string, to: string) =>
        `<${article}_REFERENCE type="${type}"><${id}_ID_TO>${to}</${id}_ID_TO></${article}_REFERENCE>`
      return `<${article}><SUPPLIER_${id === 'ART' ? 'AID' : 'PID'}>${sku}</SUPPLIER_${id === 'ART' ? 'AID' : 'PID'}>${features}${reference('accessories', 'X')}${size === undefined ? '' : reference('base_product', 'A')}</${article}>`
    })
  const catalog = (articles: string[]) =>
    `<BMECAT><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE></CATALOG></HEADER><T_NEW_CATALOG>${articles.join('')}</T_NEW_CATALOG></BMECAT>`
  const fields = {
    group_key: { first: [{ column: 'base_product', optional: true }, { constant: '' }] },
    group_options: [{ list: 'features', name: 'name', value: 'value', only: ['Größe'] }],
  }
  for (const articles of [file('ARTICLE', 'ART'), file('PRODUCT', 'PROD')]) {
    const read = async (of: object) =>
      (await readAll(catalog(articles), presetMapping('bmecat', of))).map((row) =>
        'offer' in row ? [row.offer.sku, row.offer.group] : row,
      )
    const shirt = (size: string) => ({ key: 'A', title: {}, options: [option('Größe', size)], position: null })
    expect(await read({})).toEqual([
      ['A-M', undefined],
      ['A-L', undefined],
      ['A', undefined],
    ])
    expect(await read({ fields })).toEqual([
      ['A-M', shirt('M')],
      ['A-L', shirt('L')],
      ['A', null],
    ])
  }
})

describe('a mapping', () => {
  const mapping = {
    locale: 'de',
    fields: {
      sku: 'sku',
      group_key: 'model',
      group_title: 'name',
      group_position: 'no',
      group_options: [{ key: 'size', column: 'size' }],
    },
  }
  const read = async (rows: string, of: object = mapping) =>
    (await readAll(`sku,model,name,no,size\n${rows}\n`, of)).map((row) =>
      'offer' in row ? [row.offer.group, row.dropped?.map(({ name }) => name)] : row,
    )

  it('states a group where the key is not empty; what cannot be read is reported, and the offer keeps the group that it has', async () => {
    expect(await read('A,TEE,Hemd,2,M\nB,,Hemd,2,M')).toEqual([
      [{ key: 'TEE', title: { de: 'Hemd' }, options: [option('size', 'M')], position: 2 }, undefined],
      [null, undefined],
    ])
    expect(await read(`A,${'x'.repeat(5_000)},Hemd,2,M\nB,TEE,Hemd,second,M`)).toEqual([
      [undefined, ['group_key']],
      [undefined, ['group_position']],
    ])
  })

  it('without a key has no other field of a group, and no title without a language', async () => {
    const { group_key: _key, ...fields } = mapping.fields
    await expect(read('', { ...mapping, fields })).rejects.toThrow('group_title has no meaning without "group_key"')
    await expect(read('', { fields: mapping.fields })).rejects.toThrow('is the language of "group_title"')
  })
})
