import { execFile, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openDb } from '../../src/db/open-db.ts'
import { withDatabase } from '../harness/every-server.ts'

// A real shop as a process of its own, with a packed connector in it.

const SOURCES = fileURLToPath(new URL('../..', import.meta.url))
const PRINTED_CHARS_MAX = 100_000
const STARTS_MS = 90_000
const run = promisify(execFile)

export type Child = ChildProcess

/** Puts a packed connector and the client into a shop's directory, as npm would install them. @param connector such as `medusa` */
export async function installConnector(shop: string, connector: string): Promise<void> {
  const installed = join(shop, 'node_modules/@shelfwire')
  await mkdir(join(installed, 'client'), { recursive: true })
  await mkdir(join(installed, connector))
  // built here, because another test may pack the client at the same time, and packing builds in this clone
  await run(process.execPath, ['client/build/api-types.ts'], { cwd: SOURCES })
  const tsc = join(SOURCES, 'node_modules/typescript/bin/tsc')
  await Promise.all([
    run(process.execPath, [tsc, '-p', 'client/tsconfig.build.json', '--outDir', join(installed, 'client/dist')], {
      cwd: SOURCES,
    }),
    copyFile(join(SOURCES, 'client/package.json'), join(installed, 'client/package.json')),
    run('npm', ['pack', '--workspace', `connectors/${connector}`, '--pack-destination', shop], { cwd: SOURCES }),
  ])
  const tarball = join(shop, `shelfwire-${connector}-${packageJson.version}.tgz`)
  await run('tar', ['-xzf', tarball, '-C', join(installed, connector), '--strip-components=1'])
}

/** A hash of the files directly in a directory. */
export async function hashOfDirectory(directory: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(directory)).toSorted())
    hash.update(name).update(await readFile(join(directory, name)))
  return hash.digest('hex').slice(0, 16)
}

/** Collects the output of a process. @returns a function with its end */
export function keepPrinted(child: Child): () => string {
  let printed = ''
  const keep = (bytes: Buffer) => (printed = (printed + bytes.toString()).slice(-PRINTED_CHARS_MAX))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => printed
}

/** Kills a process without a chance to clean up, and waits for its end. */
export async function killed(child: Child | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const healthy = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )

/** Waits until a process has started. Without `expect.poll`, which works only within a test. @param address answers once it has started */
export async function untilHealthy(child: Child, address: string, printed: () => string): Promise<void> {
  for (const until = Date.now() + STARTS_MS; !(await healthy(address));) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the shop does not start: ${printed()}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** An empty database for a shop, dropped at the end. @returns its URL */
export async function shopDatabase(closing: AsyncDisposableStack, name: string): Promise<string> {
  const admin = openDb({ url: inject('serverUrl'), connectionsMax: 1 })
  closing.defer(() => admin.end())
  const own = `${name}_${process.pid}`
  await admin.unsafe(`create database ${own}`)
  closing.defer(async () => {
    await admin.unsafe(`drop database ${own} with (force)`)
  })
  return withDatabase(inject('serverUrl'), own)
}
