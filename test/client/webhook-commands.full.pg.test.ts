import { request as httpRequest } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { newSecret, sign } from '../../src/outbound/signature.ts'
import { makeEndpointLink } from '../../src/webhooks/links/links.ts'
import { startReceiver } from '../harness/receiver.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { tokenFor } from '../harness/service.ts'
import { makePerson } from '../panel/browser.ts'
import { objects, runClient, startClient, type Env, type Running } from './command-line.ts'

// `shelfwire-client listen`, `trigger` and `replay` with the service's own deliveries and links.

const SKUS = ['A', 'B', 'C']
const { database, service, account, ids, http } = worldOfFile({
  service: { roles: ['api', 'work'], env: { OUTBOUND_ALLOW: '127.0.0.0/8' } },
  account: 'acme',
  products: SKUS,
})
const root = directoryOfFile('webhook-commands')
let personId = 0
beforeAll(async () => {
  personId = await makePerson(database.db, 'dev@example.com')
})

const listeners: Running[] = []
afterEach(async () => {
  for (const { process: child, ended } of listeners.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
})

async function listening(env: Env, ...args: string[]) {
  const running = startClient(['listen', '--port', '0', '--json', ...args], env)
  listeners.push(running)
  const all = () => objects(running.out().replace(/[^\n]*$/, ''))
  const url = () => all().find(({ event }) => event === 'listening')?.['url'] as string | undefined
  await expect.poll(url, { timeout: 10_000 }).toBeDefined()
  return { running, url: url()!, said: () => all().slice(1) }
}

async function endpointAt(url: string) {
  const { accountId } = account
  const input = { url: `${url}hook`, kinds: ['price', 'content', 'removed'] as const, storeId: null }
  const { endpointId, secret } = await service.runtime.endpoints.create(accountId, {
    ...input,
    kinds: [...input.kinds],
  })
  const made = { name: 'dev', hours: 1, createdBy: personId }
  const { token } = await inTransaction(database.db, (tx) => makeEndpointLink(tx, accountId, endpointId, made))
  return { endpointId, secret, link: `${service.url}/panel/endpoint#${token}` }
}

const put = async (sku: string, cost: string) => {
  const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
    method: 'PUT',
    body: JSON.stringify({ cost, quantity: 5 }),
    headers: { 'content-type': 'application/json', prefer: 'wait=10' },
  })
  expect(status).toBeLessThan(300)
}

test('listen shows what the service sends and which is not signed; trigger tests it, replay sends again', async () => {
  // the port is needed to create the endpoint, whose secret is only known afterwards
  const first = await listening({ WEBHOOK_SECRET: newSecret() })
  const { secret, link } = await endpointAt(first.url)
  const port = new URL(first.url).port
  const env = { SHELFWIRE_LINK: link }
  const refused = await runClient(['trigger', '--json'], env)
  expect(refused).toMatchObject({ code: 1, err: '' })
  expect(objects(refused.out)).toMatchObject([{ event: 'test', is_answered: false, attempt: { status: 401 } }])
  const reason =
    'no signature of this delivery is valid: it was made with another secret, or the body was changed on its way'
  expect(first.said()).toMatchObject([{ event: 'refused', status: 401, reason }])
  first.running.process.kill('SIGINT')
  expect(await first.running.ended).toMatchObject({ code: 0, err: expect.not.stringContaining(secret) as string })

  const second = await listening({ WEBHOOK_SECRET: secret }, '--port', port)
  const accepted = await runClient(['trigger'], env)
  expect(accepted).toMatchObject({ code: 0, err: '' })
  expect(accepted.out).toMatch(/^test [\da-f-]{36}: accepted, answered 204 in \d+ ms\n$/)
  expect(second.said()).toMatchObject([{ event: 'delivery', is_test: true, status: 204, seen: 1 }])

  await put('A', '41')
  await put('B', '42')
  const changes = () => second.said().filter(({ is_test: isTest }) => isTest === false)
  const named = () => new Set(changes().flatMap(({ product_ids: of }) => of as number[]))
  await expect.poll(named, { timeout: 15_000 }).toEqual(new Set([ids[0], ids[1]]))
  const before = changes()
  expect(before.at(-1)).toMatchObject({ event: 'delivery', change: 'price', seen: 1, status: 204 })

  const one = await runClient(['replay', '--json', '--delivery', String(before[0]?.['delivery'])], env)
  expect(one).toMatchObject({ code: 0, err: '' })
  expect(objects(one.out)).toMatchObject([{ event: 'replayed', of: before[0]?.['delivery'], is_answered: true }])
  expect(changes().at(-1)).toMatchObject({ product_ids: before[0]?.['product_ids'] })
  expect(changes().at(-1)?.['delivery']).not.toBe(before[0]?.['delivery'])

  const since = await runClient(['replay', '--json', '--since', '2020-01-01T00:00:00Z'], env)
  expect(since.code).toBe(0)
  expect(
    objects(since.out)
      .map(({ of }) => of)
      .slice(0, before.length),
  ).toEqual(before.map(({ delivery }) => delivery))
  const last = await runClient(['replay', '--last', '1'], env)
  expect(last.code).toBe(0)
  expect(last.out).toMatch(/: sent again as [\da-f-]{36}: accepted, answered 204/)
  const none = await runClient(['replay', '--since', new Date(Date.now() + 60_000).toISOString()], env)
  expect(none).toMatchObject({ code: 0, out: 'there is no delivery to send again\n' })

  const unknown = ['--delivery', '00000000-0000-0000-0000-000000000000', '--delivery', String(before[0]?.['delivery'])]
  const mixed = await runClient(['replay', '--json', ...unknown], env)
  expect(mixed.code).toBe(1)
  expect(objects(mixed.out).map(({ event }) => event)).toEqual(['not-replayed', 'replayed'])
}, 90_000)

