import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { marksAppend } from '../../src/catalog/stale/marks.sql.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { productIdsAfter } from '../../src/catalog/products/products.sql.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { createFilledAccount, fillProducts } from '../../bench/fill.ts'
import { holdsUpsert } from '../../src/shelf/payloads/price-holds.sql.ts'
import { openBench } from '../harness/account.ts'
import { fillOperations, hotQueries, operationQueries, readSubject, type HotQuery } from '../harness/hot-queries.ts'
import { FINDING_PLANS, findingQueries } from '../harness/finding-queries.ts'
import { fillGroups, GROUP_PLANS, LISTED } from '../harness/group-plans.ts'
import { fillSlugs, SLUG_PLANS, slugQueries } from '../harness/slug-plans.ts'
import { PAGE_PLANS, PAYLOADS } from '../harness/page-plans.ts'
import { IMAGE_PLANS } from '../harness/image-plans.ts'
import { imageQueries } from '../harness/image-queries.ts'
import { turnMirrorOn } from '../harness/images.ts'
import { RUN_PLANS } from '../harness/run-plans.ts'
import { budgetQueries, fillTokenRequests, TOKEN_PLANS } from '../harness/budget-queries.ts'
import { fillRuns, runQueries } from '../harness/run-queries.ts'
import { PRODUCT_LIST_PLANS, productListQueries } from '../harness/product-list-queries.ts'
import { OVERVIEW_PLANS, overviewQueries } from '../harness/overview-queries.ts'
import { searchQueries } from '../harness/search-queries.ts'
import { WEBHOOK_PLANS } from '../harness/webhook-plans.ts'
import { fillEndpoints, webhookQueries } from '../harness/webhook-queries.ts'
import { BY_PLACE, nodesOf, planOf, recordStatements, sortsOf, type PlanMode, type PlanNode } from '../harness/plans.ts'
import { worldOfFile } from '../harness/world.ts'

// The query plans of all hot statements: the index of each, its columns, and the filters. A changed plan is not always worse, but
// needs a look, also at a million products (npm run bench -- million, BENCH_PLANS=FILE).

const PRODUCTS = 3_000
/** A small batch: for many products a scan of the account would be the right plan. */
const BATCH = 50
const TOKENS = 50
const ENDPOINTS = 20
const DELIVERIES = 100
const OPERATIONS = 60
const RUNS = 800
const by = (...columns: string[]) => `by account_id, ${columns.join(', ')}`
const KEY = by('store_id', 'product_id')
const FEED = [
  'change_counter_pkey by account_id',
  `change_feed ${by('store_id', 'changed_at', 'change_id')}`,
  'change_fence drops by (before_id > ?)',
  'change_fence_pkey by account_id, after_id',
]
const PRODUCT = ['product_pkey by account_id, product_id']
const OPERATION = ['operation_pkey by account_id, operation_id']
const OFFER = [`offer_pkey ${by('supplier_id', 'supplier_sku')}`]
const OFFER_EANS = [`product_ean_pkey ${by('product_id', 'supplier_id', 'supplier_sku')}`]
/** An upsert finds its rows by its conflict key, which is not shown as a scan. */
const UPSERT: string[] = []
/** The same for rows that clients send: `ownerOf` reads the account first. */
const OWNED_UPSERT = ['account_inputs by account_id']

