import { keptLength } from '../../db/fragments/kept-length.sql.ts'
import { withinWeight, type Weighed } from '../../db/fragments/within-weight.sql.ts'
import type { OfferBefore, OfferPart } from '../../catalog/products/offers/offer-state.ts'
import { supplierLockShared } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { explainViolation } from '../../db/statements/violations.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import type { KeptFile } from '../files/run-files.ts'
import type { RowGroup } from '../row-groups.ts'
import type { Excess } from '../safety/judge.ts'
import { storableJson } from './storable.ts'
import { must } from '../../platform/must.ts'

// Runs as the API and commands read them, and how they are created.

export type RunTrigger = 'schedule' | 'request' | 'upload' | 'command' | 'undo'
/** The present state of a run. `resolving`: everything is written, and its products are being shelved. */
export type RunOpenState = 'waiting' | 'fetching' | 'reading' | 'writing' | 'resolving'
/** How a run ended. */
export type RunEndState = 'succeeded' | 'unchanged' | 'held' | 'refused' | 'failed' | 'canceled'
export type RunState = RunOpenState | RunEndState

/** Why a run did not succeed. `code` is one of contract/problems.ts. */
export interface RunProblem {
  code: string
  detail: string
  errors: readonly Fault[]
}

/** A run as the API shows it. */
export interface RunRow {
  runId: number
  supplierId: number
  sourceId: number | null
  trigger: RunTrigger
  mode: 'full' | 'delta'
  /** As it was given; `{"preset": name, ...}` for a preset; null for a run that undoes another. */
  mapping: unknown
  isDryRun: boolean
  isConfirmed: boolean
  state: RunState
  fileName: string | null
  /** Bytes of the file as it was sent. */
  fileBytes: number | null
  /** SHA-256 in hexadecimal. */
  fileHash: string | null
  /** Its key in the file store; null if it is not stored, or not any more. */
  fileKey: string | null
  /** Key of the list of all refused rows and stale offers, NDJSON of {line, sku, faults}; null if there are none or it is not stored any more. */
  refusalsKey: string | null
  /** Rows read so far. */
  rows: number
  skipped: number
  created: number
  changed: number
  unchanged: number
  zeroed: number
  stale: number
  /** Refused rows; for an undo, the offers that were left because they have changed since. */
  refused: number
  products: number
  /** Entries to write (new, changed and missing offers), and how many are written; null while unknown. */
  total: number | null
  written: number
  warnings: string[]
  excesses: Excess[]
  problem: RunProblem | null
  undoesRunId: number | null
  undoneByRunId: number | null
  createdAt: Date
  startedAt: Date | null
  endedAt: Date | null
}

/** A run in a list, without its mapping, which may be as long as the rest of a page together. */
export type ListedRun = Omit<RunRow, 'mapping'>

const listedColumns = (reader: Reader) => reader`
  run_id as "runId", supplier_id as "supplierId", source_id as "sourceId", trigger, mode, is_dry_run as "isDryRun",
  is_confirmed as "isConfirmed", state, file_name as "fileName", file_bytes as "fileBytes", file_hash as "fileHash",
  file_key as "fileKey", refusals_key as "refusalsKey", rows, skipped, created, changed, unchanged, zeroed, stale, refused, products,
  total, written, warnings, excesses, problem, undoes_run_id as "undoesRunId", undone_by_run_id as "undoneByRunId",
  created_at as "createdAt", started_at as "startedAt", ended_at as "endedAt"`

/** One run; undefined when the id is unknown, or the run was deleted by age. */
export async function runGet(reader: Reader, accountId: number, runId: number): Promise<RunRow | undefined> {
  const [row] = await reader<RunRow[]>`
    select ${listedColumns(reader)}, mapping from import_run where account_id = ${accountId} and run_id = ${runId}`
  return row
}

/**
 * Runs before an id (or from the newest), newest first; fewer than `limit` if they are heavy. Optionally only those of one supplier or source, or in
 * one state.
 */
