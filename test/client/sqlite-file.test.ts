import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../../client/src/answers.ts'
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
