import { randomUUID } from 'node:crypto'
import { entryChanges, writeEntries } from '../../src/catalog/products/prices/price-list-entries.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { createAssortmentRule } from '../../src/catalog/settings/rules/assortment-rules.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { createExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { createPriceList } from '../../src/catalog/settings/prices/price-lists.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setSourceOrder } from '../../src/catalog/settings/suppliers/source-orders.ts'
import { createTaxClass } from '../../src/catalog/settings/prices/tax-classes.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { createChannel } from '../../src/channels/channels.ts'
import { createNoticeChannel } from '../../src/notices/notice-channels.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import {
  createAccount,
  giveOffers,
  offer,
  openBench,
  writeAndShelve,
  type Bench,
  type TestAccount,
} from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import type { TestService } from '../harness/service.ts'

const RIGHT_TO_LEFT = 'متجر الأدوات والمستلزمات المنزلية في القاهرة'
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
/** Markup that must never run: descriptions and answers are untrusted texts. */
export const HOSTILE = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'

const STORES = 50
const CATEGORIES = 500
const ENDPOINTS = 20
const ATTEMPTS = 1_000

/**
 * A full account: 50 stores, 20 endpoints in every state, 1,000 attempts, long and right-to-left texts, and texts with scripts
 * that would run if they were not escaped.
 */
export async function createFullAccount(database: TestDatabase, service: TestService): Promise<TestAccount> {
  const bench = openBench(database.db)
  const account = await createAccount(bench, RIGHT_TO_LEFT)
  const { accountId } = account
  await inTransaction(database.db, async (tx) => {
    for (let i = 0; i < STORES - 3; i++) {
      const name = i === 0 ? RIGHT_TO_LEFT : i === 1 ? LONG : `Store ${i}`
      await createStore(tx, accountId, { slug: `s${i}`, name, locale: i === 0 ? 'ar' : 'en', currency: 'EUR' })
    }
  })
  await giveOffers(bench, account, [
    offer('A-1', { texts: { en: { title: `${LONG} drill`, description: `<p>Robust <b>tool</b></p>${HOSTILE}` } } }),
    offer('A-2', { texts: { ar: { title: RIGHT_TO_LEFT }, en: { title: HOSTILE } } }),
    offer('A-3', {}),
  ])
  await inTransaction(database.db, (tx) => giveRules(tx, account))
  await giveSettings(bench, account)
  await giveImports(database, account)
  const { seal, outbound } = service.runtime
  for (const [name, kind] of [
    ['Team', 'slack'],
    [LONG, 'webhook'],
  ] as const) {
    const channel = { name, kind, url: 'https://hooks.example/services/T0/B0', noticeKinds: null, isPaused: false }
    await inTransaction(database.db, (tx) =>
      createNoticeChannel(tx, accountId, channel, { seal, outbound, publicUrl: () => '' }),
    )
  }
  const endpointIds: number[] = []
  for (let i = 0; i < ENDPOINTS; i++) {
    const path = i === 1 ? `/${'long/'.repeat(30)}hook?tenant=main` : '/hook'
    const { endpointId } = await service.runtime.endpoints.create(accountId, {
      url: `http://127.0.0.${i + 1}:9000${path}`,
      kinds: ['price', 'content', 'removed'],
      storeId: i % 3 === 2 ? account.storeIds[1] : null,
    })
    endpointIds.push(endpointId)
  }
  const [failing = 0, paused = 0, disabled = 0] = endpointIds
  await service.runtime.endpoints.setEnabled(accountId, disabled, false)
  await giveLog(database, accountId, failing)
  // times as parameters, because Citus does not allow now() within CASE
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  await database.db`
    update endpoint_state set failures = case when endpoint_id = ${failing} then 5 else 10 end,
      retry_at = ${inMinutes(6)}::timestamptz, position = 0,
      paused_until = case when endpoint_id = ${paused} then ${inMinutes(40)}::timestamptz end
    where account_id = ${accountId} and endpoint_id in (${failing}, ${paused})`
  return account
}

