import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchOffers, type MatchRow } from './match.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 24_680), numRuns: 500 }
const OTHER = 9

const row = (supplierSku: string, gtins: string[] | undefined, over: Partial<MatchRow> = {}): MatchRow => ({
  supplierId: 1,
  supplierSku,
  productId: null,
  isDropped: false,
  gtins,
  ...over,
})
const offer = (supplierSku: string, ...gtins: string[]) => row(supplierSku, gtins)
const holder = (gtin: string, productId: number, supplierId = OTHER, supplierSku = `of ${productId}`) => ({
  gtin,
  productId,
  supplierId,
  supplierSku,
})
const offers = (productId: number, supplierId = 1) => ({ productId, supplierId })
/** The product id of each row; `row N` for a product that row N creates. */
const ids = (rows: MatchRow[], holders: ReturnType<typeof holder>[] = [], offered: ReturnType<typeof offers>[] = []) =>
  matchOffers(rows, holders, offered).map((match) =>
    'productId' in match ? match.productId : `row ${match.newProduct}`,
  )

describe('a new offer', () => {
  it('joins the product that carries its GTIN', () => {
    expect(ids([offer('A', 'g1')], [holder('g1', 5)])).toEqual([5])
  })

  it('without a GTIN, or with one nobody carries, makes a product', () => {
    expect(ids([offer('A'), offer('B', 'g2')], [holder('g1', 5)])).toEqual(['row 0', 'row 1'])
    expect(ids([], [holder('g1', 5)])).toEqual([])
  })

  it('joins the lowest-numbered product of the first GTIN that any carries', () => {
    expect(ids([offer('A', 'g0', 'g2', 'g1')], [holder('g1', 1), holder('g2', 9), holder('g2', 8)])).toEqual([8])
  })

  it('does not join a product that its supplier offers already; the next product or GTIN is tried', () => {
    expect(ids([offer('A', 'g1')], [holder('g1', 5)], [offers(5)])).toEqual(['row 0'])
    expect(ids([offer('A', 'g1')], [holder('g1', 5), holder('g1', 6)], [offers(5)])).toEqual([6])
    expect(ids([offer('A', 'g1', 'g2')], [holder('g1', 5), holder('g2', 7)], [offers(5)])).toEqual([7])
  })

  it('two articles of one supplier with one GTIN stay two products', () => {
    expect(ids([offer('A', 'g1'), offer('B', 'g1')], [holder('g1', 5)])).toEqual([5, 'row 1'])
    expect(ids([offer('A', 'g1'), offer('B', 'g2')], [holder('g1', 5), holder('g2', 5)])).toEqual([5, 'row 1'])
    expect(ids([offer('A', 'g1'), offer('B', 'g1')])).toEqual(['row 0', 'row 1'])
  })
})

describe('rows of several suppliers act in their order', () => {
  const south = { supplierId: 2 }
  it('a new product carries the GTIN of the row that made it', () => {
    expect(ids([row('S', ['g1'], south), offer('A', 'g1')])).toEqual(['row 0', 'row 0'])
    // existing products take precedence over new ones
    expect(ids([offer('A', 'g1'), row('S', ['g1'], south)], [holder('g1', 5)], [offers(5)])).toEqual(['row 0', 5])
  })

  it('a GTIN that a known offer gets can be joined from then on, and no longer once it loses it', () => {
    const known = row('K', ['g1'], { productId: 5 })
    expect(ids([known, row('S', ['g1'], south)])).toEqual([5, 5])
    expect(ids([row('S', ['g1'], south), known])).toEqual(['row 0', 5])
    const without = { ...known, gtins: [] }
    expect(ids([without, row('S', ['g1'], south)], [holder('g1', 5, 1, 'K')])).toEqual([5, 'row 1'])
    expect(ids([row('S', ['g1'], south), without], [holder('g1', 5, 1, 'K')])).toEqual([5, 5])
    // a row that states no EANs changes nothing
    expect(ids([{ ...known, gtins: undefined }, row('S', ['g1'], south)], [holder('g1', 5, 1, 'K')])).toEqual([5, 5])
    // another offer of the product states the GTIN as well
    expect(ids([without, row('S', ['g1'], south)], [holder('g1', 5, 1, 'K'), holder('g1', 5)])).toEqual([5, 5])
  })

  it('a later row of a new offer keeps its product, whatever its GTINs are then', () => {
    expect(ids([offer('A', 'g1'), offer('A', 'g2'), row('S', ['g1'], south), row('T', ['g2'], south)])).toEqual([
      'row 0',
      'row 0',
      'row 2',
      'row 0',
    ])
  })

  it('a deleted offer that is written again takes the place of its supplier on the product', () => {
    const back = row('D', undefined, { productId: 5, isDropped: true })
    expect(ids([back, offer('A', 'g1')], [holder('g1', 5)])).toEqual([5, 'row 1'])
    expect(ids([offer('A', 'g1'), back], [holder('g1', 5)])).toEqual([5, 5])
  })
})

const gtin = fc.constantFrom('g1', 'g2', 'g3')
const rows = fc.array(
  fc.record({
    supplierId: fc.integer({ min: 1, max: 2 }),
    supplierSku: fc.constantFrom('A', 'B', 'C', 'D'),
    productId: fc.constant(null),
    isDropped: fc.constant(false),
    gtins: fc.option(fc.uniqueArray(gtin), { nil: undefined }),
  }),
  { maxLength: 8 },
)
const holders = fc.array(
  fc.record({ gtin, productId: fc.integer({ min: 1, max: 5 }), supplierId: fc.constant(OTHER) }).map((entry) => ({
    ...entry,
    supplierSku: `of ${entry.productId}`,
  })),
  { maxLength: 8 },
)
const offered = fc.array(
  fc.record({ productId: fc.integer({ min: 1, max: 5 }), supplierId: fc.integer({ min: 1, max: 2 }) }),
  { maxLength: 4 },
)

it(`nobody is put on a taken product, no supplier twice on one, and holders come in any order (SEED=${SEED.seed})`, () => {
  fc.assert(
    fc.property(rows, holders, offered, (wanted, known, taken) => {
      const result = matchOffers(wanted, known, taken).map((match) => JSON.stringify(match))
      const offersOf = new Map<string, string>()
      wanted.forEach(({ supplierId, supplierSku }, i) => {
        const of = `${supplierId} ${result[i]}`
        expect(offersOf.get(of) ?? supplierSku).toBe(supplierSku)
        offersOf.set(of, supplierSku)
        expect(taken.map((entry) => `${entry.supplierId} {"productId":${entry.productId}}`)).not.toContain(of)
      })
      expect(matchOffers(wanted, known.toReversed(), taken).map((match) => JSON.stringify(match))).toEqual(result)
    }),
    SEED,
  )
})
