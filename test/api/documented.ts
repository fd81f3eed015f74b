import type { ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { ROUTES } from '../../contract/routes.ts'
import type { Answer } from '../harness/service.ts'
import {
  servedDocument,
  strictDocument,
  validatorOf,
  type DocumentedOperation,
  type Schema,
} from './strict-document.ts'

/**
 * The routes that any token can read and that answer one JSON body. The streamed export is tested in
 * test/api/export.full.pg.test.ts, the POST of mirror checks in test/feed/mirror-checks.pg.test.ts.
 */
export const catalogRoutes = ROUTES.filter(
  ({ access, answersHead, method }) => access === 'connector' && !answersHead && method === 'get',
)
/** The routes that need a full token. */
export const accountRoutes = ROUTES.filter(({ access }) => access === 'full')

/** Headers that HTTP itself has, and security headers that are the same in every answer: the document does not list them. */
const UNLISTED = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
])

/** The served OpenAPI document in its strict form, and a validator of answers by it. */
export interface Documented {
  /** The operations of /v1 that a token of an account may call. Those of the operator are tested in test/operator/. */
  operations: { method: string; path: string; operation: DocumentedOperation }[]
  /** Operations of /v1 that have answered with success so far, such as `get /v1/stores`. */
  answered: Set<string>
  /** Fails unless status, headers, content type and body are as documented; a path that is not documented must answer with a problem. */
  hold(method: string, path: string, answer: Answer): void
}

/** @param url the origin of the service, without a path. */
export async function readDocument(url: string): Promise<Documented> {
  const document = strictDocument(await servedDocument(url))
  const ajv = validatorOf(document, { allErrors: true })
  const forms = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method,
      path,
      operation,
      form: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  )
  const operations = forms.filter(({ path }) => path.startsWith('/v1/') && !path.startsWith('/v1/operator/'))
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
      const declared = new Set(Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase()))
      expect(
        [...headers.keys()].filter((name) => !UNLISTED.has(name) && !declared.has(name)),
        where,
      ).toEqual([])
      if (status >= 400 && type === 'application/problem+json')
        expect(response?.description, where).toContain(`\`${(body as { code: string }).code}\``)
      if (status < 400) answered.add(`${found.method} ${found.path}`)
      if (response?.content === undefined) {
        expect(text, where).toBe('')
        return
      }
      expect(Object.keys(response.content), where).toContain(type)
      if (type === 'application/x-ndjson') return
      const validate = validator(`${found.method} ${found.path} ${status} ${type}`, response.content[type]!.schema)
      validate(body ?? text)
      expect(validate.errors ?? [], where).toEqual([])
    },
  }
}
