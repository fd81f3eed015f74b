import type { Command } from 'commander'
import { accountsList } from '../../accounts/accounts.sql.ts'
import { checkImages } from '../../images/unused/check.ts'
import { adoptCopies, type Adoption } from '../../images/adoption/adopt.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import { named, SUPPLIER } from '../console/named.ts'
import { withRuntime } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'
import type { Common } from '../console/write.ts'

export function imageCommands(program: Command): void {
  const images = program.command('images').description('stored pictures')
  withAccountOptions(
    images
      .command('adopt')
      .description('keep copies of pictures as the account’s own: they are not fetched again, and not left out')
      .option('--url <url>', 'a picture, as an offer or a product names it')
      .option('--supplier <code>', 'all pictures of a supplier whose source fails; see the findings')
      .option('--all', 'all pictures whose source fails'),
  ).action((options: Common & { url?: string; supplier?: string; all?: true }) => adopt(options))
  images
    .command('check')
    .description(
      'compare the stored pictures with those that accounts use; exit code 1 if any is lost. Unused ones are only counted: the service removes them',
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

async function adopt(options: Common & { url?: string; supplier?: string; all?: true }): Promise<void> {
  const { account, url, supplier, all } = options
  if ([url, supplier, all].filter((option) => option !== undefined).length !== 1)
    throw new ShelfwireError('invalid-input', 'give one of --url URL, --supplier CODE and --all')
  await withRuntime(options, async ({ runtime, printer }) => {
    const { db, writes } = runtime
    const adoption: Adoption =
      url !== undefined
        ? { url }
        : supplier !== undefined
          ? { supplierId: (await named(db, account, SUPPLIER, supplier)).supplierId }
          : 'all'
    let adopted = 0
    for (let isMore = true; isMore;) {
      const written = await writes.write(account, async (tx) => ({
        value: await adoptCopies(tx, account, adoption),
        productIds: [],
        isForAll: false,
      }))
      if (written.isReplay) break
      adopted += written.value.adopted
      isMore = written.value.isMore
    }
    printer.result(
      { adopted },
      adopted === 1 ? '1 picture is now the account’s own' : `${adopted} pictures are now the account’s own`,
    )
  })
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
