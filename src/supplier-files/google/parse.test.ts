import { describe, expect, it } from 'vitest'
import { readAll } from '../fixtures.ts'
import { presetMapping } from '../presets/preset-mapping.ts'

const google = presetMapping('google', {})
const NS = 'xmlns:g="http://base.google.com/ns/1.0"'
const expected = {
  sku: 'A',
  cost: '12.5',
  currency: 'EUR',
  quantity: 0,
  manufacturer: 'Acme',
  category: 'Tools/Spades',
  eans: ['4006381333931'],
  images: ['https://a.example/1.jpg', 'https://a.example/2.jpg', 'https://a.example/3.jpg'],
  attributes: [
    { key: 'color', value: 'red' },
    { key: 'Type', value: 'Flat' },
  ],
}

describe('google', () => {
  const fields = `<g:id>A</g:id><title>plain</title><g:title>Spade</g:title><g:price>12.50 EUR</g:price><g:availability>preorder</g:availability>
    <g:brand>Acme</g:brand><g:product_type>Tools &gt; Spades</g:product_type><g:product_type>Garden</g:product_type><g:gtin>4006381333931</g:gtin>
    <g:image_link>https://a.example/1.jpg</g:image_link><g:additional_image_link>https://a.example/2.jpg</g:additional_image_link>
    <g:additional_image_link>https://a.example/3.jpg</g:additional_image_link><g:color>red</g:color>
    <g:product_detail><g:section_name>General</g:section_name><g:attribute_name>Type</g:attribute_name><g:attribute_value>Flat</g:attribute_value></g:product_detail>`

  it.each([
    ['RSS 2.0', `<rss ${NS} version="2.0"><channel><title>x</title><item>${fields}</item></channel></rss>`],
    ['Atom', `<feed xmlns="http://www.w3.org/2005/Atom" ${NS}><title>x</title><entry>${fields}</entry></feed>`],
    [
      'RSS with another prefix',
      `<rss xmlns:x="http://base.google.com/ns/1.0"><channel><item>${fields.replaceAll('g:', 'x:')}</item></channel></rss>`,
    ],
  ])('reads %s', async (_, text) => {
    const [row] = await readAll(text, google)
    expect(row).toMatchObject({ offer: { ...expected, texts: { en: { title: 'Spade' } } } })
    // the format is also detected without being stated
    const { format: _format, ...open } = google
    expect(await readAll(text, open)).toEqual([row])
  })

  it('reads a table, whatever its columns are called', async () => {
    const [row] = await readAll(
      [
        'ID\tTitle\tPrice\tAvailability\tBrand\tProduct type\tGTIN\timage link\tAdditional image link\tcolor\tproduct_detail',
        'A\tSpade\t12.50 EUR\tpreorder\tAcme\tTools > Spades\t4006381333931\thttps://a.example/1.jpg\thttps://a.example/2.jpg,https://a.example/3.jpg\tred\tGeneral:Type:Flat',
      ].join('\n'),
      google,
    )
    expect(row).toMatchObject({ line: 2, offer: expected })
  })

  it.each([
    ['in stock', 1],
    ['in_stock', 1],
    ['http://schema.org/InStock', 1],
    ['out of stock', 0],
    ['backorder', 0],
    ['', 0],
  ])('counts the availability %j as %j, or as the mapping says', async (word, count) => {
    const text = `id\ttitle\tavailability\nA\tx\t${word}\n`
    expect(await readAll(text, google)).toMatchObject([{ offer: { quantity: count } }])
    const counted = presetMapping('google', { availability: { inStock: 25 } })
    expect(await readAll(text, counted)).toMatchObject([{ offer: { quantity: count * 25 } }])
  })

  it('refuses a feed without products', async () => {
    await expect(readAll(`<rss ${NS}><channel/></rss>`, google)).rejects.toThrow(/the feed has no products/)
  })
})
