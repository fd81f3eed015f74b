import { OPERATION_SCHEMAS } from './operation-schemas.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { SCHEMAS } from './schemas.ts'
import { SOURCE_OPERATIONS, SOURCE_SCHEMAS, type SourceOperation } from './write-operations.ts'

const PROBLEM_WORDS: Readonly<Record<number, string>> = {
  400: 'A parameter is not what it should be; errors names each.',
  401: 'The bearer token is missing, malformed, unknown, revoked or expired.',
  403: 'The token is tied to no account, or may only read.',
  404: 'Unknown store, or the store does not list the product.',
  409: 'It would break something that must hold: a key that is taken, the last default, a limit.',
  412: 'If-Match or If-None-Match do not hold: it was changed meanwhile.',
  413: 'The body is larger than is read.',
  415: 'The body is not sent as JSON.',
  422: 'The body is well formed and not what it should be; errors names each member at fault, and nothing was written. Or the Idempotency-Key came with another request before.',
  410: 'The cursor is ahead of the feed, as after a backup was restored: start over without a cursor.',
  429: 'Too many requests; Retry-After says when to go on.',
  500: 'Our fault.',
}

/** What stores read, apart from what the account states. */
const FINISHED = 'finished catalog'

const EVERYWHERE = [401, 403, 429, 500]

/** The OpenAPI 3.1 document of the API. `serverUrl` is the base URL without /v1. */
export function openApiDocument(serverUrl: string, version: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfwire API',
      version,
      description:
        'A store-ready catalog: products, prices and stock resolved per store, a change feed that loses nothing, and below /v1/account everything that the account states, for full tokens. Within /v1 there are only additions; a deprecation carries Deprecation and Sunset headers for 12 months.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths: paths(),
    webhooks: { delivery: { post: DELIVERY } },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A connector or full token of the account.' },
      },
      schemas: Object.fromEntries(
        Object.entries({ ...SCHEMAS, ...OPERATION_SCHEMAS, ...SOURCE_SCHEMAS }).map(([name, schema]) => [
          name,
          relocate(schema),
        ]),
      ),
    },
  }
}

function paths(): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {}
  for (const operation of OPERATIONS) all[operation.path] = { get: describe(operation) }
  all[EXPORT_PATH] = { get: describeExport() }
  for (const operation of SOURCE_OPERATIONS)
    all[operation.path] = { ...all[operation.path], [operation.method]: describeSource(operation) }
  return all
}

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** What endpoints receive, whose requests this service makes. */
const DELIVERY = {
  operationId: 'receiveDelivery',
  summary: 'Products changed',
  description:
    'Posted to the endpoints that the account owner registered; signed, at least once, one at a time for each endpoint.',
  security: [],
  parameters: [
    header(
      'X-Service-Timestamp',
      true,
      'Unix seconds at which the delivery was signed; refuse what is more than 300 s off.',
    ),
    header(
      'X-Service-Signature',
      true,
      'sha256= and the lowercase hexadecimal HMAC-SHA256 of «timestamp.body» under the signing secret.',
    ),
    header(
      'X-Service-Signature-Previous',
      false,
      'The same under the secret before the last rotation, while that overlaps.',
    ),
    header('X-Service-Delivery', true, 'Stable uuid: the same at every attempt of one delivery.'),
    header('X-Service-Test', false, '1 in a test event.'),
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookDelivery' } } },
  },
  responses: {
    '2XX': {
      description: 'Acknowledges. Anything else, and no answer within 15 s, is a failed delivery, which is sent again.',
    },
  },
}

