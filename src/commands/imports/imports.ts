import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { IMPORT_STATES } from '../../../contract/import-states.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { inTransaction, type Reader, type Tx } from '../../db/sql.ts'
import { pageOfWeighed } from '../../db/fragments/within-weight.sql.ts'
import { nextStep } from '../../imports/runs/next-step.ts'
import { refusalsAs } from '../../imports/runs/refusals/refusals-as.ts'
import { previewUndo, type UnrestoredOffer, type UndoPreview } from '../../imports/runs/undo/preview-undo.ts'
import { cancelRun, confirmRun, undoRun } from '../../imports/runs/runs.ts'
import {
  changesAfter,
  runGroups,
  runGet,
  runMappings,
  runsAfter,
  type RunGroups,
  type ListedRun,
  type RunRow,
  type RunState,
} from '../../imports/runs/runs.sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import { EXIT_EXCEEDED, EXIT_INCOMPLETE, EXIT_UNREADABLE, EXIT_WAITS } from '../console/exit-codes.ts'
import { named, SUPPLIER } from '../console/named.ts'
import type { Printer } from '../console/print.ts'
import { refusalGroupLine, rowGroupLine } from '../console/row-groups.ts'
import { withRuntime, type CommandContext } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'
import { idNumber, wholeNumber, type Common } from '../console/write.ts'

const POLL_MS = 250
/** How long a run may wait for a process of the service to begin it. */
const BEGIN_SECONDS = 30

