import Type, { type Static } from 'typebox'
import type { HeaderName } from './headers.ts'
import type { ProblemCode } from './problems.ts'
import type { Tag } from './tags.ts'

// A route: one call of the API, declared once. src/serve registers its handler with the declaration, reads parameters
// and bodies by it, and answers 405 from contract/routes.ts; contract/openapi.ts documents it.
// docs/decisions/060-declarations-that-everything-follows-from.md says why.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * Who may call: anybody; any token of an account; a token with full access; the operator of the service, with OPERATOR_TOKEN. Members of the
 * account may call what its tokens may.
 */
export type Access = 'none' | 'connector' | 'full' | 'operator'

/**
 * Parameters by name. A schema documents the parameter and determines how its text is read: string, integer or boolean,
 * with bounds. A query parameter with `Type.Optional` may be left out; every other one has a `default`.
 * contract/parameters.ts has what a schema alone does not express.
 */
export type Parameters = Readonly<Record<string, Type.TSchema>>

export interface Answer {
  /** What the body is, or the meaning of an answer without body. */
  description: string
  /** In addition to those of every answer. */
  headers?: readonly HeaderName[]
  /** Media type -> schema; without it the answer has no body. */
  content?: Readonly<Record<string, Type.TSchema>>
}

export interface RequestHeader {
  name: string
  description: string
}

/** The JSON body of a request. */
export interface Body {
  schema: Type.TSchema
  /** Its name in errors, such as "product". */
  noun: string
  /** Size limit in bytes; by default that of the service. */
  bytesMax?: number
  /** Schema of one line, if the body may also be application/x-ndjson. */
  line?: Type.TSchema
  /** Members that hold secrets, in an object with a `kind`: the audit trail records only the kind. */
  secrets?: readonly string[]
}

/** A body that is a file instead of JSON; the handler gets it as `sentFile` of the request. */
export interface Upload {
  /** Size limit of the request's body in bytes. */
  bytesMax: number
  /** Media type -> schema, for the document. */
  content: Readonly<Record<string, Type.TSchema>>
  /**
   * Whether the handler reads it while it arrives. Such a request does not count towards the limit of concurrent
   * ordinary bodies.
   */
  isStreamed?: true
}

export interface Route {
  /** OpenAPI's operationId. */
  id: string
  method: Method
  /** Parameters are in braces. */
  path: string
  access: Access
  tag: Tag
  summary: string
  description: string
  params: Parameters
  query: Parameters
  /**
   * Whether an undeclared query parameter is an error. Otherwise it is ignored, unless it looks like a misspelled declared
   * one, which is refused.
   */
  isQueryClosed: boolean
  /** Checks parameters that exclude or need each other. Gets the query as sent, returns reasons by parameter name. */
  conflicts?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** The answer to an ID in the path that cannot exist. By default such an ID is read as 0, which no lookup finds. */
  unknown?: { code: 'unknown-product'; detail: string }
  body?: Body
  upload?: Upload
  headers: readonly RequestHeader[]
  answers: Readonly<Record<number, Answer>>
  /** Codes of the problems that it can answer. */
  problems: readonly ProblemCode[]
  /** Whether the handler answers HEAD itself; otherwise the GET handler runs and its body is discarded. */
  answersHead: boolean
  isDocumented: boolean
  /**
   * Whether a session of the panel must confirm with the password or a passkey, unless it has done so within ten minutes. True of actions whose
   * effect outlives the session. Requests with a token need no confirmation.
   */
  needsConfirmation?: boolean
  /** Named schemas to which the answers refer. */
  schemas: readonly Type.TSchema[]
}

type Values<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends { '~optional': true } ? Static<P[Name]> | undefined : Static<P[Name]>
}

/** Query parameters of a route, after reading. */
export type QueryOf<R extends Route> = Values<R['query']>
/** Path parameters of a route, after reading. */
export type ParamsOf<R extends Route> = Values<R['params']>
/** Body of a route, after checking; undefined for a route without one. */
export type BodyOf<R extends Route> = R extends { body: { schema: infer S extends Type.TSchema } }
  ? Static<S>
  : undefined

