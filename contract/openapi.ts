import type Type from 'typebox'
import { answerSchema, requestSchema } from './document-schemas.ts'
import { EXAMPLES, type Example } from './examples.ts'
import { HEADERS, headerReferences, headersOfAnswer } from './headers.ts'
import { OPERATION_SCHEMAS } from './operation-schemas.ts'
import { problems, problemResponses } from './document-problems.ts'
import { PROBLEMS_PATH } from './problems.ts'
import type { Answer, Parameters, Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { SCHEMAS } from './schemas.ts'
import { TAGS } from './tags.ts'

/** The prefix of the API; the server’s URL in the document ends in it. */
const PREFIX = '/v1'

/** The OpenAPI 3.1 document of the API. `serverUrl` is the base URL without /v1. */
export function openApiDocument(serverUrl: string, version: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfwire API',
      version,
      description: [
        'A store-ready catalog: products, prices and stock for each store, a change feed that loses no change, and, below `/account`, everything that the account sets, for tokens with full access.',
        `[Guides](${serverUrl}/docs/guides) explain how to use it: reading, the change feed, webhooks, writing, rules. Every error is a problem (RFC 9457); its \`type\` is the URL of [its explanation](${serverUrl}${PROBLEMS_PATH}).`,
        'Within /v1, releases only add to the API, so ignore members, headers and codes that you do not know. What is deprecated is announced by Deprecation and Sunset headers for 12 months.',
      ].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'Guides', url: `${serverUrl}/docs/guides` },
    servers: [{ url: serverUrl + PREFIX, description: 'This service' }],
    security: [{ bearer: [] }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths: paths(serverUrl),
    webhooks: { delivery: { post: DELIVERY } },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A connector token or full token of the account.' },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'The OPERATOR_TOKEN of the service; tokens of accounts are refused.',
        },
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, kind]) => [
          name,
          {
            description: kind.description,
            schema: { type: 'type' in kind ? kind.type : 'string' },
            example: 'type' in kind ? Number(kind.example) : kind.example,
          },
        ]),
      ),
      responses: problemResponses(ROUTES, serverUrl),
      schemas: schemas(),
    },
  }
}

/** The components' schemas: those that other schemas refer to, and those of answers. */
function schemas(): Record<string, unknown> {
  const answers = ROUTES.flatMap((route) => route.schemas).map((schema) => [(schema as { $id?: string }).$id, schema])
  const all = { ...SCHEMAS, ...OPERATION_SCHEMAS, ...(Object.fromEntries(answers) as Record<string, Type.TSchema>) }
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, answerSchema(schema)]))
}

function paths(serverUrl: string): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {}
  for (const route of ROUTES) {
    if (!route.isDocumented) continue
    const isBelow = route.path.startsWith(`${PREFIX}/`)
    const path = isBelow ? route.path.slice(PREFIX.length) : route.path
    all[path] = {
      ...(isBelow ? {} : { servers: [{ url: serverUrl, description: 'This service, outside /v1' }] }),
      ...all[path],
      [route.method]: describe(route),
    }
  }
  return all
}

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** The webhook request that this service sends to endpoints. */
const DELIVERY = {
  operationId: 'receiveDelivery',
  summary: 'Products changed',
  description:
    'Sent by POST to the endpoints that the account owner registered. Signed; delivered at least once; one delivery at a time for each endpoint.',
  security: [],
  parameters: [
    header(
      'X-Service-Timestamp',
      true,
      'Time of signing, in Unix seconds. Refuse deliveries whose time is more than 300 s off.',
    ),
    header(
      'X-Service-Signature',
      true,
      'Signature: sha256= and the lowercase hexadecimal HMAC-SHA256 of "timestamp.body" with the signing secret.',
    ),
    header(
      'X-Service-Signature-Next',
      false,
      'Signature with the new secret, while a secret is being rotated and X-Service-Signature is still made with the old one.',
    ),
    header(
      'X-Service-Signature-Previous',
      false,
      'Signature with the previous secret, for 24 hours after it was replaced.',
    ),
    header('X-Service-Delivery', true, 'UUID of the delivery: the same in every attempt.'),
    header('X-Service-Test', false, '1 in a test event.'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/WebhookDelivery' },
        example: { event: 'price', store_id: 2, product_ids: [1024, 1025], occurred_at: '2026-11-20T10:00:00+00:00' },
      },
    },
  },
  responses: {
    '2XX': {
      description:
        'Acknowledges the delivery. Any other answer, or none within 15 s, is a failure, and the delivery is sent again.',
    },
  },
}

function describe(route: Route): Record<string, unknown> {
  const { body, upload, headers, answers, access } = route
  const hasToken = access !== 'none'
  const example = EXAMPLES[route.id]
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(access === 'operator' ? { security: [{ operator: [] }] } : hasToken ? {} : { security: [] }),
    parameters: [
      ...parameters(route.params, 'path', example?.params),
      ...parameters(route.query, 'query', example?.query),
      ...headers.map(({ name, description }) => header(name, false, description)),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [route.method === 'patch' ? 'application/merge-patch+json' : 'application/json']: {
                schema: requestSchema(body.schema),
                ...(example?.body === undefined ? {} : { example: example.body }),
              },
              ...(body.line === undefined ? {} : { 'application/x-ndjson': { schema: requestSchema(body.line) } }),
            },
          },
        }),
    ...(upload === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              Object.entries(upload.content).map(([type, schema]) => [type, { schema: requestSchema(schema) }]),
            ),
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          response(answer, Number(status), hasToken, example),
        ]),
      ),
      ...problems(route),
    },
  }
}

/** The document's parameters. A schema's description becomes that of the parameter. */
function parameters(declared: Parameters, place: 'path' | 'query', examples: Example['query'] = {}) {
  return Object.entries(declared).map(([name, schema]) => {
    const { description, ...rest } = requestSchema(schema) as Record<string, unknown>
    const isList = rest['type'] === 'array'
    const given = Object.hasOwn(examples, name) ? examples[name] : undefined
    const example = given === undefined ? {} : { example: isList ? String(given).split(',').map(Number) : given }
    // documented as one parameter with commas, as in the first release; a repeated parameter is accepted as well
    const list = isList ? { style: 'form', explode: false } : {}
    return { name, in: place, required: place === 'path', description, ...list, schema: rest, ...example }
  })
}

function response(
  { description, headers = [], content }: Answer,
  status: number,
  hasToken: boolean,
  example?: Example,
) {
  const shown = example?.answers[status]
  return {
    description,
    headers: headerReferences([...headersOfAnswer(hasToken), ...headers]),
    ...(content === undefined
      ? {}
      : {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [
              type,
              {
                schema: answerSchema(schema),
                ...(shown?.type === type ? { example: shown.body } : {}),
              },
            ]),
          ),
        }),
  }
}
