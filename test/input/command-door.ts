import { Readable, Writable } from 'node:stream'
import { buildProgram } from '../../src/commands/program.ts'
import { atTerminal } from '../../src/commands/console/terminal.ts'

/** Runs a command in this process with --json. @returns the printed object. @throws the error with which it refuses. */
export async function runCommand(databaseUrl: string, args: readonly string[]): Promise<Record<string, unknown>> {
  let out = ''
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      out += chunk.toString()
      done()
    },
  })
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
  const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  await atTerminal({ env, stdin: Readable.from([]), stdout, stderr, exitCode: 0 }, () =>
    buildProgram().parseAsync([...args, '--json'], { from: 'user' }),
  )
  return JSON.parse(out) as Record<string, unknown>
}
