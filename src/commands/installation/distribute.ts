import type { Command } from 'commander'
import { distribute } from '../../db/distribution/distribute.ts'
import { withRuntime } from '../console/run.ts'
import { wholeNumber } from '../console/write.ts'

export function distributeCommand(program: Command): void {
  program
    .command('distribute')
    .description('distribute the tables over the nodes of a Citus cluster (docs/scaling.md); may be repeated')
    .option(
      '--shards <number>',
      'shards per table, at the first run (default: the server’s citus.shard_count)',
      (text) => wholeNumber('--shards', text),
    )
    .option('--json', 'print one JSON object')
    .action((options: { shards?: number; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        using progress = printer.progress('Distributing')
        const done = await distribute(runtime.db, { shards: options.shards ?? null }, (...step) =>
          progress.update(...step),
        )
        const count = done.byAccount.length + done.reference.length
        printer.result(
          { ...done },
          count === 0
            ? `nothing to do: ${done.unchanged} tables are distributed over ${done.workers} workers`
            : `${count} tables distributed over ${done.workers} workers, ${done.reference.length} of them copied to every node`,
        )
      }),
    )
}
