import { hash } from 'node:crypto'
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import type { FetchOptions } from '../../src/imports/fetch/fetch-source.ts'
import type { Fetched } from '../../src/imports/fetch/fetched.ts'
import { openFileReaders } from '../../src/file-readers/readers.ts'
import { silentLog } from '../../src/platform/log.ts'
import { trySource } from '../../src/imports/fetch/try-source.ts'
import { enqueueRun } from '../../src/imports/runs/runs.ts'
import type { NewSource } from '../../src/imports/sources/edit-sources.ts'
import { sourceRunEnded } from '../../src/imports/runs/sources/source-runs.ts'
import { MAPPING, openSourcesBench, serveFiles } from './sources-bench.ts'
import { ofFile } from '../harness/world.ts'

// Fetching the file of a source over HTTP, from real servers on loopback.

const at = ofFile(openSourcesBench)
const readers = openFileReaders(silentLog)
afterAll(() => readers.close())

const FILE = 'sku,cost\nA-1,10\n'
const never = new AbortController().signal

async function fetch(
  source: Partial<NewSource>,
  options: Partial<FetchOptions> = {},
  sourceId?: number,
): Promise<Fetched> {
  const id = sourceId ?? (await at.add(source))
  return at.fetching(options).fetchSource(at.account.accountId, id, never, () => {})
}

/** Fetches from a server with this listener. */
async function fetchFrom(
  listener: RequestListener,
  source: Partial<NewSource> = {},
  options: Partial<FetchOptions> = {},
) {
  await using server = await serveFiles(listener)
  return await fetch({ url: `${server.url}/stock.csv`, ...source }, options)
}

/** The content of a fetched file, which is then removed. */
async function contentOf(fetched: Fetched): Promise<string> {
  if (fetched.kind !== 'file') throw new Error(JSON.stringify(fetched))
  const text = await readFile(fetched.path, 'utf8')
  await rm(fetched.path)
  return text
}

describe('a file', () => {
  test('comes with its name, size, hash and tags, and nothing is left behind', async () => {
    const fetched = await fetchFrom((_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT' })
      response.end(FILE)
    })
    expect(fetched).toEqual({
      kind: 'file',
      path: expect.any(String),
      name: 'stock.csv',
      bytes: FILE.length,
      hash: hash('sha256', FILE),
      etag: '"v1"',
      lastModified: 'Mon, 02 Nov 2026 10:00:00 GMT',
      version: 1,
    })
    expect(await contentOf(fetched)).toBe(FILE)
    expect(await readdir(at.directory)).toEqual([])
  })

  test.for([
    ['gzip', gzipSync(FILE), gzipSync(FILE)],
    ['deflate', deflateSync(FILE), Buffer.from(FILE)],
    ['br', brotliCompressSync(FILE), Buffer.from(FILE)],
  ] as const)(
    'in the coding %s, which was not asked for, is kept so that it can be read',
    async ([coding, sent, kept]) => {
      const fetched = await fetchFrom((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding })
        response.end(sent)
      })
      expect(fetched).toMatchObject({ kind: 'file', hash: hash('sha256', kept) })
      await contentOf(fetched)
    },
  )

  test('in a coding is not taken for slow while it is decoded: what has come is never less than before', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `${hash('sha256', String(i))},10\n`).join('')
    await using server = await serveFiles((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' })
      response.end(brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }))
    })
    const id = await at.add({ url: `${server.url}/stock.csv` })
    const come: number[] = []
    const fetched = await at.fetching().fetchSource(at.account.accountId, id, never, (bytes) => void come.push(bytes))
    expect(fetched).toMatchObject({ kind: 'file', bytes: text.length })
    await contentOf(fetched)
    expect(come).toEqual(come.toSorted((a, b) => a - b))
  })

  test('in an unknown or damaged coding is refused with the reason', async () => {
    const coded = (coding: string, body: Buffer) =>
      fetchFrom((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding })
        response.end(body)
      })
    expect(await coded('compress', Buffer.from(FILE))).toMatchObject({
      kind: 'failed',
      fault: 'content_encoding',
      detail: expect.stringMatching(/"compress"/),
    })
    expect(await coded('br', Buffer.from(FILE))).toMatchObject({
      kind: 'failed',
      fault: 'content_encoding',
      detail: expect.stringMatching(/damaged/),
    })
    expect(await readdir(at.directory)).toEqual([])
  })
})

