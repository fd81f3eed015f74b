import { beforeAll, expect, test } from 'vitest'
import { GUIDES } from '../../src/serve/documentation/guides.ts'
import { client, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The guides as a browser receives them.

const { service } = worldOfFile({ service: {} })
let read: (path: string, init?: RequestInit) => Promise<Answer>
beforeAll(async () => {
  read = client(service.url, null)
})

const PAGES = [
  '/docs',
  '/docs/guides',
  '/docs/problems',
  '/docs/search?q=price',
  ...GUIDES.map(({ name }) => `/docs/guides/${name}`),
]

test('every guide is a page without scripts that loads nothing but its stylesheet and pictures of the panel', async () => {
  const pictures = new Set<string>()
  for (const path of PAGES) {
    const { status, headers, text } = await read(path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringMatching(/^default-src 'none'; style-src 'self';/),
    ])
    expect([path, text.match(/<h1/g)?.length, text.match(/<(script|iframe|style)\b| on\w+=| style=/g)]).toEqual([
      path,
      1,
      null,
    ])
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    const loaded = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map((match) => match[1] ?? '')
    expect(loaded).toHaveLength(1)
    const style = await fetch(new URL(loaded[0] ?? '', service.url + path))
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    for (const [, src = ''] of text.matchAll(/<img src="([^"]+)"/g)) {
      const picture = await fetch(new URL(src, service.url + path))
      expect([src, picture.status, picture.headers.get('content-type')]).toEqual([src, 200, 'image/png'])
      pictures.add(src)
    }
  }
  expect(pictures.size).toBeGreaterThanOrEqual(8)
  expect((await read('/docs/guides/no-such.png')).status).toBe(404)
})

test('every link of every page leads to a page, and to a place on it', async () => {
  const pages = new Map<string, string>()
  const textOf = async (url: URL) => {
    const known = pages.get(url.pathname)
    if (known !== undefined) return known
    const answer = await fetch(url)
    expect([url.pathname, answer.status]).toEqual([url.pathname, 200])
    const text = await answer.text()
    pages.set(url.pathname, text)
    return text
  }
  let followed = 0
  for (const path of PAGES) {
    const { text } = await read(path)
    for (const [, href = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
      const url = new URL(href, service.url + path)
      if (url.origin !== new URL(service.url).origin) continue
      // built by the browser tests; without a build the service answers with a page that says so
      if (url.pathname === '/panel') continue
      followed++
      const target = await textOf(url)
      if (url.hash !== '')
        expect([path, href, target.includes(`id="${decodeURIComponent(url.hash.slice(1))}"`)]).toEqual([
          path,
          href,
          true,
        ])
    }
  }
  expect(followed).toBeGreaterThan(400)
  // links lead to every page
  expect(PAGES.filter((path) => !pages.has(path) && !path.includes('?'))).toEqual([])
  expect([...pages.keys()].filter((path) => path.startsWith('/docs/api/')).length).toBeGreaterThan(150)
})

test('a page of an operation has one script, which may send requests to the service alone', async () => {
  const path = '/docs/api/putStore'
  const { status, headers, text } = await read(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
  )
  expect(headers.get('x-frame-options')).toBe('DENY')
  const [script, ...others] = [...text.matchAll(/<script src="([^"]+)" defer><\/script>/g)].map(
    (match) => match[1] ?? '',
  )
  expect(others).toEqual([])
  const loaded = await fetch(new URL(script ?? '', service.url + path))
  expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  // examples show the address of this service, not the one in the source of the page
  expect(text).toContain(`${service.url}/v1/account/stores/de`)
})

test('a page is sent again only when it has changed, and coded where that is accepted', async () => {
  for (const path of [...PAGES, '/docs/guides.css', '/docs/reference.js', '/docs/api/getProduct', '/openapi.json']) {
    const first = await read(path)
    const etag = first.headers.get('etag') ?? ''
    expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w-]{24}(?:-\w+)?"$/)])
    const again = await read(path, { headers: { 'if-none-match': etag } })
    expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([path, 304, '', etag])
  }
  const plain = await fetch(`${service.url}/docs/guides/feed`, { headers: { 'accept-encoding': 'identity' } })
  const coded = await fetch(`${service.url}/docs/guides/feed`, { headers: { 'accept-encoding': 'gzip' } })
  expect([plain.headers.get('content-encoding'), coded.headers.get('content-encoding')]).toEqual([null, 'gzip'])
  expect(plain.headers.get('etag')).not.toBe(coded.headers.get('etag'))
  expect(await plain.text()).toBe(await coded.text())
})

