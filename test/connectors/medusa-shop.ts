import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { hashOfDirectory, installConnector, keepPrinted, killed, untilHealthy, type Child } from './shop-process.ts'
import { freePort } from '../harness/free-port.ts'

// A real Medusa 2 shop on a database of the test, with the packed plugin in it: test/connectors/medusa.sh installs Medusa itself.

const ROOT = process.env['MEDUSA_ROOT'] ?? join(process.env['TMPDIR'] ?? tmpdir(), 'shelfwire-medusa')
const MEDUSA = join(ROOT, 'node_modules/@medusajs/cli/cli.js')
export const OWNER = { email: 'owner@example.com', password: 'of-a-test-1234' }

const CONFIG = `const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    cookieOptions: { secure: false, sameSite: 'lax' },
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: 'of a test', cookieSecret: 'of a test' },
  },
  admin: { disable: process.env.ADMIN !== 'built' },
  plugins: [...(process.env.SHELFWIRE_OPTIONS === 'null' ? [] : [{ resolve: '@shelfwire/medusa', options: JSON.parse(process.env.SHELFWIRE_OPTIONS) }])],
})
`

/** Whether the shop is installed here. */
export const isMedusaInstalled = (): boolean => existsSync(join(ROOT, 'installed')) && existsSync(MEDUSA)

/** A shop with the currencies EUR and PLN. */
export interface MedusaShop extends AsyncDisposable {
  url: string
  /** Sends a request to the admin API. @throws Error with the shop's answer if it is refused */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** All rows of a list of the admin API, by its own paging. */
  all(path: string, member: string): Promise<Record<string, unknown>[]>
  /** The end of the shop's output since it was started. */
  printed(): string
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>
  /** Starts it again, with other options of the plugin if they are given; null: without the plugin. Some ten seconds. */
  start(options?: object | null): Promise<void>
  /** Runs a `medusa` command beside the shop. */
  medusa(...args: string[]): Promise<{ code: number | null; printed: string }>
}

/** Makes the directory of a shop with the packed plugin, as npm would install it. Medusa's own packages are in a parent folder. */
async function makeShop(): Promise<string> {
  await mkdir(join(ROOT, 'shops'), { recursive: true })
  const shop = await mkdtemp(join(ROOT, 'shops/shop-'))
  await mkdir(join(shop, 'src/api'), { recursive: true })
  await writeFile(
    join(shop, 'package.json'),
    '{ "name": "shop", "private": true, "dependencies": { "@medusajs/medusa": "2" } }',
  )
  await writeFile(join(shop, 'medusa-config.js'), CONFIG)
  await installConnector(shop, 'medusa')
  return shop
}

/** Builds the shop's admin with the plugin's page, as `medusa build` does. Takes half a minute, unless the page is unchanged since the last build. */
async function buildAdmin(shop: string): Promise<void> {
  const page = join(shop, 'node_modules/@shelfwire/medusa/.medusa/server/src/admin')
  const built = join(ROOT, 'admins', await hashOfDirectory(page))
  const admin = {
    disable: false,
    path: '/app',
    outDir: './public/admin',
    sources: [],
    plugins: ['@shelfwire/medusa/admin'],
  }
  if (!existsSync(built)) {
    const script = `require('@medusajs/admin-bundler').build(${JSON.stringify(admin)}).catch((error) => { console.error(error); process.exit(1) })`
    await promisify(execFile)(process.execPath, ['-e', script], {
      cwd: shop,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    await mkdir(join(ROOT, 'admins'), { recursive: true })
    // renamed when complete, so that a kill leaves no partial build
    await rename(join(shop, 'public/admin'), built)
  }
  await cp(built, join(shop, 'public/admin'), { recursive: true })
}

/** Starts a shop on an empty database. Takes some twenty seconds. @param options of the plugin; null: without it @param hasAdmin whether its admin is there for a browser */
export async function startMedusa(
  databaseUrl: string,
  options: object | null,
  { hasAdmin = false } = {},
): Promise<MedusaShop> {
  const directory = await makeShop()
  if (hasAdmin) await buildAdmin(directory)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let env = {
    PATH: process.env['PATH'],
    HOME: ROOT,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    MEDUSA_DISABLE_TELEMETRY: '1',
    ADMIN: hasAdmin ? 'built' : 'none',
    SHELFWIRE_OPTIONS: JSON.stringify(options),
  }
  const begin = (...args: string[]) =>
    spawn(process.execPath, [MEDUSA, ...args], { cwd: directory, env, stdio: 'pipe' })
  const medusa = async (...args: string[]) => {
    const child = begin(...args)
    const printed = keepPrinted(child)
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, printed: printed() }
  }
  let child: Child | null = null
  let printed = () => ''
  let token: string | null = null
  const kill = () => killed(child)
  const start = async (others?: object | null) => {
    if (others !== undefined) env = { ...env, SHELFWIRE_OPTIONS: JSON.stringify(others) }
    const started = begin('start', '-p', String(port), '-H', '127.0.0.1')
    child = started
    printed = keepPrinted(started)
    await untilHealthy(started, `${url}/health`, printed)
    ;({ token } = (await send(url, null, 'POST', '/auth/user/emailpass', OWNER)) as { token: string })
  }
  const shop: MedusaShop = {
    url,
    call: async (method, path, body) => (await send(url, token, method, path, body)) as never,
    async all(path, member) {
      const rows: Record<string, unknown>[] = []
      for (;;) {
        const mark = path.includes('?') ? '&' : '?'
        const page = await shop.call<Record<string, Record<string, unknown>[]>>(
          'GET',
          `${path}${mark}limit=100&offset=${rows.length}`,
        )
        const more = page[member] ?? []
        rows.push(...more)
        if (more.length < 100) return rows
      }
    },
    printed: () => printed(),
    kill,
    start,
    medusa,
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
  try {
    for (const args of [
      ['db:migrate', '--skip-scripts'],
      ['user', '-e', OWNER.email, '-p', OWNER.password],
    ]) {
      const ended = await medusa(...args)
      expect(ended.code, `medusa ${args[0]}: ${ended.printed}`).toBe(0)
    }
    await start()
    return shop
  } catch (error) {
    await shop[Symbol.asyncDispose]()
    throw error
  }
}

/** What an owner sets up once: a sales channel and a stock location for each of two stores, and the currencies. */
export async function furnish(shop: MedusaShop): Promise<void> {
  for (const [channel, warehouse] of [
    ['Shelfwire', 'Warehouse'],
    ['Poland', 'Magazyn'],
  ]) {
    const { sales_channel: made } = await shop.call<Named<'sales_channel'>>('POST', '/admin/sales-channels', {
      name: channel,
    })
    const { stock_location: location } = await shop.call<Named<'stock_location'>>('POST', '/admin/stock-locations', {
      name: warehouse,
    })
    await shop.call('POST', `/admin/stock-locations/${location.id}/sales-channels`, { add: [made.id] })
  }
  const { stores } = await shop.call<{ stores: { id: string }[] }>('GET', '/admin/stores')
  await shop.call('POST', `/admin/stores/${stores[0]?.id}`, {
    supported_currencies: [{ currency_code: 'eur', is_default: true }, { currency_code: 'pln' }],
  })
}

type Named<K extends string> = Record<K, { id: string }>

async function send(url: string, token: string | null, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Medusa: ${method} ${path} ${response.status} ${text.slice(0, 2_000)}`)
  return JSON.parse(text)
}
