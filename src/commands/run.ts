import { openLog, type Log } from '../ground/log.ts'
import { readSettings } from '../ground/settings.ts'
import { openHouse, type House } from '../house.ts'
import { openPrinter, type Printer } from './print.ts'

export interface CommandContext {
  house: House
  printer: Printer
}

/** Opens the house for one command, runs it, and closes the house whatever happens. */
export async function withHouse(isJson: boolean | undefined, command: (context: CommandContext) => Promise<void>): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  await using house = await openHouse(settings, log)
  await command({ house, printer: openPrinter(isJson ?? false) })
}

/** Settings and log of this process; commands that end are quiet unless LOG_LEVEL says otherwise. */
export function readEnvironment(quietLevel?: 'warn'): { settings: ReturnType<typeof readSettings>; log: Log } {
  const settings = readSettings(process.env)
  const isGiven = process.env['LOG_LEVEL'] !== undefined && process.env['LOG_LEVEL'] !== ''
  return { settings, log: openLog(isGiven || quietLevel === undefined ? settings.logLevel : quietLevel) }
}
