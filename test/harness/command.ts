import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { runCommandLine } from '../../src/commands/program.ts'
import { atTerminal } from '../../src/commands/console/terminal.ts'
import { COMPILE_CACHE } from './child-process.ts'

const SHELFWIRE = fileURLToPath(new URL('../../bin/shelfwire.mjs', import.meta.url))

export interface Ended {
  code: number | null
  out: string
  err: string
}

interface RunOptions {
  /** The text on standard input. */
  input?: string
  env?: Record<string, string>
}

/** Arguments: one by one, or as one text where none of them has a blank. */
type Arguments = string | readonly string[]

const words = (args: Arguments) => (typeof args === 'string' ? args.split(' ') : args)

/** The command line on one database. */
export interface Commands {
  /** Starts a process of its own by the launcher, as a user's shell does; for commands that keep running, and for signals. */
  start(args: Arguments, env?: Record<string, string>): ChildProcessWithoutNullStreams
  /** Runs a command to its end as a process of its own. It takes 0.4 s; `run` takes a tenth of that. */
  runProcess(args: Arguments, options?: RunOptions): Promise<Ended>
  /** Runs a command to its end within this process. Several may run at a time. */
  run(args: Arguments, options?: RunOptions): Promise<Ended>
  /** Runs with --json; checks the exit code, and that it printed exactly one JSON object and nothing else. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json(args: Arguments, options?: { input?: string; code?: number }): Promise<any>
  /** Runs a command that must fail, with exit code 1 unless another is given; returns its message. */
  refusal(args: Arguments, env?: Record<string, string>, code?: number): Promise<string>
}

/** @param database its URL is read when a command is run */
export function openCommands(database: { url: string }, directory: string): Commands {
  const ofDatabase = () => ({ PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: directory })
  const start: Commands['start'] = (args, env = {}) =>
    spawn(process.execPath, [SHELFWIRE, ...words(args)], {
      // the compile cache halves the time of a start
      env: { ...ofDatabase(), ...COMPILE_CACHE, ...env },
      stdio: 'pipe',
    })
  const runProcess: Commands['run'] = async (args, { input = '', env = {} } = {}) => {
    const child = start(args, env)
    const ended: Ended = { code: null, out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.err += text))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [code] = (await once(child, 'close')) as [number | null]
    return { ...ended, code }
  }
  const run: Commands['run'] = async (args, { input = '', env = {} } = {}) => {
    const [out, err] = [collector(), collector()]
    const code = await atTerminal(
      {
        env: { ...ofDatabase(), ...env },
        stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
        stdout: out.stream,
        stderr: err.stream,
        exitCode: 0,
      },
      () => runCommandLine(words(args)),
    )
    return { code, out: out.text(), err: err.text() }
  }
  return {
    start,
    runProcess,
    run,
    async json(args, options = {}) {
      const { code, out, err } = await run([...words(args), '--json'], options)
      expect({ code, err }).toEqual({ code: options.code ?? 0, err: '' })
      expect(out).toMatch(/^\{.*\}\n$/)
      return JSON.parse(out)
    },
    async refusal(args, env = {}, expected = 1) {
      const { code, out, err } = await run(args, { env })
      expect({ code, out }).toEqual({ code: expected, out: '' })
      // neither a stack trace nor an error of the database
      expect(err).not.toMatch(/\n\s+at |node_modules|PostgresError/)
      return err.trim()
    },
  }
}

/** A stream that keeps what is written to it. */
function collector(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
