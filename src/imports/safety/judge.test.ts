import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXCESS_KINDS, reasonsToHold, type RunCounts, type Thresholds } from './judge.ts'

const LIMITS: Thresholds = {
  zeroedShareMax: 0.5,
  refusedShareMax: 0.25,
  pricesLostShareMax: 0.5,
  pricesZeroShareMax: 0.05,
  pricesJumpShareMax: 0.2,
  pricesJumpFactor: 3,
  emptiedShareMax: 0.5,
  swappedShareMax: 0.2,
}
const GOOD: RunCounts = {
  mode: 'full',
  rows: 100,
  accepted: 100,
  refused: 0,
  withoutKey: 0,
  firstRefused: null,
  inStock: 80,
  zeroed: 0,
  priced: 90,
  pricesLost: 0,
  pricesZero: 0,
  pricesJumped: 0,
  paired: 90,
  swapped: 0,
  emptied: {
    titles: { known: 90, count: 0 },
    images: { known: 90, count: 0 },
    eans: { known: 90, count: 0 },
    quantities: { known: 80, count: 0 },
  },
  misread: null,
  missing: [],
}
/** Limits that hold back nothing. */
const NO_OTHERS = { pricesJumpShareMax: 1, pricesJumpFactor: 3, emptiedShareMax: 1, swappedShareMax: 1 }
const kinds = (over: Partial<RunCounts>, limits: Partial<Thresholds> = {}) =>
  reasonsToHold({ ...GOOD, ...over }, { ...LIMITS, ...limits }).map(({ kind }) => kind)

const emptied = (what: keyof RunCounts['emptied'], count: number) => ({
  ...GOOD.emptied,
  [what]: { ...GOOD.emptied[what], count },
})

