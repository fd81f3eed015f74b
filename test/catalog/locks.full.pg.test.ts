import { isBudgetName, type BudgetName } from '../../contract/account-limits.ts'
import { setLimit as setAccountLimit } from '../../src/accounts/limits/limits.ts'
import { afterEach, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { createMember } from '../../src/accounts/members.ts'
import { createAssortmentRule, editAssortmentRule } from '../../src/catalog/settings/rules/assortment-rules.ts'
import {
  editAttributeDefinition,
  setAttributeDefinitions,
} from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { createExclusionRule, editExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { createGroup, editGroup } from '../../src/catalog/settings/stores/groups.ts'
import { pricingRulesList } from '../../src/catalog/settings/rules/pricing-rules.sql.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { createStore, editStore } from '../../src/catalog/settings/stores/stores.ts'
import { createSupplier, editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { mergeProducts } from '../../src/catalog/products/merge-split.ts'
import { lockOffers, writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { deleteProducts, setOverrides } from '../../src/catalog/products/products.ts'
import { demoEan } from '../../src/demo/catalog/ean.ts'
import { createChannel } from '../../src/channels/channels.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { spool } from '../../src/operations/spool.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks } from '../harness/delivering.ts'
import { deadlocksSince, deadlocksSoFar, hold, openNamed } from '../harness/interleave.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Every way of writing takes the account's locks in the order of docs/lock-order.md: writers of the same rows wait for each
// other and never deadlock, and limits are checked against committed rows.

const { database, service } = worldOfFile({ connectionsMax: 20, service: { roles: ['api'] } })

interface Edited {
  what: string
  /** Creates the edited resource, if a new account has none. @returns its path below /v1/account. */
  make(tx: Tx, account: TestAccount): Promise<string>
  /** The edit as a command makes it. */
  edit(tx: Tx, account: TestAccount, round: number, path: string): Promise<unknown>
  /** The body of the same edit over HTTP. */
  patch(round: number): Record<string, unknown>
}

const idOf = (path: string) => Number(path.split('/').at(-1))

const EDITED: Edited[] = [
  {
    what: 'one pricing rule',
    make: async (tx, { accountId }) =>
      `/pricing-rules/${(await pricingRulesList(tx, accountId)).find((rule) => rule.isDefault)!.ruleId}`,
    edit: (tx, { accountId }, round, path) => editRule(tx, accountId, idOf(path), { percent: String(round) }),
    patch: (round) => ({ priority: round + 1 }),
  },
  {
    what: 'one exclusion rule',
    make: async (tx, { accountId }) =>
      `/exclusion-rules/${(await createExclusionRule(tx, accountId, { name: 'A', kind: 'no_ean' })).value}`,
    edit: (tx, { accountId }, round, path) => editExclusionRule(tx, accountId, idOf(path), { name: `N ${round}` }),
    patch: (round) => ({ priority: round + 1 }),
  },
  {
    what: 'one assortment rule',
    make: async (tx, { accountId, storeIds: [storeId] }) =>
      `/assortment-rules/${(await createAssortmentRule(tx, accountId, { storeId, name: 'A', isListed: true })).value}`,
    edit: (tx, { accountId }, round, path) => editAssortmentRule(tx, accountId, idOf(path), { name: `N ${round}` }),
    patch: (round) => ({ priority: round + 1 }),
  },
  {
    what: 'one attribute definition',
    async make(tx, { accountId }) {
      await setAttributeDefinitions(tx, accountId, [{ key: 'weight', unit: null, position: 0, labels: {} }])
      return '/attributes/weight'
    },
    edit: (tx, { accountId }, round) => editAttributeDefinition(tx, accountId, 'weight', { unit: `u${round}` }),
    patch: (round) => ({ position: round }),
  },
  {
    what: 'one customer group',
    make: (_tx, { groupId }) => Promise.resolve(`/groups/${groupId}`),
    edit: (tx, { accountId }, round, path) => editGroup(tx, accountId, idOf(path), { name: `A ${round}` }),
    patch: (round) => ({ name: `B ${round}` }),
  },
  {
    what: 'one exchange rate',
    make: () => Promise.resolve('/rates/PLN'),
    edit: (tx, { accountId }, round) => setRates(tx, accountId, [{ currency: 'PLN', rate: `4.${round + 1}` }]),
    patch: (round) => ({ rate: `5.${round + 1}` }),
  },
  {
    what: 'one supplier',
    make: () => Promise.resolve('/suppliers/north'),
    edit: (tx, { accountId, suppliers }, round) =>
      editSupplier(tx, accountId, suppliers[0]!.supplierId, { name: `N ${round}` }),
    patch: (round) => ({ priority: round + 1 }),
  },
  {
    what: 'one store',
    make: () => Promise.resolve('/stores/de'),
    edit: (tx, { accountId, storeIds }, round) => editStore(tx, accountId, storeIds[1], { name: `N ${round}` }),
    patch: (round) => ({ lists_by_default: round % 2 === 0 }),
  },
  {
    what: 'the account',
    make: () => Promise.resolve(''),
    edit: (tx, { accountId }, round) => editAccount(tx, accountId, { name: `N ${round}` }),
    patch: (round) => ({ price_jump_factor: `${round + 2}` }),
  },
]

test.each(EDITED)(
  '$what edited from the command line and over HTTP at once, again and again: no deadlock',
  { timeout: 90_000 },
  async ({ make, edit, patch }) => {
    const account = await createAccount(service.runtime, 'edited')
    const { accountId } = account
    const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
    const path = await inTransaction(database.db, (tx) => make(tx, account))
    const before = await deadlocksSoFar(database.db)
    for (let round = 0; round < 20; round++) {
      const [, answer] = await Promise.all([
        inTransaction(service.runtime.db, (tx) => edit(tx, account, round, path)),
        http(`/v1/account${path}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', prefer: 'respond-async' },
          body: JSON.stringify(patch(round)),
        }),
      ])
      expect(answer.status).toBe(200)
    }
    expect(await deadlocksSince(database.db, before)).toBe(0)
  },
)

/** Edits of a product's identity (deletion, merge), which run beside an import that writes its offer and new ones. */
const IDENTITY: [string, (tx: Tx, accountId: number, id: number, other: number) => Promise<unknown>][] = [
  ['is deleted', (tx, accountId, id) => deleteProducts(tx, accountId, [id])],
  ['goes into another', (tx, accountId, id, other) => mergeProducts(tx, accountId, other, [id])],
]

test.each(IDENTITY)(
  'a product %s while a page of an import writes its offer: no deadlock',
  { timeout: 90_000 },
  async (_what, decide) => {
    const account = await createAccount(service.runtime, 'identity')
    const { accountId } = account
    const supplier = account.suppliers[0]!
    const ids = await giveOffers(
      service.runtime,
      account,
      Array.from({ length: 40 }, (_, i) => offer(`I-${i}`)),
    )
    const before = await deadlocksSoFar(database.db)
    for (let round = 0; round < 20; round++) {
      const page = [offer(`I-${2 * round}`, { quantity: round + 100 }), offer(`new-${round}`)]
      await Promise.all([
        inTransaction(service.runtime.db, (tx) => writeOffers(tx, accountId, supplier, page)),
        inTransaction(service.runtime.db, (tx) => decide(tx, accountId, ids[2 * round]!, ids[2 * round + 1]!)),
      ])
    }
    expect(await deadlocksSince(database.db, before)).toBe(0)
  },
)

test('a product whose offers are locked one by one is deleted without the creators’ lock of an import that waits for one', async () => {
  const account = await createAccount(service.runtime, 'identity-held')
  const { accountId } = account
  const [north, south] = account.suppliers
  const eans = [demoEan(1)]
  const [id = 0] = await giveOffers(service.runtime, account, [offer('A', { eans })])
  expect(await giveOffers(service.runtime, account, [offer('B', { eans })], 1)).toEqual([id])
  await using importer = openNamed(database)
  await using deleter = openNamed(database)
  await using first = await hold(database.db, (tx) => lockOffers(tx, accountId, north!.supplierId, ['A']))
  const deleting = inTransaction(deleter.db, (tx) => deleteProducts(tx, accountId, [id]), 0)
  expect(await deleter.fate(deleting)).toBe('blocked')
  // locks B, which the deletion needs next, and then the creators
  const page = [offer('B', { eans, quantity: 100 }), offer('new')]
  const importing = inTransaction(importer.db, (tx) => writeOffers(tx, accountId, south!, page), 0)
  importing.catch(() => {})
  await importer.fate(importing)
  await first.commit()
  expect((await Promise.allSettled([importing, deleting])).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
  ])
})

test('a product deleted over HTTP while another goes into it: no deadlock', { timeout: 90_000 }, async () => {
  const account = await createAccount(service.runtime, 'deleted')
  const { accountId } = account
  const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 40 }, (_, i) => offer(`D-${i}`)),
  )
  const before = await deadlocksSoFar(database.db)
  for (let round = 0; round < 20; round++) {
    const [id = 0, other = 0] = ids.slice(2 * round)
    const [merged, deleted] = await Promise.all([
      http(`/v1/account/products/${id}/merge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ product_ids: [other] }),
      }),
      http(`/v1/account/products/${id}`, { method: 'DELETE' }),
    ])
    expect([200, 404, 422]).toContain(merged.status)
    expect(deleted.status).toBe(204)
  }
  expect(await deadlocksSince(database.db, before)).toBe(0)
})

