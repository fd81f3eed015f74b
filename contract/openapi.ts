import { OPERATIONS, type Operation } from './operations.ts'
import { SCHEMAS } from './schemas.ts'

const PROBLEM_WORDS: Readonly<Record<number, string>> = {
  400: 'A parameter is not what it should be; errors names each.',
  401: 'The bearer token is missing, malformed, unknown, revoked or expired.',
  403: 'The token is tied to no account.',
  404: 'Unknown store, or the store does not list the product.',
  410: 'The cursor is ahead of the feed, as after a backup was restored: start over without a cursor.',
  429: 'Too many requests; Retry-After says when to go on.',
  500: 'Our fault.',
}

const EVERYWHERE = [401, 403, 429, 500]

/** The OpenAPI 3.1 document of the API. `serverUrl` is the base URL without /v1. */
export function openApiDocument(serverUrl: string, version: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfwire read API',
      version,
      description:
        'A store-ready catalog: products, prices and stock resolved per store, and a change feed that loses nothing. Within /v1 there are only additions; a deprecation carries Deprecation and Sunset headers for 12 months.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(OPERATIONS.map((operation: Operation) => [operation.path, { get: describe(operation) }])),
    webhooks: { delivery: { post: DELIVERY } },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A connector or full token of the account.' } },
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, relocate(schema)])),
    },
  }
}

const header = (name: string, required: boolean, description: string) => ({ name, in: 'header', required, description, schema: { type: 'string' } })

/** What endpoints receive, whose requests this service makes. */
const DELIVERY = {
  operationId: 'receiveDelivery',
  summary: 'Products changed',
  description: 'Posted to the endpoints that the account owner registered; signed, at least once, one at a time for each endpoint.',
  security: [],
  parameters: [
    header('X-Service-Timestamp', true, 'Unix seconds at which the delivery was signed; refuse what is more than 300 s off.'),
    header('X-Service-Signature', true, 'sha256= and the lowercase hexadecimal HMAC-SHA256 of «timestamp.body» under the signing secret.'),
    header('X-Service-Signature-Previous', false, 'The same under the secret before the last rotation, while that overlaps.'),
    header('X-Service-Delivery', true, 'Stable uuid: the same at every attempt of one delivery.'),
    header('X-Service-Test', false, '1 in a test event.'),
  ],
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookDelivery' } } } },
  responses: { '2XX': { description: 'Acknowledges. Anything else, and no answer within 15 s, is a failed delivery, which is sent again.' } },
}

function describe(operation: Operation): Record<string, unknown> {
  const problems = [...operation.problems, ...EVERYWHERE].sort((a, b) => a - b)
  return {
    operationId: operation.id,
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

/** Plain JSON with references into components instead of bare ids. */
function relocate(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$id' ? undefined : key === '$ref' && typeof value === 'string' && !value.startsWith('#') ? `#/components/schemas/${value}` : value,
  )
}