/** Commands for the runs of imports. */
export function importsCommands(program: Command): void {
  const imports = program
    .command('imports')
    .description('runs of imports: their states, refused rows, files and changes')
  const ofRun = (name: string, description: string) =>
    withAccountOptions(imports.command(name).description(description)).argument(
      '<run_id>',
      'run, as shown by imports list',
    )

  withAccountOptions(imports.command('list').description('list import runs, newest first'))
    .option('--supplier <code>', 'only runs of this supplier')
    .option('--state <state>', `only runs in this state: ${IMPORT_STATES.join(', ')}`, stateOption)
    .option('--limit <number>', 'maximum number of runs', (text) => wholeNumber('--limit', text), 20)
    .option('--before <run>', 'only runs older than this one', (text) => idNumber('--before', text))
    .action((options: Common & { supplier?: string; state?: RunState; limit: number; before?: number }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, supplier, state, before } = options
        const supplierId =
          supplier === undefined ? undefined : (await named(runtime.db, account, SUPPLIER, supplier)).supplierId
        const rows = await listed(runtime.db, account, {
          ...(supplierId === undefined ? {} : { supplierId }),
          ...(state === undefined ? {} : { state }),
          ...(before === undefined ? {} : { before }),
          limit: Math.min(Math.max(1, options.limit), LIMITS.perPageMax),
        })
        const codes = await codesOf(runtime.db, account)
        // mappings may be longer than everything else together, and only --json shows them
        const ids = printer.isJson ? rows.map(({ runId }) => runId) : []
        const mappings = await runMappings(runtime.db, account, ids)
        printer.result(
          { runs: rows.map((row) => ({ ...shown(row, codes), mapping: mappings.get(row.runId) ?? null })) },
          rows.length === 0 ? 'no runs' : rows.map((row) => line(row, codes)).join('\n'),
        )
      }),
    )

  ofRun('show', 'show a run: state, counts, refused rows by reason, and what to do next').action(
    (id: string, options: Common) =>
      withRuntime(options, async (context) => {
        await print(context, options.account, await existing(context.runtime.db, options.account, id))
      }),
  )

  ofRun('refusals', 'print every refused row')
    .option('--format <format>', 'csv or ndjson', formatOption, 'csv')
    .option('--output <file>', 'write to this file instead of standard output')
    .action((id: string, options: Common & { format: 'csv' | 'ndjson'; output?: string }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const run = await existing(runtime.db, options.account, id)
        const stored = run.refusalsKey === null ? undefined : await runtime.imports.files.read(run.refusalsKey)
        if (stored === undefined && run.endedAt !== null && run.refused + run.stale > 0)
          throw notKept(`the refused rows of run ${run.runId}`)
        await save(printer, options, 'refused rows', refusalsAs(options.format, stored))
      }),
    )

  ofRun('file', 'print the file of a run as it was sent or fetched')
    .option('--output <file>', 'write to this file instead of standard output')
    .action((id: string, options: Common & { output?: string }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const run = await existing(runtime.db, options.account, id)
        const stored = run.fileKey === null ? undefined : await runtime.imports.files.read(run.fileKey)
        if (stored === undefined) throw notKept(`the file of run ${run.runId}`)
        await save(printer, options, run.fileName ?? 'file', stored)
      }),
    )

  ofRun('changes', 'list what a run changed, by the supplier’s key')
    .option('--limit <number>', 'maximum number of offers', (text) => wholeNumber('--limit', text), 50)
    .option('--after <sku>', 'only offers after this key', '')
    .action((id: string, options: Common & { limit: number; after: string }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { runId } = await existing(runtime.db, options.account, id)
        const limit = Math.min(Math.max(1, options.limit), LIMITS.bulkResultsPageMax)
        const rows = await changesAfter(runtime.db, options.account, runId, options.after, limit)
        const changes = rows.map(({ supplierSku, kind, before }) => ({ sku: supplierSku, kind, before }))
        const lines = changes.map(({ sku, kind, before }) =>
          [
            sku,
            kind,
            before === null ? '' : `before: ${before.cost ?? 'no cost'} ${before.currency}, ${before.quantity} pieces`,
          ].join('\t'),
        )
        printer.result({ changes }, lines.length === 0 ? 'no changes' : lines.join('\n'))
      }),
    )

  const changing = (
    name: string,
    description: string,
    change: (tx: Tx, accountId: number, runId: number, options: Undoing) => Promise<number | void>,
  ) =>
    ofRun(name, description)
      .option('--wait', 'wait until the run has ended')
      .action((id: string, options: Undoing) =>
        withRuntime(options, async (context) => {
          const { runtime } = context
          const runId = idNumber('run_id', id)
          if (options.dryRun === true) return previewOfUndo(context, options.account, runId)
          const changed = await inTransaction(runtime.db, (tx) => change(tx, options.account, runId, options))
          runtime.wake.notify('import', options.account)
          const run = await existing(runtime.db, options.account, String(changed ?? runId))
          await print(
            context,
            options.account,
            options.wait === true ? await ended(context, options.account, run) : run,
          )
        }),
      )
  changing('confirm', 'import the file of a held run although it exceeds thresholds', confirmRun)
  changing('cancel', 'cancel a run: what is written stays, the rest is not written', cancelRun)
  changing(
    'undo',
    'undo the last full run of a supplier; offers that were changed since stay',
    (tx, accountId, runId, { restoreChanged }) => undoRun(tx, accountId, runId, restoreChanged),
  )
    .option('--dry-run', 'report what it would do, and list the offers that it would leave unchanged, with reasons')
    .option('--restore-changed', 'also restore offers that were changed since')
}

interface Undoing extends Common {
  wait?: true
  dryRun?: true
  restoreChanged?: true
}

