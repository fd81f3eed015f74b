import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, test } from 'vitest'
import { openCommands } from '../harness/command.ts'
import { hold } from '../harness/interleave.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The command line as a process of its own, started by bin/shelfwire.mjs: exit codes, streams, help. Other tests run commands
// within their own process, which is ten times as fast. Signals: serve below, and listen.full.test.ts.

const directory = directoryOfFile('process')
const { database } = worldOfFile()
const commands = openCommands(database, directory)

test('--help and --version answer on standard output with code 0', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await commands.runProcess(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const help = await commands.runProcess(['--help'])
  expect(help).toMatchObject({ code: 0, err: '' })
  for (const name of ['start', 'serve', 'account', 'import', 'endpoint', 'listen', 'audit'])
    expect(help.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
})

test('the service runs with a small young generation, unless its user states a size; other commands go on as they began', async () => {
  const flagsOf = async (args: readonly string[], own = '') => {
    const print = '--import=data:text/javascript,console.log(`${process.pid}:${process.execArgv.join()}`)'
    const { code, out } = await commands.runProcess(args, { env: { NODE_OPTIONS: `${print} ${own}` } })
    expect(code).toBe(0)
    // each started Node prints a line: there is only one process
    const begun = [...out.matchAll(/^(\d+):(.*)$/gm)]
    expect(new Set(begun.map(([, pid]) => pid)).size).toBe(1)
    return begun.map(([, , flags]) => flags)
  }
  expect(await flagsOf(['serve', '--help'])).toEqual([
    '',
    expect.stringMatching(/--max-semi-space-size=\d+,--expose-gc$/),
  ])
  expect(await flagsOf(['start', '--help'])).toHaveLength(2)
  // the size of the user is kept, and what lets an idle service give memory back is added
  expect(await flagsOf(['serve', '--help'], '--max-semi-space-size=32')).toEqual([
    '',
    expect.stringMatching(/^--disable-warning=ExperimentalWarning,--expose-gc$/),
  ])
  expect(await flagsOf(['account', '--help'])).toEqual([''])
})

test('no command, an unknown one and a wrong option end with code 1 and say so on standard error', async () => {
  const none = await commands.runProcess([])
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.err).toContain('Usage: shelfwire')
  const unknown = await commands.runProcess(['acount'])
  expect(unknown).toMatchObject({ code: 1, out: '' })
  expect(unknown.err).toMatch(/^error: unknown command 'acount'/)
  const invalid = await commands.runProcess(['account', 'list', '--jsn'])
  expect(invalid).toMatchObject({ code: 1, out: '' })
})

test('a command that is refused ends with code 1 and one line on standard error', async () => {
  expect(await commands.runProcess(['token', 'revoke', 'abc'])).toEqual({
    code: 1,
    out: '',
    err: 'shelfwire: there is no live token abc\n',
  })
})

test('a command reads standard input, writes its answer, and sets its exit code', async () => {
  const open = ['account', 'create', '--name', 'Acme', '--currency', 'EUR', '--locale', 'en', '--json']
  const opened = await commands.runProcess(open)
  expect(opened).toMatchObject({ code: 0, err: '' })
  const account = ['--account', String((JSON.parse(opened.out) as { account_id: number }).account_id)]
  await commands.json(['supplier', 'create', ...account, '--code', 'north', '--name', 'North', '--currency', 'EUR'])
  const mapping = join(directory, 'mapping.json')
  await writeFile(mapping, JSON.stringify({ locale: 'en', format: 'csv', fields: { sku: 'sku', cost: 'cost' } }))
  const input = 'sku,cost\nA,10\n'
  const imported = await commands.runProcess(
    ['import', '-', ...account, '--supplier', 'north', '--mapping', mapping, '--json'],
    { input },
  )
  expect(imported).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(imported.out)).toMatchObject({ rows: 1, created: 1 })
  await database.db`update payload_price set body = replace(body, '"stock":0', '"stock":1')`
  expect(await commands.runProcess(['audit', ...account])).toMatchObject({
    code: 1,
    out: expect.stringContaining(' 1 differences'),
    err: '',
  })
})

test('a process answers as the same command line within a process does', async () => {
  for (const args of [['account', 'list'], ['account', 'list', '--json'], ['account'], ['store', 'list'], ['--help']])
    expect(await commands.runProcess(args), args.join(' ')).toEqual(await commands.run(args))
})

describe('serve', { timeout: 120_000 }, () => {
  it('ends with code 1 and a message when its port is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const ended = await commands.runProcess(['serve'], { env: { PORT: String(port) } })
    taken.close()
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringContaining(`port ${port} of 127.0.0.1 is already in use`),
    })
    expect(ended.err).not.toContain('    at ')
  })

  it('says that it cannot write its DATA_DIR, and answers reads without it', async () => {
    const file = join(directory, 'no-directory')
    await writeFile(file, '')
    const env = { PORT: '0', LOG_LEVEL: 'info', DATA_DIR: join(file, 'data'), SECRET_KEY: 'k'.repeat(40) }
    const child = commands.start(['serve'], env)
    const exit = once(child, 'exit')
    const said: { url?: string; msg?: string; dataDir?: string }[] = []
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(JSON.parse(line) as (typeof said)[number])
      if (said.at(-1)?.url !== undefined) break
    }
    child.stderr.resume()
    const warning = said.find(({ msg }) => msg?.startsWith('DATA_DIR is not writable'))
    expect(warning?.dataDir).toBe(env.DATA_DIR)
    expect((await fetch(`${said.at(-1)?.url}/readyz`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('serves on a free port and ends on SIGTERM with code 0, once requests in flight are answered', async () => {
    const account = String(
      (await commands.json(['account', 'create', '--name', 'Served', '--currency', 'EUR', '--locale', 'en']))
        .account_id,
    )
    const { token } = await commands.json(['token', 'create', '--account', account, '--access', 'connector'])
    const headers = { authorization: `Bearer ${token}` }
    const child = commands.start(['serve'], { PORT: '0', LOG_LEVEL: 'info' })
    const exit = once(child, 'exit')
    let url = ''
    for await (const line of createInterface({ input: child.stderr })) {
      url = (JSON.parse(line) as { url?: string }).url ?? ''
      if (url !== '') break
    }
    child.stderr.resume()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    const head = (await (await fetch(`${url}/v1/changes?since=now`, { headers })).json()) as {
      next_since: string
      next_id: number
    }
    // a long poll, and a read that waits for a table lock
    const cursor = new URLSearchParams({ since: head.next_since, since_id: String(head.next_id), wait: '25' })
    const poll = fetch(`${url}/v1/changes?${cursor.toString()}`, { headers })
    const lock = await hold(database.db, (tx) => tx`lock table payload_price in access exclusive mode`)
    const read = fetch(`${url}/v1/products`, { headers })
    for (let waiting = false; !waiting;) {
      const [row] = await database.db<
        { waiting: boolean }[]
      >`select exists (select from pg_locks where not granted and relation = 'payload_price'::regclass) as waiting`
      waiting = row?.waiting ?? false
    }
    child.kill('SIGTERM')
    expect(await (await poll).json()).toMatchObject({ changes: [], next_id: head.next_id })
    expect(child.exitCode).toBeNull()
    await lock.commit()
    expect(await (await read).json()).toMatchObject({ data: [] })
    expect(await exit).toEqual([0, null])
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  })
})
