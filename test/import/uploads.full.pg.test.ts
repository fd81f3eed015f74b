import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { dial, parsedAnswer, rawRequest } from '../harness/raw-request.ts'
import { tokenFor, type Answer, type TestService } from '../harness/service.ts'
import { startImportService, type ImportAccount } from './import-service.ts'
import { ofFile } from '../harness/world.ts'

// Uploaded files: which become a run, and which leave nothing behind. No worker runs here, so the runs wait.

const at = ofFile(startImportService)
let service: TestService
let directory: string
let accountId: number
let token: string
let http: ImportAccount['http']
beforeAll(async () => {
  ;({ service, directory } = at)
})
// an account for each test, so that anything that a test leaves behind is noticed
beforeEach(async () => {
  ;({ accountId, token, http } = await at.enter())
})

const CSV = 'sku;cost;qty\nA-1;10,50;7\nA-2;20;0\n'
const MAPPING = { decimal: ',', fields: { sku: 'sku', cost: 'cost', quantity: 'qty' } }
const GOOGLE = 'mapping=google'

type Body = string | Uint8Array | FormData
const upload = (query: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> =>
  http(`/v1/account/suppliers/acme/imports?${query}`, { method: 'POST', body, headers })
function form(fileName?: string, mapping: unknown = MAPPING): FormData {
  const made = new FormData()
  made.append('mapping', JSON.stringify(mapping))
  made.append('file', new Blob([CSV]), fileName)
  return made
}

/** The stored files of the account. */
async function kept(): Promise<string[]> {
  return await readdir(join(directory, 'imports', String(accountId))).catch(() => [])
}
/** The files of all accounts that are being received. */
async function unfinished(): Promise<string[]> {
  const names = await readdir(directory, { recursive: true })
  return names.filter((name) => /^import-files\/|unfinished\//.test(name))
}
const runs = async () => (await http('/v1/account/imports')).body.data as Record<string, unknown>[]

/** Expects that a request left nothing behind: no run, no file, and no part of one. */
async function expectNothing(): Promise<void> {
  await expect.poll(unfinished, { timeout: 10_000 }).toEqual([])
  expect(await kept()).toEqual([])
  expect(await runs()).toEqual([])
}

const head = (length: string, query = GOOGLE, ...fields: string[]) =>
  [
    `POST /v1/account/suppliers/acme/imports?${query} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    length,
    ...fields,
    '',
    '',
  ].join('\r\n')

describe('a file that has arrived', () => {
  test('is kept as it came, and is a run that waits', async () => {
    const { status, headers, body } = await upload(`${GOOGLE}&mode=delta&dry_run=true&file_name=list.tsv`, CSV)
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/v1/account/imports/${body.data.id}`)
    expect(body.data).toMatchObject({
      supplier: 'acme',
      source: null,
      trigger: 'upload',
      mode: 'delta',
      dry_run: true,
      confirmed: false,
      state: 'waiting',
      next_step: 'wait until it has ended',
      file: { name: 'list.tsv', bytes: CSV.length, is_kept: true },
      problem: null,
    })
    const shown = await http(headers.get('location') ?? '')
    expect(shown.body.data).toEqual({
      ...body.data,
      mapping: { preset: 'google' },
      refusals: [],
      dropped: [],
      left_out: [],
      without_cost: null,
    })
    const file = await http(`${headers.get('location')}/file`)
    expect([file.text, file.headers.get('content-type'), file.headers.get('content-length')]).toEqual([
      CSV,
      'application/octet-stream',
      String(CSV.length),
    ])
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=list.tsv')
    expect(await kept()).toHaveLength(1)
    expect(await unfinished()).toEqual([])
  })

  test('is a part of a form beside its mapping', async () => {
    const { status, body } = await upload('', form('list.csv'))
    expect([status, body.data.mode, body.data.file]).toMatchObject([
      202,
      'full',
      { name: 'list.csv', bytes: CSV.length },
    ])
    const { data } = (await http(`/v1/account/imports/${body.data.id}`)).body
    expect(data.mapping).toEqual(MAPPING)
  })

  test('has any content type, needs no Content-Length, and may be compressed', async () => {
    for (const [body, headers] of [
      [CSV, { 'content-type': 'application/json' }],
      [CSV, { 'content-type': 'no type' }],
      [gzipSync(CSV), { 'content-type': 'application/gzip' }],
      [gzipSync(CSV), { 'content-encoding': 'gzip' }],
    ] as const) {
      const sent = await upload(GOOGLE, body, headers)
      expect([sent.status, sent.body.data?.file.bytes], JSON.stringify(headers)).toEqual([202, body.length])
      const file = await fetch(`${service.url}/v1/account/imports/${sent.body.data.id}/file`, {
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
      })
      expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(body))
    }
    const chunked = `${head('Transfer-Encoding: chunked', GOOGLE, 'Connection: close')}5\r\nA;B\r\n\r\n4\r\n1;2\n\r\n0\r\n\r\n`
    expect(parsedAnswer(await rawRequest(service.url, chunked)).status).toBe(202)
    const asked = await rawRequest(
      service.url,
      `${head('Content-Length: 4', GOOGLE, 'Expect: 100-continue', 'Connection: close')}A;B\n`,
    )
    expect(asked).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 /)
  })

  test('keeps its name, without folders and without characters that are not part of a name', async () => {
    for (const [name, shown, disposition] of [
      ['../../etc/passwd', 'passwd', 'attachment; filename=passwd'],
      ['C:\\lists\\a.csv', 'a.csv', 'attachment; filename=a.csv'],
      ['a"b.csv\r\nSet-Cookie: x=1', 'a"b.csvSet-Cookie: x=1', 'attachment; filename="a\\"b.csvSet-Cookie: x=1"'],
      ['Preisliste Größe.csv', 'Preisliste Größe.csv', /^attachment; filename="Preisliste Gr.*\.csv"/],
      ['\u202Evsc.exe', 'vsc.exe', 'attachment; filename=vsc.exe'],
      ['x'.repeat(500), 'x'.repeat(200), `attachment; filename=${'x'.repeat(200)}`],
      ['', 'file', 'attachment; filename=file'],
    ] as const) {
      const { body } = await upload(`${GOOGLE}&file_name=${encodeURIComponent(name)}`, CSV)
      expect(body.data.file.name).toBe(shown)
      const { headers } = await http(`/v1/account/imports/${body.data.id}/file`)
      expect(headers.get('set-cookie')).toBe(null)
      if (typeof disposition === 'string') expect(headers.get('content-disposition')).toBe(disposition)
      else expect(headers.get('content-disposition')).toMatch(disposition)
    }
    const ofForm = await upload('', form('..\\..\\a.csv'))
    expect(ofForm.body.data.file.name).toBe('a.csv')
    expect(await kept()).toHaveLength(8)
  })

  test('sent twice with one Idempotency-Key is one run, whatever the boundary of its form', async () => {
    const headers = { 'idempotency-key': 'monday' }
    const first = await upload(GOOGLE, CSV, headers)
    const second = await upload(GOOGLE, CSV, headers)
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true'])
    const other = await upload(GOOGLE, `${CSV}A-3;1;1\n`, headers)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused'])
    expect(await kept()).toHaveLength(1)
    const asForm = { 'idempotency-key': 'tuesday' }
    const forms = [await upload('', form('a.csv'), asForm), await upload('', form('a.csv'), asForm)]
    expect(forms.map(({ body }) => body.data.id)).toEqual([forms[0]?.body.data.id, forms[0]?.body.data.id])
    const remapped = await upload('', form('a.csv', { ...MAPPING, decimal: '.' }), asForm)
    expect(remapped.body.code).toBe('idempotency-key-reused')
    expect(await kept()).toHaveLength(2)
    expect(await unfinished()).toEqual([])
  })

  test('may be one of two for one supplier at the same time: the runs wait for each other', async () => {
    const both = await Promise.all([upload(GOOGLE, CSV), upload('', form('b.csv'))])
    expect(both.map(({ status }) => status)).toEqual([202, 202])
    const listed = await runs()
    expect(listed.map(({ id }) => id).toSorted()).toEqual(both.map(({ body }) => body.data.id).toSorted())
  })
})

