import { readFileSync } from 'node:fs'
import { asError, ShelfwireError } from './platform/errors.ts'
import { buildProgram } from './commands/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

try {
  await buildProgram(version).parseAsync(process.argv)
} catch (thrown) {
  const error = asError(thrown)
  // an error of ours says what to do; anything else is a fault of ours and shows where it happened
  const text = error instanceof ShelfwireError ? `shelfwire: ${error.message}` : (error.stack ?? error.message)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
