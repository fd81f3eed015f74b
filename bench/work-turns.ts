import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ADDITIONAL_MEMBER_NAMES } from '../contract/additional-members.ts'
import { demoSupplierFiles } from '../src/demo/catalog/supplier-files.ts'
import { OUTBOUND } from './environment.ts'
import { load, median } from './processes.ts'
import { command, startService, stopService, type Service } from './tree-turn.ts'

// `node bench/work-turns.ts DIRECTORY KIND [ROUNDS]`: one kind of work, done over HTTP by the service of another commit (`git worktree add --detach
// DIRECTORY REF`, with its node_modules) and by that of this tree, both running, in turns (A B B A). Prints the processor time per row or request:
// of the service, of its child processes, and of the database server.
//   new        a file of new products into three stores, each time for a new account
//   unchanged  the same file again, with no change in it
//   polls      requests for changes when there are none, on 8 connections
//   reads      single products, on 64 connections
//   pages      pages of 200 products, on 8 connections
//   stocks     small writes: stock of single products in three stores, by eight writers
//   reshelve   another SKU pattern, which rewrites all content halves of three stores
//   rewrite    the same, and a member of each price added or removed, which rewrites whole payloads of three stores
//   reprice    another addition to the cost, which rewrites all price halves of three stores
// Instead of a directory, a name compares two configurations of this tree:
//   members    accounts without any additional member, and accounts with all of them
//   groups     accounts without any additional member, and accounts with all of them whose file has variant groups
//   traces     without traces, and with traces of everything, sent to a collector on this machine
//   prices     ordinary accounts, and accounts with tax, list prices, sales, tiers and unit prices

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STORES = ['main', 'uk', 'pl']
const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 10_000)

interface Answer {
  data?: Record<string, unknown>
  meta?: { total: number }
  next_since?: string
  next_id?: number
}

type SupplierFile = ReturnType<typeof demoSupplierFiles>[number]

/** One side of a comparison. */
interface Side {
  tree: string
  /** The additional members that its accounts choose; null: the default of the release. */
  members: readonly string[] | null
  hasModels: boolean
  hasPrices: boolean
  /** Whether the service sends traces of everything. */
  isTraced?: boolean
}

interface Used {
  service: number
  readers: number
  postgres: number
}

/** Processor milliseconds of all threads of a process, by the scheduler's count. */
async function milliseconds(pid: string): Promise<number> {
  let sum = 0
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
    sum += Number(text.split(' ')[0]) / 1e6
  }
  return sum
}

class Tree {
  readonly #used = new Map<string, number>()
  readonly #tree: string
  readonly #env: NodeJS.ProcessEnv
  readonly #directory: string
  readonly #service: Service
  readonly #file: SupplierFile
  readonly #text: string
  readonly #members: readonly string[] | null
  readonly #hasPrices: boolean
  #token = ''
  #rule = 0
  #priced: Promise<number> | undefined
  #times = 0

  private constructor(
    { tree, members, hasPrices }: Side,
    env: NodeJS.ProcessEnv,
    directory: string,
    service: Service,
    file: SupplierFile,
  ) {
    this.#tree = tree
    this.#members = members
    this.#hasPrices = hasPrices
    this.#env = env
    this.#directory = directory
    this.#service = service
    this.#file = file
    this.#text = [...file.text()].join('')
  }

