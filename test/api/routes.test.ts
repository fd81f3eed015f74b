import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fastify from 'fastify'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { ACCOUNT_RESOURCES } from '../../contract/account-resources.ts'
import { openApiDocument } from '../../contract/openapi.ts'
import { catalogRoute, type Route } from '../../contract/route.ts'
import { ROUTES } from '../../contract/routes.ts'
import { routesOfResource } from '../../contract/routes/account-resources.ts'
import { BULK_ROUTES } from '../../contract/routes/bulk.ts'
import { LIST_CHANGES, LIST_PRODUCTS } from '../../contract/routes/catalog.ts'
import { LIST_OPERATION_ERRORS } from '../../contract/routes/operations.ts'
import { LIST_STORES } from '../../contract/routes/catalog.ts'
import { DOCS } from '../../contract/routes/operator.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openApp } from '../../src/serve/app.ts'
import type { ServeContext } from '../../src/serve/context.ts'
import { openFigures } from '../../src/serve/figures.ts'
import { handle, methodsByPath, requireDeclarations } from '../../src/serve/handle.ts'
import { pathReader, queryReader } from '../../src/serve/parameters.ts'

// The table of routes: a route that is not in it cannot be registered, and each that is must have a handler.

const root = new URL('../..', import.meta.url).pathname
/** The dependencies that the service needs to register its routes. */
const context = {
  db: { pool: () => {} },
  log: silentLog,
  figures: openFigures([], null),
  metricsAccess: { token: null, isApart: false, isBehindProxy: false },
  trustedProxies: [],
  ratePerSecond: 0,
  operatorToken: null,
  version: '0',
  publicUrl: () => 'http://127.0.0.1',
  sources: { rules: {} },
} as unknown as ServeContext

const undeclared = catalogRoute({
  id: 'listNothing',
  path: '/v1/nothing',
  summary: 'List nothing',
  description: 'Not in the table.',
  answer: Type.Object({}, { $id: 'Nothing' }),
  returns: 'Nothing.',
  problems: [],
})

test('every route of the table gets its handler, at its path and with its method', async () => {
  const app = await openApp(context)
  for (const { path, method, answersHead } of ROUTES.filter((route) => route !== DOCS)) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    expect([path, app.hasRoute({ url, method: method.toUpperCase() as 'GET' })]).toEqual([path, true])
    if (answersHead) expect(app.hasRoute({ url, method: 'HEAD' })).toBe(true)
  }
  await app.close()
})

test('a route that is not declared cannot be registered', async () => {
  const app = fastify()
  requireDeclarations(app, ROUTES, [DOCS])
  expect(() => app.get('/v1/nothing', () => '')).toThrow('GET /v1/nothing is not declared in contract/routes.ts')
  expect(() => handle(app, undeclared, () => '')).toThrow('GET /v1/nothing is not declared in contract/routes.ts')
  handle(app, LIST_PRODUCTS, () => '')
  // a copy is not the declaration in the table
  expect(() => handle(app, { ...LIST_STORES }, () => '')).toThrow('is not declared')
  await app.close()
})

test('a declaration without a handler is an error at startup', async () => {
  const app = fastify()
  const requireAllHandled = requireDeclarations(app, [LIST_PRODUCTS, undeclared, LIST_STORES], [])
  handle(app, LIST_STORES, () => '')
  expect(requireAllHandled).toThrow('routes without a handler: listProducts, listNothing')
  handle(app, LIST_PRODUCTS, () => '')
  handle(app, undeclared, () => '')
  expect(requireAllHandled).not.toThrow()
  await app.close()
})

test('members of a body that hold secrets are declared, so that the audit trail does not get them', () => {
  const holding = ROUTES.filter(({ access }) => access === 'full').flatMap(({ id, body }) => {
    const { properties = {} } = (body?.schema ?? {}) as { properties?: Readonly<Record<string, unknown>> }
    return Object.entries(properties)
      .filter((member) => /"(?:password|passphrase|private_key|secret|token)"/.test(JSON.stringify(member)))
      .map(([name]) => ({ id, name, isDeclared: body?.secrets?.includes(name) ?? false }))
  })
  expect(holding.map(({ id }) => id)).toEqual(['createSource', 'putSource', 'patchSource'])
  expect(holding.filter(({ isDeclared }) => !isDeclared)).toEqual([])
})

test('ids and addresses are unique, and each parameter in braces is declared', () => {
  const unique = (names: string[]) => expect(names).toEqual([...new Set(names)])
  unique(ROUTES.map(({ id }) => id))
  unique(ROUTES.map(({ method, path }) => `${method} ${path}`))
  for (const { path, params } of ROUTES)
    expect([path, Object.keys(params)]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])])
})

