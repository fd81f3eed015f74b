import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALWAYS, arbitraryAccount, arbitraryProduct, withDefaults } from '../../test/harness/arbitrary-inputs.ts'
import { minorDigits } from '../model/money.ts'
import { findListing, isNeverListed } from './rules/assortment.ts'
import { basisOf, listingBasisOf } from './basis.ts'
import type { CompiledAccount } from './compile.ts'
import { compileAccount, contentExplained, withoutAdditional } from './fixtures.ts'
import type { ProductInputs } from './inputs.ts'
import { explain } from './explain/explain.ts'
import { drawAccount, drawProduct } from './arbitrary/arbitrary-inputs.ts'
import { drawsFrom, type Draw } from './arbitrary/draws.ts'
import { resolve } from './resolve.ts'
import { inGate } from '../../test/harness/gate.ts'

// Properties of inputs drawn so that rules of every kind apply (fixtures.ts); resolve.test.ts has wilder texts and ids.

const seed = Number(process.env['SEED'] ?? 20_261_121)
const numbers = fc.array(fc.nat(), { maxLength: 800, size: 'max' })
const RUNS = { seed, numRuns: 300, interruptAfterTimeLimit: 20_000 }

/** Lists whose order matters, by member path. */
const ORDERED = new Set([
  'offers.images',
  'offers.attributes',
  'offers.costTiers',
  'offers.group.options',
  'sourceOrders.supplierIds',
])

/** The same inputs with all other lists, and the members of every object, in another order. */
function reordered<T>(value: T, draw: Draw, path = ''): T {
  if (typeof value !== 'object' || value === null) return value
  const shuffle = <E>(list: readonly E[]): E[] =>
    list
      .map((entry) => ({ entry, at: draw(1_000_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry)
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => reordered(entry, draw, path))
    return (ORDERED.has(path) ? entries : shuffle(entries)) as T
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, reordered<unknown>(member, draw, path === '' ? name : `${path}.${name}`)] as const,
  )
  return Object.fromEntries(shuffle(members)) as T
}

test(`the order of lists, of lists in rules and of object members does not matter (SEED=${seed})`, () => {
  fc.assert(
    fc.property(numbers, numbers, fc.infiniteStream(fc.nat()), (forAccount, forProduct, order) => {
      const draw: Draw = (max) => (order.next().value ?? 0) % (max + 1)
      const inputs = drawAccount(drawsFrom(forAccount))
      const product = drawProduct(drawsFrom(forProduct))
      const shown = (account: typeof inputs, of: typeof product) =>
        resolve(compileAccount(account), of)
          .toSorted((a, b) => a.store.storeId - b.store.storeId)
          .map(({ payload, pricing }) =>
            // the rule that makes tiers or a list price is an input, whose members are reordered
            JSON.stringify([payload, pricing], (name, value: unknown) =>
              name === 'tiersBy' || name === 'listPriceBy' ? undefined : value,
            ),
          )
      expect(shown(reordered(inputs, draw), reordered(product, draw))).toEqual(shown(inputs, product))
    }),
    RUNS,
  )
})

test(`a payload is well-formed whatever rules apply, also with held prices (SEED=${seed})`, () => {
  const seen = { byRule: 0, held: 0, compared: 0, excludedByRule: 0, excludedByHand: 0, unlisted: 0 }
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      const product = drawProduct(drawsFrom(forProduct))
      const groups = compiled.account.groups.map((group) => group.groupId).toSorted((a, b) => a - b)
      for (const { store, payload, pricing } of resolve(compiled, product)) {
        const { held } = pricing
        if (payload === null) {
          seen.unlisted++
          expect(held).toEqual([])
          continue
        }
        const { prices, stock } = payload.price
        const { excluded, exclusion_reason: reason } = payload.content
        expect([[], groups]).toContainEqual(prices.map((entry) => entry.groupId))
        for (const { currency, baseCost, computedPrice, compareAtPrice, ruleId } of prices) {
          if (compareAtPrice !== null) {
            expect(compareAtPrice.greaterThan(computedPrice)).toBe(true)
            seen.compared++
          }
          expect(currency).toBe(store.currency)
          for (const amount of [baseCost, computedPrice, ...(compareAtPrice === null ? [] : [compareAtPrice])]) {
            expect(
              amount.isFinite() && !amount.lessThan(0) && amount.decimalPlaces() <= minorDigits(currency),
              amount.toFixed(),
            ).toBe(true)
          }
          if (ruleId !== 99) seen.byRule++
        }
        expect(new Set(prices.map(({ baseCost }) => baseCost.toFixed())).size).toBeLessThanOrEqual(1)
        for (const { computedPrice, isFree } of pricing.shown) expect(isFree || !computedPrice.isZero()).toBe(true)
        expect(Number.isSafeInteger(stock) && stock >= 0).toBe(true)
        expect(excluded).toBe(reason !== null)
        if (prices.length === 0) expect(reason).toBe('no_price')
        else if (reason?.startsWith('by hand') === true) seen.excludedByHand++
        else if (excluded) seen.excludedByRule++
        seen.held += held.length
      }
    }),
    RUNS,
  )
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})

