import type { FastifyReply, FastifyRequest } from 'fastify'
import { isStale, stalePosition } from '../../catalog/stale/stale.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { keyAnswer, keyTake, type Remembered } from '../../idempotency/remembered-answers.sql.ts'
import { callerOf, type ServeContext } from '../context.ts'
import { requestHash } from './body.ts'
import { sourceBody, sourceTag } from './preconditions.ts'

/** What a write comes to. */
export interface Outcome {
  status: 200 | 201 | 202 | 204
  /** What is answered as `data`. */
  data?: unknown
  /** Members beside `data`. */
  beside?: Record<string, unknown>
  /** Members of `data` that are shown once and never kept, under an Idempotency-Key neither. */
  once?: Record<string, unknown>
  /** Path of what was made. */
  location?: string
  /** Products whose inputs were written. */
  productIds?: readonly number[]
  /** Whether it concerns all products of the account, so that the answer waits for sweeps. */
  isForAll?: boolean
  /** Whether it left work to the operations' loop. */
  isQueued?: boolean
}

/**
 * Answers a write: its transaction, what was written shelved, so that it can be read and is in the feed when the answer
 * arrives, and, under an Idempotency-Key, the same answer to the same request for a day. Key, write and answer commit
 * together: whatever dies, the write is made once.
 *
 * Where more is to be resolved than can be waited for, the answer names an operation that says how far that is.
 */
export async function answerWrite(
  context: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx, accountId: number) => Promise<Outcome>,
): Promise<FastifyReply> {
  const { accountId } = callerOf(request)
  const key = keyOf(request)
  const waitMs = waitOf(request)
  const write = async (tx: Tx) => {
    if (key !== null) {
      const known = await keyTake(tx, accountId, key, requestHash(request))
      if (known !== undefined)
        return { answer: replayable(known, request), isReplay: true, productIds: [], isForAll: false, isQueued: false }
    }
    const outcome = await work(tx, accountId)
    if (key !== null) await keyAnswer(tx, accountId, key, answerOf({ ...outcome, once: {} }))
    const answer = answerOf(outcome)
    return {
      answer,
      isReplay: false,
      productIds: outcome.productIds ?? [],
      isForAll: outcome.isForAll === true,
      isQueued: outcome.isQueued === true,
    }
  }
  const { answer, isReplay, isForAll, isQueued, unshelved } = await context.shelf.write(accountId, write, waitMs)
  if (isReplay) void reply.header('Idempotent-Replayed', 'true')
  // what is kept of stores is read afresh; a process that hears no word looks again within two seconds
  if (isForAll) context.wake.notify('directory', accountId)
  if (isQueued) context.wake.notify('operation', accountId)
  const operationId = await settle(context, accountId, { isReplay, isForAll, unshelved: unshelved.length }, waitMs)
  if (operationId !== null) void reply.header('Operation-Location', `/v1/account/operations/${operationId}`)
  void reply.code(answer.status).headers(answer.headers)
  return answer.status === 204
    ? reply.send()
    : reply.header('Content-Type', 'application/json; charset=utf-8').send(answer.body)
}

function answerOf(outcome: Outcome): Omit<Remembered, 'requestHash'> {
  const { status, data, beside, once, location } = outcome
  const headers: Record<string, string> = location === undefined ? {} : { Location: location }
  if (status === 204) return { status, headers, body: '' }
  if (beside !== undefined) return { status, headers, body: JSON.stringify({ data, ...beside }) }
  const body = sourceBody(data)
  const shown = once === undefined ? body : sourceBody({ ...(data as object), ...once })
  return { status, headers: { ...headers, ETag: `"${sourceTag(body)}"` }, body: shown }
}

function replayable(known: Remembered, request: FastifyRequest): Remembered {
  if (known.requestHash === requestHash(request)) return known
  throw new ShelfwireError(
    'idempotency-key-reused',
    'this Idempotency-Key came with another request before; use a new key for a new write, and the same bytes for a repetition',
  )
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

/** How long to wait for payloads: `Prefer: wait=N` in seconds, or `respond-async` (RFC 7240). */
function waitOf(request: FastifyRequest): number {
  const prefer = [request.headers['prefer'] ?? []].flat().join(',').toLowerCase()
  if (/(?:^|[,\s])respond-async(?:$|[,;\s])/.test(prefer)) return 0
  const wait = /(?:^|[,\s])wait=(\d{1,4})(?:$|[,;\s])/.exec(prefer)?.[1]
  return wait === undefined ? LIMITS.settleMs : Math.min(Number(wait), LIMITS.preferWaitSecondsMax) * 1_000
}

/** What of a write may not be readable yet. */
interface Unsettled {
  /** The first answer to this request may still be under way, or have died on it. */
  isReplay: boolean
  isForAll: boolean
  /** Products for which the time did not last. */
  unshelved: number
}

/**
 * Waits until what was written can be read, working on it meanwhile. The write is made whatever happens here: what fails is
 * shelved by the loop. @returns the operation that goes on, or null.
 */
async function settle(
  context: ServeContext,
  accountId: number,
  { isReplay, isForAll, unshelved }: Unsettled,
  waitMs: number,
): Promise<number | null> {
  if (!isReplay && !isForAll && unshelved === 0) return null
  const { db, shelf, operations, log } = context
  const all = await stalePosition(db, accountId)
  if (unshelved > 0) return operations.track(accountId, { ...all, sweepId: 0 }, unshelved)
  // of an import that runs beside it a configuration write need not see the end
  const asked = isReplay ? all : { ...all, markId: 0 }
  try {
    if (!(await isStale(db, accountId, asked))) return null
    await shelf.drain(accountId, undefined, { upTo: asked, waitMs })
  } catch (error) {
    log.warn({ err: error }, 'written, but not shelved here')
  }
  // what a repetition finds stale may be anybody's
  return !isReplay && (await isStale(db, accountId, asked)) ? operations.track(accountId, asked) : null
}
