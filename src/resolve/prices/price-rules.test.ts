import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Exact } from '../../model/money.ts'
import { foldCategory, foldName } from '../rules/conditions.ts'
import { aGroup, anAccount, anOffer, aProduct, aRule, payloadOf, compileAccount, SOME_FACTS } from '../fixtures.ts'
import type { RuleInput } from '../inputs.ts'

const seed = Number(process.env['SEED'] ?? 20_261_121)

interface DrawnProduct {
  productId: number
  supplierId: number | null
  manufacturer: string | null
  category: string | null
  cost: string
  groupId: number
}

const levels = (path: string) => path.split('/').map((level) => level.trim().toLowerCase())
const isName = (name: string, other: string) => name.trim().toLowerCase() === other.trim().toLowerCase()
const isWithin = (path: string, root: string) => levels(root).every((level, i) => levels(path)[i] === level)

/** The rule that applies, by the documentation alone: all rules in order, with every condition of each. */
function plainly(rules: readonly RuleInput[], product: DrawnProduct, day: string): number | undefined {
  const { manufacturer, category } = product
  const inOrder = rules.toSorted(
    (a, b) => Number(a.isDefault) - Number(b.isDefault) || a.priority - b.priority || a.ruleId - b.ruleId,
  )
  return inOrder.find(
    (rule) =>
      rule.isActive &&
      (rule.groupIds === null || rule.groupIds.includes(product.groupId)) &&
      (rule.storeIds === null || rule.storeIds.includes(1)) &&
      (rule.validFrom === null || rule.validFrom <= day) &&
      (rule.validTo === null || rule.validTo >= day) &&
      (rule.productIds === null || rule.productIds.includes(product.productId)) &&
      (rule.supplierIds === null || (product.supplierId !== null && rule.supplierIds.includes(product.supplierId))) &&
      (rule.manufacturers === null ||
        (manufacturer !== null && rule.manufacturers.some((name) => isName(name, manufacturer)))) &&
      (rule.categories === null || (category !== null && rule.categories.some((root) => isWithin(category, root)))) &&
      (rule.costMin === null || Number(product.cost) >= Number(rule.costMin)) &&
      (rule.costBelow === null || Number(product.cost) < Number(rule.costBelow)),
  )?.ruleId
}

const MAKERS = ['Acme', 'ACME', ' acme ', 'Bolt', 'constructor', 'Ärger', 'ÄRGER'] as const
const PATHS = [
  'Tools',
  'tools/Hand tools',
  'TOOLS / Hand Tools / Saws',
  'Toolsmith',
  'Tools/Hand',
  'Garden',
  'Garden/Tools',
] as const
const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const
const COSTS = ['0', '9.999999', '10', '10.000001', '100'] as const
const id = fc.integer({ min: 1, max: 4 })
const some = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { minLength: 1, maxLength: 3 })
const seldom = <T>(entry: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: entry })

/** Most rules name products or manufacturers, many of them both, which the table looks up. */
const rules = fc.uniqueArray(
  fc
    .oneof(fc.constant('product'), fc.constant('maker'), fc.constant('both'), fc.constant('rest'))
    .chain((kind) =>
      fc.record({
        ruleId: fc.integer({ min: 1, max: 200 }),
        priority: fc.integer({ min: 0, max: 3 }),
        isDefault: fc.integer({ min: 0, max: 20 }).map((n) => n === 0),
        isActive: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
        productIds: kind === 'product' || kind === 'both' ? some(fc.integer({ min: 1, max: 12 })) : fc.constant(null),
        manufacturers: kind === 'maker' || kind === 'both' ? some(fc.constantFrom(...MAKERS)) : fc.constant(null),
        categories: seldom(some(fc.constantFrom(...PATHS))),
        supplierIds: seldom(some(id)),
        groupIds: seldom(some(id)),
        storeIds: seldom(some(id)),
        costMin: seldom(fc.constantFrom(...COSTS)),
        costBelow: seldom(fc.constantFrom(...COSTS)),
        validFrom: seldom(fc.constantFrom(...DAYS)),
        validTo: seldom(fc.constantFrom(...DAYS)),
      }),
    )
    .map((over) => aRule(over)),
  { selector: (rule) => rule.ruleId, maxLength: 60, size: 'max' },
)
const drawnProduct: fc.Arbitrary<DrawnProduct> = fc.record({
  productId: fc.integer({ min: 1, max: 12 }),
  supplierId: fc.option(id),
  manufacturer: fc.option(fc.constantFrom(...MAKERS)),
  category: fc.option(fc.constantFrom(...PATHS)),
  cost: fc.constantFrom(...COSTS),
  groupId: fc.integer({ min: 1, max: 3 }),
})

