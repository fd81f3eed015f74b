import type { FastifyRequest } from 'fastify'
import type { Reader } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { cancelOperation } from '../../operations/operations.ts'
import { operationErrors, operationGet, operationsAfter, type OperationRow } from '../../operations/operations.sql.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { pathId, Query } from '../query.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { requireNoMembers } from '../writing/body.ts'
import { sourceBody, sourceTag } from '../writing/preconditions.ts'
import { operationMembers } from './operation-members.ts'

/** /v1/account/operations: work that outlives its request. */
export const operationRoutes: Route = (app, context) => {
  app.get('/operations', async (request, reply) => {
    const query = new Query(request.query)
    const perPage = query.clamped('per_page', { min: 1, max: LIMITS.perPageMax }) ?? LIMITS.perPageDefault
    const before = query.integer('before', { min: 1 }) ?? null
    query.doneClosed()
    const rows = await operationsAfter(context.db, callerOf(request).accountId, before, perPage + 1)
    const page = rows.slice(0, perPage)
    const next = rows.length > perPage ? (page.at(-1)?.operationId ?? null) : null
    const body = JSON.stringify({ data: page.map(operationMembers), meta: { per_page: perPage, next_before: next } })
    return answer(request, reply, body, sourceTag(body))
  })
  app.get('/operations/:id', async (request, reply) => {
    const body = sourceBody(operationMembers(await existing(context.db, request)))
    return answer(request, reply, body, sourceTag(body))
  })
  app.get('/operations/:id/errors', async (request, reply) => {
    const query = new Query(request.query)
    const perPage = query.clamped('per_page', { min: 1, max: LIMITS.bulkResultsPageMax }) ?? LIMITS.perPageDefault
    const after = query.integer('after', { min: 0 }) ?? -1
    query.doneClosed()
    const { operationId } = await existing(context.db, request)
    const rows = await operationErrors(context.db, callerOf(request).accountId, operationId, after, perPage + 1)
    const page = rows.slice(0, perPage)
    const next = rows.length > perPage ? (page.at(-1)?.row ?? null) : null
    const body = JSON.stringify({
      data: page.map(({ row, faults }) => ({ row, errors: faults })),
      meta: { per_page: perPage, next_after: next },
    })
    return answer(request, reply, body, sourceTag(body))
  })
  app.post('/operations/:id/cancel', (request, reply) => {
    requireNoMembers(request)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const { operationId } = await existing(tx, request)
      await cancelOperation(tx, accountId, operationId)
      return { status: 200, data: operationMembers(await existing(tx, request)) }
    })
  })
}

async function existing(reader: Reader, request: FastifyRequest): Promise<OperationRow> {
  const operationId = pathId((request.params as { id: string }).id)
  const row = operationId === null ? undefined : await operationGet(reader, callerOf(request).accountId, operationId)
  if (row === undefined)
    throw new ShelfwireError(
      'unknown-operation',
      'the account has no such operation, or it ended more than 30 days ago',
    )
  return row
}