export function runsAfter(
  reader: Reader,
  accountId: number,
  {
    supplierId,
    sourceId,
    state,
    before,
    limit,
  }: { supplierId?: number; sourceId?: number; state?: RunState; before?: number; limit: number },
) {
  // a source belongs to one supplier
  const ofSupplier =
    sourceId !== undefined
      ? reader` and source_id = ${sourceId}`
      : supplierId === undefined
        ? reader``
        : reader` and supplier_id = ${supplierId}`
  const inState = state === undefined ? reader`` : reader` and state = ${state}`
  const page = reader`
    select ${listedColumns(reader)}, ${keptLength(reader, 'warnings')} + ${keptLength(reader, 'excesses')} + ${keptLength(reader, 'problem')} as page_weight
    from import_run
    where account_id = ${accountId}${ofSupplier}${inState} and run_id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by run_id desc limit ${limit}`
  return reader<(ListedRun & Weighed)[]>`${withinWeight(reader, page, reader`"runId" desc`)}`
}

/** The mappings of some runs, by their ids. */
export async function runMappings(
  reader: Reader,
  accountId: number,
  runIds: readonly number[],
): Promise<ReadonlyMap<number, unknown>> {
  const rows = await reader<Pick<RunRow, 'runId' | 'mapping'>[]>`
    select run_id as "runId", mapping from import_run
    where account_id = ${accountId} and run_id = any(${[...runIds]}::bigint[])`
  return new Map(rows.map(({ runId, mapping }) => [runId, mapping]))
}

/** Refused rows of one field and reason. */
export interface RefusalGroup {
  field: string
  reason: string
  count: number
  /** The first LIMITS.importRefusalExamples; `value`: what could not be read, if the reason quotes it. */
  examples: { line: number | null; sku: string | null; value: string | null }[]
}

/** Prefix of the kind of a group of rows that are not refused; no field of an offer begins with it. */
const ROW_GROUP = '@'
/** Prefix of the field of values that were dropped. */
const DROPPED = '~'

/** A group as it is stored. */
export type StoredGroup = Omit<RefusalGroup, 'examples'> & { examples: readonly unknown[] }

/** Groups of rows that are not refused are stored in the same table as refused ones; their reason is the condition as JSON. */
export const storedRowGroup = ({ kind, condition, count, examples }: RowGroup): StoredGroup => ({
  field: ROW_GROUP + kind,
  reason: JSON.stringify(condition),
  count,
  examples,
})

export const storedDropped = (group: RefusalGroup): StoredGroup => ({ ...group, field: DROPPED + group.field })

/** What a run reports of rows and values, in groups; the most frequent first. */
export interface RunGroups {
  /** Refused rows by field and reason. */
  refusals: RefusalGroup[]
  /** Values of optional fields that could not be read, by field and reason. */
  dropped: RefusalGroup[]
  /** Rows that were left out, and offers without a cost. */
  rowGroups: RowGroup[]
}

/** The groups of a run. A run that is followed is asked for often, so they are one statement. */
export async function runGroups(reader: Reader, accountId: number, runId: number): Promise<RunGroups> {
  const rows = await reader<StoredGroup[]>`
    select field, reason, count, examples from import_run_refusal
    where account_id = ${accountId} and run_id = ${runId} order by refusal_number`
  const groups: RunGroups = { refusals: [], rowGroups: [], dropped: [] }
  for (const row of rows)
    if (row.field.startsWith(ROW_GROUP))
      groups.rowGroups.push({
        kind: row.field.slice(ROW_GROUP.length) as RowGroup['kind'],
        condition: JSON.parse(row.reason) as RowGroup['condition'],
        count: row.count,
        examples: row.examples as RowGroup['examples'],
      })
    else if (row.field.startsWith(DROPPED))
      groups.dropped.push({ ...(row as RefusalGroup), field: row.field.slice(DROPPED.length) })
    else groups.refusals.push(row as RefusalGroup)
  return groups
}

