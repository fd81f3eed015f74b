import { describe, expect, it } from 'vitest'
import type { KnownMapping } from './chosen-before.ts'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'

const FILE =
  'Nr;Kurztext;Bez;Preis 1;Preis 2;Menge\nA-1;Spaten, lang;Spaten;10,50;12,90;4\nA-2;Harke, kurz;Harke;8,00;9,90;0\n'

const known = (fields: Record<string, unknown>, more: Partial<KnownMapping> & { rest?: object } = {}): KnownMapping => {
  const { rest, ...whose } = more
  return {
    supplier: 'Nord',
    isOwn: false,
    mapping: { locale: 'de', fields: { sku: 'Nr', ...fields }, ...rest },
    ...whose,
  }
}

async function proposed(content: string, mappings: readonly KnownMapping[]) {
  const asked: string[] = []
  const { mapping, reasons, preset } = await detectMapping(chunked(content), (warning) => asked.push(warning), mappings)
  const reasonsOf = (path: string) => reasons.filter((one) => one.path === path).map(({ reason }) => reason)
  return { mapping, preset, asked, reasonsOf }
}

describe('what was chosen before for columns of a file', () => {
  it('is proposed again, with whose mapping has it and what it takes the place of', async () => {
    const before = await proposed(FILE, [])
    expect(before.mapping.fields).toMatchObject({ title: 'Kurztext' })
    const { mapping, reasonsOf, asked } = await proposed(FILE, [known({ title: 'Bez', cost: 'Preis 2' })])
    expect(mapping.fields).toMatchObject({ sku: 'Nr', title: 'Bez', cost: 'Preis 2', quantity: 'Menge' })
    expect(reasonsOf('fields.title')).toEqual(['chosen before in the mapping of "Nord": "Bez", in place of "Kurztext"'])
    expect(reasonsOf('fields.cost').join()).toContain('chosen before in the mapping of "Nord": "Preis 2"')
    // the field is no longer asked about
    expect(asked.filter((question) => /what you pay|for the cost/.test(question))).toEqual([])
  })

  it('has its treatment, and not only its column', async () => {
    const cost = { calc: 'price * 0.8', of: { price: 'Preis 1' } }
    const { mapping } = await proposed(FILE, [known({ cost })])
    expect(mapping.fields.cost).toEqual(cost)
  })

  it('is of the first mapping that has it; what others have is said', async () => {
    const { mapping, reasonsOf } = await proposed(FILE, [
      known({ title: 'Bez' }),
      known({ title: 'Kurztext' }, { supplier: 'Süd' }),
    ])
    expect(mapping.fields.title).toBe('Bez')
    expect(reasonsOf('fields.title')).toEqual([
      'chosen before in the mapping of "Nord": "Bez", in place of "Kurztext"',
      'in the mapping of "Süd" it is "Kurztext"',
    ])
  })

  it('is not taken from a mapping of other files, nor where a column of it is missing', async () => {
    const other = known({ title: 'Bez', cost: 'Netto', quantity: 'Bestand', ean: 'GTIN', mpn: 'HAN', weight: 'kg' })
    expect((await proposed(FILE, [other])).mapping).toEqual((await proposed(FILE, [])).mapping)
    const joined = known({ title: { join: ['Bez', 'Farbe'], with: ' ' }, quantity: 'Menge', cost: 'Preis 2' })
    const { mapping } = await proposed(FILE, [joined])
    expect(mapping.fields).toMatchObject({ title: 'Kurztext', cost: 'Preis 2' })
  })

  it('of rows that are left out and of words of availability is taken from a mapping that fits as a whole', async () => {
    const rest = { skip: [{ column: 'Menge', in: ['0'] }], availability: { words: { viel: 'inStock' } } }
    const { mapping, reasonsOf } = await proposed(FILE, [known({ quantity: 'Menge' }, { rest })])
    expect(mapping).toMatchObject(rest)
    expect(reasonsOf('skip')).toEqual(['chosen before in the mapping of "Nord"'])
    const part = known({ quantity: 'Menge', mpn: 'HAN' }, { rest })
    expect((await proposed(FILE, [part])).mapping.skip).toBeUndefined()
  })

  it('by another supplier does not take the place of a purchase price, and by the same one it does', async () => {
    const file = 'SKU;Name;Price;EK;Stock\nA;Spade;12,90;8,00;4\nB;Hoe;9,90;6,00;1\n'
    const list = { locale: 'en', fields: { sku: 'SKU', title: 'Name', cost: 'Price' } }
    const others = await proposed(file, [{ supplier: 'Nord', isOwn: false, mapping: list }])
    expect(others.mapping.fields.cost).toBe('EK')
    expect(others.reasonsOf('fields.cost').at(-1)).toBe(
      'the mapping of "Nord" has "Price" there, and no purchase price',
    )
    const own = await proposed(file, [{ supplier: 'Nord', isOwn: true, mapping: list }])
    expect(own.mapping.fields.cost).toBe('Price')
  })

  it('in a ready mapping is what was changed of it, for files of that system', async () => {
    const header =
      'Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Price,Variant Barcode,Image Src'
    const file = `${header}\nspade,Spade,x,Acme,Tools,Title,Default Title,,,,,S-1,9.90,,\n`
    const mapping = { preset: 'shopify', fields: { manufacturer: null, category: 'Vendor' } }
    const { preset, mapping: read, reasonsOf } = await proposed(file, [{ supplier: 'Nord', isOwn: false, mapping }])
    expect([preset, read.fields.category]).toEqual(['shopify', 'Vendor'])
    expect(reasonsOf('fields.category')[0]).toContain('chosen before in the mapping of "Nord": "Vendor", in place of')
    expect((await proposed(FILE, [{ supplier: 'Nord', isOwn: false, mapping }])).mapping).toEqual(
      (await proposed(FILE, [])).mapping,
    )
  })

  describe('of records that list articles', () => {
    const versions = (no: number) =>
      ['S', 'M'].map((size) => ({ sku: `T${no}-${size}`, size, price: '8.00', stock: 2 }))
    const record = (no: number) => ({
      sku: `P${no}`,
      name: `Tee ${no}`,
      price: '9.00',
      stock: 4,
      variants: versions(no),
    })
    const file = JSON.stringify([record(1), record(2)])
    const whole = { locale: 'en', fields: { sku: 'sku', title: 'name', cost: 'price', quantity: 'stock' } }
    const listed = {
      format: 'json',
      each: 'variants',
      locale: 'en',
      fields: { sku: 'variants.sku', title: 'name', cost: 'variants.price' },
    }

    it('says by the own mapping of the supplier whether the records are the articles', async () => {
      expect((await proposed(file, [])).mapping.each).toBe('variants')
      const { mapping, asked } = await proposed(file, [{ supplier: 'Nord', isOwn: true, mapping: whole }])
      expect(mapping.each).toBeUndefined()
      expect(mapping.fields).toMatchObject(whole.fields)
      expect(asked.join()).not.toContain('"variants" is taken for an article')
    })

    it('keeps a list that was set by hand, and proposes the other fields with it', async () => {
      const other = JSON.stringify([1, 2].map((no) => ({ ...record(no), variants: undefined, entries: versions(no) })))
      expect((await proposed(other, [])).mapping.each).toBeUndefined()
      const fields = { sku: 'entries.sku', title: 'name', cost: 'entries.price' }
      const own = { supplier: 'Nord', isOwn: true, mapping: { ...listed, each: 'entries', fields } }
      const { mapping, reasonsOf } = await proposed(other, [own])
      expect(mapping.each).toBe('entries')
      expect(mapping.fields).toMatchObject({ ...fields, quantity: { else: 'entries.stock' } })
      expect(reasonsOf('each')).toEqual(['chosen before in the mapping of "Nord"'])
    })

    it('takes nothing from a mapping of another supplier that reads the other of both', async () => {
      const { mapping } = await proposed(file, [{ supplier: 'Nord', isOwn: false, mapping: whole }])
      expect(mapping).toEqual((await proposed(file, [])).mapping)
    })
  })

  it('is passed over where a mapping cannot be read any more, or does not fit beside the rest', async () => {
    const plain = (await proposed(FILE, [])).mapping
    for (const mapping of [null, 7, { fields: {} }, { preset: 'gone' }, { fields: { sku: 'Nr', title: 'Bez' } }])
      expect((await proposed(FILE, [{ supplier: 'Nord', isOwn: true, mapping }])).mapping).toEqual(plain)
    const twice = known({ 'title.de': 'Bez', quantity: 'Menge' })
    const { mapping } = await proposed(FILE, [twice])
    expect(mapping).toEqual(plain)
  })

  it('frees a column for what it was chosen for', async () => {
    const { mapping, reasonsOf } = await proposed(FILE, [known({ mpn: 'Menge', cost: 'Preis 1' })])
    expect(mapping.fields).toMatchObject({ mpn: 'Menge' })
    expect(mapping.fields.quantity).toBeUndefined()
    expect(reasonsOf('fields.mpn')).toContain('"Menge" would have been the quantity')
  })
})
