import process from 'node:process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { IMAGE_SIZES } from '../../contract/routes/images.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { memoryMax } from '../../src/service.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { everyNth } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { serveApart, type Served } from '../harness/served.ts'
import { client } from '../harness/service.ts'
import { serveFiles } from '../import/sources-bench.ts'
import { avifBomb, picture, pngBomb } from '../images/pictures.ts'
import { FILE_SHAPES, MAPPING_SHAPES } from '../shapes/file-shapes.ts'
import { startAttacker, type Attack } from './attacker.ts'

// One account attacks the service while another works: the effects on the second. The service is a separate process, as an operator runs it.

/**
 * The promised limits hold on an otherwise idle machine (SHELFWIRE_QUIET=1). A gate runs two files at a time on two processors, so
 * it only detects attacks that make the service unusable for others.
 */
const SLACK = process.env['SHELFWIRE_QUIET'] === '1' ? 1 : 4
/** The longest allowed read of the victim, to which the longest read before the attack is added. */
const READ_MS = 250 * SLACK
const UPLOAD_MS = 5_000 * SLACK
const IMPORT_MS = 10_000 * SLACK
/** The number of tries, because the machine may be busy with something else. */
const TRIES = 3

let database: TestDatabase
let directory: string
let served: Served
let attacker: Party
let victim: Party

interface Party {
  account: TestAccount
  token: string
  http: ReturnType<typeof client>
}

let begun: Promise<void> | undefined
/** Called within a test, because starting the service uses expect.poll. */
const begin = () => (begun ??= start())

async function start(): Promise<void> {
  database = await createDatabase()
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-isolation-'))
  served = await serveApart('api,work', {
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    MIRROR: 'off',
    OUTBOUND_ALLOW: '127.0.0.1/32',
    LOG_LEVEL: 'info',
  })
  attacker = await enter('attacker')
  victim = await enter('victim')
}

async function enter(name: string): Promise<Party> {
  const account = await createAccount(openBench(database.db), name)
  const { token } = await inTransaction(database.db, (tx) =>
    createToken(tx, { accountId: account.accountId, access: 'full', expiresAt: null }),
  )
  return { account, token, http: client(served.url, token) }
}
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

/** Reads as the victim, one request after the other. @returns a function that stops and returns the longest time */
function reading(): { end(): Promise<number> } {
  const over = new AbortController()
  let longest = 0
  const reads = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now()
      const { status } = await victim.http('/v1/account/suppliers')
      expect(status).toBe(200)
      longest = Math.max(longest, performance.now() - begun)
      await sleep(10)
    }
    return longest
  })()
  reads.catch(() => {})
  return {
    end() {
      over.abort()
      return reads
    },
  }
}

const MAPPING = { format: 'csv', fields: { sku: 'sku', cost: 'cost', quantity: 'stock' } }
let files = 0

/** Uploads a file of three lines and waits until it is imported. @returns the times of the upload and of the whole import */
async function importThreeLines(): Promise<{ upload: number; all: number }> {
  const form = new FormData()
  form.set('mapping', JSON.stringify(MAPPING))
  form.set('file', new Blob([`sku,cost,stock\nA,1,${++files}\nB,2,${files}\nC,3,${files}\n`]))
  const begun = performance.now()
  const sent = await victim.http('/v1/account/suppliers/north/imports', { method: 'POST', body: form })
  const upload = performance.now() - begun
  expect(sent.status).toBe(202)
  const runId = sent.body.data.id
  await until(
    'the import of three lines is written',
    async () => {
      const [run] = await database.db<{ written: number }[]>`
        select written from import_run where account_id = ${victim.account.accountId} and run_id = ${runId}`
      return Number(run?.written) === 3
    },
    60_000,
  )
  return { upload, all: performance.now() - begun }
}

/** The memory in bytes of the service's process and its child processes. */
async function memory(): Promise<number> {
  const of = async (pid: number): Promise<number> => {
    const pages = Number((await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '0 0')).split(' ')[1])
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '')
    const below = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((child) => of(Number(child))),
    )
    return below.reduce((sum, bytes) => sum + bytes, pages * 4_096)
  }
  const started = await readFile(`/proc/self/task/${process.pid}/children`, 'latin1')
  for (const pid of started.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    if (command.includes('\0serve\0')) return of(Number(pid))
  }
  throw new Error('the service is no child of this process')
}

/** Uploads a new picture and requests a size of it. @returns the time of both */
async function sendPicture(): Promise<number> {
  const begun = performance.now()
  const body = new Blob([new Uint8Array(await picture('jpeg', { width: 300, height: 200, seed: ++files }))])
  const sent = await victim.http('/v1/account/images', {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg' },
    body,
  })
  expect(sent.status, sent.text).toBe(201)
  const size = await fetch(`${sent.body.data.url}?w=200`)
  expect(size.status).toBe(200)
  await size.arrayBuffer()
  return performance.now() - begun
}

