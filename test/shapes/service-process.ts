import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPILE_CACHE } from '../harness/child-process.ts'
import type { TestDatabase } from '../harness/database.ts'
import type { Said, Started } from './service-child.ts'

/** A service that measures how long its event loop is blocked. */
export interface MeasuredService extends Started, AsyncDisposable {
  /** How the process ended; undefined while it runs. */
  ended(): string | undefined
  /** Runs `work`. @returns the longest block of the process's event loop, and its memory */
  measure(work: () => Promise<unknown>): Promise<{ longestMs: number; rssBytes: number }>
}

export async function startMeasuredService(database: Pick<TestDatabase, 'url'>): Promise<MeasuredService> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-shapes-'))
  const child = fork(
    new URL('service-child.ts', import.meta.url),
    [JSON.stringify({ databaseUrl: database.url, directory })],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [], env: { ...process.env, ...COMPILE_CACHE } },
  )
  let end: string | undefined
  child.once('exit', (code, signal) => (end = `${code ?? ''}${signal ?? ''}`))
  let waiting: PromiseWithResolvers<Said> | undefined
  child.on('message', (said: Said) => waiting?.resolve(said))
  child.on('exit', () => waiting?.reject(new Error(`the service ended: ${end}`)))
  const heard = async <Kind extends Said>(): Promise<Kind> => {
    waiting = Promise.withResolvers()
    if (end !== undefined) throw new Error(`the service ended: ${end}`)
    return (await waiting.promise) as Kind
  }
  const started = await heard<Started>()
  return {
    ...started,
    ended: () => end,
    async measure(work) {
      child.send('begin')
      await work()
      const said = heard<{ longestMs: number; rssBytes: number }>()
      child.send('end')
      return await said
    },
    async [Symbol.asyncDispose]() {
      if (end === undefined) {
        const exited = once(child, 'exit')
        child.send('stop')
        await exited
      }
      await rm(directory, { recursive: true, force: true })
    },
  }
}
