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
    .option('--image-base-url <url>', 'what relative image paths are joined to')
    .option('--locale <tag>', 'locale of titles and descriptions')
    .option('--delta', 'the file names only what changed; offers it does not name stay')
    .option('--dry-run', 'judge and report, write nothing')
    .option('--confirm', 'take a full file that is empty or would set more than half of the offers to 0')
    .option('--json', 'print the report as one JSON object')
    // loaded when asked for: what checks mappings is half of what the command line would load at every start
    .action(async (file: string, options: ImportOptions) =>
      (await import('./import-file.ts')).importFile(file, options),
    )
}
