import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportAccount } from '../../src/archive/export.ts'
import { importAccount, type ImportedAccount } from '../../src/archive/import.ts'
import { IMPORTED_TABLES, LEFT_IN_ARCHIVE } from '../../src/archive/imported.ts'
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from '../../src/archive/kinds.ts'
import type { ArchiveManifest } from '../../src/archive/manifest.ts'
import { tarEnd, tarHeader, tarPadding } from '../../src/archive/tar.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { setOwner } from '../../src/people/owner.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { createFullAccount } from '../browser/full-account.ts'
import { expectAudited, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { pictureOf, recordAs, turnMirrorOn } from '../harness/images.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { plainPicture } from '../images/pictures.ts'
import { rowsOf } from './erasures.ts'

const directory = directoryOfFile('archive-import')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
/** All of them are compared once. */
const STORES_COMPARED = 4
const LONG = { timeout: 240_000 }
const at = (name: string) => join(directory, name)
const url = (name: string) => `https://images.example.com/${name}.png`
const imageStore = openDiskStore(at('images'))
let service: TestService
let account: TestAccount
let front = ''

beforeAll(async () => {
  service = await startTestService(database, { env: { DATA_DIR: directory, OUTBOUND_ALLOW: '127.0.0.0/8' } })
  account = await createFullAccount(database, service)
  const { db } = database
  const { accountId } = account
  await turnMirrorOn(db, accountId)
  const bytes = await plainPicture(12, 10)
  front = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(at('front.png'), bytes)
  await imageStore.put(front, at('front.png'), 'image/png')
  const [first, second] = await giveOffers(bench, account, [
    offer('P-1', { images: [url('front'), url('lost')], eans: ['4006381333931'] }),
    offer('P-2', {
      group: { key: 'shirt', title: { en: 'Shirt' }, options: [{ key: 'size', label: null, value: 'M' }], position: 1 },
    }),
    offer('P-3', {
      group: { key: 'shirt', title: { en: 'Shirt' }, options: [{ key: 'size', label: null, value: 'L' }], position: 2 },
    }),
  ])
  await giveOffers(bench, account, [offer('S-1', { currency: 'PLN', cost: '40', eans: ['4006381333931'] })], 1)
  const known = { hash: front, type: 'image/png', bytes: bytes.length, width: 12, height: 10 } as const
  await inTransaction(db, async (tx) => {
    await recordAs(tx, accountId, url('front'), { ...pictureOf('front'), ...known })
    await recordAs(tx, accountId, url('lost'), pictureOf('lost'))
    await editAccount(tx, accountId, { additionalMembers: [...ADDITIONAL_MEMBER_NAMES] })
    await setOverrides(tx, accountId, [
      { productId: first!, field: 'title', locale: 'en', value: 'Own title' },
    ] as never)
  })
  await db`
    insert into product_exclusion (account_id, product_id, store_id, reason)
    values (${accountId}, ${second!}, 0, 'by hand')`
  await db`update supplier_source set credentials = 'sealed', credentials_kind = 'basic' where account_id = ${accountId} and name = 'catalog'`
  await setOwner(db, accountId, {
    email: 'owner@example.com',
    name: 'Olive Owner',
    password: 'correct horse battery staple',
  })
  await tokenFor(service.runtime, accountId)
  await bench.shelf.drain(accountId)
  await exported('whole')
  await exported('whole.tar.gz')
  await exported('whole.tar')
}, 240_000)
afterAll(() => service[Symbol.asyncDispose]())

const exported = (target: string) =>
  exportAccount({ db: database.db, imageStore }, account.accountId, at(target), () => {})

function imported(path: string, name: string | null = null): Promise<ImportedAccount> {
  const { db, seal, decoders, imports } = service.runtime
  const rooms = { db, seal, imageStore, decoders, unfinished: imports.unfinished, imageStoreBytesMax: null }
  return importAccount(rooms, at(path), name, () => {})
}

async function accountsCount(): Promise<number> {
  const [row] = await database.db<{ count: number }[]>`select count(*)::int as count from account`
  return row!.count
}

/** Ids, what says when something was written here, and what leads on, taken out of an answer. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(^|_)ids?$/.test(name) && name !== 'updated_at')
      .map(([name, member]) => [name, plain(member)]),
  )
}

/** What every store of an account shows, in the order in which it shows it. */
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

describe('an account that is imported', () => {
  let made: ImportedAccount

  test.each(['whole', 'whole.tar', 'whole.tar.gz'])(
    'shows in every store what it showed where it was exported: %s',
    LONG,
    async (path) => {
      made = await imported(path, 'Moved')
      await turnMirrorOn(database.db, made.accountId)
      await bench.shelf.drain(made.accountId)
      const storesMax = path === 'whole' ? Infinity : STORES_COMPARED
      const before = await shownBy(account.accountId, storesMax)
      const after = await shownBy(made.accountId, storesMax)
      expect(Object.keys(before).length).toBeGreaterThan(path === 'whole' ? 100 : 10)
      expect(JSON.stringify(before)).toContain('Own title')
      expect(JSON.stringify(before)).toContain(front)
      // the one whose bytes are not in the archive is shown from where it is, until it is fetched again
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
      // tests made tokens, and shelving has noted the prices of its first moment
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
    // a rotated secret is one that this installation can open
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

/** Every id of an exported row is given anew, or the row would name something of another account. */
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

const textOf = (name: string, path: string) => readFileSync(join(at(name), path), 'utf8')
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Rewrites a file of an archive, and its manifest so that it knows of nothing. */
function forge(name: string, path: string, edit: (text: string) => string): void {
  const text = edit(textOf(name, path))
  writeFileSync(join(at(name), path), text)
  manifestOf(name, ({ files }) => {
    const file = files.find((entry) => entry.path === path)!
    Object.assign(file, { bytes: Buffer.byteLength(text), rows: text.split('\n').length - 1, sha256: sha256(text) })
  })
}

function manifestOf(name: string, edit: (manifest: ArchiveManifest) => void): void {
  const manifest = JSON.parse(textOf(name, 'manifest.json')) as ArchiveManifest
  edit(manifest)
  writeFileSync(join(at(name), 'manifest.json'), JSON.stringify(manifest))
}

/** Changes the first row of a file. */
const firstRow = (edit: (row: Record<string, unknown>) => unknown) => (text: string) => {
  const [first = '', ...others] = text.split('\n')
  const row = JSON.parse(first) as Record<string, unknown>
  return [JSON.stringify(edit(row) ?? row), ...others].join('\n')
}

type Attack = [what: string, attack: (name: string) => void, refusal: RegExp]

const DIRECTORIES: Attack[] = [
  [
    'a file that was altered',
    (name) => writeFileSync(join(at(name), 'offer.ndjson'), textOf(name, 'offer.ndjson').replace('A-1', 'A-9')),
    /offer\.ndjson: is altered/,
  ],
  [
    'a file that was cut off',
    (name) => writeFileSync(join(at(name), 'offer.ndjson'), textOf(name, 'offer.ndjson').slice(0, -9)),
    /offer\.ndjson: is cut off/,
  ],
  ['a file that is missing', (name) => rmSync(join(at(name), 'category.ndjson')), /category\.ndjson: is missing/],
  [
    'a file that is missing, also in the manifest',
    (name) => {
      rmSync(join(at(name), 'category.ndjson'))
      manifestOf(name, (manifest) => (manifest.files = manifest.files.filter(({ path }) => path !== 'category.ndjson')))
    },
    /category\.ndjson: is missing/,
  ],
  [
    'a further file',
    (name) => writeFileSync(join(at(name), 'person.ndjson'), ''),
    /person\.ndjson.*no file of an archive/,
  ],
  [
    'a further picture',
    (name) => writeFileSync(join(at(name), `pictures/${'a'.repeat(64)}.png`), ''),
    /pictures: has 2 files/,
  ],
  ['a picture that is missing', (name) => rmSync(join(at(name), `pictures/${front}.png`)), /is missing/],
  [
    'a picture that was altered',
    (name) => writeFileSync(join(at(name), `pictures/${front}.png`), 'x'),
    /is altered: its name is not the SHA-256/,
  ],
  ['no manifest', (name) => rmSync(join(at(name), 'manifest.json')), /manifest\.json: is missing/],
  [
    'a link',
    (name) => {
      renameSync(join(at(name), 'offer.ndjson'), at(`${name}-offer`))
      symlinkSync(at(`${name}-offer`), join(at(name), 'offer.ndjson'))
    },
    /offer\.ndjson: is a link/,
  ],
  [
    'a directory in the place of a file',
    (name) => {
      rmSync(join(at(name), 'offer.ndjson'))
      mkdirSync(join(at(name), 'offer.ndjson'))
    },
    /offer\.ndjson: is no file/,
  ],
  ['another format', (name) => manifestOf(name, (manifest) => Object.assign(manifest, { format: 2 })), /format 2/],
  ['a newer release', (name) => manifestOf(name, (manifest) => (manifest.schema = 9_999)), /newer release/],
  [
    'a manifest that leads elsewhere',
    (name) => manifestOf(name, ({ files }) => (files[3]!.path = '../../etc/passwd')),
    /no file of an archive/,
  ],
  [
    'a manifest that states other rows',
    (name) => manifestOf(name, ({ files }) => (files.find(({ path }) => path === 'offer.ndjson')!.rows += 1)),
    /offer\.ndjson: has \d+ rows/,
  ],
  [
    'a manifest that states other pictures',
    (name) => manifestOf(name, ({ pictures }) => (pictures.count = 7)),
    /states other pictures/,
  ],
  [
    'an unknown column',
    (name) =>
      forge(
        name,
        'store.ndjson',
        firstRow((row) => void (row['secret_door'] = 1)),
      ),
    /store\.ndjson, line 1: has "secret_door"/,
  ],
  [
    'a column that is missing',
    (name) =>
      forge(
        name,
        'store.ndjson',
        firstRow((row) => void delete row['name']),
      ),
    /store\.ndjson, line 1: has no name/,
  ],
  [
    'a value of another type',
    (name) =>
      forge(
        name,
        'offer.ndjson',
        firstRow((row) => void (row['quantity'] = '3; drop table offer')),
      ),
    /offer\.ndjson, line 1: quantity is no integer/,
  ],
  [
    'a value that the table refuses',
    (name) =>
      forge(
        name,
        'offer.ndjson',
        firstRow((row) => void (row['quantity'] = -1)),
      ),
    /offer\.ndjson, lines 1 to \d+: .*offer_quantity_check/,
  ],
  [
    'a number beyond all bounds',
    (name) =>
      forge(
        name,
        'own_stock.ndjson',
        firstRow((row) => void (row['quantity'] = 2 ** 40)),
      ),
    /own_stock\.ndjson, lines 1 to/,
  ],
  [
    'a row that is no object',
    (name) => forge(name, 'offer.ndjson', (text) => `[]\n${text}`),
    /offer\.ndjson, line 1: is no JSON object/,
  ],
  [
    'a row that is no JSON',
    (name) => forge(name, 'offer.ndjson', (text) => `${text}{"a":\n`),
    /offer\.ndjson, line \d+: is not JSON/,
  ],
  [
    'bytes that are no UTF-8',
    (name) => {
      const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')])
      writeFileSync(join(at(name), 'people.ndjson'), bytes)
      writeFileSync(join(at(name), 'exchange_rate.ndjson'), bytes)
      manifestOf(name, ({ files }) => {
        for (const file of files)
          if (['people.ndjson', 'exchange_rate.ndjson'].includes(file.path))
            Object.assign(file, { bytes: bytes.length, rows: 1, sha256: sha256(bytes) })
      })
    },
    /exchange_rate\.ndjson, line 1: is not JSON in UTF-8/,
  ],
  [
    'a character that is none',
    (name) =>
      forge(
        name,
        'store.ndjson',
        firstRow((row) => void (row['name'] = 'a\0b')),
      ),
    /store\.ndjson, lines 1 to/,
  ],
  [
    'a row that is there twice',
    (name) => forge(name, 'product.ndjson', (text) => text.slice(0, text.indexOf('\n') + 1) + text),
    /product\.ndjson, line 2: product_id is not behind/,
  ],
  ['two accounts', (name) => forge(name, 'account.ndjson', (text) => text + text), /account\.ndjson: has 2 rows/],
  [
    'offers of another account',
    (name) =>
      forge(
        name,
        'offer.ndjson',
        firstRow((row) => void (row['product_id'] = Number(row['product_id']) + 500)),
      ),
    /offer\.ndjson, line 1: product_id names/,
  ],
  [
    'a rule for a store of another account',
    (name) =>
      forge(
        name,
        'assortment_rule.ndjson',
        firstRow((row) => void (row['store_id'] = 1_000_000)),
      ),
    /assortment_rule\.ndjson, line 1: store_id names/,
  ],
  [
    'a list with a supplier of another account',
    (name) =>
      forge(
        name,
        'source_order.ndjson',
        firstRow((row) => void (row['supplier_ids'] = [1_000_000])),
      ),
    /source_order\.ndjson, line 1: supplier_ids names/,
  ],
  [
    'no default store',
    (name) => forge(name, 'store.ndjson', (text) => text.replaceAll('"is_default":true', '"is_default":false')),
    /lacks a default store/,
  ],
  [
    'an address that is two',
    (name) =>
      forge(
        name,
        'member.ndjson',
        firstRow((row) => void (row['email'] = 'a@example.com,b@example.com')),
      ),
    /member\.ndjson, line 1: email/,
  ],
  [
    'an endpoint that is no address of the web',
    (name) =>
      forge(
        name,
        'endpoint.ndjson',
        firstRow((row) => void (row['url'] = 'file:///etc/passwd')),
      ),
    /endpoint\.ndjson, line 1: url/,
  ],
  [
    'a picture under another address',
    (name) =>
      forge(
        name,
        'image.ndjson',
        firstRow((row) => void (row['url'] = 'https://elsewhere.example/x.png')),
      ),
    /image\.ndjson, line 1: url_hash/,
  ],
  [
    'a row for a table of people',
    (name) => {
      writeFileSync(join(at(name), 'person.ndjson'), '{}\n')
      manifestOf(name, ({ files }) => files.push({ path: 'person.ndjson', rows: 1, bytes: 3, sha256: sha256('{}\n') }))
    },
    /no file of an archive/,
  ],
]

describe('an archive is refused, with what is wrong and where, and nothing is written, that has', () => {
  let count = 0
  beforeAll(async () => {
    count = await accountsCount()
  })

  test.each(DIRECTORIES)('%s', LONG, async (what, attack, refusal) => {
    const name = `attacked-${DIRECTORIES.findIndex(([title]) => title === what)}`
    cpSync(at('whole'), at(name), { recursive: true })
    attack(name)
    await expect(imported(name)).rejects.toThrow(refusal)
    expect(await accountsCount()).toBe(count)
  })

  const whole = () => readFileSync(at('whole.tar'))
  const entry = (path: string, text: string, edit: (header: Buffer) => void = () => {}) => {
    const header = tarHeader(path, text.length, new Date())
    edit(header)
    header.write('        ', 148, 'latin1')
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return Buffer.concat([header, Buffer.from(text), tarPadding(text.length)])
  }
  const behind = (more: Buffer) => Buffer.concat([whole().subarray(0, -1_024), more, tarEnd()])
  const kind =
    (sign: string, target = '') =>
    (header: Buffer) => {
      header.write(sign, 156, 'latin1')
      header.write(target, 157, 'latin1')
    }

  test.each<[string, string, () => Buffer, RegExp]>([
    ['a tar file that ends within a file', 'a.tar', () => whole().subarray(0, 20_000), /cut off/],
    [
      'a tar file that ends between two files',
      'b.tar',
      () => Buffer.concat([whole().subarray(0, 512 + Math.ceil(firstSize() / 512) * 512), tarEnd()]),
      /manifest\.json: is missing/,
    ],
    ['a tar file without its end', 'c.tar', () => whole().subarray(0, -1_024), /cut off/],
    [
      'a tar file with something behind its end',
      'd.tar',
      () => Buffer.concat([whole(), Buffer.from('more')]),
      /behind its end/,
    ],
    ['an altered byte', 'e.tar', () => altered(whole(), 700), /account\.ndjson: is altered/],
    ['an altered header', 'f.tar', () => altered(whole(), 130), /a header does not have the sum/],
    ['a gzip file that was cut off', 'g.tar.gz', () => gzipSync(whole()).subarray(0, -2_000), /cut off/],
    ['a gzip file that was altered', 'h.tar.gz', () => altered(gzipSync(whole()), 4_000), /the archive is refused/],
    ['no gzip file at all', 'i.tar.gz', () => Buffer.from('nothing of the kind'), /altered/],
    ['nothing', 'j.tar', () => Buffer.alloc(0), /cut off/],
    ['a path that leads out', 'k.tar', () => behind(entry('../../../tmp/out', 'x')), /no file of an archive/],
    ['an absolute path', 'l.tar', () => behind(entry('/tmp/out', 'x')), /no file of an archive/],
    [
      'a picture with a path',
      'm.tar',
      () => behind(entry(`pictures/../${'a'.repeat(64)}.png`, 'x')),
      /no file of an archive/,
    ],
    ['a symbolic link', 'n.tar', () => behind(entry('store.ndjson', '', kind('2', '/etc/passwd'))), /no file \(kind/],
    ['a hard link', 'o.tar', () => behind(entry('store.ndjson', '', kind('1', 'manifest.json'))), /no file \(kind/],
    [
      'a file that is a link, too',
      'p.tar',
      () => behind(entry('store.ndjson', '', kind('0', '/etc/passwd'))),
      /is a link/,
    ],
    ['a directory', 'q.tar', () => behind(entry('pictures', '', kind('5'))), /no file \(kind/],
    ['a file twice', 'r.tar', () => behind(entry('manifest.json', '{}')), /twice/],
    ['a file behind the manifest', 's.tar', () => behind(entry('store.ndjson', '{}')), /not in its place/],
    [
      'an extended header',
      't.tar',
      () => Buffer.concat([entry('x', '30 path=../../etc/cron.d/x\n', kind('x')), whole()]),
      /no file \(kind/,
    ],
  ])('%s', LONG, async (_, name, bytes, refusal) => {
    writeFileSync(at(name), bytes())
    await expect(imported(name)).rejects.toThrow(refusal)
    expect(await accountsCount()).toBe(count)
    expect(existsSync('/tmp/out')).toBe(false)
  })

  const firstSize = () => Number.parseInt(whole().toString('latin1', 124, 135), 8)
  const altered = (bytes: Buffer, place: number) => {
    const copy = Buffer.from(bytes)
    copy[place] = copy[place]! ^ 0x15
    return copy
  }

  test('what is no archive, or more than an account may have here', LONG, async () => {
    expect(await commands.refusal(['account', 'import', at('nowhere')])).toContain('there is no file or directory')
    expect(await commands.refusal(['account', 'import', at('front.png')])).toContain('neither a directory nor a file')
    expect(gunzipSync(readFileSync(at('whole.tar.gz'))).length).toBeGreaterThan(0)
    const refusal = await commands.refusal(['account', 'import', at('whole')], { ACCOUNT_LIMITS: 'products=2' })
    expect(refusal).toContain('of products, and an account may have 2 here')
    expect(await accountsCount()).toBe(count)
  })

  test('a file that is changed between the check and the import', LONG, async () => {
    cpSync(at('whole'), at('raced'), { recursive: true })
    const { db, seal, decoders, imports } = service.runtime
    let isChanged = false
    await expect(
      importAccount(
        { db, seal, imageStore, decoders, unfinished: imports.unfinished, imageStoreBytesMax: null },
        at('raced'),
        null,
        (_, __, of) => {
          if (of !== 'rows' || isChanged) return
          isChanged = true
          writeFileSync(
            join(at('raced'), 'offer.ndjson'),
            textOf('raced', 'offer.ndjson').replaceAll('"quantity":', '"quantity": '),
          )
        },
      ),
    ).rejects.toThrow('offer.ndjson: was changed while it was imported')
    expect(await accountsCount()).toBe(count)
  })
})
