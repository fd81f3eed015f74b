import { Agent, METHODS, request, type IncomingHttpHeaders } from 'node:http'
import process from 'node:process'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRODUCT_MEMBERS } from '../../contract/schemas.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { offer } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { client, tokenFor } from '../harness/service.ts'
import { catalogRoutes } from './documented.ts'
import { servedDocument, strictDocument, validatorOf, type OpenApi } from './strict-document.ts'
import { world } from '../harness/world.ts'

const SEED = Number(process.env['SEED'] ?? 20_261_121)
/** The most requests that are sent together, half of it on average; a batch that fails shrinks to the request at fault. */
const BATCH = 50
const BATCHES = inGate(60, 520)

interface Schema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  items?: Schema
  minItems?: number
}
interface Parameter {
  name: string
  value: string
  isValid: boolean
}
interface Attempt {
  /** The documented path; null for one that is not documented. */
  template: string | null
  method: string
  path: string
  query: Parameter[]
  headers: Record<string, string>
  /** Whether the Authorization header must be accepted, or the status of its refusal. */
  admits: 'yes' | 401 | 403
  body: string | null
}

const INT64_MAX = 2n ** 63n - 1n
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    'null',
    '٣',
    '\0',
    "' or 1=1 --",
    '../..',
    '%',
    '${x}',
    '9'.repeat(40),
    'a'.repeat(2_000),
    '2026-02-30T00:00:00Z',
    'now',
    '1,2,',
    '__proto__',
  ),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)

/** Values that the schema allows. */
function validBy(schema: Schema): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.items !== undefined)
    return fc
      .array(validBy(schema.items), { minLength: schema.minItems ?? 0, maxLength: 5 })
      .map((all) => all.join(','))
  if (schema.type !== 'integer') {
    const text =
      schema.pattern === undefined ? fc.string() : fc.stringMatching(new RegExp(schema.pattern, 'u'), { size: '-1' })
    return text.filter(
      (value) => value.length >= (schema.minLength ?? 0) && value.length <= (schema.maxLength ?? 4_000),
    )
  }
  const min = BigInt(schema.minimum ?? -1_000_000)
  const max = schema.maximum === undefined ? INT64_MAX : BigInt(schema.maximum)
  const near = min + 400n < max ? min + 400n : max
  return fc.oneof(fc.bigInt({ min, max: near }), fc.bigInt({ min, max })).map(String)
}

/** What a refusal of a request may name: parameters of a read; of a write its body, members of it, and any parameter, because it has none. */
function namesAtFault(document: OpenApi, { template, method, query, body }: Attempt): string[] {
  const { get, post } = (template === null ? undefined : document.paths[template]) ?? {}
  if (method !== 'POST' || post === undefined) return get?.parameters.map(({ name }) => name) ?? []
  const { properties = {} } = (post.requestBody?.content['application/json']?.schema ?? {}) as { properties?: object }
  return ['body', ...Object.keys(properties), ...sentMembers(body), ...query.map(({ name }) => name)]
}

/** The members of a body that is a JSON object. */
function sentMembers(body: string | null): string[] {
  try {
    return Object.keys((JSON.parse(body ?? 'null') as object | null) ?? {})
  } catch {
    return []
  }
}

