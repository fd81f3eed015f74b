import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { newSecret, sign } from '../../src/outbound/signature.ts'
import { openCommands, type Commands } from '../harness/command.ts'
import { directoryOfFile } from '../harness/world.ts'

// `shelfwire listen` in a process of its own, with requests over the network.

const secret = newSecret()
const body =
  '{"event":"price","store_id":7,"product_ids":[11,12,13,14,15,16],"occurred_at":"2026-02-02T02:39:58+00:00"}'
const deliveryId = '0198c2f4-5b1e-7c3a-9d2e-1f4a5b6c7d8e'

const directory = directoryOfFile('listen')
let commands: Commands
const running: Listener[] = []
beforeAll(async () => {
  // nothing listens at this URL: the command must not need a database
  commands = openCommands({ url: 'postgres://127.0.0.1:1/none' }, directory)
})
afterEach(async () => {
  for (const listener of running.splice(0)) await listener.end()
})

interface Listener {
  url: string
  /** The text on standard error before the first delivery. */
  notes: string
  /** Lines of standard output, once there are `count` of them. */
  lines(count: number): Promise<string[]>
  err(): string
  end(signal?: NodeJS.Signals): Promise<number | null>
}

async function listen(
  args: readonly string[] = [],
  env: Record<string, string> = { WEBHOOK_SECRET: secret },
): Promise<Listener> {
  const child = commands.start(['listen', '--url', 'http://127.0.0.1:0/hook', ...args], env)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const closed = once(child, 'close') as Promise<[number | null]>
  const url = await vi.waitUntil(() => /listening on (http:\S+);/.exec(err)?.[1], 20_000)
  const listener: Listener = {
    url,
    notes: err,
    err: () => err,
    lines: (count) =>
      vi.waitUntil(() => {
        const lines = out.split('\n').slice(0, -1)
        return lines.length >= count ? lines : null
      }, 5_000),
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return (await closed)[0]
    },
  }
  running.push(listener)
  return listener
}

interface Sent {
  text?: string
  secret?: string
  agedSeconds?: number
  headers?: Record<string, string | undefined>
}

async function post(
  { url }: Listener,
  { text = body, secret: by = secret, agedSeconds = 0, headers = {} }: Sent = {},
): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - agedSeconds)
  const all = {
    'content-type': 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': sign(by, timestamp, text),
    'x-service-delivery': deliveryId,
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { status } = await fetch(url, { method: 'POST', body: text, headers: Object.fromEntries(given) })
  return status
}

test('a signed delivery is printed in one line and answered with 200', async () => {
  const listener = await listen()
  expect(await post(listener)).toBe(200)
  const [line] = await listener.lines(1)
  expect(line).toMatch(
    /^\d\d:\d\d:\d\d {2}0198c2f4 {2}price {2}store 7 {2}6 products \(11, 12, 13, 14, 15, …\) {2}[01] s old {2}signature good {2}answered 200$/,
  )
  expect(listener.notes).not.toContain(secret)
})

test('a repeated delivery and a test event are marked', async () => {
  const listener = await listen()
  await post(listener)
  await post(listener)
  await post(listener, {
    text: '{"event":"content","store_id":null,"product_ids":[],"occurred_at":"2026-02-02T02:39:58+00:00"}',
    headers: { 'x-service-test': '1', 'x-service-delivery': '0298c2f4-5b1e-7c3a-9d2e-1f4a5b6c7d8e' },
  })
  const [first, second, third] = await listener.lines(3)
  expect(first).not.toContain('DUPLICATE')
  expect(second).toContain('  DUPLICATE (time 2)  answered 200')
  expect(third).toMatch(/0298c2f4 {2}content {2}store null {2}0 products .*signature good {2}TEST {2}answered 200$/)
})

test('an invalid signature is answered with 401 and its reason, and does not count as a delivery', async () => {
  const listener = await listen()
  const cases: [Sent, string][] = [
    [{ secret: newSecret() }, 'another secret, or the body was changed on its way'],
    [
      {
        text: body.replace('16', '17'),
        headers: { 'x-service-signature': sign(secret, String(Math.floor(Date.now() / 1_000)), body) },
      },
      'another secret, or the body was changed on its way',
    ],
    [{ agedSeconds: LIMITS.webhookToleranceSeconds + 5 }, 's ago, more than 300'],
    [{ agedSeconds: -LIMITS.webhookToleranceSeconds - 5 }, 's ahead of this clock, more than 300'],
    [{ headers: { 'x-service-timestamp': undefined } }, 'X-Service-Timestamp is missing'],
    [{ headers: { 'x-service-timestamp': 'soon' } }, 'X-Service-Timestamp is not a number of seconds'],
    [{ headers: { 'x-service-signature': undefined } }, 'X-Service-Signature is missing'],
    [{ headers: { 'x-service-signature': 'sha256=00' } }, 'not sha256= and 64 lowercase hex digits'],
    [{ headers: { 'x-service-signature': 'ÿ'.repeat(71) } }, 'not sha256= and 64 lowercase hex digits'],
  ]
  for (const [sent, reason] of cases)
    expect({ reason, status: await post(listener, sent) }).toEqual({ reason, status: 401 })
  await post(listener)
  const lines = await listener.lines(cases.length + 1)
  for (const [i, [, reason]] of cases.entries())
    expect(lines[i]).toMatch(new RegExp(`signature BAD: .*${reason} {2}answered 401$`))
  // the real delivery is no duplicate of invalid ones with the same id
  expect(lines.at(-1)).toMatch(/signature good {2}answered 200$/)
})

