import type { FastifyRequest } from 'fastify'
import { BULK_ROUTES } from '../../../../contract/routes/bulk.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { operationGet } from '../../../operations/operations.sql.ts'
import { bulkNow, type BulkKind, type BulkResult } from '../../../operations/bulk/write.ts'
import { spool } from '../../../operations/spool.ts'
import type { Handlers, ServeContext } from '../../context.ts'
import { handle, type Call } from '../../handle.ts'
import { answerWrite, waitFor } from '../../writing/answer-write.ts'
import { addBodyReader, readJsonAs, requireUtf8 } from '../../writing/body.ts'
import { parseStrictLines, parseStrictRows, type BodyOfRows, type CheckStillNeeded } from '../../writing/strict-rows.ts'
import { operationMembers } from './operation-members.ts'

const LINE_TYPES = /^application\/(?:x-ndjson|jsonl)(?:;|$)/

/** POST /v1/account/bulk/{kind}: many rows at once, as JSON or as a row per line. */
export const bulkHandlers: Handlers = (app, context) => {
  void app.register((bulk, _options, done) => {
    readJsonAs(bulk, (request, bytes) => (bytes.length === 0 ? undefined : readRows(request, parseStrictRows, bytes)))
    addBodyReader(bulk, LINE_TYPES, (request, bytes) => {
      requireUtf8(request)
      return readRows(request, parseStrictLines, bytes)
    })
    handle(bulk, BULK_ROUTES.offers, (call) => answerBulk(context, 'bulk_offers', call))
    handle(bulk, BULK_ROUTES.prices, (call) => answerBulk(context, 'bulk_prices', call))
    handle(bulk, BULK_ROUTES.stock, (call) => answerBulk(context, 'bulk_stock', call))
    handle(bulk, BULK_ROUTES.overrides, (call) => answerBulk(context, 'bulk_overrides', call))
    handle(bulk, BULK_ROUTES.exclusions, (call) => answerBulk(context, 'bulk_exclusions', call))
    done()
  })
}

function answerBulk(
  context: ServeContext,
  kind: BulkKind,
  { query: { atomic, dry_run: isDryRun }, request, reply }: Call<(typeof BULK_ROUTES)['offers']>,
) {
  const rows = request.sentRows
  if (rows === null) throw new Error('a bulk was checked that has no rows')
  if (rows.length > LIMITS.bulkRowsMax) {
    throw new ShelfwireError(
      'payload-too-large',
      `a bulk has at most ${LIMITS.bulkRowsMax} rows, not ${rows.length}; send it in parts`,
    )
  }
  if (rows.length > LIMITS.bulkRowsAtOnceMax && atomic) {
    throw new ShelfwireError('invalid-parameters', `all or nothing is for up to ${LIMITS.bulkRowsAtOnceMax} rows`, {
      faults: [{ name: 'atomic', reason: `is for up to ${LIMITS.bulkRowsAtOnceMax} rows` }],
    })
  }
  return answerWrite(context, request, reply, async (tx, accountId) => {
    if (rows.length > LIMITS.bulkRowsAtOnceMax) {
      const operationId = await spool(tx, accountId, kind, rows, isDryRun)
      const operation = await operationGet(tx, accountId, operationId)
      return {
        status: 202,
        data: operation === undefined ? null : operationMembers(operation),
        location: `/v1/account/operations/${operationId}`,
        isQueued: true,
      }
    }
    const written = await bulkNow(tx, accountId, kind, rows, { atomic, isDryRun })
    const count = (status: BulkResult['status']) => written.value.filter((result) => result.status === status).length
    return {
      ...waitFor(written),
      status: 200,
      data: written.value.map(({ status, productId, faults }, row) => ({
        row,
        status,
        ...(productId === undefined ? {} : { product_id: productId }),
        ...(faults === undefined || faults.length === 0 ? {} : { errors: faults }),
      })),
      beside: {
        meta: {
          created: count('created'),
          changed: count('changed'),
          unchanged: count('unchanged'),
          failed: count('failed'),
          dry_run: isDryRun,
        },
      },
    }
  })
}

/** Keeps the rows in `request.sentRows`; the declared shape is checked on a body that has numbers in their places. */
async function readRows(
  request: FastifyRequest,
  parse: (bytes: Buffer, stillWanted: CheckStillNeeded) => Promise<BodyOfRows>,
  bytes: Buffer,
): Promise<unknown> {
  const { value, rows } = await parse(bytes, () => request.bodyPlace?.requireClient())
  request.sentRows = rows
  return value
}