describe('what is refused leaves nothing', () => {
  test.each<[string, Body | (() => Body), number, string, RegExp, string[]]>([
    ['', CSV, 422, 'invalid-input', /the mapping is required/, ['mapping']],
    ['mapping=none', CSV, 400, 'invalid-parameters', /mapping must be one of/, ['mapping']],
    ['mapping=magento2', CSV, 400, 'invalid-parameters', /image_base_url is required/, ['image_base_url']],
    ['mapping=google&mode=all', CSV, 400, 'invalid-parameters', /mode must be one of full, delta/, ['mode']],
    ['mapping=google&dryrun=true', CSV, 400, 'invalid-parameters', /dryrun is unknown/, ['dryrun']],
    ['mapping=google&dry_run=1', CSV, 400, 'invalid-parameters', /dry_run must be true or false/, ['dry_run']],
    ['mapping=google&source=x', CSV, 400, 'invalid-parameters', /cannot be combined with source/, ['mapping']],
    [`mapping=google&file_name=${'x'.repeat(1_001)}`, CSV, 400, 'invalid-parameters', /file_name/, ['file_name']],
    [GOOGLE, '', 422, 'invalid-input', /the file is empty/, ['file']],
    ['', () => form('x.csv', { fields: {} }), 422, 'invalid-input', /every offer needs a sku/, ['fields.sku']],
    ['', () => form('x.csv', 7), 422, 'invalid-input', /mapping/, ['']],
    [GOOGLE, () => form('x.csv'), 422, 'invalid-input', /given twice/, ['mapping']],
  ])('%s %#', async (query, body, status, code, detail, names) => {
    const answer = await upload(query, typeof body === 'function' ? body() : body)
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([status, code, expect.stringMatching(detail)])
    expect((answer.body.errors ?? []).map(({ name }: { name: string }) => name)).toEqual(names)
    await expectNothing()
  })

  test('a body of no bytes at all, without a length', async () => {
    const answer = await rawRequest(service.url, head('Connection: close'))
    expect(parsedAnswer(answer)).toMatchObject({ status: 422 })
    await expectNothing()
  })

  test('an unknown supplier and a connector’s token, before the body is sent', async () => {
    const expecting = ['Content-Length: 1000', GOOGLE, 'Expect: 100-continue', 'Connection: close'] as const
    const unknown = head(...expecting).replace('/acme/', '/nobody/')
    expect(await rawRequest(service.url, unknown)).toMatch(/^HTTP\/1\.1 404 .*"code":"unknown-supplier"/s)
    const connector = await tokenFor(service.runtime, accountId, 'connector')
    expect(await rawRequest(service.url, head(...expecting).replace(token, connector))).toMatch(/^HTTP\/1\.1 403 /)
    await expectNothing()
  })

  test.each(['Content-Length: 1000', 'Transfer-Encoding: chunked'])(
    'a body that is cut off at half (%s)',
    async (length) => {
      const socket = dial(service.url).on('error', () => {})
      const half = length.startsWith('T') ? `5\r\n${CSV.slice(0, 5)}\r\n` : CSV
      socket.write(head(length) + half)
      await expect.poll(unfinished).toHaveLength(1)
      socket.destroy()
      await expectNothing()
    },
  )

  test('a form whose last boundary is missing, or that ends within a part', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    for (const body of [`${part}${CSV}`, `${part}${CSV}\r\n--x`, part]) {
      const answer = await upload(GOOGLE, body, { 'content-type': 'multipart/form-data; boundary=x' })
      expect([answer.status, answer.body.code]).toEqual([400, 'bad-request'])
      await expectNothing()
    }
  })

  test('two files, or a part after the file', async () => {
    const two = form('a.csv')
    two.append('file', new Blob([CSV]), 'b.csv')
    const late = form('a.csv')
    late.append('colour', 'red')
    for (const [body, name] of [
      [two, 'file'],
      [late, 'colour'],
    ] as const) {
      const answer = await upload('', body)
      expect([answer.status, answer.body.errors?.[0]?.name]).toEqual([422, name])
      await expectNothing()
    }
  })

  test('a client that stops sending is told so', async () => {
    const { arrival } = service.service.app!
    arrival.fileStallMs = 300
    try {
      const answer = await rawRequest(service.url, head('Content-Length: 1000') + CSV)
      expect(parsedAnswer(answer).status).toBe(408)
    } finally {
      arrival.fileStallMs = LIMITS.requestTimeoutMs
    }
    await expectNothing()
  })

  test('a client that sends a byte now and then is told so, and its place is free', async () => {
    const { arrival } = service.service.app!
    arrival.filePaceMs = 1_000
    const open = Array.from({ length: LIMITS.uploadsPerAccountMax }, () => dial(service.url).on('error', () => {}))
    const heard = open.map(() => '')
    for (const [i, socket] of open.entries()) {
      socket.on('data', (data) => (heard[i] += data.toString()))
      socket.write(head('Content-Length: 4294967296') + CSV)
    }
    const dripping = setInterval(() => {
      for (const socket of open) if (socket.writable) socket.write('\n')
    }, 100)
    try {
      await expect
        .poll(() => heard.map((answer) => /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]), { timeout: 10_000 })
        .toEqual(open.map(() => '408'))
    } finally {
      clearInterval(dripping)
      arrival.filePaceMs = LIMITS.uploadPaceMs
      for (const socket of open) socket.destroy()
    }
    await expectNothing()
    expect((await upload(GOOGLE, CSV)).status).toBe(202)
  })

  test('more than a supplier may have waiting', async () => {
    const { db } = service.runtime
    await db`
      insert into import_run (account_id, supplier_id, trigger, mode)
      select account_id, supplier_id, 'upload', 'full' from supplier, generate_series(1, ${LIMITS.importRunsOpenPerSupplierMax})
      where account_id = ${accountId} and code = 'acme'`
    const refused = await upload(GOOGLE, CSV)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect([await kept(), await unfinished()]).toEqual([[], []])
  })
})

