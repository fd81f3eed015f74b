import { InvalidArgumentError, type Command } from 'commander'
import { LIMITS } from '../../platform/limits.ts'
import { PRESETS } from '../../supplier-files/presets/presets.ts'
import { accountOption } from '../accounts/accounts.ts'
import type { ImportOptions } from './import-file.ts'

export function importCommand(program: Command): void {
  const command = program
    .command('import')
    .description(
      'import a supplier’s file (CSV, TSV, XLSX, XML, JSON, NDJSON, Google Merchant, BMEcat; also in gzip or zip)',
    )
    .argument('[file]', 'the file, or - for standard input')
    .option('--account <id>', 'account', accountOption)
    .option('--supplier <code>', 'code of the supplier')
    .option('--mapping <file>', `a mapping file, or one of: ${Object.keys(PRESETS).join(', ')}`)
    .option('--image-base-url <url>', 'base URL of relative image paths')
    .option('--locale <tag>', 'locale of titles and descriptions')
    .option('--detect', 'propose a mapping from the first rows, with reasons; needs no account and writes nothing')
    .option(
      '--preview <rows>',
      'show the first rows beside their offers; needs no account and writes nothing',
      rowsOption,
    )
    .option('--schema', 'print the JSON schema of mapping files')
    .option('--delta', 'the file has only changed offers; all others stay as they are')
    .option('--dry-run', 'check and report, write nothing')
    .option(
      '--confirm',
      'import a file although it exceeds the thresholds of its supplier, and also set offers to 0 that rows without a readable key may be about',
    )
    .option('--json', 'print the report as one JSON object')
  // imported lazily: the checks of mappings are half of the modules that every command would have to load
  command.action(async (file: string | undefined, options: ImportOptions) => {
    const need = (name: string, isGiven: boolean, advice = '') => {
      if (!isGiven) command.error(`error: required ${name} not specified${advice}`, { exitCode: 1 })
    }
    if (options.schema === true) return (await import('./import-preview.ts')).printSchema()
    need("argument 'file'", file !== undefined)
    if (options.detect === true) return (await import('./import-preview.ts')).detectFile(file ?? '-', options)
    need("option '--mapping <file>'", options.mapping !== undefined, `; shelfwire import --detect ${file} proposes one`)
    if (options.preview !== undefined) return (await import('./import-preview.ts')).previewFile(file ?? '-', options)
    need("option '--account <id>'", options.account !== undefined)
    need("option '--supplier <code>'", options.supplier !== undefined)
    return (await import('./import-file.ts')).importFile(file ?? '-', options)
  })
}

function rowsOption(text: string): number {
  const rows = Number(text)
  if (!Number.isInteger(rows) || rows < 1 || rows > LIMITS.importPageRows)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${LIMITS.importPageRows}`)
  return rows
}
