import type { Command } from 'commander'
import { accountsList } from '../accounts/accounts.sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { auditAccount } from '../shelf/audit.ts'
import { parseTimestamp } from '../platform/timestamp.ts'
import { fenceRestore } from '../shelf/fence-restore.ts'
import { accountOption } from './accounts.ts'
import { withRuntime } from './run.ts'
import { terminal } from './terminal.ts'

export function operationCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to this release’s schema (all other commands do that too)')
    .option('--json', 'print one JSON object')
    .action((options: { json?: true }) =>
      withRuntime(options, ({ runtime, printer }) => {
        const applied = runtime.migrated
        printer.result(
          { applied },
          applied.length === 0 ? 'the schema was up to date' : `applied ${applied.join(', ')}`,
        )
        return Promise.resolve()
      }),
    )
  program
    .command('audit')
    .description(
      're-resolve all products and report differences from the stored payloads; exit code 1 if there are any',
    )
    .option('--account <id>', 'only this account', accountOption)
    .option('--json', 'print one JSON object')
    .action((options: { account?: number; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const accounts = (await accountsList(runtime.db)).filter(
          (row) => options.account === undefined || row.accountId === options.account,
        )
        const audits = []
        for (const { accountId } of accounts) {
          using progress = printer.progress(`Auditing account ${accountId}`)
          audits.push({
            account_id: accountId,
            ...(await auditAccount(runtime.db, accountId, (products) => progress.update(products, null))),
          })
        }
        const total = audits.reduce((sum, audit) => sum + audit.differencesTotal, 0)
        const lines = audits.flatMap((audit) => [
          `account ${audit.account_id}: ${audit.products} products, ${audit.payloads} payloads, ${audit.differencesTotal} differences${audit.isStale ? ' (some products are still waiting to be shelved; audit again when that is done)' : ''}`,
          ...audit.differences.map((row) => `  store ${row.storeId} product ${row.productId}: ${row.what}`),
        ])
        printer.result({ differences: total, accounts: audits }, lines.join('\n'))
        if (total > 0) terminal().exitCode = 1
      }),
    )
  program
    .command('fence-restore')
    .description(
      'run once after restoring a backup, or promoting a standby that lacked the last changes: feed cursors from the lost time are answered with 410 from then on, and no id from it is assigned again',
    )
    .option('--since <time>', 'where the service has run on it already: RFC 3339, a time before which nothing was lost')
    .option('--json', 'print one JSON object')
    .action((options: { since?: string; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const since = options.since === undefined ? null : parseTimestamp(options.since)
        if (options.since !== undefined && (since === null || since > new Date()))
          throw new ShelfwireError(
            'invalid-input',
            `--since takes a past time with its offset, such as 2026-11-20T10:00:00Z, not "${options.since}"`,
          )
        const accounts = await fenceRestore(runtime.db, since)
        printer.result(
          { accounts },
          `the feeds of ${accounts} accounts were fenced; new ids start beyond those of the lost time`,
        )
      }),
    )
}
