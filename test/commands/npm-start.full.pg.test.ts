import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { hold } from '../harness/interleave.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// A supervisor stops `npm start` with a SIGTERM to npm, which passes it on only to its shell.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const olderNode = findOlderNode()

const directory = directoryOfFile('npm-start')
const { database } = worldOfFile()
let token: string
beforeAll(async () => {
  const bench = openBench(database.db)
  const { accountId } = await createAccount(bench)
  ;({ token } = await inTransaction(database.db, (tx) => createToken(tx, { accountId, access: 'connector' })))
})

for (const [name, node, isSkipped] of [
  ['under this Node', process.execPath, false],
  ['through the launcher of an older Node', olderNode ?? '', olderNode === null],
] as const)
  test.skipIf(isSkipped)(
    `the service ends with npm's shell, once requests in flight are answered, ${name}`,
    async () => {
      const { url, shell, output } = await startBeside(node)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${url}/v1/products`, { headers })).status).toBe(200)
      await using lock = await hold(database.db, (tx) => tx`lock table payload_price in access exclusive mode`)
      const read = fetch(`${url}/v1/products`, { headers })
      await expect.poll(isWaiting).toBe(true)
      // registered before the signal, because the event can fire while the last request is being refused
      const closed = once(shell.stderr, 'close')
      shell.kill('SIGTERM')
      await expect.poll(output, { timeout: 5_000 }).toContain('shutting down')
      // longer than two checks for the end of npm's shell: a second signal would cut the request off
      await sleep(2_500)
      await lock.commit()
      expect((await read).status).toBe(200)
      await expect.poll(() => fetch(`${url}/healthz`).then(String, () => 'ended'), { timeout: 5_000 }).toBe('ended')
      await closed
      expect(output()).not.toContain('exiting at once')
    },
  )

test('a launcher whose number was inherited, and which is not the parent, is not waited for', async () => {
  const outer = spawn('sleep', ['60'])
  const { url, shell, output } = await startBeside(process.execPath, {
    SHELFWIRE_LAUNCHER_PID: String(outer.pid),
  })
  await sleep(1_500)
  expect(await (await fetch(`${url}/healthz`)).json(), output()).toEqual({ status: 'ok' })
  const closed = once(shell.stderr, 'close')
  shell.kill('SIGTERM')
  await closed
  outer.kill()
})

test('the demo is made in a DATA_DIR that did not exist, with a database and a key of one’s own', async () => {
  await using empty = await createDatabase()
  const dataDir = join(directory, 'not', 'there')
  const commands = openCommands(empty, dataDir)
  const child = commands.start(['start'], { PORT: '0', SECRET_KEY: TEST_KEY, NODE_COMPILE_CACHE: '' })
  let printed = ''
  child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  const ended = once(child, 'close')
  // the demo is filled after the start; a signal interrupts that
  await expect
    .poll(() => existsSync(join(dataDir, 'demo-access.json')) || child.exitCode !== null, { timeout: 20_000 })
    .toBe(true)
  child.kill('SIGTERM')
  expect([await ended, printed]).toEqual([[0, null], expect.not.stringContaining('ENOENT')])
})

/** Starts `serve` as npm does, in a shell that receives the signals. Resolves once it listens. */
async function startBeside(node: string, env: Record<string, string> = {}) {
  // a second command keeps the shell running; bash would replace itself by a single command
  const shell = spawn('/bin/sh', ['-c', '"$NODE_TO_USE" bin/shelfwire.mjs serve; exit $?'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      npm_lifecycle_event: 'start',
      NODE_TO_USE: node,
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      PORT: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  const listening = Promise.withResolvers<string>()
  createInterface({ input: shell.stderr }).on('line', (line) => {
    printed += `${line}\n`
    const url = /"url":"([^"]+)"/.exec(line)?.[1]
    if (url !== undefined) listening.resolve(url)
  })
  shell.once('exit', () => listening.reject(new Error(printed)))
  return { url: await listening.promise, shell, output: () => printed }
}

async function isWaiting(): Promise<boolean> {
  const [row] = await database.db<{ waiting: boolean }[]>`
    select exists (select from pg_locks where not granted and relation = 'payload_price'::regclass) as waiting`
  return row!.waiting
}

/** A Node of this machine that is too old for the service, as it starts in a fresh clone. */
function findOlderNode(): string | null {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, 'node'))
  for (const candidate of candidates.filter((path) => existsSync(path))) {
    const major = Number(/^v(\d+)/.exec(execFileSync(candidate, ['--version'], { encoding: 'utf8' }))?.[1])
    if (major >= 20 && major < 24) return candidate
  }
  return null
}
