import type { Command } from 'commander'
import type { Reader } from '../db/sql.ts'
import { ofAccount } from './accounts.ts'
import { withRuntime } from './run.ts'
import type { Common } from './write.ts'

/**
 * Adds the command `list` to a noun.
 * @param member of the JSON object that holds the rows.
 * @param columns of a row as text.
 */
export function listing<Row>(
  noun: Command,
  member: string,
  description: string,
  list: (reader: Reader, accountId: number) => PromiseLike<readonly Row[]>,
  columns: (row: Row) => readonly unknown[],
): void {
  ofAccount(noun.command('list').description(description)).action((options: Common) =>
    withRuntime(options, async ({ runtime, printer }) => {
      const rows = await list(runtime.db, options.account)
      printer.result(
        { [member]: [...rows] },
        rows.length === 0 ? `no ${member}` : rows.map((row) => columns(row).join('\t')).join('\n'),
      )
    }),
  )
}
