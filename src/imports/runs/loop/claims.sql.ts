import type { StalePosition } from '../../../catalog/stale/stale.sql.ts'
import { accountCondition, type Accounts } from '../../../db/fragments/account-condition.ts'
import { jsonTexts } from '../../../db/statements/json-texts.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import type { KeptFile } from '../../files/run-files.ts'
import { slicesBySize } from '../../../db/statements/statement-slices.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding } from '../../../platform/turns/yielding.ts'
import { isOver } from '../../lease/import-leases.sql.ts'
import type { RowGroup } from '../../row-groups.ts'
import type { Excess } from '../../safety/judge.ts'
import type { PageCounts } from '../../spool/write-spool.ts'
import {
  storedDropped,
  storedRowGroup,
  type ListedChange,
  type RefusalGroup,
  type RunChange,
  type RunEndState,
  type RunProblem,
  type RunTrigger,
  type StoredGroup,
} from '../runs.sql.ts'
import { storable, storableJson } from '../storable.ts'

// SQL of the loop of imports: which run is next, and what is recorded while it runs. A process that works on a run holds its supplier's lease, and
// every statement checks that the run still belongs to that holder: a canceled run belongs to nobody.

/** Accounts with runs that have not ended, in id order. */
export async function accountsWithOpenRuns(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from import_run where ended_at is null${accountCondition(reader, 'and', accounts)} order by account_id`
  return rows.map((row) => row.account_id)
}

/**
 * For each supplier of an account that has no running import: its first waiting run, if that is due. In the order of requests. `isFetch`: its file
 * has to be fetched.
 */
export function runsDue(reader: Reader, accountId: number) {
  return reader<{ runId: number; supplierId: number; isFetch: boolean }[]>`
    select run_id as "runId", supplier_id as "supplierId", trigger <> 'undo' and file_key is null as "isFetch" from (
      select distinct on (supplier_id) supplier_id, run_id, due_at, trigger, file_key from import_run
      where account_id = ${accountId} and ended_at is null and state <> 'resolving' order by supplier_id, run_id) following
    where (due_at <= now() or due_at > now() + make_interval(hours => 1)) and not exists (
      select from import_lease l
      where l.account_id = ${accountId} and l.supplier_id = following.supplier_id and not ${isOver(reader)})
    order by run_id`
}

/** A run that this process works on. */
export interface ClaimedRun {
  runId: number
  supplierId: number
  sourceId: number | null
  trigger: RunTrigger
  mode: 'full' | 'delta'
  mapping: unknown
  isDryRun: boolean
  isConfirmed: boolean
  hasWritten: boolean
  attempts: number
  /** How often a process that worked on the run died, possibly because of it, since its last page was written. */
  interruptions: number
  fileKey: string | null
  fileName: string | null
  fileHash: string | null
  undoesRunId: number | null
  position: string | null
}

/**
 * Claims a run for a holder of its supplier's lease; undefined if the run has ended or is gone. If a process died while it was writing the run, the
 * run may be the cause; this is counted. While the run was being read it is rarely the cause, because files are read in processes of their own.
 */
export async function runClaim(
  tx: Tx,
  accountId: number,
  runId: number,
  holderId: string,
): Promise<ClaimedRun | undefined> {
  const [row] = await tx<ClaimedRun[]>`
    update import_run set holder_id = ${holderId}::uuid, attempts = attempts + 1, started_at = coalesce(started_at, (select now())),
      interruptions = interruptions + case when state = 'writing' then 1 else 0 end,
      state = case when trigger = 'undo' then 'writing' when file_key is null then 'fetching' else 'reading' end,
      total = case when trigger = 'undo' then total end, written = case when trigger = 'undo' then written else 0 end, problem = null
    where account_id = ${accountId} and run_id = ${runId} and state in ('waiting', 'fetching', 'reading', 'writing')
    returning run_id as "runId", supplier_id as "supplierId", source_id as "sourceId", trigger, mode, mapping, is_dry_run as "isDryRun",
      is_confirmed as "isConfirmed", has_written as "hasWritten", attempts, interruptions, file_key as "fileKey", file_name as "fileName",
      file_hash as "fileHash", undoes_run_id as "undoesRunId", position`
  return row
}

/** The run that a holder of a lease works on. */
export interface HeldRun {
  accountId: number
  runId: number
  holderId: string
}

// a run that has ended has no holder
const isHeld = (tx: Tx, { accountId, runId, holderId }: HeldRun) =>
  tx`account_id = ${accountId} and run_id = ${runId} and holder_id = ${holderId}::uuid`

/** Records the progress of reading or fetching. @returns whether the run is still the holder's, as the functions below do. */
export async function runProgress(
  tx: Tx,
  held: HeldRun,
  { rows, bytes }: { rows: number; bytes: number | null },
): Promise<boolean> {
  const updated = await tx`
    update import_run set rows = ${rows}, file_bytes = coalesce(${bytes}, file_bytes) where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

/** Records the file of a run before it is read. @param fetched what the source reported; null if there is none. */
export async function runFileSet(tx: Tx, held: HeldRun, file: KeptFile, fetched: unknown): Promise<boolean> {
  const updated = await tx`
    update import_run set state = 'reading', file_name = ${file.name}, file_bytes = ${file.bytes}, file_hash = ${file.hash},
      file_key = ${file.key}, fetched = ${fetched === null ? null : storableJson(fetched)}::text::jsonb
    where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

/** What the source's server reported about a run's file when it was fetched. */
export async function runFetched(reader: Reader, accountId: number, runId: number): Promise<unknown> {
  const [row] = await reader<{ fetched: unknown }[]>`
    select fetched from import_run where account_id = ${accountId} and run_id = ${runId}`
  return row?.fetched ?? null
}

/** The findings of reading a file. */
export interface RunReading {
  rows: number
  skipped: number
  stale: number
  refused: number
  warnings: readonly string[]
  refusalsKey: string | null
  groups: readonly RefusalGroup[]
  rowGroups: readonly RowGroup[]
  dropped: readonly RefusalGroup[]
}

/** Records the findings of reading the file. */
export async function runReadingSet(tx: Tx, held: HeldRun, reading: RunReading): Promise<boolean> {
  const { accountId, runId } = held
  const updated = await tx`
    update import_run set rows = ${reading.rows}, skipped = ${reading.skipped}, stale = ${reading.stale}, refused = ${reading.refused},
      warnings = ${storableJson(reading.warnings)}::text::jsonb, refusals_key = ${reading.refusalsKey}
    where ${isHeld(tx, held)} returning 1`
  if (updated.length === 0) return false
  await tx`delete from import_run_refusal where account_id = ${accountId} and run_id = ${runId}`
  const groups = [...reading.groups, ...reading.rowGroups.map(storedRowGroup), ...reading.dropped.map(storedDropped)]
  if (groups.length > 0) await refusalsInsert(tx, held, groups)
  return true
}

async function refusalsInsert(tx: Tx, { accountId, runId }: HeldRun, groups: readonly StoredGroup[]): Promise<void> {
  await tx`
    insert into import_run_refusal (account_id, run_id, refusal_number, field, reason, count, examples)
    select ${accountId}, ${runId}, refusal_number, field, reason, count, examples::jsonb from unnest(${groups.map((_, i) => i + 1)}::int[],
      ${groups.map((group) => storable(group.field))}::text[], ${groups.map((group) => storable(group.reason))}::text[],
      ${groups.map((group) => group.count)}::bigint[],
      string_to_array(${jsonTexts(groups.map((group) => storableJson(group.examples)))}, E'\\x1e'))
      as given (refusal_number, field, reason, count, examples)`
}

/** Records that the file was judged and writing begins. A run that dies after this commit may have written a part of it, unless it is a dry run. */
export async function runWrite(tx: Tx, held: HeldRun, total: number): Promise<boolean> {
  const updated = await tx`
    update import_run set state = 'writing', total = ${total}, written = 0, has_written = not is_dry_run
    where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

/** Adds a page to the run's counts, in the page's transaction. */
export async function runPage(
  tx: Tx,
  held: HeldRun,
  page: PageCounts & { entries: number; products: number },
): Promise<boolean> {
  const updated = await tx`
    update import_run set written = written + ${page.entries}, created = created + ${page.created}, changed = changed + ${page.changed},
      zeroed = zeroed + ${page.zeroed}, products = products + ${page.products}, interruptions = 0, problem = null
    where ${isHeld(tx, held)} and state = 'writing' returning 1`
  return updated.length > 0
}

/** Records why a run waits before its next page; writing that page clears it. */
export async function runWaits(tx: Tx, held: HeldRun, problem: RunProblem): Promise<boolean> {
  const updated = await tx`
    update import_run set problem = ${storableJson(problem)}::text::jsonb where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

/** Adds a page of an undo to the run's counts, in the page's transaction, with the last key of the page. */
export async function undoPage(
  tx: Tx,
  held: HeldRun,
  page: {
    entries: number
    restored: number
    dropped: number
    asBefore: number
    left: number
    products: number
    position: string
  },
): Promise<boolean> {
  const updated = await tx`
    update import_run set written = written + ${page.entries}, changed = changed + ${page.restored}, zeroed = zeroed + ${page.dropped},
      unchanged = unchanged + ${page.asBefore}, refused = refused + ${page.left}, products = products + ${page.products}, position = ${page.position}, has_written = true,
      interruptions = 0, problem = null
    where ${isHeld(tx, held)} and state = 'writing' returning 1`
  return updated.length > 0
}

/** Records how many changes an undo has to process. */
export async function undoTotalSet(tx: Tx, held: HeldRun): Promise<boolean> {
  const updated = await tx`
    update import_run set total = (select count(*) from import_run_change c
      where c.account_id = ${held.accountId} and c.run_id = (
        select u.undoes_run_id from import_run u where u.account_id = ${held.accountId} and u.run_id = ${held.runId}))
    where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

/** Which of these keys the run has already stored a change for. */
export async function changesKnown(
  tx: Tx,
  { accountId, runId }: HeldRun,
  skus: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ supplierSku: string }[]>`
    select c.supplier_sku as "supplierSku" from unnest(${[...skus]}::text[]) as given (supplier_sku) cross join lateral (
      select supplier_sku from import_run_change
      where account_id = ${accountId} and run_id = ${runId} and supplier_sku = given.supplier_sku offset 0
    ) c`
  return new Set(rows.map((row) => row.supplierSku))
}

/** Stores the changes of a page. If the run changes an offer again, the values from before the first change stay. */
export async function changesInsert(
  tx: Tx,
  { accountId, runId }: HeldRun,
  changes: readonly (RunChange | ListedChange)[],
): Promise<void> {
  // values may be long: they are serialized with yields, and split into statements of limited size
  const rows = await mapYielding(changes, (change) => ({
    ...change,
    before: storableJson(change.before),
    afterHash: 'afterHash' in change ? change.afterHash : null,
    after: storableJson('after' in change ? change.after : null),
  }))
  for (const slice of slicesBySize(rows, ({ before, after }) => before.length + after.length))
    await tx`
      insert into import_run_change (account_id, run_id, supplier_sku, kind, before, after_hash, after)
      select ${accountId}, ${runId}, supplier_sku, kind, nullif(before, 'null')::jsonb, after_hash, nullif(after, 'null')::jsonb
      from unnest(${slice.map((row) => row.supplierSku)}::text[], ${slice.map((row) => row.kind)}::text[],
        string_to_array(${jsonTexts(slice.map((row) => row.before))}, E'\\x1e'),
        ${slice.map((row) => row.afterHash)}::text[], string_to_array(${jsonTexts(slice.map((row) => row.after))}, E'\\x1e'))
        as given (supplier_sku, kind, before, after_hash, after)
      on conflict (account_id, run_id, supplier_sku) do update
        set before = excluded.before || import_run_change.before, after_hash = excluded.after_hash`
}

/** Deletes the stored comparisons of the supplier's dry runs up to this one: an interrupted one starts again, and only the newest counts. */
export async function comparisonsForget(tx: Tx, { accountId, runId }: HeldRun, supplierId: number): Promise<void> {
  await tx`
    delete from import_run_change c using import_run r
    where c.account_id = ${accountId} and r.account_id = ${accountId} and r.run_id = c.run_id and r.supplier_id = ${supplierId}
      and r.is_dry_run and r.run_id <= ${runId}`
}

/** The counts of a run that are not counted page by page. */
export interface RunTotals {
  unchanged: number
  /** The counts of a dry run. */
  dry: PageCounts | null
}

async function totalsSet(tx: Tx, held: HeldRun, { unchanged, dry }: RunTotals): Promise<void> {
  // after an interruption, this attempt has found offers unchanged that the run itself had changed
  await tx`
    update import_run set unchanged = greatest(0, ${unchanged}::bigint - created - changed) where ${isHeld(tx, held)}`
  if (dry === null) return
  await tx`
    update import_run set unchanged = ${unchanged}::bigint - ${dry.created}::bigint - ${dry.changed}::bigint, created = ${dry.created},
      changed = ${dry.changed}, zeroed = ${dry.zeroed}
    where ${isHeld(tx, held)}`
}

/**
 * Records that everything is written; the run ends when payloads up to `position` are shelved. @param totals of a run that has read a file; its
 * `unchanged` counts all valid offers.
 */
export async function runResolve(
  tx: Tx,
  held: HeldRun,
  position: StalePosition,
  totals: RunTotals | null,
): Promise<boolean> {
  if (totals !== null) await totalsSet(tx, held, totals)
  const updated = await tx`
    update import_run set state = 'resolving', mark_id = ${position.markId}, sweep_id = ${position.sweepId}, holder_id = null
    where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

export async function runEnd(
  tx: Tx,
  held: HeldRun,
  end: {
    state: RunEndState
    problem: RunProblem | null
    excesses?: readonly Excess[]
    warnings?: readonly string[]
    totals?: RunTotals
    /** Whether the process that read its file died. */
    isInterrupted?: boolean
    /** Whether scheduled runs skip its file from now on. */
    isSetAside?: boolean
  },
): Promise<boolean> {
  if (end.totals !== undefined) await totalsSet(tx, held, end.totals)
  const updated = await tx`
    update import_run set state = ${end.state}, ended_at = now(), holder_id = null, excesses = ${storableJson(end.excesses ?? [])}::text::jsonb,
      warnings = warnings || ${storableJson(end.warnings ?? [])}::text::jsonb,
      problem = ${end.problem === null ? null : storableJson(end.problem)}::text::jsonb,
      interruptions = greatest(interruptions + ${end.isInterrupted === true ? 1 : 0}, ${end.isSetAside === true ? LIMITS.importRunInterruptionsMax : 0})
    where ${isHeld(tx, held)} returning 1`
  return updated.length > 0
}

/**
 * Releases a run, to be started again after `seconds`.
 * @param isCounted whether it counts as an attempt; false when nothing failed
 * @param isInterrupted whether the process that read its file died
 */
export async function runPostpone(
  tx: Tx,
  held: HeldRun,
  {
    seconds,
    isCounted,
    problem,
    isInterrupted = false,
  }: { seconds: number; isCounted: boolean; problem: RunProblem | null; isInterrupted?: boolean },
): Promise<void> {
  await tx`
    update import_run set state = 'waiting', interruptions = interruptions + ${isInterrupted ? 1 : 0}, holder_id = null, due_at = now() + make_interval(secs => ${seconds}),
      attempts = attempts - ${isCounted ? 0 : 1}, problem = ${problem === null ? null : storableJson(problem)}::text::jsonb
    where ${isHeld(tx, held)}`
}

/** Ends runs whose products have all been shelved. @returns how many. */
export async function runsSettle(tx: Tx, accountId: number): Promise<number> {
  const settled = await tx`
    update import_run r set state = 'succeeded', ended_at = now()
    where r.account_id = ${accountId} and r.ended_at is null and r.state = 'resolving'
      and not exists (select from mark m where m.account_id = ${accountId} and m.mark_id <= r.mark_id)
      and r.sweep_id < coalesce((select min(sweep_id) from sweep where account_id = ${accountId}), ${Number.MAX_SAFE_INTEGER})
    returning 1`
  return settled.length
}

/** The currency of a supplier that is not deleted. */
export async function supplierCurrency(
  reader: Reader,
  accountId: number,
  supplierId: number,
): Promise<string | undefined> {
  const [row] = await reader<{ currency: string }[]>`
    select currency from supplier where account_id = ${accountId} and supplier_id = ${supplierId} and deleted_at is null`
  return row?.currency
}

/**
 * The run that makes importing this file again on schedule unnecessary: it imported the same file last, by the same mapping and in the same mode, or
 * that import was undone.
 */
export async function sameFileRun(
  reader: Reader,
  accountId: number,
  { supplierId, mode, mapping }: Pick<ClaimedRun, 'supplierId' | 'mode' | 'mapping'>,
  hash: string,
): Promise<{ runId: number; isUndone: boolean } | undefined> {
  const [row] = await reader<{ runId: number; isUndone: boolean }[]>`
    select run_id as "runId", undone_by_run_id is not null as "isUndone" from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} and has_written and trigger <> 'undo'
      and file_hash = ${hash} and mode = ${mode} and mapping = ${storableJson(mapping)}::text::jsonb
      and (undone_by_run_id is not null or state in ('resolving', 'succeeded') and run_id = (
        select max(run_id) from import_run
        where account_id = ${accountId} and supplier_id = ${supplierId} and has_written and trigger <> 'undo'
          and undone_by_run_id is null))
    order by run_id desc limit 1`
  return row
}

/** Runs of a supplier that were set aside with one file. */
export interface SetAside {
  /** The newest of these runs. */
  runId: number
  runs: number
  /** Whether one of them was set aside less than LIMITS.importSetAsideHours ago. */
  isRecent: boolean
}

/** The runs of a supplier that were set aside with this file, by the same mapping and in the same mode. */
export async function runsSetAside(
  reader: Reader,
  accountId: number,
  { supplierId, mode, mapping }: Pick<ClaimedRun, 'supplierId' | 'mode' | 'mapping'>,
  hash: string,
): Promise<SetAside | undefined> {
  const rest = reader`make_interval(hours => ${LIMITS.importSetAsideHours})`
  // a time further in the future is from before the clock was set back
  const [row] = await reader<SetAside[]>`
    select max(run_id) as "runId", count(*)::int as runs,
      bool_or(ended_at > now() - ${rest} and ended_at < now() + ${rest}) as "isRecent" from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} and interruptions >= 2 and ended_at is not null
      and file_hash = ${hash} and mode = ${mode} and mapping = ${storableJson(mapping)}::text::jsonb
    having count(*) > 0`
  return row
}