/** The expected access paths of each statement. Settings tables are small: any index that leads with the account will do. */
const INTENDED: Readonly<Record<string, string[][]>> = {
  ...PAGE_PLANS,
  ...TOKEN_PLANS,
  ...GROUP_PLANS,
  ...SLUG_PLANS,
  ...OVERVIEW_PLANS,
  'walk over a store': [PAYLOADS],
  'look-up by SKU': [[`payload_content_sku ${by('store_id', 'sku')}`]],
  'look-up by EAN': [
    [
      'product_ean_gtin by account_id, gtin',
      'product_ean_other by account_id, ean',
      'supplier by account_id, supplier_id',
      `payload_content_pkey ${by('store_id', 'product_id')}`,
    ],
  ],
  'feed from the middle': [FEED],
  'feed from the beginning': [FEED],
  'feed at the head': [FEED],
  'windows of the feed': [FEED.map((line) => line.replace('> ?', '> wanted.id'))],
  'last number before a second': [['store by account_id', `change_feed ${by('store_id', 'changed_at')}`]],
  'session by hash': [
    ['session_token_hash_key by token_hash', 'passkey_person by person_id', 'person_pkey by person_id'],
  ],
  'membership of a person': [
    ['account by account_id', 'member_of_person by person_id', 'member drops by (account_id = ?)'],
  ],
  'token by hash': [['token by token_hash', 'token drops by (revoked_at IS NULL)']],
  'rates of tokens: take': [UPSERT],
  'use: note': [[]],
  'use: what is noted': [['account_use_delta_pkey by account_id', 'account_use_pkey by account_id']],
  'use: add up': [
    [],
    ['account_use_delta_pkey by account_id'],
    ['account_use_delta_pkey by account_id, delta_id'],
    OWNED_UPSERT,
  ],
  'use: accounts with changes': [['account_use_delta_pkey by nothing']],
  'limits of an account': [['account_limit_pkey by account_id, budget']],
  'limits of accounts': [['account_limit_pkey by account_id']],
  'imports within an hour': [['import_run_pkey by account_id', 'import_run drops by (trigger <> ?)']],
  'operations within an hour': [['operation_pkey by account_id']],
  'bytes of import files': [
    ['import_run_filed by account_id', 'import_run drops by ((file_key IS NOT NULL) AND (file_key <> ?))'],
  ],
  stores: [['store by account_id', 'store drops by (deleted_at IS NULL)']],
  'marked products': [['mark_pkey by account_id, product_id']],
  // scans all marks of all accounts, but only their index, and there are seldom many
  'stale accounts': [['mark_pkey by nothing', 'sweep_pkey by nothing']],
  'stale position': [['mark_pkey by account_id', 'sweep_pkey by account_id']],
  'is it stale': [['mark_pkey by account_id, mark_id', 'sweep_pkey by account_id, sweep_id']],
  'waiting products': [
    [
      'mark_pkey by account_id, product_id',
      'sweep drops by (next_product_id < given.product_id)',
      'sweep_pkey by account_id, end_product_id',
    ],
  ],
  'active stores': [['store by account_id', 'store drops by is_active']],
  'marks: append': [UPSERT],
  'marks: delete': [['mark_pkey by account_id, product_id']],
  'sweeps: take': [
    [
      'sweep_pkey by account_id',
      'sweep drops by (NOT (SubPlan 1))',
      'sweep drops by (next_product_id <= s.next_product_id)',
      'sweep_pkey by account_id, sweep_id, end_product_id',
    ],
  ],
  'sweeps: overlapping': [
    ['sweep_pkey by account_id, end_product_id', 'sweep drops by ((next_product_id < ?) AND (sweep_id <> ?))'],
  ],
  'sweeps: replace': [['sweep_pkey by account_id, sweep_id'], ['sweep_pkey by account_id']],
  'product id range': [['product_pkey by account_id']],
  'input: version': [['account_inputs by account_id']],
  'accounts behind': [['account_inputs by ends_at', 'account_inputs by resolver']],
  'accounts with long absent offers': [['offer_absent by absent_since']],
  'offers: drop': [
    ['offer drops by (dropped_at IS NULL)', 'offer_absent by absent_since, account_id', ...BY_PLACE('offer')],
    [`offer_content_pkey ${by('product_id', 'supplier_id', 'supplier_sku')}`, ...BY_PLACE('offer_content')],
    [...OFFER_EANS, ...BY_PLACE('product_ean')],
  ],
  'input: exclusions': [['product_exclusion_pkey by account_id, product_id']],
  'input: holds': [['price_hold_pkey by account_id, product_id']],
  'input: exclusion rules': [['exclusion_rule by account_id']],
  'input: assortment rules': [['assortment_rule by account_id']],
  'input: source orders': [['source_order by account_id']],
  'input: offers for prices': [
    [
      `offer_content_pkey ${by('product_id', 'supplier_id', 'supplier_sku')}`,
      'offer_product by account_id, product_id',
      'offer drops by (dropped_at IS NULL)',
    ],
  ],
  'shelved price tags': [[`payload_price_pkey ${KEY}`]],
  'shelved prices': [[`payload_price_pkey ${KEY}`]],
  'sweeps: advance': [['sweep_pkey by account_id, sweep_id, end_product_id']],
  'sweeps: delete': [['sweep_pkey by account_id, sweep_id, end_product_id']],
  'sweep batch': [PRODUCT],
  'products: lock': [PRODUCT],
  'products: lock, skipping': [PRODUCT],
  'products: lock shared': [['product drops by (deleted_at IS NULL)', ...PRODUCT]],
  'input: account': [['account by account_id', 'account_inputs by account_id']],
  'input: stores': [['store by account_id', 'store drops by is_active']],
  'input: groups': [['customer_group by account_id']],
  'input: rules': [['pricing_rule by account_id']],
  'input: rates': [['exchange_rate by account_id']],
  'input: tax classes': [['tax_class by account_id']],
  'input: suppliers': [['supplier by account_id']],
  'input: attribute definitions': [['attribute_definition by account_id']],
  'input: products': [[...PRODUCT, ...LISTED]],
  'input: price history of products in a sale': [
    ['account by account_id', 'account_inputs by account_id', 'price_history_pkey by account_id, product_id'],
  ],
  'input: EANs': [['product_ean_pkey by account_id, product_id']],
  'input: offers': [
    [
      `offer_content_pkey ${by('product_id', 'supplier_id', 'supplier_sku')}`,
      'offer_product by account_id, product_id',
      'offer drops by (dropped_at IS NULL)',
    ],
  ],
  'input: own stock': [['own_stock_pkey by account_id, product_id']],
  'input: overrides': [['product_override_pkey by account_id, product_id']],
  'input: attribute overrides': [['attribute_override_pkey by account_id, product_id']],
  'input: listings': [['product_listing_pkey by account_id, product_id']],
  'shelved tags': [[`payload_content_pkey ${KEY}`], [`payload_price_pkey ${KEY}`]],
  'shelved bodies': [PAYLOADS],
  'change rows of the audit': [[`change_pkey ${KEY}`]],
  'search tags': [[`product_search_pkey ${by('product_id')}`]],
  'search rows: write': [OWNED_UPSERT],
  'search rows: stock': [[`product_search_pkey ${by('product_id')}`]],
  'search terms: add': [OWNED_UPSERT],
  'search terms: next of a fill': [['product_search_pkey by account_id, product_id']],
  'search rows: delete': [[`product_search_pkey ${by('product_id')}`]],
  'payloads: write contents': [OWNED_UPSERT],
  'payloads: write prices': [OWNED_UPSERT],
  'payloads: delete': [[`payload_content_pkey ${KEY}`], [`payload_price_pkey ${KEY}`]],
  'changes: write': [['change_counter_pkey by account_id'], [...OWNED_UPSERT, 'change_counter_pkey by account_id']],
  'blocks: add': [OWNED_UPSERT],
  'import: compare': [OFFER],
  'import: offers after': [OFFER],
  'import: lock': [OFFER],
  'import: contents': [[`offer_content_pkey ${by('product_id', 'supplier_id', 'supplier_sku')}`]],
  'import: EANs': [OFFER_EANS],
  'import: GTIN holders': [
    [
      'product drops by (deleted_at IS NULL)',
      'product_ean_gtin by account_id, gtin',
      'supplier by account_id, supplier_id',
      ...PRODUCT,
    ],
  ],
  'import: suppliers of products': [['offer drops by (dropped_at IS NULL)', 'offer_product by account_id, product_id']],
  'import: update offers': [OWNED_UPSERT],
  'import: write contents': [OWNED_UPSERT],
  'import: delete EANs': [[...OFFER_EANS, ...BY_PLACE('product_ean')]],
  'import: zero offers': [['offer drops by (absent_since IS NULL)', ...OFFER]],
  'import: take ids': [UPSERT, ['product_id_block_pkey by account_id'], ['product_id_block_pkey by account_id']],
  'own stock: set': [OWNED_UPSERT],
  'overrides: set': [OWNED_UPSERT, ['product_override_pkey by account_id, product_id']],
  'overrides: reset attributes': [['attribute_override_pkey by account_id, product_id']],
  'offers: lock those of products': [['offer_product by account_id, product_id']],
  'bulk: products by keys': [
    [
      'product_ean_gtin by account_id, gtin',
      'product_ean_other by account_id, ean',
      'product_sku by account_id, sku',
      'supplier by account_id, supplier_id',
    ],
  ],
  'bulk: stock': [OWNED_UPSERT],
  'bulk: quantities': [OWNED_UPSERT],
  'bulk: delete stock': [['own_stock_pkey by account_id, product_id']],
  'bulk: overrides': [OWNED_UPSERT],
  'bulk: delete overrides': [['product_override_pkey by account_id, product_id']],
  'bulk: attributes': [OWNED_UPSERT],
  'bulk: delete attributes': [['attribute_override_pkey by account_id, product_id']],
  'bulk: overrides of one product': [
    ['attribute_override_pkey by account_id, product_id', 'product_override_pkey by account_id, product_id'],
  ],
  'bulk: overrides in places': [[`product_override_pkey ${by('product_id', 'field', 'locale')}`]],
  'bulk: attributes in places': [[`attribute_override_pkey ${by('product_id', 'key', 'locale')}`]],
  'bulk: lock products': [['product drops by (deleted_at IS NULL)', ...PRODUCT]],
  'bulk: lock suppliers': [['supplier by account_id', 'supplier drops by ((deleted_at IS NULL) AND (code = ANY (?)))']],
  'import: lock the supplier': [['supplier by account_id, supplier_id', 'supplier drops by (deleted_at IS NULL)']],
  'bulk: lock offers': [['offer drops by (dropped_at IS NULL)', ...OFFER]],
  'bulk: prices': [OWNED_UPSERT],
  'operations: accounts': [['operation_open by nothing']],
  'operations: open': [['operation_open by account_id']],
  'operations: take': [
    ['operation_open by account_id', 'operation_open by account_id, operation_id'],
    ['operation_chunk_pkey by account_id, operation_id'],
  ],
  'operations: count': [OPERATION],
  'operations: chunk done': [
    ['operation_chunk_pkey by account_id, operation_id, first_row'],
    ['operation_chunk_pkey by account_id, operation_id'],
  ],
  'operations: place': [['operation_chunk_pkey by account_id, operation_id, first_row']],
  'operations: settle': [
    ['mark_pkey by account_id, mark_id', 'operation_open by account_id', 'sweep_pkey by account_id'],
  ],
  'operations: lock': [OPERATION],
  'operations: one': [OPERATION],
  'operations: page': [OPERATION],
  'operations: errors': [['operation_error_pkey by account_id, operation_id, row_number']],
  'operations: old accounts': [['operation_ended by ended_at']],
  'deletion: rows of a store': [
    ['price_history_pkey by account_id, product_id, store_id', ...BY_PLACE('price_history')],
    ['price_hold_pkey by account_id, product_id, store_id'],
    ...['change', 'payload_content', 'payload_price'].map((table) => [`${table}_pkey ${KEY}`]),
    ['change_counter_pkey by account_id'],
    OWNED_UPSERT,
  ],
  'deletion: listings of a store': [
    ...['product_listing', 'product_exclusion'].map((table) => [`${table}_pkey by account_id, product_id, store_id`]),
    ['product_slug_of_product by account_id, product_id, store_id'],
  ],
  'deletion: blocks of a store': [['payload_block_pkey by account_id, store_id']],
  'deletion: offers of a supplier': [
    ['offer_pkey by account_id, supplier_id'],
    [...OFFER_EANS, ...BY_PLACE('product_ean')],
    [`offer_content_pkey ${by('product_id', 'supplier_id', 'supplier_sku')}`, ...BY_PLACE('offer_content')],
    OFFER,
  ],
  ...WEBHOOK_PLANS,
  ...RUN_PLANS,
  ...IMAGE_PLANS,
  ...FINDING_PLANS,
  ...PRODUCT_LIST_PLANS,
}

