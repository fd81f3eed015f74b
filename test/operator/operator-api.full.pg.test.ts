import { Writable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import type { Route } from '../../contract/route.ts'
import { ROUTES } from '../../contract/routes.ts'
import { openLog } from '../../src/platform/log.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openRuntime } from '../../src/runtime.ts'
import { startService } from '../../src/service.ts'
import { makeDue, rowsOf, tablesWith } from '../accounts/erasures.ts'
import { readDocument, type Documented } from '../api/documented.ts'
import { createAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { until } from '../harness/interleave.ts'
import { client, startTestService, tokenFor, type Answer } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The operator's routes, which need the operator's token and refuse all others.

const OPERATOR_TOKEN = 'operator-0123456789-0123456789-abc'
const METRICS_TOKEN = 'scrape-me-1234567890'
const directory = directoryOfFile('operator')
const env = { OPERATOR_TOKEN, METRICS_TOKEN, DATA_DIR: directory }
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'], env } })
const commands = openCommands(database, directory)
let document: Documented
beforeAll(async () => {
  document = await readDocument(service.url)
})

const ofOperator = ROUTES.filter(({ access }) => access === 'operator')
const pathOf = ({ path }: Route, id = 1) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('id') ? String(id) : 'main'))
const ACCOUNT = { name: 'Acme', currency: 'EUR', locale: 'en' }

