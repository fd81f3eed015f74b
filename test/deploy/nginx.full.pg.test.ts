import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openCommands } from '../harness/command.ts'
import { until } from '../harness/interleave.ts'
import { untilServing } from '../harness/serving.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { CONTEXT } from './dockerfile.ts'
import { freePort } from '../harness/free-port.ts'

// deploy/nginx/shelfwire.conf, with other ports and a certificate of its own, before two processes that are restarted.

const NGINX = '/usr/sbin/nginx'
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
  const openssl = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=shop.example.com',
  ]
  execFileSync('openssl', [...openssl, '-keyout', join(directory, 'tls.key'), '-out', join(directory, 'tls.crt')], {
    stdio: 'pipe',
  })
  const conf = readFileSync(join(CONTEXT, 'deploy/nginx/shelfwire.conf'), 'utf8')
    .replaceAll('/etc/nginx/tls', directory)
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`)
    .replace('127.0.0.1:8080', `127.0.0.1:${ports.first}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${ports.second}`)
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http { access_log off; ${own.join(' ')}
${conf}}`,
  )
})

test.skipIf(isSkipped)(
  'a process after the other is restarted under load: no request fails but by 503 with Retry-After',
  { timeout: 180_000 },
  async () => {
    execFileSync(NGINX, ['-t', '-q', '-c', join(directory, 'nginx.conf')], { stdio: 'pipe' })
    const nginx = spawn(NGINX, ['-c', join(directory, 'nginx.conf')], { stdio: 'ignore' })
    const processes = { first: await startService(ports.first), second: await startService(ports.second) }
    onTestFinished(async () => {
      // ended properly: a killed one leaves a transaction open until the server notices
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
    const agent = new Agent({ keepAlive: true, maxSockets: 32, rejectUnauthorized: false })
    const ask = (method: string, path: string, body?: object) => answerOf(agent, method, path, body)
    const counts = new Map<string, number>()
    const ending = new AbortController()
    const load = async (method: string, path: string, body?: () => object) => {
      while (!ending.signal.aborted) {
        const { status, retryAfter } = await ask(method, path, body?.()).catch((error: Error) => ({
          status: error.message,
          retryAfter: undefined,
        }))
        const answer = `${method} ${status}${status === 503 && retryAfter === undefined ? ' without Retry-After' : ''}`
        counts.set(answer, (counts.get(answer) ?? 0) + 1)
      }
    }
    /** Waits until so many further requests were answered. */
    const answered = (count: number) => {
      const total = () => [...counts.values()].reduce((sum, one) => sum + one, 0)
      const from = total()
      return until('requests are answered', async () => total() >= from + count)
    }
    let price = 1
    const loads = [
      ...Array.from({ length: 6 }, () => load('GET', '/v1/products?store=main')),
      ...Array.from({ length: 3 }, () => load('GET', '/v1/changes?since=now&wait=1')),
      ...Array.from({ length: 2 }, () =>
        load('PUT', '/v1/account/suppliers/north/offers/A-1', () => ({
          cost: (price += 0.01).toFixed(2),
          quantity: 3,
          texts: { en: { title: 'Pen' } },
        })),
      ),
    ]
    for (const name of ['first', 'second', 'first'] as const) {
      await answered(200)
      const { child } = processes[name]
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      await answered(100)
      processes[name] = await startService(ports[name])
    }
    // one that is killed loses what it had
    processes.second.child.kill('SIGKILL')
    await answered(200)
    ending.abort()
    await Promise.all(loads)
    const allowed = /^(GET 200|PUT 20[01]|(GET|PUT) (503|429))$/
    expect(
      [...counts].filter(([answer]) => !allowed.test(answer)),
      JSON.stringify([...counts]),
    ).toEqual([])
    expect(counts.get('GET 200')).toBeGreaterThan(100)
    // what is for operators alone is answered by nginx, however it is written; the service answers JSON
    for (const path of OPERATORS) {
      const { status, type } = await ask('GET', path)
      expect({ path, status, type }).toEqual({ path, status: 404, type: 'text/html' })
    }
    agent.destroy()
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

interface Answer {
  status: number | undefined
  type: string | undefined
  retryAfter: string | undefined
}

function answerOf(agent: Agent, method: string, path: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port: ports.https,
        host: '127.0.0.1',
        servername: 'shop.example.com',
        method,
        path,
        headers: {
          host: 'shop.example.com',
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (answer) => {
        answer.resume()
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode,
            type: answer.headers['content-type'],
            retryAfter: answer.headers['retry-after'],
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

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
  await untilServing(child)
  return { child }
}
