import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { ROUTES } from '../../contract/routes.ts'
import { client, type Answer } from '../harness/service.ts'

/** What any token reads as one JSON body. The export is streamed, and has test/api/export.pg.test.ts. */
export const catalogRoutes = ROUTES.filter(({ access, answersHead }) => access === 'connector' && !answersHead)
/** What needs a full token. */
export const accountRoutes = ROUTES.filter(({ access }) => access === 'full')

export interface Schema {
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
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** The served OpenAPI document, and answers held against it. */
export interface Documented {
  operations: { method: string; path: string; operation: DocumentedOperation }[]
  /** Operations that answered with success so far, as «get /v1/stores». */
  answered: Set<string>
  /** Fails unless status, type and body are as the document says; addresses that it does not know must be problems. */
  hold(method: string, path: string, answer: Answer): void
}

/** @param url of the service, without a path. */
export async function readDocument(url: string): Promise<Documented> {
  const document = (await client(url, null)('/openapi.json')).body as {
    paths: Record<string, Record<string, DocumentedOperation>>
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  const forms = operations.map((entry) => ({
    ...entry,
    form: new RegExp(`^${entry.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const compiled = new Map<string, ValidateFunction>()
  const validator = (key: string, schema: Schema) => {
    let validate = compiled.get(key)
    if (validate === undefined)
      compiled.set(
        key,
        (validate = ajv.compile(
          JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object,
        )),
      )
    return validate
  }
  const answered = new Set<string>()
  return {
    operations,
    answered,
    hold(method, path, { status, headers, body, text }) {
      const where = `${method} ${path} ${status} ${text.slice(0, 300)}`
      const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
      const found = forms.find(
        (entry) => entry.method === method.toLowerCase() && entry.form.test(path.split('?')[0] ?? ''),
      )
      if (found === undefined) {
        expect([404, 405, 403, 401, 400], where).toContain(status)
        expect(type, where).toBe('application/problem+json')
        return
      }
      const { operation } = found
      const response = operation.responses[status]
      expect(Object.keys(operation.responses), where).toContain(String(status))
      if (status < 400) answered.add(`${found.method} ${found.path}`)
      if (response?.content === undefined) {
        expect(text, where).toBe('')
        return
      }
      expect(Object.keys(response.content), where).toContain(type)
      if (type === 'application/x-ndjson') return
      const validate = validator(`${found.method} ${found.path} ${status} ${type}`, response.content[type]!.schema)
      validate(body)
      expect(validate.errors ?? [], where).toEqual([])
    },
  }
}