/** Problems of every route that needs a token. */
export const WITH_TOKEN = [
  'bad-request',
  'missing-token',
  'invalid-token',
  'token-without-account',
  'account-suspended',
  'quota-exceeded',
  'rate-limited',
  'internal',
  'database-unavailable',
] as const satisfies readonly ProblemCode[]
/** Problems of every route for full tokens. */
export const FOR_FULL = [
  ...WITH_TOKEN,
  'invalid-parameters',
  'insufficient-scope',
] as const satisfies readonly ProblemCode[]
const JSON_TYPE = 'application/json'
/** Headers of every read, including answers to HEAD. */
const READ_HEADERS = ['ETag', 'Content-Encoding'] as const satisfies readonly HeaderName[]
const UNCHANGED: Answer = {
  description: 'Nothing has changed since the ETag sent as If-None-Match; there is no body.',
  headers: ['ETag'],
}

/**
 * A reference to a named schema.
 * @throws Error when the schema has no $id
 */
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
  problems: [] as readonly ProblemCode[],
  answersHead: false,
  isDocumented: true,
  schemas: [] as readonly Type.TSchema[],
}

/** Request headers of every GET: an answer that has not changed is then a 304. */
export const READ_REQUEST_HEADERS: readonly RequestHeader[] = [
  { name: 'If-None-Match', description: 'ETag of an earlier answer; the answer is 304 if nothing has changed since.' },
]

/** A GET of the finished catalog, for any token. Unknown query parameters are ignored, so that clients of later releases work; misspelled ones are refused. */
export function catalogRoute<
  const D extends Described & {
    answer: Type.TSchema
    /** Description of the answer. */
    returns: string
    /** In addition to 304 and the problems of every catalog route. */
    problems: readonly ProblemCode[]
  },
>(definition: D) {
  return {
    ...BARE,
    method: 'get',
    access: 'connector',
    tag: 'finished catalog',
    headers: READ_REQUEST_HEADERS,
    ...definition,
    answers: {
      200: {
        description: definition.returns,
        headers: READ_HEADERS,
        content: { [JSON_TYPE]: named(definition.answer) },
      },
      304: UNCHANGED,
    },
    problems: [...WITH_TOKEN, 'invalid-parameters', ...definition.problems],
    schemas: [definition.answer],
  } as const
}

/** A streamed GET of the finished catalog. It declares its own answers. */
export function streamRoute<const D extends Described & Pick<Route, 'answers' | 'problems' | 'schemas'>>(
  definition: D,
) {
  return {
    ...BARE,
    method: 'get',
    access: 'connector',
    tag: 'finished catalog',
    answersHead: true,
    headers: READ_REQUEST_HEADERS,
    ...definition,
    problems: [...WITH_TOKEN, 'invalid-parameters', ...definition.problems],
  } as const
}

/** The body of a success: `{data}`, a list with `meta`, or a schema of the whole body. */
type Result = { data: Type.TSchema } | { list: Type.TSchema; meta: Type.TSchema } | { whole: Type.TSchema }

const schemaOf = (result: Result) => Object.values(result)[0] as Type.TSchema

function contentOf(result: Result): Type.TSchema {
  if ('whole' in result) return named(result.whole)
  if ('data' in result) return Type.Object({ data: named(result.data) })
  return Type.Object({ data: Type.Array(named(result.list)), meta: result.meta })
}

/**
 * `meta` of a list that is read page by page.
 * @param key the parameter that takes the cursor: `after` makes the member `next_after`, `before` makes `next_before`.
 */
