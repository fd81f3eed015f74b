import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { silentLog } from '../../platform/log.ts'
import { openApp } from '../app.ts'
import type { ServeContext } from '../context.ts'
import * as pages from '../documentation/reference/pages.ts'
import * as search from '../documentation/search.ts'
import { openFigures } from '../figures.ts'

// How often pages are made. Their contents are tested by test/api/guides.pg.test.ts.

vi.mock('../documentation/reference/pages.ts', { spy: true })
vi.mock('../documentation/search.ts', { spy: true })

let app: FastifyInstance
let url: string
beforeEach(async () => {
  vi.clearAllMocks()
  url = 'https://catalog.example'
  // the parts of the context that the service needs at its start
  app = await openApp({
    db: { pool: () => {} },
    log: silentLog,
    figures: openFigures([], null),
    metricsAccess: { token: null, isApart: false, isBehindProxy: false },
    traffic: { at: 0 },
    trustedProxies: [],
    ratePerSecond: 0,
    operatorToken: null,
    version: '1.0.0',
    publicUrl: () => url,
    sources: { rules: {} },
  } as unknown as ServeContext)
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

const read = (path: string, remoteAddress = '192.0.2.1') => app.inject({ url: path, remoteAddress })

test('searches that come first together have one index', async () => {
  const answers = await Promise.all(['price', 'stock', 'feed'].map((word) => read(`/docs/search?q=${word}`)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(vi.mocked(search.searchIndex)).toHaveBeenCalledTimes(1)
})

test('a page of an operation that was just made is not made again, until the address is another', async () => {
  const first = await read('/docs/api/listStores')
  const again = await app.inject({ url: '/docs/api/listStores', headers: { 'if-none-match': first.headers.etag } })
  expect([first.statusCode, again.statusCode]).toEqual([200, 304])
  expect(vi.mocked(pages.operationPage)).toHaveBeenCalledTimes(1)
  url = 'https://other.example'
  expect((await read('/docs/api/listStores')).body).toContain('https://other.example/v1')
  expect(vi.mocked(pages.operationPage)).toHaveBeenCalledTimes(2)
})

test('an address has so many searches and pages made; what is kept is there for it, and others are not held up', async () => {
  // otherwise the rate limit would allow further requests while these are sent
  vi.useFakeTimers({ toFake: ['performance'] })
  await read('/docs/api/listStores')
  for (let n = 1; n < LIMITS.docsMadeAtOnce; n++) expect((await read('/docs/search')).statusCode).toBe(200)
  for (const path of ['/docs/search?q=price', '/docs/api/putStore']) {
    const refused = await read(path)
    expect([path, refused.statusCode]).toEqual([path, 429])
    expect([refused.json().code, refused.headers['retry-after']]).toEqual(['rate-limited', '1'])
  }
  expect((await read('/docs/api/listStores')).statusCode).toBe(200)
  expect((await read('/docs')).statusCode).toBe(200)
  expect((await read('/docs/search?q=price', '192.0.2.2')).statusCode).toBe(200)
})
