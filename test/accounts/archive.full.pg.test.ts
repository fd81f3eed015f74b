import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { exportAccount } from '../../src/archive/export.ts'
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from '../../src/archive/kinds.ts'
import type { ArchiveManifest } from '../../src/archive/manifest.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { accountTablesList } from '../../src/erasure/account-tables.sql.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import type { ImageStore } from '../../src/images/store/image-store.ts'
import { SEALED_KINDS } from '../../src/sealed/kinds.ts'
import { createFullAccount } from '../browser/full-account.ts'
import { giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { pictureOf, recordAs, turnMirrorOn } from '../harness/images.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { fileOf } from '../images/pictures.ts'
import { rowsOf } from './erasures.ts'

const directory = directoryOfFile('archive')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
const LONG = { timeout: 240_000 }
const PICTURES = ['front', 'back']
let service: TestService
let account: TestAccount
let imageStore: ImageStore

beforeAll(async () => {
  service = await startTestService(database, { env: { DATA_DIR: directory, OUTBOUND_ALLOW: '127.0.0.0/8' } })
  account = await createFullAccount(database, service)
  imageStore = openDiskStore(join(directory, 'images'))
  const { db } = database
  const { accountId } = account
  await turnMirrorOn(db, accountId)
  const url = (content: string) => `https://images.example.com/${content}.png`
  await giveOffers(bench, account, [offer('P-1', { images: [...PICTURES, 'lost'].map(url) })])
  for (const content of PICTURES) await imageStore.put(hashOf(content), fileOf(directory, 'file', content), 'image/png')
  for (const content of [...PICTURES, 'lost'])
    await inTransaction(db, (tx) => recordAs(tx, accountId, url(content), pictureOf(content)))
  await db`
    update supplier_source set credentials = 'sealed-secret', credentials_kind = 'basic', mapping = ${'{"preset":\n "shopify"}'}::text::json
    where account_id = ${accountId} and name = 'catalog'`
  await bench.shelf.drain(accountId)
}, 240_000)
afterAll(() => service[Symbol.asyncDispose]())

const hashOf = (content: string) => (pictureOf(content) as { hash: string }).hash
const exported = (target: string, onProgress: Parameters<typeof exportAccount>[3] = () => {}) =>
  exportAccount({ db: database.db, imageStore }, account.accountId, join(directory, target), onProgress)
const manifestOf = (target: string) =>
  JSON.parse(readFileSync(join(directory, target, 'manifest.json'), 'utf8')) as ArchiveManifest
const rowsIn = (target: string, path: string) =>
  readFileSync(join(directory, target, path), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** The hash of each file of an archive, by path. */
function filesOf(target: string): Record<string, string> {
  const names = readdirSync(join(directory, target), { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [
        path.slice(join(directory, target).length + 1),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  )
}

describe('tables', () => {
  test('of accounts are all exported or left out for a reason, and every column that is left out is there', async () => {
    const known = [...Object.keys(EXPORTED_TABLES), ...Object.keys(LEFT_OUT_TABLES)].sort()
    expect(known).toEqual((await accountTablesList(database.db)).map(({ name }) => name).sort())
    const columns = await database.db<{ column: string }[]>`
      select table_name || '.' || column_name as column from information_schema.columns where table_schema = current_schema()`
    const there = new Set(columns.map(({ column }) => column))
    for (const [table, { without = {} }] of Object.entries(EXPORTED_TABLES))
      for (const column of Object.keys(without)) expect(there).toContain(`${table}.${column}`)
  })

  test('show no secret: what is sealed, what is a hash of a secret, and what names a sign-in is left out', async () => {
    const columns = await database.db<{ table: string; column: string; type: string }[]>`
      select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = current_schema()`
    const sealed = new Set(SEALED_KINDS.map(({ table, column }) => `${table}.${column}`))
    const isSecret = ({ table, column, type }: (typeof columns)[number]) =>
      sealed.has(`${table}.${column}`) || type === 'bytea' || /secret|password|person_id|created_by/.test(column)
    const shown = columns.filter(
      (row) =>
        isSecret(row) &&
        row.column !== 'requires_second_factor' &&
        row.table in EXPORTED_TABLES &&
        !(row.column in (EXPORTED_TABLES[row.table]?.without ?? {})),
    )
    expect(shown).toEqual([])
  })

  test('are in docs/account-archive.md', () => {
    const page = readFileSync(new URL('../../docs/account-archive.md', import.meta.url), 'utf8')
    for (const [table, { of }] of Object.entries(EXPORTED_TABLES))
      expect(page).toContain(`| \`${table}.ndjson\` | ${of} |`)
    for (const [table, { kind, reason }] of Object.entries(LEFT_OUT_TABLES))
      expect(page).toContain(`| \`${table}\` | ${kind} | ${reason} |`)
  })

  test('that are not known refuse the export, before anything is written', async () => {
    await database.db`create table later_note (account_id bigint primary key)`
    try {
      await expect(exported('unknown')).rejects.toThrow(
        'tables of accounts that this release does not know: later_note',
      )
      expect(existsSync(join(directory, 'unknown.unfinished'))).toBe(false)
    } finally {
      await database.db`drop table later_note`
    }
  })
})

describe('an archive', () => {
  test(
    'has every row of every exported table with its checksum, pictures as objects, and no secret',
    LONG,
    async () => {
      const { accountId } = account
      const counts = await rowsOf(database.db, accountId)
      const printed = await commands.json(['account', 'export', String(accountId), '--to', join(directory, 'plain')])
      const manifest = manifestOf('plain')
      expect(printed).toMatchObject({ to: join(directory, 'plain'), account: { account_id: accountId } })
      expect(manifest).toMatchObject({ format: 1, account: { account_id: accountId }, pictures: { count: 2 } })
      const hashes = filesOf('plain')
      for (const { path, rows, sha256, bytes } of manifest.files) {
        expect(hashes[path], path).toBe(sha256)
        expect(readFileSync(join(directory, 'plain', path)).length, path).toBe(bytes)
        expect(rowsIn('plain', path).length, path).toBe(rows)
        const table = path.replace('.ndjson', '')
        if (table in EXPORTED_TABLES) expect(rows, path).toBe(counts[table] ?? 0)
      }
      expect(manifest.files.map(({ path }) => path).sort()).toEqual(
        [...Object.keys(EXPORTED_TABLES), 'people', 'pictures'].map((name) => `${name}.ndjson`).sort(),
      )
      // tables that archivedAccount fills
      for (const table of ['offer', 'own_stock', 'category', 'price_history', 'import_run', 'endpoint', 'channel_file'])
        expect(counts[table], table).toBeGreaterThan(0)

      const source = rowsIn('plain', 'supplier_source.ndjson').find(({ name }) => name === 'catalog')
      expect(source).toMatchObject({ credentials: { left_out: 'secret' }, mapping: { preset: 'shopify' } })
      expect(rowsIn('plain', 'supplier_source.ndjson').find(({ name }) => name === 'sent')).toMatchObject({
        credentials: null,
      })
      const [price] = await database.db<{ cost: string }[]>`
      select cost::text as cost from offer where account_id = ${accountId} and supplier_sku = 'A-1'`
      // as a JSON number it would lose digits
      expect(rowsIn('plain', 'offer.ndjson').find((row) => row['supplier_sku'] === 'A-1')).toMatchObject({
        cost: price!.cost,
      })
      expect(rowsIn('plain', 'people.ndjson').map(({ email }) => email)).toEqual(
        expect.arrayContaining(manifest.owners),
      )
      expect(rowsIn('plain', 'store.ndjson')[0]).not.toHaveProperty('account_id')

      const pictures = rowsIn('plain', 'pictures.ndjson')
      expect(pictures).toHaveLength(3)
      for (const content of PICTURES) {
        const hash = hashOf(content)
        expect(pictures).toContainEqual({
          hash,
          type: 'image/png',
          bytes: content.length,
          path: `pictures/${hash}.png`,
        })
        expect(hashes[`pictures/${hash}.png`]).toBe(hash)
      }
      // the picture is known, but the store has no bytes of it
      expect(pictures).toContainEqual({ hash: hashOf('lost'), type: 'image/png', bytes: null, path: null })

      const secrets = await database.db<{ text: string }[]>`
      select 'sealed-secret' as text
      union select secret from endpoint where account_id = ${accountId}
      union select encode(secret_hash, 'hex') from channel_file where account_id = ${accountId}
      union select settings from notice_channel where account_id = ${accountId} and settings is not null
      union select encode(token_hash, 'hex') from token where account_id = ${accountId}`
      const all = Object.keys(hashes)
        .map((path) => readFileSync(join(directory, 'plain', path), 'latin1'))
        .join('')
      expect(secrets.length).toBeGreaterThan(2)
      expect(secrets.filter(({ text }) => all.includes(text))).toEqual([])
    },
  )

  test('is the same as a tar file, packed or not, which tar unpacks', LONG, async () => {
    const { files } = await exported('same')
    for (const name of ['same.tar', 'same.tar.gz']) {
      await exported(name)
      mkdirSync(join(directory, `${name}-unpacked`))
      execFileSync('tar', ['-xf', join(directory, name), '-C', join(directory, `${name}-unpacked`)])
      expect(manifestOf(`${name}-unpacked`).files.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
      const { 'manifest.json': _, ...unpacked } = filesOf(`${name}-unpacked`)
      const { 'manifest.json': __, ...plain } = filesOf('same')
      expect(unpacked).toEqual(plain)
      // the manifest is the last entry: an archive that was cut off has none
      expect(
        execFileSync('tar', ['-tf', join(directory, name)], { encoding: 'utf8' })
          .trim()
          .split('\n')
          .at(-1),
      ).toBe('manifest.json')
    }
    expect(readdirSync(directory).filter((name) => /unfinished|scratch|lock/.test(name))).toEqual([])
  })

  test('is of one moment, whatever is written meanwhile', LONG, async () => {
    const { accountId } = account
    const offers = async () => {
      const [row] = await database.db<{ count: number }[]>`
        select count(*)::int as count from offer where account_id = ${accountId}`
      return row!.count
    }
    const before = await offers()
    let writing: Promise<unknown> | undefined
    const manifest = await exported('moment', (_, of) => {
      if (of === 'store') writing ??= giveOffers(bench, account, [offer('LATE-1'), offer('LATE-2')])
      return writing
    })
    await writing
    expect(await offers()).toBe(before + 2)
    const rows = (path: string) => manifest.files.find((file) => file.path === path)!.rows
    expect(rows('offer.ndjson')).toBe(before)
    expect(readFileSync(join(directory, 'moment/product.ndjson'), 'utf8')).not.toContain('LATE')
    // each offer belongs to a product of the archive
    const products = new Set(rowsIn('moment', 'product.ndjson').map((row) => row['product_id']))
    expect(rowsIn('moment', 'offer.ndjson').every((row) => products.has(row['product_id']))).toBe(true)
  })

  test.each(['twice', 'twice.tar.gz'])('is written by one export at a time: %s', LONG, async (target) => {
    let second: Promise<unknown> | undefined
    const manifest = await exported(target, (_, of) => {
      if (of === 'offer') second ??= expect(exported(target)).rejects.toThrow('another export is writing it')
      return second
    })
    expect(second).toBeDefined()
    if (!target.endsWith('.gz'))
      expect(Object.keys(filesOf(target))).toEqual(expect.arrayContaining(manifest.files.map(({ path }) => path)))
    for (const left of ['scratch', 'lock']) expect(existsSync(`${join(directory, target)}.${left}`)).toBe(false)
  })

  test(
    'does not appear when the export fails, is never written over, and takes away what a killed one left',
    LONG,
    async () => {
      const failing = { ...imageStore, read: () => Promise.reject(new Error('the bucket is away')) }
      for (const target of ['failed-directory', 'failed.tar.gz']) {
        const path = join(directory, target)
        await expect(
          exportAccount({ db: database.db, imageStore: failing }, account.accountId, path, () => {}),
        ).rejects.toThrow('the bucket is away')
        expect(readdirSync(directory).filter((name) => name.startsWith(target))).toEqual([])
        mkdirSync(`${path}.unfinished/pictures`, { recursive: true })
        mkdirSync(`${path}.scratch`)
        // no process has this number
        writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2_147_483_647, started: '' }))
        await exported(target)
        expect(readdirSync(directory).filter((name) => name.startsWith(target))).toContain(target)
        expect(['unfinished', 'scratch', 'lock'].filter((left) => existsSync(`${path}.${left}`))).toEqual([])
        await expect(exported(target)).rejects.toThrow('exists already')
      }
      expect(await commands.refusal(['account', 'export', 'Nobody', '--to', join(directory, 'none')])).toContain(
        'no account',
      )
      await expect(exported('no/where')).rejects.toThrow('there is no directory')
      // not even root may write there; the refusal is one line that names the path
      const refused = await commands.refusal(['account', 'export', String(account.accountId), '--to', '/proc/none'])
      expect(refused).toMatch(/^shelfwire: (--to \/proc\/none|E[A-Z]+|cannot write \/proc\/none\.lock): [^\n]*\n?$/)
    },
  )
})
