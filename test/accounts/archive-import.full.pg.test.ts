import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportAccount } from '../../src/archive/export.ts'
import type { ImportedAccount } from '../../src/archive/import.ts'
import { IMPORTED_TABLES, LEFT_IN_ARCHIVE } from '../../src/archive/imported.ts'
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from '../../src/archive/kinds.ts'
import { checkImages } from '../../src/images/unused/check.ts'
import { expectAudited, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { pictureOf, turnMirrorOn } from '../harness/images.ts'
import { client, tokenFor, type TestService } from '../harness/service.ts'
import { archivedAccount } from './archived-account.ts'
import { rowsOf } from './erasures.ts'

const { database, bench, commands, at, url, imageStore, imported, opened, front } = archivedAccount('archive-import')
/** Stores that each test compares; the test of the archive `whole` compares all of them. */
const STORES_COMPARED = 4
const LONG = { timeout: 240_000 }
let service: TestService
let account: TestAccount
beforeAll(() => ({ service, account } = opened()))

/** An answer without ids (`next_id` among them) and `updated_at`, which an import assigns anew. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(^|_)ids?$/.test(name) && name !== 'updated_at')
      .map(([name, member]) => [name, plain(member)]),
  )
}

/** Products, prices, categories and groups of an account's stores, in the order in which each store lists them. */
async function shownBy(accountId: number, storesMax = STORES_COMPARED): Promise<Record<string, unknown>> {
  const http = client(service.url, await tokenFor(service.runtime, accountId))
  const read = async (path: string) => {
    const { status, body } = await http(path)
    expect(status, path).toBe(200)
    return body as { data: unknown[] }
  }
  const shown: Record<string, unknown> = {}
  const stores = await read('/v1/stores')
  shown['stores'] = plain(stores.data)
  shown['groups'] = plain((await read('/v1/customer-groups')).data)
  for (const { slug } of (stores.data as { slug: string }[]).slice(0, storesMax))
    for (const what of ['products', 'prices', 'categories', 'groups'])
      shown[`${slug} ${what}`] = plain((await read(`/v1/${what}?store=${slug}`)).data)
  return shown
}

test(
  'pictures whose bytes are removed during an import, as by the erasure of another account, are there after it',
  LONG,
  async () => {
    let removed: Promise<void> | undefined
    const made = await imported('whole.tar', 'Raced', (_done, _total, of) => {
      if (of === 'rows') removed ??= imageStore.remove(front())
    })
    await removed
    expect(made.pictures).toEqual({ stored: 1, missing: 1 })
    expect(await imageStore.stat(front(), 'image/png')).toBeDefined()
    expect((await checkImages(database.db, imageStore, [made.accountId], { repair: false })).lost).toEqual([])
  },
)

describe('an account that is imported', () => {
  let made: ImportedAccount
  const importWhole = async (path: string): Promise<ImportedAccount> => {
    const account = await imported(path, 'Moved')
    await turnMirrorOn(database.db, account.accountId)
    await bench.shelf.drain(account.accountId)
    return account
  }
  // in a hook rather than in the first test, so that each test can be run alone, as mutants do
  beforeAll(async () => {
    made = await importWhole('whole')
  }, LONG.timeout)

  test.each(['whole', 'whole.tar', 'whole.tar.gz'])(
    'shows in every store what it showed where it was exported: %s',
    LONG,
    async (path) => {
      if (path !== 'whole') made = await importWhole(path)
      const storesMax = path === 'whole' ? Infinity : STORES_COMPARED
      const before = await shownBy(account.accountId, storesMax)
      const after = await shownBy(made.accountId, storesMax)
      expect(Object.keys(before).length).toBeGreaterThan(path === 'whole' ? 100 : 10)
      expect(JSON.stringify(before)).toContain('Own title')
      expect(JSON.stringify(before)).toContain(front())
      // the picture whose bytes are not in the archive is shown by its original URL until it is fetched again
      const lost = (pictureOf('lost') as { hash: string }).hash
      expect(JSON.stringify(before)).toContain(lost)
      const withLost = (shown: unknown) =>
        JSON.parse(
          JSON.stringify(shown).replaceAll(`https://pictures.example/images/${lost}.png`, url('lost')),
          (name, member: unknown) => (name === 'image_details' ? undefined : member),
        ) as unknown
      expect(withLost(after)).toEqual(withLost(before))
      expect(made).toMatchObject({
        name: 'Moved',
        pictures: { stored: 1, missing: 1 },
        from: { accountId: account.accountId },
      })
      await expectAudited(database.db, made.accountId)
    },
  )

  test('has every row of the tables that are imported, and nothing of the others but what follows from them', async () => {
    const [before, after] = [await rowsOf(database.db, account.accountId), await rowsOf(database.db, made.accountId)]
    for (const table of Object.keys(EXPORTED_TABLES)) {
      // the tests created tokens, and shelving recorded the current prices
      if (table === 'token' || table === 'price_history') continue
      expect([table, after[table] ?? 0]).toEqual([table, table in LEFT_IN_ARCHIVE ? 0 : (before[table] ?? 0)])
    }
    expect(after['price_history']).toBeGreaterThanOrEqual(before['price_history']!)
    for (const table of ['product_id_block', 'change_fence', 'endpoint_state', 'account_use'])
      expect(after[table], table).toBeGreaterThan(0)
    for (const table of ['delivery', 'attempt', 'one_time_link', 'endpoint_link', 'operation', 'notice_delivery'])
      expect(after[table] ?? 0, table).toBe(0)
  })

  test('has ids of its own everywhere: none is of the account that was exported', async () => {
    const columns = await database.db<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = current_schema() and column_name ~ '_ids?$' and column_name not in ('account_id', 'external_id')
        and data_type in ('bigint', 'ARRAY')`
    for (const { table, column } of columns) {
      if (!(table in IMPORTED_TABLES)) continue
      const valuesOf = async (accountId: number) => {
        const rows = await database.db.unsafe<{ id: string }[]>(
          `select distinct id::text from ${table} t cross join lateral unnest(array[]::bigint[] || t.${column}) id where account_id = $1 and id <> 0`,
          [accountId],
        )
        return new Set(rows.map(({ id }) => id))
      }
      const old = await valuesOf(account.accountId)
      expect(
        [...(await valuesOf(made.accountId))].filter((id) => old.has(id)),
        `${table}.${column}`,
      ).toEqual([])
    }
  })

  test('refuses cursors of the other installation with 410, and gives the whole catalog to a client that begins', async () => {
    const old = client(service.url, await tokenFor(service.runtime, account.accountId))
    const http = client(service.url, await tokenFor(service.runtime, made.accountId))
    const { body: left } = await old('/v1/changes?store=main')
    expect(left.changes.length).toBeGreaterThan(3)
    for (const id of [1, left.next_id as number]) {
      const answer = await http(
        `/v1/changes?store=main&since=${encodeURIComponent(left.next_since as string)}&since_id=${id}`,
      )
      expect([answer.status, answer.body.code]).toEqual([410, 'cursor-ahead'])
    }
    const { body: changes } = await http('/v1/changes?store=main')
    const { body: products } = await http('/v1/products?store=main')
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)
    expect(changes.has_more).toBe(false)
    expect(
      [...new Set((changes.changes as { product_id: number }[]).map((row) => row.product_id))].sort((a, b) => a - b),
    ).toEqual(ids(products.data as { id: number }[]))
  })

  test('opens for nobody, delivers and fetches nothing, and says what is to be set', async () => {
    const { db } = database
    const { accountId, toSet } = made
    const members = await db<{ email: string; person_id: number | null }[]>`
      select email, person_id from member where account_id = ${accountId} order by member_id`
    // the person with this address signs in to the account that was exported
    expect(members).toContainEqual({ email: 'owner@example.com', person_id: null })
    expect(members.filter(({ person_id: personId }) => personId !== null)).toEqual([])
    const endpoints = await db<{ is_enabled: boolean; secret: string }[]>`
      select is_enabled, secret from endpoint where account_id = ${accountId}`
    expect(endpoints.length).toBe(toSet.endpoints.length)
    expect(endpoints.some((row) => row.is_enabled)).toBe(false)
    const old = await db<{ secret: string }[]>`select secret from endpoint where account_id = ${account.accountId}`
    expect(endpoints.filter(({ secret }) => old.some((row) => row.secret === secret))).toEqual([])
    const sources = await db<
      { name: string; kind: string; is_active: boolean; credentials: string | null; due: Date | null }[]
    >`
      select name, kind, is_active, credentials, next_run_at as due from supplier_source where account_id = ${accountId}`
    expect(
      sources.filter((row) => row.kind !== 'upload' && (row.is_active || row.credentials !== null || row.due !== null)),
    ).toEqual([])
    expect(toSet.sources).toContainEqual({ supplier: 'north', name: 'catalog', needs_credentials: true })
    const channels = await db<{ settings: string | null; is_paused: boolean }[]>`
      select settings, is_paused from notice_channel where account_id = ${accountId}`
    expect(channels.every((row) => row.settings === null && row.is_paused)).toBe(true)
    expect(toSet.tokens.length).toBeGreaterThan(0)
    expect(toSet.channel_files.length).toBe(2)
    // a rotated secret is sealed with the key of this installation
    await service.runtime.endpoints.rotate(accountId, toSet.endpoints[0]!.endpoint_id, 'leaked')
    await service.runtime.endpoints.setEnabled(accountId, toSet.endpoints[0]!.endpoint_id, true)
  })

  test(
    'goes on like any other: offers are written, prices that are held are confirmed, and it is exported and imported again',
    LONG,
    async () => {
      const { db } = database
      const suppliers = await db<{ supplierId: number; currency: string }[]>`
      select supplier_id as "supplierId", currency from supplier where account_id = ${made.accountId} order by supplier_id`
      const [there] = await db<
        { last: number }[]
      >`select max(product_id) as last from product where account_id = ${made.accountId}`
      const [fresh, known] = await giveOffers(
        bench,
        { ...account, accountId: made.accountId, suppliers: [...suppliers] },
        [offer('NEW-1'), offer('A-3', { quantity: 17 })],
      )
      expect(fresh).toBeGreaterThan(there!.last)
      expect(known).toBeLessThanOrEqual(there!.last)
      await expectAudited(db, made.accountId)
      await exportAccount({ db, imageStore }, made.accountId, at('again'), () => {})
      const again = await imported('again')
      await turnMirrorOn(db, again.accountId)
      await bench.shelf.drain(again.accountId)
      expect(await shownBy(again.accountId)).toEqual(await shownBy(made.accountId))
    },
  )

  test('is made by the command, which prints what is to be set', LONG, async () => {
    const printed = await commands.json(['account', 'import', at('whole.tar.gz'), '--name', 'By command'])
    expect(printed).toMatchObject({
      name: 'By command',
      from: { account_id: account.accountId },
      pictures: { stored: 1, missing: 1 },
    })
    expect(printed.to_set.members).toContainEqual({ email: 'owner@example.com', role: 'owner' })
    await expectAudited(database.db, printed.account_id as number)
    const { out, code } = await commands.run(['account', 'import', at('whole')])
    expect(code).toBe(0)
    for (const line of [
      'tokens are made anew',
      'endpoints are disabled',
      'sources are paused',
      'needs credentials',
      'owner owner@example.com',
    ])
      expect(out).toContain(line)
  })

  test('is one of its own for each import, also of one archive at the same time', LONG, async () => {
    const [first, second] = await Promise.all([imported('whole', 'First'), imported('whole.tar.gz', 'Second')])
    expect(first.accountId).not.toBe(second.accountId)
    for (const { accountId } of [first, second]) {
      await bench.shelf.drain(accountId)
      await expectAudited(database.db, accountId)
    }
  })
})

test('tables that are exported are imported, or left in the archive for a reason; docs/account-archive.md says so', () => {
  for (const table of Object.keys(EXPORTED_TABLES))
    expect([table, table in IMPORTED_TABLES || table in LEFT_IN_ARCHIVE]).toEqual([table, true])
  expect(Object.keys(IMPORTED_TABLES).filter((table) => !(table in EXPORTED_TABLES))).toEqual([])
  const page = readFileSync(new URL('../../docs/account-archive.md', import.meta.url), 'utf8')
  for (const [table, reason] of Object.entries(LEFT_IN_ARCHIVE)) expect(page).toContain(`| \`${table}\` | ${reason} |`)
})

/** An import must replace every id in a row: an id that it kept would name something of another account. */
test('columns that name something by its id are all known', async () => {
  const columns = await database.db<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and column_name ~ '_ids?$' and column_name not in ('account_id', 'external_id')
      and data_type in ('bigint', 'ARRAY')`
  const unknown = columns.filter(({ table, column }) => {
    const rules = IMPORTED_TABLES[table]
    if (rules === undefined || table in LEFT_IN_ARCHIVE || column in (EXPORTED_TABLES[table]?.without ?? {}))
      return false
    return !(
      column === rules.numbered ||
      column in (rules.names ?? {}) ||
      column in (rules.lists ?? {}) ||
      (rules.id !== undefined && !column.endsWith('s'))
    )
  })
  expect(unknown).toEqual([])
  expect(Object.keys(LEFT_OUT_TABLES).filter((table) => table in IMPORTED_TABLES)).toEqual([])
})
