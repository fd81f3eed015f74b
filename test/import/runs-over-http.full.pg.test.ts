import { zipSync } from 'fflate'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openCommands, type Commands } from '../harness/command.ts'
import type { Answer, TestService } from '../harness/service.ts'
import { startImportService, type ImportAccount } from './import-service.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { ofFile } from '../harness/world.ts'

// Import runs from the upload to their end, as connectors and users of the command line see them.

const at = ofFile(() => startImportService(['api', 'work']))
let service: TestService
let commands: Commands
let accountId: number
let token: string
let http: ImportAccount['http']
beforeAll(async () => {
  ;({ service } = at)
  commands = openCommands(at.database, at.directory)
})
beforeEach(async () => {
  ;({ accountId, token, http } = await at.enter())
})

const MAPPING = { locale: 'en', fields: { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title' } }
const table = (...rows: string[]) => `sku,cost,qty,title\n${rows.join('\n')}\n`

function upload(content: string | Uint8Array<ArrayBuffer>, query = '', mapping: unknown = MAPPING): Promise<Answer> {
  const form = new FormData()
  form.append('mapping', JSON.stringify(mapping))
  form.append('file', new Blob([content]), 'list.csv')
  return http(`/v1/account/suppliers/north/imports?${query}`, { method: 'POST', body: form })
}
const read = async (id: number, path = '') => http(`/v1/account/imports/${id}${path}`)
const post = async (id: number, path: string) => http(`/v1/account/imports/${id}/${path}`, { method: 'POST' })
/** Waits until a run has ended. @returns the run */
async function ended(answer: Answer) {
  expect([answer.status, answer.text]).toEqual([answer.status === 200 ? 200 : 202, answer.text])
  const { id } = answer.body.data
  await expect.poll(async () => (await read(id)).body.data.ended_at, { timeout: 20_000 }).not.toBe(null)
  return (await read(id)).body.data
}
const quantityOf = async (sku: string) =>
  (await http(`/v1/account/suppliers/north/offers/${sku}`)).body.data?.quantity as number | undefined

test('a file is imported, its refused rows are told by reason and can be downloaded, in full', async () => {
  const bad = Array.from({ length: 7 }, (_, i) => `P-${i},preorder,1,x`)
  const list = table('A-1,10,5,Spade', 'A-2,"1,500",2,"Hammer, large"', '=A3,cheap,1,x', ...bad)
  const run = await ended(await upload(list, 'confirm=true'))
  expect(run).toMatchObject({
    state: 'succeeded',
    rows: 10,
    created: 1,
    refused: 9,
    problem: null,
    next_step: 'correct the 9 rows that were refused',
    mapping: MAPPING,
  })
  expect(run.refusals[0]).toMatchObject({
    field: 'cost',
    count: 7,
    examples: expect.arrayContaining([{ line: 5, sku: 'P-0', value: 'preorder' }]),
  })
  expect(await quantityOf('A-1')).toBe(5)
  const csv = await read(run.id, '/refusals')
  expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    `attachment; filename=refusals-${run.id}.csv`,
  ])
  const lines = csv.text.trim().split('\r\n')
  expect([lines.length, lines[0]]).toEqual([10, 'line,sku,field,reason'])
  expect(lines[1]).toMatch(/^3,A-2,cost,"""1,500"" is 1500 or 1\.500: /)
  // escaped, so that a spreadsheet does not run it as a formula
  expect(lines[2]).toMatch(/^4,'=A3,cost,/)
  for (const [query, accept] of [
    ['?format=ndjson', 'text/csv'],
    ['', 'application/x-ndjson'],
  ] as const) {
    const answer = await fetch(`${service.url}/v1/account/imports/${run.id}/refusals${query}`, {
      headers: { accept, authorization: `Bearer ${token}` },
    })
    const rows = (await answer.text()).trim().split('\n')
    expect([answer.headers.get('content-type'), rows.length]).toEqual(['application/x-ndjson', 9])
    expect(JSON.parse(rows[2] ?? '')).toEqual({
      line: 5,
      sku: 'P-0',
      errors: [{ name: 'cost', reason: expect.stringContaining('preorder') }],
    })
  }
})

test('a file that exceeds thresholds is held, and imported when it is confirmed; the last full run is undone', async () => {
  const first = await ended(await upload(table('A-1,10,5,a', 'A-2,10,5,a', 'A-3,10,5,a', 'A-4,10,5,a')))
  expect([first.state, first.created]).toEqual(['succeeded', 4])
  const held = await ended(await upload(table('A-1,10,5,a')))
  expect(held).toMatchObject({ state: 'held', confirmed: false, written: 0 })
  expect(held.next_step).toMatch(/if the file is right, confirm the run/)
  expect(held.excesses.length + (held.problem === null ? 0 : 1)).toBeGreaterThan(0)
  expect(await quantityOf('A-4')).toBe(5)
  const confirmed = await ended(await post(held.id, 'confirm'))
  expect(confirmed).toMatchObject({ id: held.id, state: 'succeeded', confirmed: true, zeroed: 3, next_step: null })
  expect(await quantityOf('A-4')).toBe(0)
  const changes = await read(held.id, '/changes?per_page=2')
  expect(changes.body).toEqual({
    data: [
      {
        sku: 'A-2',
        kind: 'zeroed',
        product_id: expect.any(Number),
        before: expect.objectContaining({ quantity: 5 }),
        after: null,
      },
      {
        sku: 'A-3',
        kind: 'zeroed',
        product_id: expect.any(Number),
        before: expect.objectContaining({ quantity: 5 }),
        after: null,
      },
    ],
    meta: { per_page: 2, next_after: 'A-3' },
  })
  expect((await read(held.id, '/changes?after=A-3')).body.data).toMatchObject([{ sku: 'A-4' }])
  const asked = await post(held.id, 'undo')
  expect([asked.status, asked.headers.get('location')]).toEqual([202, `/v1/account/imports/${asked.body.data.id}`])
  const undone = await ended(asked)
  expect(undone).toMatchObject({ state: 'succeeded', trigger: 'undo', undoes: held.id, file: null, mapping: null })
  expect((await read(held.id)).body.data.undone_by).toBe(undone.id)
  expect(await quantityOf('A-4')).toBe(5)
  for (const [id, action, detail] of [
    [held.id, 'undo', /cannot be undone/],
    [held.id, 'confirm', /not held, but succeeded/],
    [undone.id, 'undo', /cannot be undone/],
  ] as const) {
    const refused = await post(id, action)
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'conflict',
      expect.stringMatching(detail),
    ])
  }
  const none = await read(undone.id, '/file')
  expect([none.status, none.body.code]).toEqual([404, 'unknown-reference'])
})

describe('what cannot be read is refused, and says what to do', () => {
  test.each<[string, () => string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['an HTML page', () => '<!doctype html><html><body>Sign in</body></html>', /HTML/],
    [
      'a zip bomb',
      () =>
        new Uint8Array(
          zipSync({
            'a.csv': [
              Buffer.from(`sku,cost,qty,title\n${`A-1,10,5,${'a'.repeat(100_000)}\n`.repeat(1_000)}`),
              { level: 9 },
            ],
          }),
        ),
      /expands/,
    ],
    ['a table without the columns', () => 'a,b\n1,2\n', /sku/],
    ['binary', () => new Uint8Array(Array.from({ length: 500 }, (_, i) => i % 7)), /./],
  ])('%s', { timeout: 60_000 }, async (_, content, detail) => {
    const run = await ended(await upload(content()))
    expect(run).toMatchObject({ state: 'refused', written: 0, problem: { code: 'source-unreadable' } })
    expect(run.problem.detail).toMatch(detail)
    expect(run.next_step).toMatch(/^correct the file or its mapping/)
  })
})

test('a dry run writes nothing, and says what comes next', async () => {
  const run = await ended(await upload(table('A-1,10,5,a'), 'dry_run=true'))
  expect(run).toMatchObject({
    state: 'succeeded',
    dry_run: true,
    created: 1,
    next_step: 'import the file without the dry run',
  })
  expect(await quantityOf('A-1')).toBe(undefined)
})

test('a source gives its mapping and mode', async () => {
  const made = await http('/v1/account/suppliers/north/sources', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'sent', kind: 'upload', mapping: MAPPING, mode: 'delta' }),
  })
  expect([made.status, made.text]).toEqual([201, made.text])
  const send = (query: string) =>
    http(`/v1/account/suppliers/north/imports?${query}`, { method: 'POST', body: table('A-1,10,5,a') })
  const run = await ended(await send('source=sent'))
  expect(run).toMatchObject({ state: 'succeeded', mode: 'delta', created: 1, mapping: MAPPING })
  const unknown = await send('source=none')
  expect([unknown.status, unknown.body.code, unknown.body.detail]).toEqual([
    404,
    'unknown-reference',
    'supplier north has no source "none"; its sources: sent',
  ])
  expect((await send('source=sent&mode=full')).body.detail).toMatch(/mode cannot be combined with source/)
})

test('the runs of another account are not there', async () => {
  const run = await ended(await upload(table('A-1,10,5,secret title')))
  ;({ http } = await at.enter())
  expect((await http('/v1/account/imports')).body.data).toEqual([])
  for (const path of ['', '/file', '/refusals', '/changes'])
    expect([path, (await read(run.id, path)).body?.code]).toEqual([path, 'unknown-run'])
  for (const path of ['confirm', 'cancel', 'undo'])
    expect([path, (await post(run.id, path)).body?.code]).toEqual([path, 'unknown-run'])
})

test('by command line the runs are listed, shown, downloaded, confirmed and undone', async () => {
  const account = ['--account', String(accountId)]
  const first = await ended(await upload(table('A-1,10,5,a', 'A-2,10,5,a', 'A-3,x,5,a')))
  const held = await ended(await upload(table('A-9,10,5,a')))
  const imports = (...args: string[]) => commands.json(['imports', ...args, ...account])
  expect(await imports('list', '--supplier', 'north')).toMatchObject({
    runs: [
      { run_id: held.id, state: 'held', supplier: 'north' },
      { run_id: first.id, state: 'succeeded', refused: 1, next_step: 'correct the row that was refused' },
    ],
  })
  expect((await imports('list', '--state', 'held')).runs).toHaveLength(1)
  expect(await imports('show', String(first.id))).toMatchObject({
    run_id: first.id,
    file_name: 'list.csv',
    is_file_kept: true,
    refusals: [{ field: 'cost', count: 1 }],
  })
  const shown = await commands.run(['imports', 'show', String(first.id), ...account])
  expect(shown.out).toMatch(/refused: 1 x cost .*: line 4 \(A-3\)\nnext: correct the row that was refused/)
  const refusals = await commands.run(['imports', 'refusals', String(first.id), ...account])
  expect(refusals.out).toMatch(/^line,sku,field,reason\r\n4,A-3,cost,/)
  const file = await commands.run(['imports', 'file', String(first.id), ...account])
  expect(file.out).toBe(table('A-1,10,5,a', 'A-2,10,5,a', 'A-3,x,5,a'))
  expect((await imports('changes', String(first.id))).changes).toMatchObject([
    { sku: 'A-1', kind: 'created', before: null },
    { sku: 'A-2', kind: 'created' },
  ])
  expect(await imports('confirm', String(held.id), '--wait')).toMatchObject({ state: 'succeeded', zeroed: 2 })
  expect(await imports('undo', String(held.id), '--wait')).toMatchObject({ state: 'succeeded', undoes_run_id: held.id })
  expect(await quantityOf('A-1')).toBe(5)
  expect(await imports('cancel', String(held.id))).toMatchObject({ run_id: held.id, state: 'succeeded' })
  expect(await commands.refusal(['imports', 'show', '999999', ...account])).toMatch(
    /has no import run 999999.*imports list/,
  )
})

test('by command line as many runs are listed as are asked for, also heavy ones, with what runs have', async () => {
  const runs = []
  for (const sku of ['A-1', 'A-2', 'A-3'])
    runs.unshift(await ended(await upload(table(`${sku},10,5,a`), 'confirm=true')))
  const limits: { listCharacters: number } = LIMITS
  const before = limits.listCharacters
  limits.listCharacters = 1
  try {
    const list = async (...more: string[]) =>
      (await commands.json(['imports', 'list', '--account', String(accountId), ...more])).runs
    const listed = await list('--limit', '2')
    expect(listed).toMatchObject(runs.slice(0, 2).map(({ id }) => ({ run_id: id, mapping: MAPPING })))
    expect(Object.keys(listed[0])).not.toEqual(expect.arrayContaining([expect.stringMatching(/weight|earlier|found/)]))
    expect(await list('--before', String(runs[0].id))).toMatchObject(runs.slice(1).map(({ id }) => ({ run_id: id })))
  } finally {
    limits.listCharacters = before
  }
})
