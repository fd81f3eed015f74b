import { PRICING_CONDITIONS } from '../../contract/rule-conditions.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EXCLUSION_KINDS } from '../../contract/exclusion-kinds.ts'
import type { Preview, PreviewEffect, PreviewExample, RuleChangeBody } from '../../contract/panel/previews.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { accountStep } from '../../src/operations/step.ts'
import { silentLog } from '../../src/platform/log.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { makeOwner, type Browser } from '../panel/browser.ts'
import { difference, readShown } from './read-payloads.ts'
import { worldOfFile } from '../harness/world.ts'

// A preview for all products, then the same change saved: payloads and prices have exactly the previewed effects, on random
// catalogs, for random changes one after the other.

const SLUGS = ['main', 'de', 'pl']
const CHANGES = 14

const { database, bench, service } = worldOfFile({ service: {} })

const amount = fc.constantFrom('0', '3', '9.5', '10', '12.3456', '40', '200')
const some = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1, maxLength: 2 }))
const manufacturers = some('Acme', 'ACME ', 'Bolt')
const categories = some('Tools', 'tools/Hand tools', 'Garden')
const priority = fc.integer({ min: 1, max: 4 })

const offers: fc.Arbitrary<OfferRecord[]> = fc
  .array(
    fc
      .record({
        cost: fc.option(amount, { freq: 5 }),
        quantity: fc.integer({ min: 0, max: 3 }),
        manufacturer: fc.constantFrom('Acme', 'acme', 'Bolt', 'Other'),
        category: fc.constantFrom('Tools', 'Tools/Hand tools', 'Tools/Hand tools/Saws', 'Garden', 'Toys'),
        texts: fc.constantFrom({ en: { title: 'A title' } }, {}),
        images: fc.constantFrom(['https://images.example.com/a.jpg'], []),
      })
      .map((over) => offer('?', over)),
    { minLength: 8, maxLength: 14 },
  )
  .map((list) => list.map((entry, i) => ({ ...entry, sku: `A-${i}` })))

