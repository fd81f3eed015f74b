import { describe, expect, test } from 'vitest'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import { ROUTES } from '../../contract/routes.ts'
import { aboutOf, bySave, rowsOf, shortName, verbAndNoun } from '../../panel/pages/audit/sentence.ts'
import { catalogSearch, filterOf, type CatalogSearch } from '../../panel/pages/catalog/search.ts'
import { SheetState } from '../../panel/pages/grid/sheet-state.ts'
import type { PricingRule } from '../../panel/pages/pricing/rules.ts'
import { ruleSentence, type Say } from '../../panel/pages/pricing/sentences.ts'
import { asCompared } from '../../panel/pages/product/as-compared.ts'
import { isUntried } from '../../panel/webhooks/untried.ts'
import de from '../../panel/words/de/audit.json' with { type: 'json' }
import en from '../../panel/words/en/audit.json' with { type: 'json' }
import { formatsOf } from '../../panel/words/format.ts'
import pl from '../../panel/words/pl/audit.json' with { type: 'json' }

// How the panel shows values, and which it treats as equal.

describe('values of two stores', () => {
  test('the same number in the notation of another language is no difference', () => {
    expect(asCompared('0,6')).toBe(asCompared('0.6'))
    expect(asCompared('0,60 kg')).toBe(asCompared('0.6 kg'))
    expect(asCompared('12,5 x 3,25 cm')).toBe(asCompared('12.5 x 3.25 cm'))
    expect(asCompared('5,00')).toBe(asCompared('5'))
  })
  test('other numbers, thousands and numbers with more than one separator stay what they are', () => {
    expect(asCompared('0,6')).not.toBe(asCompared('0.7'))
    expect(asCompared('1,500')).toBe('1,500')
    expect(asCompared('1.234,5')).toBe('1.234,5')
    expect(asCompared('DIN 7.1.2')).toBe('DIN 7.1.2')
  })
})

test('a cost that is typed with a comma replaces no equal one', () => {
  const state = new SheetState()
  const row = { id: 1, sku: null, title: null, picture: null, title_locale: null, stock: { quantity: 1, cost: '0.6' } }
  state.take([{ ...row, cells: new Map() }])
  for (const text of ['0,6', '0.60', '00,6']) {
    expect(state.asOwn(1, 'cost', text)).toBe('0.6')
    expect(state.write([{ id: 1, column: 'cost', value: state.asOwn(1, 'cost', text) }])).toBe(0)
  }
  expect(state.asOwn(1, 'cost', '1,75')).toBe('1.75')
  // sent as it is, so that the service names the error
  expect(state.asOwn(1, 'cost', '1,2,3')).toBe('1,2,3')
})

test('parameters that no list knows are no filter', () => {
  const asked = { search: 'saw', utm_source: 'mail', gclid: 7 } as CatalogSearch
  expect(filterOf(asked, 0)).toEqual({ search: 'saw' })
  expect(catalogSearch({ utm_source: 'mail' })).not.toHaveProperty('utm_source')
})

test('an ending is written as money beside it is', () => {
  const rule = {
    action: 'markup',
    percent: 20,
    rounding: { EUR: { step: '1', ending: '0.95', direction: 'up' }, PLN: { step: '0.5', ending: '0.10' } },
    categories: null,
    manufacturers: null,
    supplier_ids: null,
    product_ids: [7, 8],
    group_ids: null,
    store_ids: null,
  } as unknown as PricingRule
  const say = ((key: string, values: object = {}) => `${key} ${Object.values(values).join(' ')}`) as unknown as Say
  const named = { stores: [], groups: [], suppliers: [], categories: [] }
  const products = (id: number) => (id === 7 ? 'Młotek (Polish)' : undefined)
  const sentence = (language: string) =>
    ruleSentence('pricing-rules', rule, {
      t: say,
      format: formatsOf(language, 'UTC'),
      currency: 'EUR',
      named: { ...named, products },
    })
  expect(sentence('de')).toContain('says.ending ,95')
  expect(sentence('en')).toContain('says.ending .95')
  expect(sentence('pl')).toContain('says.endingOf 0,10 0,5')
  // products are shown by their titles, or else by their ids
  expect(sentence('en')).toContain('Młotek (Polish) and #8')
})