/** Requests drawn from the document. `known` are values that exist, so that some requests succeed. */
function attempts(
  document: OpenApi,
  known: Record<string, string[]>,
  authorizations: [string | null, Attempt['admits']][],
  etags: string[],
): fc.Arbitrary<Attempt> {
  const parameter = ({ name, schema }: { name: string; schema: Schema }): fc.Arbitrary<Parameter> => {
    // nothing changes here, so a long poll would wait for its full time
    const valid = name === 'wait' ? fc.constant('0') : validBy(schema)
    return fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(...(known[name] ?? ['1'])).map((value) => ({ name, value, isValid: true })),
      },
      { weight: 2, arbitrary: valid.map((value) => ({ name, value, isValid: true })) },
      { weight: 2, arbitrary: nasty.map((value) => ({ name, value, isValid: false })) },
    )
  }
  // the read API; test/api/write-fuzz.full.pg.test.ts draws requests to account resources
  const read = Object.entries(document.paths).filter(([path]) => catalogRoutes.some((route) => route.path === path))
  const documented = fc.constantFrom(...read).chain(([template, { get }]) => {
    const queries = get!.parameters.filter((one) => one.in === 'query')
    const query =
      queries.length === 0
        ? fc.constant<Parameter[]>([])
        : fc.oneof(
            fc.array(fc.constantFrom(...queries).chain(parameter), { maxLength: 3 }),
            fc.array(fc.constantFrom(...queries).chain(parameter), { maxLength: 1 }),
          )
    const id = parameter({
      name: template.startsWith('/v1/groups/') ? 'group' : 'id',
      schema: { type: 'integer', minimum: 1 },
    })
    return fc.record({ query, id, noise: fc.option(nasty, { freq: 10 }) }).map(({ query, id, noise }) => ({
      template,
      path: template.replace('{id}', () => encodeURIComponent(id.value)),
      query: noise === null ? query : [...query, { name: noise, value: noise, isValid: true }],
    }))
  })
  const undocumented = fc
    .oneof(
      fc.webPath({ size: 'small' }),
      fc
        .tuple(
          fc.constantFrom(
            '/v1/',
            '/v1',
            '/docs/',
            '/v1/products/1/',
            '//',
            '/v2/',
            '/openapi.json',
            '/healthz/',
            '/v1/%2e%2e/',
            '/%76%31/',
            '/v1;',
          ),
          fc.oneof(fc.webSegment(), nasty.map(encodeURIComponent)),
        )
        .map(([a, b]) => a + b),
      fc.constantFrom(
        '/',
        '/v1/products/',
        '/V1/stores',
        '/v1/stores%00',
        '/v1/%',
        '/v1/prices/1%2F2',
        '/docs/static/../../package.json',
        '/docs/static/%2e%2e%2fpackage.json',
        '*',
      ),
    )
    .map((path) => ({
      template: null,
      path: path.startsWith('/') || path === '*' ? path : `/${path}`,
      query: [] as Parameter[],
    }))
  return fc
    .record({
      target: fc.oneof({ weight: 9, arbitrary: documented }, { weight: 1, arbitrary: undocumented }),
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant('GET') },
        { weight: 1, arbitrary: fc.constant('HEAD') },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT')) },
      ),
      authorization: fc.oneof(
        { weight: 9, arbitrary: fc.constant(authorizations[0]!) },
        { weight: 1, arbitrary: fc.constantFrom(...authorizations) },
      ),
      coding: fc.option(
        fc.oneof(
          fc.constantFrom('gzip', 'br', 'zstd', 'identity', '*', 'gzip;q=0', '*;q=0, br', 'GZIP, deflate;q=0.5'),
          fc.stringMatching(/^[ -~]{0,40}$/),
        ),
      ),
      condition: fc.option(
        // often `*`, which matches every answer, so that a single product also answers 304
        fc.oneof(fc.constant('*'), fc.constantFrom('""', '","', 'W/"', ...etags), fc.stringMatching(/^[ -~]{0,40}$/)),
        { freq: 3 },
      ),
      accept: fc.option(fc.constantFrom('application/json', 'text/html', 'nonsense', '*/*;q=0'), { freq: 3 }),
      body: fc.option(fc.oneof(fc.json(), fc.string()), { freq: 2 }),
      type: fc.constantFrom('application/json', 'text/plain', 'application/xml', 'multipart/form-data', 'nonsense'),
    })
    .map(({ target, method, authorization: [authorization, admits], coding, condition, accept, body, type }) => {
      const carries = body !== null && !['GET', 'HEAD', 'TRACE'].includes(method)
      const headers = {
        authorization,
        'accept-encoding': coding,
        'if-none-match': condition,
        accept,
        'content-type': carries ? type : null,
      }
      return {
        ...target,
        method,
        admits,
        body: carries ? body : null,
        headers: Object.fromEntries(
          Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
        ),
      }
    })
}

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