test('the methods of an address come from the table', () => {
  const methodsAt = methodsByPath(ROUTES)
  expect(methodsAt('/v1/account/stores/main')).toBe('GET, HEAD, PUT, PATCH, DELETE')
  expect(methodsAt('/v1/account/groups/1')).toBe('GET, HEAD, PATCH, DELETE')
  expect(methodsAt('/openapi.json')).toBe('GET, HEAD')
  expect([methodsAt('/openapi-json'), methodsAt('/v1/nothing'), methodsAt('/v1/products/1/2')]).toEqual([
    null,
    null,
    null,
  ])
})

test('every account resource has its routes in the table and in the document', () => {
  const { paths } = openApiDocument('http://127.0.0.1', '0') as { paths: Record<string, Record<string, unknown>> }
  for (const resource of ACCOUNT_RESOURCES) {
    const routes = Object.values(routesOfResource(resource)).filter((route: Route | null) => route !== null)
    expect([resource.path, routes.length]).toEqual([resource.path, resource.key.isText ? 6 : 5])
    for (const route of routes) {
      expect(ROUTES).toContain(route)
      expect(paths[route.path.replace('/v1', '')]?.[route.method]).toMatchObject({
        operationId: route.id,
        tags: [resource.tag ?? resource.path],
      })
    }
  }
})

test('bounds of the contract are the limits of the service', () => {
  const read = (route: Route, query: Record<string, string>) => queryReader(route)(query)
  const many = '9'.repeat(20)
  expect(read(LIST_PRODUCTS, {})).toMatchObject({ per_page: LIMITS.perPageDefault, page: 1 })
  expect(read(LIST_PRODUCTS, { per_page: many })).toMatchObject({ per_page: LIMITS.perPageMax })
  expect(read(LIST_OPERATION_ERRORS, { per_page: many })).toMatchObject({ per_page: LIMITS.bulkResultsPageMax })
  expect(LIST_PRODUCTS.query.sku).toMatchObject({ maxLength: LIMITS.skuLengthMax })
  expect(LIST_PRODUCTS.query.ids).toMatchObject({ 'x-bounds': [1, LIMITS.idsMax] })
  expect(LIST_CHANGES.query.limit).toMatchObject({ maximum: LIMITS.feedWindowMax, default: LIMITS.feedWindowDefault })
  expect(LIST_CHANGES.query.wait).toMatchObject({ maximum: LIMITS.longPollSecondsMax })
  for (const route of Object.values(BULK_ROUTES)) expect(route.body.bytesMax).toBe(LIMITS.bulkBodyBytesMax)
})

test('parameters that are not declared are ignored in the catalog and refused elsewhere', () => {
  expect(queryReader(LIST_STORES)({ dryrun: 'true' })).toEqual({})
  for (const route of ROUTES.filter(({ access }) => access === 'full')) {
    const read = queryReader(route)
    expect(() => read({ dryrun: 'true' }), route.id).toThrow(
      expect.objectContaining({ code: 'invalid-parameters', faults: [{ name: 'dryrun', reason: 'is unknown' }] }),
    )
  }
})

test('an ID in a path that can be nobody’s is 0, or the error that the route declares', () => {
  for (const text of ['0', '-1', '1e3', '9'.repeat(30), '', '%00', '01'])
    expect(pathReader({ ...LIST_STORES, params: { id: Type.Integer() } })({ id: text })).toEqual({ id: 0 })
  const unknown = { code: 'unknown-product', detail: 'no such product' } as const
  expect(() => pathReader({ ...LIST_STORES, params: { id: Type.Integer() }, unknown })({ id: '0' })).toThrow(
    ShelfwireError,
  )
  expect(
    pathReader({ ...LIST_STORES, params: { id: Type.Integer(), key: Type.String() } })({ id: '7', key: '0' }),
  ).toEqual({ id: 7, key: '0' })
})

for (const name of ['add-a-route', 'add-an-account-resource']) {
  test(`docs/how-to/${name}.md names files and tests that exist`, () => {
    const text = readFileSync(`${root}docs/how-to/${name}.md`, 'utf8')
    const paths = [...text.matchAll(/`((?:contract|src|test|docs|migrations)\/[^`]*|CHANGELOG\.md)`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(paths.length).toBeGreaterThan(5)
    // of a path with a placeholder, the folder
    expect(paths.filter((path) => !existsSync(root + path.replace(/<.*/, '')))).toEqual([])
    const tests = readdirSync(`${root}test/api`).map((file) => readFileSync(`${root}test/api/${file}`, 'utf8'))
    const titles = [...text.matchAll(/"([^"]+)"/g)].map((match) =>
      (match[1] ?? '').replaceAll('\n', ' ').replace(/ +/g, ' '),
    )
    expect(titles.length).toBeGreaterThan(0)
    for (const title of titles)
      expect(
        tests.some((body) => body.includes(title)),
        title,
      ).toBe(true)
  })
}