type Limit = keyof typeof LIMITS
interface Limited {
  what: string
  limit: Limit | BudgetName
  /** How many the account has. */
  count(account: TestAccount): Promise<number>
  /** Creates one more, in the given transaction or one of its own. */
  create(tx: Tx, account: TestAccount, name: string): Promise<unknown>
}

const rows =
  (table: string, where = 'true') =>
  async ({ accountId }: TestAccount) => {
    const [row] = await database.db.unsafe<{ n: number }[]>(
      `select count(*)::int as n from ${table} where account_id = ${accountId} and ${where}`,
    )
    return row?.n ?? 0
  }

const LIMITED: Limited[] = [
  {
    what: 'stores',
    limit: 'stores',
    count: rows('store'),
    create: (tx, { accountId }, name) =>
      createStore(tx, accountId, { slug: name, name, locale: 'en', currency: 'EUR' }),
  },
  {
    what: 'customer groups',
    limit: 'groups',
    count: rows('customer_group'),
    create: (tx, { accountId }, name) => createGroup(tx, accountId, name),
  },
  {
    what: 'suppliers',
    limit: 'suppliers',
    count: rows('supplier'),
    create: (tx, { accountId }, name) => createSupplier(tx, accountId, { code: name, name, currency: 'EUR' }),
  },
  {
    what: 'pricing rules',
    limit: 'pricing_rules',
    count: rows('pricing_rule'),
    create: (tx, { accountId }, name) => createRule(tx, accountId, { name, percent: '10' }),
  },
  {
    what: 'exclusion rules',
    limit: 'exclusion_rules',
    count: rows('exclusion_rule'),
    create: (tx, { accountId }, name) => createExclusionRule(tx, accountId, { name, kind: 'no_ean' }),
  },
  {
    what: 'assortment rules',
    limit: 'assortment_rules',
    count: rows('assortment_rule'),
    create: (tx, { accountId, storeIds: [storeId] }, name) =>
      createAssortmentRule(tx, accountId, { storeId, name, isListed: true }),
  },
  {
    what: 'attribute definitions',
    limit: 'attributeDefinitionsPerAccountMax',
    count: rows('attribute_definition'),
    create: (tx, { accountId }, name) =>
      setAttributeDefinitions(tx, accountId, [{ key: name, unit: null, position: 0, labels: {} }]),
  },
  {
    what: 'categories',
    limit: 'categoriesPerAccountMax',
    count: rows('category'),
    create: (tx, { accountId }, name) => createCategory(tx, accountId, { path: name }),
  },
  {
    what: 'suppliers’ paths of categories',
    limit: 'supplierPathsPerAccountMax',
    async count({ accountId }) {
      const [row] = await database.db<{ n: number }[]>`
        select coalesce(sum(cardinality(supplier_paths)), 0)::int as n from category where account_id = ${accountId}`
      return row?.n ?? 0
    },
    create: (tx, { accountId }, name) =>
      createCategory(tx, accountId, { path: name, supplierPaths: [`supplier/${name}`] }),
  },
  {
    what: 'channel files',
    limit: 'channelFilesPerAccountMax',
    count: rows('channel_file'),
    create: (tx, { accountId }, name) =>
      createChannel(tx, accountId, { store: 'main', name, format: 'csv', groupId: null, linkTemplate: null }),
  },
  {
    what: 'members',
    limit: 'members',
    count: rows('member'),
    create: (tx, { accountId }, name) => createMember(tx, accountId, { email: `${name}@example.com`, role: 'owner' }),
  },
  {
    what: 'tokens',
    limit: 'tokens',
    count: rows('token', 'revoked_at is null'),
    create: (tx, { accountId }, name) => createToken(tx, { accountId, access: 'full', name }),
  },
  {
    what: 'open operations',
    limit: 'operationsOpenPerAccountMax',
    count: rows('operation', `ended_at is null and kind <> 'resolve'`),
    create: (tx, { accountId }) => spool(tx, accountId, 'bulk_stock', [], false),
  },
  {
    what: 'texts of one product',
    limit: 'overridesPerProductMax',
    count: rows('product_override'),
    create: async (tx, account, name) =>
      setOverrides(tx, account.accountId, [
        { productId: await productOf(account), field: 'title', locale: `en-x-${name}`, value: name },
      ]),
  },
  {
    what: 'attributes of one product',
    limit: 'overridesPerProductMax',
    count: rows('attribute_override'),
    create: async (tx, account, name) =>
      setOverrides(tx, account.accountId, [
        { productId: await productOf(account), field: 'attribute', key: name, locale: '', value: name },
      ]),
  },
]

