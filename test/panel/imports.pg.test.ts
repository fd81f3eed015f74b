import { beforeAll, expect, test } from 'vitest'
import { createSource } from '../../src/imports/sources/edit-sources.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Schedules and runs on the pages of suppliers, and the files behind their links.

const directory = directoryOfFile('panel-imports')
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'], env: { DATA_DIR: directory } } })
let account: TestAccount
let browser: Browser

beforeAll(async () => {
  account = await createAccount(openBench(database.db))
  const email = 'anna@example.com'
  const personId = await makePerson(database.db, email)
  await makeMember(database.db, account.accountId, personId, email, 'member')
  browser = await signedIn(database.db, service.url, personId)
})

const own = (path: string) => browser.get(`/panel/api/accounts/${account.accountId}/${path}`)
const schedule = async (query: Record<string, string>) =>
  (await own(`schedule?${new URLSearchParams(query).toString()}`)).body.data

test('a schedule is shown by its next moments, in its zone, and what is wrong with it is named', async () => {
  const daily = await schedule({ cron: '30 5 * * *', time_zone: 'Asia/Tokyo', count: '3' })
  expect(daily).toMatchObject({ time_zone: 'Asia/Tokyo', faults: [] })
  expect(daily.moments).toHaveLength(3)
  // 05:30 in Tokyo, a day apart
  expect(daily.moments.map((at: string) => new Date(at).toISOString().slice(11, 16))).toEqual(Array(3).fill('20:30'))
  const [first, second] = daily.moments.map((at: string) => new Date(at).getTime())
  expect([first > Date.now() - 60_000, second - first]).toEqual([true, 86_400_000])
  const often = await schedule({ every_minutes: '15' })
  const times = often.moments.map((at: string) => new Date(at).getTime())
  expect(times.slice(1).map((at: number, i: number) => at - times[i])).toEqual([900_000, 900_000, 900_000])
  for (const [query, name] of [
    [{ cron: '* * * * *' }, 'cron'],
    [{ cron: 'at noon' }, 'cron'],
    [{ cron: '0 5 31 2 *' }, 'cron'],
    [{ cron: '0 5 * * *', time_zone: 'Mars/Base' }, 'time_zone'],
    [{ every_minutes: '2' }, 'every_minutes'],
    [{ every_minutes: 'soon' }, 'every_minutes'],
  ] as const)
    expect([query, await schedule(query)]).toMatchObject([query, { moments: [], faults: [{ name }] }])
  expect((await schedule({})).moments).toEqual([])
})