/** Queries that older servers, or servers with a small catalog, plan differently, and why. They are reported as skipped there. */
const UNSETTLED: Readonly<Record<string, { mode: PlanMode | 'any'; before: number; why: string }>> = {
  // an account has few rows of these tables, and servers before 17 read them all to drop some
  'rates of an account': { mode: 'any', before: 17, why: 'reads all rates of the account' },
  'limits of an account': { mode: 'any', before: 17, why: 'reads all limits of the account' },
  'use: add up': { mode: 'any', before: 17, why: 'reads what was noted in two seconds' },
  'waiting products': {
    mode: 'custom',
    before: 17,
    why: 'hashes all marks of the account, for each batch of an audit',
  },
  'product list: collect by words': {
    mode: 'generic',
    before: Infinity,
    why: 'of a few thousand products, all cost about as much as what unknown words find; of a million it is the index',
  },
}

/** With a few thousand products these servers read the whole account instead of looking up several stores, ids or words. */
const LISTS_BEFORE_17 = { mode: 'any', before: 17, why: 'reads a small account as a whole' } as const

const SETTINGS_TABLES = new Set([
  'account',
  'account_inputs',
  'assortment_rule',
  'attribute_definition',
  'customer_group',
  'exchange_rate',
  'exclusion_rule',
  'pricing_rule',
  'source_order',
  'store',
  'supplier',
  'tax_class',
  'token',
])
/** Tables with few rows per account (endpoints, open operations, suppliers' last imports): any plan that starts from the account will do. */
const FEW_ROWS =
  /^(endpoint|endpoint_state|endpoint_pkey|endpoint_state_pkey|operation|supplier_heard|supplier_heard_pkey) (?!by nothing)/
