import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoSupplierFiles } from '../src/demo/catalog/supplier-files.ts'
import { processorSeconds } from './cpu.ts'
import { OUTBOUND } from './environment.ts'
import { freePort } from '../test/harness/free-port.ts'
import { load, memoryOf } from './processes.ts'

// One turn of `npm run bench -- compare`: starts the service of a tree on a new database and uses it only over HTTP and by its
// commands, so that the same code can measure any release.

const PRODUCTS = 10_000
const UNCHANGED = 3
const STORES = ['main', 'uk', 'pl']
const SECONDS = 3
const WRITERS = 8

/** Measured values by name. */
export type Figures = Record<string, number>

/**
 * The unit of each figure. A figure whose name ends with "processor" is processor time of service and database server
 * together.
 */
export const FIGURES = {
  'start on a new database': 's',
  'new products into 3 stores, until they can be read': 's',
  'new products, processor': 's',
  'the same rows again, unchanged (the least of 3)': 's',
  'unchanged rows, processor (the least of 3)': 's',
  'single reads, 64 connections': '/s',
  'single read, processor': 'µs',
  'pages of 200, 8 connections': '/s',
  'page of 200, processor': 'µs',
  'empty polls, 8 connections': '/s',
  'empty poll, processor': 'µs',
  'stock of one product by 8 writers': '/s',
  'stock of one product, processor': 'µs',
  'memory at rest': 'MB',
  'memory after the load': 'MB',
  'memory at its peak': 'MB',
  'start with the data': 's',
} as const satisfies Record<string, 's' | 'µs' | '/s' | 'MB'>
type Figure = keyof typeof FIGURES

export interface Service {
  child: ChildProcess
  url: string
  startedMs: number
}

