import type { Command } from 'commander'
import { PRESETS } from '../supplier-files/presets.ts'
import { accountOption } from './accounts.ts'
import type { ImportOptions } from './import-file.ts'

export function importCommand(program: Command): void {
  program
    .command('import')
    .description('import a supplier’s file (CSV, TSV, NDJSON, JSON array)')
    .argument('<file>', 'the file, or - for standard input')
    .requiredOption('--account <id>', 'account', accountOption)
    .requiredOption('--supplier <code>', 'code of the supplier')
    .requiredOption('--mapping <file>', `a mapping file, or one of: ${Object.keys(PRESETS).join(', ')}`)
    .option('--image-base-url <url>', 'base URL of relative image paths')
    .option('--locale <tag>', 'locale of titles and descriptions')
    .option('--delta', 'the file has only changed offers; all others stay as they are')
    .option('--dry-run', 'check and report, write nothing')
    .option('--confirm', 'accept a full file that is empty or would set more than half of the offers in stock to 0')
    .option('--json', 'print the report as one JSON object')
    // imported on demand: the checks of mappings are half of the modules that every command would load
    .action(async (file: string, options: ImportOptions) =>
      (await import('./import-file.ts')).importFile(file, options),
    )
}