/** Sources in every state, and import runs: one that is running, one that is held, one with refused rows and changes, one that failed. */
async function giveImports({ db }: TestDatabase, { accountId, suppliers }: TestAccount): Promise<void> {
  const supplierId = suppliers[0]?.supplierId ?? 0
  const failure = `${HOSTILE} ${LONG}`
  await db`
    insert into supplier_source (account_id, supplier_id, name, kind, url, mapping, mode, cron, time_zone, every_minutes, is_active,
      next_run_at, last_run_at, failures, failed_since, failure)
    values
      (${accountId}, ${supplierId}, 'catalog', 'http', ${`https://files.example/${'deep/'.repeat(30)}catalog.csv`}, '{"preset": "shopify"}', 'full',
        '30 5 * * 1-6', 'Europe/Warsaw', null, true, now() + interval '4 hours', now() - interval '1 day', 0, null, null),
      (${accountId}, ${supplierId}, ${`stock-${'x'.repeat(57)}`}, 'sftp', 'sftp://files.example/out/stock-*.csv', '{"fields": {"sku": "a"}}', 'delta',
        null, 'UTC', 30, true, now() + interval '15 minutes', now(), 7, now() - interval '2 days', ${failure}),
      (${accountId}, ${supplierId}, 'sent', 'upload', null, '{"fields": {"sku": "sku"}}', 'delta', null, 'UTC', null, false, null, null, 0, null, null)`
  const problem = { code: 'source-unreadable', detail: failure, errors: [{ name: 'source', reason: 'http_404' }] }
  const excess = {
    kind: 'zeroed',
    count: 39_812,
    of: 40_000,
    limit: 0.5,
    text: 'the file would set 39812 of 40000 to 0',
  }
  await db`
    insert into import_run (account_id, supplier_id, source_id, trigger, mode, mapping, state, file_name, file_bytes, file_hash, file_key,
      refusals_key, rows, created, changed, unchanged, zeroed, stale, refused, products, total, written, has_written, warnings, excesses,
      problem, started_at, ended_at)
    select ${accountId}, ${supplierId}, s.source_id, 'schedule', 'full', '{"preset": "shopify"}', state, ${`${LONG}.csv`}, 12345678,
      repeat('0123456789abcdef', 4), 'x', 'y', 40000, 12, 345, 39000, 6, 7, 630, 370, 363, 120, state in ('succeeded', 'writing'),
      ${JSON.stringify([failure])}::text::jsonb,
      case when state = 'held' then ${JSON.stringify([excess])}::text::jsonb else '[]' end,
      case when state = 'failed' then ${JSON.stringify(problem)}::text::jsonb end,
      now() - interval '5 minutes', case when state <> 'writing' then now() - interval '1 minute' end
    from unnest(array['failed', 'held', 'succeeded', 'writing']) state, supplier_source s
    where s.account_id = ${accountId} and s.name = 'catalog'`
  await db`
    insert into import_run_refusal (account_id, run_id, refusal_number, field, reason, count, examples)
    select account_id, run_id, i, case when i = 3 then '' else 'cost' end, ${`must be a decimal, not "${LONG}"`}, 200 - i,
      ${JSON.stringify([{ line: 17, sku: RIGHT_TO_LEFT, value: HOSTILE }])}::text::jsonb
    from import_run, generate_series(1, 3) i where account_id = ${accountId} and state = 'succeeded'`
  await db`
    insert into import_run_change (account_id, run_id, supplier_sku, kind, before)
    select r.account_id, r.run_id, o.supplier_sku, 'changed',
      ${JSON.stringify({ cost: '1', currency: 'EUR', quantity: 3, absentSince: null, feedHash: null })}::text::jsonb
    from import_run r join offer o on o.account_id = ${accountId} and o.supplier_id = ${supplierId}
    where r.account_id = ${accountId} and r.state = 'succeeded'`
}

/** Rules of every kind, with many conditions and long names. */
async function giveRules(tx: Tx, { accountId, storeIds, groupId, suppliers }: TestAccount): Promise<void> {
  await createExclusionRule(tx, accountId, { name: 'Out of stock', kind: 'no_stock' })
  await createExclusionRule(tx, accountId, { name: LONG, kind: 'manufacturer', names: [RIGHT_TO_LEFT, LONG, 'Bolt'] })
  await createAssortmentRule(tx, accountId, {
    storeId: storeIds[2],
    name: 'No garden in Poland',
    isListed: false,
    categories: ['Garden'],
  })
  for (let i = 0; i < 3; i++)
    await createRule(tx, accountId, {
      name: `Tier ${i}`,
      percent: '20',
      costMin: String(i * 10),
      costBelow: String((i + 1) * 10),
    })
  await createRule(tx, accountId, {
    name: LONG,
    percent: '12.5',
    storeIds,
    groupIds: [groupId],
    supplierIds: suppliers.map(({ supplierId }) => supplierId),
    manufacturers: ['Acme', RIGHT_TO_LEFT, LONG],
    categories: ['Tools', 'Tools/Hand tools'],
    floorProfit: '2',
    rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } },
  })
}

/** 500 categories of four levels, long names everywhere, prices that are held, a rate that is missing, suppliers’ paths. */
async function giveSettings(bench: Bench, account: TestAccount): Promise<void> {
  const { accountId } = account
  await inTransaction(bench.db, async (tx) => {
    for (let i = 0; i < CATEGORIES; i++) {
      const levels = [`Level ${i % 5}`, `Level ${i % 25}`, i === 3 ? LONG : i === 4 ? RIGHT_TO_LEFT : `Level ${i}`]
      const supplierPaths = i % 10 === 0 ? [`Supplier/${i}`, `${LONG}/${i}`] : []
      await createCategory(tx, accountId, { path: levels.join('/'), supplierPaths })
    }
    await setAttributeDefinitions(tx, accountId, [
      {
        key: 'color',
        unit: null,
        position: 1,
        labels: { de: 'Farbe', ar: RIGHT_TO_LEFT },
        options: { red: { de: 'rot', pl: 'czerwony' }, [LONG]: { de: LONG } },
      },
      { key: LONG, unit: 'kg', position: 2, labels: {} },
    ])
    await createTaxClass(tx, accountId, {
      key: 'standard',
      name: LONG,
      isDefault: true,
      codes: ['19', RIGHT_TO_LEFT],
      rates: [{ country: 'DE', validFrom: '2021-01-01', percent: '19' }],
    })
    await setSourceOrder(
      tx,
      accountId,
      'title',
      account.suppliers.map(({ supplierId }) => supplierId),
    )
    for (const name of ['Shopping', LONG])
      await createChannel(tx, accountId, { store: 'main', name, format: 'google', groupId: null, linkTemplate: null })
    await editAccount(tx, accountId, { priceJumpFactor: '2', skuPattern: '{manufacturer|default:none}' })
  })
  await giveOffers(bench, account, [
    offer('A-1', { cost: '900', texts: { en: { title: `${LONG} drill`, description: HOSTILE } } }),
    offer('C-1', { currency: 'CZK', eans: ['123'], category: HOSTILE }),
    offer('C-2', { category: `${LONG}/${'Deep/'.repeat(20)}` }),
    // the longest title that is allowed
    offer('C-3', { texts: { en: { title: 'Long title '.repeat(450) } }, category: RIGHT_TO_LEFT }),
  ])
  const products = await bench.db<{ id: number }[]>`
    select product_id as id from product where account_id = ${accountId} order by product_id`
  await inTransaction(bench.db, (tx) =>
    setOwnStock(
      tx,
      accountId,
      products.map(({ id }, i) => ({ productId: id, quantity: i, cost: i === 0 ? null : '12.5' })),
    ),
  )
  await writeAndShelve(bench, accountId, (tx) =>
    givePriceLists(
      tx,
      account,
      products.map(({ id }) => id),
    ),
  )
}

/** A price list for one group and some days, with prices for all groups and for one, and a list without prices. */
async function givePriceLists(
  tx: Tx,
  { accountId, storeIds, groupId }: TestAccount,
  productIds: readonly number[],
): Promise<void> {
  const list = { currency: 'EUR', storeIds: null, groupId: null, validFrom: null, validTo: null, priority: 100 }
  await createPriceList(tx, accountId, {
    ...list,
    key: 'season',
    name: LONG,
    storeIds: [storeIds[0]],
    groupId,
    validFrom: '2020-01-01',
    validTo: '2099-12-31',
    isActive: true,
  })
  await createPriceList(tx, accountId, { ...list, key: 'empty', name: RIGHT_TO_LEFT, isActive: false })
  const rows = productIds.flatMap((productId) => [
    { productId, groupId: 0, amount: '19.9' },
    { productId, groupId, amount: '17.5' },
  ])
  await writeEntries(tx, accountId, 'season', await entryChanges(tx, accountId, 'season', rows, false))
}

/** Deliveries in every state with attempts whose answers are hostile. */
async function giveLog(database: TestDatabase, accountId: number, endpointId: number): Promise<void> {
  const states = ['delivered', 'delivered', 'delivered', 'failed', 'parked', 'expired', 'void', 'empty'] as const
  const rows = Array.from({ length: ATTEMPTS }, (_, i) => ({
    id: randomUUID(),
    state: states[i % states.length] ?? 'delivered',
    minutes: ATTEMPTS - i,
  }))
  const ids = rows.map(({ id }) => id)
  await database.db`
    insert into delivery (account_id, endpoint_id, delivery_id, origin, state, event, store_id, products, product_ids, body, attempts, created_at)
    select ${accountId}, ${endpointId}, id::uuid, 'log', state, 'price', null, 2, array[1, 2]::bigint[],
      '{"event":"price","store_id":null,"product_ids":[1,2],"occurred_at":"2026-02-02T02:39:58+00:00"}', 1,
      now() - minutes * interval '1 minute'
    from unnest(${ids}::text[], ${rows.map(({ state }) => state)}::text[], ${rows.map(({ minutes }) => minutes)}::int[]) as row (id, state, minutes)`
  await database.db`
    insert into attempt (account_id, endpoint_id, delivery_id, began_at, duration_ms, outcome, status, fault, answer)
    select ${accountId}, ${endpointId}, id::uuid, now() - minutes * interval '1 minute', 84,
      case when state = 'delivered' then 'delivered' else 'failed' end, case when state = 'delivered' then 200 else 503 end, null,
      ${HOSTILE}
    from unnest(${ids}::text[], ${rows.map(({ state }) => state)}::text[], ${rows.map(({ minutes }) => minutes)}::int[]) as row (id, state, minutes)`
}
