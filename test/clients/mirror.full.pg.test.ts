import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { prng } from '../../src/demo/catalog/prng.ts'
import { objects, runClient } from '../client/command-line.ts'
import { createAccount, offer } from '../harness/account.ts'
import { inTurn } from '../harness/gate.ts'
import { seedFor } from '../harness/interleave.ts'
import { tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { startFaultyNetwork, type Fault } from './faulty-network.ts'
import { LANGUAGES, run, titleOf } from './languages.ts'
import { inMirror, textsIn } from './mirrors.ts'

// The command of each client in another language against the service: its mirror is equal byte for byte despite faults, which
// its own verifier and that of @shelfwire/client confirm with the same result.

/** Texts that another JSON writer would encode differently, or at which a program might split lines. */
const TEXTS = [
  '',
  ' ',
  '\u2028 and \u2029 and \u0085',
  '\u{1f600}\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{10ffff} \ufffd \ufeff',
  '<b>&amp;</b> </script> \u007f \u0001 \t\r\n',
  '"\\ \\u0041 ,"prices":[ ,\\"prices\\":[ {"id":1}',
  'e\u0301 \u00e9 \u202e \u061c \u0130',
  'x'.repeat(20_000),
]
/** JavaScript writes the first two as 1e-7 and 1e-15; other languages write 1e-07 or all digits. */
const NUMBERS = ['0.0000001', '0.000000000000001', '999999999999999', '0.1', '-0', '123456.789012345', '5']
const SKUS = Array.from({ length: 900 }, (_, i) => `A${i}`)
const { database, service, account, ids, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: [
    ...TEXTS.map((text, i) =>
      offer(`T${i}`, {
        cost: ['0.01', '99999999.99', '12345678.9', '10'][i % 4]!,
        manufacturer: text.slice(0, 100) || null,
        texts: { en: { title: `${text.slice(0, 200)}.`, description: text } },
        attributes: [{ key: 'size', value: NUMBERS[i % NUMBERS.length]! }],
      }),
    ),
    ...SKUS,
  ],
})
const root = directoryOfFile('clients')
const STORES = ['main', 'pl']
const OF_STORES = STORES.flatMap((store) => ['--store', store])
/** One token for all tests, because the number of tokens of an account is limited. */
let token: Promise<string> | undefined
const env = async () => ({
  SHELFWIRE_URL: service.url,
  SHELFWIRE_TOKEN: await (token ??= tokenFor(service.runtime, account.accountId, 'connector')),
})
const json = { 'content-type': 'application/json', prefer: 'wait=10' }

beforeAll(async () => {
  const type = await http('/v1/account/attributes/size', {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ labels: { en: 'Size' }, type: 'number', decimal: '.' }),
  })
  expect(type.status).toBeLessThan(300)
  await settled()
  const { text } = await http(`/v1/products/${ids[0]}?store=main`)
  expect(text).toContain('"value_number":1e-7')
})

/** Waits until all writes can be read. */
async function settled(): Promise<void> {
  for (;;) {
    const [row] = await database.db<{ count: number }[]>`select count(*)::int as count from mark`
    if (row?.count === 0) return
    await sleep(50)
  }
}

/** The JSON text of each product as the service serves it, read one by one. */
async function served(store: string): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  const headers = { accept: 'application/x-ndjson', authorization: `Bearer ${(await env()).SHELFWIRE_TOKEN}` }
  const answer = await fetch(`${service.url}/v1/export?store=${store}`, { headers })
  for (const line of (await answer.text()).split('\n'))
    if (line !== '') texts.set((JSON.parse(line) as { id: number }).id, line)
  return texts
}

const put = async (sku: string, cost: string) => {
  const body = JSON.stringify({ cost, quantity: 5 })
  const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, { method: 'PUT', body, headers: json })
  expect(status).toBeLessThan(300)
}

let costs = 0
/** A cost that no offer has had before. */
const newCost = () => (600 + ++costs / 100).toFixed(2)

/** Writes and deletes offers until it is disposed. */
function startWriter(random: () => number): AsyncDisposable {
  const ending = new AbortController()
  const work = async () => {
    for (let i = 0; !ending.signal.aborted; i++) {
      const sku = random() < 0.9 ? SKUS[Math.floor(random() * SKUS.length)]! : `N${i}`
      if (random() < 0.8) await put(sku, (1 + random() * 500).toFixed(2))
      else await http(`/v1/account/suppliers/north/offers/${sku}`, { method: 'DELETE' })
      await sleep(5)
    }
  }
  const done = work()
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await done
      await settled()
    },
  }
}