function describe(operation: Operation): Record<string, unknown> {
  const problems = [...operation.problems, ...EVERYWHERE].sort((a, b) => a - b)
  return {
    operationId: operation.id,
    tags: [FINISHED],
    summary: operation.summary,
    description: operation.description,
    parameters: operation.parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.in === 'path',
      description: parameter.description,
      schema: relocate(parameter.schema),
    })),
    responses: {
      200: {
        description: 'The answer.',
        headers: { ETag: { description: 'Strong; send it back as If-None-Match.', schema: { type: 'string' } } },
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${operation.answer}` } } },
      },
      304: { description: 'Unchanged since the ETag sent as If-None-Match.' },
      ...Object.fromEntries(
        problems.map((status) => [
          status,
          {
            description: PROBLEM_WORDS[status] ?? 'A problem.',
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  }
}

/** Streamed, so it stands beside the operations that answer one JSON body. */
export const EXPORT_PATH = '/v1/export'

function describeExport(): Record<string, unknown> {
  const cursor = (description: string) => ({ description, schema: { type: 'string' } })
  const items = { $ref: '#/components/schemas/Product' }
  return {
    operationId: 'exportProducts',
    tags: [FINISHED],
    summary: 'Stream all products of a store',
    description:
      'The finished catalog as one JSON array, or a product per line with Accept: application/x-ndjson. The cursor in the headers is from before the first product: the export plus the changes since then is the store. A transfer that ends early has no closing bracket.',
    parameters: [
      {
        name: 'store',
        in: 'query',
        required: false,
        description: 'Store slug; the default store when omitted.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: 'The products, by ID ascending.',
        headers: {
          ETag: { description: 'Weak; send it back as If-None-Match.', schema: { type: 'string' } },
          'Shelfwire-Next-Since': cursor('Send as since to /v1/changes.'),
          'Shelfwire-Next-Id': cursor('Send as since_id.'),
        },
        content: {
          'application/json': { schema: { type: 'array', items } },
          'application/x-ndjson': { schema: items },
        },
      },
      304: { description: 'Nothing was changed since the ETag sent as If-None-Match.' },
      ...Object.fromEntries(
        [400, ...EVERYWHERE, 404]
          .sort((a, b) => a - b)
          .map((code) => [
            code,
            {
              description: PROBLEM_WORDS[code] ?? 'A problem.',
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          ]),
      ),
    },
  }
}

const WRITE_HEADERS = [
  header(
    'Idempotency-Key',
    false,
    'The same request with the same key is made once, and answered alike, for 24 hours.',
  ),
  header('Prefer', false, 'wait=N: wait up to N seconds for payloads; respond-async: not at all.'),
]
const told = (description: string) => ({ description, schema: { type: 'string' } })
const WRITE_ANSWERS = {
  'Operation-Location': told(
    'Operation that tells how far payloads are, where the answer did not wait for all of them.',
  ),
  'Idempotent-Replayed': told('true where the request was made before under this Idempotency-Key.'),
}
const MATCH_HEADERS = [
  header('If-Match', false, 'ETag of what was read; 412 when it was changed since.'),
  header('If-None-Match', false, 'With *: 412 when there is something already.'),
]

function describeSource(operation: SourceOperation): Record<string, unknown> {
  const { method, answer, whole, isList, status, body } = operation
  const isWrite = method !== 'get'
  const onOne = method === 'put' || method === 'patch' || method === 'delete'
  const data = answer === null ? null : { $ref: `#/components/schemas/${answer}` }
  const schema =
    whole !== undefined
      ? { $ref: `#/components/schemas/${whole}` }
      : data === null
        ? null
        : {
            type: 'object',
            required: isList === true ? ['data', 'meta'] : ['data'],
            properties:
              isList === true
                ? {
                    data: { type: 'array', items: data },
                    meta: { type: 'object', description: 'per_page, and where the next page begins, or null.' },
                  }
                : { data },
          }
  const problems = [400, ...EVERYWHERE, 404, ...(isWrite ? [409, 413, 415, 422] : []), ...(onOne ? [412] : [])].sort(
    (a, b) => a - b,
  )
  const statuses = [status, ...(method === 'put' ? [201] : []), ...(whole !== undefined ? [202] : [])]
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    parameters: [
      ...operation.parameters.map((parameter) => ({
        ...parameter,
        required: parameter.in === 'path',
        schema: relocate(parameter.schema),
      })),
      ...(isWrite ? WRITE_HEADERS : []),
      ...(onOne ? MATCH_HEADERS : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [method === 'patch' ? 'application/merge-patch+json' : 'application/json']: { schema: relocate(body) },
            },
          },
        }),
    responses: {
      ...Object.fromEntries(
        statuses.map((code) => [
          code,
          {
            description: code === 202 ? 'Taken; Location names the operation.' : code === 204 ? 'Done.' : 'The answer.',
            ...(isWrite
              ? {
                  headers:
                    code === 201 || code === 202
                      ? { ...WRITE_ANSWERS, Location: told('Path of what was made, or of the operation.') }
                      : WRITE_ANSWERS,
                }
              : {}),
            ...(code === 202
              ? {
                  content: {
                    'application/json': {
                      schema: {
                        type: 'object',
                        required: ['data'],
                        properties: { data: { $ref: '#/components/schemas/Operation' } },
                      },
                    },
                  },
                }
              : schema === null
                ? {}
                : { content: { 'application/json': { schema } } }),
          },
        ]),
      ),
      ...(isWrite ? {} : { 304: { description: 'Unchanged since the ETag sent as If-None-Match.' } }),
      ...Object.fromEntries(
        problems.map((code) => [
          code,
          {
            description: PROBLEM_WORDS[code] ?? 'A problem.',
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  }
}

/** Plain JSON with references into components instead of bare ids. */
function relocate(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$id'
      ? undefined
      : key === '$ref' && typeof value === 'string' && !value.startsWith('#')
        ? `#/components/schemas/${value}`
        : value,
  )
}