async function productOf({ accountId }: TestAccount): Promise<number> {
  const [row] = await database.db<
    { id: number }[]
  >`select product_id as id from product where account_id = ${accountId}`
  return row?.id ?? 0
}

const UNLIMITED = { ...LIMITS }
/** Lowers a limit for the current test: filling an account with 10,000 rules proves no more than filling it with three. */
function setLimit(limit: Limit, max: number): void {
  Object.assign(LIMITS, { [limit]: max })
}
afterEach(() => void Object.assign(LIMITS, UNLIMITED))

const setBudget = ({ accountId }: TestAccount, budget: BudgetName, amount: number) =>
  inTransaction(database.db, (tx) => setAccountLimit(tx, accountId, { budget, amount }))

test.each(LIMITED)(
  'of two that are created at once, one fits into room for one: $what',
  async ({ limit, count, create }) => {
    const account = await createAccount(service.runtime, 'at-the-limit')
    await giveOffers(service.runtime, account, [offer('A')])
    await inTransaction(database.db, (tx) => create(tx, account, 'zero'))
    const before = await count(account)
    const isBudget = isBudgetName(limit)
    if (isBudget) await setBudget(account, limit, before + 1)
    else setLimit(limit, before + 1)
    await using other = openNamed(database)
    const first = await hold(database.db, (tx) => create(tx, account, 'one'))
    const second = inTransaction(other.db, (tx) => create(tx, account, 'two'))
    // it either waits for the first, or cannot see its row
    const fate = await other.fate(second)
    await first.commit()
    const outcome = await second.then(
      () => 'made',
      (error: unknown) => (error as { code?: string }).code,
    )
    expect([fate, outcome, await count(account)]).toEqual([
      'blocked',
      isBudget ? 'quota-exceeded' : 'conflict',
      before + 1,
    ])
  },
)

test('of two that are created at once, one fits into room for one: webhook endpoints', async () => {
  const account = await createAccount(service.runtime, 'endpoints')
  await using webhooks = openWebhooks(service.runtime)
  await setBudget(account, 'endpoints', 1)
  const create = (port: number) =>
    webhooks.endpoints.create(account.accountId, {
      url: `http://127.0.0.1:${port}/`,
      kinds: ['price'],
      storeId: null,
    })
  const outcomes = await Promise.allSettled([create(8123), create(8124)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await rows('endpoint')(account)).toBe(1)
})

test('only one of two customer groups made at once at 49 of 50 is made', async () => {
  const account = await createAccount(service.runtime, 'fifty')
  const { accountId } = account
  const create = (name: string) => inTransaction(database.db, (tx) => createGroup(tx, accountId, name))
  while ((await rows('customer_group')(account)) < 49) await create(crypto.randomUUID())
  const outcomes = await Promise.allSettled([create('fifty'), create('fifty-one')])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await rows('customer_group')(account)).toBe(50)
})