describe('a status', () => {
  test.for([
    [401, {}, { fault: 'http_401', isForGood: true, detail: /add them to the source/ }],
    [403, {}, { fault: 'http_403', isForGood: true, detail: /ask the supplier/ }],
    [404, {}, { fault: 'http_404', isForGood: true, detail: /no file at the URL/ }],
    [410, {}, { fault: 'http_410', isForGood: true, detail: /permanently gone/ }],
    [405, {}, { fault: 'http_405', isForGood: true }],
    [429, { 'retry-after': '120' }, { fault: 'http_429', isForGood: false, retryAfterMs: 120_000 }],
    [429, { 'retry-after': '999999999' }, { fault: 'http_429', retryAfterMs: 86_400_000 }],
    [503, {}, { fault: 'http_503', isForGood: false, retryAfterMs: null }],
    [500, {}, { fault: 'http_500', isForGood: false, detail: /the server failed/ }],
    [204, {}, { fault: 'http_204', detail: /sends no file/ }],
    [304, {}, { fault: 'http_304' }],
  ] as const)('%i says what to do', async ([status, headers, failure]) => {
    const fetched = await fetchFrom((_request, response) => {
      response.writeHead(status, headers)
      response.end()
    })
    const { detail, ...rest } = failure as { detail?: RegExp }
    expect(fetched).toMatchObject({ kind: 'failed', ...rest })
    if (detail !== undefined) expect((fetched as { detail: string }).detail).toMatch(detail)
    expect(await readdir(at.directory)).toEqual([])
  })

  test('401 of credentials that were sent says that they are not the right ones', async () => {
    const credentials = { kind: 'basic', username: 'shop', password: 'hush' } as const
    const fetched = await fetchFrom((_request, response) => void response.writeHead(401).end(), { credentials })
    expect(fetched).toMatchObject({
      fault: 'http_401',
      detail: expect.stringMatching(/does not accept the credentials/),
    })
  })
})

describe('a file that', () => {
  test('ends before its length, or whose connection breaks, is not taken', async () => {
    const cut = await fetchFrom((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write(FILE)
      setTimeout(() => response.destroy(), 50)
    })
    expect(cut).toMatchObject({
      kind: 'failed',
      isForGood: false,
      detail: expect.stringMatching(/no part of it was imported/),
    })
    const chunked = await fetchFrom((_request, response) => {
      response.write(FILE)
      setTimeout(() => response.destroy(), 50)
    })
    expect(chunked).toMatchObject({ kind: 'failed', isForGood: false, detail: expect.stringMatching(/not complete/) })
    expect(await readdir(at.directory)).toEqual([])
  })

  test('is larger than allowed is given up as soon as that is known', async () => {
    let sent = 0
    const fetched = await fetchFrom(
      (_request, response) => {
        const more = () => {
          while (response.write(Buffer.alloc(65_536))) sent += 65_536
        }
        response.on('drain', more)
        more()
      },
      {},
      { bounds: { bytesMax: 1_000_000 } },
    )
    expect(fetched).toMatchObject({ kind: 'failed', fault: 'too_large', detail: expect.stringMatching(/1\.0 MB/) })
    expect(sent).toBeLessThan(50_000_000)
    expect(await readdir(at.directory)).toEqual([])
  })

  test('has exactly the size that is allowed is taken', async () => {
    const fetched = await fetchFrom(
      (_request, response) => void response.end(FILE),
      {},
      { bounds: { bytesMax: FILE.length } },
    )
    expect(await contentOf(fetched)).toBe(FILE)
  })

  test('drips is given up after the time of a pace, however large it is announced', async () => {
    const fetched = await fetchFrom(
      (_request, response) => {
        response.writeHead(200, { 'content-length': '10000000000' })
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      },
      {},
      { bounds: { paceMs: 300, paceBytesMin: 1_000 } },
    )
    expect(fetched).toMatchObject({ kind: 'failed', fault: 'too_slow', detail: expect.stringMatching(/too slowly/) })
    expect(await readdir(at.directory)).toEqual([])
  })

  test('comes fast enough, but for longer than a fetch may take, is given up', async () => {
    const fetched = await fetchFrom(
      (_request, response) => {
        const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 10)
        response.on('close', () => clearInterval(timer))
      },
      {},
      { bounds: { paceMs: 100, paceBytesMin: 1_000, totalMs: 400 } },
    )
    expect(fetched).toMatchObject({
      kind: 'failed',
      fault: 'timeout',
      detail: expect.stringMatching(/not complete after/),
    })
  })

  test('never begins is given up', async () => {
    const fetched = await fetchFrom(() => {}, {}, { bounds: { paceMs: 200 } })
    expect(fetched).toMatchObject({
      kind: 'failed',
      fault: 'too_slow',
      detail: expect.stringMatching(/has sent nothing/),
    })
  })

  test('is being fetched when the process ends is left, and nothing is left behind', async () => {
    await using server = await serveFiles((_request, response) => void response.write('sku'))
    const id = await at.add({ url: `${server.url}/stock.csv` })
    const ending = new AbortController()
    const fetching = at
      .fetching()
      .fetchSource(at.account.accountId, id, ending.signal, () => ending.abort(new Error('the process ends')))
    await expect(fetching).rejects.toThrow('the process ends')
    expect(await readdir(at.directory)).toEqual([])
  })

  test('that a killed process left is removed after an hour, and not one that another process may be receiving', async () => {
    const left = join(at.directory, 'left')
    const receiving = join(at.directory, 'receiving')
    for (const path of [left, receiving]) await writeFile(path, 'sku')
    const before = Date.now() / 1_000 - 3_700
    await utimes(left, before, before)
    await contentOf(await fetchFrom((_request, response) => void response.end(FILE)))
    expect(await readdir(at.directory)).toEqual(['receiving'])
    await rm(receiving)
  })
})

