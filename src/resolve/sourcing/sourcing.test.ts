import { describe, expect, it, test } from 'vitest'
import { converter } from '../currency.ts'
import type { OfferInput, SupplierInput } from '../inputs.ts'
import { anOffer as offer, aSupplier as supplier } from '../fixtures.ts'
import { candidateOf, compareText, decidedBy, rankOffers } from './sourcing.ts'

/** The keys of the offers, best first. Expects the same for both orders of the input. */
function ranked(
  offers: OfferInput[],
  suppliers: SupplierInput[],
  rates: Record<string, string> = { PLN: '4', USD: '1.25' },
): string[] {
  const known = new Map(suppliers.map((entry) => [entry.supplierId, entry]))
  const keys = (list: OfferInput[]) =>
    rankOffers(list, known, 'EUR', converter('EUR', rates)).map((row) => row.offer.supplierSku)
  const result = keys(offers)
  expect(keys(offers.toReversed())).toEqual(result)
  return result
}

describe('the order of offers', () => {
  const two = [supplier(1), supplier(2)]

  it('in stock goes before out of stock, however cheap', () => {
    expect(ranked([offer(1, { cost: '1', quantity: 0 }), offer(2, { cost: '99', quantity: 1 })], two)).toEqual([
      'S2',
      'S1',
    ])
  })

  it('the lowest cost goes first among those in stock, and among those out of stock', () => {
    expect(ranked([offer(1, { cost: '9.990001' }), offer(2, { cost: '9.99' })], two)).toEqual(['S2', 'S1'])
    expect(ranked([offer(1, { cost: '3', quantity: 0 }), offer(2, { cost: '2', quantity: 0 })], two)).toEqual([
      'S2',
      'S1',
    ])
  })

  it('costs are compared in the account’s currency, unrounded', () => {
    // 41 PLN / 4 = 10.25 EUR, 12.50 USD / 1.25 = 10.00 EUR, 10.1 EUR
    const three = [supplier(1), supplier(2), supplier(3)]
    const offers = [
      offer(1, { cost: '41', currency: 'PLN' }),
      offer(2, { cost: '12.50', currency: 'USD' }),
      offer(3, { cost: '10.1' }),
    ]
    expect(ranked(offers, three)).toEqual(['S2', 'S3', 'S1'])
    // 40.000001 PLN = 10.00000025 EUR loses to 10 EUR by less than a cent
    expect(ranked([offer(1, { cost: '40.000001', currency: 'PLN' }), offer(2)], two)).toEqual(['S2', 'S1'])
  })

  it('of equal costs the supplier of the lower priority number goes first, then the lower id, then the lower key', () => {
    expect(
      ranked([offer(1), offer(2, { cost: '10.000' })], [supplier(1, { priority: 2 }), supplier(2, { priority: 1 })]),
    ).toEqual(['S2', 'S1'])
    expect(ranked([offer(1, { cost: '40', currency: 'PLN' }), offer(2)], two)).toEqual(['S1', 'S2'])
    expect(ranked([offer(1, { supplierSku: 'Z' }), offer(2, { supplierSku: 'A' })], two)).toEqual(['Z', 'A'])
    expect(
      ranked([offer(1, { supplierSku: 'b' }), offer(1, { supplierSku: 'a' }), offer(1, { supplierSku: 'B' })], two),
    ).toEqual(['B', 'a', 'b'])
  })

  it('quantity beyond being in stock plays no part', () => {
    expect(ranked([offer(1, { quantity: 1 }), offer(2, { quantity: 9_000 })], two)).toEqual(['S1', 'S2'])
  })

  it('offers without a cost come last, even when they alone are in stock', () => {
    const three = [supplier(1), supplier(2, { priority: 1 }), supplier(3)]
    const offers = [
      offer(1, { quantity: 0 }),
      offer(2, { cost: null, quantity: 0 }),
      offer(3, { cost: null, quantity: 8 }),
    ]
    expect(ranked(offers, three)).toEqual(['S1', 'S3', 'S2'])
  })

  it('a cost of 0 is a cost, and the lowest', () => {
    expect(
      ranked([offer(1, { cost: '0.01' }), offer(2, { cost: '0' }), offer(1, { cost: null, supplierSku: 'none' })], two),
    ).toEqual(['S2', 'S1', 'none'])
  })
})

