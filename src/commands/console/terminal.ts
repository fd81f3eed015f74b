import { AsyncLocalStorage } from 'node:async_hooks'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'

/** The environment of a command line: variables, streams, and its exit code. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable
  readonly stdout: Writable & { isTTY?: boolean }
  readonly stderr: Writable & { isTTY?: boolean }
  /** 0 until a command sets it. */
  exitCode: number
}

const ofProcess: Terminal = {
  env: process.env,
  // getters, because merely reading process.stdin opens it, which would keep the process alive
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  exitCode: 0,
}

// Not a parameter: it would have to be passed through every action of every command, and only tests need another value.
// Tests run hundreds of command lines in one process, several at a time, because a process for each takes 0.4 s.
const current = new AsyncLocalStorage<Terminal>()

/** The terminal of the running command line. */
export function terminal(): Terminal {
  return current.getStore() ?? ofProcess
}

/** Whether this process runs only this command line. */
export function isOwnProcess(): boolean {
  return terminal() === ofProcess
}

/** Runs `work` with `around` in place of this process's own environment. @internal for tests */
export function atTerminal<T>(around: Terminal, work: () => Promise<T>): Promise<T> {
  return current.run(around, work)
}
