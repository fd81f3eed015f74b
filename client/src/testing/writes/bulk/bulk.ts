import { Problem } from '../../problem.ts'
import { BULK } from '../body-shapes.ts'
import { queued } from '../operations.ts'
import { requireShape } from '../request.ts'
import type { Call, Made, Work } from '../written.ts'
import { draftOf } from './draft.ts'
import { writeExclusionRows } from './exclusion-rows.ts'
import { writeOfferRows } from './offer-rows.ts'
import { writeOverrideRows } from './override-rows.ts'
import { writePriceRows } from './price-rows.ts'
import { WHOLE_ROW, type Result, type RowsWriter } from './row.ts'
import { writeStockRows } from './stock-rows.ts'

// Many rows in one request: good rows are written, and the errors of the others are answered row by row.

const WRITERS: Readonly<Record<string, RowsWriter>> = {
  offers: writeOfferRows,
  prices: writePriceRows,
  stock: writeStockRows,
  overrides: writeOverrideRows,
  exclusions: writeExclusionRows,
}
/** The kinds of bulks, as in paths. */
export const BULK_KINDS = Object.keys(WRITERS)

const ROWS_MAX = 100_000
const AT_ONCE_MAX = 1_000

/** @throws Problem invalid-input, payload-too-large, invalid-parameters */
export function writeBulk(call: Call): Work {
  const [kind = ''] = call.params
  const write = WRITERS[kind]
  if (write === undefined) throw new TypeError(`there are no bulks of ${kind}`)
  const { rows } = requireShape(call.body, BULK, 'bulk') as { rows: unknown[] }
  const { atomic: isAtomic, dry_run: isDryRun } = call.query as { atomic: boolean; dry_run: boolean }
  if (rows.length > ROWS_MAX)
    throw new Problem('payload-too-large', `a bulk has at most ${ROWS_MAX} rows; send it in parts`)
  if (rows.length <= AT_ONCE_MAX) return () => Promise.resolve(atOnce(call, write, rows, { isAtomic, isDryRun, kind }))
  if (isAtomic)
    throw new Problem('invalid-parameters', `all or nothing is for up to ${AT_ONCE_MAX} rows`, {
      faults: [{ name: 'atomic', reason: `is for up to ${AT_ONCE_MAX} rows` }],
    })
  return () => Promise.resolve(queued(call, { kind, write, rows, isDryRun }))
}

function atOnce(
  call: Call,
  write: RowsWriter,
  rows: readonly unknown[],
  { isAtomic, isDryRun, kind }: { isAtomic: boolean; isDryRun: boolean; kind: string },
): Made {
  const bulk = draftOf(call)
  const results = write(bulk, rows)
  if (isAtomic) requireAll(results)
  const count = (status: Result['status']) => results.filter((one) => one.status === status).length
  const meta = {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    dry_run: isDryRun,
  }
  // a dry run does not make the product of a new offer, so its id is not answered
  const shown = (result: Result): Result =>
    isDryRun && kind === 'offers' && result.status === 'created' ? { status: result.status } : result
  const data = results.map((result, row) => ({ row, ...shown(result) }))
  return {
    status: 200,
    whole: { data, meta },
    next: isDryRun ? {} : bulk.draft,
    writes: isDryRun ? [] : bulk.writes,
  }
}

/** @throws Problem invalid-input where a row has failed */
function requireAll(results: readonly Result[]): void {
  const faults = results.flatMap(({ errors = [] }, row) =>
    errors.map(({ name, reason }) => ({ name: name === WHOLE_ROW ? `rows.${row}` : `rows.${row}.${name}`, reason })),
  )
  const [first] = faults
  if (first === undefined) return
  const refused = results.filter(({ status }) => status === 'failed').length
  throw new Problem(
    'invalid-input',
    `nothing was written, because of ${refused} of ${results.length} rows: ${first.name} ${first.reason}`,
    { faults },
  )
}