test(`tiers fall, and are below the price unless the rule says otherwise (SEED=${seed})`, () => {
  const seen = { tiers: 0, below: 0, above: 0, held: 0 }
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      const drawn = drawProduct(drawsFrom(forProduct))
      // tiers of a held price are seldom drawn, so half of the time each price gets a hold
      const held = compiled.stores.flatMap(({ store }) =>
        compiled.groups.map(({ groupId }) => ({
          storeId: store.storeId,
          groupId,
          currency: store.currency,
          shownPrice: '100',
          shownRuleId: 1,
        })),
      )
      const product = forProduct.length % 2 === 0 ? drawn : { ...drawn, holds: held }
      for (const { store, pricing } of resolve(compiled, product))
        for (const { groupId, computedPrice, tiers, tiersBy } of pricing.shown) {
          const mayBeAbove = tiersBy?.rule.tiersAbovePrice === true
          let before = mayBeAbove ? null : computedPrice
          let quantity = 1
          for (const tier of tiers) {
            expect(tier.quantity).toBeGreaterThan(quantity)
            expect(tier.price.greaterThan(0)).toBe(true)
            expect(tier.price.decimalPlaces()).toBeLessThanOrEqual(minorDigits(store.currency))
            if (before !== null) expect(tier.price.lessThan(before)).toBe(true)
            before = tier.price
            quantity = tier.quantity
            seen.tiers++
            seen[tier.price.lessThan(computedPrice) ? 'below' : 'above']++
            if (pricing.held.some((entry) => entry.groupId === groupId)) seen.held++
          }
        }
    }),
    { ...RUNS, numRuns: 1_500 },
  )
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})

