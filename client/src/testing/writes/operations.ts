import type { Schemas } from '../../api.ts'
import { Problem } from '../problem.ts'
import { draftOf } from './bulk/draft.ts'
import type { Bulk, Result, RowsWriter } from './bulk/row.ts'
import type { Call, KeptOperation, DeferredStep, Made, Work, Written } from './written.ts'

// Bulks of many rows: they are answered at once, and written in steps after that, but before the account's next request is answered.

type Operation = Schemas['Operation']

const STEP_ROWS = 1_000

/** @throws Problem unknown-operation */
function keptIn({ written, params: [text = ''] }: Call): KeptOperation {
  const kept = /^[1-9]\d{0,15}$/.test(text) ? written.operations.get(Number(text)) : undefined
  if (kept !== undefined) return kept
  throw new Problem('unknown-operation', 'the account has no such operation, or it ended more than 30 days ago')
}

export const findOperation = (call: Call): Operation => keptIn(call).operation

export function listOperations({ written, query }: Call): object {
  const { per_page: perPage, before } = query as { per_page: number; before: number | undefined }
  const all = [...written.operations.values()].map(({ operation }) => operation).reverse()
  const rest = before === undefined ? all : all.filter(({ id }) => id < before)
  const data = rest.slice(0, perPage)
  return { data, meta: { per_page: perPage, next_before: rest.length > perPage ? (data.at(-1)?.id ?? null) : null } }
}

export function listErrors(call: Call): object {
  const { per_page: perPage, after } = call.query as { per_page: number; after: number | undefined }
  const rest = keptIn(call).errors.filter(({ row }) => after === undefined || row > after)
  const data = rest.slice(0, perPage)
  return { data, meta: { per_page: perPage, next_after: rest.length > perPage ? (data.at(-1)?.row ?? null) : null } }
}

/** Cancels nothing: an operation has always ended before the next request is answered. */
export const cancelOperation =
  (call: Call): Work =>
  () =>
    Promise.resolve({ status: 200, data: findOperation(call), next: {}, writes: [] })

export function queued(
  call: Call,
  { kind, write, rows, isDryRun }: { kind: string; write: RowsWriter; rows: readonly unknown[]; isDryRun: boolean },
): Made {
  const id = call.written.operations.size + 1
  const operation: Operation = {
    id,
    kind: `bulk_${kind}` as Operation['kind'],
    state: 'queued',
    dry_run: isDryRun,
    total: rows.length,
    done: 0,
    changed: 0,
    unchanged: 0,
    failed: 0,
    message: null,
    created_at: call.at,
    started_at: null,
    ended_at: null,
  }
  return {
    status: 202,
    data: operation,
    location: `/v1/account/operations/${id}`,
    next: { operations: withKept(call.written, { operation, errors: [] }) },
    writes: [],
    later: {
      run: stepOf(id, 0, write, rows),
      failed: (at, message) => ({ operations: withKept(at.written, failedOf(at, id, message)) }),
    },
  }
}

const withKept = ({ operations }: Written, kept: KeptOperation) => new Map(operations).set(kept.operation.id, kept)

/** A step: writes `STEP_ROWS` rows from `first` on, and adds their results to the operation's counts. */
function stepOf(id: number, first: number, write: RowsWriter, rows: readonly unknown[]): DeferredStep {
  return (call) => {
    const kept = call.written.operations.get(id)
    // a restored backup has removed the operation
    if (kept === undefined) return { next: {}, writes: [], later: null }
    const { operation, errors } = kept
    const bulk: Bulk = draftOf(call)
    const results = write(bulk, rows.slice(first, first + STEP_ROWS))
    const isLast = first + STEP_ROWS >= rows.length
    const count = (...of: Result['status'][]) => results.filter(({ status }) => of.includes(status)).length
    const now: Operation = {
      ...operation,
      state: isLast ? 'succeeded' : 'running',
      done: operation.done + results.length,
      changed: operation.changed + count('created', 'changed'),
      unchanged: operation.unchanged + count('unchanged'),
      failed: operation.failed + count('failed'),
      started_at: operation.started_at ?? call.at,
      ended_at: isLast ? call.at : null,
    }
    const refused = results.flatMap(({ errors: faults }, i) =>
      faults === undefined ? [] : [{ row: first + i, errors: faults }],
    )
    const operations = withKept(call.written, { operation: now, errors: [...errors, ...refused] })
    return {
      next: operation.dry_run ? { operations } : { ...bulk.draft, operations },
      writes: operation.dry_run ? [] : bulk.writes,
      later: isLast ? null : stepOf(id, first + STEP_ROWS, write, rows),
    }
  }
}

function failedOf(call: Call, id: number, message: string): KeptOperation {
  const kept = call.written.operations.get(id) as KeptOperation
  const { done } = kept.operation
  const operation: Operation = {
    ...kept.operation,
    state: 'failed',
    message: `rows ${done} to at most ${done + STEP_ROWS - 1} could not be written because onWrite threw: ${message}; earlier rows are written, later rows are not`,
    started_at: kept.operation.started_at ?? call.at,
    ended_at: call.at,
  }
  return { ...kept, operation }
}
