import type { Static, TSchema } from 'typebox'
import type { AUDIT_ROUTES } from '../../contract/panel/audit.ts'
import type { PANEL_CATALOG_ROUTES } from '../../contract/panel/catalog.ts'
import type { DELIVERY_ROUTES } from '../../contract/panel/deliveries.ts'
import type { ENDPOINT_ROUTES } from '../../contract/panel/endpoints.ts'
import type { PANEL_IMPORT_ROUTES } from '../../contract/panel/imports.ts'
import type { OVERVIEW_ROUTES } from '../../contract/panel/overview.ts'
import type { PANEL_PRODUCT_ROUTES } from '../../contract/panel/product.ts'
import type { PRODUCT_VALUE_ROUTES } from '../../contract/panel/product-values.ts'
import type { PREVIEW_ROUTES } from '../../contract/panel/previews.ts'
import type { PEOPLE_ROUTES } from '../../contract/panel/people.ts'
import type { PANEL_SETTINGS_ROUTES } from '../../contract/panel/settings.ts'
import type { FACTOR_ROUTES } from '../../contract/panel/factors.ts'
import type { PROVIDER_ROUTES } from '../../contract/panel/provider-sign-in.ts'
import type { LINK_ROUTES } from '../../contract/panel/links.ts'
import type { SESSION_ROUTES } from '../../contract/panel/session.ts'
import type { SIGN_UP_ROUTES } from '../../contract/panel/sign-up.ts'
import type { TOKEN_ROUTES } from '../../contract/panel/tokens.ts'
import type { GET_ATTRIBUTE_VALUES } from '../../contract/routes/attribute-values.ts'
import type { OPERATION_ROUTES } from '../../contract/routes/operations.ts'
import type { ADOPT_IMAGES, UPLOAD_IMAGE } from '../../contract/routes/images.ts'
import type { ACCOUNT_ROUTES } from '../../contract/routes/account.ts'
import type { CATALOG_ROUTES } from '../../contract/routes/catalog.ts'
import type { FINDING_ROUTES } from '../../contract/routes/findings.ts'
import type { IMPORT_ROUTES } from '../../contract/routes/imports.ts'
import type { PRICE_LIST_ROUTES } from '../../contract/routes/price-lists.ts'
import type { RUN_SOURCE, TEST_SOURCE } from '../../contract/routes/account-resources.ts'
import type { PRODUCT_ROUTES } from '../../contract/routes/products.ts'
import type { STOCK_ROUTES } from '../../contract/routes/stock.ts'
import { ownProblem, Problem, problemOf } from './problem.ts'

// The typed client. Methods, paths, parameters, bodies and answers are those that contract/ declares; only its types are
// imported.

type Declared =
  | (typeof SESSION_ROUTES)[number]
  | (typeof LINK_ROUTES)[number]
  | (typeof PROVIDER_ROUTES)[number]
  | (typeof FACTOR_ROUTES)[number]
  | (typeof SIGN_UP_ROUTES)[number]
  | (typeof PEOPLE_ROUTES)[number]
  | (typeof TOKEN_ROUTES)[number]
  | (typeof ENDPOINT_ROUTES)[number]
  | (typeof DELIVERY_ROUTES)[number]
  | (typeof OVERVIEW_ROUTES)[number]
  | (typeof AUDIT_ROUTES)[number]
  | (typeof PANEL_CATALOG_ROUTES)[number]
  | (typeof PANEL_PRODUCT_ROUTES)[number]
  | (typeof PRODUCT_VALUE_ROUTES)[number]
  | (typeof PREVIEW_ROUTES)[number]
  | (typeof PANEL_SETTINGS_ROUTES)[number]
  | (typeof OPERATION_ROUTES)[number]
  | (typeof CATALOG_ROUTES)[number]
  | (typeof PRODUCT_ROUTES)[number]
  | (typeof ACCOUNT_ROUTES)[number]
  | typeof GET_ATTRIBUTE_VALUES
  | typeof ADOPT_IMAGES
  | typeof UPLOAD_IMAGE
  | (typeof PRICE_LIST_ROUTES)[number]
  | (typeof STOCK_ROUTES)[number]
  | (typeof FINDING_ROUTES)[number]
  | (typeof IMPORT_ROUTES)[number]
  | (typeof PANEL_IMPORT_ROUTES)[number]
  | typeof RUN_SOURCE
  | typeof TEST_SOURCE
type NameOf<R> = R extends { method: infer M extends string; path: infer P extends string }
  ? `${Uppercase<M>} ${P}`
  : never
/** Declarations by name. A table, because searching the union at each use took a third of the panel's type check. */
type Routes = { [R in Declared as NameOf<R>]: R }
/** Method and path of a route: "GET /panel/api/session". */
export type RouteName = keyof Routes

/** The type that a schema describes; for a plain object of schemas, an object type. */
type Read<S> = S extends TSchema ? Static<S> : never
type AnswerOf<R> = R extends { answer: infer A }
  ? A extends { data: infer S extends TSchema }
    ? { data: Read<S> }
    : A extends { list: infer S extends TSchema }
      ? { data: Read<S>[]; meta: Record<string, number | string | null> }
      : A extends { whole: infer S extends TSchema }
        ? Read<S>
        : Read<A>
  : undefined
type Answers = { [N in RouteName]: AnswerOf<Routes[N]> }
/** The parsed body of a route's success. */
export type Answer<N extends RouteName> = Answers[N]

type Values<P> = { [K in keyof P]?: (P[K] extends TSchema ? Static<P[K]> : never) | undefined }
type Given<P> = { [K in keyof P]: NonNullable<P[K]> extends infer S extends TSchema ? Static<S> : never }
type BodyOf<R> = R extends { body: { schema: infer S extends TSchema } } ? Static<S> : undefined