/** Statements whose windows must be read from the index in order, without sorting all rows. */
const ORDERED =
  /^(feed |first page|last page|page after|page of prices|prices after|walk over|sweep batch|import: offers after|marked products|webhooks: attempts (back|forward))/

const { database } = worldOfFile()
/** A pool of one connection, for settings that are bound to a session. */
let session: Db
let major: number
let queries: ReadonlyMap<string, HotQuery>
const indexes = new Map<string, { table: string; columns: string[] }>()
beforeAll(async () => {
  const { db } = database
  const bench = openBench(db)
  const other = await createFilledAccount(db, 'other', 3)
  await fillProducts(db, other, PRODUCTS / 3)
  const account = await createFilledAccount(db, 'plans', 3)
  const {
    accountId,
    storeIds: [store = 0],
    suppliers: [supplier],
  } = account
  await fillProducts(db, account, PRODUCTS)
  const ids = await productIdsAfter(db, accountId, 0, PRODUCTS)
  // no table that is read per batch may be empty, because all plans of an empty table cost the same
  await inTransaction(db, async (tx) => {
    await setOwnStock(
      tx,
      accountId,
      ids.map((productId) => ({ productId, quantity: 1, cost: null })),
    )
    await setOverrides(
      tx,
      accountId,
      ids.map((productId) => ({ productId, field: 'title', locale: 'en', value: 'Title' })),
    )
    await setOverrides(
      tx,
      accountId,
      ids.map((productId) => ({ productId, field: 'attribute' as const, key: 'color', locale: '', value: 'red' })),
    )
    await setListing(tx, accountId, store, ids, true)
    await excludeProducts(tx, accountId, store, ids)
    await sweepAppend(tx, accountId, 'filled')
    for (let i = 0; i < TOKENS; i++) await createToken(tx, { accountId, access: 'connector' })
  })
  for (const owner of [other.accountId, accountId]) await turnMirrorOn(db, owner)
  for (const owner of [other.accountId, accountId]) await bench.shelf.drain(owner)
  // some pictures are mirrored, and some of these are due
  await db.unsafe(`update image set state = 'mirrored', hash = replace(url_hash::text, '-', ''), type = 'image/png', bytes = 1,
    next_fetch_at = case when url_hash::text < '8' then now() + interval '7 days' else now() end where url_hash::text < 'c'`)
  // shelving has deleted marks and holds, so they are added afterwards
  await inTransaction(db, async (tx) => {
    await marksAppend(tx, accountId, ids)
    const amounts = {
      currency: 'EUR',
      shownPrice: '1',
      shownRuleId: 1,
      cost: '9',
      wantedPrice: '9',
      wantedRuleId: 1,
    }
    await holdsUpsert(
      tx,
      accountId,
      ids.map((productId) => ({ productId, storeId: store, groupId: 1, ...amounts })),
    )
  })
  for (const owner of [other.accountId, accountId]) await fillEndpoints(db, owner, ENDPOINTS, DELIVERIES)
  for (const owner of [other.accountId, accountId]) await fillOperations(db, owner, OPERATIONS)
  for (const owner of [other, account]) await fillRuns(db, owner.accountId, owner.suppliers[0].supplierId, RUNS)
  // spreads the changes over hours, because with all within a second or two the statistics of their times would be useless
  await db.unsafe(`update change set changed_at = date_trunc('second', changed_at - (interval '20 ms' * (c.last_id - change_id)))
    from change_counter c where c.account_id = change.account_id`)
  for (const owner of [other.accountId, accountId])
    await db.unsafe(`insert into search_term (account_id, term, grams)
      select ${owner}, '.' || word, array_to_tsvector(array(
        select distinct '${owner.toString(36)}~' || substr('^' || word || '$', n, 3) from generate_series(1, length(word)) n))
      from (select translate(left(md5(g::text), 12), '0123456789', 'ghijklmnop') as word from generate_series(1, ${owner === accountId ? 8000 : 2000}) g) words`)
  await fillTokenRequests(db, accountId)
  await fillGroups(db)
  await fillSlugs(db)
  await db.unsafe('vacuum analyze change, product_search, search_term') // entries that wait make a GIN index look expensive
  await db.unsafe('analyze')
  const subject = await readSubject(db, accountId, supplier.supplierId, BATCH)
  queries = new Map(
    [
      ...hotQueries(db, subject),
      ...(await webhookQueries(db, subject)),
      ...(await imageQueries(db, subject)),
      ...findingQueries(db, subject),
      ...slugQueries(db, subject),
      ...(await runQueries(db, subject)),
      ...searchQueries(db, subject),
      ...budgetQueries(db, subject),
      ...overviewQueries(db, subject),
      ...productListQueries(db, subject),
      ...(await operationQueries(db, subject)),
    ].map((query) => [query.name, query]),
  )
  const rows = await db<{ name: string; table: string; columns: string[] }[]>`
    select c.relname as name, t.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace group by 1, 2`
  for (const { name, table, columns } of rows) indexes.set(name, { table, columns })
  const [version] = await db<{ major: number }[]>`select current_setting('server_version_num')::int / 10000 as major`
  major = version?.major ?? 0
  session = openDb({ url: database.url, connectionsMax: 1 })
  await session.unsafe('set enable_seqscan = off')
})
afterAll(() => session.end())

