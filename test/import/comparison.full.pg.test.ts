import { beforeEach, expect, test } from 'vitest'
import { forgetFiles } from '../../src/imports/runs/forget.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// A dry run shows the changes of the import offer by offer; then the file is imported without sending it again.

const limits = { ...LIMITS }
const directory = directoryOfFile('comparison')
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'], env: { DATA_DIR: directory } } })
let accountId: number
let http: ReturnType<typeof client>
beforeEach(async () => {
  Object.assign(LIMITS, limits)
  ;({ accountId } = await createAccount(service.runtime))
  http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
})

const MAPPING = {
  locale: 'en',
  fields: {
    sku: 'sku',
    cost: 'cost',
    quantity: 'qty',
    title: 'title',
    ean: 'ean',
    images: { column: 'img', split: ' ' },
    attributes: [{ key: 'color', column: 'color' }],
  },
}
const HEADER = 'sku,cost,qty,title,ean,img,color'
const table = (...rows: string[]) => `${HEADER}\n${rows.join('\n')}\n`
const BEFORE = table(
  'A,10,5,Spade,4006381333931,https://a.example/1.jpg,red',
  'B,20,5,Hammer,,,blue',
  'C,30,5,Saw,,,',
  'D,40,5,Rake,,,',
)
const AFTER = table(
  'A,10.00,5,Spade,4006381333931,https://a.example/1.jpg,red',
  'B,21,5,Claw hammer,,,green',
  'E,1,1,Drill,,,black',
  'C,30,7,Saw,,,',
)

