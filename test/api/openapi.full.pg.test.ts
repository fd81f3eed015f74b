import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import { createAccount } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { readDocument } from './documented.ts'
import {
  servedDocument,
  strictDocument,
  validatorOf,
  type DocumentedOperation,
  type OpenApi,
  type Schema,
} from './strict-document.ts'
import { worldOfFile } from '../harness/world.ts'

// Properties of the whole served document on which generated clients rely.

const { service } = worldOfFile({ service: {} })
let document: OpenApi
beforeAll(async () => {
  document = await servedDocument(service.url)
})

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
const operations = (): (DocumentedOperation & { name: string; path: string })[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.includes(method) ? [{ ...operation, name: `${method} ${path}`, path }] : [],
    ),
  )

/** Every schema inside a node, with its place in the document. Examples are skipped. */
function* schemasIn(node: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node) && ('type' in node || 'anyOf' in node || '$ref' in node)) yield [place, node as Schema]
  for (const [key, value] of Object.entries(node))
    if (key !== 'example' && key !== 'examples') yield* schemasIn(value, `${place}/${key}`)
}

const ofAnswers = () => [
  ...schemasIn(document.components.schemas, 'components'),
  ...schemasIn(document.webhooks, 'webhooks'),
  ...operations().flatMap(({ name, responses }) => [...schemasIn(responses, name)]),
]
const ofRequests = () => operations().flatMap(({ name, requestBody }) => [...schemasIn(requestBody ?? {}, name)])

test('ids are declared as a list of numbers, which generated clients send with commas or one by one', async () => {
  const { accountId } = await createAccount(service.runtime, 'ids')
  const get = client(service.url, await tokenFor(service.runtime, accountId))
  for (const path of ['/products', '/prices']) {
    const declared = operations().find(({ name }) => name === `get ${path}`)?.parameters
    const items = { type: 'integer', format: 'int64', minimum: 1 }
    expect(declared?.find(({ name }) => name === 'ids')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', items, minItems: 1, maxItems: 200 },
    })
    // in the documented style, and as clients do that repeat the parameter
    for (const query of ['ids=1,2', 'ids=1%2C2', 'ids=1&ids=2'])
      expect([path, query, (await get(`/v1${path}?${query}`)).status]).toEqual([path, query, 200])
  }
})

test('what an answer holds may grow: no schema of an answer is closed', () => {
  const schemas = ofAnswers()
  expect(schemas.filter(([, { properties }]) => properties !== undefined).length).toBeGreaterThan(80)
  expect(schemas.filter(([, schema]) => schema.additionalProperties === false).map(([place]) => place)).toEqual([])
})

test('what a request holds is checked: every schema of a body is closed, and none is an answer’s', () => {
  const schemas = ofRequests()
  const shapes = schemas.filter(([, { properties }]) => properties !== undefined)
  expect(shapes.length).toBeGreaterThan(40)
  expect(shapes.filter(([, schema]) => schema.additionalProperties !== false).map(([place]) => place)).toEqual([])
  expect(schemas.filter(([, schema]) => schema.$ref !== undefined).map(([place]) => place)).toEqual([])
})

test('our own tests notice a member that the document does not declare', async () => {
  const account = await createAccount(service.runtime)
  const answer = await client(
    service.url,
    await tokenFor(service.runtime, account.accountId, 'full'),
  )('/v1/account/stores')
  const held = await readDocument(service.url)
  const noticed = (changed: Partial<Answer>): string => {
    try {
      held.hold('GET', '/v1/account/stores', { ...answer, ...changed })
      return 'nothing'
    } catch (error) {
      return JSON.stringify((error as { actual: unknown }).actual)
    }
  }
  expect(noticed({})).toBe('nothing')
  const { data, meta } = answer.body as { data: object[]; meta: object }
  const grown = { data: [{ ...data[0], surprise: 1 }, ...data.slice(1)], meta: { ...meta, surprise: 2 } }
  expect(noticed({ body: { ...grown, meta } })).toContain('"additionalProperty":"surprise"')
  expect(noticed({ body: { ...grown, data } })).toContain('"additionalProperty":"surprise"')
  expect(noticed({ headers: new Headers([...answer.headers, ['x-surprise', '1']]) })).toContain('x-surprise')

  // a client that validates answers by the served document must accept members that a later release adds
  const open = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')
  open.addSchema(relocated(), 'relocated')
  const pointer = 'relocated#/paths/~1account~1stores/get/responses/200/content/application~1json/schema'
  expect(open.compile({ $ref: pointer })(grown)).toBe(true)
})

/** References of operations as absolute ones: their `#` is the document. */
const relocated = () =>
  JSON.parse(JSON.stringify(document).replaceAll('"#/components', '"openapi#/components')) as object

