import type { Command } from 'commander'
import { resolve } from 'node:path'
import { importAccount, type ImportedAccount } from '../../archive/import.ts'
import { asError } from '../../platform/errors.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { EXIT_INCOMPLETE } from '../console/exit-codes.ts'
import { withRuntime, type CommandContext } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'

/** `shelfwire account import`. */
export function accountImportCommands(account: Command): void {
  account
    .command('import')
    .description('create an account from an archive that account export has written (docs/account-archive.md)')
    .argument('<path>', 'a file that ends with .tar, .tar.gz or .tgz, or a directory')
    .option('--name <name>', 'name of the new account (default: the name in the archive)')
    .option('--json', 'print one JSON object')
    .action((path: string, options: { name?: string; json?: true }) =>
      withRuntime(options, async (context) => {
        const { printer } = context
        const { shelf, wake } = context.runtime
        const imported = await importShowing(context, resolve(path), options.name ?? null)
        faultPoint('archive:after-commit')
        const { accountId, name, from, rows, pictures, toSet } = imported
        // printed before the products are computed: the account exists by now, and a second import would create another one
        printer.result(
          { account_id: accountId, name, from, rows, pictures, to_set: toSet },
          [
            `account ${accountId} "${name}" is there: ${rows} rows and ${pictures.stored} pictures of account ${from.accountId} as of ${from.exportedAt}`,
            ...linesOf(imported),
          ].join('\n'),
        )
        if (imported.picturesFault !== null)
          report(
            accountId,
            imported.picturesFault,
            'whether all of its pictures are stored is not known: run shelfwire images check --repair',
          )
        // if this process ends before everything is shelved, the service continues
        wake.notify('mark', accountId)
        using progress = printer.progress('Computing')
        try {
          await shelf.drain(accountId, ({ products }) =>
            progress.update(products, imported.products, 'products computed'),
          )
        } catch (error) {
          report(accountId, error, 'its products are not all computed yet: the service computes them while it runs')
        }
      }),
    )
}

/** Imports the archive, with a progress bar that has ended when this returns. */
async function importShowing(
  { runtime, printer }: CommandContext,
  path: string,
  name: string | null,
): Promise<ImportedAccount> {
  const { db, seal, imageStore, decoders } = runtime
  const { unfinished } = runtime.imports
  const { imageStoreBytesMax } = runtime.settings
  using progress = printer.progress('Importing')
  return await importAccount(
    { db, seal, imageStore, decoders, unfinished, imageStoreBytesMax },
    path,
    name,
    (done, total, of) => progress.update(done, total, of),
  )
}

/** Reports a failure after the account was imported, and what is left to do. */
function report(accountId: number, failure: unknown, what: string): void {
  const around = terminal()
  around.stderr.write(
    `shelfwire: account ${accountId} is imported; do not import the archive again, which would create a second account. However, ${what} (${asError(failure).message})\n`,
  )
  around.exitCode = EXIT_INCOMPLETE
}

/** Lines for what the owner has to do by hand. */
function linesOf({ accountId, pictures, toSet }: ImportedAccount): string[] {
  const of = `--account ${accountId}`
  const list = (title: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : [title, ...entries.map((entry) => `  ${entry}`)]
  return [
    ...(pictures.missing === 0
      ? []
      : [`${pictures.missing} pictures are not in the archive, and are fetched again where they have a source`]),
    ...list(
      `tokens are made anew (shelfwire token create ${of}):`,
      toSet.tokens.map(({ name, access }) => `${access} ${JSON.stringify(name)}`),
    ),
    ...list(
      `endpoints are disabled and have new secrets: shelfwire endpoint rotate ${of} --endpoint ID --leaked shows one, endpoint enable begins to deliver:`,
      toSet.endpoints.map(({ endpoint_id: id, url }) => `${id} ${url}`),
    ),
    ...list(
      `sources are paused: shelfwire source edit ${of} --supplier CODE --source NAME --active, with --credentials FILE where they need some:`,
      toSet.sources.map(
        ({ supplier, name, needs_credentials: needs }) =>
          `${supplier} ${JSON.stringify(name)}${needs ? ', needs credentials' : ''}`,
      ),
    ),
    ...list(
      'channel files have new addresses, which the panel shows when they are made anew:',
      toSet.channel_files.map(({ channel_id: id, name }) => `${id} ${JSON.stringify(name)}`),
    ),
    ...list(
      `channels for notices are paused: shelfwire notice-channel edit ${of} ID --url FILE --no-paused:`,
      toSet.notice_channels.map(({ name, kind }) => `${kind} ${JSON.stringify(name)}`),
    ),
    ...list(
      `members cannot sign in until each has a link (shelfwire member list ${of}, then member link ${of} --member ID):`,
      toSet.members.map(({ email, role }) => `${role} ${email}`),
    ),
  ]
}
