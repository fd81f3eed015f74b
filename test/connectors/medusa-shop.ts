import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'vitest'
import type { Shop } from './medusa-prices.ts'

// A real Medusa 2 shop on a database of the test: test/connectors/medusa.sh installs it.

const ROOT = process.env['MEDUSA_ROOT'] ?? join(process.env['TMPDIR'] ?? tmpdir(), 'shelfwire-medusa')
const MEDUSA = join(ROOT, 'node_modules/@medusajs/cli/cli.js')
const OWNER = { email: 'owner@example.com', password: 'of-a-test-1234' }
const PRINTED_CHARS_MAX = 100_000

/** Whether the shop is installed here. */
export const isMedusaInstalled = (): boolean => existsSync(join(ROOT, 'installed')) && existsSync(MEDUSA)

/** A running shop with a sales channel, one stock location and the currency EUR. */
export interface MedusaShop extends Shop, AsyncDisposable {
  url: string
  /** All rows of a list of the admin API, by its own paging. */
  all(path: string, member: string): Promise<Record<string, unknown>[]>
}

/** Starts a shop on an empty database. Takes some fifteen seconds. */
export async function startMedusa(databaseUrl: string): Promise<MedusaShop> {
  const env = {
    PATH: process.env['PATH'],
    HOME: ROOT,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    MEDUSA_DISABLE_TELEMETRY: '1',
  }
  const run = (...args: string[]) => spawn(process.execPath, [MEDUSA, ...args], { cwd: ROOT, env, stdio: 'pipe' })
  for (const args of [
    ['db:migrate', '--skip-scripts'],
    ['user', '-e', OWNER.email, '-p', OWNER.password],
  ]) {
    const { code, printed } = await ended(run(...args))
    expect(code, `medusa ${args[0]}: ${printed()}`).toBe(0)
  }
  const port = await freePort()
  const child = run('start', '-p', String(port), '-H', '127.0.0.1')
  const printed = keepPrinted(child)
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  try {
    await expect
      .poll(() => (child.exitCode === null ? healthy(url) : `ended: ${printed()}`), { timeout: 90_000, interval: 500 })
      .toBe(true)
    const { token } = (await send(url, null, 'POST', '/auth/user/emailpass', OWNER)) as { token: string }
    const call: Shop['call'] = async (method, path, body) => (await send(url, token, method, path, body)) as never
    const { sales_channel: channel } = await call<Named<'sales_channel'>>('POST', '/admin/sales-channels', {
      name: 'Shelfwire',
    })
    const { stock_location: location } = await call<Named<'stock_location'>>('POST', '/admin/stock-locations', {
      name: 'Warehouse',
    })
    await call('POST', `/admin/stock-locations/${location.id}/sales-channels`, { add: [channel.id] })
    const { stores } = await call<{ stores: { id: string }[] }>('GET', '/admin/stores')
    await call('POST', `/admin/stores/${stores[0]?.id}`, {
      supported_currencies: [{ currency_code: 'eur', is_default: true }],
    })
    return {
      url,
      call,
      salesChannelId: channel.id,
      stockLocationId: location.id,
      async all(path, member) {
        const rows: Record<string, unknown>[] = []
        for (;;) {
          const mark = path.includes('?') ? '&' : '?'
          const page = await call<Record<string, Record<string, unknown>[]>>(
            'GET',
            `${path}${mark}limit=100&offset=${rows.length}`,
          )
          const more = page[member] ?? []
          rows.push(...more)
          if (more.length < 100) return rows
        }
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Named<K extends string> = Record<K, { id: string }>

const healthy = (url: string) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

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

type Child = ReturnType<typeof spawn>

/** The end of what a process prints. */
function keepPrinted(child: Child): () => string {
  let printed = ''
  const keep = (bytes: Buffer) => (printed = (printed + bytes.toString()).slice(-PRINTED_CHARS_MAX))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => printed
}

async function ended(child: Child) {
  const printed = keepPrinted(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
