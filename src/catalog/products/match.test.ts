import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchOffers } from './match.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 24_680), numRuns: 500 }
const offer = (supplierSku: string, ...gtins: string[]) => ({ supplierSku, gtins })
const holder = (gtin: string, productId: number, hasOfferOfSupplier = false) => ({
  gtin,
  productId,
  hasOfferOfSupplier,
})
const ids = (...args: Parameters<typeof matchOffers>) => matchOffers(...args).map((row) => row.productId)

describe('a new offer', () => {
  it('joins the product that carries its GTIN', () => {
    expect(matchOffers([offer('A', 'g1')], [holder('g1', 5)])).toEqual([{ supplierSku: 'A', productId: 5 }])
  })

  it('without a GTIN, or with one nobody carries, makes a product', () => {
    expect(ids([offer('A'), offer('B', 'g2')], [holder('g1', 5)])).toEqual([null, null])
    expect(ids([], [holder('g1', 5)])).toEqual([])
  })

  it('joins the lowest-numbered product of the first GTIN that any carries', () => {
    expect(ids([offer('A', 'g0', 'g2', 'g1')], [holder('g1', 1), holder('g2', 9), holder('g2', 8)])).toEqual([8])
  })

  it('does not join a product that its supplier offers already; the next product or GTIN is tried', () => {
    expect(ids([offer('A', 'g1')], [holder('g1', 5, true)])).toEqual([null])
    expect(ids([offer('A', 'g1')], [holder('g1', 5, true), holder('g1', 6)])).toEqual([6])
    expect(ids([offer('A', 'g1', 'g2')], [holder('g1', 5, true), holder('g2', 7)])).toEqual([7])
    // known as taken through another of its GTINs
    expect(ids([offer('A', 'g1')], [holder('g2', 5, true), holder('g1', 5, false)])).toEqual([null])
  })

  it('two articles of one supplier with one GTIN stay two products', () => {
    expect(ids([offer('A', 'g1'), offer('B', 'g1')], [holder('g1', 5)])).toEqual([5, null])
    expect(ids([offer('A', 'g1'), offer('B', 'g2')], [holder('g1', 5), holder('g2', 5)])).toEqual([5, null])
  })
})

it(`nobody is put on a taken product, no product is taken twice, and holders come in any order (SEED=${SEED.seed})`, () => {
  const gtin = fc.constantFrom('g1', 'g2', 'g3')
  const offers = fc.uniqueArray(fc.record({ supplierSku: fc.string(), gtins: fc.uniqueArray(gtin) }), {
    selector: (row) => row.supplierSku,
    maxLength: 6,
  })
  const holders = fc.array(
    fc.record({ gtin, productId: fc.integer({ min: 1, max: 5 }), hasOfferOfSupplier: fc.boolean() }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(offers, holders, (wanted, known) => {
      const result = matchOffers(wanted, known)
      expect(result.map((row) => row.supplierSku)).toEqual(wanted.map((row) => row.supplierSku))
      const joined = result.flatMap((row) => (row.productId === null ? [] : [row.productId]))
      expect(new Set(joined).size).toBe(joined.length)
      for (const id of joined) expect(known.some((row) => row.productId === id && row.hasOfferOfSupplier)).toBe(false)
      result.forEach((row, i) => {
        if (row.productId !== null)
          expect(
            known.some((entry) => entry.productId === row.productId && wanted[i]!.gtins.includes(entry.gtin)),
          ).toBe(true)
      })
      expect(matchOffers(wanted, known.toReversed())).toEqual(result)
    }),
    SEED,
  )
})
