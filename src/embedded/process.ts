import { spawn } from 'node:child_process'
import { basename, parse } from 'node:path'
import { ShelfwireError } from '../platform/errors.ts'

const TOOL_OUTPUT_CHARS_MAX = 16_384
const QUOTED_LINES = 6

/** The user that the server runs as when it is not the user of this process. */
export interface RunAs {
  uid: number
  gid: number
  name: string
}

/** The environment of PostgreSQL's programs. It is built from scratch, so no PG* variable, locale or secret reaches them. */
export function toolEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' }
  for (const name of ['PATH', 'SystemRoot', 'TEMP', 'TMP']) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}

/** Options of spawn() for PostgreSQL's programs. The working directory is one that every user can access. */
export function toolOptions(runAs: RunAs | undefined): {
  cwd: string
  env: NodeJS.ProcessEnv
  windowsHide: true
  uid?: number
  gid?: number
} {
  const own = { cwd: parse(process.execPath).root, env: toolEnv(), windowsHide: true } as const
  return runAs === undefined ? own : { ...own, uid: runAs.uid, gid: runAs.gid }
}

/** Runs one of PostgreSQL's programs; resolves with its output, or rejects with an error that quotes it. */
export async function runTool(
  program: string,
  args: readonly string[],
  options: { runAs: RunAs | undefined; input?: string },
): Promise<string> {
  const name = basename(program)
  return await new Promise<string>((resolve, reject) => {
    const fail = (what: string, cause?: unknown) =>
      reject(new ShelfwireError('database-unusable', `${name} ${what}`, { cause }))
    const child = spawn(program, args, { ...toolOptions(options.runAs), stdio: ['pipe', 'pipe', 'pipe'] })
    let printed = ''
    const keep = (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-TOOL_OUTPUT_CHARS_MAX))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    // EPIPE when it ended before reading its input; the exit code tells more.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    child.on('error', (error) => fail(`could not be run${userSuffix(options.runAs)}: ${error.message}`, error))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(printed)
      else fail(`failed (${signal ?? `exit code ${code}`})${userSuffix(options.runAs)}: ${lastLines(printed)}`)
    })
  })
}

/** The end of a program's output, on one line, for an error message. */
export function lastLines(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.slice(-QUOTED_LINES).join(' | ') || '(it printed nothing)'
}

/** " as user x" for an error message; empty for the user of this process. */
export function userSuffix(runAs: RunAs | undefined): string {
  return runAs === undefined ? '' : ` as user ${runAs.name}`
}