const action = fc.oneof(
  fc.constantFrom('-50', '0', '20', '33.3', '150').map((percent) => ({ action: 'markup', percent })),
  fc.constantFrom('-10', '25', '60', '100').map((percent) => ({ action: 'margin', percent })),
  amount.map((price) => ({ action: 'fixed', fixed_price: price })),
)
const pricing = fc
  .tuple(
    action,
    fc.record(
      {
        priority,
        is_active: fc.boolean(),
        manufacturers,
        categories,
        cost_min: fc.option(fc.constantFrom('5', '10')),
        cost_below: fc.option(fc.constantFrom('12', '50')),
        valid_to: fc.option(fc.constantFrom('2020-01-01', '2099-01-01')),
        addition: fc.option(fc.constantFrom('1', '-5')),
        floor_profit: fc.option(fc.constantFrom('2')),
        ceiling_price: fc.option(fc.constantFrom('30')),
        tiers: fc.option(fc.constantFrom([{ quantity: 5, percent_off: '5' }], [{ quantity: 5, price: '14' }])),
        rounding: fc.option(fc.constant({ EUR: { step: '1', ending: '0.99', direction: 'up' } })),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([how, rest]) => ({ name: 'A rule', ...how, ...rest }))
const exclusion = fc
  .record({
    kind: fc.constantFrom(...EXCLUSION_KINDS),
    priority,
    is_active: fc.boolean(),
    least: fc.constantFrom('5', '20'),
  })
  .map(({ kind, least, ...rest }) => ({
    name: 'An exclusion',
    kind,
    ...rest,
    ...(kind === 'manufacturer' ? { names: ['Acme'] } : {}),
    ...(kind === 'category' ? { names: ['Tools'] } : {}),
    ...(['price_below', 'price_above', 'margin_below'].includes(kind) ? { amount: least } : {}),
  }))
const assortment = fc
  .record({ store: fc.nat(2), is_listed: fc.boolean(), priority, is_active: fc.boolean(), manufacturers, categories })
  .map(({ store, ...rest }) => ({ name: 'An assortment', store, ...rest }))

/** A change; `pick` chooses the rule that it is about, `shuffle` the order. */
const change = fc.oneof(
  ...(['create', 'edit', 'edit', 'delete', 'reorder'] as const).flatMap((verb) => [
    fc.record({
      verb: fc.constant(verb),
      resource: fc.constant('pricing-rules' as const),
      body: pricing,
      pick: fc.nat(),
      shuffle: fc.infiniteStream(fc.nat(9)),
    }),
    fc.record({
      verb: fc.constant(verb),
      resource: fc.constant('exclusion-rules' as const),
      body: exclusion,
      pick: fc.nat(),
      shuffle: fc.infiniteStream(fc.nat(9)),
    }),
    fc.record({
      verb: fc.constant(verb),
      resource: fc.constant('assortment-rules' as const),
      body: assortment,
      pick: fc.nat(),
      shuffle: fc.infiniteStream(fc.nat(9)),
    }),
  ]),
)
type Drawn = typeof change extends fc.Arbitrary<infer T> ? T : never

interface Here {
  account: TestAccount
  owner: Browser
  api: (method: string, path: string, body?: unknown) => ReturnType<Browser['send']>
}

let opened = 0
async function open(list: readonly OfferRecord[], factor: string | null): Promise<Here> {
  const account = await createAccount(bench, `account ${opened}`)
  const { accountId } = account
  const email = `owner${opened++}@example.com`
  const { owner } = await makeOwner(database.db, service.url, accountId, email)
  await inTransaction(database.db, (tx) => editAccount(tx, accountId, { priceJumpFactor: factor }))
  const ids = await giveOffers(bench, account, list)
  await bench.shelf.write(accountId, (tx) =>
    setOwnStock(tx, accountId, [{ productId: ids[0] ?? 0, quantity: 1, cost: '7' }]),
  )
  await bench.shelf.drain(accountId)
  const headers = { 'Shelfwire-Account': String(accountId) }
  const api: Here['api'] = (method, path, body) =>
    owner.send(method, `/v1/account/${path}`, { headers, ...(body === undefined ? {} : { body }) })
  return { account, owner, api }
}

/** The body of the preview of a change, and a function that saves the change. */
async function asked(
  here: Here,
  drawn: Drawn,
): Promise<{ change: RuleChangeBody; save: () => ReturnType<Here['api']> } | null> {
  const { resource, verb, pick } = drawn
  const { store, ...rest } = drawn.body as typeof drawn.body & { store?: number }
  const body = { ...rest, ...(store === undefined ? {} : { store_id: here.account.storeIds[store] }) }
  if (verb === 'create')
    return { change: { resource, action: 'create', body }, save: () => here.api('POST', resource, body) }
  const { data } = (await here.api('GET', resource)).body as {
    data: { id: number; is_default?: boolean; store_id?: number }[]
  }
  const movable = data.filter(({ is_default: isDefault }) => isDefault !== true)
  if (verb === 'reorder') {
    const order = movable
      .map(({ id }) => ({ id, by: drawn.shuffle.next().value as number }))
      .sort((a, b) => a.by - b.by || a.id - b.id)
      .map(({ id }) => id)
    return {
      change: { resource, action: 'reorder', order },
      save: () => here.owner.post(`/panel/api/accounts/${here.account.accountId}/rule-orders`, { resource, order }),
    }
  }
  const row = data[pick % Math.max(1, data.length)]
  if (row === undefined) return null
  if (verb === 'delete')
    return {
      change: { resource, action: 'delete', id: row.id },
      save: () => here.api('DELETE', `${resource}/${row.id}`),
    }
  const patch: Record<string, unknown> = { ...body, ...('store_id' in body ? { store_id: row.store_id } : {}) }
  // the default rule has no conditions
  if (row.is_default === true)
    for (const name of [...PRICING_CONDITIONS.map((condition) => condition.name), 'is_active']) delete patch[name]
  return {
    change: { resource, action: 'edit', id: row.id, body: patch },
    save: () => here.api('PATCH', `${resource}/${row.id}`, patch),
  }
}

/** The counts of a preview must equal the real ones, and its examples must be real effects. */
function requireNamed(preview: Preview, { account: { storeIds } }: Here, found: ReturnType<typeof difference>): void {
  const count = (effect: PreviewEffect) => {
    const keys = found.effects.filter((entry) => entry.effect === effect).map(({ key }) => key)
    return { products: new Set(keys.map((key) => key.split('.')[0])).size, payloads: keys.length }
  }
  const effects = Object.keys(preview.effects) as PreviewEffect[]
  expect(preview.effects).toEqual(Object.fromEntries(effects.map((effect) => [effect, count(effect)])))
  expect(preview.changed).toEqual({
    products: new Set([...found.changed].map((key) => key.split('.')[0])).size,
    payloads: found.changed.size,
  })
  const isUp = (move: string) => Number(move.split(' ')[2]) > Number(move.split(' ')[1])
  expect([preview.prices_up, preview.prices_down]).toEqual([
    found.moves.filter(isUp).length,
    found.moves.filter((move) => !isUp(move)).length,
  ])
  const storeOf = (slug: string) => storeIds[SLUGS.indexOf(slug)]
  const keyOf = (example: PreviewExample) => `${example.product_id}.${storeOf(example.store)}`
  const plain = (text: string | null) => String(Number(text))
  const moveOf = (example: PreviewExample) =>
    `${keyOf(example)}.${example.customer_group?.id} ${plain(example.old_price)} ${plain(example.new_price)}`
  const moves = new Set(found.moves.map((move) => move.replaceAll(/ (\S+)/g, (_, text: string) => ` ${plain(text)}`)))
  for (const example of [...preview.largest_up, ...preview.largest_down, ...preview.examples.repriced])
    expect(moves).toContain(moveOf(example))
  const productsOf = (list: readonly string[]) => new Set(list.map((move) => move.split('.')[0])).size
  expect(preview.largest_up).toHaveLength(Math.min(10, productsOf(found.moves.filter(isUp))))
  expect(preview.largest_down).toHaveLength(Math.min(10, productsOf(found.moves.filter((move) => !isUp(move)))))
  for (const moved of [preview.largest_up, preview.largest_down])
    expect(new Set(moved.map((move) => move.product_id)).size).toBe(moved.length)
  for (const effect of effects) {
    const happened = new Set(found.effects.filter((entry) => entry.effect === effect).map(({ key }) => key))
    const shown = preview.examples[effect].map(keyOf)
    expect(shown).toHaveLength(Math.min(10, productsOf([...happened])))
    for (const key of shown) expect(happened).toContain(key)
  }
}

test('what a preview over everything names is exactly what saving the change does', { timeout: 600_000 }, async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      // without the library's preference for small values, by which rules would hardly differ
      fc.noBias(offers),
      fc.constantFrom(null, '1.5', '1.5', '3'),
      fc.noBias(fc.array(change, { minLength: CHANGES, maxLength: CHANGES })),
      async (list, factor, changes) => {
        const here = await open(list, factor)
        const { accountId } = here.account
        const path = `/panel/api/accounts/${accountId}`
        for (const drawn of changes) {
          const wanted = await asked(here, drawn)
          if (wanted === null) continue
          const before = await readShown(database.db, accountId)
          const sampled = await here.owner.post(`${path}/previews`, wanted.change)
          const started = await here.owner.post(`${path}/preview-operations`, wanted.change)
          while ((await accountStep(database.db, silentLog, accountId, new Map())).isProductive);
          expect(await readShown(database.db, accountId)).toEqual(before)
          const saved = await wanted.save()
          await bench.shelf.drain(accountId)
          const { status, body } = saved
          if (status >= 400) {
            // both are refused in the same way, with the same faults
            const refusal = [status, body.code, body.detail, body.errors]
            expect([sampled.status, sampled.body.code, sampled.body.detail, sampled.body.errors]).toEqual(refusal)
            expect([started.status, started.body.code, started.body.detail]).toEqual(refusal.slice(0, 3))
            continue
          }
          const found = difference(before, await readShown(database.db, accountId))
          expect([sampled.status, sampled.body.data.is_everything]).toEqual([200, true])
          requireNamed(sampled.body.data, here, found)
          const whole = await here.owner.get(`${path}/preview-operations/${started.body.data.operation_id}`)
          expect(whole.body.data).toMatchObject({ state: 'succeeded', done: list.length, change: wanted.change })
          const { largest_up: up, largest_down: down, ...counts } = whole.body.data.preview
          expect(counts).toMatchObject({ ...counts, changed: sampled.body.data.changed })
          expect([up.length, down.length]).toEqual([
            sampled.body.data.largest_up.length,
            sampled.body.data.largest_down.length,
          ])
          requireNamed(whole.body.data.preview, here, found)
          for (const { effect } of found.effects) seen.add(effect)
        }
        await expectAudited(database.db, accountId)
      },
    ),
    { numRuns: 15 },
  )
  // some seeds draw no change that lists or unlists anything; test/previews/previews.pg.test.ts has a case for every effect
  for (const effect of ['repriced', 'excluded']) expect(seen).toContain(effect)
})
