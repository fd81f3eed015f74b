import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { COMPILE_CACHE } from '../harness/child-process.ts'
import { createDatabase } from '../harness/database.ts'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/interleave.ts'
import { client, type Client } from '../harness/service.ts'
import { terminate, untilServing } from '../harness/serving.ts'
import { directoryOfFile } from '../harness/world.ts'
import { cursorOf, importFile, loadRelease, SETTINGS } from './older-release.ts'

// Processes of the previous release and of this one work on one database while it is upgraded, read and written. Each process is
// removed from the load balancer before it is stopped, as in production.

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
/** The previous release, and the commit from which it was cut. */
const BEFORE = { release: '0.2.0', commit: '73d3655f8a20051513879ce7607fa0074d00f2e2' }
const directory = directoryOfFile('side-by-side')
const WRITERS = 3

/** Whether this clone has that commit; a clone without history does not. */
function hasCommit(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${BEFORE.commit}^{commit}`], { cwd: PROJECT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Unpacks the sources of the previous release, with the packages of this one. @returns their directory */
function unpackBefore(): string {
  const tree = join(directory, 'before')
  mkdirSync(tree, { recursive: true })
  const archive = join(directory, 'before.tar')
  execFileSync('git', ['archive', '-o', archive, BEFORE.commit, '.', ':!test', ':!panel'], { cwd: PROJECT })
  execFileSync('tar', ['-xf', archive, '-C', tree])
  rmSync(archive)
  // a real folder with linked packages: with a linked folder, a bundle built there would find this release's migrations
  mkdirSync(join(tree, 'node_modules'))
  for (const name of readdirSync(join(PROJECT, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(PROJECT, 'node_modules', name), join(tree, 'node_modules', name))
  return tree
}

interface Running {
  child: ChildProcess
  url: string
}

async function start(tree: string, databaseUrl: string): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(tree, 'bin/shelfwire.mjs'), 'serve'], {
    env: {
      ...SETTINGS,
      ...COMPILE_CACHE,
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(directory, 'data'),
      PORT: String(port),
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await untilServing(child, 60_000)
  return { child, url: `http://127.0.0.1:${port}` }
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  expect(await terminate(child)).toEqual([0, null])
}

/** A load balancer: sends each request to the next of its processes. */
class Balancer {
  readonly #running = new Set<Running>()
  /** The number of unanswered requests of each process. */
  readonly #open = new Map<Running, number>()
  readonly #token: string
  #sent = 0
  /** The number of each answer. */
  readonly counts = new Map<string, number>()

  constructor(token: string) {
    this.#token = token
  }

  add(running: Running): void {
    this.#running.add(running)
  }

  /** Stops sending requests to a process; resolves when its open requests are answered. */
  async drain(running: Running): Promise<void> {
    const open = () => this.#open.get(running) ?? 0
    this.#running.delete(running)
    await until('its requests are answered', async () => open() === 0)
  }

