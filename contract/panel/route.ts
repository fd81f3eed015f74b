import Type from 'typebox'
import { PathId } from '../parameters.ts'
import type { ProblemCode } from '../problems.ts'
import { FOR_FULL, type Answer, type Body, type Method, type Parameters, type Route } from '../route.ts'

// Routes of the management panel, below /panel/api, for what routes below /v1 cannot do. The panel also calls routes below /v1, with
// its session (src/serve/guard.ts). These routes are not part of the public API or its document: they change together with the panel
// that is served with them.

/**
 * Who may call a route of the panel: anybody; a person who is signed in; a member of the account in the path; an
 * owner of it; the holder of a link to one endpoint.
 */
export type PanelAccess = 'visitor' | 'person' | 'member' | 'owner' | 'link'

/** The header with which a session names its account on routes below /v1. */
export const ACCOUNT_HEADER = 'shelfwire-account'
/** The header with the session's `csrf_token`, required of a session with every POST, PUT, PATCH and DELETE. */
export const CSRF_HEADER = 'x-csrf-token'
/** The path below which the panel's routes are. */
export const PANEL_API_PATH = '/panel/api'
/** The path of routes that belong to an account. */
const ACCOUNT_PATH = `${PANEL_API_PATH}/accounts/{account_id}` as const
/** The path of the panel's pages. */
export const PANEL_PATH = '/panel'

/** A route of the panel. Tokens are not accepted, so `access` is 'none'; `panelAccess` is checked instead. */
export interface PanelRoute extends Route {
  access: 'none'
  panelAccess: PanelAccess
  /**
   * Whether the session must confirm with the password or a passkey, unless it has done so within ten minutes. True of
   * actions whose effect outlives the session, so that a stolen cookie does not give lasting access. Routes whose
   * bodies contain the password do not need it.
   */
  needsConfirmation: boolean
}

interface Definition {
  id: string
  path: string
  method: Method
  panelAccess: PanelAccess
  needsConfirmation?: true
  summary: string
  description?: string
  params?: Parameters
  query?: Parameters
  body?: Body
  /** Status and body of success; a 204 has no body. */
  status: 200 | 201 | 202 | 204
  answer?: Type.TSchema
  problems?: readonly ProblemCode[]
}

const ACCESS_PROBLEMS: Readonly<Record<PanelAccess, readonly ProblemCode[]>> = {
  visitor: [],
  person: ['not-signed-in'],
  member: ['not-signed-in', 'unknown-account', 'account-suspended', 'second-factor-required', 'quota-exceeded'],
  owner: [
    'not-signed-in',
    'unknown-account',
    'account-suspended',
    'second-factor-required',
    'owner-required',
    'quota-exceeded',
  ],
  link: ['link-ended', 'account-suspended', 'quota-exceeded'],
}
const ALWAYS = ['bad-request', 'rate-limited', 'internal', 'database-unavailable'] as const
const OF_WRITES = [
  'csrf-refused',
  'request-timeout',
  'payload-too-large',
  'unsupported-media-type',
  'invalid-input',
  'writes-unavailable',
] as const

/** Declares a route of the panel. Caches never store its answers. */
export function panelRoute<const D extends Definition>(definition: D) {
  const { method, panelAccess, status, answer } = definition
  const answers: Readonly<Record<number, Answer>> = {
    [status]: {
      description: definition.summary,
      ...(answer === undefined ? {} : { content: { 'application/json': answer } }),
    },
  }
  return {
    params: {},
    query: {},
    description: '' as string,
    needsConfirmation: false as boolean,
    ...definition,
    access: 'none',
    tag: 'operator',
    isQueryClosed: true,
    headers: [] as Route['headers'],
    answers,
    problems: [
      ...ALWAYS,
      ...ACCESS_PROBLEMS[panelAccess],
      ...(definition.needsConfirmation === true ? (['confirmation-required'] as const) : []),
      'invalid-parameters',
      ...(method === 'get' ? [] : OF_WRITES),
      ...(definition.problems ?? []),
    ] as readonly ProblemCode[],
    answersHead: false,
    isDocumented: false,
    schemas: [] as readonly Type.TSchema[],
  } as const
}

/**
 * A download of the API whose path names the account: the panel links to it, and a link cannot send headers. Declaration and answer are
 * those of the route below /v1/account; access is decided as for every route of the panel.
 */
export function linkedDownload<const R extends Route, P extends string>(
  id: string,
  route: R & { path: `/v1/account${P}` },
) {
  const { path, params, query, summary, description, problems } = route
  return {
    ...panelRoute({
      id,
      method: 'get',
      path,
      panelAccess: 'member',
      summary,
      description,
      status: 200,
      problems: problems.filter((problem) => !FOR_FULL.some((one) => one === problem)),
    }),
    path: path.replace('/v1/account', ACCOUNT_PATH) as `${typeof ACCOUNT_PATH}${P}`,
    params: { account_id: PathId('The account.'), ...params } as R['params'] & {
      account_id: ReturnType<typeof PathId>
    },
    query: query as R['query'],
  }
}

/** `{data}` of a schema. */
export const Data = <T extends Type.TSchema>(schema: T) => Type.Object({ data: schema })
/** `{data: [...]}`. */
export const List = <T extends Type.TSchema>(schema: T) => Type.Object({ data: Type.Array(schema) })
/** A page, newest first: `meta.next_before` is sent as `before` to get the next page; null on the last one. */
export const Page = <T extends Type.TSchema>(schema: T) =>
  Type.Object({
    data: Type.Array(schema),
    meta: Type.Object({
      per_page: Type.Integer(),
      next_before: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Value of `before` for the next page; null on the last page.',
      }),
    }),
  })
/** UTC, to the second: 2026-11-20T10:00:00+00:00. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })
/** The same, or null. */
export const TimeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