describe('redirects', () => {
  test('are followed five times, and the name is that of the last URL', async () => {
    const hops: RequestListener = ({ url = '' }, response) => {
      const n = Number(url.slice(1))
      if (n === 5) response.end(FILE)
      else response.writeHead(302, { location: `/${n + 1}` }).end()
    }
    await using server = await serveFiles(hops)
    const fetched = await fetch({ url: `${server.url}/0` })
    expect(fetched).toMatchObject({ kind: 'file', name: '5' })
    await contentOf(fetched)
    await using longer = await serveFiles(
      (_request, response) => void response.writeHead(307, { location: '/again' }).end(),
    )
    expect(await fetch({ url: `${longer.url}/0` })).toMatchObject({ kind: 'failed', fault: 'redirects' })
    expect(longer.requests).toHaveLength(6)
  })

  test.for([
    'http://127.0.0.2:{port}/',
    'http://[::1]:{port}/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:{port}/',
    'ftp://127.0.0.1/file',
    'file:///etc/passwd',
    'http://user:hush@127.0.0.1:{port}/',
    'http://127.0.0.1:22/',
  ])('to %s are not followed', async (location) => {
    await using server = await serveFiles(({ url = '' }, response) => {
      if (url === '/stock.csv')
        response.writeHead(302, { location: location.replace('{port}', server.url.split(':')[2] ?? '') }).end()
      else response.end('secret')
    })
    const fetched = await fetch({ url: `${server.url}/stock.csv` })
    // localhost may have a second address that is not allowed, so both outcomes are possible
    if (!(location.includes('localhost') && fetched.kind === 'file')) expect(fetched).toMatchObject({ kind: 'failed' })
    else await contentOf(fetched)
    expect(JSON.stringify(fetched)).not.toContain('hush')
    if (!location.includes('localhost')) expect(server.requests.map(({ url }) => url)).toEqual(['/stock.csv'])
  })
})

