import type { Command } from 'commander'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { auditLog } from '../people/audit-log.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { accountNamed } from './account-suspension.ts'
import { withRuntime } from './run.ts'
import { idNumber } from './write.ts'

/** `shelfwire account audit-log`. */
export function accountAuditLogCommands(account: Command): void {
  account
    .command('audit-log')
    .description('append who changed what with a session to a file, as JSON lines, for a system that collects logs')
    .argument('<account>', 'name or id')
    .requiredOption('--to <file>', 'lines are added at its end; it is made where there is none')
    .option('--after <id>', 'only what comes after the entry that the last call named')
    .option('--json', 'print one JSON object')
    .action((text: string, options: { to: string; after?: string; json?: true }) =>
      withRuntime(options, async ({ runtime: { db }, printer }) => {
        const { accountId, name } = await accountNamed(db, text)
        // 0 is what a call names that has found nothing to go on from
        let after = (options.after ?? '0') === '0' ? 0 : idNumber('--after', options.after ?? '')
        const to = resolve(options.to)
        // readable by its owner alone: names and addresses of people are in it
        const file = await open(to, 'a', 0o600).catch((error: unknown) => {
          const reason = `cannot be written: ${asError(error).message}`
          throw new ShelfwireError('invalid-input', `${to} ${reason}`, { faults: [{ name: '--to', reason }] })
        })
        let count = 0
        try {
          using progress = printer.progress('Writing')
          for await (const page of auditLog(db, accountId, after)) {
            const lines = page.entries.map((entry) => `${JSON.stringify({ account_id: accountId, ...entry })}\n`)
            await file.appendFile(lines.join(''))
            after = page.after
            count += lines.length
            progress.update(count, null)
          }
          await file.sync()
        } finally {
          await file.close()
        }
        printer.result(
          { account_id: accountId, to, entries: count, after },
          `${count} entries of account ${accountId} "${name}" are in ${to}; go on with --after ${after}`,
        )
      }),
    )
}
