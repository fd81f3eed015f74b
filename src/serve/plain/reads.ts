import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Route } from '../../../contract/route.ts'
import { GET_PRICES, GET_PRODUCT, LIST_CHANGES, LIST_PRICES, LIST_PRODUCTS } from '../../../contract/routes/catalog.ts'
import type { Caller } from '../../accounts/authenticate.ts'
import { asError } from '../../platform/errors.ts'
import { tracer, type Span, type Tracer } from '../../platform/tracing/tracing.ts'
import type { AccountPlace } from '../account-places.ts'
import { answerOf, type Answer, type Found } from '../answer.ts'
import { peerAddress } from '../client-address.ts'
import type { ServeContext } from '../context.ts'
import { admitRequest, GUARDED_HEADERS } from '../guard.ts'
import { requestIdOf, STANDARD_HEADERS } from '../headers.ts'
import { pathReader, queryReader } from '../parameters.ts'
import type { LargePlace } from '../large-answers.ts'
import { errorAnswer } from '../problem.ts'
import type { Asked, Read } from '../read.ts'
import { openNotes, routeName, type Notes } from '../request-times.ts'
import { requestAttributes } from '../request-traces.ts'
import { mayWait, readChanges } from '../routes/changes.ts'
import { readPrices, readPricesOfOne, readProduct, readProducts } from '../routes/products.ts'
import { readPlainConnections, type PlainConnection, type PlainConnections } from './connections.ts'
import { plainFields, plainParts, plainQuery, type PlainFields } from './head.ts'

// The five most frequent reads, answered without the framework and without Node's HTTP server. Their answers are made by the same
// functions as those of the framework's routes; requests that are not plain are left to these routes.

type Values = Record<string, unknown>

interface PlainRead {
  route: Route
  name: string
  hasId: boolean
  isDeclared: (name: string) => boolean
  query: (raw: unknown) => Values
  params: (raw: unknown) => Values
  read: Read<Route>
  /** Whether a query can be answered without waiting. */
  isPlain: (query: Values) => boolean
}

const ID = /^\d{1,16}$/

function plainRead<R extends Route>(
  route: R,
  read: Read<R>,
  isPlain: (query: Asked<R>['query']) => boolean = () => true,
): [path: string, PlainRead] {
  const hasId = route.path.endsWith('/{id}')
  return [
    route.path.replace('{id}', ''),
    {
      route,
      name: routeName(route),
      hasId,
      isDeclared: (name) => Object.hasOwn(route.query, name),
      query: queryReader(route),
      params: pathReader(route),
      read: read as unknown as Read<Route>,
      isPlain: isPlain as (query: Values) => boolean,
    },
  ]
}

/** Plain reads by path, without the id. */
const READS = new Map([
  plainRead(GET_PRODUCT, readProduct),
  plainRead(LIST_PRODUCTS, readProducts),
  plainRead(GET_PRICES, readPricesOfOne),
  plainRead(LIST_PRICES, readPrices),
  plainRead(LIST_CHANGES, readChanges, (query) => !mayWait(query)),
])

/** Answers plain requests before the app gets them. Their connections are closed with those of the app. */
export function answerPlainReads(app: FastifyInstance, context: ServeContext): PlainConnections {
  const { authenticator, traffic, log, figures, trustedProxies } = context
  const server: PlainServer = {
    context,
    notes: openNotes(figures.times, log),
    keepAlive: `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(app.server.keepAliveTimeout / 1_000)}\r\n\r\n`,
    tracing: tracer(),
    isDraining: false,
  }
  const connections = readPlainConnections(app.server, app.unusedConnections, (bytes, connection) => {
    const parts = plainParts(bytes)
    if (parts === null) return false
    const { lines } = connection
    if (lines.text !== parts.fields) {
      lines.text = parts.fields
      lines.fields = plainFields(parts.fields)
    }
    const fields = lines.fields as PlainFields | null
    const found = fields === null ? null : readOf(parts.target)
    if (fields === null || found === null) return false
    // behind proxies the address of an unknown token's client has to be read from headers, which the framework does
    if (trustedProxies.length > 0 && !authenticator.isProven(fields.authorization)) return false
    traffic.at = performance.now()
    connection.begin()
    new PlainExchange(server, connection, fields, found.route, parts.target, traffic.at).answer(found.asked)
    return true
  })
  app.addHook('preClose', (done) => {
    server.isDraining = true
    connections.drain()
    done()
  })
  return connections
}

/** The read and its parameters; null if the request is not plain, or invalid. */
function readOf(target: string): { route: PlainRead; asked: { query: Values; params: Values } } | null {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const idAt = path.lastIndexOf('/') + 1
  const id = path.slice(idAt)
  const isId = ID.test(id)
  const route = READS.get(isId ? path.slice(0, idAt) : path)
  if (route === undefined || route.hasId !== isId) return null
  const given = mark === -1 ? {} : plainQuery(target.slice(mark + 1), route.isDeclared)
  if (given === null) return null
  try {
    const query = route.query(given)
    return route.isPlain(query) ? { route, asked: { query, params: route.hasId ? route.params({ id }) : {} } } : null
  } catch {
    // the framework's route answers with the error
    return null
  }
}

