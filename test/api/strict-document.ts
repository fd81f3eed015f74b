import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { answerSchema } from '../../contract/document-schemas.ts'
import { client } from '../harness/service.ts'

// The served document as our tests use it: with closed answers, and with paths as clients request them.

export interface Schema {
  readOnly?: boolean
  $ref?: string
  type?: string
  anyOf?: Schema[]
  const?: unknown
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  required?: string[]
  pattern?: string
  minimum?: number
  maximum?: number
  minItems?: number
  description?: string
}

export interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  parameters: { name: string; in: string; description?: string; schema: Schema; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<
    string,
    {
      description: string
      headers: Record<string, object>
      content?: Record<string, { schema: Schema; example?: unknown }>
    }
  >
}

export interface OpenApi {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: DocumentedOperation }>
  components: {
    schemas: Record<string, object>
    headers: Record<string, { description: string; schema: { type: string }; example: unknown }>
    responses: Record<string, DocumentedOperation['responses'][string]>
  }
}

/** Reads the OpenAPI document of a service and replaces references to answers by the answers. */
export async function servedDocument(url: string): Promise<OpenApi> {
  const { status, body } = await client(url, null)('/openapi.json')
  expect(status).toBe(200)
  return withAnswers(body as OpenApi)
}

/** The document with references to answers replaced by the answers. */
export function withAnswers(served: OpenApi): OpenApi {
  const resolved = (_: string, value: unknown): unknown => {
    const { $ref } = (value ?? {}) as { $ref?: string }
    const name = /^#\/components\/responses\/(\w+)$/.exec($ref ?? '')?.[1]
    return name === undefined ? value : served.components.responses[name]
  }
  return JSON.parse(JSON.stringify(served), resolved) as OpenApi
}

/**
 * The document with closed answers: clients must accept members that are not declared, but our own tests must not. Each path
 * has the prefix of the server's URL, as it is requested.
 */
export function strictDocument(served: OpenApi): OpenApi {
  const prefix = new URL(served.servers[0]!.url).pathname
  const paths = Object.entries(served.paths).map(([path, { servers, ...operations }]) => [
    servers === undefined ? prefix + path : path,
    operations,
  ])
  return closed({ ...served, paths: Object.fromEntries(paths) as OpenApi['paths'] }) as OpenApi
}

/** A validator for the schemas of a strict document, whose pointers begin with `openapi#`. */
export function validatorOf(strict: OpenApi, options: { allErrors?: boolean } = {}): Ajv2020 {
  return ajvWithFormats(options).addSchema(strict, 'openapi')
}

/** A validator that knows every format of the document. */
export function ajvWithFormats(options: { allErrors?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, ...options })
  addFormats.default(ajv)
  ajv.addFormat('iri', (text) => URL.canParse(text))
  return ajv
}

/** A schema of the contract as the document has it for answers, closed. */
export const strictSchema = (schema: object): object => closed(answerSchema(schema)) as object

/** Closes every object with named members; maps, which name none, stay open. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'example' || key === 'examples' ? value : closed(value)]),
  )
  const isShape = copy['type'] === 'object' && typeof copy['properties'] === 'object'
  return isShape && copy['additionalProperties'] === undefined ? { ...copy, additionalProperties: false } : copy
}
