import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// The command line of the client in a process of its own, as `npx @shelfwire/client` starts it.

const MAIN = fileURLToPath(new URL('../../client/src/command/main.ts', import.meta.url))

export interface Ended {
  code: number | null
  out: string
  err: string
}

export interface Running {
  process: ChildProcess
  ended: Promise<Ended>
  /** What it has printed on standard output so far. */
  out(): string
}

/** Settings of the command line: `SHELFWIRE_URL` and so on. */
export type Env = Readonly<Record<string, string>>

/** Starts the command line of the client. @param main the file of another build */
export const startClient = (args: readonly string[], env: Env = {}, node = process.execPath, main = MAIN): Running =>
  startCommand(node, [main, ...args], env)

/** Starts a program with these environment variables and PATH only. */
export function startCommand(program: string, args: readonly string[], env: Env): Running {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })))
  return { process: child, ended, out: () => out }
}

export const runClient = (args: readonly string[], env: Env = {}): Promise<Ended> => startClient(args, env).ended

/** The objects that a command printed with --json, one per line. */
export const objects = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** The position of a store in a mirror's directory. */
export const positionIn = (directory: string, store: string): Promise<string> =>
  readFile(join(directory, store, 'position'), 'utf8').catch(() => '')
