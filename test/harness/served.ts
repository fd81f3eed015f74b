import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { COMPILE_CACHE } from './child-process.ts'

/** The bundle that bin/shelfwire.mjs runs, or the source in the copies of the project that are made for mutants, which have no launcher. */
const BUNDLER = new URL('../../bin/bundle.mjs', import.meta.url)
const SHELFWIRE =
  (existsSync(BUNDLER)
    ? ((await import(BUNDLER.href)) as { ensureBundle(): string | undefined }).ensureBundle()
    : undefined) ?? fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The service in a process of its own, as its operator runs it. */
export interface Served extends AsyncDisposable {
  /** The URL of the API; '' without the role. */
  url: string
  /** Its exit code and signal, or null while it runs. */
  exit(): string | null
  /** The end of its log. */
  said(): string
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>
}

const SAID_CHARS_MAX = 1_000_000

/** Starts the service with these roles; resolves when it runs. @param startsMs how long that may take */
export async function serveApart(
  roles: string,
  env: Record<string, string>,
  { startsMs = 20_000 } = {},
): Promise<Served> {
  const child = spawn(process.execPath, [SHELFWIRE, 'serve', '--roles', roles], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'info',
      ...COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const keep = (bytes: Buffer) => (printed = (printed + bytes.toString()).slice(-SAID_CHARS_MAX))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let exit: string | null = null
  child.once('exit', (code, signal) => (exit = `${code} ${signal}`))
  const served: Served = {
    url: '',
    exit: () => exit,
    said: () => printed,
    async stop() {
      if (exit !== null) return child.exitCode
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
    async [Symbol.asyncDispose]() {
      if (exit !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
  await expect
    .poll(() => (exit === null ? printed : `ended with ${exit}: ${printed}`), { timeout: startsMs })
    .toMatch(/^(?!ended).*shelfwire is running/s)
  served.url = /"url":"(http[^"]+)"/.exec(printed)?.[1] ?? ''
  return served
}