/** Prints what an undo would do. */
async function previewOfUndo({ runtime, printer }: CommandContext, accountId: number, runId: number): Promise<void> {
  const sums = { lookedAt: 0, restored: 0, dropped: 0, asBefore: 0 }
  const left: UnrestoredOffer[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: UndoPreview = await previewUndo(runtime.db, accountId, runId, after, LIMITS.bulkResultsPageMax)
    for (const name of ['lookedAt', 'restored', 'dropped', 'asBefore'] as const) sums[name] += page[name]
    left.push(...page.left)
    after = page.nextAfter
  }
  const rows = left.map(({ supplierSku: sku, kind, reason, changedByRunId, before, now }) => ({
    sku,
    kind,
    reason,
    changedByRunId,
    before: before && { cost: before.cost, currency: before.currency, quantity: before.quantity },
    now: now && { cost: now.cost, currency: now.currency, quantity: now.quantity },
  }))
  const figures = (offer: (typeof rows)[number]['now']) =>
    offer === null ? 'none' : `${offer.cost ?? 'no cost'} ${offer.currency}, ${offer.quantity} pieces`
  const lines = rows.map(({ sku, reason, changedByRunId, before, now }) => {
    const by = changedByRunId === null ? '' : ` by run ${changedByRunId}`
    return `left\t${sku}\t${reason} since${by}\tbefore: ${figures(before)}\tnow: ${figures(now)}`
  })
  const { restored, dropped, asBefore } = sums
  printer.result(
    { ...sums, left: rows },
    [
      `an undo of run ${runId} would give ${restored} offers back what they had and delete ${dropped}; ${asBefore} have it already, ${left.length} would be left`,
      ...lines,
    ].join('\n'),
  )
}

function stateOption(text: string): RunState {
  const state = IMPORT_STATES.find((name) => name === text)
  if (state === undefined) throw new InvalidArgumentError(`must be one of ${IMPORT_STATES.join(', ')}`)
  return state
}

function formatOption(text: string): 'csv' | 'ndjson' {
  if (text === 'csv' || text === 'ndjson') return text
  throw new InvalidArgumentError('must be csv or ndjson')
}

/** Reads as many runs as requested, over several pages, because pages of heavy runs are shorter. */
async function listed(
  reader: Reader,
  accountId: number,
  filter: Parameters<typeof runsAfter>[2],
): Promise<ListedRun[]> {
  const runs: ListedRun[] = []
  for (let { before } = filter; ;) {
    const limit = filter.limit - runs.length
    const page = pageOfWeighed(
      await runsAfter(reader, accountId, { ...filter, ...(before === undefined ? {} : { before }), limit }),
      limit,
      (run) => run.runId,
    )
    for (const { found: _found, earlier: _earlier, page_weight: _weight, ...run } of page.rows) runs.push(run)
    if (page.next === null || runs.length >= filter.limit) return runs
    before = page.next
  }
}

/** @throws ShelfwireError unknown-run */
async function existing(reader: Reader, accountId: number, id: string): Promise<RunRow> {
  const run = await runGet(reader, accountId, idNumber('run_id', id))
  if (run !== undefined) return run
  throw new ShelfwireError(
    'unknown-run',
    `account ${accountId} has no import run ${id}, or it ended more than ${LIMITS.importRunDaysMax} days ago; shelfwire imports list shows the runs`,
  )
}

const notKept = (what: string) =>
  new ShelfwireError(
    'unknown-reference',
    `${what} is not kept, or not any more: files are kept for ${LIMITS.importFileDaysMax} days`,
  )

/** Writes content to a file, or to standard output. */
async function save(
  printer: Printer,
  { output }: { output?: string },
  what: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  if (output === undefined) {
    if (printer.isJson)
      throw new ShelfwireError('invalid-input', '--json goes with --output here: the file itself is printed')
    await pipeline(content, terminal().stdout, { end: false })
    return
  }
  await pipeline(content, createWriteStream(output)).catch((error: unknown) => {
    throw new ShelfwireError('invalid-input', `${output} cannot be written: ${asError(error).message}`, {
      cause: error,
    })
  })
  printer.result({ output }, `${what}: written to ${output}`)
}

type Codes = ReadonlyMap<number, string>

async function codesOf(reader: Reader, accountId: number): Promise<Codes> {
  return new Map((await suppliersList(reader, accountId)).map((row) => [row.supplierId, row.code]))
}