describe.for(LANGUAGES.map((language) => [titleOf(language), language] as const))('%s', ([title, language]) => {
  const { option, missing, name } = language
  const always = test.skipIf(missing !== null)
  // a gate tests common behaviour in one language per test, in turn and by its seed; kills and verification in all
  let at = LANGUAGES.indexOf(language)
  const it = (what: string, work: () => Promise<void>, timeout: number) => {
    if (inTurn(LANGUAGES).includes(LANGUAGES[at++ % LANGUAGES.length]!)) always(what, work, timeout)
  }
  beforeAll(async () => (missing === null ? language.prepare?.() : undefined), 180_000)
  const place = (what: string) => join(root, `${name}-${what}`)
  const command = async (what: string, ...args: string[]) => run(language, [what, ...args], await env())

  /** Compares the mirror row by row, and by both verifiers. */
  async function expectEqual(where: string): Promise<void> {
    for (const store of STORES) expect([...(await textsIn(language, where, store))]).toEqual([...(await served(store))])
    const args = ['verify', option, where, '--json']
    const own = await run(language, args, await env())
    expect(own).toMatchObject({ code: 0, err: '' })
    expect(objects(own.out).map(({ event, store }) => [event, store])).toEqual(STORES.map((store) => ['equal', store]))
    const other = await runClient(args, await env())
    expect(objects(own.out)).toEqual(objects(other.out))
  }

  always(
    'killed again and again while it fills and follows, it goes on and is equal',
    { timeout: 240_000 },
    async () => {
      expect(title).toContain(name)
      const random = prng(seedFor(`clients-${name}`))
      const where = place('killed')
      await using writer = startWriter(random)
      const at = () => inMirror(language, where, (target) => target.position('main'))
      let inTheMiddle = 0
      for (let kill = 0; kill < 10; kill++) {
        // a mirror that was filled before the kill starts again
        if (kill < 6 && inTheMiddle === 0 && existsSync(where) && (await at())?.includes('filling') !== true)
          for (const end of ['', '-wal', '-shm', '-journal']) await rm(where + end, { recursive: true, force: true })
        const { process: child, ended } = language.start(['mirror', option, where, ...OF_STORES], await env())
        if (kill < 6) {
          // the kill comes after it has written something
          const before = existsSync(where) ? await at() : null
          await expect.poll(() => existsSync(where), { timeout: 20_000 }).toBe(true)
          if (before?.includes('following') !== true)
            await expect.poll(at, { timeout: 20_000, interval: 5 }).not.toBe(before)
          if (inTheMiddle > 0) await sleep(random() * 30)
        } else await sleep(500 + random() * 1_000)
        child.kill('SIGKILL')
        await ended
        if ((await at())?.includes('filling') === true) inTheMiddle++
      }
      expect(inTheMiddle).toBeGreaterThan(0)
      await writer[Symbol.asyncDispose]()
      expect(await command('mirror', option, where, '--once', ...OF_STORES)).toMatchObject({ code: 0, err: '' })
      await expectEqual(where)
    },
  )

  it('follows what changes, says so in JSON, and ends with 0 at SIGINT', async () => {
    const where = place('follows')
    const running = language.start(['mirror', option, where, ...OF_STORES, '--json'], await env())
    const told = (event: string) => objects(running.out()).filter((one) => one['event'] === event)
    await expect.poll(() => told('current'), { timeout: 20_000 }).toHaveLength(2)
    await put('A3', newCost())
    const written = () => told('following').map(({ store, products, removed }) => [store, products, removed])
    await expect.poll(() => written().sort(), { timeout: 30_000 }).toEqual(STORES.map((store) => [store, 1, 0]))
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 0, err: '' })
    await expectEqual(where)
  }, 60_000)

  it('goes on with a mirror of @shelfwire/client, which goes on with its own', async () => {
    const where = place('both')
    const args = ['mirror', option, where, '--once', ...OF_STORES]
    expect(await runClient(args, await env())).toMatchObject({ code: 0 })
    await put('A5', newCost())
    expect(await run(language, args, await env())).toMatchObject({ code: 0, err: '' })
    await put('A6', newCost())
    expect(await runClient(args, await env())).toMatchObject({ code: 0, err: '' })
    await expectEqual(where)
  }, 60_000)

  always(
    'finds a flipped byte, a lost and an added row, shows them as @shelfwire/client does, and repairs them',
    async () => {
      const where = place('damaged')
      expect(await command('mirror', option, where, '--once', ...OF_STORES)).toMatchObject({ code: 0 })
      const [flipped = 0, lost = 0, typed = 0, ghost] = [ids[3], ids[9], ids[0], 5_000_000]
      await inMirror(language, where, async (target) => {
        const texts = await textsIn(language, where, 'main')
        const changed = (id: number, from: RegExp, to: string) =>
          JSON.parse((texts.get(id) ?? '').replace(from, to)) as never
        const from = await target.position('main')
        const products = [
          changed(flipped, /"stock":\d+/, '"stock":77'),
          // a number stored as text, and a boolean stored as a number
          changed(typed, /"excluded":false(.*)"value_number":1e-7/, '"excluded":0$1"value_number":"1e-7"'),
          { ...(changed(typed, /^/, '') as object), id: ghost } as never,
        ]
        const batch = { store: 'main', from, position: from ?? '', products, removed: [lost], changes: [] }
        expect(await target.apply(batch)).toBe(true)
      })
      for (const args of [
        ['verify', option, where, '--json'],
        ['diff', option, where, '--json'],
        ['diff', option, where, '--json', '--limit', '1', '--store', 'main'],
      ]) {
        const [own, other] = [await run(language, args, await env()), await runClient(args, await env())]
        expect(own).toMatchObject({ code: 1, err: '' })
        expect(objects(own.out)).toEqual(objects(other.out))
      }
      const { out } = await command('verify', option, where, '--json', '--store', 'main')
      const found = { missing: [lost], superfluous: [ghost], different: [flipped, typed].sort((a, b) => a - b) }
      expect(objects(out)).toMatchObject([{ event: 'unequal', ...found }])
      // products that changed since are not compared, and are read again before a repair
      await put('A7', newCost())
      const { out: behind } = await command('verify', option, where, '--json', '--store', 'pl')
      expect(objects(behind)).toMatchObject([{ event: 'equal', changed_since: 1 }])
      const repaired = await command('verify', option, where, '--repair', '--json', '--store', 'main', '--store', 'pl')
      expect(repaired).toMatchObject({ code: 0, err: '' })
      expect(objects(repaired.out)).toContainEqual({ event: 'repaired', store: 'main', written: 3, removed: 1 })
      await expectEqual(where)
    },
    60_000,
  )

  it('fills again after the service was restored from an older backup, and removes what is gone', async () => {
    const where = place('restored')
    const args = ['mirror', option, where, '--once', '--json', ...OF_STORES]
    expect(await run(language, args, await env())).toMatchObject({ code: 0 })
    const ghost = 4_000_000
    await inMirror(language, where, async (target) => {
      const from = (await target.position('main')) ?? ''
      const { since_id: sinceId } = JSON.parse(from) as { since_id: number }
      const position = from.replace(String(sinceId), String(sinceId + 1_000_000))
      const text = (await textsIn(language, where, 'main')).get(ids[0] ?? 0) ?? ''
      const products = [{ ...(JSON.parse(text) as object), id: ghost } as never]
      expect(await target.apply({ store: 'main', from, position, products, removed: [], changes: [] })).toBe(true)
    })
    expect(await command('verify', option, where, '--store', 'main')).toMatchObject({ code: 1 })
    const { code, out } = await run(language, args, await env())
    expect(code).toBe(0)
    expect(objects(out).flatMap(({ event, store }) => (event === 'reset' ? [store] : []))).toEqual(['main'])
    expect((await textsIn(language, where, 'main')).has(ghost)).toBe(false)
    await expectEqual(where)
  }, 60_000)

  it('waits as long as it is told, reads again what was cut off, and takes gzip', async () => {
    const where = place('network')
    const random = prng(seedFor(`clients-network-${name}`))
    let faults = 0
    const seen = new Set<string>()
    const faultOf = (path: string): Fault => {
      const [address = ''] = path.split('?')
      // the first request to each address fails, the export in its middle
      if (!seen.has(address)) {
        seen.add(address)
        return address === '/v1/export' ? 'cut' : { status: seen.size % 2 === 0 ? 429 : 503, retryAfter: 1 }
      }
      // at its start a command asks for the stores at most twice
      if (address === '/v1/stores' || random() > 0.3) return 'pass'
      faults++
      return random() < 0.7 ? 'cut' : { status: 503, retryAfter: 1 }
    }
    await using network = await startFaultyNetwork(service.url, faultOf)
    const given = { ...(await env()), SHELFWIRE_URL: network.url }
    const running = language.start(['mirror', option, where, '--json', ...OF_STORES], given)
    const current = () => objects(running.out()).filter(({ event }) => event === 'current')
    await expect.poll(current, { timeout: 60_000 }).toHaveLength(2)
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 0 })
    const { asked } = network
    expect(asked.filter(({ path }) => path.startsWith('/v1/export')).length).toBeGreaterThanOrEqual(2)
    expect(asked.some(({ path }) => /after_id=[1-9]/.test(path))).toBe(true)
    const [first, second] = asked.filter(({ path }) => path === '/v1/stores')
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(asked.some(({ encoding }) => encoding === 'gzip')).toBe(true)
    // only of answers with a body
    expect(
      asked.filter(
        ({ path, encoding }) => path.startsWith('/v1/products') && encoding !== 'gzip' && encoding !== undefined,
      ),
    ).toEqual([])
    expect(faults).toBeGreaterThan(0)
    const verified = await run(language, ['verify', option, where, '--moved'], await env())
    expect(verified).toMatchObject({ code: 0 })
    for (const store of STORES) expect([...(await textsIn(language, where, store))]).toEqual([...(await served(store))])
  }, 120_000)

  it('says what cannot be mirrored, with an exit code, and shows no token', async () => {
    const where = place('refused')
    const given = await env()
    const refused = async (args: string[], code: number, text: string, more: Record<string, string> = {}) => {
      const ended = await run(language, ['mirror', '--once', ...args], { ...given, ...more })
      expect(ended, args.join(' ')).toMatchObject({ code, err: expect.stringContaining(text) as string })
      expect(ended.err.trim().split('\n')).toHaveLength(1)
      expect(ended.out + ended.err).not.toContain(given.SHELFWIRE_TOKEN)
      return ended
    }
    const to = [option, where]
    await refused([...to, '--token', 'sw_wrong'], 4, 'the service does not know this token')
    await refused([...to, '--store', 'fr'], 4, 'there is no active store "fr": this token reads main, de, pl')
    await refused([...to, '--url', `${service.url}/nowhere`], 4, 'unknown-route')
    await refused([...to, '--url', 'http://127.0.0.1:9'], 3, 'does not answer')
    await refused([...to, '--url', 'catalog.example'], 2, 'https://catalog.example')
    await refused(to, 2, 'give a token', { SHELFWIRE_TOKEN: '' })
    await refused(to, 2, 'characters that no token has', { SHELFWIRE_TOKEN: `${given.SHELFWIRE_TOKEN}\u001b[2J\nx` })
    await refused([...to, given.SHELFWIRE_TOKEN], 2, '--help')
    await refused([`${option}s`, where], 2, '--help')
    await refused([], 2, option)
    const { out } = await refused([...to, '--token', 'sw_wrong', '--json'], 4, 'the service does not know')
    expect(objects(out)).toMatchObject([{ event: 'error', code: 'invalid-token', exit: 4 }])
    expect(await command('verify', option, join(root, 'nothing'))).toMatchObject({ code: 5 })
    const file = join(root, `${name}-a-file`)
    await writeFile(file, 'text that is no mirror')
    await refused([option, file], 5, '')
    const tokenFile = join(root, `${name}-token`)
    await writeFile(tokenFile, `${given.SHELFWIRE_TOKEN}\n`)
    const byFile = ['mirror', '--once', ...to, '--store', 'main', '--token-file', tokenFile]
    expect(await run(language, byFile, { SHELFWIRE_URL: service.url })).toMatchObject({ code: 0, err: '' })
  }, 60_000)

  it('takes no products of another account into a mirror, nor of a service elsewhere', async () => {
    const other = await createAccount(service.runtime, `other-${name}`)
    const foreignToken = await tokenFor(service.runtime, other.accountId, 'connector')
    const where = place('account')
    const args = ['mirror', option, where, '--once', '--store', 'main']
    expect(await run(language, args, await env())).toMatchObject({ code: 0 })
    const foreign = await run(language, args, { ...(await env()), SHELFWIRE_TOKEN: foreignToken })
    expect(foreign).toMatchObject({ code: 5, err: expect.stringContaining('has "main" of another account') as string })
    const moved = { ...(await env()), SHELFWIRE_URL: service.url.replace('127.0.0.1', 'localhost') }
    expect(await run(language, args, moved)).toMatchObject({
      code: 5,
      err: expect.stringContaining('--moved') as string,
    })
    expect(await run(language, [...args, '--moved'], moved)).toMatchObject({ code: 0 })
    expect(await run(language, args, moved)).toMatchObject({ code: 0 })
    const damaged = await inMirror(language, where, async (target) => {
      const from = await target.position('main')
      return target.apply({ store: 'main', from, position: '{"kind":"fol', products: [], removed: [], changes: [] })
    })
    expect(damaged).toBe(true)
    expect(await run(language, args, moved)).toMatchObject({
      code: 5,
      err: expect.stringContaining('is damaged') as string,
    })
  }, 60_000)
})
