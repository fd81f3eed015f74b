import { accountGet } from '../../accounts/accounts.sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { openLog, type Log } from '../../platform/log.ts'
import { readSettings, type Settings } from '../../platform/settings/settings.ts'
import { openRuntime, type Runtime } from '../../runtime.ts'
import { DEMO_ALLOW, hasDemo } from './demo-note.ts'
import { openPrinter, type Printer } from './print.ts'
import { isOwnProcess, terminal } from './terminal.ts'

export interface CommandContext {
  runtime: Runtime
  printer: Printer
}

/**
 * Opens the runtime, runs one command with it, and closes it.
 * @param options of the command line; `account` must exist.
 * @throws ShelfwireError unknown-account
 */
export async function withRuntime(
  options: { json?: true; account?: number },
  command: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  // with a demo, endpoints on this machine may be registered; what may be sent depends on the service's own setting
  const isUnset = (terminal().env['OUTBOUND_ALLOW'] ?? '') === ''
  if (isUnset && hasDemo(settings.dataDir)) settings.outboundAllow = DEMO_ALLOW.split(',')
  await using runtime = await enterRuntime(settings, log)
  const { account, json: isJson = false } = options
  // checked here for all commands, most of which would print empty lists for an account that does not exist
  if (account !== undefined && (await accountGet(runtime.db, account)) === undefined)
    throw new ShelfwireError(
      'unknown-account',
      `there is no account ${account}; shelfwire account list shows the accounts, and shelfwire account create makes one`,
    )
  await command({ runtime, printer: openPrinter(isJson) })
}

/**
 * Error codes of a database that cannot be reached: network, credentials, unknown database, too many connections, a setting that a pooler refuses.
 */
const NO_ENTRY = /^(?:E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_[A-Z]+|28[0-9A-Z]{3}|3D000|53300|57P03|08P01)$/

/** Opens the runtime. @throws ShelfwireError `database-unusable` when the database of DATABASE_URL cannot be reached */
export async function enterRuntime(settings: Settings, log: Log): Promise<Runtime> {
  try {
    return await openRuntime(settings, log)
  } catch (thrown) {
    const error = asError(thrown)
    const code = 'code' in error ? String(error.code) : ''
    if (settings.databaseUrl === null || error instanceof ShelfwireError || !NO_ENTRY.test(code)) throw error
    throw new ShelfwireError(
      'database-unusable',
      `the database that ${settings.databaseDirectUrl === null ? 'DATABASE_URL names' : 'DATABASE_URL and DATABASE_DIRECT_URL name'} cannot be reached: ${error.message || code}`,
      { cause: error },
    )
  }
}

/** Reads the settings and opens the log of this command line. @param quietLevel the log level of short commands when LOG_LEVEL is not set */
export function readEnvironment(quietLevel?: 'warn'): { settings: Settings; log: Log } {
  const { env, stderr } = terminal()
  const settings = readSettings(env)
  const isGiven = env['LOG_LEVEL'] !== undefined && env['LOG_LEVEL'] !== ''
  const level = isGiven || quietLevel === undefined ? settings.logLevel : quietLevel
  return { settings, log: isOwnProcess() ? openLog(level) : openLog(level, stderr) }
}
