import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { inTransaction } from '../db/sql.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { ImportReport } from '../imports/run.ts'
import { importNow } from '../imports/runs/import-now.ts'
import { runsSettle } from '../imports/runs/claims.sql.ts'
import type { Mapping } from '../supplier-files/mapping.ts'
import { readMappingDocument } from '../supplier-files/mapping-document.ts'
import { PRESETS } from '../supplier-files/presets.ts'
import { named, SUPPLIER } from './named.ts'
import { withRuntime } from './run.ts'
import { terminal } from './terminal.ts'

/** Options of the import command; which of them are needed depends on what is done. */
export interface ImportOptions {
  account?: number
  supplier?: string
  mapping?: string
  imageBaseUrl?: string
  locale?: string
  detect?: true
  preview?: number
  schema?: true
  delta?: true
  dryRun?: true
  confirm?: true
  json?: true
}

const REFUSED_SHOWN = 20

/** The import is done, but rows were refused. docs/import.md lists the exit codes. */
const EXIT_INCOMPLETE = 3

/** Runs the import command: imports the file, waits until all changed products can be read, and prints the report. */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const { account: accountId = 0 } = options
  await withRuntime(options, async ({ runtime, printer }) => {
    const supplier = await named(runtime.db, accountId, SUPPLIER, options.supplier ?? '')
    const mapping = await readDocument(options)
    readMappingDocument(mapping)
    const worker = options.dryRun === true ? null : runtime.shelf.startWorker('shelve-import')
    let report: ImportReport & { runId: number }
    try {
      using progress = printer.progress('Reading')
      report = await importNow(
        runtime.imports,
        accountId,
        {
          supplierId: supplier.supplierId,
          mode: options.delta === true ? 'delta' : 'full',
          mapping,
          isDryRun: options.dryRun === true,
          isConfirmed: options.confirm === true,
          name: file === '-' ? 'stdin' : file,
        },
        await openFile(file),
        ({ phase, done, total }) => progress.update(done, total, phase === 'reading' ? 'Reading' : 'Writing'),
      )
    } finally {
      await worker?.stop()
    }
    if (options.dryRun !== true) {
      using progress = printer.progress('Resolving')
      // products that another process shelves are waited for, but not counted here
      await runtime.shelf.drain(accountId, (shelved) => progress.update(shelved.products, report.products, 'Resolving'))
      await inTransaction(runtime.db, (tx) => runsSettle(tx, accountId))
    }
    printer.result({ ...report }, toText(report))
    if (report.refusedTotal > 0 || report.stale > 0) terminal().exitCode = EXIT_INCOMPLETE
  })
}

/** Opens a file, or standard input for `-`. @throws ShelfwireError `source-unreadable` */
export async function openFile(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === '-') return terminal().stdin
  const found = await stat(file).catch((error: unknown) => {
    throw new ShelfwireError('source-unreadable', `${file} cannot be read: ${asError(error).message}`, { cause: error })
  })
  if (!found.isFile()) throw new ShelfwireError('source-unreadable', `${file} is not a file`)
  return createReadStream(file, { highWaterMark: 1_048_576 })
}

/** Reads the mapping file, or takes the ready mapping of that name. @throws ShelfwireError `invalid-input` */
export async function readMapping(options: ImportOptions): Promise<Mapping> {
  return readMappingDocument(await readDocument(options))
}

/** The mapping as it is kept with the run. @throws ShelfwireError `invalid-input` when it cannot be read */
async function readDocument(options: ImportOptions): Promise<unknown> {
  const overrides = {
    ...(options.imageBaseUrl === undefined ? {} : { imageBaseUrl: options.imageBaseUrl }),
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  }
  const { mapping: name = '' } = options
  if (Object.hasOwn(PRESETS, name)) return { preset: name, ...overrides }
  const text = await readFile(name, 'utf8').catch((error: unknown) => {
    throw new ShelfwireError('invalid-input', `the mapping ${name} cannot be read: ${asError(error).message}`, {
      cause: error,
    })
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ShelfwireError('invalid-input', `the mapping ${name} is not JSON: ${asError(error).message}`, {
      cause: error,
    })
  }
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json, ...overrides } : json
}

function toText(report: ImportReport): string {
  const lines = [
    `${report.isDryRun ? 'Dry run, nothing written: ' : ''}${report.rows} rows: ${report.created} new, ${report.changed} changed, ${report.unchanged} unchanged, ${report.zeroed} no longer offered, ${report.stale === 0 ? '' : `${report.stale} kept as they were, `}${report.skipped} skipped, ${report.refusedTotal} refused`,
  ]
  for (const warning of report.warnings) lines.push(`  warning: ${warning}`)
  for (const row of report.refused.slice(0, REFUSED_SHOWN)) {
    const faults = row.faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
    lines.push(`  line ${row.line}${row.sku === null ? '' : ` (${row.sku})`}: ${faults}`)
  }
  if (report.refusedTotal > REFUSED_SHOWN)
    lines.push(`  … and ${report.refusedTotal - REFUSED_SHOWN} more; --json lists ${report.refused.length}`)
  return lines.join('\n')
}
