import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Product } from '../../client/src/answers.ts'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { NdjsonTarget } from '../../client/src/targets/ndjson.ts'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { createAccount } from '../harness/account.ts'
import { seedFor } from '../harness/interleave.ts'
import { tokenFor } from '../harness/service.ts'
import { mountSmallDisk, noSmallDisk } from '../harness/small-disk.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { objects, positionIn, runClient, startClient } from './command-line.ts'

// `shelfwire-client mirror` against the service, in processes that are stopped and killed.

const SKUS = Array.from({ length: 1_500 }, (_, i) => `A${i}`)
const STORES = ['main', 'de', 'pl']
const { service, account, http } = worldOfFile({ service: {}, account: 'acme', products: SKUS })
const root = directoryOfFile('mirror-command')
const env = async () => ({
  SHELFWIRE_URL: service.url,
  SHELFWIRE_TOKEN: await tokenFor(service.runtime, account.accountId, 'connector'),
})

async function listed(store: string): Promise<Product[]> {
  const { SHELFWIRE_TOKEN: token } = await env()
  const found: Product[] = []
  for await (const product of new Shelfwire({ url: service.url, token }).products.walk({ store })) found.push(product)
  return found
}

async function inDirectory(directory: string, store: string): Promise<Product[]> {
  const names = (await readdir(join(directory, store))).filter((name) => name.endsWith('.ndjson')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(directory, store, name), 'utf8')))
  return objects(texts.join('')) as unknown as Product[]
}

const put = async (sku: string, cost: string) => {
  const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
    method: 'PUT',
    body: JSON.stringify({ cost, quantity: 5 }),
    headers: { 'content-type': 'application/json', prefer: 'wait=10' },
  })
  expect(status).toBeLessThan(300)
}

test.for(['--dir', '--sqlite'])(
  '%s: killed in the middle of the fill again and again, it goes on and is equal',
  { timeout: 60_000 },
  async (option) => {
    const random = prng(seedFor(`mirror-command${option}`))
    const place = join(root, `killed${option}`)
    const at = async (store: string) =>
      option === '--dir' ? positionIn(place, store) : ((await new SqliteTarget(place).position(store)) ?? '')
    const positions = async () => (existsSync(place) ? await Promise.all(STORES.map(at)) : [])
    let inTheMiddle = 0
    // a fast machine may complete the fill before the kill: then it starts again, until enough fills were killed in the middle
    for (let kill = 0; kill < 60 && (kill < 8 || inTheMiddle < 2); kill++) {
      let before = await positions()
      if (before.length > 0 && before.every((position) => position.includes('following'))) {
        for (const name of await readdir(root))
          if (name.startsWith(`killed${option}`)) await rm(join(root, name), { recursive: true })
        before = []
      }
      const { process: child, ended } = startClient(['mirror', option, place], await env())
      // the kill comes after it has written something
      await expect.poll(positions, { timeout: 10_000, interval: 10 }).not.toEqual(before)
      await sleep(random() * 40)
      child.kill('SIGKILL')
      await ended
      if ((await positions()).some((position) => position.includes('filling'))) inTheMiddle++
    }
    expect(inTheMiddle).toBeGreaterThan(1)
    await put('A7', '321')
    expect(await runClient(['mirror', option, place, '--once'], await env())).toMatchObject({ code: 0, err: '' })
    const target = option === '--dir' ? new NdjsonTarget(place) : new SqliteTarget(place)
    for (const store of STORES) {
      const held: Product[] = []
      for await (const product of target.walk(store)) held.push(product)
      expect(held).toEqual(await listed(store))
      if (option === '--dir') expect(await inDirectory(place, store)).toEqual(held)
    }
  },
)

