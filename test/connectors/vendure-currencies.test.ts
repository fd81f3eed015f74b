import { expect, test } from 'vitest'
import { warnOfCurrencies } from '../../connectors/vendure/src/shop/currencies.ts'

test.each([
  { why: 'a store sells in it', stores: ['EUR', 'USD'], warned: 0 },
  { why: 'none does', stores: ['EUR', 'PLN'], warned: 1 },
  { why: 'no store is in the channel', stores: [], warned: 0 },
])('of a channel’s default currency is warned where no store sells in it: $why', ({ stores, warned }) => {
  const told: string[] = []
  warnOfCurrencies(
    stores.map((currency) => ({ currency, channel: { code: 'shop' } })),
    [
      { code: 'shop', defaultCurrencyCode: 'USD' },
      { code: 'other', defaultCurrencyCode: 'GBP' },
    ],
    (text) => void told.push(text),
  )
  expect(told).toHaveLength(warned)
  for (const text of told) expect(text).toContain('make EUR its default currency')
})