test('a rule that wins over price lists says so', () => {
  const rule = (over: boolean) => ({ action: 'markup', percent: 20, over_price_lists: over }) as unknown as PricingRule
  const say = ((key: string) => key) as unknown as Say
  const named = { stores: [], groups: [], suppliers: [], categories: [] }
  const sentence = (over: boolean) =>
    ruleSentence('pricing-rules', rule(over), { t: say, format: formatsOf('en', 'UTC'), currency: 'EUR', named })
  expect(sentence(true)).toBe('says.markup, says.overPriceLists')
  expect(sentence(false)).toBe('says.markup')
})

test('a rule says that its prices by quantity may be above the price of one piece, where it has any', () => {
  const say = ((key: string) => key) as unknown as Say
  const named = { stores: [], groups: [], suppliers: [], categories: [] }
  const sentence = (rule: object) =>
    ruleSentence(
      'pricing-rules',
      { action: 'markup', percent: 20, tiers_above_price: true, ...rule } as unknown as PricingRule,
      { t: say, format: formatsOf('en', 'UTC'), currency: 'EUR', named },
    )
  expect(sentence({ tiers: [{ quantity: 5, price: '7' }] })).toBe('says.markup, says.tiers.price, says.tiersAbovePrice')
  expect(sentence({ tiers: null })).toBe('says.markup')
})

test('an endpoint that has delivered nothing is not called healthy', () => {
  expect(isUntried({ state: 'healthy', last_delivered_at: null })).toBe(true)
  expect(isUntried({ state: 'healthy', last_delivered_at: '2026-11-20T10:00:00+00:00' })).toBe(false)
  expect(isUntried({ state: 'failing', last_delivered_at: null })).toBe(false)
})

describe('the audit trail', () => {
  const entry = (action: string, target: string, details: Record<string, unknown> = {}) => ({ action, target, details })
  test('says what was done to what, by its name', () => {
    expect(verbAndNoun('patchPricingRule')).toEqual({ verb: 'change', noun: 'PricingRule' })
    expect(verbAndNoun('rotateSecret')).toBeNull()
    expect(aboutOf(entry('putStock', '/v1/account/products/7/stock'))).toEqual({ kind: 'products', key: '7' })
    expect(aboutOf(entry('patchEndpoint', '/panel/api/accounts/3/endpoints/9'))).toEqual({
      kind: 'endpoints',
      key: '9',
    })
    expect(aboutOf(entry('createStore', '/v1/account/stores', { body: { slug: 'de', name: 'Berlin' } }))).toEqual({
      kind: 'text',
      key: 'Berlin',
    })
    const source = entry('patchSource', '/v1/account/suppliers/nord/sources/daily%20file')
    expect(aboutOf(source)).toEqual({ kind: 'sources', key: 'daily file' })
    expect(aboutOf(entry('patchAccount', '/v1/account', { body: { locale: 'de' } }))).toBeNull()
    expect(shortName('Anna Nowak <anna@example.com>')).toBe('Anna Nowak')
  })
  test('has one row for one save, however many requests it took', () => {
    const part = (save: string, rows?: number) =>
      entry('bulkOverrides', '/v1/account/bulk/overrides', { bytes: 9, save, ...(rows === undefined ? {} : { rows }) })
    const other = entry('patchProduct', '/v1/account/products/7')
    const groups = bySave([part('a', 100), part('b', 2), other, part('a', 50), other])
    expect(groups.map(({ entries }) => entries.length)).toEqual([2, 1, 1, 1])
    expect(groups.map(rowsOf)).toEqual([150, 2, null, null])
  })
  test('has a sentence for everything that can be done, in every language', () => {
    // the operator's actions are in the service's log, not in the account's audit trail
    const written = [...ROUTES, ...PANEL_ROUTES].filter(
      ({ method, id, access }) => method !== 'get' && access !== 'operator' && !UNRECORDED.test(id),
    )
    for (const words of [en, de, pl]) {
      const lacking = written.filter(({ id }) => {
        const noun = verbAndNoun(id)?.noun ?? ''
        return !(id in words.sentences) && !(noun in words.nouns) && !id.startsWith('bulk')
      })
      expect(lacking.map(({ id }) => id)).toEqual([])
    }
  })
})

/** Routes without an audit entry: a person's own sign-in, views and previews, reads by POST, and reports of mirrors. */
const UNRECORDED =
  /^(signIn|beginProvider|providerSign|linkProvider|unlinkProvider|signOut|endSession|passkey|addPasskey|removePasskey|requestPassword|requestEmail|readLink|resetPassword|changePassword|patchPerson|beginTotp|confirmTotp|renewRecovery|removeTotp|preview|detect|putProductView|deleteProductView|confirmEmail$|confirm$|revokeMade|tellMirrorCheck$)/