async function send(content: string, query: string): Promise<number> {
  const document = {
    format: 'csv',
    locale: 'en',
    fields: { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title' },
  }
  const form = new FormData()
  form.set('mapping', JSON.stringify(document))
  form.set('file', new Blob([content]), 'offers of today.csv')
  const response = await fetch(`${service.url}/v1/account/suppliers/north/imports?${query}`, {
    method: 'POST',
    body: form,
    headers: {
      Cookie: `shelfwire_session=${browser.cookie}`,
      'X-CSRF-Token': browser.csrf ?? '',
      'Shelfwire-Account': String(account.accountId),
    },
  })
  const { data } = (await response.json()) as { data: { id: number } }
  await until('the run has ended', async () => {
    const [row] = await database.db<{ ended: boolean }[]>`
      select ended_at is not null as ended from import_run where account_id = ${account.accountId} and run_id = ${data.id}`
    return row?.ended === true
  })
  return data.id
}

const FIRST = 'sku,cost,qty,title\nA,10.50,5,Spade\nB,8,1,Rake\nC,7,2,Hoe\n'
const SECOND = 'sku,cost,qty,title\nA,12,5,Shovel\nB,8,1,Rake\nD,1,1,Saw\nE,perhaps,1,Axe\n'

test('what can be done with a run is told as it would be done; its changes are shown beside what is now', async () => {
  const first = await send(FIRST, 'mode=full')
  const second = await send(SECOND, 'mode=full&confirm=true')
  const choices = async (id: number) => (await own(`runs/${id}/choices`)).body.data
  expect(await choices(second)).toEqual({
    confirm: { kind: 'not_held', run_id: null },
    undo: null,
    is_refusals_kept: true,
  })
  expect(await choices(first)).toMatchObject({ undo: { kind: 'newer', run_id: second }, is_refusals_kept: false })
  const changes = (await own(`runs/${second}/changes?per_page=2`)).body
  expect(changes).toEqual({
    data: [
      {
        sku: 'A',
        kind: 'changed',
        before: { cost: '10.5', currency: 'EUR', quantity: 5 },
        now: { cost: '12', currency: 'EUR', quantity: 5 },
        product_id: expect.any(Number),
        fields: [{ name: 'title.en', before: 'Spade', now: 'Shovel' }],
      },
      {
        sku: 'C',
        kind: 'zeroed',
        before: { cost: '7', currency: 'EUR', quantity: 2 },
        now: { cost: '7', currency: 'EUR', quantity: 0 },
        product_id: expect.any(Number),
        fields: [],
      },
    ],
    meta: { per_page: 2, next_after: 'C' },
  })
  expect((await own(`runs/${second}/changes?after=C`)).body).toMatchObject({
    data: [{ sku: 'D', kind: 'created', before: null, now: { quantity: 1 } }],
    meta: { next_after: null },
  })
  // a dry run changed nothing; the changes that it would make have another address
  const dry = await send(SECOND.replace('Shovel', 'Spade'), 'mode=full&dry_run=true')
  const { status, body } = await own(`runs/${dry}/changes`)
  expect([status, body.data]).toEqual([200, []])
  // files, by plain links without additional headers
  const file = await own(`imports/${second}/file`)
  expect([file.status, file.text, file.headers.get('content-disposition')]).toEqual([
    200,
    SECOND,
    'attachment; filename="offers of today.csv"',
  ])
  expect(file.headers.get('cache-control')).toBe('no-store')
  const refused = await own(`imports/${second}/refusals`)
  expect(refused.text).toMatch(/^line,sku,field,reason\r\n5,E,cost,/)
  expect(refused.headers.get('content-type')).toContain('text/csv')
  expect((await own(`imports/${second}/file`)).status).toBe(200)

  // a held run, and why it cannot be confirmed once a newer one was imported
  const held = await send('sku,cost,qty,title\nA,12,5,Shovel\n', 'mode=full')
  expect(await choices(held)).toMatchObject({ confirm: null, undo: { kind: 'nothing_written' } })
  const delta = await send('sku,cost,qty,title\nA,13,5,Shovel\n', 'mode=delta')
  expect(await choices(delta)).toMatchObject({ undo: { kind: 'delta' } })
  expect(await choices(held)).toMatchObject({ confirm: { kind: 'newer', run_id: delta } })
  const headers = { 'Shelfwire-Account': String(account.accountId) }
  expect((await browser.post(`/v1/account/imports/${held}/confirm`, {}, { headers })).status).toBe(409)
  const undone = await browser.post(`/v1/account/imports/${second}/undo`, {}, { headers })
  expect(undone.status).toBe(202)
  expect(await choices(second)).toMatchObject({ undo: { kind: 'undone', run_id: undone.body.data.id } })
  await until('the undo has ended', async () => (await choices(undone.body.data.id)).undo.kind === 'undo')
  await database.db`
    update import_run set file_key = null, refusals_key = null where account_id = ${account.accountId} and run_id = ${second}`
  expect((await own(`imports/${second}/file`)).body).toMatchObject({ code: 'unknown-reference' })
  expect((await own(`imports/${second}/refusals`)).body).toMatchObject({ code: 'unknown-reference' })
  expect((await own('runs/987654321/choices')).body).toMatchObject({ code: 'unknown-reference' })
})

test('runs are listed by their source', async () => {
  const { accountId, suppliers } = account
  const supplierId = suppliers[0]?.supplierId ?? 0
  const rules = { seal: service.runtime.seal, keys: service.runtime.keys, isAllowed: () => true, importDir: null }
  const ids: number[] = []
  for (const name of ['stock', 'catalog'])
    ids.push(
      await inTransaction(database.db, (tx) =>
        createSource(
          tx,
          accountId,
          supplierId,
          {
            name,
            kind: 'http',
            url: 'https://files.example/x.csv',
            path: null,
            hostKey: null,
            mapping: { fields: { sku: 'sku' } },
            mode: 'delta',
            cron: null,
            timeZone: null,
            everyMinutes: null,
            isActive: true,
          },
          rules,
        ),
      ),
    )
  await database.db`
    insert into import_run (account_id, supplier_id, source_id, trigger, mode, state, ended_at)
    select ${accountId}, ${supplierId}, ${ids[0] ?? 0}, 'schedule', 'delta', state, now()
    from unnest(array['unchanged', 'failed', 'failed']) state`
  const headers = { 'Shelfwire-Account': String(accountId) }
  const list = async (query: string) => (await browser.get(`/v1/account/imports?${query}`, { headers })).body
  const stock = await list('supplier=north&source=stock')
  expect(stock.data.map((run: { source: string; state: string }) => [run.source, run.state])).toEqual([
    ['stock', 'failed'],
    ['stock', 'failed'],
    ['stock', 'unchanged'],
  ])
  expect((await list('supplier=north&source=stock&state=failed&per_page=1')).meta.next_before).toEqual(
    expect.any(Number),
  )
  expect((await list('supplier=north&source=catalog')).data).toEqual([])
  expect((await list('supplier=north&source=none')).code).toBe('unknown-reference')
  expect((await list('source=stock')).errors).toMatchObject([{ name: 'source' }])
})