test('it follows what changes, says so in JSON, and ends with 0 at SIGINT', async () => {
  const place = join(root, 'follows')
  const running = startClient(['mirror', '--dir', place, '--store', 'pl', '--store', 'main', '--json'], await env())
  const current = () => objects(running.out()).filter(({ event }) => event === 'current')
  await expect.poll(current, { timeout: 10_000 }).toHaveLength(2)
  await put('A3', '99.5')
  const written = () =>
    objects(running.out()).flatMap(({ event, store, products }) => (event === 'following' ? [[store, products]] : []))
  await expect
    .poll(() => written().sort())
    .toEqual([
      ['main', 1],
      ['pl', 1],
    ])
  running.process.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 0, err: '' })
  expect(await readdir(place)).toEqual(['main', 'pl', 'shelfwire.json'])
  expect(await inDirectory(place, 'pl')).toEqual(await listed('pl'))
})

test('two mirrors in one directory: the second is refused, a lock of one that was killed is not in the way', async () => {
  const place = join(root, 'two')
  const first = startClient(['mirror', '--dir', place], await env())
  await expect.poll(first.out, { timeout: 10_000 }).toContain('up to date')
  const second = await runClient(['mirror', '--dir', place, '--once'], await env())
  expect(second).toMatchObject({ code: 5, out: '' })
  expect(second.err).toMatch(/^shelfwire-client: process \d+ on \S+ writes this directory/)
  first.process.kill('SIGKILL')
  await first.ended
  expect(await readdir(place)).toContain('shelfwire.lock')
  expect(await runClient(['mirror', '--dir', place, '--once'], await env())).toMatchObject({ code: 0, err: '' })
  expect(await readdir(place)).not.toContain('shelfwire.lock')
})

test('what cannot be mirrored says what to do, with an exit code, and shows no token', async () => {
  const place = join(root, 'refused')
  const given = await env()
  const refused = async (args: string[], code: number, text: string | RegExp, more: Record<string, string> = {}) => {
    const ended = await runClient(['mirror', '--once', ...args], { ...given, ...more })
    expect(ended).toMatchObject({ code, err: expect.stringMatching(text) as string })
    expect(ended.out + ended.err).not.toContain(given.SHELFWIRE_TOKEN)
    return ended
  }
  const dir = ['--dir', place]
  await refused([...dir, '--token', 'sw_wrong'], 4, 'the service does not know this token')
  await refused([...dir, '--store', 'fr'], 4, 'there is no active store "fr": this token reads main, de, pl')
  let status = 200
  const page = createServer((_, response) =>
    response.writeHead(status).end('<!doctype html>\n<html>\n<title>Hello'),
  ).listen(0)
  await once(page, 'listening')
  const other = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  await refused([...dir, '--url', other], 4, 'is not Shelfwire')
  status = 503
  const { err } = await refused([...dir, '--url', other], 3, 'answers with status 503, and not as the service does')
  expect(err.trim().split('\n')).toHaveLength(1)
  page.close()
  await refused([...dir, '--url', 'http://127.0.0.1:9'], 3, 'does not answer')
  await refused([...dir, '--url', 'catalog.example'], 2, '--url takes an address')
  await refused(dir, 2, 'give a token', { SHELFWIRE_TOKEN: '' })
  await refused(dir, 2, 'the token has characters', { SHELFWIRE_TOKEN: `${given.SHELFWIRE_TOKEN}\u001b[2J\nx` })
  await refused([...dir, given.SHELFWIRE_TOKEN], 2, 'every argument belongs to an option')
  await refused(['--directory', place], 2, "Unknown option '--directory'")
  await refused([], 2, 'say where the mirror is')
  // none of these has created the directory
  expect(existsSync(place)).toBe(false)
  await refused(['--dir', root], 5, 'has other files and is no mirror')
  const file = join(root, 'a-file')
  await writeFile(file, 'text that is no database')
  await refused(['--dir', file], 5, 'a file is where a directory should be')
  await refused(['--sqlite', file], 5, 'is no SQLite database')
  await refused(['--sqlite', join(root, 'missing/mirror.db')], 5, 'cannot be opened')
  const { out } = await refused(['--json', '--dir', file], 5, 'a file is where')
  expect(objects(out)).toEqual([expect.objectContaining({ event: 'error', code: 'EEXIST', exit: 5 })])
})

