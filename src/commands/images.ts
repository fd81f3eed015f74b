import type { Command } from 'commander'
import { accountsList } from '../accounts/accounts.sql.ts'
import { checkImages } from '../images/unused/check.ts'
import { withRuntime } from './run.ts'
import { terminal } from './terminal.ts'

export function imageCommands(program: Command): void {
  program
    .command('images')
    .description('stored pictures')
    .command('check')
    .description(
      'compare the stored pictures with what accounts use; exit code 1 if any is lost. What nobody uses is only counted: it is removed in time',
    )
    .option('--repair', 'show the originals of lost pictures, and fetch them again')
    .option('--json', 'print one JSON object')
    .action((options: { repair?: true; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { db, imageStore, wake } = runtime
        const accounts = await accountsList(db)
        using progress = printer.progress('Checking pictures')
        const check = await checkImages(
          db,
          imageStore,
          accounts.map(({ accountId }) => accountId),
          { repair: options.repair === true },
          (done) => progress.update(done, null),
        )
        if (options.repair === true && check.lostTotal > 0)
          for (const { accountId } of accounts) wake.notify('mark', accountId)
        const lines = [
          `${check.pictures} mirrored pictures, ${check.lostTotal} of them lost; ${check.stored} stored (${megabytes(check.storedBytes)}), ${check.unused} of them unused (${megabytes(check.unusedBytes)})`,
          ...check.lost.map(
            ({ accountId, url, what, repair }) =>
              `  account ${accountId}: ${url}: ${what}${repair === 'none' ? '' : `; ${repair === 'dead' ? 'left out, because only its owner can upload it again' : repair}`}`,
          ),
        ]
        printer.result({ ...check }, lines.join('\n'))
        if (check.lostTotal > 0) terminal().exitCode = 1
      }),
    )
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