test('openDb disables sequential scans where an index can be used', async () => {
  const [row] = await database.db<
    { value: string }[]
  >`select setting as value from pg_settings where name = 'enable_seqscan'`
  expect(row?.value, 'openDb must set enable_seqscan=off').toBe('off')
})

test('every hot query has an expected plan', () => {
  expect([...queries.keys()].sort()).toEqual(Object.keys(INTENDED).sort())
})

describe.each<PlanMode>(['custom', 'generic'])('%s plans', (mode) => {
  test.for(Object.keys(INTENDED))('%s', async (name, context) => {
    const isOldList = name.startsWith('product list: ') && major < LISTS_BEFORE_17.before
    const unsettled = isOldList ? LISTS_BEFORE_17 : UNSETTLED[name]
    if (unsettled !== undefined && major < unsettled.before && [mode, 'any'].includes(unsettled.mode))
      context.skip(unsettled.why)
    const statements = await recordStatements(database.db, queries.get(name)?.run ?? (() => Promise.resolve()))
    const plans: PlanNode[] = []
    for (const statement of statements) plans.push(await planOf(session, statement, mode))
    expect(
      plans.map(accessOf),
      `the ${mode} plan of "${name}" on PostgreSQL ${major}:\n${statements.map((statement) => statement.text).join('\n')}`,
    ).toEqual(INTENDED[name]?.map((lines) => [...lines].sort()))
    if (ORDERED.test(name))
      expect(plans.flatMap(sortsOf), `"${name}" sorts rows that its index has in order`).toEqual([])
  })
})

