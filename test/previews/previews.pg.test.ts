import { describe, expect, test } from 'vitest'
import { EXCLUSION_KINDS, type ExclusionKind } from '../../contract/exclusion-kinds.ts'
import type { Preview, PreviewEffect } from '../../contract/panel/previews.ts'
import { settingsLock } from '../../src/accounts/settings-lock.sql.ts'
import { createAssortmentRule } from '../../src/catalog/settings/rules/assortment-rules.ts'
import { createExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { editGroup } from '../../src/catalog/settings/stores/groups.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { reordered } from '../../src/catalog/settings/rules/rule-order.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { createTaxClass } from '../../src/catalog/settings/prices/tax-classes.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { accountStep } from '../../src/operations/step.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'

import { makeOwner, type Browser } from '../panel/browser.ts'
import { readShown } from './read-payloads.ts'
import { worldOfFile } from '../harness/world.ts'

// The effects of a change of rules, before it is saved.

const { database, bench, service } = worldOfFile({ service: {} })

interface Here {
  account: TestAccount
  owner: Browser
  ids: number[]
  of: (path: string) => string
  preview: (change: object) => Promise<Preview>
}

let people = 0
/** An account with three products: A and B of Acme in Tools, C of Bolt in Garden without stock. */
async function open(): Promise<Here> {
  const account = await createAccount(bench, `account ${people}`)
  const email = `owner${people++}@example.com`
  const { owner } = await makeOwner(database.db, service.url, account.accountId, email)
  const ids = await giveOffers(bench, account, [
    offer('A'),
    offer('B', { cost: '20' }),
    offer('C', { manufacturer: 'Bolt', category: 'Garden', quantity: 0 }),
  ])
  const of = (path: string) => `/panel/api/accounts/${account.accountId}${path}`
  const preview = async (change: object) => {
    const { status, body, text } = await owner.post(of('/previews'), change)
    expect([status, text]).toEqual([200, text])
    return body.data as Preview
  }
  return { account, owner, ids, of, preview }
}

/** The effects of a preview that are not 0, as numbers of products and payloads. */
const effectsOf = ({ effects }: Preview) =>
  Object.fromEntries(
    Object.entries(effects)
      .filter(([, { payloads }]) => payloads > 0)
      .map(([effect, { products, payloads }]) => [effect, [products, payloads]]),
  ) as Partial<Record<PreviewEffect, [number, number]>>

const rule = (members: object) => ({
  resource: 'pricing-rules',
  action: 'create',
  body: { name: 'New', action: 'markup', percent: '50', priority: 1, ...members },
})

describe('a preview', () => {
  test('names prices that move, the largest first, with their products, stores and groups', async () => {
    const { preview, ids } = await open()
    const found = await preview(rule({ manufacturers: ['acme'] }))
    expect(effectsOf(found)).toEqual({ repriced: [2, 6] })
    expect(found).toMatchObject({ products: 3, is_everything: true, prices_up: 12, prices_down: 0 })
    expect(found.largest_up.map((move) => [move.product_id, move.title, move.old_price, move.new_price])).toEqual([
      [ids[1], 'Article B', '25', '30'],
      [ids[0], 'Article A', '12.5', '15'],
    ])
    expect(found.largest_up[0]).toMatchObject({ store: 'main', customer_group: { name: 'Retail' }, currency: 'EUR' })
  })

  test('says prices with and without tax where the store shows them with it', async () => {
    const { account, preview, ids } = await open()
    await inTransaction(database.db, async (tx) => {
      const rates = [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }]
      const { accountId } = account
      await createTaxClass(tx, accountId, { key: 'standard', name: 'Standard', isDefault: true, codes: [], rates })
      await editStore(tx, accountId, account.storeIds[0], { taxCountry: 'DE', pricesIncludeTax: true })
      return editGroup(tx, accountId, account.groupId, { pricesIncludeTax: false })
    })
    await bench.shelf.drain(account.accountId)
    const found = await preview(rule({ manufacturers: ['acme'] }))
    const ofA = [...found.largest_up, ...found.examples.repriced].filter(
      ({ product_id: id, store }) => id === ids[0] && store === 'main',
    )
    // 10 × 1.25 × 1.19 and 10 × 1.5 × 1.19
    expect(ofA).toContainEqual(
      expect.objectContaining({
        customer_group: expect.objectContaining({ name: 'Retail' }),
        old_price: '14.88',
        new_price: '17.85',
        old_price_without_tax: '12.5',
        new_price_without_tax: '15',
      }),
    )
    for (const move of [...found.largest_up, ...found.examples.repriced])
      if (move.store !== 'main' || move.customer_group?.name !== 'Retail')
        expect(move).toMatchObject({ old_price_without_tax: null, new_price_without_tax: null })
  })

  test('writes nothing', async () => {
    const { account, preview } = await open()
    const before = await readShown(database.db, account.accountId)
    const rules = () => database.db`select * from pricing_rule where account_id = ${account.accountId} order by rule_id`
    const was = await rules()
    await preview(rule({}))
    expect(await readShown(database.db, account.accountId)).toEqual(before)
    expect(await rules()).toEqual(was)
    expect(await database.db`select from sweep where account_id = ${account.accountId}`).toHaveLength(0)
  })

  test('says what the jump guard would hold', async () => {
    const { account, preview } = await open()
    await inTransaction(database.db, (tx) => editAccount(tx, account.accountId, { priceJumpFactor: '2' }))
    await bench.shelf.drain(account.accountId)
    const found = await preview(rule({ percent: '300', manufacturers: ['Bolt'] }))
    expect(effectsOf(found)).toEqual({ held: [1, 3] })
    expect([found.prices_up, found.changed.products]).toEqual([0, 0])
    expect(found.examples.held[0]).toMatchObject({ old_price: '12.5', new_price: '12.5', wanted_price: '40' })
  })

  test('says what loses its price, what gets one, and what another rule prices alike', async () => {
    const { account, preview } = await open()
    expect(effectsOf(await preview(rule({ percent: '-100', categories: ['Garden'] })))).toEqual({
      unpriced: [1, 3],
      excluded: [1, 3],
    })
    expect(effectsOf(await preview(rule({ percent: '25' })))).toEqual({ ruled: [3, 9] })
    const { value: ruleId } = await inTransaction(database.db, (tx) =>
      createRule(tx, account.accountId, { name: 'Nothing', percent: '-100', priority: 1, categories: ['Garden'] }),
    )
    await bench.shelf.drain(account.accountId)
    expect(effectsOf(await preview({ resource: 'pricing-rules', action: 'delete', id: ruleId }))).toEqual({
      priced: [1, 3],
      included: [1, 3],
    })
  })

  test('tries a new rule after those of its priority', async () => {
    const { account, preview } = await open()
    await inTransaction(database.db, (tx) =>
      createRule(tx, account.accountId, { name: 'First', percent: '40', priority: 7, categories: ['Garden'] }),
    )
    await bench.shelf.drain(account.accountId)
    expect(effectsOf(await preview(rule({ priority: 7, categories: ['Garden'] })))).toEqual({})
    expect(effectsOf(await preview(rule({ priority: 6, categories: ['Garden'] })))).toEqual({ repriced: [1, 3] })
  })

  test('says what becomes excluded, included, or excluded for another reason', async () => {
    const { account, preview } = await open()
    const exclusion = (body: object) => ({
      resource: 'exclusion-rules',
      action: 'create',
      body: { name: 'x', ...body },
    })
    const found = await preview(exclusion({ kind: 'no_stock' }))
    expect(effectsOf(found)).toEqual({ excluded: [1, 3] })
    expect(found.examples.excluded[0]).toMatchObject({ title: 'Article C', old_reason: null, new_reason: 'no_stock' })
    const { value: ruleId } = await inTransaction(database.db, (tx) =>
      createExclusionRule(tx, account.accountId, { name: 'Sold out', kind: 'no_stock' }),
    )
    await bench.shelf.drain(account.accountId)
    expect(effectsOf(await preview(exclusion({ kind: 'no_image', store_ids: [account.storeIds[0]] })))).toEqual({})
    expect(effectsOf(await preview(exclusion({ kind: 'manufacturer', names: ['Bolt'], priority: 1 })))).toEqual({
      reasoned: [1, 3],
    })
    const off = { resource: 'exclusion-rules', action: 'edit', id: ruleId, body: { is_active: false } }
    expect(effectsOf(await preview(off))).toEqual({ included: [1, 3] })
  })

  test('says what a store lists and no longer lists', async () => {
    const { account, preview } = await open()
    const body = { name: 'x', store_id: account.storeIds[2], is_listed: false, categories: ['Tools'] }
    const found = await preview({ resource: 'assortment-rules', action: 'create', body })
    expect(effectsOf(found)).toEqual({ unlisted: [2, 2] })
    expect(found.stores.map(({ store, changed }) => [store, changed])).toEqual([['pl', 2]])
    const { value: ruleId } = await inTransaction(database.db, (tx) =>
      createAssortmentRule(tx, account.accountId, {
        storeId: account.storeIds[2],
        name: 'x',
        isListed: false,
        categories: ['Tools'],
      }),
    )
    await bench.shelf.drain(account.accountId)
    const back = await preview({ resource: 'assortment-rules', action: 'delete', id: ruleId })
    expect(effectsOf(back)).toEqual({ listed: [2, 2] })
    // named although the store has not listed it yet
    expect(back.examples.listed.map(({ title }) => title)).toEqual(['Article A', 'Article B'])
  })

  test('is refused with the faults of the write', async () => {
    const { account, owner, of } = await open()
    const headers = { 'Shelfwire-Account': String(account.accountId) }
    for (const body of [
      { name: 'x', action: 'markup' },
      { name: '', action: 'margin', percent: '100', rounding: { EUR: { step: '0', ending: '1', direction: 'up' } } },
      { name: 'x', action: 'markup', percent: 10, supplier_ids: [999_999] },
      { name: 'x', action: 'other', unknown: 1 },
      [],
      'text',
    ]) {
      const written = await owner.send('POST', '/v1/account/pricing-rules', { headers, body })
      const previewed = await owner.post(of('/previews'), { resource: 'pricing-rules', action: 'create', body })
      expect([previewed.status, previewed.body.code, previewed.body.detail, previewed.body.errors]).toEqual([
        written.status,
        written.body.code,
        written.body.detail,
        written.body.errors,
      ])
      expect(written.status).toBe(422)
    }
    const missing = await owner.post(of('/previews'), { resource: 'pricing-rules', action: 'edit', body: {} })
    expect(missing.body.errors).toEqual([{ name: 'id', reason: 'is required' }])
    const unknown = await owner.post(of('/previews'), { resource: 'pricing-rules', action: 'delete', id: 999_999 })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown-reference'])
  })

  test('waits for no writer, and no writer for it', async () => {
    const { account, preview } = await open()
    await inTransaction(database.db, async (tx) => {
      await settingsLock(tx, account.accountId)
      await tx`select from product where account_id = ${account.accountId} for update`
      await tx`select from pricing_rule where account_id = ${account.accountId} for update`
      expect(effectsOf(await preview(rule({})))).toEqual({ repriced: [3, 9] })
    })
  })

  test('takes equal samples of equal catalogs, spread over the ids, with what the rule names', async () => {
    const { account, preview } = await open()
    await giveOffers(
      bench,
      account,
      Array.from({ length: 60 }, (_, i) => offer(`M-${i}`, { manufacturer: i >= 57 ? 'Rare' : 'Acme' })),
    )
    const { previewProductsMax } = LIMITS
    Object.assign(LIMITS, { previewProductsMax: 12 })
    try {
      const found = await preview(rule({ manufacturers: ['RARE'] }))
      expect(found).toMatchObject({ is_everything: false, spread: { products: 6 } })
      expect(found.products).toBeLessThanOrEqual(12)
      expect(effectsOf(found).repriced?.[0]).toBe(3)
      expect(await preview(rule({ manufacturers: ['RARE'] }))).toEqual(found)
      expect((await preview(rule({}))).products).toBe(12)
    } finally {
      Object.assign(LIMITS, { previewProductsMax })
    }
  })
})