test('an account sends so many files at once, and its other writes do not wait for them', async () => {
  const open = Array.from({ length: LIMITS.uploadsPerAccountMax }, () => dial(service.url).on('error', () => {}))
  for (const socket of open) socket.write(head('Content-Length: 4294967296') + CSV)
  await expect.poll(async () => (await unfinished()).length, { timeout: 10_000 }).toBe(open.length)
  const refused = await upload(GOOGLE, CSV)
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'rate-limited',
    String(LIMITS.uploadRetrySeconds),
  ])
  expect(refused.body.detail).toMatch(/an account sends at most 4 files at once; see Retry-After/)
  const large = JSON.stringify({
    rows: Array.from({ length: 30_000 }, () => ({ sku: 'none', quantity: 1, cost: '1.00' })),
  })
  const bulk = await http('/v1/account/bulk/stock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: large,
  })
  expect([large.length > LIMITS.largeBodyBytes, bulk.status]).toEqual([true, 202])
  for (const socket of open) socket.destroy()
  await expect.poll(async () => (await upload(GOOGLE, CSV)).status, { timeout: 10_000 }).toBe(202)
  expect(await runs()).toHaveLength(1)
})

test('a file takes longer than any other body may', async () => {
  const { arrival } = service.service.app!
  arrival.timeoutMs = 200
  try {
    const socket = dial(service.url)
    let heard = ''
    socket.on('data', (data) => (heard += data.toString()))
    const closed = once(socket, 'close')
    socket.write(head('Content-Length: 60', GOOGLE, 'Connection: close'))
    for (let i = 0; i < 30; i++) {
      socket.write('A\n')
      await new Promise((rest) => setTimeout(rest, 60))
    }
    await closed
    expect(parsedAnswer(heard).status).toBe(202)
  } finally {
    arrival.timeoutMs = LIMITS.requestTimeoutMs
  }
})