function send(base: URL, agent: Agent, attempt: Attempt): Promise<Reply> {
  const search = attempt.query
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const outgoing = request(
    {
      host: base.hostname,
      port: base.port,
      agent,
      method: attempt.method,
      path: attempt.path + (search === '' ? '' : `?${search}`),
      headers: {
        ...attempt.headers,
        // Node's client sends the body of a DELETE or OPTIONS without a length: the service would read it as the next request
        ...(attempt.body === null ? {} : { 'content-length': Buffer.byteLength(attempt.body) }),
      },
    },
    (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(parts)
        const decode = bytes.length === 0 ? undefined : decoders[answer.headers['content-encoding'] ?? '']
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: (decode === undefined ? bytes : decode(bytes)).toString(),
        })
      })
    },
  ).on('error', reject)
  outgoing.end(attempt.body ?? undefined)
  return promise
}

test('ten thousand requests by the document: never a 500, and every answer has the shape that its status promises', async () => {
  console.log(`fuzz: SEED=${SEED}`)
  const products = Array.from({ length: 300 }, (_, i) =>
    offer(`A${i}`, {
      ...(i === 7 ? { cost: null } : i === 8 ? { eans: ['4006381333931'] } : {}),
      ...(i < 60 ? { group: { key: `G${i % 9}`, title: {}, options: [], position: i } } : {}),
    }),
  )
  await using w = await world({ service: {}, account: 'acme', products })
  const { service, account, ids } = w
  const { runtime } = service
  const { accountId } = account
  await runtime.shelf.write(accountId, (tx) => setListing(tx, accountId, account.storeIds[0], ids.slice(0, 20), false))
  await runtime.shelf.write(accountId, (tx) =>
    setOwnStock(tx, accountId, [{ productId: ids[50] ?? 0, quantity: 3, cost: '1.005' }]),
  )
  const token = await tokenFor(runtime, accountId)
  const get = client(service.url, token)
  const document = strictDocument(await servedDocument(service.url))
  const { next_since: since, next_id: sinceId } = (await get('/v1/changes?limit=50')).body
  const groups = (await get('/v1/groups')).body.data as { id: number }[]
  const known = {
    group: groups.map(({ id }) => String(id)),
    id: ids.slice(15, 45).map(String),
    store: ['main', 'de', 'pl'],
    per_page: ['1', '5', '200'],
    page: ['1', '2', '7'],
    ids: [ids.slice(0, 200).join(), String(ids[40])],
    after_id: ['0', String(ids[250])],
    sku: ['A1', 'A50'],
    ean: ['4006381333931'],
    since: [since, 'now', '2020-01-01T00:00:00Z'],
    since_id: ['0', String(sinceId)],
    limit: ['1', '20'],
    wait: ['0'],
    expand: ['products'],
    fields: ['title', 'id,stock,prices', PRODUCT_MEMBERS.join()],
    locales: ['all'],
    half: ['price', 'content'],
    after_block: ['0', '1'],
  }
  const authorizations: [string | null, Attempt['admits']][] = [
    [`Bearer ${token}`, 'yes'],
    [`bearer  ${token}`, 'yes'],
    [`BEARER ${await tokenFor(runtime, accountId, 'full')}`, 'yes'],
    [null, 401],
    ['', 401],
    ['Bearer', 401],
    [`Bearer ${token}x`, 401],
    [`Basic ${token}`, 401],
    [`Bearer sw_c${'0'.repeat(38)}`, 401],
    [`Bearer ${token.slice(0, -1)}`, 401],
    [`Bearer ${await tokenFor(runtime, null)}`, 403],
    [`Bearer ${await tokenFor(runtime, accountId, 'connector', new Date(0))}`, 401],
  ]
  const etags = await Promise.all(
    ['/v1/stores', '/v1/products', '/v1/changes'].map(async (path) => (await get(path)).headers.get('etag') ?? ''),
  )

  const ajv = validatorOf(document)
  // with `fields` a product may lack members that the schema requires
  const { Product } = document.components.schemas
  const schemas = { ...document.components.schemas, Product: { ...Product, required: ['id'] } }
  const ajvOfFields = validatorOf({ ...document, components: { ...document.components, schemas } })
  const validators = new Map<string, ValidateFunction>()
  const expectValid = (pointer: string, text: string, hasFields = false) => {
    const key = `${pointer} ${hasFields}`
    const validate = validators.get(key) ?? (hasFields ? ajvOfFields : ajv).compile({ $ref: `openapi#${pointer}` })
    validators.set(key, validate)
    if (!validate(JSON.parse(text)))
      throw new Error(`${pointer}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`)
  }
  const statuses: Record<string, number> = {}

  const check = (attempt: Attempt, { status, headers, text }: Reply) => {
    const kind = `${attempt.template ?? 'other'} ${status}`
    statuses[kind] = (statuses[kind] ?? 0) + 1
    expect(status).toBeLessThan(500)
    const operation = attempt.template === null ? undefined : document.paths[attempt.template]?.['get']
    const isRead = attempt.method === 'GET' || attempt.method === 'HEAD'
    if (operation !== undefined) {
      if (attempt.admits === 'yes') expect([401, 403]).not.toContain(status)
      else expect(status).toBe(attempt.admits)
      if (isRead) expect(Object.keys(operation.responses)).toContain(String(status))
      else expect(status).toBeGreaterThanOrEqual(400)
    }
    if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer/)
    if (status === 405)
      expect(headers.allow).toBe(attempt.template === '/v1/digest/checks' ? 'GET, HEAD, POST' : 'GET, HEAD')
    if (attempt.method === 'HEAD' || status === 304) {
      expect(text).toBe('')
      return
    }
    if (status >= 400) {
      expect(headers['content-type']).toBe('application/problem+json')
      expectValid('/components/schemas/Problem', text)
      const problem: { status: number; errors?: { name: string }[] } = JSON.parse(text)
      expect(problem.status).toBe(status)
      const names = namesAtFault(document, attempt)
      for (const error of problem.errors ?? []) expect(names).toContain(error.name)
      // a single parameter that the schema allows is never at fault, except for halves of cursors and texts that must be times
      const [only, ...more] = attempt.query
      if (
        operation !== undefined &&
        isRead &&
        more.length === 0 &&
        only?.isValid !== false &&
        !['since', 'since_id'].includes(only?.name ?? '') &&
        // with `locales` fewer ids are allowed
        !(only?.name === 'ids' && attempt.query.some(({ name }) => name === 'locales'))
      )
        expect(status).not.toBe(400)
    } else if (operation !== undefined) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      const escaped = (attempt.template ?? '').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
      const hasFields = attempt.query.some(({ name }) => name === 'fields')
      expectValid(`/paths/${escaped}/get/responses/200/content/application~1json/schema`, text, hasFields)
    }
  }

  const base = new URL(service.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(attempts(document, known, authorizations, etags), { minLength: 1, maxLength: BATCH, size: 'max' }),
      async (batch) => {
        await Promise.all(batch.map(async (attempt) => check(attempt, await send(base, agent, attempt))))
      },
    ),
    { seed: SEED, numRuns: BATCHES },
  )
  agent.destroy()
  const sent = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  console.log(`${sent} requests`, statuses)
  expect(sent).toBeGreaterThanOrEqual(inGate(1_200, 10_000))
  for (const { path: template } of catalogRoutes) {
    for (const status of [200, 304, 401, 405]) expect(statuses[`${template} ${status}`]).toBeGreaterThan(inGate(0, 5))
  }
}, 180_000)
