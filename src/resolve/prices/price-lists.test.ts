import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawListEntries, drawPriceLists } from '../arbitrary/arbitrary-price-lists.ts'
import { drawsFrom } from '../arbitrary/draws.ts'
import { aGroup, anAccount, anOffer, aProduct, aRule, aStore, compileAccount, payloadOf } from '../fixtures.ts'
import { isHeldAt } from './guard.ts'
import type { AccountInputs, PriceListEntryInput, PriceListInput } from '../inputs.ts'
import { findEntry, listsIn, orderedLists, withPriceLists } from './price-lists.ts'
import { Exact } from '../../model/money.ts'
import { pricesIn } from '../resolve.ts'
import { basisOf } from '../basis.ts'

const seed = Number(process.env['SEED'] ?? 20_261_127)
const numbers = fc.array(fc.nat(), { minLength: 40, maxLength: 80 })

const aList = (key: string, over: Partial<PriceListInput> = {}): PriceListInput => ({
  key,
  name: key,
  currency: 'EUR',
  storeIds: null,
  groupId: null,
  validFrom: null,
  validTo: null,
  priority: 100,
  isActive: true,
  createdAt: '2026-01-01T00:00:00.000000',
  ...over,
})
const entry = (listKey: string, amount: string, groupId = 0): PriceListEntryInput => ({ listKey, groupId, amount })
const [RETAIL, DEALERS] = [1, 2]
const GROUPS = [aGroup({ groupId: RETAIL }), aGroup({ groupId: DEALERS, name: 'Dealers', isDefault: false })]
const LISTS = [
  aList('season'),
  aList('dealers', { priority: 200, groupId: DEALERS }),
  aList('sale', { priority: 50, validTo: '2026-11-19' }),
]
const ENTRIES = [entry('season', '11.9'), entry('dealers', '9.5'), entry('sale', '8')]
const account = (over: Partial<AccountInputs> = {}) =>
  anAccount({
    day: '2026-11-20',
    groups: GROUPS,
    priceLists: LISTS,
    rules: [aRule({ percent: '25' })],
    rates: { PLN: '4' },
    ...over,
  })
const product = aProduct({ offers: [anOffer(1, { cost: '10' })], listEntries: ENTRIES })
const shown = (inputs: AccountInputs, of = product) =>
  payloadOf(inputs, of)?.price.prices.map(({ computedPrice }) => computedPrice.toFixed())

describe('price lists', () => {
  test('what docs/rules.md says of several lists', () => {
    const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const said = (group: string) => new RegExp(`\\| ${group} \\| ([\\d.]+)`).exec(page)?.[1]
    expect(shown(account())).toEqual([said('Retail'), said('Dealers')].map((text) => new Exact(text ?? '').toFixed()))
    const wins = account({ rules: [aRule({ percent: '25', overPriceLists: true })] })
    expect(shown(wins)?.[0]).toBe(new Exact(said('Retail, with `--over-price-lists`') ?? '').toFixed())
    // 12.50 EUR at 4 PLN
    expect(shown(account({ stores: [aStore({ currency: 'PLN' })] }))?.[0]).toBe('50')
  })

  test('say nothing where nothing is said, and make no price', () => {
    const plain = { ...product, listEntries: [] }
    expect(shown(account(), plain)).toEqual(['12.5', '12.5'])
    expect(shown(account({ priceLists: [] }))).toEqual(['12.5', '12.5'])
    expect(shown(account(), { ...product, offers: [] })).toEqual([])
    const elsewhere = account({ priceLists: [aList('season', { storeIds: [7] })] })
    expect(shown(elsewhere)).toEqual(['12.5', '12.5'])
  })

  test('of one priority the newest wins, and within a list an entry that names the group', () => {
    const two = [aList('a', { createdAt: '2026-01-02' }), aList('b', { createdAt: '2026-01-03' })]
    const both = { ...product, listEntries: [entry('a', '1'), entry('b', '2')] }
    expect(shown(account({ priceLists: two }), both)).toEqual(['2', '2'])
    const own = { ...product, listEntries: [entry('dealers', '9.5'), entry('dealers', '9', DEALERS)] }
    expect(shown(account(), own)).toEqual(['12.5', '9'])
  })

  test('are neither floored nor rounded by rules', () => {
    const rules = [
      aRule({ percent: '25', floorPrice: '100', rounding: { EUR: { step: '1', ending: '0', direction: 'up' } } }),
    ]
    expect(shown(account({ rules }))).toEqual(['11.9', '9.5'])
  })

  test('are not held, and neither is the price after one that has ended', () => {
    const compiled = compileAccount(account())
    const prices = pricesIn(compiled, compiled.stores[0]!, product, basisOf(compiled, product)).computed
    const factor = new Exact('1.1')
    expect(prices.map((price) => isHeldAt(new Exact('500'), price, factor))).toEqual([false, false])
    const over = compileAccount(account({ priceLists: LISTS.map((list) => ({ ...list, isActive: false })) }))
    const [after] = pricesIn(over, over.stores[0]!, product, basisOf(over, product)).computed
    expect(after?.computedPrice.toFixed()).toBe('12.5')
    // from a price that a list stated: its end is not guarded; from any other price: a jump
    expect(isHeldAt(new Exact('8'), after!, factor)).toBe(false)
    expect(isHeldAt(new Exact('8.01'), after!, factor)).toBe(true)
  })

  test('the entry is the one that a slow search in the order of the decision finds', () => {
    const store = aStore({ currency: 'EUR' })
    let found = 0
    fc.assert(
      fc.property(numbers, fc.constantFrom(9, 1, 3), (stream, groupId) => {
        const draw = drawsFrom(stream)
        const [lists, entries] = [drawPriceLists(draw), drawListEntries(draw)]
        const day = '2026-11-20'
        const said = entries
          .flatMap(({ listKey, groupId: named, amount }) =>
            lists
              .filter((list) => list.key === listKey)
              .map((list) => ({ list, named, amount, of: named === 0 ? list.groupId : named })),
          )
          .filter(({ list }) => list.isActive && list.currency === 'EUR')
          .filter(({ list }) => list.storeIds === null || list.storeIds.includes(store.storeId))
          .filter(({ list }) => (list.validFrom ?? day) <= day && (list.validTo ?? day) >= day)
          .filter(({ of }) => of === null || of === groupId)
          .sort(
            (a, b) =>
              Number(a.of === null) - Number(b.of === null) ||
              a.list.priority - b.list.priority ||
              -a.list.createdAt.localeCompare(b.list.createdAt) ||
              a.list.key.localeCompare(b.list.key) ||
              Number(a.named === 0) - Number(b.named === 0),
          )
        const entry = findEntry(listsIn(orderedLists(lists), store, day), entries, groupId)
        expect(entry === null ? undefined : [entry.list.key, entry.amount.toFixed()]).toEqual(
          said[0] === undefined ? undefined : [said[0].list.key, new Exact(said[0].amount).toFixed()],
        )
        if (entry !== null) found++
      }),
      { seed, numRuns: 12_000 },
    )
    expect(found).toBeGreaterThan(200)
  })

  test('leave prices the same objects in an account without any', () => {
    const compiled = compileAccount(account({ priceLists: [] }))
    const prices = [...pricesIn(compiled, compiled.stores[0]!, product, basisOf(compiled, product)).computed]
    expect(withPriceLists(null, ENTRIES, prices)).toBe(prices)
  })
})
