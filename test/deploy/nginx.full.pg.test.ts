import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openCommands } from '../harness/command.ts'
import { untilServing } from '../harness/serving.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { configureNginx, failuresOf, NGINX, openLoad, startNginx } from './behind-nginx.ts'
import { freePort } from '../harness/free-port.ts'

// deploy/nginx/shelfwire.conf, with other ports and a certificate of its own, in front of two processes that are restarted.

const isSkipped = !existsSync(NGINX)
const directory = directoryOfFile('nginx')
const { database } = worldOfFile()
const commands = openCommands(database, join(directory, 'data'))
const ports = { http: 0, https: 0, first: 0, second: 0 }
let token = ''

beforeAll(async () => {
  if (isSkipped) return
  const bench = openBench(database.db)
  const { accountId } = await createAccount(bench)
  ;({ token } = await inTransaction(database.db, (tx) => createToken(tx, { accountId, access: 'full' })))
  for (const name of ['http', 'https', 'first', 'second'] as const) ports[name] = await freePort()
  mkdirSync(join(directory, 'data'), { recursive: true })
  configureNginx(directory, ports)
})

test.skipIf(isSkipped)(
  'a process after the other is restarted under load: no request fails but by 503 with Retry-After',
  { timeout: 300_000 },
  async () => {
    const nginx = startNginx(directory)
    const processes = { first: await startService(ports.first), second: await startService(ports.second) }
    onTestFinished(async () => {
      // stopped properly, because a killed process leaves a transaction open until the server notices
      for (const { child } of Object.values(processes)) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
    })
    using load = openLoad(ports.https, token)
    const { answered } = load
    let price = 1
    for (let i = 0; i < 6; i++) load.send('GET', '/v1/products?store=main')
    for (let i = 0; i < 3; i++) load.send('GET', '/v1/changes?since=now&wait=1')
    for (let i = 0; i < 2; i++)
      load.send('PUT', '/v1/account/suppliers/north/offers/A-1', () => ({
        cost: (price += 0.01).toFixed(2),
        quantity: 3,
        texts: { en: { title: 'Pen' } },
      }))
    for (const name of ['first', 'second', 'first'] as const) {
      await answered(200)
      const { child } = processes[name]
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      await answered(100)
      processes[name] = await startService(ports[name])
    }
    // a killed process loses the requests that it was answering
    processes.second.child.kill('SIGKILL')
    await answered(200)
    const counts = await load.end()
    expect(failuresOf(counts), JSON.stringify([...counts])).toEqual([])
    expect(counts.get('GET 200')).toBeGreaterThan(100)
    // paths for operators only are refused by nginx, however they are written; the service would answer JSON
    for (const path of OPERATORS) {
      const { status, type } = await load.ask('GET', path)
      expect({ path, status, type }).toEqual({ path, status: 404, type: 'text/html' })
    }
  },
)

const OPERATORS = [
  '/metrics',
  '/readyz',
  ...['', '/accounts', '/accounts/1/erase'].map((rest) => `/v1/operator${rest}`),
]
OPERATORS.push(
  '/v1//operator/accounts',
  '/v1/%6fperator/accounts',
  '/v1/x/../operator/accounts',
  '/v1/operator%2Faccounts',
)

/** A process that answers requests behind nginx; resolves once it listens. */
async function startService(port: number) {
  const child = commands.start(['serve'], {
    PORT: String(port),
    LOG_LEVEL: 'info',
    PUBLIC_URL: 'https://shop.example.com',
    TRUSTED_PROXIES: '127.0.0.1/32',
    RATE_LIMIT_PER_SECOND: '0',
  })
  child.stdout.resume()
  await untilServing(child, 60_000)
  return { child }
}
