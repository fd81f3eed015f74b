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
  // of several countries
  ['Price ($)', 'cost', undefined],
  ['Pris kr', 'cost', undefined],
  // a measure, and no price at all
  ['Width (ft)', 'width', undefined],
])('%s is a column of %s in %s', (column, field, currency) => {
  expect(guessByName(column)[0]).toMatchObject({ field })
  expect(guessByName(column)[0]?.currency).toBe(currency)
})
