import type { Command } from 'commander'
import { inTransaction } from '../../db/sql.ts'
import { cancelOperation } from '../../operations/operations.ts'
import { operationGet, operationsAfter, type OperationRow } from '../../operations/operations.sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { operationMembers } from '../../serve/account/operations/operation-members.ts'
import { withAccountOptions } from './accounts.ts'
import { withRuntime } from '../console/run.ts'
import { idNumber, wholeNumber, type Common } from '../console/write.ts'

/** Bulks, deletions and previews of an account, as `/v1/account/operations` shows them to holders of its token. */
export function accountOperationCommands(program: Command): void {
  const operation = program
    .command('operation')
    .description('work that continues after its request: large bulks, deletions, previews of all products')
  withAccountOptions(operation.command('list').description('list operations, newest first'))
    .option('--limit <number>', 'maximum number of operations', (text) => wholeNumber('--limit', text), 20)
    .action((options: Common & { limit: number }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const limit = Math.min(Math.max(1, options.limit), LIMITS.perPageMax)
        const rows = await operationsAfter(runtime.db, options.account, null, limit)
        printer.result(
          { operations: rows.map(operationMembers) },
          rows.length === 0 ? 'no operations' : rows.map(line).join('\n'),
        )
      }),
    )
  withAccountOptions(operation.command('cancel').description('cancel a bulk or a preview; what it has written stays'))
    .argument('<operation_id>', 'operation, as shown by operation list')
    .action((text: string, options: Common) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const operationId = idNumber('operation_id', text)
        const row = await inTransaction(runtime.db, async (tx) => {
          await cancelOperation(tx, options.account, operationId)
          return must(await operationGet(tx, options.account, operationId))
        })
        printer.result({ operation: operationMembers(row) }, line(row))
      }),
    )
}

function line(row: OperationRow): string {
  const { operationId, kind, state, done, total, failed, message } = row
  const of = total === null ? `${done}` : `${done} of ${total}`
  const more = [...(failed > 0 ? [`${failed} refused`] : []), ...(message === null ? [] : [message])]
  return [operationId, formatTimestamp(row.createdAt), kind, state, [of, ...more].join(', ')].join('\t')
}