test('clocks may differ by almost 300 s, and the signatures of a rotation are accepted', async () => {
  const listener = await listen()
  expect(await post(listener, { agedSeconds: 290 })).toBe(200)
  expect(await post(listener, { agedSeconds: -290 })).toBe(200)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = { 'x-service-timestamp': timestamp, 'x-service-signature-previous': sign(secret, timestamp, body) }
  expect(await post(listener, { secret: newSecret(), headers })).toBe(200)
  expect((await listener.lines(3))[2]).toContain('signature good (by X-Service-Signature-Previous')
  const next = { 'x-service-timestamp': timestamp, 'x-service-signature-next': sign(secret, timestamp, body) }
  expect(await post(listener, { secret: newSecret(), headers: next })).toBe(200)
  expect((await listener.lines(4))[3]).toContain('signature good (by X-Service-Signature-Next')
})

test('without a secret deliveries are printed but not verified; --answer sets the status', async () => {
  const listener = await listen(['--answer', '503'], {})
  expect(listener.notes).toContain('signatures are not verified')
  expect(await post(listener, { secret: newSecret() })).toBe(503)
  expect((await listener.lines(1))[0]).toMatch(/not verified: no --secret {2}answered 503$/)
})

test('--secret takes precedence over the environment, and --json prints one object per delivery', async () => {
  const other = newSecret()
  const listener = await listen(['--json', '--secret', other])
  expect(await post(listener, { secret: other })).toBe(200)
  expect(await post(listener)).toBe(401)
  const [good, bad] = (await listener.lines(2)).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(good).toEqual({
    received_at: expect.stringMatching(/^\d{4}-.*Z$/),
    delivery_id: deliveryId,
    event: 'price',
    store_id: 7,
    product_ids: [11, 12, 13, 14, 15, 16],
    occurred_at: '2026-02-02T02:39:58+00:00',
    age_seconds: expect.any(Number),
    is_good: true,
    reason: null,
    is_test: false,
    seen: 1,
    status: 200,
  })
  expect(bad).toMatchObject({
    is_good: false,
    reason: 'another secret, or the body was changed on its way',
    status: 401,
  })
})

test('other requests are refused and not printed as deliveries', async () => {
  const listener = await listen()
  const { origin } = new URL(listener.url)
  expect((await fetch(`${origin}/other`, { method: 'POST', body })).status).toBe(404)
  const get = await fetch(listener.url)
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await post(listener, { text: 'x'.repeat(LIMITS.requestBodyBytesMax + 1) })).toBe(413)
  expect(await post(listener, { text: 'x'.repeat(LIMITS.requestBodyBytesMax) })).toBe(200)
  expect((await fetch(`${listener.url}?from=query`, { method: 'POST', body })).status).toBe(401)
  const lines = await listener.lines(2)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/no known event {2}store null {2}no product_ids .*signature good/)
  expect(listener.err()).toContain('404 POST "/other"')
})

test('escape sequences in a request are not printed to the terminal', async () => {
  const listener = await listen([], {})
  const text = JSON.stringify({
    event: '\u001b[2J',
    store_id: '\u001b',
    product_ids: ['\u001b'],
    occurred_at: '\u001b[2J',
  })
  expect(await post(listener, { text, headers: { 'x-service-delivery': 'a'.repeat(300) } })).toBe(200)
  expect((await listener.lines(1))[0]).toMatch(
    /^[\d:]+ {2}no-id {2}no known event {2}store null {2}no product_ids {2}[01] s old {2}not verified/,
  )
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with code 0, also with an idle connection', async (signal) => {
  const listener = await listen()
  await post(listener)
  expect(await listener.end(signal)).toBe(0)
})

test('invalid options and a port in use are reported in one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  expect(await commands.runProcess(['listen', '--url', `http://127.0.0.1:${port}/hook`])).toEqual({
    code: 1,
    out: '',
    err: `shelfwire: port ${port} of 127.0.0.1 is already in use; stop what listens there, or give another in --url\n`,
  })
  taken.close()
  expect(await commands.refusal(['listen', '--url', 'https://127.0.0.1/hook'])).toContain(
    '--url takes an address such as http://127.0.0.1:9000/hook',
  )
  expect(await commands.refusal(['listen', '--url', 'hook'])).toContain('--url takes an address')
  expect(await commands.refusal(['listen', '--answer', '99'])).toContain('--answer takes a status from 200 to 599')
  expect(await commands.refusal(['listen', '--secret', ''])).toContain('--secret is empty')
})

test('a host that is not a loopback address is reported', async () => {
  const listener = await listen(['--url', 'http://0.0.0.0:0/'])
  expect(listener.notes).toContain('0.0.0.0 is not a loopback address: other machines may reach this')
})