describe('a preview over everything', () => {
  const step = async ({ account }: Here) =>
    (await accountStep(database.db, silentLog, account.accountId, new Map())).isProductive
  const state = async ({ owner, of }: Here, id: number) => (await owner.get(of(`/preview-operations/${id}`))).body.data
  const start = async ({ owner, of }: Here, change: object) =>
    (await owner.post(of('/preview-operations'), change)).body.data.operation_id as number

  test('goes on page by page, counts what it has seen, and keeps what it found', async () => {
    const here = await open()
    const { shelveBatchProducts, previewStepMs } = LIMITS
    Object.assign(LIMITS, { shelveBatchProducts: 2, previewStepMs: 0 })
    try {
      const id = await start(here, rule({}))
      expect(await state(here, id)).toMatchObject({ state: 'queued', done: 0, products: 3, is_current: true })
      await step(here)
      expect(await state(here, id)).toMatchObject({ state: 'running', done: 2, preview: { changed: { products: 2 } } })
      for (let steps = 0; steps < 5 && (await step(here)); steps++);
      const found = await state(here, id)
      expect(found).toMatchObject({ state: 'succeeded', done: 3, preview: { is_everything: true } })
      expect(effectsOf(found.preview)).toEqual({ repriced: [3, 9] })
    } finally {
      Object.assign(LIMITS, { shelveBatchProducts, previewStepMs })
    }
  })

  test('says when settings were written since it began', async () => {
    const here = await open()
    const id = await start(here, rule({}))
    while (await step(here));
    expect((await state(here, id)).is_current).toBe(true)
    const [row] = await database.db<{ id: number }[]>`
      select rule_id as id from pricing_rule where account_id = ${here.account.accountId} and is_default`
    await inTransaction(database.db, (tx) => editRule(tx, here.account.accountId, row!.id, { percent: '26' }))
    expect((await state(here, id)).is_current).toBe(false)
  })

  test('is cancelled like any operation, and a few at a time', async () => {
    const here = await open()
    const ids = []
    for (let i = 0; i < LIMITS.previewsOpenPerAccountMax; i++) ids.push(await start(here, rule({})))
    const more = await here.owner.post(here.of('/preview-operations'), rule({}))
    expect([more.status, more.body.code]).toEqual([409, 'conflict'])
    const headers = { 'Shelfwire-Account': String(here.account.accountId) }
    for (const id of ids)
      expect(
        (await here.owner.send('POST', `/v1/account/operations/${id}/cancel`, { headers })).body.data,
      ).toMatchObject({
        kind: 'preview',
        state: 'canceled',
      })
    expect(await step(here)).toBe(false)
    expect(await state(here, ids[0]!)).toMatchObject({ state: 'canceled', preview: null })
    expect((await here.owner.get(here.of('/preview-operations'))).body.data).toHaveLength(3)
  })
})