/** The access paths of a plan: each index with the columns of its condition, scans without an index, and filters. */
function accessOf(plan: PlanNode): string[] {
  const lines = nodesOf(plan).flatMap((node) => {
    const { 'Index Name': name = '', 'Relation Name': relation, 'Node Type': type, Filter: filter } = node
    const index = indexes.get(name)
    const found: string[] = []
    if (index !== undefined) {
      // the plan of a maximum adds "is not null" on its column, which excludes nothing
      const words = new Set((node['Index Cond'] ?? '').replace(/\w+ IS NOT NULL/g, '').match(/\b[a-z_]+\b/g))
      const columns = index.columns.filter((column) => words.has(column))
      // a join's condition may show only the other table's column instead of the index's
      const entered =
        columns.length > 0 ? columns : node['Index Cond'] === undefined ? ['nothing'] : index.columns.slice(0, 1)
      found.push(`${SETTINGS_TABLES.has(index.table) ? index.table : name} by ${entered.join(', ')}`)
    } else if (relation !== undefined && type.endsWith('Scan') && type !== 'Bitmap Heap Scan')
      found.push(`${type} of ${relation}`)
    if (filter !== undefined && relation !== undefined) {
      // the notation of servers before 17
      const named = filter.replace('EXISTS(SubPlan', '(SubPlan')
      found.push(`${relation} drops by ${named.replace(/'[^']*'::[a-z]+( with time zone)?(\[\])?|\$\d+/g, '?')}`)
    }
    return found
  })
  return [...new Set(lines)].filter((line) => !FEW_ROWS.test(line)).sort()
}