/** `left`: an undo left the offer unchanged, because it had changed since. */
export type ChangeKind = 'created' | 'changed' | 'zeroed' | 'left'

export interface RunChange {
  supplierSku: string
  kind: ChangeKind
  /** Null for an offer that the run created, and for one that an undo left unchanged. */
  before: OfferBefore | null
  /** offerHash of the offer after the run; null for an offer that was set to 0 or left unchanged. */
  afterHash: string | null
}

/** The changes of a run after a key (`''`: from the first), in order of keys. */
export function changesAfter(reader: Reader, accountId: number, runId: number, afterSku: string, limit: number) {
  return reader<RunChange[]>`
    select supplier_sku as "supplierSku", kind, before, after_hash as "afterHash" from import_run_change
    where account_id = ${accountId} and run_id = ${runId} and supplier_sku > ${afterSku}
    order by supplier_sku limit ${limit}`
}

/**
 * The same with a limit on their size: as soon as the `before` values of the preceding rows are longer than `characters` together, a row has
 * `isWithin` false and no `before`.
 */
export function changesWithinSize(
  reader: Reader,
  accountId: number,
  runId: number,
  afterSku: string,
  limit: number,
  characters: number,
) {
  return reader<(RunChange & { isWithin: boolean })[]>`
    select "supplierSku", kind, case when earlier <= ${characters} then before end as before, "afterHash", earlier <= ${characters} as "isWithin"
    from (
      select supplier_sku as "supplierSku", kind, before, after_hash as "afterHash",
        coalesce(sum(${keptLength(reader, 'before')})
          over (order by supplier_sku rows between unbounded preceding and 1 preceding), 0) as earlier
      from (
        select supplier_sku, kind, before, after_hash from import_run_change
        where account_id = ${accountId} and run_id = ${runId} and supplier_sku > ${afterSku}
        order by supplier_sku limit ${limit}
      ) page
    ) weighed order by "supplierSku"`
}

/** A change of a run, or of what a dry run would have changed. */
export interface ListedChange {
  supplierSku: string
  kind: ChangeKind
  before: OfferBefore | OfferPart | null
  /** Only in a dry run: the values that the offer would have. */
  after: OfferPart | null
}

/** Selects changes of a run. */
export interface ChangeFilter {
  kind?: ChangeKind | undefined
  /** Only offers whose key begins with this text. */
  sku?: string | undefined
  /** Only in a dry run: a member of the offer that must differ. */
  field?: string | undefined
}

/** Members of offers whose stored name differs. */
const STORED_NAMES: Readonly<Record<string, string>> = { cost_tiers: 'costTiers', image_alts: 'imageAlts' }

/** The changes of a run after a key, as they are listed; fewer than `limit` if they are heavy. Optionally only those that match the filter. */
export function changesFound(
  reader: Reader,
  accountId: number,
  runId: number,
  { kind, sku, field }: ChangeFilter,
  afterSku: string,
  limit: number,
) {
  const ofKind = kind === undefined ? reader`` : reader` and kind = ${kind}`
  const ofKey = sku === undefined ? reader`` : reader` and starts_with(supplier_sku, ${sku})`
  const member = field === undefined ? undefined : (STORED_NAMES[field] ?? field)
  const ofField =
    member === undefined
      ? reader``
      : reader` and after is not null and (coalesce(before, '{}') -> ${member}::text is distinct from after -> ${member}::text
          or coalesce(after -> 'content', '{}') ? ${member}::text
          or jsonb_path_exists(after, '$.content.texts.*.keyvalue() ? (@.key == $field)', jsonb_build_object('field', ${member}::text)))`
  const page = reader`
    select supplier_sku as "supplierSku", kind, before, after, ${keptLength(reader, 'before')} + ${keptLength(reader, 'after')} as page_weight
    from import_run_change
    where account_id = ${accountId} and run_id = ${runId} and supplier_sku > ${afterSku}${ofKind}${ofKey}${ofField}
    order by supplier_sku limit ${limit}`
  return reader<(ListedChange & Weighed)[]>`${withinWeight(reader, page, reader`"supplierSku"`)}`
}