export interface Request<N extends RouteName> {
  params?: Routes[N] extends { params: infer P } ? Given<P> : never
  query?: Routes[N] extends { query: infer Q } ? Values<Q> : never
  body?: BodyOf<Routes[N]>
  /** The account for a route below /v1; the panel's own routes have it in the path. */
  accountId?: number
  /** The revision of the answer that was edited; a changed revision is refused. */
  revision?: string
  /** Token of an endpoint link, instead of a session. */
  linkToken?: string
  signal?: AbortSignal
}

const ACCOUNT_HEADER = 'Shelfwire-Account'
const CSRF_HEADER = 'X-CSRF-Token'
const SAVE_HEADER = 'Shelfwire-Save'

/** The session's CSRF token, sent with every write. Only this module holds it. */
let csrfToken: string | null = null
/** Called when the service answers that the session has ended. */
let onSignedOut: () => void = () => undefined

/** Sets the CSRF token for all following writes; null when nobody is signed in. */
export function keepCsrfToken(token: string | null): void {
  csrfToken = token
}

/** Sets the function that is called when the session has ended. */
export function setSignedOutListener(listener: () => void): void {
  onSignedOut = listener
}

/** Asks the person to confirm with the password or a passkey. @returns whether they did */
let onConfirmationRequired: () => Promise<boolean> = () => Promise.resolve(false)

/** Sets the function that asks the person for a confirmation. */
export function setConfirmationPrompt(ask: () => Promise<boolean>): void {
  onConfirmationRequired = ask
}

/** The parts of a request to any route. */
export interface Sent {
  params?: object
  query?: object
  body?: unknown
  accountId?: number
  revision?: string
  linkToken?: string
  signal?: AbortSignal
  /** One of many writes in a row: the service answers without waiting for payloads. */
  isOneOfMany?: boolean
  /** An ID that all requests of one save share, so that the audit trail shows them as one. */
  save?: string
  /** The service refuses it if the resource exists already. */
  isNew?: boolean
  /** Sent even if the page is closed now. Browsers allow at most 64 kB for this. */
  isKeptAlive?: boolean
}

/**
 * Calls a route.
 * @param name method and path as declared, with parameters in braces
 * @throws Problem for an error, and if there is no answer
 */
export async function call<N extends RouteName>(name: N, request: Request<N> = {}): Promise<Answer<N>> {
  return (await exchange(name, request)).body as Answer<N>
}

/** An answer with values from its headers. */
export interface Exchanged {
  body: unknown
  /** The revision for a following edit; null if the answer has no ETag. */
  revision: string | null
  /** The operation that is still computing payloads after a write; null if they are up to date. */
  operationId: number | null
}

/**
 * The same for a route whose types the caller knows; returns values of the headers as well. If the service requires a
 * confirmation, the person is asked and the request sent again.
 */
export async function exchange(name: string, request: Sent): Promise<Exchanged> {
  try {
    return await exchangeOnce(name, request)
  } catch (error) {
    const isAsked = error instanceof Problem && error.code === 'confirmation-required'
    if (!isAsked || !(await onConfirmationRequired())) throw error
    return await exchangeOnce(name, request)
  }
}

async function exchangeOnce(name: string, request: Sent): Promise<Exchanged> {
  const { method, address, headers } = addressed(name, request)
  let response: Response
  try {
    response = await fetch(address, {
      method,
      headers,
      credentials: request.linkToken === undefined ? 'same-origin' : 'omit',
      redirect: 'error',
      keepalive: request.isKeptAlive === true,
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw ownProblem('unreachable', String(error))
  }
  if (!response.ok) throw await problemOfAnswer(response)
  const revision = /"([^"]*)"/.exec(response.headers.get('ETag') ?? '')?.[1] ?? null
  const operation = /\/operations\/(\d+)$/.exec(response.headers.get('Operation-Location') ?? '')?.[1]
  return {
    body: response.status === 204 ? undefined : await response.json(),
    revision,
    operationId: operation === undefined ? null : Number(operation),
  }
}

/** Method, address and headers of a request. */
export function addressed(name: string, request: Sent): { method: string; address: string; headers: Headers } {
  const [method = 'GET', path = ''] = name.split(' ')
  const headers = new Headers({ Accept: 'application/json' })
  if (request.body !== undefined) headers.set('Content-Type', 'application/json')
  if (request.accountId !== undefined) headers.set(ACCOUNT_HEADER, String(request.accountId))
  if (request.revision !== undefined) headers.set('If-Match', `"${request.revision}"`)
  if (request.isNew === true) headers.set('If-None-Match', '*')
  if (request.linkToken !== undefined) headers.set('Authorization', `Bearer ${request.linkToken}`)
  if (request.isOneOfMany === true) headers.set('Prefer', 'respond-async')
  if (request.save !== undefined) headers.set(SAVE_HEADER, request.save)
  if (method !== 'GET' && csrfToken !== null) headers.set(CSRF_HEADER, csrfToken)
  return { method, address: addressOf(path, request.params ?? {}, request.query ?? {}), headers }
}

/** The problem of an error answer. If the session has ended, also tells the panel so. */
export async function problemOfAnswer(response: Response): Promise<Problem> {
  const problem = await problemOf(response)
  if (problem.code === 'not-signed-in') onSignedOut()
  return problem
}

function addressOf(path: string, params: object, query: object): string {
  const values = new Map(Object.entries(params))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return search === '' ? filled : `${filled}?${search}`
}
