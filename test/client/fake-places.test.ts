import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'
import { ROUTES } from '../../contract/routes.ts'
import { must } from '../../src/platform/must.ts'

// The routes of the API that the fake does not have: each answers so, and the README lists them.

const README = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8')
/** Resources of which the fake has some routes, so that the README names the missing ones one by one. */
const PARTLY = new Set(['stores', 'groups', 'suppliers', 'products'])

/** The name of a route in the README: all of `/account/price-lists` as one, and writes with their method. */
function nameOf(method: string, path: string): string {
  const [, top = '', kind = '', key = '', below] = path.split('/')
  if (top !== 'account') return path
  if (kind === '') return `${method} ${path}`
  if (!PARTLY.has(kind)) return `/account/${kind}`
  return below === undefined ? `${method} ${path}` : `/account/${kind}/${key}/${below}`
}

test('what the fake has not says so, and the README lists it, and nothing else', async () => {
  const fake = new FakeShelfwire({ tokens: { sw_full: 'full' }, products: [{ id: 7 }] })
  const missing = new Set<string>()
  for (const { method, path } of ROUTES.filter((route) => /^\/v1\/(?!operator)/.test(route.path))) {
    const asked = `${method.toUpperCase()} ${path}`
    const response = await fake.fetch(`${fake.url}${path.replaceAll(/\{\w+\}/g, '7')}`, {
      method: method.toUpperCase(),
      headers: { authorization: 'Bearer sw_full' },
    })
    const text = await response.text()
    expect(response.status, asked).not.toBe(405)
    expect(text, asked).not.toContain('there is nothing at this address')
    if (text.includes('the fake of @shelfwire/client/testing'))
      missing.add(nameOf(method.toUpperCase(), path.replace('/v1', '')))
  }
  const listed = must(/^- not there,[^]*?(?=^\n|^- )/m.exec(README))[0]
  const named = [...listed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => name.includes('/')).sort()).toEqual([...missing].sort())
})