/** Measures the victim during an attack, which ends when the victim's requests are done. */
async function suffer(attack: (signal: AbortSignal) => Promise<unknown>): Promise<{
  longest: number
  upload: number
  picture: number
  all: number
  bytes: number
}> {
  const ending = new AbortController()
  let failure: unknown
  const attacking = attack(ending.signal).catch((error: unknown) => (failure = error))
  const reads = reading()
  await sleep(700)
  const sentPicture = await sendPicture()
  const { upload, all } = await importThreeLines()
  const bytes = await memory()
  await sleep(1_500)
  const longest = await reads.end()
  const late = await memory()
  ending.abort()
  await attacking
  if (failure !== undefined) throw failure
  return { longest, upload, picture: sentPicture, all, bytes: Math.max(bytes, late) }
}

/** Repeats an attack up to TRIES times, because the machine may be busy, and fails if it affects the victim each time. */
async function expectUnhurt(name: string, attack: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  await begin()
  const said: string[] = []
  for (let i = 1; i <= TRIES; i++) {
    const idle = reading()
    const calmPicture = await sendPicture()
    const calm = await importThreeLines()
    await sleep(500)
    const before = await idle.end()
    const { longest, upload, picture: sentPicture, all, bytes } = await suffer(attack)
    expect(served.exit(), served.said().slice(-2_000)).toBeNull()
    // the process itself and its child processes
    expect(bytes).toBeLessThan(memoryMax(readSettings({ MIRROR: 'off' }), ['api', 'work']))
    said.push(
      `${name}: longest read ${Math.round(longest)} ms (${Math.round(before)} ms before), upload ${Math.round(upload)} ms (${Math.round(calm.upload)}), picture ${Math.round(sentPicture)} ms (${Math.round(calmPicture)}), import ${Math.round(all)} ms (${Math.round(calm.all)}), ${Math.round(bytes / 1_048_576)} MB, the attacker was answered ${answers}`,
    )
    const uploaded = upload <= UPLOAD_MS + calm.upload && sentPicture <= UPLOAD_MS + calmPicture
    if (longest <= READ_MS + before && uploaded && all <= IMPORT_MS + calm.all) {
      process.stdout.write(`${said.at(-1)}\n`)
      return
    }
  }
  expect.fail(said.join('\n'))
}

interface Flooding {
  method?: 'GET' | 'POST'
  path: string
  /** The body of the request. */
  body?: Uint8Array | FormData
}

/** An attack that repeats requests, several at a time, from a process and an address of its own. */
const flood =
  (make: () => readonly Flooding[], atOnce = 6) =>
  async (signal: AbortSignal) => {
    const requests: Attack['requests'][number][] = []
    for (const { method = 'POST', path, body } of make()) {
      const headers: Record<string, string> = method === 'GET' ? {} : { authorization: `Bearer ${attacker.token}` }
      let file: string | null = null
      if (body !== undefined) {
        const encoded = new Response(body instanceof FormData ? body : new Uint8Array(body))
        headers['content-type'] = encoded.headers.get('content-type') ?? 'application/octet-stream'
        file = join(directory, `sent-${++sentFiles}`)
        await writeFile(file, Buffer.from(await encoded.arrayBuffer()))
      }
      requests.push({ method, path, headers, file })
    }
    const process = startAttacker({ url: served.url, requests, atOnce, localAddress: '127.0.0.2' })
    let said = ''
    process.process.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    await process.stop()
    answers = said
    // 503: more than may wait
    const failed = Object.keys(JSON.parse(said || '{}') as object).filter((status) => /^5(?!03)/.test(status))
    expect(failed, said).toEqual([])
  }
let sentFiles = 0
/** The answers that the last attacker got, by status. */
let answers = ''
const formOf = (mapping: unknown, bytes: Buffer): FormData => {
  const form = new FormData()
  form.set('mapping', JSON.stringify(mapping))
  form.set('file', new Blob([new Uint8Array(bytes)]))
  return form
}
const shapeOf = (name: string) => {
  const shape = [...FILE_SHAPES, ...MAPPING_SHAPES].find((each) => each.name === name)
  if (shape === undefined) throw new Error(`there is no shape "${name}"`)
  return shape
}

const DETECTED = [
  'gzip of 64,000 nested elements',
  '20,000 attributes',
  '3,000,000 opening brackets',
  '4,990 columns',
  'JSON of 300,000 keys',
  'an open quote of 8 MB',
]
// a gate tries every third of the attacks that have several shapes, chosen by its seed
test.each(everyNth(DETECTED, 3))('detect: %s', { timeout: 180_000, retry: 2 }, async (name) => {
  const body = shapeOf(name).bytes()
  await expectUnhurt(
    name,
    flood(() => [{ path: '/v1/account/suppliers/north/imports/detect', body }]),
  )
})