export interface NewRun {
  supplierId: number
  sourceId: number | null
  trigger: RunTrigger
  mode: 'full' | 'delta'
  mapping: unknown
  file: KeptFile | null
  isDryRun: boolean
  isConfirmed: boolean
  undoesRunId?: number | null
}

/**
 * Inserts a waiting run. Locks the supplier, so that no run is inserted for one that is being deleted.
 * @returns its id; undefined if the source already has a waiting or running run.
 * @throws ShelfwireError unknown-supplier
 */
export async function runInsert(tx: Tx, accountId: number, run: NewRun): Promise<number | undefined> {
  if (!(await supplierLockShared(tx, accountId, run.supplierId)))
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${run.supplierId}`)
  const { file } = run
  const inserted = await tx<{ runId: number }[]>`
    insert into import_run (account_id, supplier_id, source_id, trigger, mode, mapping, is_dry_run, is_confirmed, file_name, file_bytes,
      file_hash, file_key, undoes_run_id)
    values (${accountId}, ${run.supplierId}, ${run.sourceId}, ${run.trigger}, ${run.mode},
      ${run.mapping === null || run.mapping === undefined ? null : storableJson(run.mapping)}::text::jsonb, ${run.isDryRun},
      ${run.isConfirmed}, ${file?.name ?? null}, ${file?.bytes ?? null}, ${file?.hash ?? null}, ${file?.key ?? null},
      ${run.undoesRunId ?? null})
    on conflict do nothing
    returning run_id as "runId"`
  return inserted[0]?.runId
}

/** The waiting or running run of a source; undefined if there is none. */
export async function openRunOfSource(
  reader: Reader,
  accountId: number,
  sourceId: number,
): Promise<number | undefined> {
  const [row] = await reader<{ runId: number }[]>`
    select run_id as "runId" from import_run
    where account_id = ${accountId} and source_id = ${sourceId} and state in ('waiting', 'fetching', 'reading', 'writing')`
  return row?.runId
}

/** How many runs of a supplier wait or run. */
export async function runsOpenCount(reader: Reader, accountId: number, supplierId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} and ended_at is null`
  return must(row).count
}

/** How many seconds ago the n-th newest run was requested, not counting undos; undefined if there are fewer. */
export async function runAge(reader: Reader, accountId: number, n: number): Promise<number | undefined> {
  const [row] = await reader<{ seconds: number }[]>`
    select extract(epoch from now() - created_at)::float8 as seconds from import_run
    where account_id = ${accountId} and trigger <> 'undo' order by run_id desc offset ${n - 1} limit 1`
  return row?.seconds
}

/** The total bytes of the stored files of imports, each counted once, without the file `besides`. */
export async function fileBytesKept(reader: Reader, accountId: number, besides: string): Promise<number> {
  const [row] = await reader<{ bytes: number }[]>`
    select coalesce(sum(bytes), 0)::bigint as bytes from (
      select max(file_bytes) as bytes from import_run
      where account_id = ${accountId} and file_key is not null and file_key <> ${besides} group by file_key) kept`
  return must(row).bytes
}

/** A run locked to be confirmed, canceled or undone. */
export type LockedRun = Pick<
  RunRow,
  | 'runId'
  | 'supplierId'
  | 'sourceId'
  | 'trigger'
  | 'mode'
  | 'isDryRun'
  | 'state'
  | 'fileKey'
  | 'refusalsKey'
  | 'undoesRunId'
  | 'undoneByRunId'
> & { hasWritten: boolean }

const lockedColumns = (reader: Reader) => reader`
  run_id as "runId", supplier_id as "supplierId", source_id as "sourceId", trigger, mode, is_dry_run as "isDryRun", state,
  file_key as "fileKey", refusals_key as "refusalsKey", undoes_run_id as "undoesRunId", undone_by_run_id as "undoneByRunId",
  has_written as "hasWritten"`