test('a path that is not a guide is a problem, and so is another method', async () => {
  for (const name of ['nothing', '..%2f..%2fpackage', 'invariants', 'FEED', 'feed.md', '']) {
    const { status, body } = await read(`/docs/guides/${name}`)
    expect([name, status, body?.code]).toEqual([name, 404, 'unknown-route'])
  }
  for (const path of ['/docs/api/nothing', '/docs/api/', '/docs/static/index.css', '/docs/json']) {
    const { status, body } = await read(path)
    expect([path, status, body?.code]).toEqual([path, 404, 'unknown-route'])
  }
  const long = await read(`/docs/search?q=${'a'.repeat(101)}`)
  expect([long.status, long.body.code]).toEqual([400, 'invalid-parameters'])
  const posted = await read('/docs/guides/feed', { method: 'POST' })
  expect([posted.status, posted.headers.get('allow'), posted.body.code]).toEqual([
    405,
    'GET, HEAD',
    'method-not-allowed',
  ])
  expect((await read('/docs/problems', { method: 'HEAD' })).status).toBe(200)
})

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test('a browser that opens / gets a page that leads to the panel and to the documentation', async () => {
  const page = await read('/', { headers: { accept: BROWSER } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  // the same headers as other pages, and a Vary that separates it from the answer to other clients
  const guides = await read('/docs/guides')
  for (const name of ['content-security-policy', 'cache-control', 'x-content-type-options', 'referrer-policy'])
    expect([name, page.headers.get(name)]).toEqual([name, guides.headers.get(name)])
  expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding')
  expect(page.text.match(/<h1/g)).toHaveLength(1)
  expect(page.text).not.toMatch(/<(script|img|iframe|style)\b| on\w+=| style=/)
  expect(page.text).toContain(`${service.url}/v1/products?per_page=3`)
  const hrefs = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
  expect(new Set(hrefs)).toEqual(
    new Set(['panel', 'docs/guides.css', 'docs/guides', 'docs', 'openapi.json', 'docs/guides/tutorial']),
  )
  for (const href of hrefs.filter((path) => path !== 'panel'))
    expect([href, (await fetch(new URL(href, service.url))).status]).toEqual([href, 200])
  const etag = page.headers.get('etag') ?? ''
  const again = await read('/', { headers: { accept: BROWSER, 'if-none-match': etag } })
  expect([again.status, again.text, again.headers.get('vary')]).toEqual([304, '', 'Accept, Accept-Encoding'])
  const head = await read('/', { method: 'HEAD', headers: { accept: BROWSER } })
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
})

test('whoever is no browser finds nothing at /, as at any other address without a route', async () => {
  /** Without what differs from request to request. */
  const shown = ({ status, text, headers }: Answer) => [
    status,
    text,
    [...headers].filter(([name]) => !/^(?:date|x-request-id|keep-alive|connection)$/.test(name)),
  ]
  const accepts = [
    '*/*',
    'application/json',
    'application/problem+json, */*',
    'text/*',
    'text/html;q=0, */*',
    'application/json, text/html;q=0.5',
  ]
  for (const accept of accepts)
    for (const method of ['GET', 'HEAD']) {
      const init = { method, headers: { accept } }
      expect([accept, ...shown(await read('/', init))]).toEqual([accept, ...shown(await read('/nothing', init))])
    }
  // the same for a browser with any other method
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const init = { method, headers: { accept: BROWSER } }
    expect([method, ...shown(await read('/', init))]).toEqual([method, ...shown(await read('/nothing', init))])
  }
  expect((await read('/')).text).toBe((await read('/nothing')).text)
  expect((await read('/?page=%00&a=%zz&a[]=1')).text).toBe((await read('/nothing?page=%00&a=%zz&a[]=1')).text)
})
