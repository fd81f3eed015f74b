import { beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../../contract/panel/deliveries.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client, tokenFor } from '../harness/service.ts'
import { verifies } from '../../src/outbound/signature.ts'
import { makeMember, makePerson, openBrowser, signedIn, type Browser } from './browser.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Tokens, endpoints, deliveries and developers' links, on the whole service with a receiver.

const { database, bench, service } = worldOfFile({
  service: {
    roles: ['api', 'work'],
    env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOKS_PER_SECOND: '1000' },
  },
})
const receiver = ofFile(startReceiver)
let account: TestAccount
let owner: Browser
let member: Browser
let accounts = 0

beforeEach(async () => {
  account = await createAccount(bench, `account ${accounts++}`)
  for (const role of ['owner', 'member'] as const) {
    const email = `${role}${accounts}@example.com`
    const personId = await makePerson(database.db, email)
    await makeMember(database.db, account.accountId, personId, email, role)
    const browser = await signedIn(database.db, service.url, personId)
    if (role === 'owner') owner = browser
    else member = browser
  }
  receiver.received.length = 0
  receiver.answer = { status: 200 }
})

const of = (path: string) => `/panel/api/accounts/${account.accountId}${path}`
const create = async (over: object = {}) => {
  const answer = await member.post(of('/endpoints'), {
    url: `${receiver.url}/hook${accounts}`,
    events: ['price', 'content', 'removed'],
    ...over,
  })
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return answer.body.data
}
const read = async (id: number) => (await member.get(of(`/endpoints/${id}`))).body.data
const actions = async () => {
  const { data } = (await owner.get(of('/audit'))).body
  return data.map((row: { action: string }) => row.action).toReversed()
}

describe('tokens', () => {
  const list = async () => (await owner.get(of('/tokens'))).body.data
  const api = (token: string) => client(service.url, token)('/v1/stores')

  test('are shown once, read at once, and end when they are revoked', async () => {
    const made = (await owner.post(of('/tokens'), { name: 'Shop', access: 'connector' })).body.data
    expect(made).toMatchObject({ name: 'Shop', access: 'connector', state: 'active', last_used_at: null })
    expect((await api(made.token)).status).toBe(200)
    const { token, ...shown } = made
    expect(await list()).toEqual([{ ...shown, last_used_at: null }])
    expect(token).toMatch(/^sw_c/)
    expect((await owner.send('DELETE', of(`/tokens/${made.id}`))).status).toBe(204)
    expect((await api(made.token)).status).toBe(401)
    expect((await owner.send('DELETE', of(`/tokens/${made.id}`))).body.code).toBe('unknown-reference')
    expect((await list())[0]).toMatchObject({ state: 'revoked' })
  })

  test('expire; a time that is past or is no time is refused', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    const made = (await owner.post(of('/tokens'), { name: 'Short', access: 'full', expires_at: inAnHour })).body.data
    expect(made.expires_at).toMatch(/^\d{4}-.*\+00:00$/)
    await database.db`update token set expires_at = now() where token_id = ${made.id}`
    expect((await list())[0].state).toBe('expired')
    for (const expires of ['2020-01-01T00:00:00Z', 'tomorrow', ''])
      expect((await owner.post(of('/tokens'), { name: 'x', access: 'full', expires_at: expires })).body).toMatchObject({
        code: 'invalid-input',
        errors: [{ name: 'expires_at' }],
      })
    expect((await owner.post(of('/tokens'), { name: '', access: 'full' })).body.code).toBe('invalid-input')
    expect((await owner.post(of('/tokens'), { name: 'x', access: 'all' })).body.code).toBe('invalid-input')
  })

  test('are rotated with an overlap, in which both read, or at once', async () => {
    const first = (await owner.post(of('/tokens'), { name: 'Shop', access: 'full' })).body.data
    const second = (await owner.post(of(`/tokens/${first.id}/rotate`), { overlap_hours: 2 })).body.data
    expect(second).toMatchObject({ name: 'Shop', access: 'full', expires_at: null })
    expect([(await api(first.token)).status, (await api(second.token)).status]).toEqual([200, 200])
    const old = (await list()).find((row: { id: number }) => row.id === first.id)
    expect(Math.abs(Date.parse(old.expires_at) - Date.now() - 2 * 3_600_000)).toBeLessThan(10_000)
    await database.db`update token set expires_at = now() where token_id = ${first.id}`
    expect((await owner.post(of(`/tokens/${first.id}/rotate`), { overlap_hours: 0 })).body.code).toBe(
      'unknown-reference',
    )
    const third = (await owner.post(of(`/tokens/${second.id}/rotate`), { overlap_hours: 0 })).body.data
    expect([(await api(second.token)).status, (await api(third.token)).status]).toEqual([401, 200])
  })

  test('are never shown again: neither in lists, nor in the audit trail', async () => {
    const made = (await owner.post(of('/tokens'), { name: 'Shop', access: 'full' })).body.data
    const rotated = (await owner.post(of(`/tokens/${made.id}/rotate`), { overlap_hours: 1 })).body.data
    for (const path of ['/tokens', '/audit', '/overview'])
      for (const { token } of [made, rotated]) expect((await owner.get(of(path))).text).not.toContain(token)
    expect(await actions()).toEqual(['createToken', 'rotateToken'])
  })
})

