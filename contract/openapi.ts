import type Type from 'typebox'
import type { Answer, Parameters, Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { SCHEMAS } from './schemas.ts'
import { OPERATION_SCHEMAS } from './operation-schemas.ts'

const PROBLEM_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'A parameter is not valid; errors names each.',
  401: 'The bearer token is missing, malformed, unknown, revoked or expired.',
  403: 'The token belongs to no account, or may only read.',
  404: 'Unknown store, or the store does not list the product.',
  408: 'The request did not arrive in full within 30 seconds; the connection is closed, and nothing was written.',
  409: 'It conflicts with what is stored: a key that is taken, the last default, a limit.',
  412: 'If-Match or If-None-Match failed: it was changed meanwhile.',
  413: 'The body is too large, or has too many values; errors names the row of a bulk.',
  415: 'The body is not JSON.',
  422: 'The body is well formed, but not valid; errors names each invalid member, and nothing was written. Or the Idempotency-Key was used with another request before.',
  410: 'The cursor is ahead of the feed, as after a backup was restored: start over without a cursor.',
  429: 'Too many requests, or with a body as much as is received at once: of large bodies, one per account; Retry-After says when to continue.',
  500: 'An error of the service.',
}

/** The OpenAPI 3.1 document of the API. `serverUrl` is the base URL without /v1. */
export function openApiDocument(serverUrl: string, version: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfwire API',
      version,
      description:
        'A store-ready catalog: products, prices and stock resolved per store, a change feed that loses nothing, and below /v1/account everything that the account sets, for full tokens. Within /v1 there are only additions; a deprecation carries Deprecation and Sunset headers for 12 months.',
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
      schemas: schemas(),
    },
  }
}

/** Named schemas: those that others refer to, and those of answers. */
function schemas(): Record<string, unknown> {
  const answers = ROUTES.flatMap((route) => route.schemas).map((schema) => [(schema as { $id?: string }).$id, schema])
  const all = { ...SCHEMAS, ...OPERATION_SCHEMAS, ...(Object.fromEntries(answers) as Record<string, Type.TSchema>) }
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, relocate(schema)]))
}

function paths(): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {}
  for (const route of ROUTES)
    if (route.isDocumented) all[route.path] = { ...all[route.path], [route.method]: describe(route) }
  return all
}

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** Webhook requests, which this service sends to endpoints. */
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
      'sha256= and the lowercase hexadecimal HMAC-SHA256 of "timestamp.body" under the signing secret.',
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

function describe(route: Route): Record<string, unknown> {
  const { body, headers, answers } = route
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...headers.map(({ name, description }) => header(name, false, description)),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [route.method === 'patch' ? 'application/merge-patch+json' : 'application/json']: {
                schema: relocate(body.schema),
              },
            },
          },
        }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
      ...Object.fromEntries(route.problems.map((status) => [status, problem(status)])),
    },
  }
}

/** Uses the description of the schema as the parameter's. */
function parameters(declared: Parameters, place: 'path' | 'query') {
  return Object.entries(declared).map(([name, schema]) => {
    const { description, 'x-must': _must, ...rest } = relocate(schema) as Record<string, unknown>
    return { name, in: place, required: place === 'path', description, schema: rest }
  })
}

function response({ description, headers, content }: Answer) {
  return {
    description,
    ...(headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
          ),
        }),
    ...(content === undefined
      ? {}
      : {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [type, { schema: relocate(schema) }]),
          ),
        }),
  }
}

function problem(status: number) {
  return {
    description: PROBLEM_DESCRIPTIONS[status] ?? 'A problem.',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

/** Plain JSON with references into components instead of bare ids, and without members for our parameter reader. */
function relocate(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$id' || key === 'x-read' || key === 'x-bounds'
      ? undefined
      : key === '$ref' && typeof value === 'string' && !value.startsWith('#')
        ? `#/components/schemas/${value}`
        : value,
  )
}
