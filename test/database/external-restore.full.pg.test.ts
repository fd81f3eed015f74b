import { execFile } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import { openCommands } from '../harness/command.ts'
import { debianBinaries, startDebianServer } from '../harness/debian-server.ts'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/interleave.ts'
import { client } from '../harness/service.ts'
import { serve } from '../harness/serving.ts'

// An external PostgreSQL is restored to a point in time as docs/operations.md describes, with the settings from there, while
// shops that have read later changes continue over HTTP.

const run = promisify(execFile)
const SERVER = 15
const NOBODY = 65_534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const GUIDE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')

/** The settings of the guide's code block that contains `setting`, with paths below `directory`. */
function documented(setting: string, directory: string): Record<string, string> {
  const block = [...GUIDE.matchAll(/^```ini\n(.*?)^```/gms)].find(([, lines]) => lines?.includes(`${setting} =`))
  const settings = [...(block?.[1] ?? '').matchAll(/^(\w+) = '?(.*?)'?$/gm)]
  return Object.fromEntries(
    settings.map(([, name = '', value = '']) => [name, value.replaceAll('/srv/backups', directory)]),
  )
}

test.skipIf(debianBinaries(SERVER) === null)(
  'a reader that is ahead of a server that was brought to an earlier moment is told so, and begins anew',
  { timeout: 240_000 },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shelfwire-external-'))
    const binaries = debianBinaries(SERVER) ?? ''
    const own = (name: string, mode = 0o755) => {
      const path = join(directory, name)
      mkdirSync(path, { mode })
      if (identity.uid !== undefined) chownSync(path, identity.uid, identity.gid)
      return path
    }
    chmodSync(directory, 0o755)
    const wal = own('wal')
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rmSync(directory, { recursive: true, force: true }))
    const server = await startDebianServer(SERVER, own('old'), {
      ...documented('archive_command', directory),
      fsync: 'off',
    })
    stack.defer(() => server.stop())
    let database = { url: server.url }
    const commandsOf = () => openCommands(database, join(directory, 'data'))
    const first = await serve(commandsOf())
    const account = String(
      (await commandsOf().json('account create --name Acme --currency EUR --locale en')).account_id,
    )
    await commandsOf().json(`supplier create --account ${account} --code north --name North --currency EUR`)
    const { token } = (await commandsOf().json(`token create --account ${account} --access full`)) as { token: string }
    const shop = (url: string) => {
      const http = client(url, token)
      return {
        async put(cost: string) {
          const { status } = await http('/v1/account/suppliers/north/offers/A-1', {
            method: 'PUT',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ cost, quantity: 3, texts: { en: { title: 'Pen' } } }),
          })
          expect([200, 201]).toContain(status)
        },
        async head() {
          const { body } = await http('/v1/changes?since=now')
          const { next_since: since, next_id: id } = body as { next_since: string; next_id: number }
          return new URLSearchParams({ since, since_id: String(id) }).toString()
        },
        ask: http,
      }
    }
    const before = shop(first.url)
    await before.put('1.00')
    const base = join(directory, 'base')
    const { port: oldPort } = new URL(server.url)
    await run(
      join(binaries, 'pg_basebackup'),
      ['-h', '127.0.0.1', '-p', oldPort, '-U', 'shelfwire', '-D', own('base', 0o700), '-X', 'stream', '-c', 'fast'],
      identity,
    )
    await before.put('2.00')
    const kept = await before.head()
    await sleep(50)
    const moment = new Date()
    await sleep(50)
    await before.put('3.00')
    const lost = await before.head()
    // the guide's step that archives the last minute of the log
    const [row] = await onServer(
      server.url,
      (db) => db<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`,
    )
    await until('the last minute is archived', async () => existsSync(join(wal, row?.file ?? '')), 30_000)
    await first.stop()
    await server.stop()

    const restored = own('restored', 0o700)
    await run('cp', ['-a', `${base}/.`, restored], identity)
    const recovery = {
      ...documented('restore_command', directory),
      recovery_target_time: moment.toISOString().replace('T', ' ').replace('Z', '+00:00'),
    }
    expect(recovery).toMatchObject({ recovery_target_action: 'promote', archive_mode: 'off' })
    const lines = Object.entries(recovery).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(join(restored, 'postgresql.auto.conf'), lines.join(''))
    await run('touch', [join(restored, 'recovery.signal')], identity)
    const port = await freePort()
    const pgCtl = (...args: string[]) => run(join(binaries, 'pg_ctl'), ['-D', restored, '-w', ...args], identity)
    // not fewer connections than the old server had, or the replay is refused
    const options = `-c max_connections=200 -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
    await pgCtl('-l', join(restored, 'log'), '-o', options, 'start')
    stack.defer(async () => void (await pgCtl('-m', 'immediate', 'stop')))
    database = { url: `postgres://shelfwire@127.0.0.1:${port}/postgres` }
    await until('it has been brought there', async () => {
      const [state] = await onServer(
        database.url,
        (db) => db<{ waits: boolean }[]>`select pg_is_in_recovery() as waits`,
      )
      return state?.waits === false
    })
    expect(await commandsOf().json('fence-restore')).toMatchObject({ accounts: 1 })

    const second = await serve(commandsOf())
    stack.defer(() => second.stop())
    const after = shop(second.url)
    const { body } = await after.ask('/v1/account/suppliers/north/offers/A-1')
    expect(Number((body as { data: { cost: string } }).data.cost)).toBe(2)
    expect((await after.ask(`/v1/changes?store=main&${kept}`)).status).toBe(200)
    // more changes than were lost: without the fence their numbers would equal those of the lost ones
    for (const cost of ['4.00', '5.00', '6.00']) await after.put(cost)
    for (const wait of ['', '&wait=5']) {
      const refused = await after.ask(`/v1/changes?store=main&${lost}${wait}`)
      expect(refused, refused.text).toMatchObject({ status: 410, body: { code: 'cursor-ahead' } })
    }
    const anew = (await after.ask('/v1/changes?store=main')).body as { changes: unknown[]; has_more: boolean }
    expect([anew.changes.length, anew.has_more]).toEqual([1, false])
  },
)

async function onServer<T>(url: string, work: (db: ReturnType<typeof openDb>) => Promise<T>): Promise<T> {
  const db = openDb({ url, connectionsMax: 1 })
  try {
    return await work(db)
  } finally {
    await db.end({ timeout: 1 })
  }
}
