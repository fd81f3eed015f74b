import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Written } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { auditInsert, type AuditChange, type ProductChange } from '../../people/audit.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { RememberedAnswer, WriteOptions, WriteResult } from '../../writes/writes.ts'
import { callerOf, type ServeContext } from '../context.ts'
import { problemBody } from '../problem.ts'
import { requestHash } from './body.ts'
import { sourceBody, taggedBody } from './preconditions.ts'
import { must } from '../../platform/must.ts'

/** The result of a write over HTTP: its answer, and what to wait for before it is sent (left out: nothing). */
export interface Outcome extends Partial<Omit<Written, 'value'>> {
  status: 200 | 201 | 202 | 204
  /** The value of `data`. */
  data?: unknown
  /** Members of `data` that change without an edit; see taggedBody. */
  state?: Record<string, unknown>
  /** Members beside `data`. */
  beside?: Record<string, unknown>
  /** Members of `data` that are shown once and never stored, not even under an Idempotency-Key. */
  once?: Record<string, unknown>
  /** Path of the created resource. */
  location?: string
  /** Whether it queued work for the operations loop. */
  isQueued?: boolean
  /** A dry run wrote nothing, so the audit trail leaves it out. */
  isDryRun?: boolean
  /** The changed product, if it is a single one, with the change of its settings: for the audit trail. */
  product?: { id: number; change?: ProductChange }
}

/** The part of a write's result that says what its answer waits for. */
export function waitFor({
  productIds,
  isForAll,
  half,
}: Written<unknown>): Pick<Outcome, 'productIds' | 'isForAll' | 'half'> {
  return { productIds, isForAll, half }
}

/**
 * Runs a write and answers with its status, headers and body. src/writes/writes.ts runs it once per Idempotency-Key and waits
 * for payloads; if they take too long, Operation-Location names an operation that shows the progress.
 */
export async function answerWrite(
  context: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx, accountId: number) => Promise<Outcome>,
): Promise<FastifyReply> {
  const { accountId, member } = callerOf(request)
  context.rates.takeRows(accountId, request.sentRows?.length ?? 1)
  const written = await context.writes.write<Outcome>(
    accountId,
    async (tx) => {
      const outcome = await work(tx, accountId)
      // not awaited: it is sent together with the commit
      if (member !== undefined && outcome.isDryRun !== true)
        void auditInsert(tx, accountId, member, changeOf(request, outcome.product)).execute()
      const { productIds = [], isForAll = false, isQueued = false, half } = outcome
      return { value: outcome, productIds, isForAll, isQueued, half }
    },
    {
      waitMs: waitOf(request),
      ...idempotencyOf(request, (key) => key),
    },
  )
  if (written.operationId !== null)
    void reply.header('Operation-Location', `/v1/account/operations/${written.operationId}`)
  return sendWritten(reply, written)
}

/** The options that make a write happen once per Idempotency-Key. @param storedKeyOf the stored form of a key */
export function idempotencyOf(
  request: FastifyRequest,
  storedKeyOf: (key: string) => string,
): Pick<WriteOptions<Outcome>, 'idempotency'> {
  const key = keyOf(request)
  if (key === null) return {}
  return {
    idempotency: {
      key: storedKeyOf(key),
      requestHash: requestHash(request),
      answerOf: (outcome) => answerOf({ ...outcome, once: {} }),
      withoutRoom: (bytes) => answerNotKept(bytes, request.server.publicUrl()),
    },
  }
}

/** Sends the answer of a write, or the remembered answer of its first request. */
export function sendWritten(reply: FastifyReply, written: WriteResult<Outcome>): FastifyReply {
  const answer = written.isReplay ? written.answer : answerOf(written.value)
  if (written.isReplay) void reply.header('Idempotent-Replayed', 'true')
  void reply.code(answer.status).headers(answer.headers)
  if (answer.status === 204) return reply.send()
  if (!reply.hasHeader('Content-Type')) void reply.header('Content-Type', 'application/json; charset=utf-8')
  // as bytes: Fastify adds a charset to the type of a text, which the type of a problem must not have
  return reply.send(Buffer.from(answer.body))
}

