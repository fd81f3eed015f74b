import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterEach, describe, expect, test } from 'vitest'
import { startEmbedded, type EmbeddedServer } from '../../src/embedded/embedded.ts'
import { silentLog, type Log } from '../../src/platform/log.ts'

// The embedded server of a service, and a second process that wants to use it. Processes are stopped by signals, as on Linux and macOS.

const servers: EmbeddedServer[] = []
const children: Service[] = []
const dirs: string[] = []

interface Service {
  process: ChildProcess
  url: string
  /** Its warnings and errors so far. */
  logged(): string
}

afterEach(async () => {
  for (const child of children.splice(0)) child.process.kill('SIGKILL')
  for (const server of servers.splice(0)) await server.stop()
  for (const dir of dirs.splice(0)) {
    const pid = postmasterOf(dir)
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    await sleep(100)
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}, 90_000)

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'shelfwire-used-'))
  chmodSync(dir, 0o755)
  dirs.push(dir)
  return dir
}

const clusterOf = (dataDir: string) => join(dataDir, 'postgres', 'cluster')

function postmasterOf(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

function signal(dataDir: string, name: NodeJS.Signals): number {
  const pid = postmasterOf(dataDir)
  if (pid === undefined) throw new Error('no server runs')
  process.kill(pid, name)
  return pid
}

/** Starts another process that uses the database until it is killed. */
async function startService(dataDir: string): Promise<Service> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('../../src/embedded/embedded.ts'))}
    import { openLog } from ${JSON.stringify(import.meta.resolve('../../src/platform/log.ts'))}
    const server = await startEmbedded({ dataDir: process.argv[1], log: openLog('warn'), settings: { fsync: 'off' } })
    process.stdout.write('URL=' + server.url + '\\n')
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const found = () => /URL=(\S+)/.exec(printed)?.[1]
  while (found() === undefined) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${printed}`)
    await sleep(20)
  }
  const service = { process: child, url: found() ?? '', logged: () => printed }
  children.push(service)
  return service
}

async function start(
  dataDir: string,
  { log = silentLog, usedWaitMs }: { log?: Log; usedWaitMs?: number } = {},
): Promise<EmbeddedServer> {
  const wait = usedWaitMs === undefined ? {} : { usedWaitMs }
  const server = await startEmbedded({ dataDir, log, settings: { fsync: 'off' }, ...wait })
  servers.push(server)
  return server
}

/** A log, and a promise that resolves at the first warning with these words. */
function listening(words: string): { log: Log; heard: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const warn = (_: unknown, message?: string) => {
    if (message?.includes(words) === true) resolve()
  }
  return { log: { ...silentLog, warn } as Log, heard: promise }
}

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 2 })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}

const answers = (url: string) => () => query(url, 'select 1').catch(() => [])

/** Stops the server while its service cannot notice, as between two of its checks. */
async function endUnseen(service: Service, dataDir: string): Promise<void> {
  service.process.kill('SIGSTOP')
  signal(dataDir, 'SIGINT')
  await expect.poll(() => postmasterOf(dataDir), { timeout: 20_000 }).toBe(undefined)
}

describe.skipIf(process.platform === 'win32')('a server that a service uses', { timeout: 120_000 }, () => {
  test('is waited for while it does not answer, and joined when it does: nobody kills it', async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    const pid = signal(dataDir, 'SIGSTOP')
    const { log, heard } = listening('waiting for it')
    const [one, other] = [start(dataDir, { log }), start(dataDir)]
    await Promise.race([heard, one])
    signal(dataDir, 'SIGCONT')
    expect((await one).url).toBe(service.url)
    expect((await other).url).toBe(service.url)
    expect(postmasterOf(dataDir)).toBe(pid)
  })

  test('is left alone when it goes on not to answer, and who uses it is named', async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    const pid = signal(dataDir, 'SIGSTOP')
    await expect(start(dataDir, { usedWaitMs: 0 })).rejects.toMatchObject({
      code: 'database-unusable',
      message: expect.stringMatching(new RegExp(`process ${pid}\\) does not answer.*\\(${service.process.pid}\\)`)),
    })
    signal(dataDir, 'SIGCONT')
    expect(postmasterOf(dataDir)).toBe(pid)
    expect(await query(service.url, 'select 1')).toHaveLength(1)
  })

  test('is killed and started again, with all it has, when its service ends while somebody waits for it', async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    await query(service.url, 'create table kept as select 42 as n')
    const pid = signal(dataDir, 'SIGSTOP')
    const { log, heard } = listening('waiting for it')
    const joining = start(dataDir, { log })
    await Promise.race([heard, joining])
    service.process.kill('SIGKILL')
    const own = await joining
    expect(postmasterOf(dataDir)).not.toBe(pid)
    expect(await query(own.url, 'select n from kept')).toEqual([{ n: 42 }])
  })

  test('is started on the port that the service knows, whoever sees first that it has ended', async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    await endUnseen(service, dataDir)
    expect((await start(dataDir)).url).toBe(service.url)
    service.process.kill('SIGCONT')
    await expect.poll(() => service.logged(), { timeout: 20_000 }).toContain('runs again')
    expect(await query(service.url, 'select 1')).toHaveLength(1)
  })

  test('is started on no other port while another program has that one', async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    await endUnseen(service, dataDir)
    const port = Number(new URL(service.url).port)
    const other = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
    await once(other, 'listening')
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'database-unusable',
      message: expect.stringContaining(`cannot be started on port ${port}, where other processes expect it`),
    })
    await new Promise((resolve) => other.close(resolve))
    service.process.kill('SIGCONT')
    await expect.poll(answers(service.url), { timeout: 30_000 }).toHaveLength(1)
  })

  test('that a command of an earlier release has started on another port is said, and comes back to its own', async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    await endUnseen(service, dataDir)
    const users = join(dataDir, 'postgres', 'users')
    for (const name of readdirSync(users)) {
      const { port: _, ...older } = JSON.parse(readFileSync(join(users, name), 'utf8')) as Record<string, unknown>
      writeFileSync(join(users, name), JSON.stringify(older))
    }
    const command = await start(dataDir)
    expect(command.url).not.toBe(service.url)
    service.process.kill('SIGCONT')
    await expect
      .poll(() => service.logged(), { timeout: 20_000 })
      .toContain(`end the processes that use it there (${process.pid}), or start this one again`)
    expect(await query(command.url, 'select 1')).toHaveLength(1)
    await command.stop()
    await expect.poll(answers(service.url), { timeout: 30_000 }).toHaveLength(1)
  })
})

test.skipIf(process.platform === 'win32')(
  'a server that was killed is started on its port, where it is free',
  { timeout: 60_000 },
  async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    service.process.kill('SIGKILL')
    signal(dataDir, 'SIGKILL')
    await once(service.process, 'close')
    const again = await start(dataDir)
    expect(again.url).toBe(service.url)
  },
)

test.skipIf(process.platform === 'win32')(
  'a server that was killed is started on any port where another program has its own',
  { timeout: 60_000 },
  async () => {
    const dataDir = tempDir()
    const service = await startService(dataDir)
    service.process.kill('SIGKILL')
    signal(dataDir, 'SIGKILL')
    await once(service.process, 'close')
    await expect.poll(answers(service.url)).toHaveLength(0)
    const other = createServer((socket) => socket.destroy()).listen(Number(new URL(service.url).port), '127.0.0.1')
    await once(other, 'listening')
    const again = await start(dataDir)
    expect(await query(again.url, 'select 1')).toHaveLength(1)
    await new Promise((resolve) => other.close(resolve))
  },
)
