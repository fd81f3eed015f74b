import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../../client/src/answers.ts'
import { openSqliteMirror } from '../../client/src/command/sqlite-mirror.ts'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'

// The file of a mirror in SQLite.

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-sqlite-file-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const product = (id: number, chars: number) => ({ id, title: 'x'.repeat(chars) }) as unknown as Product
const batch = (products: Product[], from: string | null, position: string) => ({
  store: 'de',
  from,
  position,
  products,
  removed: [],
  changes: [],
})

test.each([1_300, 2_100, 5_000])('takes little more than its products do, of %d characters each', async (chars) => {
  const file = join(directory, `${chars}.db`)
  const target = new SqliteTarget(file)
  const products = Array.from({ length: 1_000 }, (_, i) => product(i + 1, chars))
  await target.apply(batch(products, null, 'p1'))
  target.close()
  const text = products.reduce((sum, each) => sum + JSON.stringify(each).length, 0)
  expect((await stat(file)).size / text).toBeLessThan(1.25)
})

test('a database of something else is no mirror, and nothing is written into it', async () => {
  const file = join(directory, 'application.db')
  const other = new DatabaseSync(file)
  other.exec('create table customer (id integer primary key)')
  other.close()
  const before = await readFile(file)
  for (const [purpose, code] of [
    ['read', 'no-mirror'],
    ['repair', 'no-mirror'],
    ['write', 'not-a-mirror'],
  ] as const)
    expect(() => openSqliteMirror(file, purpose)).toThrow(expect.objectContaining({ code, exit: 5 }))
  expect(await readFile(file)).toEqual(before)
  expect((await readdir(directory)).filter((name) => name.startsWith('application'))).toEqual(['application.db'])
  expect(() => openSqliteMirror(join(directory, 'gone.db'), 'read')).toThrow(
    expect.objectContaining({ code: 'no-mirror' }),
  )
  expect((await readdir(directory)).includes('gone.db')).toBe(false)
})

test('a file that is empty becomes a mirror, and a mirror is opened again', async () => {
  const file = join(directory, 'empty.db')
  await writeFile(file, '')
  const made = openSqliteMirror(file, 'write')
  await made.target.apply(batch([product(1, 3)], null, 'p1'))
  // while another process has the file open
  const again = openSqliteMirror(file, 'write')
  expect(await again.stores()).toEqual(['de'])
  await again.close()
  await made.close()
  const read = openSqliteMirror(file, 'read')
  expect(await read.target.position('de')).toBe('p1')
  await read.close()
})

test('one of 0.2.0 is read and written as it is', async () => {
  const file = join(directory, 'old.db')
  const old = new DatabaseSync(file)
  old.exec(`pragma journal_mode = wal;
    create table shelfwire_product (
      store text not null, id integer not null, product text not null, primary key (store, id)
    ) without rowid;
    create table shelfwire_position (store text not null primary key, position text not null);
    insert into shelfwire_position values ('de', 'p1');
    insert into shelfwire_product values ('de', 1, '{"id":1}'), ('de', 2, '{"id":2}')`)
  old.close()
  const target = new SqliteTarget(file)
  expect(await target.position('de')).toBe('p1')
  expect(await target.apply({ ...batch([product(3, 3), product(1, 1)], 'p1', 'p2'), removed: [2] })).toBe(true)
  expect([...target.walk('de')]).toEqual([product(1, 1), product(3, 3)])
  expect(await target.ids('de', 1, 10)).toEqual([3])
  target.close()
})
