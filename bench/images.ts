import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { IMAGE_FORMATS } from '../contract/routes/images.ts'
import { createToken } from '../src/accounts/create-token.ts'
import { productIdsAfter } from '../src/catalog/products/products.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import { openDiskStore } from '../src/images/store/disk-store.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { openEnvironment, startService, type Environment, type RunningService } from './environment.ts'
import { freePort } from '../test/harness/free-port.ts'
import { firstLine, load, median, memoryOf, start } from './processes.ts'
import type { Report } from './report.ts'

// Pictures: served from disk, compared with a static file server on the same files; reduced to smaller sizes; and reads of the API
// while more pictures are requested than can be converted.

/** The pictures that are read in turn: a set that fits into the service's memory, and one that does not. */
const SETS = [
  { what: 'that fit into memory', files: 500 },
  { what: 'of which more are read than are kept in memory', files: 2_000 },
]
const SIZES = [8_000, 20_000, 40_000, 80_000, 200_000]
const CONNECTIONS = 64
const SECONDS = 4
const ROUNDS = 3
const GOAL = 0.5
const READ_MS_MAX = 50
/** Usual paths of nginx; BENCH_NGINX sets another one. */
const NGINX = [
  process.env['BENCH_NGINX'] ?? '',
  ...['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)].map((path) => join(path, 'nginx')),
]

/** The benchmark of pictures. */
export async function images(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const dataDir = join(environment.directory, 'data')
  const root = join(dataDir, 'images')
  const { db, shelf } = environment.runtime
  const filled = await createFilledAccount(db, 'reader', 1)
  await fillProducts(db, filled, 1_000, () => {})
  const productIds = await productIdsAfter(db, filled.accountId, 0, 1_000)
  await inTransaction(db, (tx) => sweepAppend(tx, filled.accountId, 'filled'))
  await shelf.drain(filled.accountId)
  const { token } = await inTransaction(db, (tx) =>
    createToken(tx, { accountId: filled.accountId, access: 'connector' }),
  )
  const service = await startService(environment, true, { DATA_DIR: dataDir })
  for (const set of SETS) await serving(report, environment, service, root, set)
  await variants(report, environment, service, root, { token, productIds })
  await service.stop()
  report.print(environment.server)
}

async function serving(
  report: Report,
  environment: Environment,
  service: RunningService,
  root: string,
  { what, files }: (typeof SETS)[number],
): Promise<void> {
  const store = openDiskStore(root)
  const paths: string[] = []
  const file = join(environment.directory, 'picture')
  for (let i = 0; i < files; i++) {
    const bytes = randomBytes(SIZES[i % SIZES.length] ?? 0)
    const hash = createHash('sha256').update(bytes).digest('hex')
    await writeFile(file, bytes)
    await store.put(hash, file, 'image/jpeg')
    paths.push(`/images/${hash}.jpg`)
  }
  const list = join(environment.directory, 'paths')
  await writeFile(list, paths.join('\n'))
  const other = await startOther(environment, root)
  const figures: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  const cpu: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { url, pid }] of [
      ['theirs', other],
      ['ours', service],
    ] as const) {
      const before = await cpuMs(pid)
      const { perSecond, failures } = await load(url, '', CONNECTIONS, SECONDS, [`@${list}`])
      if (failures > 0) throw new Error(`${failures} requests failed at ${name}`)
      // the first round warms up
      if (round === 0) continue
      figures[name].push(perSecond)
      cpu[name].push(((await cpuMs(pid)) - before) / (perSecond * SECONDS))
    }
  }
  other.stop()
  const ratio = median(figures.ours) / median(figures.theirs)
  const mean = SIZES.reduce((sum, size) => sum + size, 0) / SIZES.length / 1_000
  const [ours, theirs] = [median(figures.ours), median(figures.theirs)].map(Math.round)
  const [ourMs, theirMs] = [median(cpu.ours), median(cpu.theirs)].map((ms) => ms.toFixed(3))
  report.goal(
    `pictures of ${mean} kB ${what}, served to ${CONNECTIONS} connections`,
    `${ours}/s, ${other.name} ${theirs}/s: ${ratio.toFixed(2)}x; processor time per picture ${ourMs} and ${theirMs} ms`,
    `${GOAL}x`,
    ratio >= GOAL,
  )
}