/** Locks a run; undefined when there is none. */
export async function runLock(tx: Tx, accountId: number, runId: number): Promise<LockedRun | undefined> {
  const [row] = await tx<LockedRun[]>`
    select ${lockedColumns(tx)} from import_run where account_id = ${accountId} and run_id = ${runId} for update`
  return row
}

/** Reads the same without a lock, to show what could be done with the run. */
export async function runReadUnlocked(
  reader: Reader,
  accountId: number,
  runId: number,
): Promise<LockedRun | undefined> {
  const [row] = await reader<LockedRun[]>`
    select ${lockedColumns(reader)} from import_run where account_id = ${accountId} and run_id = ${runId}`
  return row
}

/** The newest run of a supplier that may have written and was not undone; optionally only of one mode. */
export async function newestWritten(
  reader: Reader,
  accountId: number,
  supplierId: number,
  mode: 'full' | null = null,
): Promise<{ runId: number; fileHash: string | null; mode: string; state: RunState } | undefined> {
  const ofMode = mode === null ? reader`` : reader` and mode = ${mode}`
  const [row] = await reader<{ runId: number; fileHash: string | null; mode: string; state: RunState }[]>`
    select run_id as "runId", file_hash as "fileHash", mode, state from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} and has_written and trigger <> 'undo'
      and undone_by_run_id is null${ofMode}
    order by run_id desc limit 1`
  return row
}

/** Puts a held run back into the queue, as confirmed. */
export async function runConfirm(tx: Tx, accountId: number, runId: number): Promise<void> {
  await tx`
    update import_run set state = 'waiting', is_confirmed = true, attempts = 0, due_at = now(), excesses = '[]', problem = null,
      started_at = null, ended_at = null
    where account_id = ${accountId} and run_id = ${runId}`.catch((error: unknown) =>
    explainViolation(error, {
      import_run_of_source: 'a newer run of the same source waits or runs: cancel it, or wait for it',
    }),
  )
}

/** Ends a locked run as canceled; the process that works on it stops when it next reads the row. */
export async function runCancel(tx: Tx, accountId: number, runId: number, problem: RunProblem): Promise<void> {
  await tx`
    update import_run set state = 'canceled', ended_at = now(), holder_id = null, problem = ${storableJson(problem)}::text::jsonb
    where account_id = ${accountId} and run_id = ${runId}`
}

/** Records on a locked run which run undoes it; null: the undo did not take place. */
export async function runUndoneBy(tx: Tx, accountId: number, runId: number, undoRunId: number | null): Promise<void> {
  await tx`
    update import_run set undone_by_run_id = ${undoRunId} where account_id = ${accountId} and run_id = ${runId}`
}

/** Whether any changes of a run are still stored. */
export async function hasChanges(reader: Reader, accountId: number, runId: number): Promise<boolean> {
  const [row] = await reader<{ has: boolean }[]>`
    select exists (select from import_run_change where account_id = ${accountId} and run_id = ${runId}) as has`
  return row?.has ?? false
}

/** Which of these keys later runs of the supplier have changed, each with the newest of these runs. */
export async function changedSince(
  reader: Reader,
  accountId: number,
  { runId, supplierId }: Pick<LockedRun, 'runId' | 'supplierId'>,
  skus: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader<{ supplierSku: string; runId: number }[]>`
    select c.supplier_sku as "supplierSku", max(c.run_id) as "runId" from import_run r join import_run_change c
      on c.account_id = ${accountId} and c.run_id = r.run_id and c.supplier_sku = any(${[...skus]}::text[])
    where r.account_id = ${accountId} and r.supplier_id = ${supplierId} and r.run_id > ${runId} and r.has_written
    group by c.supplier_sku`
  return new Map(rows.map((row) => [row.supplierSku, row.runId]))
}