  readonly http: Client = async (path, init) => {
    const all = [...this.#running]
    const running = all[this.#sent++ % all.length]
    if (running === undefined) throw new Error('no process is left')
    const count = (by: number) => this.#open.set(running, (this.#open.get(running) ?? 0) + by)
    count(1)
    try {
      const answer = await client(running.url, this.#token)(path, init)
      const isRefusal = answer.status === 503 && answer.headers.get('retry-after') !== null
      const name = `${init?.method ?? 'GET'} ${answer.status}${isRefusal ? ', later' : ''}`
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
      return answer
    } finally {
      count(-1)
    }
  }

  /** Waits until `count` further requests were answered. */
  async answered(count: number): Promise<void> {
    const total = () => [...this.counts.values()].reduce((sum, one) => sum + one, 0)
    const from = total()
    await until('requests are answered', async () => total() >= from + count, 60_000)
  }
}

test.skipIf(!hasCommit())(
  'an upgrade under load, old and new processes side by side: nothing fails, nothing is lost, and the feed goes on',
  { timeout: 240_000 },
  async () => {
    await using database = await createDatabase()
    const kept = await loadRelease(database.url, BEFORE.release)
    const account = kept.accounts[0]
    const file = account?.files[0]
    if (account === undefined || file === undefined) throw new Error('the kept release has no account with a file')
    const started: Running[] = []
    onTestFinished(async () => {
      for (const { child } of started) child.kill('SIGKILL')
    })
    const begin = async (tree: string) => {
      const running = await start(tree, database.url)
      started.push(running)
      return running
    }
    const before = unpackBefore()
    const balancer = new Balancer(account.tokens.full)
    const { http } = balancer
    const old = [await begin(before), await begin(before)]
    for (const each of old) balancer.add(each)

    const products: { id: number }[] = (await http('/v1/products?store=main&per_page=50')).body.data
    expect(products.length).toBeGreaterThan(WRITERS)
    let cursor = cursorOf((await http('/v1/changes?store=main&since=now')).body)
    const ending = new AbortController()
    const isOver = () => ending.signal.aborted
    /** The changed products as a shop has read them by the feed. */
    const mirror = new Map<number, unknown>()
    /** The positions at the ends of windows with changes. */
    const positions: number[] = []
    const follow = async (): Promise<number> => {
      const { status, body } = await http(`/v1/changes?store=main&limit=100&${cursor}`)
      if (status !== 200) return -1
      for (const { product_id: id } of body.changes) {
        const answer = await http(`/v1/products/${id}?store=main`)
        // requested again with the same cursor
        if (answer.status !== 200 && answer.status !== 404) return -1
        mirror.set(id, answer.status === 200 ? answer.body.data : null)
      }
      if (body.changes.length > 0) positions.push(body.next_id)
      cursor = cursorOf(body)
      return body.changes.length
    }
    /** The last acknowledged stock by product. */
    const acknowledged = new Map<number, number>()
    const write = async (id: number) => {
      for (let quantity = 1; !isOver(); quantity++) {
        const { status } = await http(`/v1/account/products/${id}/stock`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ quantity }),
        })
        if (status === 200 || status === 201) acknowledged.set(id, quantity)
      }
    }
    const read = async () => {
      for (let i = 0; !isOver(); i++) {
        await http('/v1/products?store=main&per_page=50')
        await http(`/v1/products/${products[i % products.length]?.id}?store=main`)
      }
    }
    const loads = [
      ...products.slice(0, WRITERS).map(({ id }) => write(id)),
      read(),
      (async () => {
        while (!isOver()) await follow()
      })(),
    ]
    await balancer.answered(100)
    const migrations = async (tree: string) => {
      const applied = await database.db<{ name: string }[]>`select name from schema_migration`
      const names = readdirSync(join(tree, 'migrations')).filter((name) => name.endsWith('.sql'))
      return { applied: applied.length, released: names.length }
    }
    const untilNow = await migrations(before)
    expect(untilNow.applied).toBe(untilNow.released)
    // migrates while both old ones serve
    const first = await begin(PROJECT)
    const since = await migrations(PROJECT)
    expect(since.applied).toBe(since.released)
    expect(since.applied).toBeGreaterThan(untilNow.applied)
    await balancer.answered(100)
    balancer.add(first)
    await balancer.answered(150)
    // done by either process
    expect((await importFile(http, { ...file, text: file.text.replace('38.00', '39.00') })).state).toBe('succeeded')
    for (const each of old) {
      await balancer.drain(each)
      await stop(each)
      const fresh = await begin(PROJECT)
      balancer.add(fresh)
      await balancer.answered(100)
    }
    ending.abort()
    await Promise.all(loads)
    const bad = [...balancer.counts].filter(
      ([answer]) => !/^(?:(?:GET|PUT|POST) 20\d|(?:GET|PUT|POST) 503, later)$/.test(answer),
    )
    expect(bad, JSON.stringify([...balancer.counts])).toEqual([])

    // every acknowledged write is stored and in the feed, whose positions only increased
    await until('all is shelved', async () => {
      const [row] = await database.db<{ rest: number }[]>`
        select ((select count(*) from mark) + (select count(*) from sweep))::int as rest`
      return row?.rest === 0
    })
    for (let count = 1; count !== 0;) count = await follow()
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
    expect(acknowledged.size).toBe(WRITERS)
    for (const [id, quantity] of acknowledged) {
      expect((await http(`/v1/account/products/${id}/stock`)).body.data.quantity).toBe(quantity)
      expect(mirror.get(id)).toEqual((await http(`/v1/products/${id}?store=main`)).body.data)
    }
    for (const { accountId } of kept.accounts) await expectAudited(database.db, accountId)
    for (const each of started) await stop(each)
  },
)
