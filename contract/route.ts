import Type, { type Static } from 'typebox'

// A route: one call of the API, declared once. serve registers its handler with the declaration, reads parameters and
// bodies by it, and answers 405 from contract/routes.ts; contract/openapi.ts documents it.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Who may call: anybody; any token of an account; a token with full access. */
export type Access = 'none' | 'connector' | 'full'

/**
 * Parameters by name. A schema documents the parameter and says how its text is read: string, integer or boolean, with
 * bounds. `Type.Optional` may be left out; every other query parameter has a `default`. See contract/parameters.ts for
 * what a schema alone does not say.
 */
export type Parameters = Readonly<Record<string, Type.TSchema>>

export interface Answer {
  description: string
  /** Header -> description. */
  headers?: Readonly<Record<string, string>>
  /** Media type -> schema; without it the answer has no body. */
  content?: Readonly<Record<string, Type.TSchema>>
}

export interface RequestHeader {
  name: string
  description: string
}

/** A body of a request. */
export interface Body {
  schema: Type.TSchema
  /** Its name in errors, such as "product". */
  noun: string
  /** Size limit; the service's own when left out. */
  bytesMax?: number
}

export interface Route {
  /** OpenAPI's operationId. */
  id: string
  method: Method
  /** With parameters in braces. */
  path: string
  access: Access
  tag: string
  summary: string
  description: string
  params: Parameters
  query: Parameters
  /** Whether an undeclared query parameter is an error; otherwise it is ignored. */
  isQueryClosed: boolean
  /** Faults, by name, of parameters that exclude or need each other; gets the query as sent. */
  conflicts?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** The answer to an ID in the path that cannot exist. Without it such an ID is read as 0, which no lookup finds. */
  unknown?: { code: 'unknown-product'; detail: string }
  body?: Body
  headers: readonly RequestHeader[]
  answers: Readonly<Record<number, Answer>>
  problems: readonly number[]
  /** Whether the handler answers HEAD itself; otherwise the GET is run and its body discarded. */
  answersHead: boolean
  isDocumented: boolean
  /** Named schemas that the answers refer to. */
  schemas: readonly Type.TSchema[]
}

type Values<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends { '~optional': true } ? Static<P[Name]> | undefined : Static<P[Name]>
}

/** Query parameters of a route, as read. */
export type QueryOf<R extends Route> = Values<R['query']>
/** Path parameters of a route, as read. */
export type ParamsOf<R extends Route> = Values<R['params']>
/** Body of a route, as checked. */
export type BodyOf<R extends Route> = R extends { body: { schema: infer S extends Type.TSchema } }
  ? Static<S>
  : undefined

/** Problems of every route that needs a token. */
const EVERYWHERE = [401, 403, 429, 500]
const numerically = (a: number, b: number) => a - b
const JSON_TYPE = 'application/json'
const UNCHANGED: Answer = { description: 'Unchanged since the ETag sent as If-None-Match.' }

/** A reference to a named schema. */
export function named(schema: Type.TSchema): Type.TRef {
  const { $id } = schema as { $id?: string }
  if ($id === undefined) throw new Error('a schema that is referred to needs an $id')
  return Type.Ref($id)
}

type Described = Pick<Route, 'id' | 'path' | 'summary' | 'description'> &
  Partial<Pick<Route, 'params' | 'query' | 'conflicts' | 'unknown'>>

const BARE = {
  params: {},
  query: {},
  isQueryClosed: false,
  headers: [] as readonly RequestHeader[],
  problems: [] as readonly number[],
  answersHead: false,
  isDocumented: true,
  schemas: [] as readonly Type.TSchema[],
}

/** A GET of the finished catalog, for any token. Unknown query parameters are ignored, so that clients of later releases work. */
export function catalogRoute<
  const D extends Described & {
    answer: Type.TSchema
    /** Besides 304 and the problems of every route with a token. */
    problems: readonly number[]
  },
>(definition: D) {
  return {
    ...BARE,
    method: 'get',
    access: 'connector',
    tag: 'finished catalog',
    ...definition,
    answers: {
      200: {
        description: 'The answer.',
        headers: { ETag: 'Strong; send it back as If-None-Match.' },
        content: { [JSON_TYPE]: named(definition.answer) },
      },
      304: UNCHANGED,
    },
    problems: [...definition.problems, ...EVERYWHERE].sort(numerically),
    schemas: [definition.answer],
  } as const
}