interface PlainServer {
  context: ServeContext
  notes: Notes
  /** The last header lines of an answer on a connection that is kept open. */
  keepAlive: string
  /** Null where traces are off. */
  tracing: Tracer | null
  isDraining: boolean
}

/** A plain request and its answer. */
class PlainExchange {
  readonly #server: PlainServer
  readonly #connection: PlainConnection
  readonly #fields: PlainFields
  readonly #route: PlainRead
  readonly #target: string
  readonly #since: number
  readonly #requestId: string
  readonly #rate: Record<string, string> = {}
  readonly #span: Span | null
  #caller: Caller | null = null
  #place: AccountPlace | null = null
  #large: LargePlace | undefined

  constructor(
    server: PlainServer,
    connection: PlainConnection,
    fields: PlainFields,
    route: PlainRead,
    target: string,
    since: number,
  ) {
    this.#server = server
    this.#connection = connection
    this.#fields = fields
    this.#route = route
    this.#target = target
    this.#since = since
    this.#requestId = requestIdOf(fields.requestId)
    this.#span = server.tracing === null ? null : beginRead(server.tracing, route, fields, this.#requestId)
  }

  answer(asked: { query: Values; params: Values }): void {
    const { context } = this.#server
    const read = (caller: Caller, place: AccountPlace) => {
      this.#place = place
      const found = this.#route.read(context, { ...asked, caller })
      if (found instanceof Promise) found.then(this.#found).catch(this.#fail)
      else this.#found(found)?.catch(this.#fail)
    }
    const admitCaller = (caller: Caller): Promise<void> | undefined => {
      this.#caller = caller
      const place = admitRequest(context, caller, (name, value) => (this.#rate[name] = value))
      if (place instanceof Promise) return place.then((entered) => read(caller, entered))
      read(caller, place)
      return undefined
    }
    try {
      const { authorization } = this.#fields
      const caller = context.authenticator.authenticate(authorization, () => peerAddress(this.#connection.socket))
      const admitted = caller instanceof Promise ? caller.then(admitCaller) : admitCaller(caller)
      admitted?.catch(this.#fail)
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #found = (found: Found): Promise<void> | undefined => {
    this.#large = found.place
    const { acceptEncoding, ifNoneMatch } = this.#fields
    const answer = answerOf({ 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch }, found)
    if (answer instanceof Promise) return answer.then(this.#send)
    this.#send(answer)
    return undefined
  }

  readonly #fail = (error: unknown): void => {
    const { context } = this.#server
    const log = context.log.child({ request_id: this.#requestId, trace_id: this.#span?.context.traceId })
    this.#send(errorAnswer(asError(error), 'GET', log, context.publicUrl()))
  }

  readonly #send = ({ status, code, headers, body }: Answer): void => {
    const { notes, keepAlive, isDraining } = this.#server
    const lines =
      status < 400
        ? FIXED + linesOf(this.#rate) + linesOf(headers)
        : linesOf({ ...FIXED_HEADERS, ...this.#rate, ...headers })
    const length = body === null ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
    const end = isDraining ? 'Connection: close\r\n\r\n' : keepAlive
    this.#connection.send(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${this.#requestId}\r\n${lines}${length}Date: ${dateNow()}\r\n${end}`,
      body,
      isDraining,
      () => {
        this.#place?.end()
        this.#large?.end()
        const ms = performance.now() - this.#since
        notes(this.#route.name, status, ms, this.#requestId, this.#span?.context.traceId)
        this.#note(status, code ?? null, ms)
        this.#span?.done(
          { 'shelfwire.account_id': this.#caller?.accountId, 'http.response.status_code': status },
          status >= 500,
        )
      },
    )
  }

  #note(status: number, code: string | null, ms: number) {
    if (this.#caller === null) return
    const { accountId, tokenId } = this.#caller
    this.#server.context.tokenRequests.note({
      accountId,
      tokenId,
      route: this.#route.route,
      method: 'GET',
      target: this.#target,
      status,
      code,
      ms,
      requestId: this.#requestId,
    })
  }
}

const beginRead = (tracing: Tracer, { route, name }: PlainRead, { traceparent }: PlainFields, requestId: string) =>
  tracing.begin({
    name: `GET ${name}`,
    kind: 'server',
    parent: tracing.read(traceparent),
    attributes: requestAttributes('GET', route, requestId),
  })

function linesOf(headers: Readonly<Record<string, string>>): string {
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return lines
}

const FIXED_HEADERS = { ...STANDARD_HEADERS, ...GUARDED_HEADERS }
const FIXED = linesOf(FIXED_HEADERS)

let dateSecond = 0
let dateText = ''

/** The value of the header Date, formatted once per second. */
function dateNow(): string {
  const now = Date.now()
  const second = Math.floor(now / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(now).toUTCString()
  }
  return dateText
}