export function listMeta(key: { after: Type.TSchema } | { before: Type.TSchema }, rest: Parameters = {}): Type.TSchema {
  const [[name, schema] = ['', Type.Null()]] = Object.entries(key)
  return Type.Object(
    {
      per_page: Type.Integer({ minimum: 1, description: 'Page size that was applied.' }),
      ...rest,
      [`next_${name}`]: Type.Union([schema, Type.Null()], {
        description: `Value of \`${name}\` for the next page; null on the last page.`,
      }),
    },
    { description: 'Position of the page in the list.' },
  )
}

/** A GET for full tokens. Unknown query parameters are refused. */
export function readRoute<
  const D extends Described & {
    tag: Tag
    answer: Result
    /** Description of the answer. */
    returns: string
    /** In addition to those of every route for full tokens. */
    problems?: readonly ProblemCode[]
  },
>(definition: D) {
  return {
    ...BARE,
    method: 'get',
    access: 'full',
    isQueryClosed: true,
    headers: READ_REQUEST_HEADERS,
    ...definition,
    answers: {
      200: {
        description: definition.returns,
        headers: READ_HEADERS,
        content: { [JSON_TYPE]: contentOf(definition.answer) },
      },
      304: UNCHANGED,
    },
    problems: [...FOR_FULL, ...(definition.problems ?? [])],
    schemas: [schemaOf(definition.answer)],
  } as const
}

/** A download for full tokens. Unknown query parameters are refused. */
export function downloadRoute<
  const D extends Described & {
    tag: Tag
    /** Media type -> schema. */
    content: Readonly<Record<string, Type.TSchema>>
    /** Description of the answer. */
    returns: string
    /** In addition to those of every route for full tokens. */
    problems: readonly ProblemCode[]
  },
>(definition: D) {
  const { returns, content, problems } = definition
  return {
    ...BARE,
    method: 'get',
    access: 'full',
    isQueryClosed: true,
    ...definition,
    answers: {
      200: { description: returns, headers: ['Content-Disposition', 'Content-Encoding'], content } satisfies Answer,
    } as Readonly<Record<number, Answer>>,
    problems: [...FOR_FULL, ...problems],
  } as const
}

/** A POST that examines a file and writes nothing, for full tokens. Unknown query parameters are refused. */
export function fileRoute<
  const D extends Described & {
    tag: Tag
    upload: Upload
    answer: Type.TSchema
    /** Description of the answer. */
    returns: string
    /** In addition to those of every uploaded file. */
    problems: readonly ProblemCode[]
  },
>(definition: D) {
  return {
    ...BARE,
    method: 'post',
    access: 'full',
    isQueryClosed: true,
    ...definition,
    answers: {
      200: { description: definition.returns, content: { [JSON_TYPE]: contentOf({ data: definition.answer }) } },
    } as Readonly<Record<number, Answer>>,
    problems: [
      ...FOR_FULL,
      'request-timeout',
      'payload-too-large',
      'unsupported-media-type',
      'invalid-input',
      ...definition.problems,
    ],
    schemas: [definition.answer],
  } as const
}

const WRITE_HEADERS: readonly RequestHeader[] = [
  {
    name: 'Idempotency-Key',
    description:
      'Key of this request: for 24 hours, the same request with the same key is executed only once and gets the same answer.',
  },
  {
    name: 'Prefer',
    description: 'wait=N: wait up to N seconds until the change can be read; respond-async: do not wait.',
  },
]
const MATCH_HEADERS: readonly RequestHeader[] = [
  {
    name: 'If-Match',
    description: 'ETag from reading the resource; the answer is 412 if the resource has changed since.',
  },
  { name: 'If-None-Match', description: '*: the answer is 412 if the resource already exists.' },
]
const WRITE_ANSWER_HEADERS = ['Operation-Location', 'Idempotent-Replayed'] as const satisfies readonly HeaderName[]
const WRITE_PROBLEMS = [
  'conflict',
  'request-timeout',
  'payload-too-large',
  'unsupported-media-type',
  'invalid-input',
  'idempotency-key-reused',
  'writes-unavailable',
] as const satisfies readonly ProblemCode[]

