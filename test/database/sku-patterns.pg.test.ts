import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrations/migrate.ts'
import { buildSku, parseSkuPattern, type SkuParts } from '../../src/model/sku-pattern.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createDatabase } from '../harness/database.ts'

const PARTS: SkuParts = {
  id: 7,
  sku: 'Ä-1',
  supplierCode: 'n',
  supplierSku: 'Ö 2',
  ean: '4006381333931',
  manufacturer: 'Müller Ж',
  category: 'Größe/Süß',
}
/** Patterns of the previous release, their results, and the form in which they are now stored. */
const PATTERNS = [
  ['{manufacturer|alnum}-{sku|alnum|upper}', '{manufacturer|az09}-{sku|az09|upper}', 'Mller-1'],
  ['{manufacturer|ascii|alnum|first:3}', '{manufacturer|ascii|alnum|first:3}', 'Mul'],
  [
    '{manufacturer|upper|alnum}{supplier_sku|ascii|alnum}',
    '{manufacturer|upper|az09}{supplier_sku|ascii|alnum}',
    'MLLERO2',
  ],
  ['|alnum|{{|alnum}}{id}', '|alnum|{{|alnum}}{id}', '|alnum|{|alnum}7'],
  ['{{{category|alnum}}}{ean|default:alnum}', '{{{category|az09}}}{ean|default:alnum}', '{S}4006381333931'],
  [`{sku|alnum}${'x'.repeat(189)}`, `{sku|az09}${'x'.repeat(189)}`, `1${'x'.repeat(189)}`],
  ['{sku}', '{sku}', 'Ä-1'],
] as const

test('an upgrade keeps the SKUs of the patterns that exist', async () => {
  await using database = await createDatabase()
  const all = await readMigrations()
  await database.db.unsafe('drop schema public cascade; create schema public')
  await migrate(
    database.db,
    silentLog,
    all.filter(({ version }) => version < 6),
  )
  const ids: number[] = []
  for (const [pattern] of [...PATTERNS, [null] as const]) {
    const [row] = await database.db<{ account_id: number }[]>`
      insert into account (name, currency, locale, sku_pattern) values ('A', 'EUR', 'en', ${pattern}) returning account_id`
    ids.push(row!.account_id)
    await database.db`
      insert into account_inputs (account_id, day, ends_at, resolver) values (${row!.account_id}, '2026-11-22', now(), 3)`
  }
  await migrate(database.db, silentLog)
  const rows = await database.db<{ pattern: string | null; resolver: number; version: number; sweeps: number }[]>`
    select a.sku_pattern as pattern, i.resolver, i.version::int8 as version,
      (select count(*)::int from sweep s where s.account_id = a.account_id) as sweeps
    from account a join account_inputs i on i.account_id = a.account_id order by a.account_id`
  expect(rows.map(({ pattern }) => pattern)).toEqual([...PATTERNS.map(([, kept]) => kept), null])
  for (const [i, [before, kept, sku]] of PATTERNS.entries()) {
    const parsed = parseSkuPattern(kept)
    expect('pattern' in parsed ? buildSku(parsed.pattern, PARTS).sku : parsed).toBe(sku)
    // processes of the previous release cannot read the new name, so they leave the account to new processes, which sweep it
    const isRenamed = kept !== (before as string)
    expect([before, rows[i]?.resolver, rows[i]?.version, rows[i]?.sweeps]).toEqual(
      isRenamed ? [before, 4, 2, 1] : [before, 3, 1, 0],
    )
  }
})