/** Milliseconds of processor time that a process has used. */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Starts nginx with one worker if it is installed, otherwise a minimal file server in Node. */
async function startOther(environment: Environment, root: string) {
  const nginx = NGINX.find((path) => path !== '' && existsSync(path))
  if (nginx === undefined) {
    const child = start(['bench/static-files.ts', root], {})
    const url = `http://127.0.0.1:${await firstLine(child, (line) => /^\d+$/.test(line))}`
    return { name: 'a bare loop in Node', url, pid: child.pid ?? 0, stop: () => void child.kill('SIGKILL') }
  }
  const port = await freePort()
  const prefix = environment.directory
  const configuration = join(prefix, 'nginx.conf')
  await writeFile(
    configuration,
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; daemon off; master_process off; pid ${prefix}/nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; types { image/jpeg jpg; }
  client_body_temp_path ${prefix}/t1; proxy_temp_path ${prefix}/t2; fastcgi_temp_path ${prefix}/t3; uwsgi_temp_path ${prefix}/t4; scgi_temp_path ${prefix}/t5;
  server { listen 127.0.0.1:${port}; location ~ "^/images/(..)(..)(.*)$" { alias ${root}/$1/$2/$1$2$3; } }
}
`,
  )
  const child = spawn(nginx, ['-c', configuration, '-p', prefix], { stdio: ['ignore', 'ignore', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  await sleep(500)
  return { name: 'nginx', url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill('SIGKILL') }
}

async function variants(
  report: Report,
  environment: Environment,
  service: RunningService,
  root: string,
  { token, productIds }: { token: string; productIds: readonly number[] },
): Promise<void> {
  const store = openDiskStore(root)
  const put = async (width: number, height: number, seed: number) => {
    const bytes = await photo(width, height, seed)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const file = join(environment.directory, 'photo')
    await writeFile(file, bytes)
    await store.put(hash, file, 'image/jpeg')
    return `/images/${hash}.jpg`
  }
  const photos = await Promise.all(Array.from({ length: 40 }, (_, i) => put(1_600, 1_200, i)))
  for (const format of IMAGE_FORMATS) {
    const from = performance.now()
    for (let i = 0; i < photos.length; i += 4)
      await Promise.all(photos.slice(i, i + 4).map((path) => fetched(`${service.url}${path}?w=400&format=${format}`)))
    const perSecond = photos.length / ((performance.now() - from) / 1_000)
    report.figure(`${format}, 400 pixels wide, made of a JPEG of 2 megapixels`, `${perSecond.toFixed(1)}/s`)
  }

  const paths = productIds.map((id) => `/v1/products/${id}`)
  const quiet = await load(service.url, token, 4, 3, paths, 5)
  const large = await put(6_000, 4_000, 99)
  const widths = [64, 96, 128, 160, 200, 240, 320, 400, 480, 600, 640, 800, 1_000, 1_200, 1_600, 2_000]
  const asked = widths.flatMap((w) =>
    widths.flatMap((h) => IMAGE_FORMATS.map((format) => `?w=${w}&h=${h}&format=${format}`)),
  )
  const statuses = new Map<number, number>()
  const flood = Promise.all(
    asked.map(async (query) => {
      const status = await fetched(`${service.url}${large}${query}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }),
  )
  const busy = await load(service.url, token, 4, 8, paths, 5)
  const stored = await load(service.url, '', 4, 3, photos, 5)
  const { peakMb } = await memoryOf(service.pid)
  await flood
  report.goal(
    `reads of the API while ${asked.length} sizes of a picture of 24 megapixels are asked for at once`,
    `p99 ${busy.p99Ms} ms, p50 ${busy.p50Ms} (quiet: ${quiet.p99Ms} and ${quiet.p50Ms}); pictures as they are p99 ${stored.p99Ms} ms; answers ${[...statuses].map(([status, count]) => `${count} of ${status}`).join(', ')}; memory of the service ${peakMb} MB`,
    `p99 ${READ_MS_MAX} ms`,
    busy.p99Ms <= READ_MS_MAX && busy.failures === 0,
  )
  report.figure('processes that make sizes', String(Math.min(4, Math.max(1, availableParallelism() - 1))))
  await rm(join(environment.directory, 'photo'), { force: true })
}

/** Reads a complete answer. @returns its status */
async function fetched(url: string): Promise<number> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

/** A picture with as much detail as a photograph. */
async function photo(width: number, height: number, seed: number): Promise<Buffer> {
  const small = randomBytes(60 * 45 * 3)
  small[0] = seed
  return sharp(small, { raw: { width: 60, height: 45, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality: 88 })
    .toBuffer()
}