/** Measures the tree in a directory, in which its packages are installed. */
export async function takeTurn(tree: string): Promise<Record<Figure, number>> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-turn-'))
  // the database server may run as another user
  await chmod(directory, 0o755)
  const env = { ...process.env, ...OUTBOUND, DATA_DIR: directory, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' }
  const found: Partial<Record<Figure, number>> = {}
  let service = await startService(tree, env)
  try {
    found['start on a new database'] = service.startedMs / 1_000
    // by then it has given back the memory that its start used
    await sleep(6_000)
    found['memory at rest'] = (await memoryOf(service.child.pid ?? 0)).nowMb
    const cost = async <T>(work: () => Promise<T>) => {
      const before = await processorSeconds(service.child.pid ?? 0, directory)
      const from = performance.now()
      const value = await work()
      const seconds = (performance.now() - from) / 1_000
      return { value, seconds, processor: (await processorSeconds(service.child.pid ?? 0, directory)) - before }
    }

    const { token, ask: request } = await openAccount(tree, env, service)
    const ask = async (method: string, path: string, body?: object) => (await request(method, path, body)) as Answer
    const [file] = demoSupplierFiles(Math.ceil(PRODUCTS / 0.7))
    if (file === undefined) throw new Error('the demo has no supplier file')
    await ask('POST', '/v1/account/stores', { slug: 'uk', name: 'UK', locale: 'en-GB', currency: 'GBP' })
    await ask('POST', '/v1/account/stores', { slug: 'pl', name: 'Polska', locale: 'pl-PL', currency: 'PLN' })
    await ask('PUT', '/v1/account/rates/GBP', { rate: '0.8521' })
    await ask('PUT', '/v1/account/rates/PLN', { rate: '4.2875' })
    const group = await ask('POST', '/v1/account/groups', { name: 'Wholesale' })
    await ask('POST', '/v1/account/pricing-rules', {
      name: 'Wholesale',
      action: 'markup',
      percent: '12',
      group_ids: [group.data?.id],
    })
    const { code, name, currency } = file.supplier
    await ask('POST', '/v1/account/suppliers', { code, name, currency })

    const text = [...file.text()].join('')
    /** Sends the file, and waits until its run has ended and each store has its products. */
    const importFile = async (appended: string) => {
      const form = new FormData()
      form.set('mapping', JSON.stringify(file.mapping))
      form.set('file', new Blob([text, appended]), file.fileName)
      const run = await ask('POST', `/v1/account/suppliers/${code}/imports`, form)
      for (;;) {
        const { data } = await ask('GET', `/v1/account/imports/${run.data?.id}`)
        if (data !== undefined && data.ended_at !== null) {
          if (data.state !== 'succeeded') throw new Error(`the import was ${data.state}: ${JSON.stringify(data)}`)
          for (const store of STORES)
            while ((await ask('GET', `/v1/products?store=${store}&per_page=1`)).meta?.total !== data.rows)
              await sleep(10)
          return data.unchanged ?? 0
        }
        await sleep(10)
      }
    }
    const first = await cost(() => importFile(''))
    found['new products into 3 stores, until they can be read'] = first.seconds
    found['new products, processor'] = first.processor
    const again = []
    // additional empty lines make it a different file, so that its rows are compared
    for (let i = 1; i <= UNCHANGED; i++) again.push(await cost(() => importFile('\n'.repeat(i))))
    if (again.some(({ value }) => value === 0)) throw new Error('the rows were not compared')
    found['the same rows again, unchanged (the least of 3)'] = Math.min(...again.map(({ seconds }) => seconds))
    found['unchanged rows, processor (the least of 3)'] = Math.min(...again.map(({ processor }) => processor))

    const head = (await ask('GET', '/v1/changes?store=main&since=now')) as unknown as Record<string, string>
    const listed = await ask('GET', '/v1/products?store=main&per_page=200')
    const ids = (listed.data as unknown as { id: number }[]).map(({ id }) => id)
    const reads = async (rate: Figure, processor: Figure, connections: number, paths: readonly string[]) => {
      await load(service.url, token, connections, 1, paths)
      const { value, processor: used } = await cost(() => load(service.url, token, connections, SECONDS, paths))
      if (value.failures > 0) throw new Error(`${rate}: requests failed`)
      found[rate] = value.perSecond
      found[processor] = (used / (value.perSecond * SECONDS)) * 1e6
    }
    await reads(
      ...(['single reads, 64 connections', 'single read, processor', 64] as const),
      ids.map((id) => `/v1/products/${id}?store=main`),
    )
    await reads(
      ...(['pages of 200, 8 connections', 'page of 200, processor', 8] as const),
      Array.from({ length: 40 }, (_, i) => `/v1/products?store=main&per_page=200&page=${i + 1}`),
    )
    await reads('empty polls, 8 connections', 'empty poll, processor', 8, [
      `/v1/changes?store=main&since=${encodeURIComponent(head['next_since'] ?? '')}&since_id=${head['next_id']}`,
    ])

    let written = 0
    const writes = await cost(async () => {
      const end = performance.now() + SECONDS * 1_000
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let n = 0; performance.now() < end; n++, written++)
            await ask('PUT', `/v1/account/products/${ids[(writer * 20 + n) % ids.length]}/stock`, { quantity: n })
        }),
      )
    })
    found['stock of one product by 8 writers'] = written / writes.seconds
    found['stock of one product, processor'] = (writes.processor / written) * 1e6
    const memory = await memoryOf(service.child.pid ?? 0)
    found['memory after the load'] = memory.nowMb
    found['memory at its peak'] = memory.peakMb
    await stopService(service)
    service = await startService(tree, env)
    found['start with the data'] = service.startedMs / 1_000
    return found as Record<Figure, number>
  } finally {
    await stopService(service)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** An account of a running service. */
interface OpenAccount {
  /** Of a token with full access. */
  token: string
  /** Sends a request with a JSON body or a form. @returns the answer's JSON, {} if it has none @throws if it is refused */
  ask: (method: string, path: string, body?: object) => Promise<unknown>
}

/** Creates an account by the commands of a tree beside its running service. */
export async function openAccount(tree: string, env: NodeJS.ProcessEnv, service: Service): Promise<OpenAccount> {
  const account = await command(tree, env, 'account create --name bench --currency EUR --locale de --json')
  const { account_id: accountId } = account as { account_id: number }
  const created = await command(tree, env, `token create --account ${accountId} --access full --json`)
  const { token } = created as { token: string }
  const ask: OpenAccount['ask'] = async (method, path, body) => {
    const isForm = body instanceof FormData
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text === '' ? '{}' : text)
  }
  return { token, ask }
}

interface Answer {
  data?: { id?: number; ended_at?: string | null; state?: string; rows?: number; unchanged?: number }
  meta?: { total: number }
}

/** Starts the service, and waits until it is ready. */
export async function startService(tree: string, env: NodeJS.ProcessEnv): Promise<Service> {
  const port = await freePort()
  const from = performance.now()
  const child = spawn(process.execPath, ['bin/shelfwire.mjs', 'serve'], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...env, PORT: String(port), HOST: '127.0.0.1' },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service of ${tree} ended with ${child.exitCode}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return { child, url, startedMs: performance.now() - from }
    await sleep(10)
  }
}

/** Stops the service with SIGTERM and waits until it has ended. */
export async function stopService({ child }: Service): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

/** Runs a command of the tree beside its running service. @returns the JSON that it prints */
export async function command(tree: string, env: NodeJS.ProcessEnv, line: string): Promise<unknown> {
  const child = spawn(process.execPath, ['bin/shelfwire.mjs', ...line.split(' ')], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`shelfwire ${line} ended with ${String(code)}`)
  return JSON.parse(out)
}
