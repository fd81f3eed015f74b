import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** A process of a test. Its work is its argument, as JSON. */
export interface TestProcess {
  process: ChildProcess & { stdout: Readable }
  /** Resolves when the process has ended, with its exit code, signal and standard error. */
  ended: Promise<{ code: number | null; signal: string | null; said: string }>
  /** Sends SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>
}

/**
 * The compile cache of test processes. Without it each process strips the types of hundreds of files and compiles them, which takes two
 * seconds of processor time.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/shelfwire-tests', import.meta.url)),
}

/** Writes the compile cache after 1.5 seconds, because Node writes it only when a process exits regularly, and most of these are killed. */
const KEEP_COMPILED =
  "--import=data:text/javascript,import{flushCompileCache}from'node:module';setTimeout(flushCompileCache,1500).unref()"

/** Programs that are bundled for the tests of a file (`bundleOfFile`), by their sources. */
export const BUNDLES = new Map<string, string>()

/**
 * Starts a process.
 * @param file its source; where `bundleOfFile` has bundled it, the bundle is started
 * @param killAt the fault point at which it kills itself, with the number of the pass: `import:page-before-commit#2`
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
  // read even where no test does: a full pipe would stop the process
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
