import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'
import { objects } from '../client/command-line.ts'
import { directoryOfFile } from '../harness/world.ts'
import { LANGUAGES, run, titleOf } from './languages.ts'
import { textsIn } from './mirrors.ts'

// Answers of 200 from a broken service or from something else: the clients do not take them for the end of the catalog or for a
// cursor, and do not repeat requests for ever.

const root = directoryOfFile('clients-broken')
const ending: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

/** A proxy before the fake that replaces some answers. */
async function between(fake: FakeShelfwire, other: (path: string) => object | null) {
  const { url, close } = await fake.listen()
  const proxy = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '', url)
    const body = other(pathname)
    if (body !== null) {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    const { accept = '', authorization = '' } = incoming.headers
    void fetch(url + incoming.url, { headers: { accept, authorization } }).then(async (answer) =>
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
    )
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  ending.push(close, () => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return {
    SHELFWIRE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    SHELFWIRE_TOKEN: fake.token,
  }
}

const many = Array.from({ length: 30 }, (_, i) => ({ id: i + 1 }))

describe.for(LANGUAGES.map((language) => [titleOf(language), language] as const))('%s', ([, language]) => {
  const { option, missing, name } = language
  const it = test.skipIf(missing !== null)
  beforeAll(async () => (missing === null ? language.prepare?.() : undefined), 180_000)

  it('removes nothing if a page does not say whether another one follows', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: many })
    let page: object | null = null
    const env = await between(fake, (path) => (path === '/v1/products' ? page : null))
    const where = join(root, `${name}-page`)
    const args = ['mirror', option, where, '--once', '--json']
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    fake.put('main', { id: 31 })
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    fake.restore()
    for (page of [{ data: [] }, { data: [], meta: {} }, { data: [], meta: { next_after_id: 0 } }]) {
      fake.fault({ path: '/export', cut: 'unnoticed' })
      const { code, out } = await run(language, args, env)
      expect({ page, code }).toEqual({ page, code: 4 })
      expect(objects(out).at(-1)).toMatchObject({ event: 'error', code: 'not-shelfwire' })
      expect((await textsIn(language, where, 'main')).size).toBe(31)
    }
    page = null
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    expect([...(await textsIn(language, where, 'main')).keys()]).toEqual(many.map(({ id }) => id))
  })

  it('saves no position of a feed without a cursor', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: many })
    const whole = { changes: [], next_since: '2026-01-01T00:00:00.000000Z', next_id: 9, has_more: false, products: [] }
    let feed: object | null = null
    const env = await between(fake, (path) => (path === '/v1/changes' ? feed : null))
    const where = join(root, `${name}-feed`)
    const args = ['mirror', option, where, '--once', '--json']
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    for (feed of [
      { changes: [] },
      { ...whole, next_since: null },
      { ...whole, next_id: undefined },
      { ...whole, has_more: undefined },
    ])
      for (const command of [args, ['verify', option, where, '--json']]) {
        const { code, out } = await run(language, command, env)
        expect({ feed, code }).toEqual({ feed, code: 4 })
        expect(objects(out).at(-1)).toMatchObject({ event: 'error', code: 'not-shelfwire' })
      }
    feed = null
    fake.put('main', { id: 31 })
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    expect((await textsIn(language, where, 'main')).size).toBe(31)
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(1)
  })

  it('ends with an error if the feed has more changes, but the cursor does not move', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: many })
    let still: object | null = null
    let asked = 0
    const env = await between(fake, (path) =>
      path === '/v1/changes' && still !== null ? { ...still, has_more: ++asked < 100 } : null,
    )
    const where = join(root, `${name}-still`)
    expect(await run(language, ['mirror', option, where, '--once'], env)).toMatchObject({ code: 0, err: '' })
    const { query } = fake.requests.findLast(({ path }) => path === '/changes') ?? {}
    const since = query?.['since']
    still = {
      changes: [{ product_id: 1, change_type: 'updated', change_types: ['updated'], created_at: since }],
      next_since: since,
      next_id: Number(query?.['since_id']),
      store: 'main',
      products: [],
    }
    for (const command of [['mirror', '--once'], ['verify']]) {
      asked = 0
      const { code, out } = await run(language, [...command, option, where, '--json'], env)
      // exit code 3: the error may be temporary
      expect({ command, code, asked }).toEqual({ command, code: 3, asked: 1 })
      expect(objects(out).at(-1)).toMatchObject({ event: 'error', code: 'no-answer' })
    }
    expect((await textsIn(language, where, 'main')).size).toBe(30)
  })
})
