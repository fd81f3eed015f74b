import type { Command } from 'commander'
import { resolve } from 'node:path'
import { exportAccount } from '../../archive/export.ts'
import { accountNamed } from './account-suspension.ts'
import { withRuntime } from '../console/run.ts'

/** `shelfwire account export`. */
export function accountExportCommands(account: Command): void {
  account
    .command('export')
    .description('write the data of an account, without secrets, into an archive (docs/account-archive.md)')
    .argument('<account>', 'name or id')
    .requiredOption('--to <path>', 'a file that ends with .tar, .tar.gz or .tgz, or a directory; it must not exist')
    .option('--json', 'print one JSON object')
    .action((text: string, options: { to: string; json?: true }) =>
      withRuntime(options, async ({ runtime: { db, imageStore }, printer }) => {
        const { accountId, name } = await accountNamed(db, text)
        const target = resolve(options.to)
        using progress = printer.progress('Exporting')
        const { left_out: leftOut, ...manifest } = await exportAccount(
          { db, imageStore },
          accountId,
          target,
          (done, of) => progress.update(done, null, of),
        )
        const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0)
        const secrets = leftOut.columns.filter(({ kind }) => kind === 'secret')
        printer.result(
          { to: target, ...manifest },
          [
            `account ${accountId} "${name}" as of ${manifest.exported_at} is in ${target}: ${rows} rows, ${manifest.pictures.count} pictures`,
            `secrets are not in it: ${secrets.map(({ table, column }) => `${table}.${column}`).join(', ')}`,
          ].join('\n'),
        )
      }),
    )
}