/** The answer to a repeated write whose own answer was too long to be kept. It is stored like any answer, so earlier releases can send it. */
function answerNotKept(bytes: number, publicUrl: string): RememberedAnswer {
  const problem = problemBody(
    'conflict',
    `this write was made by the first request with this Idempotency-Key, and is not made again; its answer of ${bytes} bytes was not kept, because the account has had many long ones: read what it wrote`,
  )
  return {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json' },
    body: JSON.stringify({ ...problem, type: publicUrl + problem.type }),
  }
}

/** A request as an entry of the audit trail, without the credentials that it may contain. */
function changeOf(request: FastifyRequest, product: Outcome['product']): AuditChange {
  const [target = ''] = request.url.split('?')
  const { config } = request.routeOptions
  const body = withoutSecrets(request.body ?? null, config.route?.body?.secrets ?? [])
  const text = request.sentRows === null ? JSON.stringify(body ?? {}) : null
  const isShort = text !== null && text.length <= LIMITS.auditDetailsCharactersMax
  return {
    action: must(config.route).id,
    target,
    details: {
      ...(isShort ? { body } : { bytes: Number(request.headers['content-length'] ?? 0) || null }),
      ...(request.sentRows === null ? {} : { rows: request.sentRows.length }),
      ...saveOf(request),
    },
    productId: product?.id ?? null,
    change: keptOf(product?.change),
  }
}

/** The id by which the panel marks the requests of one save, so that the audit trail can show them as one. */
function saveOf(request: FastifyRequest): { save?: string } {
  const save = request.headers['shelfwire-save']
  return typeof save === 'string' && /^[\w-]{1,64}$/.test(save) ? { save } : {}
}

/** The change to store; null if it is too large. */
const keptOf = (change: ProductChange | undefined) =>
  change === undefined || JSON.stringify(change).length > LIMITS.auditChangeCharactersMax ? null : change

/** A body in which each member that holds a secret is reduced to its kind. */
function withoutSecrets(body: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0 || typeof body !== 'object' || body === null) return body
  const kindOf = (value: unknown) =>
    typeof value === 'object' && value !== null && 'kind' in value ? { kind: value.kind } : null
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, secrets.includes(name) ? kindOf(value) : value]),
  )
}

function answerOf(outcome: Outcome): RememberedAnswer {
  const { status, data, state, beside, once, location } = outcome
  const headers: Record<string, string> = location === undefined ? {} : { Location: location }
  if (status === 204) return { status, headers, body: '' }
  if (beside !== undefined) return { status, headers, body: JSON.stringify({ data, ...beside }) }
  const { body, tag } = taggedBody(data, { state })
  const shown = once === undefined ? body : sourceBody({ ...(data as object), ...state, ...once })
  return { status, headers: { ...headers, ETag: `"${tag}"` }, body: shown }
}

function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (typeof header === 'string' && /^[\x21-\x7e]+$/.test(header) && header.length <= LIMITS.idempotencyKeyLengthMax)
    return header
  throw new ShelfwireError(
    'invalid-parameters',
    `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyLengthMax} visible ASCII characters`,
    {
      faults: [{ name: 'Idempotency-Key', reason: 'is not well formed' }],
    },
  )
}

/** How long to wait for payloads, in ms: from `Prefer: wait=N` (seconds) or `respond-async` (RFC 7240). */
function waitOf(request: FastifyRequest): number {
  const prefer = [request.headers['prefer'] ?? []].flat().join(',').toLowerCase()
  if (/(?:^|[,\s])respond-async(?:$|[,;\s])/.test(prefer)) return 0
  const wait = /(?:^|[,\s])wait=(\d{1,4})(?:$|[,;\s])/.exec(prefer)?.[1]
  return wait === undefined ? LIMITS.settleMs : Math.min(Number(wait), LIMITS.preferWaitSecondsMax) * 1_000
}
