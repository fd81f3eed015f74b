import type { Command } from 'commander'
import { BUDGET_NAMES, budgetOf, isBudgetName, type BudgetName } from '../../../contract/account-limits.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { setLimit, unsetLimit } from '../../accounts/limits/limits.ts'
import { countUse } from '../../accounts/limits/use.ts'
import { inTransaction } from '../../db/sql.ts'
import { accountLimits, limitMembers, type AccountLimit } from '../../overview/account-limits.ts'
import { readAmount } from '../../platform/limits/account-limits.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Runtime } from '../../runtime.ts'
import { withAccountOptions } from './accounts.ts'
import { withRuntime } from '../console/run.ts'
import type { Common } from '../console/write.ts'

function budgetArgument(text: string): BudgetName {
  if (isBudgetName(text)) return text
  throw new ShelfwireError('invalid-input', `there is no budget "${text}": ${BUDGET_NAMES.join(', ')}`)
}

function amountArgument(text: string): number | null {
  const amount = readAmount(text)
  if (amount !== undefined) return amount
  throw new ShelfwireError('invalid-input', `a limit is a whole number, or none, not "${text}"`)
}

const shown = (amount: number | null) => (amount === null ? 'none' : String(amount))

function line({ budget, used, limit, isSet, isNear }: AccountLimit): string {
  const { kind, per, unit } = budgetOf(budget)
  const of = kind === 'concurrent' ? 'at once' : per === undefined ? unit : `${per === 'hour' ? 'an' : 'a'} ${per}`
  return [budget, used, shown(limit), of, isSet ? 'set for the account' : 'default', isNear ? 'nearly used up' : '']
    .join('\t')
    .trimEnd()
}

/** `shelfwire account limits`: the budgets of an account. */
export function accountLimitCommands(account: Command): void {
  const limits = account.command('limits').description('budgets of an account: how much it may have and do')
  const changed = async (runtime: Runtime, accountId: number, budget: BudgetName) => {
    // processes cache limits for a moment
    runtime.wake.notify('directory', accountId)
    const row = (await accountLimits(runtime.db, accountId, 0)).find((each) => each.budget === budget)
    if (row === undefined) throw new Error('every budget is listed')
    return row
  }

  withAccountOptions(limits.command('list').description('list the budgets with their use and their limits')).action(
    (options: Common) =>
      withRuntime(options, async ({ runtime, printer }) => {
        await requireAccount(runtime, options.account)
        const rows = await accountLimits(runtime.db, options.account, 0)
        printer.result({ limits: rows.map(limitMembers) }, rows.map(line).join('\n'))
      }),
  )
  withAccountOptions(
    limits
      .command('set')
      .description('set a limit for the account; it takes effect within seconds')
      .argument('<budget>', 'as the list names it', budgetArgument)
      .argument('<amount>', 'a whole number, or none', amountArgument),
  ).action((budget: BudgetName, amount: number | null, options: Common) =>
    withRuntime(options, async ({ runtime, printer }) => {
      await inTransaction(runtime.db, (tx) => setLimit(tx, options.account, { budget, amount }))
      const row = await changed(runtime, options.account, budget)
      printer.result(limitMembers(row), `${budget} of account ${options.account}: ${row.used} of ${shown(row.limit)}`)
    }),
  )
  withAccountOptions(
    limits
      .command('unset')
      .description('delete the account’s own limit, so that the default applies again')
      .argument('<budget>', 'as the list names it', budgetArgument),
  ).action((budget: BudgetName, options: Common) =>
    withRuntime(options, async ({ runtime, printer }) => {
      await inTransaction(runtime.db, (tx) => unsetLimit(tx, options.account, budget))
      const row = await changed(runtime, options.account, budget)
      printer.result(
        limitMembers(row),
        `${budget} of account ${options.account}: ${row.used} of ${shown(row.limit)}, the default`,
      )
    }),
  )
  withAccountOptions(
    limits
      .command('count')
      .description('count what the account has, and correct the recorded use; done automatically once a day'),
  ).action((options: Common) =>
    withRuntime(options, async ({ runtime, printer }) => {
      await requireAccount(runtime, options.account)
      const corrected = await countUse(runtime.db, options.account)
      const lines = Object.entries(corrected).map(([budget, by]) => `${budget}\t${by > 0 ? '+' : ''}${by}`)
      printer.result({ corrected }, lines.length === 0 ? 'everything was right' : lines.join('\n'))
    }),
  )
}

async function requireAccount({ db }: Runtime, accountId: number): Promise<void> {
  if ((await accountGet(db, accountId)) === undefined)
    throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
}
