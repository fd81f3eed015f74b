import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'
import { objects } from '../client/command-line.ts'
import { directoryOfFile } from '../harness/world.ts'
import { LANGUAGES, run, titleOf } from './languages.ts'
import { textsIn } from './mirrors.ts'

// An export that ends in its middle, as the service ends one of which nothing is read for a minute: each client goes on by pages.

const root = directoryOfFile('clients-cut')
const PRODUCTS = 700

describe.for(LANGUAGES.map((language) => [titleOf(language), language] as const))('%s', ([, language]) => {
  const { option, missing, name } = language
  const it = test.skipIf(missing !== null)
  beforeAll(async () => (missing === null ? language.prepare?.(root) : undefined), 180_000)

  it('goes on after the last product that came, without another export', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: Array.from({ length: PRODUCTS }, (_, i) => ({ id: i + 1 })) })
    const { url, close } = await fake.listen()
    const where = join(root, name)
    const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
    fake.fault({ path: '/export', cut: true })
    // answered after the cut: what went wrong at first goes wrong again, and is asked for again
    fake.fault({ path: '/products', status: 503, retryAfter: 1 })
    const { code, out, err } = await run(language, ['mirror', option, where, '--once', '--json'], env)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const exports = fake.requests.filter(({ path }) => path === '/export')
    expect(exports).toHaveLength(1)
    const pages = fake.requests.filter(({ path }) => path === '/products').map(({ query }) => Number(query['after_id']))
    // half of the bytes are some half of the products
    expect(pages[0]).toBeGreaterThan(PRODUCTS / 4)
    expect(pages[0]).toBeLessThan(PRODUCTS)
    const retried = objects(out).filter(({ event }) => event === 'retrying')
    expect(retried).toMatchObject([{ store: 'main', code: 'no-answer', pause_seconds: 0 }])
    const texts = await textsIn(language, where, 'main')
    expect([...texts.values()]).toEqual(fake.products('main').map((product) => JSON.stringify(product)))
    await close()
  })

  it('ends in the error where the pages fail, too', { timeout: 60_000 }, async () => {
    const fake = new FakeShelfwire({ products: Array.from({ length: PRODUCTS }, (_, i) => ({ id: i + 1 })) })
    const { url, close } = await fake.listen()
    const env = { SHELFWIRE_URL: url, SHELFWIRE_TOKEN: fake.token }
    fake.fault({ path: '/export', cut: true })
    fake.fault({ path: '/products', status: 404 })
    const where = join(root, `${name}-refused`)
    const args = ['mirror', option, where, '--once']
    expect(await run(language, args, env)).toMatchObject({ code: 4 })
    // and goes on from there the next time
    expect(await run(language, args, env)).toMatchObject({ code: 0, err: '' })
    expect((await textsIn(language, where, 'main')).size).toBe(PRODUCTS)
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(1)
    await close()
  })
})
