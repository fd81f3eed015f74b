import { Command } from 'commander'
import { ROLES } from '../runtime.ts'
import { accountCommands } from './accounts.ts'
import { catalogCommands } from './catalog.ts'
import { endpointCommands } from './endpoints.ts'
import { importCommand } from './import.ts'
import { listenCommand } from './listen.ts'
import { memberCommands } from './members.ts'
import { noticesCommand } from './notices.ts'
import { operationCommands } from './operations.ts'
import { productCommands } from './products.ts'
import { ruleCommands } from './rules.ts'
import { parseRoles, serve } from './serve.ts'

/** The command line. */
export function buildProgram(version: string): Command {
  const program = new Command('shelfwire')
    .description('A store-ready catalog over HTTP, with a change feed that loses nothing and signed webhooks.')
    .version(version)
    .showHelpAfterError('(shelfwire --help lists the commands)')
  program
    .command('start')
    .description('run everything in one process, with a demo account at the first start')
    .action(async () => (await import('./start.ts')).start())
  program
    .command('serve')
    .description('run the service')
    .option('--roles <roles>', `comma-separated, of ${ROLES.join(', ')}`, ROLES.join(','))
    .action((options: { roles: string }) => serve(parseRoles(options.roles)))
  accountCommands(program)
  catalogCommands(program)
  ruleCommands(program)
  productCommands(program)
  importCommand(program)
  endpointCommands(program)
  memberCommands(program)
  noticesCommand(program)
  operationCommands(program)
  listenCommand(program)
  return program
}