/** Sends a request as the operator; every answer is validated by the document. */
async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const answer = await client(service.url, OPERATOR_TOKEN)(`/v1/operator${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  document.hold(method, `/v1/operator${path}`, answer)
  return answer
}
async function say(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await ask(method, path, body, headers)
  expect([method, path, answer.status < 300 ? 'done' : answer.text]).toEqual([method, path, 'done'])
  return answer.body?.data
}
const create = async (name = 'Acme') => (await say('POST', '/accounts', { ...ACCOUNT, name })).id as number
const refusal = ({ status, body }: Answer) => [
  status,
  body.code,
  (body.errors as { name: string }[] | undefined)?.map(({ name }) => name) ?? [],
]
const listed = async () => ((await commands.json('account list')) as { accounts: { name: string }[] }).accounts

describe('without OPERATOR_TOKEN', () => {
  test('there is nothing at these addresses, with any token', async () => {
    await using without = await startTestService(database)
    const { accountId } = await createAccount(without.runtime, 'plain')
    const tokens = [null, OPERATOR_TOKEN, await tokenFor(without.runtime, accountId, 'full')]
    for (const token of tokens)
      for (const route of ofOperator)
        for (const method of [route.method, 'post', 'patch']) {
          const answer = await client(without.url, token)(pathOf(route, accountId), { method: method.toUpperCase() })
          expect([route.id, method, answer.status, answer.body.code]).toEqual([route.id, method, 404, 'unknown-route'])
        }
  })
})

describe('tokens', () => {
  test('of accounts open no route of the operator, and change nothing there', async () => {
    const { accountId } = await createAccount(service.runtime, 'merchant')
    const before = await listed()
    const tokens = {
      none: null,
      full: await tokenFor(service.runtime, accountId, 'full'),
      connector: await tokenFor(service.runtime, accountId, 'connector'),
      'of no account': await tokenFor(service.runtime, null, 'full'),
      metrics: METRICS_TOKEN,
      'almost the operator’s': `${OPERATOR_TOKEN}x`,
    }
    for (const [name, token] of Object.entries(tokens))
      for (const route of ofOperator) {
        const { status, body, headers } = await client(service.url, token)(pathOf(route, accountId), {
          method: route.method.toUpperCase(),
          headers: { 'content-type': 'application/json' },
          ...(route.method === 'get' ? {} : { body: JSON.stringify({ ...ACCOUNT, confirm: 'merchant' }) }),
        })
        expect([name, route.id, status, body.code]).toEqual([
          name,
          route.id,
          401,
          token === null ? 'missing-token' : 'invalid-token',
        ])
        expect(headers.get('www-authenticate')).toBe('Bearer')
      }
    expect(await listed()).toEqual(before)
  })

  test('of the operator open no data of an account, no figures and nothing of the panel', async () => {
    const { accountId } = await createAccount(service.runtime, 'merchant')
    const http = client(service.url, OPERATOR_TOKEN)
    const others = [...ROUTES, ...PANEL_ROUTES].filter(
      (route) =>
        ['connector', 'full'].includes(route.access) || ('panelAccess' in route && route.panelAccess !== 'visitor'),
    )
    expect(others.length).toBeGreaterThan(150)
    for (const route of others) {
      const { status, body } = await http(pathOf(route, accountId), { method: route.method.toUpperCase() })
      expect([route.id, status, body.code]).toEqual([
        route.id,
        expect.toBeOneOf([401, 403, 410]),
        expect.toBeOneOf(['invalid-token', 'not-signed-in', 'csrf-refused', 'link-ended']),
      ])
    }
    expect((await http('/metrics')).status).toBe(401)
  })

  test('that are wrong are refused for a while after a hundred, whatever comes then', async () => {
    await using other = await startTestService(database, { env })
    const guess = client(other.url, 'a-wrong-guess-0123456789-0123456789')
    const statuses = new Set<number>()
    for (let i = 0; i < 130; i++) statuses.add((await guess('/v1/operator/accounts')).status)
    expect([...statuses]).toEqual([401, 429])
    // the right token is refused as well, so that guessing does not reveal it
    const guesses = await Promise.all([
      ...Array.from({ length: 20 }, () => guess('/v1/operator/accounts')),
      client(other.url, OPERATOR_TOKEN)('/v1/operator/accounts'),
    ])
    const refused = guesses.at(-1)!
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})

describe('an account', () => {
  test('is created once under one key, listed, renamed, and is what the commands see', async () => {
    const key = { 'idempotency-key': 'contract-17' }
    const made = await ask('POST', '/accounts', { ...ACCOUNT, name: 'Garden' }, key)
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/operator/accounts/${made.body.data.id}`])
    const again = await ask('POST', '/accounts', { ...ACCOUNT, name: 'Garden' }, key)
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, made.text, 'true'])
    const both = await Promise.all(
      ['a', 'b'].map(() => ask('POST', '/accounts', { ...ACCOUNT, name: 'Twin' }, { 'idempotency-key': 'twin' })),
    )
    expect(new Set(both.map(({ body }) => body.data.id)).size).toBe(1)
    const reused = await ask('POST', '/accounts', { ...ACCOUNT, name: 'Other' }, key)
    expect(refusal(reused).slice(0, 2)).toEqual([422, 'idempotency-key-reused'])
    expect((await listed()).filter(({ name }) => ['Garden', 'Twin', 'Other'].includes(name))).toHaveLength(2)

    const id = made.body.data.id as number
    expect(await say('PATCH', `/accounts/${id}`, { name: 'Garden shop' })).toMatchObject({ id, name: 'Garden shop' })
    expect(await say('GET', `/accounts/${id}`)).toMatchObject({ name: 'Garden shop', is_suspended: false })
    const page = await ask('GET', `/accounts?per_page=1&after=${id - 1}`)
    expect(page.body).toMatchObject({ data: [{ id }], meta: { per_page: 1, next_after: id } })
    const token = await tokenFor(service.runtime, id, 'connector')
    expect((await client(service.url, token)('/v1/stores')).body.data).toHaveLength(1)
    expect(await commands.json(`audit --account ${id}`)).toMatchObject({ differences: 0 })
  })

  test('has every choice of shelfwire account create, and each fault names its member', async () => {
    const store = { slug: 'pl', name: 'Sklep', locale: 'pl-PL', currency: 'PLN' }
    const made = await say('POST', '/accounts', {
      ...ACCOUNT,
      time_zone: 'Europe/Warsaw',
      store,
      group: 'Detal',
      markup: '30',
      additional_members: [],
    })
    const http = client(service.url, await tokenFor(service.runtime, made.id as number, 'full'))
    expect((await http('/v1/account/stores')).body.data).toMatchObject([{ slug: 'pl', currency: 'PLN' }])
    expect((await http('/v1/account/pricing-rules')).body.data).toMatchObject([{ percent: '30' }])
    for (const [changed, name] of [
      [{ name: '' }, 'name'],
      [{ currency: 'euro' }, 'currency'],
      [{ locale: 'x' }, 'locale'],
      [{ time_zone: 'Mars' }, 'time_zone'],
      [{ store: { slug: 'A B' } }, 'store.slug'],
      [{ store: { colour: 'red' } }, 'store.colour'],
      [{ group: ' ' }, 'group'],
      [{ markup: 'much' }, 'markup'],
      [{ additional_members: ['nothing'] }, expect.stringMatching(/^additional_members/)],
      [{ owner: 'me' }, 'owner'],
    ] as const)
      expect([name, refusal(await ask('POST', '/accounts', { ...ACCOUNT, ...changed }))]).toEqual([
        name,
        [422, 'invalid-input', [name]],
      ])
    expect(refusal(await ask('POST', '/accounts', ACCOUNT, { 'idempotency-key': 'a b' }))).toEqual([
      400,
      'invalid-parameters',
      ['Idempotency-Key'],
    ])
    expect(refusal(await ask('GET', '/accounts?page=2'))).toEqual([400, 'invalid-parameters', ['page']])
    const id = made.id as number
    for (const [method, path, body, name] of [
      ['PATCH', '', { name: '' }, 'name'],
      ['PATCH', '', { name: 'A', currency: 'USD' }, 'currency'],
      ['PUT', '/suspension', { reason: 'x'.repeat(501) }, 'reason'],
      ['PUT', '/suspension', { reason: 'a\u0000b' }, 'reason'],
      ['PUT', '/erasure', { confirm: 'Other' }, 'confirm'],
      ['PUT', '/erasure', { confirm: 'Acme', after_days: 366 }, 'after_days'],
      ['PUT', '/erasure', { confirm: 'Acme', reference: 'x'.repeat(201) }, 'reference'],
      ['PUT', '/limits/products', { limit: -1 }, 'limit'],
      ['PUT', '/limits/products', { limit: '5' }, 'limit'],
      ['POST', '/owners', { email: 'nobody' }, 'email'],
    ] as const)
      expect([path, name, refusal(await ask(method, `/accounts/${id}${path}`, body))]).toEqual([
        path,
        name,
        [422, 'invalid-input', [name]],
      ])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'A' }],
      ['PUT', '/suspension', {}],
      ['DELETE', '/suspension', undefined],
      ['PUT', '/erasure', { confirm: 'A' }],
      ['DELETE', '/erasure', undefined],
      ['GET', '/limits', undefined],
      ['PUT', '/limits/products', { limit: 1 }],
      ['DELETE', '/limits/products', undefined],
      ['POST', '/owners', { email: 'a@example.com' }],
    ] as const)
      expect([method, path, refusal(await ask(method, `/accounts/999999999${path}`, body))]).toEqual([
        method,
        path,
        [404, 'unknown-account', []],
      ])
  })

  test('is suspended with a reason and goes on, by the same functions as with the commands', async () => {
    const id = await create()
    const http = client(service.url, await tokenFor(service.runtime, id))
    expect((await http('/v1/stores')).status).toBe(200)
    const key = { 'idempotency-key': 'suspend-1' }
    const reason = 'The invoice is unpaid.'
    expect(await say('PUT', `/accounts/${id}/suspension`, { reason }, key)).toMatchObject({
      is_suspended: true,
      suspension_reason: reason,
    })
    await until('its requests are refused', async () => (await http('/v1/stores')).status === 403, 5_000)
    expect((await listed()).find((row) => (row as unknown as { account_id: number }).account_id === id)).toMatchObject({
      suspension_reason: reason,
    })
    await say('DELETE', `/accounts/${id}/suspension`)
    // a repeated request is not done again
    const again = await ask('PUT', `/accounts/${id}/suspension`, { reason }, key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(await say('GET', `/accounts/${id}`)).toMatchObject({ is_suspended: false, suspended_at: null })
    await until('its requests are answered', async () => (await http('/v1/stores')).status === 200, 5_000)
  })

  test('has limits that are set, and that hold', async () => {
    const id = await create()
    expect(await say('PUT', `/accounts/${id}/limits/stores`, { limit: 1 })).toMatchObject({
      budget: 'stores',
      limit: 1,
      used: 1,
      is_set: true,
      is_near: true,
    })
    const http = client(service.url, await tokenFor(service.runtime, id, 'full'))
    const refused = await http('/v1/account/stores', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ slug: 'two', name: 'Two', locale: 'en', currency: 'EUR' }),
    })
    expect(refused.body.code).toBe('quota-exceeded')
    expect(await say('PUT', `/accounts/${id}/limits/stores`, { limit: null })).toMatchObject({ limit: null })
    await say('DELETE', `/accounts/${id}/limits/stores`)
    expect(refusal(await ask('DELETE', `/accounts/${id}/limits/stores`))).toEqual([404, 'unknown-reference', []])
    expect(refusal(await ask('PUT', `/accounts/${id}/limits/wishes`, { limit: 1 }))).toEqual([
      404,
      'unknown-reference',
      [],
    ])
    const all = (await say('GET', `/accounts/${id}/limits`)) as { budget: string; limit: number }[]
    expect(all.find(({ budget }) => budget === 'stores')).toMatchObject({ limit: 100, is_set: false })
  })

  test('gets an owner by a link, which is shown once', async () => {
    const id = await create()
    const key = { 'idempotency-key': 'owner-1' }
    const body = { email: 'anna@example.com' }
    const made = await say('POST', `/accounts/${id}/owners`, body, key)
    expect(made).toMatchObject({ account_id: id, role: 'owner', link: expect.stringMatching(/\/panel\/link#swl_/) })
    const again = await say('POST', `/accounts/${id}/owners`, body, key)
    expect(again).toEqual({ account_id: id, member_id: made.member_id, email: body.email, role: 'owner' })
    expect(await tablesWith(database.db, (made.link as string).split('#')[1]!)).toEqual([])
    expect(await commands.json(`member list --account ${id}`)).toMatchObject({ members: [{ role: 'owner' }] })
    expect(refusal(await ask('POST', `/accounts/${id}/owners`, body))).toEqual([409, 'conflict', []])
  })

  test('is erased by the service, and leaves the receipt alone, also of its requests', async () => {
    const key = { 'idempotency-key': 'leaving-1' }
    const body = { ...ACCOUNT, name: 'Leaving shop' }
    const id = (await say('POST', '/accounts', body, key)).id as number
    expect(refusal(await ask('GET', `/accounts/${id}/erasure`))).toEqual([404, 'unknown-reference', []])
    expect(refusal(await ask('DELETE', `/accounts/${id}/erasure`))).toEqual([404, 'unknown-reference', []])
    const erasure = { confirm: 'Leaving shop', after_days: 30, reference: 'Request 17' }
    expect(await say('PUT', `/accounts/${id}/erasure`, erasure)).toMatchObject({
      state: 'waiting',
      reference: 'Request 17',
    })
    expect(await say('GET', `/accounts/${id}`)).toMatchObject({ is_suspended: true })
    expect(refusal(await ask('DELETE', `/accounts/${id}/suspension`))).toEqual([409, 'conflict', []])
    await say('DELETE', `/accounts/${id}/erasure`)
    await say('DELETE', `/accounts/${id}/suspension`)
    await say('PUT', `/accounts/${id}/erasure`, erasure, { 'idempotency-key': 'erase-1' })
    await makeDue(database.db, id)
    await until('it is erased', async () => (await say('GET', `/accounts/${id}/erasure`)).state === 'erased', 30_000)
    expect(await commands.json('account erasures')).toMatchObject({
      erasures: expect.arrayContaining([expect.objectContaining({ account_id: id, reference: 'Request 17' })]),
    })
    expect(await rowsOf(database.db, id)).toEqual({})
    expect(await tablesWith(database.db, 'Leaving shop')).toEqual([])
    expect(refusal(await ask('POST', '/accounts', body, key))).toEqual([404, 'unknown-account', []])
    expect(refusal(await ask('DELETE', `/accounts/${id}/erasure`))).toEqual([404, 'unknown-account', []])
  })
})

test('each call is a line of the log, with what, which account, from where and how it ended, and nothing that was sent', async () => {
  let written = ''
  const log = openLog(
    'info',
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk.toString()
        done()
      },
    }),
  )
  const settings = readSettings({ DATABASE_URL: database.url, PORT: '0', MIRROR: 'off', ...env })
  await using runtime = await openRuntime(settings, log)
  await using started = await startService(runtime, ['api'])
  const id = await create()
  const http = client(started.url!, OPERATOR_TOKEN)
  const put = await http(`/v1/operator/accounts/${id}/suspension`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'a private reason' }),
  })
  await client(started.url!, 'not-the-operators-token-0123456789')('/v1/operator/accounts')
  await until('both are logged', async () => written.includes('refused a token'))
  const lines = written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => String(msg).includes('operator’s API'))
  expect(lines).toMatchObject([
    {
      operation: 'putSuspension',
      method: 'PUT',
      account: id,
      address: '127.0.0.1',
      status: 200,
      request_id: put.headers.get('x-request-id'),
    },
    { operation: 'listOperatorAccounts', account: null, status: 401 },
  ])
  for (const secret of ['private reason', OPERATOR_TOKEN, 'not-the-operators']) expect(written).not.toContain(secret)
})
