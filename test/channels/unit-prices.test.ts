import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { channelEntry } from '../../src/channels/channel-file.ts'
import type { ChannelScope } from '../../src/channels/channel-product.ts'
import { csvHead } from '../../src/channels/csv.ts'

const SCOPE: ChannelScope = {
  groupId: 1,
  linkTemplate: null,
  columns: { listPrices: true, tiers: true, sales: true, unitPrices: true, tax: false },
  timeZone: 'UTC',
}
const PRICE = {
  customer_group_id: 1,
  customer_group: 'G',
  base_cost: 1,
  computed_price: 9.99,
  currency: 'EUR',
  applied_rule_id: 1,
}
const PRODUCT = {
  id: 7,
  sku: 'A-1',
  ean: null,
  title: 'Juice',
  description: null,
  manufacturer: null,
  images: [],
  store: 'main',
  excluded: false,
  exclusion_reason: null,
  attributes: [],
  stock: 3,
}
const google = (product: string) => channelEntry('google', SCOPE, product)
const csv = (product: string, scope = SCOPE) => channelEntry('csv', scope, product)
const row = (text: string) =>
  parse<Record<string, string>>(csvHead(SCOPE) + text, { columns: true, record_delimiter: '\r\n' })[0]

describe('a unit price', () => {
  const of = (unit_price: object | undefined, net_content = '750 ml') =>
    JSON.stringify({
      ...PRODUCT,
      net_content,
      prices: [{ ...PRICE, ...(unit_price === undefined ? {} : { unit_price }) }],
    })
  const litre = { value: 13.3, unit: 'l', reference_quantity: 1 }

  it('is in CSV files as it is served, with what is in it and what it is for', () => {
    expect(row(csv(of(litre)))).toMatchObject({ net_content: '750 ml', unit_price: '13.30', unit_price_per: '1 l' })
    expect(row(csv(of(undefined, '1 l')))).toMatchObject({ net_content: '1 l', unit_price: '', unit_price_per: '' })
    expect(csv(of(litre), { ...SCOPE, columns: { ...SCOPE.columns, unitPrices: false, tax: false } })).not.toContain(
      '750 ml',
    )
  })

  it.each([
    ['750 ml', litre, '750ml', '1l'],
    ['6 x 0.33 l', { ...litre, unit: 'ml', reference_quantity: 100 }, '1.98l', '100ml'],
    ['5 dl', litre, '50cl', '1l'],
    ['2 t', { ...litre, unit: 'kg' }, '2000kg', '1kg'],
    ['12 fl oz', { ...litre, unit: 'qt' }, '12floz', '1qt'],
    ['300 mm', { ...litre, unit: 'm' }, '30cm', '1m'],
    ['25 cm2', { ...litre, unit: 'm2' }, '0.0025sqm', '1sqm'],
    ['2 m3', { ...litre, unit: 'm3' }, '2cbm', '1cbm'],
    ['20 piece', { ...litre, unit: 'piece' }, '20ct', '1ct'],
    ['750 ml', { ...litre, unit: 'cl', reference_quantity: 75 }, '750ml', '75cl'],
    // Google does not accept half a litre as the reference quantity
    ['750 ml', { ...litre, reference_quantity: 0.5 }, '750ml', undefined],
    ['1 l', undefined, '1l', undefined],
    ['a bottle', undefined, undefined, undefined],
  ])('of %s for %j is for Google %s by %s', (content, unitPrice, measure, base) => {
    const item = google(of(unitPrice, content))
    expect(/unit_pricing_measure>(.*)</.exec(item)?.[1]).toBe(measure)
    expect(/unit_pricing_base_measure>(.*)</.exec(item)?.[1]).toBe(base)
  })
})
