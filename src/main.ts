import { readFileSync } from 'node:fs'
import { asError, ShelfwireError } from './platform/errors.ts'
import { buildProgram } from './commands/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

try {
  await buildProgram(version).parseAsync(process.argv)
} catch (thrown) {
  const error = asError(thrown)
  // a ShelfwireError says what to do; anything else is a bug and shows its stack
  const text = error instanceof ShelfwireError ? `shelfwire: ${error.message}` : (error.stack ?? error.message)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
