import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'
import { asError, ShelfwireError } from '../errors.ts'
import type { Log } from '../log.ts'
import { must } from '../must.ts'
import { childEnvironment, childOptions, type ChildNeeds } from './child-environment.ts'

const RETRY_AFTER_SECONDS = 5
const LAST_WORDS_CHARACTERS = 2_000

/** How a program is started. */
interface StartOptions extends ChildNeeds {
  /** Command-line options of Node. */
  nodeArgs: readonly string[]
  /** Arguments of the program. */
  args?: readonly string[]
  /**
   * The first three descriptors and further pipes; the third one, standard error, is a pipe from which its last words are read. `ipc` is Node's
   * channel for messages.
   */
  stdio: readonly ['ignore' | 'pipe', 'ignore', 'pipe', ...('pipe' | 'ipc')[]]
}

/** A process that runs one of our programs. */
export interface Child {
  readonly process: ChildProcess
  readonly stderr: Socket
  /** The stream for a descriptor of the process that is a pipe. Its errors are ignored: the end of the process explains them. */
  pipe(descriptor: number): Socket
  /** The last characters that the process wrote to its standard error. */
  lastWords(): string
  /** Resolves when the process has ended and its pipes are closed, with the way it ended: a signal, `code 1`, or the message of an error. */
  readonly ended: Promise<string>
}

/**
 * Starts one of our programs (programFile) as a process, with pipes to it.
 * @throws ShelfwireError rate-limited if the system has no process or no pipes at the moment, because too many files are open; the log has the reason
 */
export function startChild(log: Log, program: string, { nodeArgs, args = [], stdio, ...needs }: StartOptions): Child {
  const logFailure = (error: unknown) => log.error({ err: asError(error), program }, 'a process could not be started')
  let child: ChildProcess
  try {
    child = spawn(process.execPath, [...childOptions(needs), ...nodeArgs, program, ...args], {
      env: childEnvironment(needs),
      stdio: [...stdio] satisfies StdioOptions,
    })
  } catch (error) {
    logFailure(error)
    throw noProcess()
  }
  if (child.pid === undefined) {
    // an event reports the reason later; without a listener it would end the service
    child.on('error', logFailure)
    // despite its type, `stdio` is undefined if no descriptors were left
    for (const pipe of (child.stdio as ChildProcess['stdio'] | undefined) ?? []) pipe?.destroy()
    if (child.connected) child.disconnect()
    throw noProcess()
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

/** The error while no process can be started, or one ends before its program has started. */
export const noProcess = () =>
  new ShelfwireError('rate-limited', 'the service cannot start another process at this moment; try again', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
