import { expect, test } from 'vitest'
import { locksOf } from './migration-locks.ts'
import { readMigrations } from '../migrations/migrate.ts'
import { statementsOfScript } from '../migrations/sql-script.ts'

const locks = (statement: string) =>
  locksOf(statement).locks.map(({ table, blocked, work }) => `${table}: ${blocked}, ${work}`)

test('what is known of each kind of statement', () => {
  expect(locks('alter table offer add column mpn text')).toEqual(['offer: reads and writes, none'])
  expect(locks('alter table offer add column at timestamptz not null default now()')).toEqual([
    'offer: reads and writes, none',
  ])
  expect(locks('alter table offer add column id uuid default gen_random_uuid()')).toEqual([
    'offer: reads and writes, rewrite',
  ])
  expect(locks("alter table offer add column kind text check (kind in ('a', 'b'))")).toEqual([
    'offer: reads and writes, scan',
  ])
  expect(locks('alter table offer drop constraint a, add constraint b check (x > 0 and y in (1, 2))')).toEqual([
    'offer: reads and writes, none',
    'offer: reads and writes, scan',
  ])
  expect(locks('alter table offer add constraint b check (x > 0) not valid')).toEqual(['offer: reads and writes, none'])
  expect(locks('alter table offer validate constraint b')).toEqual(['offer: none, scan'])
  expect(locks('alter table offer alter column cost type numeric(12, 4)')).toEqual(['offer: reads and writes, rewrite'])
  expect(locks('alter table offer alter column cost set not null')).toEqual(['offer: reads and writes, scan'])
  expect(locks('alter table offer add foreign key (account_id, supplier_id) references supplier')).toEqual([
    'offer: writes, scan',
    'supplier: writes, none',
  ])
  expect(locks('create unique index offer_sku on offer (account_id, sku)')).toEqual(['offer: writes, index'])
  expect(locks("-- because\nupdate offer set\n  note = 'update product set'")).toEqual(['offer: none, rows'])
  expect(locks('with old as (select 1) insert into offer select * from old')).toEqual(['offer: none, rows'])
  expect(locksOf('create table note (a int references offer)')).toEqual({
    creates: 'note',
    dropped: [],
    foreignKeys: [],
    locks: [{ table: 'offer', blocked: 'writes', work: 'none' }],
  })
  expect(locksOf('alter table offer drop constraint a_fkey, drop constraint b').dropped).toEqual(['a_fkey', 'b'])
  expect(
    locksOf('alter table offer add foreign key (account_id, supplier_id) references supplier').foreignKeys,
  ).toEqual([{ name: 'offer_account_id_supplier_id_fkey', target: 'supplier' }])
  expect(() => locks('cluster offer')).toThrow('it is not known what this locks: cluster offer')
})

test('every statement of every migration is of a kind that is known', async () => {
  for (const { name, sql } of await readMigrations())
    for (const statement of statementsOfScript(sql)) expect(() => locksOf(statement), name).not.toThrow()
})