test('what a receiver answers cannot move a terminal', async () => {
  await using receiver = await startReceiver()
  receiver.answer = { status: 500, body: '\u001b[2Jbroken\r\nsecond line' }
  const { link } = await endpointAt(`${receiver.url}/`)
  const { code, out } = await runClient(['trigger', '--link', link])
  expect(code).toBe(1)
  expect(out).toMatch(/: NOT accepted, answered 500 in \d+ ms: \\u001b\[2Jbroken\\u000d\\u000asecond line\n$/)
})

test('a token is no link, and a link that has ended says so; neither is repeated', async () => {
  const token = await tokenFor(service.runtime, account.accountId, 'full')
  const ended = `${service.url}/panel/endpoint#${'x'.repeat(43)}`
  for (const [args, code, text, env] of [
    [['--link', token], 2, 'a link to an endpoint looks like', {}],
    [[], 2, 'the service takes no token for this', { SHELFWIRE_TOKEN: token, SHELFWIRE_URL: service.url }],
    [['--link', ended], 4, 'this link has ended', {}],
    [['--link', 'http://127.0.0.1:9/panel/endpoint#abc'], 3, 'does not answer', {}],
  ] as const) {
    const result = await runClient(['trigger', ...args], env)
    expect(result).toMatchObject({ code, out: '', err: expect.stringContaining(text) as string })
    expect(result.err).not.toContain(token)
    expect(result.err).not.toContain('x'.repeat(43))
  }
  expect(await runClient(['replay', '--link', ended])).toMatchObject({ code: 2 })
  expect(await runClient(['replay', '--link', ended, '--last', '501'])).toMatchObject({ code: 2 })
  expect(await runClient(['replay', '--link', ended, '--since', 'yesterday'])).toMatchObject({ code: 2 })
})

test('listen refuses what is no delivery, and says why', async () => {
  const [secret, next] = [newSecret(), newSecret()]
  const file = join(root, 'secret')
  await writeFile(file, `${next}\n`)
  const { running, url, said } = await listening({}, '--secret', secret, '--secret-file', file)
  const body = '{"event":"price","store_id":7,"product_ids":[1],"occurred_at":"2026-02-02T02:39:58+00:00"}'
  const post = async (text: string, headers: Record<string, string>, by = secret, age = 0) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) - age)
    const all = {
      'x-service-timestamp': timestamp,
      'x-service-signature': sign(by, timestamp, text),
      'x-service-delivery': '0198c2f4-5b1e-7c3a-9d2e-1f4a5b6c7d8e',
      ...headers,
    }
    return (await fetch(url, { method: 'POST', body: text, headers: all })).status
  }
  expect(await post(body, {})).toBe(204)
  expect(await post(body, {}, next)).toBe(204)
  expect(await post(body, {}, newSecret())).toBe(401)
  expect(await post(body, {}, secret, 400)).toBe(401)
  expect(await post(body, { 'x-service-signature': '' })).toBe(401)
  expect(await post(body, { 'x-service-timestamp': 'now' })).toBe(401)
  expect(await post('no JSON \u009b', {})).toBe(400)
  expect(await post('null', { 'x-service-delivery': 'long'.repeat(1_000) })).toBe(400)
  expect(await post('x'.repeat(100_000), {})).toBe(413)
  expect((await fetch(url)).status).toBe(405)
  expect(said().map(({ status, seen, reason }) => reason ?? [status, seen])).toEqual([
    [204, 1],
    [204, 2],
    expect.stringContaining('another secret'),
    expect.stringContaining('more than 300 seconds'),
    expect.stringContaining('no signature'),
    'X-Service-Timestamp is missing or malformed',
    expect.stringContaining('the body is no delivery'),
    'the body is no delivery: product_ids is no list',
    'the body is too long for a delivery',
  ])
  expect(
    Math.max(
      ...running
        .out()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(400)
  // a sender that disconnects in the middle does not end it
  await new Promise<void>((resolve) => {
    const request = httpRequest(url, { method: 'POST', headers: { 'content-length': '1000' } })
    request.on('error', () => resolve())
    request.write('x')
    setTimeout(() => request.destroy(), 50)
  })
  expect(await post(body, {})).toBe(204)
  const taken = await runClient(['listen', '--secret', secret, '--port', new URL(url).port])
  expect(taken).toMatchObject({ code: 2, err: expect.stringContaining('is in use') as string })
  expect(await runClient(['listen', '--port', '0'])).toMatchObject({ code: 2 })
  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
})