/** A write, for full tokens. Unknown query parameters are refused. `statuses` are those of success; a 204 has no `answer`. */
export function writeRoute<
  const D extends Described & {
    tag: Tag
    method: Exclude<Method, 'get'>
    statuses: readonly (200 | 201 | 202 | 204)[]
    answer?: Result
    /** Description of the answer; a 204 is always the answer to a deletion. */
    returns?: string
    /** The body of a 202, if work continues after the answer. */
    queued?: Type.TSchema
    body?: Body
    upload?: Upload
    /** In addition to those of every write. */
    problems?: readonly ProblemCode[]
    needsConfirmation?: true
  },
>(definition: D) {
  const { method, statuses, answer, queued, returns = '' } = definition
  const onOne = method !== 'post'
  const answerOf = (status: number): Answer => {
    if (status === 204) return { description: 'Deleted; there is no body.', headers: WRITE_ANSWER_HEADERS }
    const result = status === 202 && queued !== undefined ? { data: queued } : answer
    const isTagged = result !== undefined && !('whole' in result)
    return {
      description:
        status === 202 && queued !== undefined
          ? 'All rows are stored and will be written; Location names the operation that shows the progress.'
          : status === 201
            ? `Created. ${returns}`
            : returns,
      headers: [
        ...WRITE_ANSWER_HEADERS,
        ...(isTagged ? (['ETag'] as const) : []),
        ...(status === 201 || status === 202 ? (['Location'] as const) : []),
      ],
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
    problems: [
      ...FOR_FULL,
      ...WRITE_PROBLEMS,
      ...(onOne ? (['precondition-failed'] as const) : []),
      ...(definition.problems ?? []),
    ],
    schemas: [...(answer === undefined ? [] : [schemaOf(answer)]), ...(queued === undefined ? [] : [queued])],
  } as const
}

/** A route below /v1/operator, which accepts only OPERATOR_TOKEN. Unknown query parameters are refused. */
export function provisioningRoute<
  const D extends Described & {
    method: Method
    status: 200 | 201 | 202 | 204
    answer?: Result
    /** Description of the answer. */
    returns: string
    body?: Body
    /** In addition to those of every operator route. */
    problems: readonly ProblemCode[]
  },
>(definition: D) {
  const { method, status, answer, returns } = definition
  const isRead = method === 'get'
  const success: Answer = {
    description: returns,
    headers: [
      ...(isRead ? (['Content-Encoding'] as const) : (['Idempotent-Replayed'] as const)),
      ...(answer === undefined ? [] : (['ETag'] as const)),
      ...(status === 201 ? (['Location'] as const) : []),
    ],
    ...(answer === undefined ? {} : { content: { [JSON_TYPE]: contentOf(answer) } }),
  }
  return {
    ...BARE,
    access: 'operator',
    tag: 'operator-accounts',
    isQueryClosed: true,
    headers: isRead ? READ_REQUEST_HEADERS : WRITE_HEADERS.slice(0, 1),
    ...definition,
    answers: { [status]: success, ...(isRead ? { 304: UNCHANGED } : {}) } as Readonly<Record<number, Answer>>,
    problems: [
      'bad-request',
      'invalid-parameters',
      'missing-token',
      'invalid-token',
      'unknown-route',
      'rate-limited',
      'internal',
      'database-unavailable',
      ...(isRead ? [] : WRITE_PROBLEMS),
      ...definition.problems,
    ] as readonly ProblemCode[],
    schemas: answer === undefined ? [] : [schemaOf(answer)],
  } as const
}

/**
 * A GET outside /v1 without a token, for operators and holders of a secret address. It is in the document if it declares
 * answers.
 */
export function operatorRoute<const D extends Pick<Route, 'id' | 'path' | 'summary'> & Partial<Route>>(definition: D) {
  return {
    ...BARE,
    method: 'get',
    access: 'none',
    tag: 'operator',
    description: '' as string,
    isDocumented: definition.answers !== undefined,
    answers: {} as Route['answers'],
    ...definition,
  } as const
}
