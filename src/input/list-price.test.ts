import { describe, expect, it } from 'vitest'
import { keptListPrice } from '../model/list-price.ts'
import { readListPrice } from './list-price.ts'

describe('a list price', () => {
  it.each([
    ['129.90', '129.9'],
    ['0129.900 eur', '129.9 EUR'],
    ['129EUR', '129 EUR'],
    ['0.000001', '0.000001'],
    ['999999999999999.999999 KWD', '999999999999999.999999 KWD'],
  ])('%j is kept as %j, which resolving understands', (given, kept) => {
    expect(readListPrice(given)).toEqual({ value: kept })
    const [amount, currency = null] = kept.split(' ')
    expect(keptListPrice(kept)).toEqual({ amount, currency })
  })

  it.each([
    '0',
    '0.00 EUR',
    '-1',
    '+5',
    '1e3',
    '12,50',
    'twelve',
    '12 XXL',
    '12 EUROS',
    '€ 12',
    '1234567890123456',
    '1.1234567',
    '1 2',
  ])('%j is refused with what it must be', (given) => {
    expect(readListPrice(given)).toEqual({ reason: expect.stringContaining('must be a price above 0') as string })
  })
})
