import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { inTransaction } from '../../db/sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import type { ImportReport } from '../../imports/run.ts'
import { importNow } from '../../imports/runs/import-now.ts'
import { runsSettle } from '../../imports/runs/loop/claims.sql.ts'
import { readMappingDocument } from '../../supplier-files/mapping-document.ts'
import { EXIT_INCOMPLETE } from '../console/exit-codes.ts'
import { named, SUPPLIER } from '../console/named.ts'
import { mappingDocument, type MappingOptions } from '../console/option-files.ts'
import { refusalGroupLine, rowGroupLine } from '../console/row-groups.ts'
import { withRuntime } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'
import { must } from '../../platform/must.ts'

/** Options of the import command; which of them are required depends on what it does. */
export interface ImportOptions extends MappingOptions {
  account?: number
  supplier?: string
  detect?: true
  preview?: number
  schema?: true
  delta?: true
  dryRun?: true
  confirm?: true
  json?: true
}

const REFUSED_SHOWN = 20

/** Runs the import command: imports the file, waits until all changed products can be read, and prints the report. */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const accountId = must(options.account)
  await withRuntime(options, async ({ runtime, printer }) => {
    const supplier = await named(runtime.db, accountId, SUPPLIER, must(options.supplier))
    const mapping = await mappingDocument(options)
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
      // products that another process shelves are waited for, but do not show in the progress
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

function toText(report: ImportReport): string {
  const lines = [
    `${report.isDryRun ? 'Dry run, nothing written: ' : ''}${report.rows} rows: ${report.created} new, ${report.changed} changed, ${report.unchanged} unchanged, ${report.zeroed} no longer offered, ${report.stale === 0 ? '' : `${report.stale} kept as they were, `}${report.skipped} skipped, ${report.refusedTotal} refused`,
  ]
  for (const warning of report.warnings) lines.push(`  warning: ${warning}`)
  for (const group of report.rowGroups) lines.push(`  ${rowGroupLine(group)}`)
  for (const group of report.dropped) lines.push(`  value not read, row imported: ${refusalGroupLine(group)}`)
  for (const row of report.refused.slice(0, REFUSED_SHOWN)) {
    const faults = row.faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
    lines.push(`  line ${row.line}${row.sku === null ? '' : ` (${row.sku})`}: ${faults}`)
  }
  if (report.refusedTotal > REFUSED_SHOWN)
    lines.push(`  … and ${report.refusedTotal - REFUSED_SHOWN} more; --json lists ${report.refused.length}`)
  return lines.join('\n')
}
