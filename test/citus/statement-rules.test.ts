import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COORDINATOR_TABLES, REFERENCE_TABLES } from '../../src/db/distribution/distribute.ts'
import { faultOf, fragmentsOf, statementsOf } from './statement-rules.ts'

const root = new URL('../..', import.meta.url).pathname
const files = (directory: string, ending: RegExp) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(directory, name))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('no statement has what Citus refuses or changes the meaning of', () => {
  const sources = files('src', /\.sql\.ts$/)
  const fragments = new Map(sources.flatMap((file) => fragmentsOf(file, read(file))))
  expect(fragments.size).toBeGreaterThan(5)
  const statements = sources.flatMap((file) =>
    statementsOf(file, read(file), fragments).map((statement) => ({
      place: `${file}:${statement.line}`,
      ...statement,
    })),
  )
  expect(statements.length).toBeGreaterThan(200)
  expect(statements.filter(({ isCounted }) => isCounted).length).toBeGreaterThan(10)
  const faults = statements.map((statement) => ({ place: statement.place, fault: faultOf(statement) }))
  expect(faults.filter(({ fault }) => fault !== null)).toEqual([])
})

test.each([
  ['update offer set dropped_at = clock_timestamp() where account_id = $1', /volatile/],
  ['with old as (select 1) update a set x = gen_random_uuid() where account_id = $1 returning x', /volatile/],
  ['update offer set absent_since = coalesce(absent_since, now()) where account_id = $1', /COALESCE/],
  [
    'update s set due_at = case when leased_until > now() then leased_until else now() end where account_id = $1',
    /CASE/,
  ],
  ['insert into a (b) values ($1) on conflict (b) do update set c = now()', /DO UPDATE/],
  ['update endpoint set switch_at = switch_at - make_interval(days => $1) where account_id = $1', /session/],
  ['delete from attempt where ctid = any(array(select ctid from attempt))', /ctid/],
  ['update delivery d set state = $1 from (select 1) g where d.ctid = g.tid', /ctid/],
  ['delete from sign_in_step where ticket_hash = $1 returning expires_at > now() as alive', /RETURNING/],
  ['select name from account where account_id = $1 for no key update', /reference/],
])('is found: %s', (text, fault) => {
  expect(faultOf({ line: 1, text, isCounted: false })).toMatch(fault)
})

test('is found: what a fragment of another file brings', () => {
  const fragments = new Map(
    fragmentsOf('a.ts', 'export const endOf = (reader: Reader) => reader`ends_at < now() as ended`'),
  )
  const source = 'const end = (tx: Tx) => tx`delete from session where id = 1 returning ${endOf(tx)}`'
  expect(statementsOf('x.ts', source, fragments).map(faultOf)).toEqual([expect.stringMatching(/RETURNING/)])
})

test('is found: a count of an insert that skips rows', () => {
  const source = `async function f() {
    const result = await tx\`insert into offer (a) select * from unnest(\${rows}::int[]) on conflict (a) do nothing\`
    return result.count
  }`
  expect(statementsOf('x.ts', source).map(faultOf)).toEqual([expect.stringMatching(/\.count/)])
})

test.each([
  'update offer set absent_since = coalesce(absent_since, (select now())) where account_id = $1',
  'update s set leased_until = now(), due_at = greatest(leased_until, now()) where account_id = $1 and ends_at < now() - make_interval(days => $1)',
  'delete from attempt where account_id = $1 and ctid = any(array(select ctid from attempt where account_id = $1))',
])('is allowed: %s', (text) => {
  expect(faultOf({ line: 1, text, isCounted: true })).toBeNull()
})

test('later migrations distribute the tables that they create, before they add foreign keys', () => {
  const later = files('migrations', /\.sql$/).filter((file) => !/^migrations\/00[1-9]-/.test(file))
  const faults = later.flatMap((file) => {
    const text = read(file).replaceAll(/--.*$/gm, '')
    return [...text.matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g)].flatMap(([, name = '', body = '']) => [
      ...(/\breferences\b/.test(body)
        ? [`${file}: ${name} is created with a foreign key; add it after distribute_table`]
        : []),
      ...(text.includes(`distribute_table('${name}'`) || COORDINATOR_TABLES.includes(name)
        ? []
        : [`${file}: ${name} is not distributed`]),
    ])
  })
  expect(faults).toEqual([])
})

test('a table that a migration copies to every node is one that distribute copies, and no other', () => {
  const text = files('migrations', /\.sql$/)
    .map(read)
    .join('\n')
  const calls = [...text.matchAll(/select distribute_table\('(\w+)'(, 'reference')?\)/g)]
  expect(calls.length).toBeGreaterThan(0)
  for (const [, name = '', reference] of calls)
    expect(REFERENCE_TABLES.includes(name), name).toBe(reference !== undefined)
})
