import { describe, expect, it } from 'vitest'
import { EXCLUSION_KINDS, needOf } from '../../contract/exclusion-kinds.ts'
import { unfinished } from '../../panel/pages/pricing/unfinished.ts'
import { NEW_RULE, type RuleValues } from '../../panel/pages/pricing/values.ts'

// The inputs that a form needs before it requests a preview of its rule.

const lacks = (tab: Parameters<typeof unfinished>[0], values: Partial<RuleValues>, isNamed = false) =>
  unfinished(tab, { ...NEW_RULE, ...values }, isNamed).map(({ name, why }) => `${name} ${why}`)

describe('a pricing rule', () => {
  it.each<[string, Partial<RuleValues>, string[]]>([
    ['without a percentage', {}, ['percent missing']],
    ['with one', { percent: '20' }, []],
    ['with a comma', { percent: '12,5', addition: '-1,50' }, []],
    ['with letters', { percent: '2o' }, ['percent amount']],
    ['fixed without a price', { action: 'fixed', percent: '20' }, ['fixed_price missing']],
    ['whose margin is left over from before', { action: 'fixed', percent: 'x', fixed_price: '5' }, []],
    ['with bounds that are no amounts', { percent: '1', floor_profit: '5 EUR' }, ['floor_profit amount']],
    ['with a cost that is none', { percent: '1', cost_min: '.' }, ['cost_min amount']],
    ['for products by name', { percent: '1', product_ids: '12, drill' }, ['product_ids ids']],
    ['with half a currency', { percent: '1', currency: 'EU' }, ['currency currency']],
    ['without a priority', { percent: '1', priority: '' }, ['priority whole']],
  ])('%s', (_name, values, expected) => {
    expect(lacks('pricing-rules', values)).toEqual(expected)
  })

  it('is not asked for while a rounding is typed', () => {
    const row = { currency: 'EUR', step: '1', ending: '', direction: 'up' }
    const rounded = (changes: Partial<typeof row>) =>
      lacks('pricing-rules', { percent: '1', rounding: [row, { ...row, currency: 'PLN', ...changes }] })
    expect(rounded({})).toEqual([])
    expect(rounded({ currency: '' })).toEqual(['rounding missing'])
    expect(rounded({ step: '' })).toEqual(['rounding missing'])
    expect(rounded({ ending: '0,9g' })).toEqual(['rounding amount'])
  })
})

it.each(EXCLUSION_KINDS)('an exclusion of the kind %s lacks what the contract says that it needs', (kind) => {
  const { member } = needOf(kind)
  expect(lacks('exclusion-rules', { kind })).toEqual(member === null ? [] : [`${member} missing`])
  expect(lacks('exclusion-rules', { kind, names: ['A'], supplier_ids: ['1'], amount: '5' })).toEqual([])
})

it('an assortment rule lacks its store, and every rule its name once somebody saves it', () => {
  expect(lacks('assortment-rules', {})).toEqual(['store_id missing'])
  expect(lacks('assortment-rules', { store_id: '1' })).toEqual([])
  expect(lacks('assortment-rules', { store_id: '1', name: ' ' }, true)).toEqual(['name missing'])
})
