import { Command, CommanderError } from 'commander'
import { failureOf } from '../db/connections/connection-errors.ts'
import { ImportExceeded } from '../imports/exceeded.ts'
import { asError, ShelfwireError, unreachable, type ErrorCode, type Fault } from '../platform/errors.ts'
import { isFileFault } from '../platform/files/file-faults.ts'
import { packageVersion } from '../platform/process/package.ts'
import { ROLES } from '../service.ts'
import { must } from '../platform/must.ts'
import { accountLimitCommands } from './accounts/account-limits.ts'
import { accountErasureCommands } from './accounts/account-erasure.ts'
import { accountLogCommands } from './accounts/account-logs.ts'
import { accountOperationCommands } from './accounts/account-operations.ts'
import { accountExportCommands } from './accounts/account-export.ts'
import { accountImportCommands } from './accounts/account-import.ts'
import { accountSuspensionCommands } from './accounts/account-suspension.ts'
import { accountCommands } from './accounts/accounts.ts'
import { backupCommands } from './installation/backup.ts'
import { shipLogCommands } from './installation/ship-log.ts'
import { catalogCommands } from './catalog/catalog.ts'
import { resourceCommands } from './resources/resources.ts'
import { distributeCommand } from './installation/distribute.ts'
import { doctorCommand } from './installation/doctor.ts'
import { endpointCommands } from './webhooks/endpoints.ts'
import { exitCodeOf } from './console/exit-codes.ts'
import { imageCommands } from './catalog/images.ts'
import { importCommand } from './imports/import.ts'
import { importsCommands } from './imports/imports.ts'
import { sourceCommands } from './imports/sources.ts'
import { listenCommand } from './webhooks/listen.ts'
import { memberCommands } from './accounts/members.ts'
import { noticesCommand } from './accounts/notices.ts'
import { operationCommands } from './installation/operations.ts'
import { personCommands } from './accounts/person.ts'
import { productCommands } from './catalog/products.ts'
import { parseRoles, serve } from './service/serve.ts'
import { supportBundleCommand } from './support/support-bundle.ts'
import { terminal } from './console/terminal.ts'

/**
 * Runs one command line in the current terminal. Errors are printed on standard error, in one line if the user can fix
 * them; with --json also on standard output, as one object `{"error": {"code", "detail", "errors"}}`.
 * @param args without the names of Node and the script.
 * @returns the exit code.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const around = terminal()
  const printError = (error: ErrorOutput) => {
    if (args.includes('--json')) around.stdout.write(`${JSON.stringify({ error })}\n`)
  }
  try {
    await buildProgram().parseAsync(args, { from: 'user' })
    return around.exitCode
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      // commander has already printed help, version or the error in the arguments
      if (thrown.exitCode !== 0) printError(usageError(thrown))
      return thrown.exitCode
    }
    const error = databaseFault(thrown) ?? fileFault(thrown) ?? asError(thrown)
    // our own errors say what to do; any other error is a bug and is printed with its stack
    const isOurs = error instanceof ShelfwireError
    around.stderr.write(`${isOurs ? `shelfwire: ${error.message}` : (error.stack ?? error.message)}\n`)
    printError({
      code: isOurs ? error.code : 'internal',
      detail: error.message,
      errors: isOurs ? error.faults : [],
      ...(error instanceof ImportExceeded ? { excesses: error.excesses } : {}),
    })
    return isOurs ? exitCodeOf(error.code) : 1
  }
}

/** The member `error` that --json prints in place of a result; like the problems of the API. */
interface ErrorOutput {
  code: ErrorCode
  detail: string
  errors: readonly Fault[]
  /** With `import-refused`: the limits of the supplier that the file exceeds. */
  excesses?: ImportExceeded['excesses']
}

/** An error in the arguments: an option that is unknown, missing or malformed. */
function usageError({ message }: CommanderError): ErrorOutput {
  const detail = must(message.replace(/^error: /, '').split('\n', 1)[0])
  const name = /'(?:-\w, )?(--[\w-]+|<?[\w-]+>?)/.exec(detail)?.[1]
  return {
    code: 'invalid-input',
    detail,
    errors: name === undefined ? [] : [{ name: name.replaceAll(/[<>]/g, ''), reason: detail }],
  }
}

/** The message for a database failure, in one line; null for other errors. */
function databaseFault(thrown: unknown): ShelfwireError | null {
  const { message } = asError(thrown)
  const failure = failureOf(thrown)
  switch (failure) {
    case null:
      return null
    case 'read-only':
    case 'disk-full':
      return new ShelfwireError('writes-unavailable', `the database takes no writes: ${message}`)
    case 'commit-unknown':
      return new ShelfwireError(
        'database-unavailable',
        `what was to be written may have been or not: ${message}; look before you repeat the command`,
      )
    case 'connection':
    case 'cancelled':
    case 'shortage':
    case 'node':
      return new ShelfwireError('database-unavailable', `the database is not available: ${message}; try again later`)
    default:
      return unreachable(failure)
  }
}

/**
 * The message for a full or inaccessible place in the file system, in one line: Node's message names the operation and
 * the file.
 */
const fileFault = (thrown: unknown): ShelfwireError | null =>
  isFileFault(thrown) ? new ShelfwireError('invalid-input', thrown.message, { cause: thrown }) : null

/** Builds all commands. Their actions throw errors. @internal for tests */
export function buildProgram(): Command {
  const { stdout, stderr } = terminal()
  const program = new Command('shelfwire')
    .description('A store-ready catalog over HTTP, with a change feed that loses nothing and signed webhooks.')
    .version(packageVersion())
    .showHelpAfterError('(shelfwire --help lists the commands)')
    // before the commands are created, because they inherit both
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride()
  program
    .command('start')
    .description('run everything in one process, with a demo account at the first start')
    .action(async () => (await import('./service/start.ts')).start())
  program
    .command('serve')
    .description('run the service')
    .option('--roles <roles>', `comma-separated, of ${ROLES.join(', ')}`, ROLES.join(','))
    .action((options: { roles: string }) => serve(parseRoles(options.roles)))
  const account = accountCommands(program)
  accountLimitCommands(account)
  accountSuspensionCommands(account)
  accountErasureCommands(account)
  accountExportCommands(account)
  accountLogCommands(account)
  accountImportCommands(account)
  resourceCommands(program)
  catalogCommands(program)
  productCommands(program)
  imageCommands(program)
  importCommand(program)
  importsCommands(program)
  sourceCommands(program)
  endpointCommands(program)
  memberCommands(program)
  personCommands(program)
  noticesCommand(program)
  operationCommands(program)
  accountOperationCommands(program)
  listenCommand(program)
  distributeCommand(program)
  backupCommands(program)
  shipLogCommands(program)
  doctorCommand(program)
  supportBundleCommand(program)
  return program
}
