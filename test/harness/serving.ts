import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Commands } from './command.ts'
import { until } from './interleave.ts'

/**
 * Waits until a service that was started logs that it is running.
 * @returns its log until then
 * @throws Error with its log where it ends before
 */
export async function untilServing(child: ChildProcess & { stderr: Readable }, timeoutMs?: number): Promise<string> {
  let log = ''
  child.stderr.on('data', (text: Buffer) => (log += text.toString()))
  await until(
    'it listens',
    async () => {
      if (child.exitCode !== null) throw new Error(log)
      return log.includes('shelfwire is running')
    },
    timeoutMs,
  )
  return log
}

/** Sends SIGTERM. @returns its exit code and signal */
export async function terminate(child: ChildProcess): Promise<unknown[]> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  return gone
}

/** Starts `shelfwire serve` on a free port; resolves when it runs. */
export async function serve(of: Commands, env: Record<string, string> = {}, timeoutMs?: number) {
  const child = of.start(['serve'], { PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT_PER_SECOND: '0', MIRROR: 'off', ...env })
  child.stdout.resume()
  const log = await untilServing(child, timeoutMs)
  return {
    url: /"url":"(http:[^"]+)"/.exec(log)?.[1] ?? '',
    async stop() {
      await terminate(child)
    },
  }
}
