import { detectMapping, type Proposal } from '../../supplier-files/proposal/detect.ts'
import { mappingJsonSchema } from '../../supplier-files/mapping-json-schema.ts'
import { readMappingDocument } from '../../supplier-files/mapping-document.ts'
import { previewRows, type PreviewedRow } from '../../supplier-files/preview.ts'
import { EXIT_INCOMPLETE } from '../console/exit-codes.ts'
import { openFile, type ImportOptions } from './import-file.ts'
import { mappingDocument } from '../console/option-files.ts'
import { openPrinter } from '../console/print.ts'
import { terminal } from '../console/terminal.ts'

// What the import command prints without importing anything. Needs no database.

/** Prints a proposed mapping with a reason for each of its lines. */
export async function detectFile(file: string, options: ImportOptions): Promise<void> {
  const warnings: string[] = []
  const proposal = await detectMapping(await openFile(file), (warning) => warnings.push(warning))
  // not by the printer, which would rename members of the mapping
  const printer = openPrinter(options.json ?? false)
  if (printer.isJson) terminal().stdout.write(`${JSON.stringify({ ...proposal, warnings })}\n`)
  else printer.result({}, proposalText(proposal, warnings))
}

function proposalText({ preset, mapping, reasons }: Proposal, warnings: readonly string[]): string {
  const lines = reasons.map(({ path, reason }) => `  ${path === '' ? 'file' : path}: ${reason}`)
  const shown = preset === null ? [JSON.stringify(mapping, null, 2)] : []
  return [...warnings.map((warning) => `warning: ${warning}`), ...lines, ...shown].join('\n')
}

/** Prints the first rows with the offers that the mapping makes of them. The exit code is 3 if one of them is refused. */
export async function previewFile(file: string, options: ImportOptions): Promise<void> {
  const warnings: string[] = []
  const mapping = readMappingDocument(await mappingDocument(options))
  const rows = await previewRows(await openFile(file), mapping, options.preview ?? 1, (warning) =>
    warnings.push(warning),
  )
  if (options.json === true) terminal().stdout.write(`${JSON.stringify({ rows, warnings })}\n`)
  else
    openPrinter(false).result(
      {},
      [...warnings.map((warning) => `warning: ${warning}`), ...rows.flatMap(rowLines)].join('\n'),
    )
  if (rows.some(({ read }) => 'faults' in read)) terminal().exitCode = EXIT_INCOMPLETE
}

const VALUE_SHOWN = 120

function rowLines({ row, read }: PreviewedRow): string[] {
  const lines = [`line ${read.line}`]
  for (const [name, value] of Object.entries(row ?? {})) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    if (text !== '') lines.push(`  ${name}: ${text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text}`)
  }
  if ('faults' in read) lines.push(...read.faults.map(({ name, reason }) => `  refused: ${name} ${reason}`))
  else if ('offer' in read) {
    lines.push(...Object.entries(read.offer).map(([name, value]) => `  -> ${name}: ${JSON.stringify(value)}`))
    for (const { name, reason } of read.dropped ?? []) lines.push(`  value not read: ${name} ${reason}`)
  } else lines.push('  -> left out')
  return lines
}

/** Prints the JSON schema of mapping files. */
export function printSchema(): void {
  terminal().stdout.write(`${JSON.stringify(mappingJsonSchema(), null, 2)}\n`)
}