describe('the order of rules', () => {
  test('is set in one write, by as few priorities as it takes, and previewed by the same code', async () => {
    const here = await open()
    const { account, owner, of, preview } = here
    const ids: number[] = []
    for (const percent of ['50', '60'])
      ids.push(
        await inTransaction(
          database.db,
          async (tx) => (await createRule(tx, account.accountId, { name: percent, percent })).value,
        ),
      )
    await bench.shelf.drain(account.accountId)
    const order = ids.toReversed()
    const found = await preview({ resource: 'pricing-rules', action: 'reorder', order })
    expect(effectsOf(found)).toEqual({ repriced: [3, 9] })
    expect(found.largest_up[0]).toMatchObject({ old_price: '30', new_price: '32' })
    expect((await owner.post(of('/rule-orders'), { resource: 'pricing-rules', order })).status).toBe(200)
    await bench.shelf.drain(account.accountId)
    expect(effectsOf(await preview({ resource: 'pricing-rules', action: 'reorder', order }))).toEqual({})
    const short = await owner.post(of('/rule-orders'), { resource: 'pricing-rules', order: [ids[0]] })
    expect([short.status, short.body.code]).toEqual([409, 'conflict'])
  })

  test.each([
    ['one to the top', [10, 20, 30], [2, 0, 1], 1],
    ['one down', [10, 20, 30], [1, 2, 0], 1],
    ['between two with room', [10, 20, 30], [0, 2, 1], 1],
    ['all alike', [100, 100, 100, 100], [0, 2, 1, 3], 4],
    ['all the other way', [1, 2, 3, 4], [3, 2, 1, 0], 4],
    ['nothing', [5, 5, 9], [0, 1, 2], 0],
  ])('%s', (_name, priorities, order, changedMax) => {
    const rules = priorities.map((priority, i) => ({ ruleId: i + 1, priority }))
    const wanted = order.map((i) => i + 1)
    const changed = reordered(rules, wanted)
    expect(changed.length).toBeLessThanOrEqual(changedMax)
    const after = rules.map((entry) => changed.find(({ ruleId }) => ruleId === entry.ruleId) ?? entry)
    const sorted = after.toSorted((a, b) => a.priority - b.priority || a.ruleId - b.ruleId)
    expect(sorted.map(({ ruleId }) => ruleId)).toEqual(wanted)
  })
})