test(`the rule table finds the same rule as testing every rule in order (SEED=${seed})`, () => {
  let found = 0
  fc.assert(
    fc.property(rules, fc.array(drawnProduct, { minLength: 5, maxLength: 10 }), (list, products) => {
      const compiled = compileAccount(
        anAccount({ rules: list, groups: [1, 2, 3].map((groupId) => aGroup({ groupId })) }),
      )
      for (const product of products) {
        const { productId, supplierId, manufacturer, category } = product
        const facts = {
          ...SOME_FACTS,
          productId,
          supplierId,
          manufacturer: manufacturer === null ? null : foldName(manufacturer),
          category: category === null ? null : foldCategory(category),
          cost: new Exact(product.cost),
        }
        const rule = compiled.stores[0]?.ruleTables.get(product.groupId)?.find(facts)?.rule.ruleId
        if (rule !== undefined) found++
        expect(rule).toBe(plainly(list, product, compiled.account.day))
      }
    }),
    { seed, numRuns: 400 },
  )
  expect(found).toBeGreaterThan(1_000)
})

test.each([
  ['Tools', 'tools/Hand tools', true],
  ['Tools', 'TOOLS', true],
  ['tools / hand tools', 'Tools/Hand Tools/Saws', true],
  ['Tools', 'Toolsmith', false],
  ['Tools', 'Garden/Tools', false],
  ['Tools/Hand', 'Tools/Hand tools', false],
  ['Tools/Hand tools', 'Tools', false],
])('the category %s takes %s: %s', (named, category, isTaken) => {
  const account = anAccount({
    rules: [aRule({ ruleId: 5, categories: [named] }), aRule({ ruleId: 99, isDefault: true })],
  })
  expect(payloadOf(account, aProduct({ offers: [anOffer(1, { category })] }))?.price.prices[0]?.ruleId).toBe(
    isTaken ? 5 : 99,
  )
})

test('a cost in another currency is compared with a tier in the account’s currency, unrounded', () => {
  const rules = [
    aRule({ ruleId: 1, costBelow: '10' }),
    aRule({ ruleId: 2, costMin: '10', costBelow: '10.000001' }),
    aRule({ ruleId: 3, isDefault: true }),
  ]
  const ruleOf = (cost: string) =>
    payloadOf(
      anAccount({ rules, rates: { PLN: '4.25' } }),
      aProduct({ offers: [anOffer(1, { cost, currency: 'PLN' })] }),
    )?.price.prices[0]?.ruleId
  // 42.5 PLN / 4.25 = 10 EUR; 42.499999 / 4.25 = 9.99999976…; 42.500004 / 4.25 = 10.00000094…; 42.500005 / 4.25 =
  // 10.00000117…
  expect(['42.499999', '42.5', '42.500004', '42.500005'].map(ruleOf)).toEqual([1, 2, 2, 3])
})

test('the supplier condition means the supplier whose cost is used, not the best offer’s', () => {
  const account = anAccount({ rules: [aRule({ ruleId: 5, supplierIds: [1] }), aRule({ ruleId: 99, isDefault: true })] })
  const ruleOf = (over: Parameters<typeof aProduct>[0]) =>
    payloadOf(account, aProduct({ offers: [anOffer(1), anOffer(2, { cost: '11' })], ...over }))?.price.prices[0]?.ruleId
  expect(ruleOf({})).toBe(5)
  expect(ruleOf({ offers: [anOffer(1), anOffer(2, { cost: '9' })] })).toBe(99)
  expect(ruleOf({ ownStock: { quantity: 1, cost: '10' } })).toBe(99)
  expect(ruleOf({ ownStock: { quantity: 1, cost: null } })).toBe(5)
})