/** Expects explain to agree with resolve in every store. @returns the criteria that decided between offers */
function expectAgreement(compiled: CompiledAccount, product: ProductInputs): Set<string> {
  const criteria = new Set<string>()
  for (const { store, payload, pricing } of resolve(compiled, product)) {
    const { held } = pricing
    const explained = explain(compiled, product, store.storeId)!
    // it is written to JSON unchanged
    expect(JSON.parse(JSON.stringify(explained))).toEqual(explained)
    expect(explained.listing.isListed).toBe(payload !== null)
    for (const { rules, steps, held: hold, appliedRuleId } of explained.prices) {
      const at = rules.findIndex((rule) => rule.isApplied)
      expect(rules.filter((rule) => rule.isApplied)).toHaveLength(steps.length > 0 ? 1 : 0)
      if (at < 0) continue
      expect(rules[at]?.unmet).toEqual([])
      expect(rules[at]?.ruleId).toBe(hold === null ? appliedRuleId : hold.wantedRuleId)
      expect(rules.slice(0, at).filter((rule) => rule.unmet.length === 0)).toEqual([])
    }
    expect(explained.offers).toHaveLength(product.offers.length)
    const [best] = explained.offers
    for (const [i, offer] of explained.offers.entries()) {
      expect(offer.rank).toBe(offer.ineligible === null ? i + 1 : null)
      expect(offer.behindBestBy === null).toBe(offer.rank === null || offer.rank === 1)
      if (offer.behindBestBy === null || best === undefined) continue
      criteria.add(offer.behindBestBy)
      const priorityOf = (supplierId: number) => compiled.suppliers.get(supplierId)?.priority ?? 0
      const isDifferent = {
        has_cost: best.cost !== null && offer.cost === null,
        in_stock: best.quantity > 0 && offer.quantity === 0,
        cost: best.comparableCost !== offer.comparableCost,
        supplier_priority: priorityOf(best.supplierId) < priorityOf(offer.supplierId),
        supplier_id: best.supplierId < offer.supplierId,
        supplier_sku: best.supplierSku < offer.supplierSku,
      }
      expect(isDifferent[offer.behindBestBy], offer.behindBestBy).toBe(true)
    }
    expect(explained.exclusion.found.filter((entry) => entry.by === 'rule').map((entry) => entry.ruleId)).toEqual(
      explained.exclusion.rules.filter((rule) => rule.isMatch).map((rule) => rule.ruleId),
    )
    if (payload === null) continue
    const { content, price } = payload
    expect(contentExplained(explained)).toEqual(withoutAdditional(content))
    const { own, bestSupplier, total } = explained.stock
    expect([total, own + bestSupplier]).toEqual([price.stock, price.stock])
    const prices = explained.prices.filter((entry) => entry.price !== null)
    expect(
      prices.map(({ tiers }) =>
        tiers.flatMap(({ quantity, price: of, leftOut }) => (leftOut === null ? [[quantity, of]] : [])),
      ),
    ).toEqual(price.prices.map(({ tiers }) => tiers.map(({ quantity, price: of }) => [quantity, of.toFixed()])))
    expect(prices.map((entry) => [entry.groupId, entry.price, entry.compareAtPrice, entry.appliedRuleId])).toEqual(
      price.prices.map((entry) => [
        entry.groupId,
        entry.computedPrice.toFixed(),
        entry.compareAtPrice?.toFixed() ?? null,
        entry.ruleId,
      ]),
    )
    expect(
      explained.prices.filter((entry) => entry.held !== null).map((entry) => [entry.groupId, entry.held?.wantedPrice]),
    ).toEqual(held.map((entry) => [entry.groupId, entry.wanted.computedPrice.toFixed()]))
    for (const entry of price.prices) expect(explained.baseCost?.shown).toBe(entry.baseCost.toFixed())
  }
  return criteria
}

test(`explain agrees with resolve in every field, and gives the reason for every rule and offer (SEED=${seed})`, () => {
  const criteria = new Set<string>()
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      for (const criterion of expectAgreement(compiled, drawProduct(drawsFrom(forProduct)))) criteria.add(criterion)
    }),
    RUNS,
  )
  expect(criteria.size).toBeGreaterThan(2)
})

test(`it agrees in texts and ids of any kind, too (SEED=${seed})`, () => {
  fc.assert(
    fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
      expectAgreement(compileAccount(withDefaults(inputs)), product)
    }),
    { seed, numRuns: inGate(800, 2_500) },
  )
})

test('a store that the account does not have has no explanation', () => {
  const [inputs] = fc.sample(arbitraryAccount, { numRuns: 1, seed: 1 })
  const [product] = fc.sample(arbitraryProduct, { numRuns: 1, seed: 1 })
  expect(explain(compileAccount({ ...inputs!, rules: [ALWAYS] }), product!, 999)).toBeNull()
})

test(`what says which stores list a product is found without the rest of its basis (SEED=${seed})`, () => {
  const seen = { listed: 0, unlisted: 0, never: 0 }
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      const product = drawProduct(drawsFrom(forProduct))
      const { sources, facts } = basisOf(compiled, product)
      const { manufacturer, category, productId, supplierIds } = facts
      expect(listingBasisOf(compiled, product)).toEqual({
        sources,
        facts: { manufacturer, category, productId, supplierIds },
      })
      for (const { store, assortment } of compiled.stores) {
        const { isListed } = findListing(store, assortment, product, facts)
        const isNever = isNeverListed(store, assortment, product)
        seen[isNever ? 'never' : isListed ? 'listed' : 'unlisted']++
        expect(isNever && isListed).toBe(false)
      }
    }),
    RUNS,
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
})