/** How many of A, B, C and one without title, picture and category for 100 each kind excludes. */
const EXCLUDED: Readonly<Record<ExclusionKind, [members: object, excluded: number]>> = {
  manufacturer: [{ names: ['bolt'] }, 1],
  category: [{ names: ['Tools'] }, 2],
  supplier: [{}, 4],
  no_ean: [{}, 4],
  no_title: [{}, 1],
  no_image: [{}, 1],
  no_category: [{}, 1],
  // products without any price are excluded without a rule
  no_price: [{}, 0],
  no_stock: [{}, 1],
  price_below: [{ amount: '13' }, 2],
  price_above: [{ amount: '25' }, 1],
  margin_below: [{ amount: '20.01' }, 4],
}

test('every kind of exclusion rule is previewed', async () => {
  const { account, preview } = await open()
  await giveOffers(bench, account, [
    offer('D', { cost: '100', texts: {}, images: [], category: null }),
    offer('E', { cost: null }),
  ])
  for (const kind of EXCLUSION_KINDS) {
    const [members, excluded] = EXCLUDED[kind]
    const named = kind === 'supplier' ? { supplier_ids: [account.suppliers[0]?.supplierId] } : members
    const found = await preview({
      resource: 'exclusion-rules',
      action: 'create',
      body: { name: 'New', kind, ...named },
    })
    expect([kind, found.effects.excluded.products]).toEqual([kind, excluded])
    expect(found.examples.excluded.map(({ old_reason, new_reason }) => [old_reason, new_reason])).toEqual(
      Array.from({ length: excluded }, () => [null, kind]),
    )
  }
  // without the saved rule, stores would list the product again
  const { value: ruleId } = await inTransaction(database.db, (tx) =>
    createExclusionRule(tx, account.accountId, { name: 'No category', kind: 'no_category' }),
  )
  await bench.shelf.drain(account.accountId)
  const back = await preview({ resource: 'exclusion-rules', action: 'delete', id: ruleId })
  expect(effectsOf(back)).toMatchObject({ included: [1, expect.any(Number)] })
})

test('the reach of rules is counted over a sample: what prices, excludes and decides', async () => {
  const { account, owner, of } = await open()
  await inTransaction(database.db, (tx) =>
    createExclusionRule(tx, account.accountId, { name: 'Sold out', kind: 'no_stock' }),
  )
  const { data } = (await owner.get(of('/rule-reach'))).body
  expect(data).toMatchObject({ products: 3, is_everything: true })
  expect(data.rules['pricing-rules'].map(({ products }: { products: number }) => products)).toEqual([3])
  expect(data.rules['exclusion-rules'].map(({ products }: { products: number }) => products)).toEqual([1])
  expect(data.rules['assortment-rules']).toEqual([])
  // a rule that reads titles needs whole products
  await giveOffers(bench, account, [offer('D', { texts: {}, quantity: 0 })])
  await inTransaction(database.db, (tx) =>
    createExclusionRule(tx, account.accountId, { name: 'Untitled', kind: 'no_title' }),
  )
  const { rules, products } = (await owner.get(of('/rule-reach'))).body.data
  expect([products, rules['exclusion-rules']]).toMatchObject([4, [{ products: 2 }, { products: 1 }]])
})