describe('an endpoint', () => {
  test('is created with a secret that is shown once and verifies what arrives', async () => {
    const made = await create({ store: 'de' })
    expect(made).toMatchObject({
      store: 'de',
      is_enabled: true,
      rotation: null,
      health: { state: 'healthy', failures: 0, waiting: { products: 0 }, parked: 0 },
    })
    expect(made.secret).toMatch(/^whsec_/)
    expect(await read(made.id)).not.toHaveProperty('secret')
    await giveOffers(bench, account, [offer('A')])
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    const { headers, body } = receiver.received[0]!
    expect(
      verifies(made.secret, String(headers['x-service-timestamp']), body, String(headers['x-service-signature'])),
    ).toBe(true)
    for (const path of [
      '/endpoints',
      '/audit',
      '/overview',
      `/endpoints/${made.id}/attempts`,
      `/endpoints/${made.id}/deliveries`,
    ])
      expect((await owner.get(of(path))).text).not.toContain(made.secret)
  })

  test('is tested, and the answer shown with what the receiver said', async () => {
    const { id } = await create()
    receiver.answer = { status: 418, body: '<b>teapot</b>' }
    const { body } = await member.post(of(`/endpoints/${id}/test?wait=15`))
    expect(body.data.attempt).toMatchObject({
      origin: 'test',
      outcome: 'failed',
      status: 418,
      answer: '<b>teapot</b>',
      number: 1,
      products: 0,
    })
    const detail = (await member.get(of(`/endpoints/${id}/deliveries/${body.data.delivery_ids[0]}`))).body.data
    expect(detail).toMatchObject({ origin: 'test', state: 'failed', is_redeliverable: false, product_ids: [] })
    expect(JSON.parse(detail.body)).toMatchObject({ product_ids: [] })
    expect(detail.attempt_log).toHaveLength(1)
    expect((await read(id)).health).toMatchObject({ state: 'healthy', failures: 0, last_failure: null })
  })

  test('that fails, pauses and recovers says so, with what waits', async () => {
    const { id } = await create()
    receiver.answer = { status: 500, body: 'out of order' }
    const products = await giveOffers(bench, account, [offer('A'), offer('B'), offer('C')])
    await expect.poll(async () => (await read(id)).health.state, { timeout: 15_000 }).toBe('failing')
    const failing = (await read(id)).health
    expect(failing).toMatchObject({
      failures: 1,
      waiting: { products: products.length, is_capped: false },
      last_failure: { status: 500, fault: null },
    })
    expect(failing.failing_since).toBe(failing.last_failure.at)
    expect(Date.parse(failing.next_attempt_at)).toBeGreaterThan(Date.now())
    // the kinds of one window are sent one after the other: the newest has not been tried yet
    const waiting = (await member.get(of(`/endpoints/${id}/deliveries?state=waiting`))).body.data.at(-1) as Delivery
    expect(waiting).toMatchObject({
      attempts: 1,
      last_attempt: { status: 500 },
      next_attempt_at: failing.next_attempt_at,
    })
    for (let failures = 2; failures <= 10; failures++) {
      await member.post(of(`/endpoints/${id}/resume`))
      await expect.poll(async () => (await read(id)).health.failures, { timeout: 15_000 }).toBe(failures)
    }
    const paused = (await read(id)).health
    expect(paused.state).toBe('paused')
    expect(paused.failing_since).toBe(failing.failing_since)
    expect(Date.parse(paused.paused_until)).toBeGreaterThan(Date.now() + 3_000_000)
    const overview = (await owner.get(of('/overview'))).body.data
    expect(overview.endpoints[0]).toMatchObject({ id, health: { state: 'paused', waiting: { products: 3 } } })
    expect(overview.notices.map((row: { kind: string }) => row.kind)).toEqual(['paused', 'failing'])
    receiver.answer = { status: 200 }
    await member.post(of(`/endpoints/${id}/resume`))
    await expect
      .poll(async () => (await read(id)).health, { timeout: 15_000 })
      .toMatchObject({
        state: 'healthy',
        failures: 0,
        failing_since: null,
        last_failure: null,
        waiting: { products: 0, since: null },
      })
    expect((await read(id)).health.last_delivered_at).not.toBeNull()
    const hours = (await owner.get(of('/hours?hours=2'))).body.data
    expect(hours.reduce((sum: number, row: { failed: number }) => sum + row.failed, 0)).toBe(10)
    expect((await owner.get(of('/notices?per_page=2'))).body.meta.next_before).not.toBeNull()
  })

  test('is edited, disabled and enabled; a change on what somebody else has changed meanwhile is refused', async () => {
    const { id, revision } = await create()
    const patch = (body: object, headers = {}) => member.send('PATCH', of(`/endpoints/${id}`), { body, headers })
    const ifMatch = { 'If-Match': `"${revision}"` }
    expect((await patch({ events: ['price'], is_enabled: false }, ifMatch)).body.data).toMatchObject({
      events: ['price'],
      is_enabled: false,
      health: { state: 'disabled' },
    })
    // one change: one transaction, and one entry in the audit trail
    const patched = (await owner.get(of('/audit?action=patchEndpoint'))).body.data
    expect(patched.map((row: { details: object }) => row.details)).toEqual([{ events: ['price'], is_enabled: false }])
    expect((await patch({ events: ['content'] }, ifMatch)).body.code).toBe('precondition-failed')
    // a request that cannot be done completely changes nothing
    expect((await patch({ url: 'http://192.168.0.1/hook', is_enabled: true })).body.code).toBe('invalid-input')
    expect(await read(id)).toMatchObject({ is_enabled: false, events: ['price'] })
    expect((await patch({ is_enabled: true }, ifMatch)).body.code).toBe('precondition-failed')
    expect((await read(id)).events).toEqual(['price'])
    expect((await patch({ is_enabled: true, store: 'pl' })).body.data).toMatchObject({ is_enabled: true, store: 'pl' })
    expect((await patch({ store: 'nowhere' })).body.code).toBe('unknown-store')
    for (const url of ['ftp://example.com', 'http://192.168.0.1/hook', 'not a url'])
      expect((await patch({ url })).body).toMatchObject({ code: 'invalid-input' })
    expect((await member.post(of(`/endpoints/${id}/test`))).status).toBe(202)
    await patch({ is_enabled: false })
    expect((await member.post(of(`/endpoints/${id}/test`))).body.code).toBe('conflict')
    expect((await member.send('DELETE', of(`/endpoints/${id}`))).status).toBe(204)
    expect((await member.get(of(`/endpoints/${id}`))).body.code).toBe('unknown-reference')
  })

  test('rotates its secret with an overlap, switches now, or cancels', async () => {
    const { id, secret } = await create()
    const rotated = (await member.post(of(`/endpoints/${id}/rotate`), { switch_after_hours: 3 })).body.data
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.rotation.switch_at) - Date.now()).toBeGreaterThan(2.9 * 3_600_000)
    expect((await member.post(of(`/endpoints/${id}/rotate`), {})).body.code).toBe('conflict')
    expect((await member.post(of(`/endpoints/${id}/rotate/cancel`))).body.data.rotation).toBeNull()
    await member.post(of(`/endpoints/${id}/rotate`), {})
    expect((await member.post(of(`/endpoints/${id}/rotate/switch`))).body.data.rotation.switch_at).toBeNull()
    expect((await member.post(of(`/endpoints/${id}/rotate/switch`))).body.code).toBe('conflict')
    const leaked = (await member.post(of(`/endpoints/${id}/rotate`), { is_leaked: true })).body.data
    expect(leaked.rotation).toBeNull()
    expect(
      (await member.post(of(`/endpoints/${id}/rotate`), { is_leaked: true, switch_after_hours: 1 })).body.code,
    ).toBe('invalid-input')
    for (const text of [secret, rotated.secret, leaked.secret])
      expect((await owner.get(of('/audit'))).text).not.toContain(text)
  })

  test('sends one delivery again, or everything since a time', async () => {
    const { id } = await create()
    const [product] = await giveOffers(bench, account, [offer('A')])
    await expect.poll(async () => (await read(id)).health.waiting.products).toBe(0)
    const before = receiver.received.length
    const list = (await member.get(of(`/endpoints/${id}/deliveries?product_id=${product}&state=delivered`))).body
      .data as Delivery[]
    expect(list.length).toBeGreaterThan(0)
    expect((await member.get(of(`/endpoints/${id}/deliveries?product_id=999`))).body.data).toEqual([])
    const again = (await member.post(of(`/endpoints/${id}/deliveries/${list[0]!.id}/redeliver?wait=15`))).body.data
    expect(again.attempt).toMatchObject({ origin: 'redelivery', outcome: 'delivered' })
    expect(receiver.received.length).toBe(before + again.delivery_ids.length)
    expect(
      (await member.post(of(`/endpoints/${id}/redeliver`), { since: new Date(Date.now() - 60_000).toISOString() }))
        .status,
    ).toBe(200)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before + 1)
    for (const since of [new Date(Date.now() - 15 * 86_400_000).toISOString(), 'yesterday'])
      expect((await member.post(of(`/endpoints/${id}/redeliver`), { since })).body).toMatchObject({
        code: 'invalid-input',
        errors: [{ name: 'since' }],
      })
    expect((await actions()).slice(0, 3)).toEqual(['createEndpoint', 'redeliver', 'rewindEndpoint'])
  })

  test('its log is read page by page, followed, and filtered', async () => {
    const { id } = await create()
    for (let i = 0; i < 5; i++) {
      receiver.answer = { status: i % 2 === 0 ? 200 : 500 }
      await member.post(of(`/endpoints/${id}/test?wait=15`))
    }
    const log = async (query: string) => (await member.get(of(`/endpoints/${id}/attempts?${query}`))).body
    const all = await log('')
    const ids = all.data.map((row: { id: number }) => row.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    const first = await log('per_page=2')
    expect(first.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(0, 2))
    expect(
      (await log(`per_page=2&before=${first.meta.next_before}`)).data.map((row: { id: number }) => row.id),
    ).toEqual(ids.slice(2, 4))
    expect((await log(`per_page=3&before=${ids[3]}`)).meta.next_before).toBeNull()
    expect((await log(`after=${ids[2]}`)).data.map((row: { id: number }) => row.id)).toEqual(ids.slice(0, 2))
    // the next entries, not the newest
    expect((await log(`after=${ids[4]}&per_page=2`)).data.map((row: { id: number }) => row.id)).toEqual(ids.slice(2, 4))
    expect((await log('outcome=failed')).data).toHaveLength(2)
    expect((await log('outcome=failed&event=removed')).data).toEqual([])
    expect((await member.get(of(`/endpoints/${id}/attempts?outcome=lost`))).body.code).toBe('invalid-parameters')
    const deliveries = (await member.get(of(`/endpoints/${id}/deliveries?per_page=3&origin=test`))).body
    expect(deliveries.data).toHaveLength(3)
    const rest = (await member.get(of(`/endpoints/${id}/deliveries?per_page=3&before=${deliveries.meta.next_before}`)))
      .body
    expect([rest.data.length, rest.meta.next_before]).toEqual([2, null])
  })
})

