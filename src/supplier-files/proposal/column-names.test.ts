import { expect, it } from 'vitest'
import { guessByName } from './column-names.ts'

it.each([
  ['Alış Fiyatı (TL)', 'cost', 'TRY'],
  ['EK in €', 'cost', 'EUR'],
  ['Cena netto [zł]', 'cost', 'PLN'],
  ['Cena (Kč)', 'cost', 'CZK'],
  ['Цена закупки, руб.', 'cost', 'RUB'],
  ['Ціна, грн', 'cost', 'UAH'],
  ['Preço (R$)', 'cost', 'BRL'],
  ['price-EUR', 'cost', 'EUR'],
  ['UVP €', 'list_price', 'EUR'],
  // a sign that several countries use
  ['Price ($)', 'cost', undefined],
  ['Pris kr', 'cost', undefined],
  // a measure, and no price
  ['Width (ft)', 'width', undefined],
])('%s is a column of %s in %s', (column, field, currency) => {
  expect(guessByName(column)[0]).toMatchObject({ field })
  expect(guessByName(column)[0]?.currency).toBe(currency)
})

it.each([
  'Stock (reserved)',
  'Stock (incoming)',
  'Bestand (reserviert)',
  'Quantity (per box)',
  'Quantity (min order)',
  'Menge (VE)',
  'Cost (shipping)',
  'Cost (per box)',
  'Price / 100',
  'Umsatz (netto)',
  'SKU (parent)',
  'Code (group)',
])('%s says another amount or key than the one of the article', (column) => {
  expect(guessByName(column).filter(({ score }) => score >= 2)).toEqual([])
})

it.each([
  ['Stock / Quantity', 'quantity'],
  ['Lagerbest.', 'quantity'],
  ['Stock (total)', 'quantity'],
  ['Lager (verfügbar)', 'quantity'],
  ['Bestand (gesamt)', 'quantity'],
  ['Cost (unit)', 'cost'],
  ['Price (tax excl.)', 'cost'],
  ['Cost (purchase price)', 'cost'],
  ['SKU / Article number', 'sku'],
  ['EAN / GTIN / barcode', 'ean'],
  ['Fabricante / Marca', 'manufacturer'],
])('%s says one thing in several words: the %s', (column, field) => {
  expect(guessByName(column)[0]?.field).toBe(field)
})

it.each([
  ['price.amount', 'cost'],
  ['node.price.value', 'cost'],
  ['compareAtPrice.amount', 'list_price'],
])('%s is the amount of a price', (column, field) => {
  expect(guessByName(column)[0]?.field).toBe(field)
})

it.each([
  'shipping.price.value',
  'price.tax.amount',
  'deposit.price.amount',
  'item.amount',
  'article.amount',
  'category.amount',
  'tax.price',
  'delivery_fee.price',
  'shippingOptions.price',
  'discounts.price',
  'discounts.quantity',
  'shipping.price.eur',
])('%s is another amount', (column) => {
  expect(guessByName(column).filter(({ score }) => score >= 2)).toEqual([])
})

it.each([
  ['price._', 'cost'],
  ['price.$', 'cost'],
  ['price.$t', 'cost'],
  ['price._text', 'cost'],
  ['price.$numberDouble', 'cost'],
  ['stock.$numberInt', 'quantity'],
  ['name._', 'title'],
  ['name._cdata', 'title'],
  ['category.$', 'category'],
  ['_id.$oid', 'sku'],
  ['meta._price', 'cost'],
  ['meta._sku', 'sku'],
])('%s is the %s as a program writes it', (column, field) => {
  expect(guessByName(column)[0]?.field).toBe(field)
})

it.each([
  'category._type',
  'brand._ref',
  'category._key',
  'brand._weak',
  'category.__typename',
  'category.$type',
  'price._createdAt',
  'stock.__v',
])('%s is what a system says of a member', (column) => {
  expect(guessByName(column)).toEqual([])
})

it.each([
  ['brand.name', 'manufacturer'],
  ['vendor.title', 'manufacturer'],
  ['category.name', 'category'],
  ['product.name', 'title'],
  ['node.title', 'title'],
  ['group.name', 'title'],
])('%s is the %s', (column, field) => {
  expect(guessByName(column)[0]?.field).toBe(field)
})

it.each([
  ['Lieferant.Preis', 'cost'],
  ['Lieferant.Bestand', 'quantity'],
  ['dostawca.cena', 'cost'],
  ['dostawca.stan', 'quantity'],
  ['excl_vat.price', 'cost'],
  ['taxExcluded.price.amount', 'cost'],
  ['with_vat.price', 'cost'],
  ['private.price', 'cost'],
  ['discounted.price', 'cost'],
  ['after_discount.price', 'cost'],
  ['feed.price', 'cost'],
  ['delivery.stock', 'quantity'],
])('%s is the %s of the article: what it is in is a supplier, or says which price it is', (column, field) => {
  expect(guessByName(column)[0]).toMatchObject({ field })
  expect(guessByName(column)[0]?.score).toBeGreaterThanOrEqual(2.5)
})

it('a price without tax goes before the one that is called alike', () => {
  const score = (column: string) => guessByName(column)[0]?.score ?? 0
  expect(score('excl_vat.price')).toBeGreaterThan(score('price'))
  expect(score('without_vat.price')).toBeGreaterThan(score('with_vat.price'))
})