test('runs are listed newest first, by supplier and by state', async () => {
  const ids: number[] = []
  for (const code of ['acme', 'north', 'acme'])
    ids.unshift(
      (await http(`/v1/account/suppliers/${code}/imports?${GOOGLE}`, { method: 'POST', body: CSV })).body.data
        .id as number,
    )
  const list = async (query: string) => (await http(`/v1/account/imports?${query}`)).body
  const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)
  expect(idsOf(await list(''))).toEqual(ids)
  expect(idsOf(await list('supplier=acme'))).toEqual([ids[0], ids[2]])
  const first = await list('per_page=2')
  expect([idsOf(first), first.meta]).toEqual([ids.slice(0, 2), { per_page: 2, next_before: ids[1] }])
  const second = await list(`per_page=2&before=${first.meta.next_before}`)
  expect([idsOf(second), second.meta.next_before]).toEqual([ids.slice(2), null])
  expect((await http(`/v1/account/imports/${ids[1]}/cancel`, { method: 'POST' })).body.data.state).toBe('canceled')
  expect(idsOf(await list('state=canceled'))).toEqual([ids[1]])
  expect(idsOf(await list('state=waiting&supplier=north'))).toEqual([])
  for (const [query, status] of [
    ['supplier=nobody', 404],
    ['supplier=%00', 400],
    ['state=done', 400],
    ['states=waiting', 400],
    ['before=0', 400],
  ] as const)
    expect([query, (await http(`/v1/account/imports?${query}`)).status]).toEqual([query, status])
})