describe('a developer’s link', () => {
  const open = (link: string) => {
    const browser = openBrowser(service.url)
    const headers = { Authorization: `Bearer ${link.split('#')[1]}` }
    return {
      get: (path = '') => browser.get(`/panel/api/linked-endpoint${path}`, { headers }),
      post: (path: string) => browser.post(`/panel/api/linked-endpoint${path}`, undefined, { headers }),
    }
  }
  const makeLink = async (id: number) =>
    (await member.post(of(`/endpoints/${id}/links`), { name: 'Dev', hours: 24 })).body.data

  test('opens the log, test and redelivery of one endpoint, and nothing else', async () => {
    const { id, secret } = await create()
    const other = await create({ url: `${receiver.url}/other` })
    const made = await makeLink(id)
    expect(made.link).toMatch(new RegExp(`^${service.url}/panel/endpoint#swe_[\\w-]{43}$`))
    const dev = open(made.link)
    const opened = await dev.get()
    expect(opened.body.data).toMatchObject({
      id,
      link_name: 'Dev',
      account_name: `account ${accounts - 1}`,
      health: { state: 'healthy' },
    })
    expect(opened.text).not.toContain(secret)
    await giveOffers(bench, account, [offer('A')])
    await expect.poll(async () => (await dev.get('/deliveries?state=delivered')).body.data.length).toBeGreaterThan(0)
    const tested = (await dev.post('/test?wait=15')).body.data
    expect(tested.attempt).toMatchObject({ outcome: 'delivered' })
    const [delivery] = (await dev.get('/deliveries?state=delivered&origin=log')).body.data
    expect((await dev.get(`/deliveries/${delivery.id}`)).body.data.body).toContain('product_ids')
    expect((await dev.post(`/deliveries/${delivery.id}/redeliver?wait=15`)).body.data.attempt).toMatchObject({
      outcome: 'delivered',
    })
    expect((await dev.get('/attempts')).body.data.length).toBeGreaterThan(2)
    // a delivery of another endpoint is not found
    const [foreign] = (await member.post(of(`/endpoints/${other.id}/test?wait=15`))).body.data.delivery_ids
    expect((await dev.get(`/deliveries/${foreign}`)).body.code).toBe('unknown-reference')
    expect((await dev.post(`/deliveries/${foreign}/redeliver`)).body.code).toBe('unknown-reference')
    // the link is neither a token nor a session
    const token = made.link.split('#')[1]
    expect((await client(service.url, token)('/v1/stores')).status).toBe(401)
    expect((await Object.assign(openBrowser(service.url), { cookie: token }).get('/panel/api/session')).status).toBe(
      401,
    )
    const audit = (await owner.get(of('/audit'))).body.data
    expect(
      audit
        .filter((row: { actor: { person_id: number | null } }) => row.actor.person_id === null)
        .map((row: { action: string; actor: { name: string } }) => [row.action, row.actor.name]),
    ).toEqual([
      ['redeliverOfLink', 'link: Dev'],
      ['testEndpointOfLink', 'link: Dev'],
    ])
  })

  test('ends with its time, when it is ended, and with the endpoint', async () => {
    const { id } = await create()
    const [timed, revoked, left] = [await makeLink(id), await makeLink(id), await makeLink(id)]
    await database.db`update endpoint_link set expires_at = now() where link_id = ${timed.id}`
    expect((await open(timed.link).get()).body.code).toBe('link-ended')
    expect((await member.get(of(`/endpoints/${id}/links`))).body.data.map((row: { id: number }) => row.id)).toEqual([
      revoked.id,
      left.id,
    ])
    expect((await member.send('DELETE', of(`/endpoints/${id}/links/${revoked.id}`))).status).toBe(204)
    expect((await open(revoked.link).get()).body.code).toBe('link-ended')
    expect((await open(left.link).get()).status).toBe(200)
    expect((await member.get(of(`/endpoints/${id}/links`))).body.data[0].used_at).not.toBeNull()
    await member.send('DELETE', of(`/endpoints/${id}`))
    expect((await open(left.link).get()).body.code).toBe('link-ended')
    const { id: next } = await create()
    for (const body of [
      { name: 'Dev', hours: 0 },
      { name: 'Dev', hours: 169 },
      { name: '', hours: 1 },
    ])
      expect((await member.post(of(`/endpoints/${next}/links`), body)).body.code).toBe('invalid-input')
  })

  test('is stored as a hash only', async () => {
    const { link } = await makeLink((await create()).id)
    const rows = await database.db<{ row: string }[]>`select l::text as row from endpoint_link l`
    expect(rows.map(({ row }) => row).join()).not.toContain(link.split('#')[1])
  })
})