describe('credentials', () => {
  test.for([
    [
      { kind: 'basic', username: 'shop', password: 'hüsh' },
      'authorization',
      `Basic ${Buffer.from('shop:hüsh').toString('base64')}`,
    ],
    [{ kind: 'bearer', token: 'hush-token' }, 'authorization', 'Bearer hush-token'],
    [{ kind: 'header', name: 'X-Api-Key', value: 'hush key' }, 'x-api-key', 'hush key'],
  ] as const)(
    'of the kind %o are sent to the server of the URL, and not to that of a redirect',
    async ([credentials, header, value]) => {
      await using other = await serveFiles((_request, response) => void response.end(FILE))
      await using server = await serveFiles(({ url = '' }, response) => {
        // the first redirect stays on the server, so credentials are sent again
        if (url === '/stock.csv') response.writeHead(301, { location: '/moved' }).end()
        else response.writeHead(301, { location: `${other.url}/elsewhere` }).end()
      })
      await contentOf(await fetch({ url: `${server.url}/stock.csv`, credentials }))
      expect(server.requests.map(({ url, headers }) => [url, headers[header]])).toEqual([
        ['/stock.csv', value],
        ['/moved', value],
      ])
      expect(other.requests.map(({ headers }) => headers[header])).toEqual([undefined])
      expect(JSON.stringify(other.requests.map(({ rawHeaders }) => rawHeaders))).not.toContain('hush')
    },
  )

  test('that were sealed for another server are not sent, whatever the row says', async () => {
    await using server = await serveFiles((_request, response) => void response.end(FILE))
    const id = await at.add({ url: 'https://files.example/stock.csv', credentials: { kind: 'bearer', token: 'hush' } })
    await at.database
      .db`update supplier_source set url = ${`${server.url}/stock.csv`} where account_id = ${at.account.accountId} and source_id = ${id}`
    expect(await fetch({}, {}, id)).toMatchObject({ kind: 'failed', fault: 'credentials' })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a server is asked whether the file has changed', () => {
  /** Records a run of the source that has imported a fetched file. */
  async function imported(sourceId: number, fetched: Fetched, supplier = 0) {
    const { accountId, suppliers } = at.account
    await inTransaction(at.database.db, async (tx) => {
      const supplierId = suppliers[supplier]?.supplierId ?? 0
      const request = {
        supplierId,
        sourceId,
        trigger: 'schedule',
        mode: 'delta',
        mapping: MAPPING,
        file: null,
      } as const
      const runId = await enqueueRun(tx, accountId, { ...request, isDryRun: false, isConfirmed: false })
      await tx`update import_run set state = 'succeeded', has_written = true, ended_at = now() where account_id = ${accountId} and run_id = ${runId}`
      await sourceRunEnded(tx, accountId, sourceId, { state: 'succeeded', fetched, runId })
    })
  }
  const conditional: RequestListener = ({ headers }, response) => {
    if (headers['if-none-match'] === '"v1"' && headers['if-modified-since'] === 'Mon, 02 Nov 2026 10:00:00 GMT')
      response.writeHead(304).end()
    else response.writeHead(200, { etag: '"v1"', 'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT' }).end(FILE)
  }

  test('after an import of this source, until another one of the supplier', async () => {
    await using server = await serveFiles(conditional)
    const url = `${server.url}/stock.csv`
    const id = await at.add({ url })
    const first = await fetch({}, {}, id)
    await contentOf(first)
    // the earlier file was not imported
    await contentOf(await fetch({}, {}, id))
    await imported(id, first)
    expect(await fetch({}, {}, id)).toEqual({ kind: 'unchanged' })
    const other = await at.add({ url: `${url}?other` })
    await imported(other, { kind: 'unchanged' })
    await contentOf(await fetch({}, {}, id))
  })

  test('but not when the source was edited, also while it was fetched', async () => {
    await using server = await serveFiles(conditional)
    const id = await at.add({ url: `${server.url}/stock.csv` }, 1)
    const first = await fetch({}, {}, id)
    await contentOf(first)
    await at.database
      .db`update supplier_source set version = version + 1 where account_id = ${at.account.accountId} and source_id = ${id}`
    await imported(id, first, 1)
    await contentOf(await fetch({}, {}, id))
  })
})

describe('a try', () => {
  const trial = async (
    listener: RequestListener,
    source: Partial<NewSource> = {},
    options: Partial<FetchOptions> = {},
  ) => {
    await using server = await serveFiles(listener)
    const id = await at.add({ url: `${server.url}/stock.csv`, ...source })
    const before = await at.get(id)
    const found = await trySource({ fetching: at.fetching(options), readers }, at.account.accountId, before, never)
    expect(await at.get(id)).toEqual(before)
    expect(await readdir(at.directory)).toEqual([])
    return found
  }

  test('says size and format', async () => {
    expect(
      await trial((_request, response) => void response.end('sku;price;stock\nA-1;10,50;3\nA-2;11,20;4\n')),
    ).toMatchObject({
      isOk: true,
      fault: null,
      detail: 'stock.csv, 40 bytes, csv',
      fileName: 'stock.csv',
      bytes: 40,
      format: 'csv',
    })
  })

  test('reads the beginning of a long file only', async () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `A-${i};10,50;3\n`).join('')
    const found = await trial(
      (_request, response) => void response.end(`sku;price;stock\n${lines}`),
      {},
      { bounds: { bytesMax: 100_000 } },
    )
    expect(found).toMatchObject({
      isOk: true,
      bytes: null,
      format: 'csv',
      detail: expect.stringMatching(/more than 100.0 kB/),
    })
  })

  test('of a web page instead of a file is reported as that', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>Login</title></head><body><form><input name=user></form></body></html>'
    const found = await trial(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    )
    expect(found).toMatchObject({ isOk: false, fault: 'unreadable', detail: expect.stringMatching(/HTML/) })
  })

  test('of a failing server says what to do', async () => {
    expect(await trial((_request, response) => void response.writeHead(404).end())).toMatchObject({
      isOk: false,
      fault: 'http_404',
    })
  })
})
