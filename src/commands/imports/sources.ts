import type { Command } from 'commander'
import { LIMITS } from '../../platform/limits.ts'
import { PRESETS } from '../../supplier-files/presets/presets.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import type { SourceAction, SourceOptions } from './source-actions.ts'
import { wholeNumber } from '../console/write.ts'

const MINUTES = `${LIMITS.sourceEveryMinutesMin} to ${LIMITS.sourceEveryMinutesMax}`

/** Commands for the sources of a supplier's files. */
export function sourceCommands(program: Command): void {
  const source = program
    .command('source')
    .description('where the files of suppliers come from, and when they are fetched')
  const one = (name: string, description: string) =>
    withAccountOptions(source.command(name).description(description))
      .requiredOption('--supplier <code>', 'code of the supplier')
      .requiredOption('--source <name>', 'name of the source')
  // imported lazily: the checks of mappings are half of the modules that every command would have to load
  const act = (command: Command, action: SourceAction) =>
    command.action(async (options: SourceOptions) => (await import('./source-actions.ts')).ACTIONS[action](options))

  act(withSettings(one('create', 'add a source')), 'create')
  act(
    withAccountOptions(
      source.command('list').description('list the sources of an account, or of one of its suppliers'),
    ).option('--supplier <code>', 'code of the supplier'),
    'list',
  )
  act(one('show', 'show a source as it is set, when it is fetched next, and why it failed'), 'show')
  act(
    withSettings(one('edit', 'change the given settings of a source'))
      .option('--full', 'the file has all offers of the supplier')
      .option('--no-schedule', 'fetch it only on request')
      .option('--no-credentials', 'forget the credentials')
      .option('--forget-host-key', 'forget the stored key, and store the one that the server shows next')
      .option('--active', 'fetch it by its schedule again')
      .option('--no-active', 'do not fetch it by its schedule'),
    'edit',
  )
  act(one('delete', 'delete a source; what was imported stays'), 'delete')
  act(
    one('run', 'have a running service fetch and import a source now')
      .option('--dry-run', 'check and report, write nothing')
      .option('--confirm', 'import it even if it exceeds the thresholds of the supplier'),
    'run',
  )
  act(one('test', 'connect, read the beginning of the file and report what was found; writes nothing'), 'test')
}

function withSettings(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'https://…, sftp://…, ftp://…, ftps://… or ftpes://…; except with HTTP, the name of the file may contain a *',
    )
    .option('--path <path>', 'a file below IMPORT_DIR, such as north/*.csv, instead of --url')
    .option('--upload', 'nothing is fetched: the source only has the mapping for files that are sent')
    .option(
      '--credentials <file>',
      'a JSON file, or - for standard input, such as {"kind": "basic", "username": "shop", "password": "…"}; kinds: basic, bearer, header, password, key',
    )
    .option(
      '--host-key <fingerprint>',
      'key that an SFTP server must have; by default, the key of the first connection is stored',
    )
    .option('--mapping <file>', `a mapping file, or one of: ${Object.keys(PRESETS).join(', ')}`)
    .option('--image-base-url <url>', 'base URL of relative image paths')
    .option('--locale <tag>', 'locale of titles and descriptions')
    .option('--delta', 'the file has only changed offers; all others stay as they are')
    .option('--cron <expression>', 'when it is fetched, such as "30 5 * * 1-6"')
    .option('--time-zone <name>', 'of --cron (default: the account’s)')
    .option('--every <minutes>', `fetch it at this interval, ${MINUTES} minutes`, (text) =>
      wholeNumber('--every', text),
    )
}