test('numbers, times, days and addresses have their formats', () => {
  const all = [...ofAnswers(), ...ofRequests()]
  const formatOf = (schema: Schema & { format?: string }): string | undefined =>
    schema.format ?? schema.anyOf?.map(formatOf).find((format) => format !== undefined)
  const properties = all.flatMap(([place, schema]) =>
    Object.entries(schema.properties ?? {}).map(([name, member]) => [`${place} ${name}`, name, member] as const),
  )
  const lacking = (names: RegExp, format: string) =>
    properties.flatMap(([place, name, member]) => {
      const value = member.items ?? member
      return names.test(name) && value.$ref === undefined && formatOf(value) !== format ? [place] : []
    })
  // an external id is a text of another system
  expect(lacking(/^(id|next_id|next_after_id|(?!external_).*_id)$/, 'int64')).toEqual([])
  expect(lacking(/^(.*_at|next_since|absent_since)$/, 'date-time')).toEqual([])
  expect(lacking(/^(day|valid_from|valid_to)$/, 'date')).toEqual([])
  const ofParameters = operations().flatMap(({ name, parameters }) =>
    parameters.flatMap(({ name: parameter, schema }) =>
      /^(id|.*_id|before)$/.test(parameter) && formatOf(schema) !== 'int64' ? [`${name} ${parameter}`] : [],
    ),
  )
  expect(ofParameters).toEqual([])
})

test('tags are declared once, described, used, and in the order of the operations', () => {
  const declared = document.tags.map(({ name }) => name)
  expect(declared).toEqual([...new Set(operations().flatMap(({ tags }) => tags))])
  for (const { name, description } of document.tags) expect([name, description.length > 15]).toEqual([name, true])
  for (const { name, tags } of operations()) expect([name, tags.length]).toEqual([name, 1])
})

test('each answer of an operation has a description of its own, and names the headers that it can have', () => {
  for (const { name, responses } of operations()) {
    const descriptions = Object.values(responses).map(({ description }) => description)
    expect([name, descriptions]).toEqual([name, [...new Set(descriptions)]])
    for (const [status, { description, headers }] of Object.entries(responses)) {
      expect([name, status, description]).toEqual([name, status, expect.stringMatching(/^.{10}/)])
      expect(description).not.toMatch(/^(the answer|successful response|default response)\.?$/i)
      expect([name, status, Object.keys(headers)]).toEqual([name, status, expect.arrayContaining(['X-Request-Id'])])
    }
    const [body] = Object.keys(responses)
    expect([name, Number(body) < 300]).toEqual([name, true])
  }
  const described = Object.entries(document.components.headers)
  const used = new Set(
    operations().flatMap(({ responses }) => Object.values(responses).flatMap(({ headers }) => Object.keys(headers))),
  )
  expect(described.map(([name]) => name).sort()).toEqual([...used].sort())
})

test('addresses are below a server that ends in /v1, or have a server of their own', () => {
  expect(document.servers.map(({ url }) => url)).toEqual([`${service.url}/v1`])
  for (const [path, item] of Object.entries(document.paths)) {
    const isOutside = /^\/(healthz|readyz|channels\/|images\/)/.test(path)
    const { servers } = item as { servers?: unknown }
    expect([path, servers]).toEqual([
      path,
      isOutside ? [{ url: service.url, description: 'This service, outside /v1' }] : undefined,
    ])
    expect(path).not.toMatch(/^\/v1/)
  }
})

test('every example fits its schema: parameters, requests and answers', () => {
  const ajv = validatorOf(strictDocument(document))
  let checked = 0
  const faultsOf = (schema: object, value: unknown): string => {
    checked++
    const located = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')
    const validate = ajv.compile(JSON.parse(located) as object)
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
  const strict = strictDocument(document)
  for (const [path, item] of Object.entries(strict.paths)) {
    for (const [method, { parameters, requestBody, responses }] of Object.entries(item)) {
      const name = `${method} ${path}`
      for (const { name: parameter, schema, example } of parameters)
        if (example !== undefined) expect([name, parameter, faultsOf(schema, example)]).toEqual([name, parameter, ''])
      const messages = [requestBody, ...Object.values(responses)].flatMap((message) =>
        Object.values(message?.content ?? {}),
      )
      for (const { schema, example } of messages)
        if (example !== undefined) expect([name, faultsOf(schema, example)]).toEqual([name, ''])
    }
  }
  for (const { schema, example } of Object.values(strict.webhooks['delivery']?.post?.requestBody?.content ?? {}))
    expect(['delivery', faultsOf(schema, example)]).toEqual(['delivery', ''])
  expect(checked).toBeGreaterThan(800)
})

test('every code that the code can report is in the table of problems, and the other way round', () => {
  const root = new URL('../../', import.meta.url).pathname
  const sources = ['src', 'contract'].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  )
  const reported = sources.flatMap((text) =>
    [...text.matchAll(/(?:new ShelfwireError|problemBody|super)\(\s*'([\w-]+)'/g)].map((match) => match[1] ?? ''),
  )
  const known = Object.keys(PROBLEMS)
  expect([...new Set(reported)].filter((code) => !known.includes(code))).toEqual([])
  expect(known.filter((code) => !reported.includes(code))).toEqual([])
})

test('the type of a problem is the address of its explanation, for every code', async () => {
  const read = client(service.url, null)
  const { text, headers } = await read('/docs/problems')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const shown = [...text.matchAll(/<section id="([\w-]+)">/g)].map((match) => match[1] ?? '')
  expect(shown).toEqual(Object.keys(PROBLEMS))
  for (const [path, code] of [
    ['/v1/products', 'missing-token'],
    ['/nothing', 'unknown-route'],
  ]) {
    const { body } = await read(path ?? '')
    const type = new URL(body.type as string)
    expect([body.code, type.hash]).toEqual([code, `#${code}`])
    expect((await fetch(type)).status).toBe(200)
    expect(shown).toContain(type.hash.slice(1))
  }
})