describe('a file is held', () => {
  it.each<[string, Partial<RunCounts>, string[]]>([
    ['not when all is well', {}, []],
    ['when it is full and has no valid row', { rows: 2, accepted: 0, refused: 2 }, ['empty']],
    ['not when it is an empty delta', { mode: 'delta', rows: 0, accepted: 0 }, []],
    ['when three of five rows are refused', { rows: 5, accepted: 2, refused: 3 }, ['refused']],
    ['not when one of two rows is', { rows: 2, accepted: 1, refused: 1 }, []],
    ['not when a quarter is', { rows: 100, accepted: 75, refused: 25 }, []],
    ['when more than a quarter is', { rows: 100, accepted: 74, refused: 26 }, ['refused']],
    ['not when half of the stock goes', { zeroed: 40 }, []],
    ['not at its limit, also where the product of numbers is a little less', { inStock: 100, zeroed: 29 }, []],
    ['when more than half of the stock goes', { zeroed: 41 }, ['zeroed']],
    ['not when a delta says that it goes', { mode: 'delta', zeroed: 80 }, []],
    ['when more than half of the costs are lost', { pricesLost: 46 }, ['prices_lost']],
    ['when more than a fifth of the costs jump', { pricesJumped: 19 }, ['prices_jump']],
    ['not when a fifth does', { pricesJumped: 18 }, []],
    ['not when two of three jump', { priced: 3, pricesJumped: 2 }, []],
    ['when costs and quantities are swapped', { swapped: 19 }, ['swapped']],
    ['not when two of three are', { paired: 3, swapped: 2 }, []],
    ['when titles are emptied', { emptied: emptied('titles', 46) }, ['titles_emptied']],
    ['when pictures are', { emptied: emptied('images', 90) }, ['images_emptied']],
    ['when EANs are', { emptied: emptied('eans', 46) }, ['eans_emptied']],
    ['when quantities are', { emptied: emptied('quantities', 41) }, ['quantities_emptied']],
    ['not when half of the titles are', { emptied: emptied('titles', 45) }, []],
    [
      'when UTF-8 is read as something else',
      { misread: { encoding: 'windows-1252', characters: 1, broken: 0, right: 'ö', wrong: 'Ã¶' } },
      ['encoding'],
    ],
    ['in a delta as well', { mode: 'delta', pricesLost: 46 }, ['prices_lost']],
    ['not for two costs of 0 out of three', { priced: 3, pricesZero: 2 }, []],
    ['when more than one in twenty costs becomes 0', { priced: 100, pricesZero: 6 }, ['prices_zero']],
    ['when a column is in no row', { missing: [{ field: 'cost', column: 'prise' }] }, ['missing_columns']],
  ])('%s', (_name, over, expected) => {
    expect(kinds(over, over.zeroed === 29 ? { zeroedShareMax: 0.29 } : {})).toEqual(expected)
  })

  it('for every reason there is, each with what to do', () => {
    const excesses = reasonsToHold(
      {
        ...GOOD,
        accepted: 10,
        refused: 90,
        withoutKey: 1,
        firstRefused: 'line 2, cost must be a decimal',
        zeroed: 80,
        pricesLost: 60,
        pricesZero: 30,
        missing: [{ field: 'quantity', column: 'qty' }],
      },
      LIMITS,
    )
    expect(excesses.map(({ kind, count, of, limit }) => [kind, count, of, limit])).toEqual([
      ['missing_columns', 1, 100, 0],
      ['refused', 90, 100, 0.25],
      ['zeroed', 80, 80, 0.5],
      ['prices_lost', 60, 90, 0.5],
      ['prices_zero', 30, 90, 0.05],
    ])
    for (const { text } of excesses) expect(text).toMatch(/[:;] (correct|look|fetch)/)
    expect(excesses[1]?.text).toMatch(
      /^90 of 100 rows cannot be read, more than 25 % \(the first: line 2, cost must be/,
    )
    expect(excesses[1]?.text).toMatch(/1 of them has no readable key, and once it is confirmed/)
  })
})

const share = fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000)
const limits = fc.record({
  zeroedShareMax: share,
  refusedShareMax: share,
  pricesLostShareMax: share,
  pricesZeroShareMax: share,
  pricesJumpShareMax: fc.constant(1),
  pricesJumpFactor: fc.constant(3),
  emptiedShareMax: fc.constant(1),
  swappedShareMax: fc.constant(1),
})
const counts: fc.Arbitrary<RunCounts> = fc
  .record({
    mode: fc.constantFrom('full' as const, 'delta' as const),
    accepted: fc.nat(1_000),
    refused: fc.nat(1_000),
    withoutKey: fc.nat(3),
    inStock: fc.nat(1_000),
    zeroedShare: share,
    priced: fc.nat(1_000),
    lostShare: share,
    zeroShare: share,
  })
  .map(({ mode, accepted, refused, withoutKey, inStock, zeroedShare, priced, lostShare, zeroShare }) => {
    const pricesLost = Math.floor(priced * lostShare)
    return {
      ...GOOD,
      mode,
      rows: accepted + refused,
      accepted,
      refused,
      withoutKey: Math.min(withoutKey, refused),
      inStock,
      zeroed: Math.floor(inStock * zeroedShare),
      priced,
      pricesLost,
      pricesZero: Math.floor((priced - pricesLost) * zeroShare),
    }
  })

describe('of any counts and limits', () => {
  it('what is held exceeds its limit, at most once for each reason, and is said in words', () => {
    fc.assert(
      fc.property(counts, limits, (seen, allowed) => {
        const excesses = reasonsToHold(seen, allowed)
        expect(new Set(excesses.map(({ kind }) => kind)).size).toBe(excesses.length)
        for (const { kind, count, of, limit, text } of excesses) {
          expect(EXCESS_KINDS).toContain(kind)
          if (kind !== 'empty') expect(count * 10_000).toBeGreaterThan(of * Math.round(limit * 10_000))
          expect(text.length).toBeGreaterThan(40)
        }
      }),
    )
  })

  it('more trouble is never held less, and wider limits never hold more', () => {
    fc.assert(
      fc.property(counts, limits, fc.integer({ min: 1, max: 50 }), (seen, allowed, more) => {
        const held = new Set(reasonsToHold(seen, allowed).map(({ kind }) => kind))
        const worse = { ...seen, zeroed: Math.min(seen.inStock, seen.zeroed + more) }
        expect(held.has('zeroed') && !reasonsToHold(worse, allowed).some(({ kind }) => kind === 'zeroed')).toBe(false)
        const wide = {
          zeroedShareMax: 1,
          refusedShareMax: 1,
          pricesLostShareMax: 1,
          pricesZeroShareMax: 1,
          ...NO_OTHERS,
        }
        const rest = reasonsToHold(seen, wide).map(({ kind }) => kind)
        expect(rest).toEqual(seen.mode === 'full' && seen.accepted === 0 ? ['empty'] : [])
      }),
    )
  })
})