function upload(content: string, query = '', mapping: unknown = MAPPING): Promise<Answer> {
  const form = new FormData()
  form.append('mapping', JSON.stringify(mapping))
  form.append('file', new Blob([content]), 'list.csv')
  return http(`/v1/account/suppliers/north/imports?${query}`, { method: 'POST', body: form })
}
const read = (id: number, path = '') => http(`/v1/account/imports/${id}${path}`)
const repeat = (id: number, body: object) =>
  http(`/v1/account/imports/${id}/repeat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
/** Waits until a run has ended. @returns the run */
async function ended(answer: Answer) {
  expect([answer.status, answer.text]).toEqual([202, answer.text])
  const { id } = answer.body.data
  await expect.poll(async () => (await read(id)).body.data.ended_at, { timeout: 20_000 }).not.toBe(null)
  return (await read(id)).body.data
}
const changes = async (id: number, query = '') => (await read(id, `/changes?per_page=1000&${query}`)).body.data
const keys = async (id: number, query: string) => (await changes(id, query)).map(({ sku }: { sku: string }) => sku)

test('a dry run lists new, changed and missing offers as they are and as they would be, and only what differs', async () => {
  await ended(await upload(BEFORE))
  const dry = await ended(await upload(AFTER, 'dry_run=true'))
  expect(dry).toMatchObject({ state: 'succeeded', created: 1, changed: 2, unchanged: 1, zeroed: 1, written: 0 })
  expect(await changes(dry.id)).toEqual([
    {
      sku: 'B',
      product_id: expect.any(Number),
      kind: 'changed',
      before: {
        cost: '20',
        currency: 'EUR',
        quantity: 5,
        content: { texts: { en: { title: 'Hammer' } }, attributes: [{ key: 'color', value: 'blue' }] },
      },
      after: {
        cost: '21',
        currency: 'EUR',
        quantity: 5,
        content: { texts: { en: { title: 'Claw hammer' } }, attributes: [{ key: 'color', value: 'green' }] },
      },
    },
    {
      sku: 'C',
      product_id: expect.any(Number),
      kind: 'changed',
      before: { cost: '30', currency: 'EUR', quantity: 5 },
      after: { cost: '30', currency: 'EUR', quantity: 7 },
    },
    {
      sku: 'D',
      product_id: expect.any(Number),
      kind: 'zeroed',
      before: { cost: '40', currency: 'EUR', quantity: 5 },
      after: { cost: '40', currency: 'EUR', quantity: 0 },
    },
    {
      sku: 'E',
      product_id: null,
      kind: 'created',
      before: null,
      after: {
        cost: '1',
        currency: 'EUR',
        quantity: 1,
        content: { texts: { en: { title: 'Drill' } }, attributes: [{ key: 'color', value: 'black' }] },
      },
    },
  ])
  // filtered by kind, by the beginning of the key, by the differing field
  expect(await keys(dry.id, 'kind=created')).toEqual(['E'])
  expect(await keys(dry.id, 'kind=changed&after=B')).toEqual(['C'])
  expect(await keys(dry.id, 'sku=D')).toEqual(['D'])
  expect(await keys(dry.id, 'field=cost')).toEqual(['B', 'E'])
  expect(await keys(dry.id, 'field=quantity')).toEqual(['C', 'D', 'E'])
  expect(await keys(dry.id, 'field=title&kind=changed')).toEqual(['B'])
  expect(await keys(dry.id, 'field=attributes')).toEqual(['B', 'E'])
  expect(await keys(dry.id, 'field=images')).toEqual([])
  const first = await read(dry.id, '/changes?per_page=1&field=quantity')
  expect(first.body.meta).toEqual({ per_page: 1, next_after: 'C' })

  // the import makes exactly the changes that the dry run shows
  const run = await ended(await repeat(dry.id, {}))
  expect(run).toMatchObject({ dry_run: false, state: 'succeeded', created: 1, changed: 2, unchanged: 1, zeroed: 1 })
  expect((await changes(run.id)).map(({ sku, kind }: { sku: string; kind: string }) => [sku, kind])).toEqual(
    (await changes(dry.id)).map(({ sku, kind }: { sku: string; kind: string }) => [sku, kind]),
  )
  expect((await changes(run.id))[0].after).toBe(null)
})

test('the file of a run is imported again with another mapping, and stays for the newer run', async () => {
  const dry = await ended(await upload(BEFORE, 'dry_run=true'))
  expect(dry.refused).toBe(0)
  const skip = [{ column: 'sku', in: ['D'] }]
  const run = await ended(await repeat(dry.id, { mapping: { ...MAPPING, skip }, mode: 'delta', dry_run: true }))
  expect(run).toMatchObject({ dry_run: true, mode: 'delta', created: 3, skipped: 1, mapping: { skip } })
  expect(run.file).toEqual(dry.file)
  // the changes of the supplier's older dry run are deleted
  expect([await changes(dry.id), await keys(run.id, '')]).toEqual([[], ['A', 'B', 'C']])
  await database.db`
    update import_run set ended_at = ${'2026-01-01T00:00:00Z'}::text::timestamptz where account_id = ${accountId} and run_id = ${dry.id}`
  await forgetFiles(service.runtime.db, service.runtime.imports.files, new AbortController().signal)
  expect((await read(dry.id)).body.data.file.is_kept).toBe(false)
  expect((await read(run.id, '/file')).text).toBe(BEFORE)
  expect(await ended(await repeat(run.id, { dry_run: false, confirm: true }))).toMatchObject({
    mode: 'delta',
    confirmed: true,
    created: 3,
  })
  // without its file it cannot be imported
  const refused = await repeat(dry.id, {})
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'conflict',
    `the file of run ${dry.id} is not kept, or not any more: send it again`,
  ])
})

test('a mapping that is not valid is refused with its faults, by their paths in the body', async () => {
  const dry = await ended(await upload(BEFORE, 'dry_run=true'))
  const refused = await repeat(dry.id, { mapping: { fields: { sku: { colum: 'sku' } } } })
  expect([refused.status, refused.body.code, refused.body.errors[0].name]).toEqual([
    422,
    'invalid-input',
    'mapping.fields.sku.colum',
  ])
  expect((await repeat(999_999_999, {})).body.code).toBe('unknown-run')
})

test('so many of each kind are listed, long texts are cut, and all are counted', async () => {
  const rows = (cost: number, text: string) =>
    Array.from(
      { length: 30 },
      (_, i) => `${cost === 2 && i < 10 ? 'N' : 'K'}${String(i).padStart(3, '0')},${cost},1,${text},,,`,
    )
  await ended(await upload(table(...rows(1, 'a'))))
  Object.assign(LIMITS, { importComparedOffersMax: 4, importComparedTextCharactersMax: 5, importPageRows: 7 })
  const dry = await ended(await upload(table(...rows(2, 'a long text')), 'dry_run=true&confirm=true'))
  expect(dry).toMatchObject({ created: 10, changed: 20, zeroed: 10 })
  const listed = await changes(dry.id)
  for (const kind of ['created', 'changed', 'zeroed'])
    expect(listed.filter((change: { kind: string }) => change.kind === kind)).toHaveLength(4)
  expect(listed.find(({ kind }: { kind: string }) => kind === 'changed').after.content.texts.en.title).toBe('a lon…')
})
