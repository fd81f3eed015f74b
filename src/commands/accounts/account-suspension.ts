import type { Command } from 'commander'
import { accountGet, accountsNamed } from '../../accounts/accounts.sql.ts'
import { suspend, notifyOfSuspension } from '../../accounts/suspensions.ts'
import { inTransaction, type Reader } from '../../db/sql.ts'
import { resumeAccount } from '../../erasure/request.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { withRuntime } from '../console/run.ts'

/**
 * Finds the account that a text names: digits are its id, anything else is its name.
 * @throws ShelfwireError unknown-account; invalid-input where several accounts have the name
 */
export async function accountNamed(reader: Reader, text: string): Promise<{ accountId: number; name: string }> {
  const found = /^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : await accountsNamed(reader, text)
  const [accountId] = found
  if (found.length > 1)
    throw new ShelfwireError('invalid-input', `accounts ${found.join(', ')} have the name "${text}": give the id`)
  const account = accountId === undefined ? undefined : await accountGet(reader, accountId)
  if (account === undefined)
    throw new ShelfwireError(
      'unknown-account',
      `there is no account "${text}"; shelfwire account list shows the accounts`,
    )
  return { accountId: account.accountId, name: account.name }
}

/** `shelfwire account suspend` and `resume`. */
export function accountSuspensionCommands(account: Command): void {
  account
    .command('suspend')
    .description('refuse all requests of an account and pause its work; nothing is lost')
    .argument('<account>', 'name or id')
    .option('--reason <text>', 'what its members read in the panel')
    .option('--json', 'print one JSON object')
    .action((text: string, options: { reason?: string; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { accountId, name } = await accountNamed(runtime.db, text)
        await inTransaction(runtime.db, (tx) => suspend(tx, accountId, options.reason ?? null))
        notifyOfSuspension(runtime.wake, accountId)
        printer.result({ account_id: accountId, state: 'suspended' }, `account ${accountId} "${name}" is suspended`)
      }),
    )
  account
    .command('resume')
    .description('end the suspension of an account; its work continues where it stopped')
    .argument('<account>', 'name or id')
    .option('--json', 'print one JSON object')
    .action((text: string, options: { json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { accountId, name } = await accountNamed(runtime.db, text)
        const wasSuspended = await inTransaction(runtime.db, (tx) => resumeAccount(tx, accountId))
        notifyOfSuspension(runtime.wake, accountId)
        printer.result(
          { account_id: accountId, state: 'active' },
          wasSuspended ? `account ${accountId} "${name}" goes on` : `account ${accountId} "${name}" was not suspended`,
        )
      }),
    )
}
