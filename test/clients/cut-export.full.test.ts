import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'
import { objects } from '../client/command-line.ts'
import { directoryOfFile } from '../harness/world.ts'
import { LANGUAGES, run, titleOf } from './languages.ts'
import { textsIn } from './mirrors.ts'

// An export that ends early, with an error as when nothing was read for a minute, or unnoticed: each client continues by pages.
// Also answers of other servers in between.

const root = directoryOfFile('clients-cut')
const PRODUCTS = 700

describe.for(LANGUAGES.map((language) => [titleOf(language), language] as const))('%s', ([, language]) => {
  const { option, missing, name } = language
  const it = test.skipIf(missing !== null)
  beforeAll(async () => (missing === null ? language.prepare?.() : undefined), 180_000)

  it('goes on after the last product that came, without another export', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: Array.from({ length: PRODUCTS }, (_, i) => ({ id: i + 1 })) })
    const { url, close } = await fake.listen()
    const where = join(root, name)
    const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
    fake.fault({ path: '/export', cut: true })
    // after the cut a page fails as well, and is requested again
    fake.fault({ path: '/products', status: 503, retryAfter: 1 })
    const { code, out, err } = await run(language, ['mirror', option, where, '--once', '--json'], env)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const exports = fake.requests.filter(({ path }) => path === '/export')
    expect(exports).toHaveLength(1)
    const pages = fake.requests.filter(({ path }) => path === '/products').map(({ query }) => Number(query['after_id']))
    // half of the bytes contain about half of the products
    expect(pages[0]).toBeGreaterThan(PRODUCTS / 4)
    expect(pages[0]).toBeLessThan(PRODUCTS)
    const retried = objects(out).filter(({ event }) => event === 'retrying')
    expect(retried).toMatchObject([{ store: 'main', code: 'no-answer', pause_seconds: 0 }])
    const texts = await textsIn(language, where, 'main')
    expect([...texts.values()]).toEqual(fake.products('main').map((product) => JSON.stringify(product)))
    await close()
  })

  it('removes nothing if the export ends early and looks complete (I158)', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: Array.from({ length: PRODUCTS }, (_, i) => ({ id: i + 1 })) })
    const { url, close } = await fake.listen()
    const where = join(root, `${name}-unnoticed`)
    const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
    fake.fault({ path: '/export', cut: 'unnoticed' })
    // half of a page is requested again
    fake.fault({ path: '/products', cut: 'unnoticed' })
    const { code, out, err } = await run(language, ['mirror', option, where, '--once', '--json'], env)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(objects(out).filter(({ event }) => event === 'retrying')).toEqual([])
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(1)
    expect([...(await textsIn(language, where, 'main')).keys()]).toEqual(fake.products('main').map(({ id }) => id))

    // filled again over existing products, none of which is removed
    fake.put('main', { id: 1, title: 'later' })
    expect(await run(language, ['mirror', option, where, '--once'], env)).toMatchObject({ code: 0, err: '' })
    fake.restore()
    fake.fault({ path: '/export', cut: 'unnoticed' })
    expect(await run(language, ['mirror', option, where, '--once'], env)).toMatchObject({ code: 0, err: '' })
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(2)
    const texts = await textsIn(language, where, 'main')
    expect([...texts.values()]).toEqual(fake.products('main').map((product) => JSON.stringify(product)))
    await close()
  })

  it(
    'brings the other stores up to date if one is not active, and then ends with that error',
    { timeout: 60_000 },
    async () => {
      const fake = new FakeShelfwire({ stores: [{ slug: 'a' }, { slug: 'b' }], products: [{ id: 1 }] })
      const { url, close } = await fake.listen()
      const where = join(root, `${name}-inactive`)
      const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
      const args = ['mirror', option, where, '--once']
      expect(await run(language, args, env)).toMatchObject({ code: 0 })
      fake.put(['a', 'b'], { id: 2 })
      // the store is deleted after the command has read the list of stores
      fake.fault({ path: '/changes', code: 'unknown-store' })
      expect(await run(language, args, env)).toMatchObject({ code: 4 })
      const sizes = await Promise.all(['a', 'b'].map(async (store) => (await textsIn(language, where, store)).size))
      expect(sizes.sort()).toEqual([1, 2])
      await close()
    },
  )

  it('asks again after a page of a proxy whose service is away', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: [{ id: 1 }] })
    const { url, close } = await fake.listen()
    let pages = 0
    const proxy = createServer((incoming, outgoing) => {
      if (incoming.url?.startsWith('/v1/export') === true && pages++ === 0) {
        outgoing.writeHead(522, { 'content-type': 'text/html' }).end('<h1>Connection timed out</h1>')
        return
      }
      const { accept = '', authorization = '' } = incoming.headers
      void fetch(url + incoming.url, { headers: { accept, authorization } }).then(async (answer) =>
        outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
      )
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const env = {
      SHELFWIRE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      SHELFWIRE_TOKEN: fake.token,
    }
    const where = join(root, `${name}-proxy`)
    expect(await run(language, ['mirror', option, where, '--once'], env)).toMatchObject({ code: 0, err: '' })
    expect(pages).toBe(2)
    proxy.closeAllConnections()
    proxy.close()
    await close()
  })

  const itHasFile = test.skipIf(missing !== null || option !== '--sqlite')
  itHasFile('writes nothing into a database of something else', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire()
    const { url, close } = await fake.listen()
    const file = join(root, `${name}-application.db`)
    const database = new DatabaseSync(file)
    database.exec('create table customer (id integer primary key)')
    database.close()
    const before = await readFile(file)
    const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
    for (const [command, code] of [
      ['mirror', 'not-a-mirror'],
      ['verify', 'no-mirror'],
      ['diff', 'no-mirror'],
    ] as const) {
      const ended = await run(language, [command, option, file, '--json'], env)
      expect(ended.code).toBe(5)
      expect(objects(ended.out)).toMatchObject([{ event: 'error', code }])
    }
    expect(await readFile(file)).toEqual(before)
    await close()
  })

  it('ends with the error if the pages fail, too', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: Array.from({ length: PRODUCTS }, (_, i) => ({ id: i + 1 })) })
    const { url, close } = await fake.listen()
    const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
    fake.fault({ path: '/export', cut: true })
    fake.fault({ path: '/products', status: 404 })
    const where = join(root, `${name}-refused`)
    const args = ['mirror', option, where, '--once']
    expect(await run(language, args, env)).toMatchObject({ code: 4 })
    // the next run continues from there
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    expect((await textsIn(language, where, 'main')).size).toBe(PRODUCTS)
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(1)
    await close()
  })
})