describe('a session below /v1', () => {
  const account_ = () => ({ 'Shelfwire-Account': String(account.accountId) })

  test('reads and writes like a token with full access, for every member', async () => {
    for (const browser of [owner, member]) {
      expect((await browser.get('/v1/account', { headers: account_() })).body.data.id).toBe(account.accountId)
      expect((await browser.get('/v1/stores', { headers: account_() })).body.data).toHaveLength(3)
      const written = await browser.send('PATCH', '/v1/account', { headers: account_(), body: { name: 'Renamed' } })
      expect([written.status, written.headers.get('cache-control')]).toEqual([200, 'no-store'])
    }
  })

  test('is refused without the account, for another one, without the CSRF token, and from another site', async () => {
    const other = await createAccount(bench, 'other')
    const body = { name: 'Hacked' }
    const patch = (headers: Record<string, string>, isBare?: true) =>
      owner.send('PATCH', '/v1/account', { body, headers, ...(isBare ? { isBare } : {}) })
    expect((await patch({})).body).toMatchObject({
      code: 'invalid-parameters',
      errors: [{ name: 'Shelfwire-Account' }],
    })
    for (const id of [other.accountId, 999_999_999])
      expect((await patch({ 'Shelfwire-Account': String(id) })).body.code).toBe('unknown-account')
    for (const id of ['', '0', '-1', 'x', '1 ', `${account.accountId},${other.accountId}`])
      expect((await patch({ 'Shelfwire-Account': id })).status).toBe(id.trim() === '1' ? 404 : 400)
    expect((await patch(account_(), true)).body.code).toBe('csrf-refused')
    expect((await patch({ ...account_(), Origin: 'https://evil.example' })).body.code).toBe('csrf-refused')
    expect((await patch({ ...account_(), 'Sec-Fetch-Site': 'cross-site' })).body.code).toBe('csrf-refused')
    expect(
      (await owner.get('/v1/account', { headers: { 'Shelfwire-Account': String(other.accountId) } })).body.code,
    ).toBe('unknown-account')
    expect((await owner.get('/v1/account', { headers: account_() })).body.data.name).not.toBe('Hacked')
  })

  test('does not stand in for a token that is wrong', async () => {
    const answer = await owner.get('/v1/account', { headers: { ...account_(), Authorization: 'Bearer sw_wrong' } })
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid-token'])
  })

  test('leaves its writes in the audit trail, in the same transaction; those of tokens are not in it', async () => {
    const path = '/v1/account/suppliers/acme'
    const supplier = { name: 'Acme', currency: 'EUR' }
    const headers = { ...account_(), 'User-Agent': 'Browser' }
    expect((await member.send('PUT', path, { headers, body: supplier })).status).toBe(201)
    // a refused write leaves nothing
    expect((await member.send('PATCH', path, { headers, body: { currency: 'XXXX' } })).status).toBe(422)
    const many = {
      data: Array.from({ length: 100 }, (_, i) => ({ supplier: 'acme', sku: `S${i}`, cost: '1', quantity: 1 })),
    }
    await member.send('POST', '/v1/account/bulk/offers', { headers, body: many })
    await client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))('/v1/account', {
      method: 'PATCH',
      body: '{"name":"By token"}',
      headers: { 'Content-Type': 'application/json' },
    })
    const { data } = (await owner.get(of('/audit'))).body
    const found = data.find((row: { target: string }) => row.target === path)
    expect(found).toMatchObject({ address: '127.0.0.1', user_agent: 'Browser', details: { body: supplier } })
    expect(found.actor.name).toBe(`member${accounts} <member${accounts}@example.com>`)
    expect(data.filter((row: { target: string }) => row.target === path)).toHaveLength(1)
    expect(data.some((row: { target: string }) => row.target === '/v1/account')).toBe(false)
    const bulk = data.find((row: { target: string }) => row.target.includes('bulk'))
    if (bulk !== undefined) expect(Object.keys(bulk.details)).toEqual(['bytes'])
  })

  test('the audit trail is read page by page, by person and by action', async () => {
    for (let i = 0; i < 3; i++) await owner.post(of('/tokens'), { name: `t${i}`, access: 'full' })
    await create()
    const audit = async (query: string) => (await owner.get(of(`/audit?${query}`))).body
    const first = await audit('per_page=3')
    expect(first.data.map((row: { action: string }) => row.action)).toEqual([
      'createEndpoint',
      'createToken',
      'createToken',
    ])
    expect((await audit(`per_page=3&before=${first.meta.next_before}`)).data).toHaveLength(1)
    expect((await audit('action=createToken')).data).toHaveLength(3)
    expect((await audit(`person_id=${first.data[0].actor.person_id}`)).data).toHaveLength(1)
  })
})
