import { asError, HouseError } from '../ground/errors.ts'
import { openLog, type Log } from '../ground/log.ts'
import { readSettings, type Settings } from '../ground/settings.ts'
import { openHouse, type House } from '../house.ts'
import { DEMO_ALLOW, hasDemo } from './demo-note.ts'
import { openPrinter, type Printer } from './print.ts'

export interface CommandContext {
  house: House
  printer: Printer
}

/** Opens the house for one command, runs it, and closes the house whatever happens. */
export async function withHouse(isJson: boolean | undefined, command: (context: CommandContext) => Promise<void>): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  // what the demo's service may reach may be registered beside it; what is sent is judged by the service's own setting
  const isUnset = (process.env['OUTBOUND_ALLOW'] ?? '') === ''
  if (isUnset && hasDemo(settings.dataDir)) settings.outboundAllow = DEMO_ALLOW.split(',')
  await using house = await enterHouse(settings, log)
  await command({ house, printer: openPrinter(isJson ?? false) })
}

/** What a driver says when there is no getting in: the network, the credentials, the database's name, no room left. */
const NO_ENTRY = /^(?:E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_[A-Z]+|28[0-9A-Z]{3}|3D000|53300|57P03)$/

/** Opens the house; a database given by DATABASE_URL that cannot be reached is said in words. */
export async function enterHouse(settings: Settings, log: Log): Promise<House> {
  try {
    return await openHouse(settings, log)
  } catch (thrown) {
    const error = asError(thrown)
    const code = 'code' in error ? String(error.code) : ''
    if (settings.databaseUrl === null || error instanceof HouseError || !NO_ENTRY.test(code)) throw error
    throw new HouseError('database-unusable', `the database that DATABASE_URL names cannot be reached: ${error.message || code}`, { cause: error })
  }
}

/** Settings and log of this process; commands that end are quiet unless LOG_LEVEL says otherwise. */
export function readEnvironment(quietLevel?: 'warn'): { settings: Settings; log: Log } {
  const settings = readSettings(process.env)
  const isGiven = process.env['LOG_LEVEL'] !== undefined && process.env['LOG_LEVEL'] !== ''
  return { settings, log: openLog(isGiven || quietLevel === undefined ? settings.logLevel : quietLevel) }
}
