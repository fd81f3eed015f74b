import { asError, ShelfwireError } from './platform/errors.ts'
import { packageVersion } from './platform/package.ts'
import { buildProgram } from './commands/program.ts'

try {
  await buildProgram(packageVersion()).parseAsync(process.argv)
} catch (thrown) {
  const error = asError(thrown)
  // an error of ours says what to do; anything else is a fault of ours and shows where it happened
  const text = error instanceof ShelfwireError ? `shelfwire: ${error.message}` : (error.stack ?? error.message)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
