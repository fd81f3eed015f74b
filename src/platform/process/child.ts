import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'
import { asError, ShelfwireError } from '../errors.ts'
import type { Log } from '../log.ts'
import { must } from '../must.ts'
import { compileCacheEnv } from './compile-cache.ts'

const RETRY_AFTER_SECONDS = 5
const LAST_WORDS_CHARACTERS = 2_000

/** How a program is started. */
interface StartOptions {
  /** Options of Node. */
  nodeArgs: readonly string[]
  threads: number
  /** Of its first descriptors; the third one is a pipe, from which its last words come. */
  stdio: readonly ['ignore' | 'pipe', 'ignore', 'pipe', ...'pipe'[]]
  /** What it gets of the service's environment. */
  env?: NodeJS.ProcessEnv
}

/** A process that runs one of our programs. */
export interface Child {
  readonly process: ChildProcess
  readonly stderr: Socket
  /** What leads to a descriptor of its, which is a pipe. An error of it is nobody's: the end of the process says why. */
  pipe(descriptor: number): Socket
  /** The last of what it has written to its standard error. */
  lastWords(): string
  /** Settled when it has ended and its pipes are closed, with how: a signal, `code 1`, or the message of an error. */
  readonly ended: Promise<string>
}

/**
 * Starts one of our programs (programFile) as a process of its own, with pipes to it.
 * @throws ShelfwireError rate-limited where the system gives no process or no pipes at this moment, because too many files are open; the log has
 *   the reason
 */
export function startChild(log: Log, program: string, { nodeArgs, threads, stdio, env = {} }: StartOptions): Child {
  const noted = (error: unknown) => log.error({ err: asError(error), program }, 'a process could not be started')
  let child: ChildProcess
  try {
    child = spawn(process.execPath, [...nodeArgs, program], {
      // the service's environment is not passed on as a whole: it contains secrets
      env: {
        ...env,
        MALLOC_ARENA_MAX: '2',
        UV_THREADPOOL_SIZE: String(threads),
        NODE_NO_WARNINGS: '1',
        ...compileCacheEnv(),
      },
      stdio: [...stdio] satisfies StdioOptions,
    })
  } catch (error) {
    noted(error)
    throw refused()
  }
  if (child.pid === undefined) {
    // why is told by an event later; without a listener it would end the service
    child.on('error', noted)
    // whatever their type says: there are none where no descriptor was left for them
    for (const pipe of (child.stdio as ChildProcess['stdio'] | undefined) ?? []) pipe?.destroy()
    throw refused()
  }
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  for (const pipe of child.stdio) pipe?.on('error', () => {})
  let lastWords = ''
  const stderr = child.stderr as Socket
  stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS)))
  return {
    process: child,
    stderr,
    pipe: (descriptor) => must(child.stdio[descriptor]) as Socket,
    lastWords: () => lastWords,
    ended,
  }
}

const refused = () =>
  new ShelfwireError('rate-limited', 'the service cannot start another process at this moment; try again', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
