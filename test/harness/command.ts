import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const SHELFWIRE = fileURLToPath(new URL('../../bin/shelfwire.mjs', import.meta.url))

export interface Ended {
  code: number | null
  out: string
  err: string
}

/** The command line on one database, each command in a process of its own. */
export interface Commands {
  start(args: readonly string[], env?: Record<string, string>): ChildProcessWithoutNullStreams
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Ended>
  /** Runs with --json; checks the exit code (0) and that exactly one JSON object was printed, which it returns. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json(args: readonly string[], options?: { input?: string; code?: number }): Promise<any>
  /** Runs a command that must fail with exit code 1; returns its message. */
  refusal(args: readonly string[], env?: Record<string, string>): Promise<string>
}

export function openCommands(databaseUrl: string, directory: string): Commands {
  const start: Commands['start'] = (args, env = {}) =>
    spawn(process.execPath, [SHELFWIRE, ...args], {
      // the processes share a compile cache, which halves their start-up time
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: join(directory, 'compiled'),
        DATABASE_URL: databaseUrl,
        DATA_DIR: directory,
        ...env,
      },
      stdio: 'pipe',
    })
  const run: Commands['run'] = async (args, { input = '', env = {} } = {}) => {
    const child = start(args, env)
    const ended: Ended = { code: null, out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.err += text))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [code] = (await once(child, 'close')) as [number | null]
    return { ...ended, code }
  }
  return {
    start,
    run,
    async json(args, options = {}) {
      const { code, out, err } = await run([...args, '--json'], options)
      expect({ code, err }).toEqual({ code: options.code ?? 0, err: '' })
      expect(out).toMatch(/^\{.*\}\n$/)
      return JSON.parse(out)
    },
    async refusal(args, env = {}) {
      const { code, out, err } = await run(args, { env })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      // neither a stack trace nor an error of the database
      expect(err).not.toMatch(/\n\s+at |node_modules|PostgresError/)
      return err.trim()
    },
  }
}
