#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { COMMANDS } from './commands.ts'
import { EXIT, failureOf, usage } from './failure.ts'
import { addressOf } from './options.ts'
import { Output } from './output.ts'

// The command line of the package: `npx @shelfwire/client mirror …`.

const HELP = `Usage: shelfwire-client COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

  shelfwire-client COMMAND --help says what a command takes.

Exit codes: 0 done; 1 a mirror is not equal, or a receiver did not accept; 2 the command line is wrong; 3 the service does not answer now, try later;
4 the service refuses: token, address or store; 5 the file or directory cannot be used; 70 unexpected; 130 interrupted.
`

async function run(args: readonly string[], ending: AbortSignal): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP)
  if (name === '--version') return print(`${version()}\n`)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw usage(`the commands are ${Object.keys(COMMANDS).join(', ')}; see --help`)
  if (rest.includes('--help') || rest.includes('-h')) return print(`${command.help}\n`)
  return command.run(rest, ending)
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT.done
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return text
}

/** Aborted by the first signal that asks the process to end, or when standard output is closed. A second signal ends the process at once. */
function endingSignal(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (ending.signal.aborted) process.exit(EXIT.interrupted)
      ending.abort(new Error(signal))
    })
  process.stdout.on('error', () => ending.abort(new Error('standard output was closed')))
  return ending.signal
}

/** Hides the warning that `node:sqlite` is experimental, which some releases of Node print. */
function quietExperiments(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`)
  })
}

quietExperiments()
const args = process.argv.slice(2)
const ending = endingSignal()
try {
  process.exitCode = await run(args, ending)
} catch (error) {
  if (ending.aborted) process.exitCode = EXIT.interrupted
  else {
    const failure = failureOf(error, shownAddress())
    new Output(args.includes('--json')).failed(failure)
    process.exitCode = failure.exit
  }
}

/** The service's address for messages. An invalid --url is not repeated here: the failure's own message is about it. */
function shownAddress(): string {
  const at = args.findIndex((argument) => argument === '--url' || argument.startsWith('--url='))
  const given = at === -1 ? undefined : (/^--url=(.*)$/.exec(args[at] ?? '')?.[1] ?? args[at + 1])
  try {
    return addressOf(given)
  } catch {
    return 'the service'
  }
}