const PREVIEWED = [
  'a zip of 60 MB of line ends',
  'replacements that grow 16,000 times each',
  'alternatives of classes, repeated',
]
test.each(everyNth(PREVIEWED, 3))('preview: %s', { timeout: 180_000, retry: 2 }, async (name) => {
  const { mapping, bytes } = shapeOf(name)
  const file = bytes()
  await expectUnhurt(
    name,
    flood(() => [{ path: '/v1/account/suppliers/north/imports/preview', body: formOf(mapping, file) }]),
  )
})

test.each(everyNth(PREVIEWED, 3))('runs: %s', { timeout: 180_000, retry: 2 }, async (name) => {
  const { mapping, bytes } = shapeOf(name)
  const file = bytes()
  await expectUnhurt(
    `runs of ${name}`,
    flood(() => [{ path: '/v1/account/suppliers/south/imports', body: formOf(mapping, file) }]),
  )
})

test('sources that send 1.3 kB/s', { timeout: 180_000, retry: 2 }, async () => {
  await begin()
  await using server = await serveFiles((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('sku,cost,stock\n')
    const timer = setInterval(() => response.write('A-1,10,3\n'.repeat(14)), 100)
    response.on('close', () => clearInterval(timer))
  })
  // runs of earlier attacks would be waited for
  const slow = await enter('slow')
  const names = ['north', 'south']
  for (const supplier of names) {
    const made = await slow.http(`/v1/account/suppliers/${supplier}/sources`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'slow', kind: 'http', url: `${server.url}/slow.csv`, mapping: MAPPING }),
    })
    expect(made.status, made.text).toBe(201)
  }
  await expectUnhurt('sources that send 1.3 kB/s', async (signal) => {
    for (const supplier of names)
      await slow.http(`/v1/account/suppliers/${supplier}/sources/slow/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    await until('both are fetched', async () => server.requests.length >= 2)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  })
})

test('60 pricing rules of 1 MB', { timeout: 300_000, retry: 2 }, async () => {
  await begin()
  const json = (body: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const ids: number[] = []
  for (let rule = 0; rule < 60; rule++) {
    const made = await attacker.http('/v1/account/pricing-rules', {
      method: 'POST',
      ...json({
        name: `R${rule}`,
        priority: 10 + rule,
        action: 'markup',
        percent: 10,
        manufacturers: Array.from({ length: 10_000 }, (_, i) => `Manufacturer ${rule} ${i} `.padEnd(90, 'AB')),
      }),
    })
    expect(made.status, made.text.slice(0, 300)).toBe(201)
    ids.push(made.body.data.id)
  }
  await expectUnhurt('60 pricing rules of 1 MB', async (signal) => {
    const one = async (begin: number) => {
      for (let i = begin; !signal.aborted; i++) {
        const id = ids[i % ids.length]
        const edit = { method: 'PATCH', ...json({ percent: i % 40 }), signal }
        const { status } = await attacker.http(`/v1/account/pricing-rules/${id}`, edit)
        expect(status).toBeLessThan(300)
        await attacker.http(`/v1/account/pricing-rules?per_page=200&after=${id}`, { signal })
      }
    }
    await Promise.allSettled([0, 15, 30, 45].map(one))
  })
})

/** A file of one kB that decodes to 25 megapixels, one with 50 megapixels, which is refused, and a PNG of 50 megapixels. */
const HEAVY_PICTURES = [avifBomb('plain', 4_990), avifBomb('plain', 7_070), pngBomb(10_000, 5_000)] as const

test.each(everyNth([20, 60], 2))(
  '%i pictures of a kB and 50 megapixels',
  { timeout: 240_000, retry: 2 },
  async (atOnce) => {
    await expectUnhurt(
      `${atOnce} pictures of 50 megapixels`,
      flood(() => HEAVY_PICTURES.map((body) => ({ path: '/v1/account/images', body })), atOnce),
    )
  },
)

test('sizes of a picture of 50 megapixels, asked for by one address', { timeout: 240_000, retry: 2 }, async () => {
  await begin()
  const [avif, , png] = HEAVY_PICTURES
  const paths: string[] = []
  for (const [type, bytes] of [
    ['image/avif', avif],
    ['image/png', png],
  ] as const) {
    const body = new Blob([new Uint8Array(bytes)])
    const sent = await attacker.http('/v1/account/images', { method: 'POST', headers: { 'content-type': type }, body })
    expect(sent.status, sent.text).toBe(201)
    paths.push(new URL(sent.body.data.url).pathname)
  }
  const sizes = IMAGE_SIZES.flatMap((w) => IMAGE_SIZES.map((h) => `?w=${w}&h=${h}&format=webp`))
  await expectUnhurt(
    'sizes of a picture of 50 megapixels',
    flood(() => sizes.flatMap((size) => paths.map((path) => ({ method: 'GET', path: path + size }))), 60),
  )
})