describe('the safety buffer', () => {
  it('is taken off before stock is judged and reported', () => {
    const suppliers = new Map([
      [1, supplier(1, { safetyBuffer: 5 })],
      [2, supplier(2)],
    ])
    const rows = rankOffers(
      [offer(1, { cost: '1', quantity: 5 }), offer(2, { cost: '50', quantity: 2 })],
      suppliers,
      'EUR',
      converter('EUR', {}),
    )
    expect(rows.map((row) => [row.offer.supplierSku, row.quantity])).toEqual([
      ['S2', 2],
      ['S1', 0],
    ])
  })

  it('never makes a quantity negative, and leaves what is above it', () => {
    const suppliers = new Map([[1, supplier(1, { safetyBuffer: 5 })]])
    const left = (quantity: number) =>
      rankOffers([offer(1, { quantity })], suppliers, 'EUR', converter('EUR', {})).map((row) => row.quantity)
    expect([-7, 0, 4, 5, 6, 100].map((quantity) => left(quantity)[0])).toEqual([0, 0, 0, 0, 1, 95])
  })
})

describe('who does not compete', () => {
  it('offers of inactive and of unknown suppliers', () => {
    expect(
      ranked([offer(1, { cost: '1' }), offer(2), offer(3)], [supplier(1, { isActive: false }), supplier(2)]),
    ).toEqual(['S2'])
  })

  it('offers in a currency without a rate, unless they state no cost', () => {
    const suppliers = [supplier(1), supplier(2), supplier(3)]
    const offers = [offer(1, { cost: '1', currency: 'CHF' }), offer(2), offer(3, { cost: null, currency: 'CHF' })]
    expect(ranked(offers, suppliers)).toEqual(['S2', 'S3'])
  })

  it('without any offer there is no candidate', () => {
    expect(ranked([], [supplier(1)])).toEqual([])
  })
})

it('compareText orders by code units, the same in every locale', () => {
  expect(['ä', 'z', 'a', 'Z', '10', '9', ''].sort(compareText)).toEqual(['', '10', '9', 'Z', 'a', 'z', 'ä'])
  expect(compareText('a', 'a')).toBe(0)
})

test('explain can say what decided for the best offer, and why an offer does not compete', () => {
  const suppliers = new Map(
    [supplier(1), supplier(2, { priority: 5 }), supplier(3, { isActive: false })].map((entry) => [
      entry.supplierId,
      entry,
    ]),
  )
  const money = converter('EUR', { PLN: '4' })
  const by = (a: Partial<OfferInput>, b: Partial<OfferInput>, second = 2) => {
    const [best, other] = rankOffers([offer(1, a), offer(second, b)], suppliers, 'EUR', money)
    return decidedBy(best!, other!)
  }
  expect(by({ cost: null }, {})).toBe('has_cost')
  expect(by({ quantity: 0 }, {})).toBe('in_stock')
  expect(by({ cost: '9' }, {})).toBe('cost')
  expect(by({}, { cost: '40', currency: 'PLN' })).toBe('supplier_priority')
  expect(by({}, { supplierSku: 'Z' }, 1)).toBe('supplier_sku')
  expect(candidateOf(offer(3), suppliers, 'EUR', money)).toBe('inactive_supplier')
  expect(candidateOf(offer(4), suppliers, 'EUR', money)).toBe('unknown_supplier')
  expect(candidateOf(offer(1, { currency: 'USD' }), suppliers, 'EUR', money)).toBe('no_exchange_rate')
})