test('a mirror of one account takes no products of another, nor of a service elsewhere', async () => {
  const other = await createAccount(service.runtime, 'other')
  const token = await tokenFor(service.runtime, other.accountId, 'connector')
  for (const option of ['--dir', '--sqlite']) {
    const place = join(root, `account${option}`)
    const args = ['mirror', option, place, '--once', '--store', 'main']
    expect(await runClient(args, await env())).toMatchObject({ code: 0 })
    const foreign = await runClient(args, { ...(await env()), SHELFWIRE_TOKEN: token })
    expect(foreign).toMatchObject({ code: 5, err: expect.stringContaining('has "main" of another account') as string })
    const moved = { ...(await env()), SHELFWIRE_URL: service.url.replace('127.0.0.1', 'localhost') }
    expect(await runClient(args, moved)).toMatchObject({
      code: 5,
      err: expect.stringContaining('say --moved') as string,
    })
    expect(await runClient([...args, '--moved'], moved)).toMatchObject({ code: 0 })
    expect(await runClient(args, moved)).toMatchObject({ code: 0 })
  }
})

test('the token is read from a file', async () => {
  const { SHELFWIRE_URL, SHELFWIRE_TOKEN } = await env()
  const file = join(root, 'token')
  await writeFile(file, `${SHELFWIRE_TOKEN}\n`)
  const args = ['mirror', '--once', '--dir', join(root, 'by-file'), '--token-file', file]
  expect(await runClient(args, { SHELFWIRE_URL })).toMatchObject({ code: 0, err: '' })
})

test('a file that was cut off ends the mirror before it writes over it', async () => {
  const place = join(root, 'cut')
  expect(await runClient(['mirror', '--once', '--dir', place], await env())).toMatchObject({ code: 0 })
  const name = readdirSync(join(place, 'main')).find((one) => one.endsWith('.ndjson')) ?? ''
  const file = join(place, 'main', name)
  const text = await readFile(file, 'utf8')
  const cut = text.slice(0, text.length - 50)
  await writeFile(file, cut)
  const id = (JSON.parse(text.split('\n')[0] ?? '') as Product).id
  const sku = SKUS[(await listed('main')).findIndex((product) => product.id === id)]!
  await put(sku, '77')
  // also while it follows, where it would retry temporary errors
  for (const once of [['--once'], []]) {
    const ended = await runClient(['mirror', '--dir', place, ...once], await env())
    expect(ended).toMatchObject({ code: 5, err: expect.stringContaining(`${file}, line `) as string })
  }
  expect(await readFile(file, 'utf8')).toBe(cut)
})

test.skipIf(process.getuid?.() === 0)('a directory that may not be written says so', async () => {
  const place = join(root, 'read-only')
  await mkdir(place)
  await chmod(place, 0o555)
  const ended = await runClient(['mirror', '--once', '--dir', place], await env())
  expect(ended).toMatchObject({ code: 5, err: expect.stringContaining('may not write there') as string })
})

test.skipIf(noSmallDisk() !== null).for(['--dir', '--sqlite'])(
  '%s: a full disk ends --once, and it goes on when there is space',
  async (option) => {
    using disk = mountSmallDisk(24, process.getuid?.() ?? 0)
    const place = join(disk.directory, 'mirror')
    expect(await runClient(['mirror', '--once', '--store', 'de', option, place], await env())).toMatchObject({
      code: 0,
    })
    disk.fill()
    const full = await runClient(['mirror', '--once', option, place], await env())
    expect(full).toMatchObject({ code: 5, err: expect.stringMatching(/disk (?:is )?full/) as string })
    disk.free()
    expect(await runClient(['mirror', '--once', option, place], await env())).toMatchObject({ code: 0, err: '' })
    if (option === '--dir')
      for (const store of STORES) expect(await inDirectory(place, store)).toEqual(await listed(store))
  },
)
