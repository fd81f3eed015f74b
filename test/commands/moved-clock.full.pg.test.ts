import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCommands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'
import { client, startTestService } from '../harness/service.ts'

const HOUR_MS = 3_600_000

test(
  'with the clock moved, everything happens that waits for its day, and nothing else',
  { timeout: 120_000 },
  async () => {
    await using database = await createDatabase()
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-clock-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(directory, { recursive: true }))
    const { json } = openCommands(database, directory)
    const account = await json(['account', 'create', '--name', 'A', '--currency', 'EUR', '--locale', 'en'])
    const ofAccount = ['--account', String(account.account_id)]
    await json(['supplier', 'create', ...ofAccount, '--code', 'acme', '--name', 'Acme', '--currency', 'EUR'])
    const tokenOf = async (days: number) => {
      const expires = new Date(Date.now() + days * 24 * HOUR_MS).toISOString()
      return (await json(['token', 'create', ...ofAccount, '--access', 'full', '--expires', expires])).token
    }
    const [short, long] = [await tokenOf(10), await tokenOf(100)] as string[]
    const mapping = join(directory, 'mapping.json')
    await writeFile(
      mapping,
      JSON.stringify({
        format: 'csv',
        locale: 'en',
        fields: { sku: 'sku', cost: 'cost', quantity: 'stock', title: 'title' },
      }),
    )
    const importFile = async (lines: string[]) => {
      const file = join(directory, 'file.csv')
      await writeFile(file, ['sku,cost,stock,title', ...lines, ''].join('\n'))
      await json(['import', file, ...ofAccount, '--supplier', 'acme', '--mapping', mapping])
    }
    await importFile(['a,10,1,Pen', 'b,10,1,Ink', 'c,10,1,Nib'])
    await importFile(['a,10,1,Pen', 'b,10,1,Ink'])

    const atOffset = async (offset: string, look: (call: ReturnType<typeof client>) => Promise<void>) => {
      await using service = await startTestService(database, {
        roles: ['api', 'work'],
        env: { SHELFWIRE_CLOCK_OFFSET: offset },
      })
      await look(client(service.url, long!))
    }
    const titles = async (call: ReturnType<typeof client>) =>
      (await call('/v1/products')).body.data.map((product: { title: string | null }) => product.title)

    await atOffset('29d', async (call) => {
      // by the database's clock, and by the process's
      expect((await call('/v1/products', { headers: { authorization: `Bearer ${short!}` } })).status).toBe(401)
      const written = await call('/v1/account/suppliers/acme/offers/a', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ cost: '20', quantity: 1, texts: { en: { title: 'Pen' } } }),
      })
      expect(written.status).toBe(200)
      const { changes } = (await call('/v1/changes')).body
      const latest = Date.parse(changes.at(-1).created_at as string)
      expect(Math.abs(latest - Date.now() - 29 * 24 * HOUR_MS)).toBeLessThan(HOUR_MS)
      expect(await titles(call)).toEqual(['Pen', 'Ink', 'Nib'])
    })
    await atOffset('30d1h', async (call) => {
      await until('the offer that was absent for 30 days is dropped', async () => (await titles(call)).includes(null))
      expect(await titles(call)).toEqual(['Pen', 'Ink', null])
    })
    // rows that get their times from defaults have the moved time, too; without an offset they have the machine's
    const later = await json(['account', 'create', '--name', 'B', '--currency', 'EUR', '--locale', 'en'])
    const [row] = await database.db<{ hours: number }[]>`
    select abs(extract(epoch from created_at - clock_timestamp()))::float8 / 3600 as hours from account where account_id = ${later.account_id as number}`
    expect(row!.hours).toBeLessThan(1)
  },
)

test('production, and what is no time, are refused', async () => {
  const { refusal } = openCommands({ url: 'postgres://nowhere/nothing' }, '/nowhere')
  expect(await refusal(['account', 'list'], { SHELFWIRE_CLOCK_OFFSET: '31d', NODE_ENV: 'production' })).toContain(
    'SHELFWIRE_CLOCK_OFFSET must not be set with NODE_ENV=production',
  )
  expect(await refusal(['account', 'list'], { SHELFWIRE_CLOCK_OFFSET: 'soon' })).toContain(
    'SHELFWIRE_CLOCK_OFFSET must be days, hours and minutes, such as 29d, -2h or 1d12h30m, not "soon"',
  )
})