/** A run as --json shows it. */
function shown({ supplierId, fileKey, refusalsKey: _key, ...run }: ListedRun, codes: Codes) {
  return {
    ...run,
    supplier: codes.get(supplierId) ?? null,
    isFileKept: fileKey !== null,
    nextStep: nextStep({ ...run, fileKey }),
  }
}

function line(run: ListedRun, codes: Codes): string {
  const at = formatTimestamp(run.endedAt ?? run.startedAt ?? run.createdAt)
  return [
    run.runId,
    at,
    codes.get(run.supplierId) ?? '-',
    `${run.state}${run.isDryRun ? ' (dry run)' : ''}`,
    counts(run),
  ].join('\t')
}

function counts({ rows, created, changed, unchanged, zeroed, stale, refused }: ListedRun): string {
  return `${rows} rows: ${created} new, ${changed} changed, ${unchanged} unchanged, ${zeroed} no longer offered, ${stale} kept as they were, ${refused} refused`
}

async function print({ runtime, printer }: CommandContext, accountId: number, run: ListedRun): Promise<void> {
  const [codes, groups] = await Promise.all([
    codesOf(runtime.db, accountId),
    runGroups(runtime.db, accountId, run.runId),
  ])
  printer.result({ ...shown(run, codes), ...groups }, details(run, codes, groups))
}

function details(run: ListedRun, codes: Codes, { refusals, rowGroups, dropped }: RunGroups): string {
  const next = nextStep(run)
  return [
    line(run, codes),
    `${run.mode}, by ${run.trigger}${run.fileName === null ? '' : `; file ${run.fileName}, ${run.fileBytes} bytes`}`,
    ...(run.undoesRunId === null ? [] : [`undoes run ${run.undoesRunId}`]),
    ...(run.undoneByRunId === null ? [] : [`undone by run ${run.undoneByRunId}`]),
    ...(run.problem === null ? [] : [`${run.problem.code}: ${run.problem.detail}`]),
    ...run.excesses.map(({ text }) => `exceeded: ${text}`),
    ...run.warnings.map((warning) => `warning: ${warning}`),
    ...refusals.map((group) => `refused: ${refusalGroupLine(group)}`),
    ...dropped.map((group) => `value not read, row imported: ${refusalGroupLine(group)}`),
    ...rowGroups.map(rowGroupLine),
    ...(next === null ? [] : [`next: ${next}`]),
  ].join('\n')
}

/** Waits until a process of the service has ended the run, and sets the exit code as the import command does. */
async function ended({ runtime, printer }: CommandContext, accountId: number, run: ListedRun): Promise<ListedRun> {
  using progress = printer.progress('Waiting')
  const beginsUntil = performance.now() + BEGIN_SECONDS * 1_000
  for (let now: ListedRun = run; ; now = await existing(runtime.db, accountId, String(run.runId))) {
    if (now.endedAt !== null) {
      terminal().exitCode = exitCode(now)
      return now
    }
    if (now.state === 'waiting' && performance.now() > beginsUntil) {
      printer.note('no process of the service has begun it; it is imported when the service runs with the work role')
      terminal().exitCode = EXIT_WAITS
      return now
    }
    progress.update(now.total === null ? now.rows : now.written, now.total, LABELS[now.state] ?? 'Waiting')
    await sleep(POLL_MS)
  }
}

const LABELS: Partial<Record<RunState, string>> = { reading: 'Reading', writing: 'Writing', resolving: 'Resolving' }

function exitCode({ state, refused, stale, trigger, problem }: ListedRun): number {
  if (state === 'held') return EXIT_EXCEEDED
  if (state === 'refused') return problem?.code === 'source-unreadable' ? EXIT_UNREADABLE : EXIT_EXCEEDED
  if (state === 'succeeded') return (refused > 0 && trigger !== 'undo') || stale > 0 ? EXIT_INCOMPLETE : 0
  return state === 'unchanged' || state === 'canceled' ? 0 : 1
}