/** The same, streamed: it declares its own answers. */
export function streamRoute<const D extends Described & Pick<Route, 'answers' | 'problems' | 'schemas'>>(
  definition: D,
) {
  return {
    ...BARE,
    method: 'get',
    access: 'connector',
    tag: 'finished catalog',
    isQueryClosed: true,
    answersHead: true,
    ...definition,
    problems: [...definition.problems, ...EVERYWHERE].sort(numerically),
  } as const
}

/** The content of a successful answer: `{data}` of a schema, a list of it with `meta`, or the whole body. */
type Result = { data: Type.TSchema } | { list: Type.TSchema } | { whole: Type.TSchema }

const schemaOf = (result: Result) => Object.values(result)[0] as Type.TSchema

function contentOf(result: Result): Type.TSchema {
  if ('whole' in result) return named(result.whole)
  if ('data' in result) return Type.Object({ data: named(result.data) })
  return Type.Object({
    data: Type.Array(named(result.list)),
    meta: { type: 'object', description: 'per_page, and where the next page begins, or null.' },
  })
}

/** A GET for full tokens; unknown query parameters are refused. */
export function readRoute<const D extends Described & { tag: string; answer: Result }>(definition: D) {
  return {
    ...BARE,
    method: 'get',
    access: 'full',
    isQueryClosed: true,
    ...definition,
    answers: {
      200: { description: 'The answer.', content: { [JSON_TYPE]: contentOf(definition.answer) } },
      304: UNCHANGED,
    },
    problems: [400, ...EVERYWHERE, 404].sort(numerically),
    schemas: [schemaOf(definition.answer)],
  } as const
}

const WRITE_HEADERS: readonly RequestHeader[] = [
  {
    name: 'Idempotency-Key',
    description: 'For 24 hours, the same request with the same key is executed once and gets the same answer.',
  },
  { name: 'Prefer', description: 'wait=N: wait up to N seconds for payloads; respond-async: not at all.' },
]
const MATCH_HEADERS: readonly RequestHeader[] = [
  { name: 'If-Match', description: 'ETag of what was read; 412 when it was changed since.' },
  { name: 'If-None-Match', description: 'With *: 412 when there is something already.' },
]
const WRITE_ANSWER_HEADERS = {
  'Operation-Location': 'Operation that shows how far payloads are, where the answer did not wait for all of them.',
  'Idempotent-Replayed': 'true where the request was made before under this Idempotency-Key.',
}

/** A write, for full tokens; unknown query parameters are refused. `statuses` are those of success; a 204 has no `answer`. */
export function writeRoute<
  const D extends Described & {
    tag: string
    method: Exclude<Method, 'get'>
    statuses: readonly (200 | 201 | 202 | 204)[]
    answer?: Result
    /** The answer with 202, when work continues after it. */
    queued?: Type.TSchema
    body?: Body
  },
>(definition: D) {
  const { method, statuses, answer, queued } = definition
  const onOne = method !== 'post'
  const answerOf = (status: number): Answer => {
    const result = status === 202 && queued !== undefined ? { data: queued } : answer
    return {
      description:
        status === 202 ? 'Accepted; Location names the operation.' : status === 204 ? 'Done.' : 'The answer.',
      headers:
        status === 201 || status === 202
          ? { ...WRITE_ANSWER_HEADERS, Location: 'Path of what was created, or of the operation.' }
          : WRITE_ANSWER_HEADERS,
      ...(result === undefined ? {} : { content: { [JSON_TYPE]: contentOf(result) } }),
    }
  }
  return {
    ...BARE,
    access: 'full',
    isQueryClosed: true,
    ...definition,
    headers: onOne ? [...WRITE_HEADERS, ...MATCH_HEADERS] : WRITE_HEADERS,
    answers: Object.fromEntries(statuses.map((status) => [status, answerOf(status)])) as Readonly<
      Record<number, Answer>
    >,
    problems: [400, ...EVERYWHERE, 404, 408, 409, 413, 415, 422, ...(onOne ? [412] : [])].sort(numerically),
    schemas: [...(answer === undefined ? [] : [schemaOf(answer)]), ...(queued === undefined ? [] : [queued])],
  } as const
}

/** A GET outside /v1, for operators and holders of a secret address: without a token, and not in the document. */
export function operatorRoute<const D extends Pick<Route, 'id' | 'path' | 'summary'> & Partial<Route>>(definition: D) {
  return {
    ...BARE,
    method: 'get',
    access: 'none',
    tag: 'operator',
    description: '',
    isDocumented: false,
    answers: {},
    ...definition,
  } as const
}
