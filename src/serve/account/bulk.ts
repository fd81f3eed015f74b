import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BULK_ROUTES } from '../../../contract/routes/bulk.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/yielding.ts'
import { operationGet } from '../../operations/operations.sql.ts'
import { bulkNow, type BulkKind, type BulkResult } from '../../operations/bulk/write.ts'
import { spool } from '../../operations/spool.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { handle, type Call } from '../handle.ts'
import { answerWrite, waitFor } from '../writing/answer-write.ts'
import { keepBody, readLargeBodies, requireUtf8 } from '../writing/body.ts'
import { parseStrictJson } from '../writing/strict-json.ts'
import { operationMembers } from './operation-members.ts'

/** POST /v1/account/bulk/{kind}: many rows at once, as JSON or as a row per line. */
export const bulkHandlers: Handlers = (app, context) => {
  void app.register((bulk, _options, done) => {
    readLargeBodies(bulk)
    readLines(bulk)
    handle(bulk, BULK_ROUTES.offers, (call) => answerBulk(context, 'bulk_offers', call))
    handle(bulk, BULK_ROUTES.prices, (call) => answerBulk(context, 'bulk_prices', call))
    handle(bulk, BULK_ROUTES.stock, (call) => answerBulk(context, 'bulk_stock', call))
    handle(bulk, BULK_ROUTES.overrides, (call) => answerBulk(context, 'bulk_overrides', call))
    done()
  })
}

function answerBulk(
  context: ServeContext,
  kind: BulkKind,
  { query: { atomic, dry_run: isDryRun }, body: { rows }, request, reply }: Call<(typeof BULK_ROUTES)['offers']>,
) {
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

/** One row per line. A line that is not JSON is reported by its number, and nothing is written. */
function readLines(app: FastifyInstance): void {
  app.addContentTypeParser(
    /^application\/(?:x-ndjson|jsonl)(?:;|$)/,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      requireUtf8(request)
      await keepBody(request, bytes)
      return { rows: await parseLines(bytes) }
    },
  )
}

async function parseLines(bytes: Buffer): Promise<unknown[]> {
  const rows: unknown[] = []
  const turn = openYielding()
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const part = bytes.subarray(start, end === -1 ? bytes.length : end)
    if (part.length > LIMITS.requestBodyBytesMax)
      throw new ShelfwireError('payload-too-large', `line ${line} has more than ${LIMITS.requestBodyBytesMax} bytes`)
    if (line > 2 * LIMITS.bulkRowsMax)
      throw new ShelfwireError(
        'payload-too-large',
        `a bulk has at most ${LIMITS.bulkRowsMax} rows, and not more empty lines than that`,
      )
    start = end === -1 ? bytes.length : end + 1
    if (part.length === 0 || (part.length === 1 && part[0] === 0x0d)) continue
    if (rows.length >= LIMITS.bulkRowsMax)
      throw new ShelfwireError('payload-too-large', `a bulk has at most ${LIMITS.bulkRowsMax} rows; send it in parts`)
    rows.push(parsedLine(part, line))
    const others = turn()
    if (others !== null) await others
  }
  return rows
}

function parsedLine(bytes: Uint8Array, line: number): unknown {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof ShelfwireError)
      throw new ShelfwireError(error.code, `line ${line}: ${error.message}`, { faults: error.faults, cause: error })
    throw error
  }
}
