import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { silentLog } from '../log.ts'
import { startChild } from './child.ts'

const directory = mkdtempSync(join(tmpdir(), 'shelfwire-child-environment-'))
const program = join(directory, 'program.mjs')
const execArgv = [...process.execArgv]
const OF_CONNECTIONS = {
  NODE_OPTIONS: '--dns-result-order=ipv4first',
  NODE_USE_SYSTEM_CA: '1',
  NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
  SSL_CERT_FILE: join(directory, 'ca.pem'),
  PGSSLMODE: 'verify-full',
  PGPASSFILE: join(directory, 'pgpass'),
  USER: 'shop',
  HOME: directory,
}
const SECRETS = { SECRET_KEY: 'k'.repeat(32), DATABASE_URL: 'postgres://shop:hush@db/shop', OPERATOR_TOKEN: 'hush' }

beforeAll(() => {
  writeFileSync(
    program,
    `import { writeSync } from 'node:fs'
    writeSync(3, JSON.stringify({ environment: process.env, options: process.execArgv }))`,
  )
  for (const [name, value] of Object.entries({ ...OF_CONNECTIONS, ...SECRETS })) vi.stubEnv(name, value)
  process.execArgv.push('--use-system-ca', '--conditions=of-the-service')
})
afterAll(() => {
  vi.unstubAllEnvs()
  process.execArgv.splice(0, Infinity, ...execArgv)
  rmSync(directory, { recursive: true, force: true })
})

async function started(hasConnections: boolean) {
  const child = startChild(silentLog, program, {
    nodeArgs: ['--max-old-space-size=64'],
    threads: 3,
    hasConnections,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const sent = await text(child.pipe(3))
  expect([await child.ended, child.lastWords()]).toEqual(['code 0', ''])
  const { environment, options } = JSON.parse(sent) as { environment: Record<string, string>; options: string[] }
  const { MALLOC_ARENA_MAX: _, NODE_NO_WARNINGS: __, NODE_COMPILE_CACHE: ___, ...rest } = environment
  return { environment: rest, options }
}

test('a process with connections trusts the certificates that the service trusts, and gets none of its secrets', async () => {
  const { environment, options } = await started(true)
  expect(environment).toMatchObject({ ...OF_CONNECTIONS, UV_THREADPOOL_SIZE: '3' })
  for (const name of Object.keys(SECRETS)) expect(environment).not.toHaveProperty(name)
  expect(options).toEqual(['--use-system-ca', '--max-old-space-size=64'])
})

test('a process without connections gets nothing of the environment', async () => {
  const { environment, options } = await started(false)
  expect(environment).toEqual({ UV_THREADPOOL_SIZE: '3' })
  expect(options).toEqual(['--max-old-space-size=64'])
})
