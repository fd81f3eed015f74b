import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** A process of a test that does the work given to it as its argument, in JSON. */
export interface TestProcess {
  process: ChildProcess & { stdout: Readable }
  /** Resolves when it has ended, with its exit code, signal and standard error. */
  ended: Promise<{ code: number | null; signal: string | null; said: string }>
  /** Asks it to end; resolves when it has. */
  stop(): Promise<void>
}

/**
 * Where compiled code is kept for the processes of tests: without it each strips the types of hundreds of files and compiles them, two
 * seconds of a processor.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/shelfwire-tests', import.meta.url)),
}

/** Node writes it at a regular end; most of these processes are killed. */
const KEEP_COMPILED =
  "--import=data:text/javascript,import{flushCompileCache}from'node:module';setTimeout(flushCompileCache,1500).unref()"

/** Programs that are bundled for the tests of a file (`bundleOfFile`), by their sources. */
export const BUNDLES = new Map<string, string>()

/**
 * Starts a process.
 * @param file its source; its bundle is started while there is one
 * @param killAt the fault point at which it kills itself, and at which pass: `import:page-before-commit#2`.
 */
export function startProcess(
  file: string,
  work: unknown,
  killAt?: string,
  env: Readonly<Record<string, string>> = {},
): TestProcess {
  const child = spawn(process.execPath, [KEEP_COMPILED, BUNDLES.get(file) ?? file, JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...COMPILE_CACHE, ...env, ...(killAt === undefined ? {} : { SHELFWIRE_KILL_AT: killAt }) },
  })
  // nobody may read it, and a full pipe would stop the process
  child.stdout.resume()
  const said: Buffer[] = []
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes))
  const ended = new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (code, signal) => resolve([code, signal]))
  }).then(([code, signal]) => ({ code, signal, said: Buffer.concat(said).toString() }))
  return {
    process: child,
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