  static async open(side: Side): Promise<Tree> {
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-turns-'))
    await chmod(directory, 0o755)
    const env = { ...process.env, ...OUTBOUND, DATA_DIR: directory, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' }
    if (side.isTraced === true) Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: await collectorUrl() })
    const [file] = demoSupplierFiles(Math.ceil(PRODUCTS / 0.7), undefined, side.hasModels)
    if (file === undefined) throw new Error('the demo has no supplier file')
    const opened = new Tree(side, env, directory, await startService(side.tree, env), file)
    await opened.newAccount()
    return opened
  }

  /** Continues with a new account that has three stores and no products. */
  async newAccount(): Promise<void> {
    const run = (line: string) => command(this.#tree, this.#env, line)
    const account = (await run('account create --name bench --currency EUR --locale de --json')) as {
      account_id: number
    }
    const made = (await run(`token create --account ${account.account_id} --access full --json`)) as { token: string }
    this.#token = made.token
    const send = (method: string, path: string, body: object) =>
      this.ask(method, `/v1/account${path === '' ? '' : `/${path}`}`, JSON.stringify(body))
    if (this.#members !== null) await send('PATCH', '', { additional_members: this.#members })
    await send('POST', 'stores', { slug: 'uk', name: 'UK', locale: 'en-GB', currency: 'GBP' })
    await send('POST', 'stores', { slug: 'pl', name: 'Polska', locale: 'pl-PL', currency: 'PLN' })
    await send('PUT', 'rates/GBP', { rate: '0.8521' })
    await send('PUT', 'rates/PLN', { rate: '4.2875' })
    const { code, name, currency } = this.#file.supplier
    await send('POST', 'suppliers', { code, name, currency })
    const rule = this.#hasPrices ? await this.#usePrices(send) : {}
    const { data } = await send('POST', 'pricing-rules', { name: 'All', action: 'markup', percent: '60', ...rule })
    this.#rule = Number(data?.['id'])
  }

  /** Makes all stores show prices with tax. @returns members of the pricing rule: rounding and tiers */
  async #usePrices(send: (method: string, path: string, body: object) => Promise<Answer>): Promise<object> {
    const countries = { main: 'DE', uk: 'GB', pl: 'PL' }
    const rates = Object.values(countries).map((country) => ({ country, valid_from: '2021-01-01', percent: '19' }))
    await send('PUT', 'tax-classes/standard', { name: 'Standard', is_default: true, rates })
    for (const [slug, country] of Object.entries(countries))
      await send('PATCH', `stores/${slug}`, { tax_country: country, prices_include_tax: true })
    return {
      rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } },
      tiers: [
        { quantity: 10, percent_off: '5' },
        { quantity: 100, percent_off: '10' },
      ],
    }
  }

  async ask(method: string, path: string, body?: string | FormData): Promise<Answer> {
    const answer = await fetch(this.#service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

  /**
   * Imports the file with one more empty line than before, and waits until its products can be read. @returns its rows
   */
  async import(expected: 'created' | 'unchanged'): Promise<number> {
    const { fileName, mapping, supplier } = this.#file
    const form = new FormData()
    form.set('mapping', JSON.stringify(this.#hasPrices ? withPrices(mapping) : mapping))
    form.set('file', new Blob([this.#text, '\n'.repeat(this.#times++)]), fileName)
    const run = await this.ask('POST', `/v1/account/suppliers/${supplier.code}/imports`, form)
    for (;;) {
      await sleep(50)
      const { data } = await this.ask('GET', `/v1/account/imports/${String(run.data?.['id'])}`)
      if (data?.['ended_at'] === null) continue
      if (data?.['state'] !== 'succeeded') throw new Error(JSON.stringify(data))
      if (Number(data[expected]) < PRODUCTS / 2) throw new Error(`not ${expected}: ${JSON.stringify(data)}`)
      for (const store of STORES)
        while ((await this.ask('GET', `/v1/products?store=${store}&per_page=1`)).meta?.total !== data['rows'])
          await sleep(50)
      return Number(data['rows'])
    }
  }

  /** Requests changes for a second when there are none. @returns the number of requests */
  async poll(): Promise<number> {
    const head = await this.ask('GET', '/v1/changes?store=main&since=now')
    const path = `/v1/changes?store=main&since=${encodeURIComponent(head.next_since ?? '')}&since_id=${head.next_id}`
    return this.#load(8, [path])
  }

  /** Reads single products from all over the catalog for a second. @returns the number of requests */
  async read(): Promise<number> {
    const pages = Math.floor(PRODUCTS / 250)
    const ids: number[] = []
    for (let page = 1; page <= pages; page += Math.ceil(pages / 5)) {
      const { data } = await this.ask('GET', `/v1/products?per_page=200&page=${page}`)
      ids.push(...(data as unknown as { id: number }[]).map(({ id }) => id))
    }
    return this.#load(
      64,
      ids.map((id) => `/v1/products/${id}`),
    )
  }

  /** Reads pages for a second. @returns the number of requests */
  async page(): Promise<number> {
    return this.#load(
      8,
      Array.from({ length: 20 }, (_, i) => `/v1/products?per_page=200&page=${i + 1}`),
    )
  }

  async #load(connections: number, paths: readonly string[]): Promise<number> {
    const { perSecond, failures } = await load(this.#service.url, this.#token, connections, 1, paths)
    if (failures > 0) throw new Error('requests failed')
    return perSecond
  }

  /** Eight writers set the stock of single products. @returns the number of writes */
  async stocks(): Promise<number> {
    const { data } = (await this.ask('GET', '/v1/products?store=main&per_page=200')) as { data?: unknown }
    const ids = (data as { id: number }[]).map(({ id }) => id)
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let i = writer; i < ids.length; i += 8)
          await this.ask('PUT', `/v1/account/products/${ids[i]}/stock`, JSON.stringify({ quantity: ++this.#times }))
      }),
    )
    return ids.length
  }

  /** Gives all products other SKUs. @returns the number of products */
  async reshelve(): Promise<number> {
    const { meta } = await this.ask('GET', '/v1/products?store=main&per_page=1')
    return this.#sweep('', { sku_pattern: `R${++this.#times}-{supplier_sku}` }, meta?.total ?? 0)
  }

  /** Gives all products other SKUs, and adds a member to each price or removes it. @returns the number of products */
  async rewrite(): Promise<number> {
    const { meta } = await this.ask('GET', '/v1/products?store=main&per_page=1')
    const pattern = `W${++this.#times}-{supplier_sku}`
    const others = (this.#members ?? []).filter((name) => name !== 'prices_is_default')
    const members = this.#times % 2 === 0 ? others : [...others, 'prices_is_default']
    return this.#sweep('', { sku_pattern: pattern, additional_members: members }, meta?.total ?? 0)
  }

  /**
   * Changes all prices, by enough that price endings do not round the difference away. @returns the number of products
   * with a price
   */
  async reprice(): Promise<number> {
    return this.#sweep(`/pricing-rules/${this.#rule}`, { addition: String(5 * ++this.#times) }, await this.#priced)
  }

  /** Counts the products with a price once, by changing all prices and counting the changes in the feed. */
  async countPriced(): Promise<void> {
    this.#priced ??= (async () => {
      const before = await this.#head()
      await this.#sweep(`/pricing-rules/${this.#rule}`, { addition: String(5 * ++this.#times) }, 1)
      let head: number
      do {
        head = await this.#head()
        await sleep(5_000)
      } while (head < (await this.#head()))
      return (head - before) / STORES.length
    })()
    await this.#priced
  }

  async #head(): Promise<number> {
    return (await this.ask('GET', '/v1/changes?store=main&since=now')).next_id ?? 0
  }

  /** Writes a setting, and waits until the feed has changes of this many products in each store. */
  async #sweep(path: string, body: object, products = 0): Promise<number> {
    const before = await this.#head()
    await this.ask('PATCH', `/v1/account${path}`, JSON.stringify(body))
    while ((await this.#head()) < before + STORES.length * products) await sleep(50)
    return products
  }

  /** Processor milliseconds of each kind of process since the last call. `readers` are all children of the service. */
  async used(): Promise<Used> {
    const found: Used = { service: 0, readers: 0, postgres: 0 }
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const own = Number(pid) === this.#service.child.pid
      const isReader = parent === this.#service.child.pid
      const isServer = !own && !isReader && (await this.#isOfServer(pid, parent))
      if (!own && !isReader && !isServer) continue
      const now = await milliseconds(pid)
      const spent = now - (this.#used.get(pid) ?? 0)
      this.#used.set(pid, now)
      found[own ? 'service' : isReader ? 'readers' : 'postgres'] += spent
    }
    return found
  }

  async #isOfServer(pid: string, parent: number): Promise<boolean> {
    const of = (id: string | number) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    return (await of(pid)).includes(this.#directory) || (await of(parent)).includes(this.#directory)
  }

  async close(): Promise<void> {
    await stopService(this.#service)
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * The kinds of work: preparation of a turn, which is not counted, and the turn itself, which returns its number of rows
 * or requests.
 */
const KINDS: Readonly<
  Record<string, { prepare?: (tree: Tree) => Promise<unknown>; work: (tree: Tree) => Promise<number> }>
> = {
  new: { prepare: (tree) => tree.newAccount(), work: (tree) => tree.import('created') },
  unchanged: { work: (tree) => tree.import('unchanged') },
  polls: { work: (tree) => tree.poll() },
  reads: { work: (tree) => tree.read() },
  pages: { work: (tree) => tree.page() },
  stocks: { work: (tree) => tree.stocks() },
  reshelve: { work: (tree) => tree.reshelve() },
  rewrite: { work: (tree) => tree.rewrite() },
  reprice: { prepare: (tree) => tree.countPriced(), work: (tree) => tree.reprice() },
}

/** The mapping, with a recommended price, a sale price and a package content for each article. */
function withPrices(mapping: unknown): unknown {
  const { fields, ...rest } = mapping as { fields: { cost: string } }
  const times = (factor: number) => ({ calc: `cost * ${factor}`, of: { cost: fields.cost } })
  const prices = { list_price: times(3), sale_price: times(1.7), net_content: { constant: '750 ml' } }
  return { ...rest, fields: { ...fields, ...prices } }
}

/** The URL of a trace collector that accepts everything and ends with this process. */
async function collectorUrl(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const NO_MODELS = { tree: ROOT, members: null, hasModels: false, hasPrices: false }
const PLAIN = { ...NO_MODELS, members: [] }
const ALL_MEMBERS = { ...NO_MODELS, members: ADDITIONAL_MEMBER_NAMES }
/** Kinds that compare two configurations of this tree instead of two commits. */
const SIDES: Readonly<Record<string, { names: [string, string]; theirs: Side; ours: Side }>> = {
  traces: {
    names: ['without traces', 'traces of everything'],
    theirs: NO_MODELS,
    ours: { ...NO_MODELS, isTraced: true },
  },
  members: { names: ['without members', 'all members'], theirs: PLAIN, ours: ALL_MEMBERS },
  groups: {
    names: ['without members', 'all members and groups'],
    theirs: PLAIN,
    ours: { ...ALL_MEMBERS, hasModels: true },
  },
  prices: {
    names: ['cost and markup', 'all that prices know'],
    theirs: NO_MODELS,
    ours: { ...NO_MODELS, hasPrices: true },
  },
}

const [directory = '.', kind = '', rounds = '10'] = process.argv.slice(2)
const chosen = KINDS[kind]
if (chosen === undefined) throw new Error(`name a kind of work: ${Object.keys(KINDS).join(', ')}`)
const sides = SIDES[directory] ?? {
  names: ['the other tree', 'this tree'],
  theirs: { ...NO_MODELS, tree: resolve(directory) },
  ours: NO_MODELS,
}
const trees = { theirs: await Tree.open(sides.theirs), ours: await Tree.open(sides.ours) }
try {
  const all: Record<keyof typeof trees, Used[]> = { theirs: [], ours: [] }
  // the first import of a process is slower than later ones, and not counted
  for (const who of ['theirs', 'ours'] as const) await trees[who].import('created')
  await sleep(3_000)
  let count = 0
  for (let round = 0; round < Number(rounds); round++)
    for (const who of ['theirs', 'ours', 'ours', 'theirs'] as const) {
      await chosen.prepare?.(trees[who])
      await trees[who].used()
      const done = (count = await chosen.work(trees[who]))
      const { service, readers, postgres } = await trees[who].used()
      all[who].push({ service: service / done, readers: readers / done, postgres: postgres / done })
    }
  const sum = ({ service, readers, postgres }: Used) => service + readers + postgres
  const say = (who: 'theirs' | 'ours', of: (used: Used) => number) => {
    const values = all[who].map(of)
    return `${(Math.min(...values) * 1e3).toFixed(1)}, median ${(median(values) * 1e3).toFixed(1)}`
  }
  const figures: [string, (used: Used) => number][] = [
    ['service', ({ service }) => service],
    ['its child processes', ({ readers }) => readers],
    ['database server', ({ postgres }) => postgres],
    ['all', sum],
    ['without the database server', ({ service, readers }) => service + readers],
  ]
  console.log(
    `${kind}, ${Math.round(count)} each time\n| processor time of one (µs), the least | ${sides.names.join(' | ')} | least | median |\n|---|---|---|---|---|`,
  )
  for (const [what, of] of figures) {
    const values = (who: 'theirs' | 'ours') => all[who].map(of)
    if (Math.max(...values('theirs'), ...values('ours')) < 1e-3) continue
    const ratio = (take: (values: number[]) => number) =>
      `${(take(values('ours')) / take(values('theirs'))).toFixed(2)}x`
    console.log(
      `| ${what} | ${say('theirs', of)} | ${say('ours', of)} | ${ratio((list) => Math.min(...list))} | ${ratio(median)} |`,
    )
  }
} finally {
  await Promise.all(Object.values(trees).map((tree) => tree.close()))
}
