import { remarksMembers } from '../../../../contract/remarks/remarks.ts'
import type { OfferBefore, OfferPart } from '../../../catalog/products/offers/offer-state.ts'
import type { RowExample } from '../../../imports/row-groups.ts'
import { nextStep } from '../../../imports/runs/next-step.ts'
import type { UnrestoredOffer, UndoPreview } from '../../../imports/runs/undo/preview-undo.ts'
import type { ListedChange, ListedRun, RefusalGroup, RunGroups, RunRow } from '../../../imports/runs/runs.sql.ts'
import { sourceNames, supplierAndSource } from '../../../imports/sources/sources.sql.ts'
import { suppliersList } from '../../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader } from '../../../db/sql.ts'
import { plainDecimal } from '../../../model/money.ts'
import { storedColumns } from '../../../supplier-files/mapping-document.ts'
import { formatTimestamp, timeOrNull } from '../../../platform/time/timestamp.ts'

/** Names for the ids in runs: codes of suppliers, names of sources. */
export interface RunNames {
  suppliers: ReadonlyMap<number, string>
  sources: ReadonlyMap<number, string>
}

/** The names of the account's suppliers and sources. */
export async function runNames(reader: Reader, accountId: number): Promise<RunNames> {
  const suppliers = await suppliersList(reader, accountId)
  const sources = await sourceNames(reader, accountId)
  return {
    suppliers: new Map(suppliers.map((row) => [row.supplierId, row.code])),
    sources: new Map(sources.map((row) => [row.sourceId, row.name])),
  }
}

/** The names of one run's supplier and source. */
export async function namesOfRun(reader: Reader, accountId: number, run: ListedRun): Promise<RunNames> {
  const { supplierId, sourceId } = run
  const found = await supplierAndSource(reader, accountId, supplierId, sourceId)
  const name = found?.sourceName ?? null
  return {
    suppliers: new Map(found === undefined ? [] : [[supplierId, found.code]]),
    sources: new Map(sourceId === null || name === null ? [] : [[sourceId, name]]),
  }
}

/** A run as the API shows it. */
export function runMembers(row: ListedRun, { suppliers, sources }: RunNames) {
  return {
    id: row.runId,
    supplier: suppliers.get(row.supplierId) ?? null,
    source: row.sourceId === null ? null : (sources.get(row.sourceId) ?? null),
    trigger: row.trigger,
    mode: row.mode,
    dry_run: row.isDryRun,
    confirmed: row.isConfirmed,
    state: row.state,
    next_step: nextStep(row),
    file:
      row.fileName === null || row.fileBytes === null || row.fileHash === null
        ? null
        : { name: row.fileName, bytes: row.fileBytes, sha256: row.fileHash, is_kept: row.fileKey !== null },
    total: row.total,
    written: row.written,
    rows: row.rows,
    created: row.created,
    changed: row.changed,
    unchanged: row.unchanged,
    zeroed: row.zeroed,
    stale: row.stale,
    skipped: row.skipped,
    refused: row.refused,
    products: row.products,
    warnings: row.warnings,
    remarks: remarksMembers(row.warnings),
    // member by member, because jsonb does not keep their order
    excesses: row.excesses.map(({ kind, count, of, limit, text }) => ({ kind, count, of, limit, text })),
    problem: row.problem,
    undoes: row.undoesRunId,
    undone_by: row.undoneByRunId,
    created_at: formatTimestamp(row.createdAt),
    started_at: timeOrNull(row.startedAt),
    ended_at: timeOrNull(row.endedAt),
  }
}

/** The kinds of rows that an import leaves out, by their names in the API. */
export const LEFT_OUT_KINDS = {
  'left-out': 'condition',
  part: 'part',
  sum: 'sum',
  header: 'repeated_header',
  note: 'note',
} as const

/** A run with its mapping, its refused rows and the rows that it left out. */
export function runDetails(row: RunRow, names: RunNames, { refusals, rowGroups, dropped }: RunGroups) {
  const columnsOf = storedColumns(row.mapping)
  const groupMembers = ({ field, reason, count, examples }: RefusalGroup) => ({
    field,
    columns: columnsOf(field),
    reason,
    count,
    examples: examples.map(({ line, sku, value }) => ({ line, sku, value })),
  })
  const [withoutCost] = rowGroups.filter(({ kind }) => kind === 'without-cost')
  return {
    ...runMembers(row, names),
    mapping: row.mapping,
    refusals: refusals.map(groupMembers),
    dropped: dropped.map(groupMembers),
    left_out: rowGroups
      .flatMap(({ kind, ...group }) => (kind === 'without-cost' ? [] : [{ kind: LEFT_OUT_KINDS[kind], ...group }]))
      .map(({ kind, condition, count, examples }) => ({
        kind,
        condition,
        count,
        examples: examples.map(exampleMembers),
      })),
    without_cost:
      withoutCost === undefined
        ? null
        : {
            columns: columnsOf('cost'),
            count: withoutCost.count,
            examples: withoutCost.examples.map(exampleMembers),
          },
  }
}

// member by member, because jsonb does not keep their order
const exampleMembers = ({ line, cells }: RowExample) => ({ line, cells })

/** What a run changed of one offer, or would change. */
export function changeMembers({ supplierSku, kind, before, after }: ListedChange, productId: number | null) {
  return {
    sku: supplierSku,
    kind,
    product_id: productId,
    before: before && partMembers(before),
    after: after && partMembers(after),
  }
}

function partMembers(part: OfferBefore | OfferPart) {
  const { cost, costTiers, currency, quantity, content, eans } = part
  return {
    cost,
    ...(costTiers === undefined ? {} : { cost_tiers: costTiers }),
    currency,
    quantity,
    ...('absentSince' in part ? { absent_since: part.absentSince } : {}),
    ...(eans === undefined ? {} : { eans }),
    ...(content === undefined ? {} : { content }),
  }
}

/** The result of looking at some changes of a run: what an undo would do with them. */
export function previewMembers({ nextAfter, lookedAt, restored, dropped, asBefore, left }: UndoPreview) {
  return {
    checked: lookedAt,
    restored,
    deleted: dropped,
    as_before: asBefore,
    left: left.length,
    next_after: nextAfter,
  }
}

/** An offer that an undo would not restore, with the reason. */
export function leftMembers({ supplierSku, kind, reason, changedByRunId, before, now }: UnrestoredOffer) {
  return {
    sku: supplierSku,
    kind,
    reason,
    changed_by: changedByRunId,
    before: before && figuresOf(before),
    now: now && figuresOf(now),
  }
}

/** Cost and quantity of an offer. */
export const figuresOf = ({ cost, currency, quantity }: Pick<OfferBefore, 'cost' | 'currency' | 'quantity'>) => ({
  cost: cost === null ? null : plainDecimal(cost),
  currency,
  quantity,
})
