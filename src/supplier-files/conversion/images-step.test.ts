import { describe, expect, it } from 'vitest'
import type { ImageAlts } from '../../model/image-alts.ts'
import { readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'

const A = 'https://a.example/1.jpg'
const B = 'https://a.example/2.jpg'
const fields = { sku: 'sku', images: { column: 'images', split: '|' }, image_alts: { column: 'alts', split: '|' } }
const base = { locale: 'en', fields }

/** The pictures that one row states, and the values that are dropped. */
async function stated(images: string, alts: string, mapping: object = base) {
  const [row] = await readAll(`sku;images;alts\nX;${images};${alts}\n`, mapping)
  const { offer, dropped = [] } = row as unknown as {
    offer: { images?: string[]; imageAlts?: ImageAlts }
    dropped?: { name: string; reason: string }[]
  }
  return { ...offer, sku: undefined, dropped: dropped.map(({ name, reason }) => `${name} ${reason}`) }
}

describe('texts of pictures', () => {
  it('belong to the pictures at the same places; an empty one to none', async () => {
    expect(await stated(`${A}|${B}`, 'Front|Back')).toMatchObject({
      images: [A, B],
      imageAlts: { en: { [A]: 'Front', [B]: 'Back' } },
      dropped: [],
    })
    expect(await stated(`${A}|${B}`, '|Back')).toMatchObject({ imageAlts: { en: { [B]: 'Back' } }, dropped: [] })
    // the row states that there are no pictures
    expect(await stated(`${A}|${B}`, '')).toMatchObject({ imageAlts: { en: {} }, dropped: [] })
    expect(await stated(`${A}|${B}`, '|')).toMatchObject({ imageAlts: { en: {} }, dropped: [] })
  })

  it.each([
    ['Front', 1, 2],
    ['Front|Back|Side', 3, 2],
  ])('that are more or fewer than the pictures are not taken: %s', async (alts, texts, pictures) => {
    const row = await stated(`${A}|${B}`, alts)
    expect(row).toMatchObject({ images: [A, B], dropped: [`image_alts has ${texts} texts for ${pictures} pictures`] })
    // the known pictures are kept
    expect(row).not.toHaveProperty('imageAlts')
  })

  it('stay with their pictures if others cannot be read, or are there twice', async () => {
    expect(await stated(`n/a|${A}|${A}|${B}`, 'Nothing|Front|Again|Back')).toMatchObject({
      images: [A, B],
      imageAlts: { en: { [A]: 'Front', [B]: 'Back' } },
    })
    expect(await stated(`${A}|${A}`, '|Front')).toMatchObject({ imageAlts: { en: { [A]: 'Front' } } })
  })

  it('that are too long are not taken, and others are', async () => {
    const row = await stated(`${A}|${B}`, `${'x'.repeat(5_000)}|Back`)
    expect(row).toMatchObject({
      imageAlts: { en: { [B]: 'Back' } },
      dropped: ['image_alts must have at most 1000 characters'],
    })
    expect(await stated(A, 'x'.repeat(1_001))).not.toHaveProperty('imageAlts')
  })

  it('are plain: signs of HTML and marks of direction stay as they are', async () => {
    const text = '<b onerror="x()">Front</b> & \u202eback\u202c'
    expect(await stated(A, text, { locale: 'en', fields: { ...fields, image_alts: 'alts' } })).toMatchObject({
      imageAlts: { en: { [A]: text } },
    })
  })

  it('may be in several languages, and each source belongs to the one of pictures at its place', async () => {
    const csv = `sku;main;more;de;en main;en more\nX;${A};${B},https://a.example/3.jpg;Vorne;Front;Back,Side\n`
    const mapping = {
      locale: 'en',
      fields: {
        sku: 'sku',
        images: ['main', { column: 'more', split: ',' }],
        image_alts: ['en main', { column: 'en more', split: ',' }],
        'image_alts.de': 'de',
      },
    }
    const [row] = await readAll(csv, mapping)
    expect(row).toMatchObject({
      offer: {
        imageAlts: {
          en: { [A]: 'Front', [B]: 'Back', 'https://a.example/3.jpg': 'Side' },
          de: { [A]: 'Vorne' },
        },
      },
    })
  })

  it('are not stated where the file lacks an optional column', async () => {
    const optional = { ...fields, image_alts: { column: 'texts', optional: true } }
    expect(await stated(A, 'x', { locale: 'en', fields: optional })).not.toHaveProperty('imageAlts')
  })

  it('are nothing without pictures, which a mapping may take out of a ready one', async () => {
    expect(await stated(A, 'x', { locale: 'en', fields: { sku: 'sku', image_alts: 'alts' } })).toEqual({ dropped: [] })
  })

  it('need a language', () => {
    expect(() => parseMapping({ fields })).toThrow(/locale is required/)
    expect(() => parseMapping({ ...base, fields: { ...fields, 'image_alts.en': 'x' } })).toThrow(/duplicated/)
    expect(() => parseMapping({ ...base, fields: { ...fields, 'image_alts.german': 'x' } })).toThrow(/language tag/)
  })
})

describe('columns that are collected beside others', () => {
  const group = { by: 'product', collect: ['image'], beside: { alt: 'image' }, offers: { column: 'sku', notIn: [''] } }
  const mapping = { locale: 'en', group, fields: { sku: 'sku', images: 'image', image_alts: 'alt' } }
  const csv = `product,sku,image,alt\nP,S1,${A},\nP,S2,${B},Back\nP,,${A},Front\nP,,,Lost\n`

  it('stay at the places of those, whichever rows have them', async () => {
    const rows = await readAll(csv, mapping)
    const offer = { images: [A, B], imageAlts: { en: { [A]: 'Front', [B]: 'Back' } } }
    expect(rows.slice(0, 2)).toMatchObject([{ offer }, { offer }])
    const objects = JSON.stringify(
      [
        ['S1', A, null],
        ['S2', B, 'Back'],
        ['', A, 'Front'],
      ].map(([sku, image, alt]) => ({ product: 'P', sku, image, alt })),
    )
    expect((await readAll(objects, mapping)).slice(0, 2)).toMatchObject([{ offer }, { offer }])
  })

  it('are taken from parents, too', async () => {
    const parents = `product,sku,parent,image,alt\nP,,,${A},Front\nQ,S1,P,${B},Back\n`
    const rows = await readAll(parents, { ...mapping, group: { ...group, parent: 'parent' } })
    expect(rows.at(-1)).toMatchObject({
      offer: { images: [B, A], imageAlts: { en: { [A]: 'Front', [B]: 'Back' } } },
    })
  })

  it('are of collected columns only', () => {
    expect(() => parseMapping({ ...mapping, group: { ...group, beside: { alt: 'other' } } })).toThrow(
      /group\.beside\.alt must name a column of "collect"/,
    )
  })
})
