import { beforeAll, describe, expect, test } from 'vitest'
import type { PanelRoute } from '../../contract/panel/route.ts'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { createPriceList } from '../../src/catalog/settings/prices/price-lists.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { operationInsert } from '../../src/operations/operations.sql.ts'
import { invitationInsert } from '../../src/people/links.sql.ts'
import { passkeyInsert } from '../../src/people/sign-in/passkeys.sql.ts'
import { viewPut } from '../../src/overview/product-views.sql.ts'
import { newSecret, secretHash } from '../../src/people/secrets.ts'
import { makeEndpointLink } from '../../src/webhooks/links/links.ts'
import { createAccount, giveOffers, offer, openBench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { makeMember, makePerson, openBrowser, signedIn, type Browser } from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// Access to every declared route by every kind of caller.

const { database, service } = worldOfFile({ service: { env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8' } } })
let ours: TestAccount
let theirs: TestAccount
const browsers: Record<'owner' | 'member' | 'stranger', Browser> = {} as never
/** Ids of the other account. */
let foreign: Record<string, string>
let endpointId = 0
/** The token of a developer's link to our endpoint. */
let developerToken = ''

beforeAll(async () => {
  const { db } = database
  const bench = openBench(db)
  ours = await createAccount(bench, 'ours')
  theirs = await createAccount(bench, 'theirs')
  for (const [name, account, role] of [
    ['owner', ours, 'owner'],
    ['member', ours, 'member'],
    ['stranger', theirs, 'owner'],
  ] as const) {
    const email = `${name}@example.com`
    const personId = await makePerson(db, email)
    await makeMember(db, account.accountId, personId, email, role)
    browsers[name] = await signedIn(db, service.url, personId)
  }
  const input = { url: 'http://127.0.0.1:9000/hook', kinds: ['price'], storeId: null }
  endpointId = (await service.runtime.endpoints.create(ours.accountId, input)).endpointId
  const other = (await service.runtime.endpoints.create(theirs.accountId, input)).endpointId
  const deliveryId = await service.runtime.endpoints.test(theirs.accountId, other)
  const strangerId = await makePerson(db, 'somebody@example.com')
  const [theirProduct = 0] = await giveOffers(bench, theirs, [offer('T-1')])
  foreign = await inTransaction(db, async (tx) => ({
    product_id: String(theirProduct),
    endpoint_id: String(other),
    delivery_id: deliveryId,
    operation_id: String(await operationInsert(tx, theirs.accountId, { kind: 'preview', state: 'queued', total: 0 })),
    token_id: String((await createToken(tx, { accountId: theirs.accountId, access: 'full' })).tokenId),
    member_id: String(await makeMemberRow()),
    invitation_id: String(
      await invitationInsert(tx, theirs.accountId, {
        tokenHash: secretHash(newSecret('link')),
        email: 'invited@example.com',
        role: 'member',
        createdBy: null,
        mailInSeconds: null,
      }),
    ),
    link_id: String(
      (await makeEndpointLink(tx, theirs.accountId, other, { name: 'dev', hours: 1, createdBy: strangerId })).linkId,
    ),
    passkey_id: String(
      (
        await passkeyInsert(tx, {
          personId: strangerId,
          credentialId: 'of-somebody',
          publicKey: Buffer.from([1]),
          counter: 0,
          transports: [],
          name: 'key',
        })
      ).passkeyId,
    ),
    key: await makePriceList(tx),
    view_id: String(await viewPut(tx, theirs.accountId, strangerId, { name: 'kept', address: '{}' })),
    run_id: String(await makeRun()),
    session_id: String((await browsers.stranger.get('/panel/api/session')).body.data.id),
  }))
  // downloads that are declared below /v1/account are of runs
  foreign = { ...foreign, id: String(foreign['run_id']) }
  const made = { name: 'dev', hours: 1, createdBy: strangerId }
  developerToken = (await inTransaction(db, (tx) => makeEndpointLink(tx, ours.accountId, endpointId, made))).token
  async function makeRun() {
    const supplierId = theirs.suppliers[0]?.supplierId ?? 0
    const [row] = await db<{ runId: number }[]>`
      insert into import_run (account_id, supplier_id, trigger, mode, file_name, file_bytes, file_hash)
      values (${theirs.accountId}, ${supplierId}, 'upload', 'full', 'theirs.csv', 1, 'x') returning run_id as "runId"`
    return row?.runId ?? 0
  }
  async function makePriceList(tx: Tx) {
    await createPriceList(tx, theirs.accountId, {
      key: 'theirs',
      name: 'Theirs',
      currency: 'EUR',
      storeIds: null,
      groupId: null,
      validFrom: null,
      validTo: null,
      priority: 1,
      isActive: true,
    })
    return 'theirs'
  }
  async function makeMemberRow() {
    const email = 'theirs@example.com'
    return makeMember(db, theirs.accountId, await makePerson(db, email), email, 'member')
  }
})

const method = (route: PanelRoute) => route.method.toUpperCase()
const isWrite = (route: PanelRoute) => route.method !== 'get'
/** The route's path with these ids, and 1 for others. */
const pathOf = (route: PanelRoute, ids: Readonly<Record<string, string>> = {}) =>
  route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) =>
      ids[name] ??
      (name === 'account_id' ? String(ours.accountId) : name === 'delivery_id' ? crypto.randomUUID() : '1'),
  )
const named = (routes: readonly PanelRoute[]) =>
  routes.map((route) => [`${method(route)} ${route.path}`, route] as const)
const withSession = PANEL_ROUTES.filter(({ panelAccess }) => ['person', 'member', 'owner'].includes(panelAccess))
const ofAccount = PANEL_ROUTES.filter(({ panelAccess }) => ['member', 'owner'].includes(panelAccess))

/** Valid bodies of the routes that validate one. */
const BODIES: Record<string, unknown> = {
  patchMember: { role: 'member' },
  rotateToken: { overlap_hours: 1 },
  patchEndpoint: { is_enabled: true },
  rotateSecret: {},
  rewindEndpoint: { since: new Date().toISOString() },
  createEndpointLink: { name: 'dev', hours: 1 },
  previewMerge: { product_ids: [1] },
  previewSplit: { offers: [{ supplier: 'north', sku: 'T-1' }] },
}

test('there are routes of every access, and each account in a path is that of a route for members or owners', () => {
  const accesses = new Set(PANEL_ROUTES.map(({ panelAccess }) => panelAccess))
  expect([...accesses].sort()).toEqual(['link', 'member', 'owner', 'person', 'visitor'])
  // every kind of id in a path has one of the other account, which the tests below send
  for (const { id, params } of PANEL_ROUTES)
    expect([id, Object.keys(params).filter((name) => name !== 'account_id' && !(name in foreign))]).toEqual([id, []])
  for (const { id, path, panelAccess } of PANEL_ROUTES)
    expect([id, path.includes('{account_id}')]).toEqual([id, ['member', 'owner'].includes(panelAccess)])
  expect(new Set(PANEL_ROUTES.map(({ id }) => id)).size).toBe(PANEL_ROUTES.length)
  // only owners may change tokens and people
  for (const { id, path, panelAccess } of PANEL_ROUTES.filter(isWrite))
    if (/\/(?:tokens|invitations)\b/.test(path) || id === 'patchMember')
      expect([id, panelAccess]).toEqual([id, 'owner'])
})

describe.each(named(PANEL_ROUTES.filter(({ body }) => body?.bytesMax !== undefined)))('%s', (_name, route) => {
  test('takes bodies as large as it declares', async () => {
    const send = (bytes: number) =>
      browsers.owner.send(method(route), pathOf(route), { body: { of_no_member: 'x'.repeat(bytes) } })
    const bytesMax = route.body?.bytesMax ?? 0
    expect((await send(bytesMax - 100)).body.code).toBe('invalid-input')
    expect((await send(bytesMax)).body.code).toBe('payload-too-large')
  })
})

describe.each(named(withSession))('%s', (_name, route) => {
  test('is refused without a session, with an unknown one, and with a token', async () => {
    const nobody = openBrowser(service.url)
    expect((await nobody.send(method(route), pathOf(route))).body).toMatchObject({ status: 401, code: 'not-signed-in' })
    for (const cookie of [
      newSecret('session'),
      'sws_',
      '',
      `${browsers.owner.cookie}x`,
      browsers.owner.cookie!.slice(1),
    ]) {
      nobody.cookie = cookie
      nobody.csrf = browsers.owner.csrf
      expect((await nobody.send(method(route), pathOf(route))).status).toBe(401)
    }
    nobody.cookie = null
    const token = await inTransaction(database.db, (tx) =>
      createToken(tx, { accountId: ours.accountId, access: 'full' }),
    )
    const answer = await nobody.send(method(route), pathOf(route), {
      headers: { Authorization: `Bearer ${token.token}` },
    })
    expect(answer.status).toBe(401)
    await database.db`delete from token where token_id = ${token.tokenId}`
    // a link to an endpoint is no session either
    const linked = { headers: { Authorization: `Bearer ${developerToken}`, 'X-CSRF-Token': browsers.owner.csrf! } }
    expect((await nobody.send(method(route), pathOf(route), linked)).status).toBe(401)
  })

  if (isWrite(route))
    test('is refused without the CSRF token, with another one, and from another site', async () => {
      const { owner } = browsers
      const path = pathOf(route)
      for (const headers of [
        {},
        { 'X-CSRF-Token': '' },
        { 'X-CSRF-Token': browsers.stranger.csrf! },
        { 'X-CSRF-Token': owner.cookie! },
      ] as Record<string, string>[])
        expect((await owner.send(method(route), path, { isBare: true, headers })).body).toMatchObject({
          status: 403,
          code: 'csrf-refused',
        })
      // with the CSRF token, as if a page of another site knew it
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
      ] as Record<string, string>[])
        expect((await owner.send(method(route), path, { headers })).body).toMatchObject({ code: 'csrf-refused' })
    })

  if (ofAccount.includes(route))
    test('is refused for an account that one is no member of', async () => {
      for (const accountId of [ours.accountId, 999_999_999, 0, '01', 'x']) {
        const answer = await browsers.stranger.send(
          method(route),
          pathOf(route, { account_id: String(accountId), endpoint_id: String(endpointId) }),
        )
        expect(answer.body).toMatchObject({ status: 404, code: 'unknown-account' })
      }
    })

  if (route.panelAccess === 'owner')
    test('is refused for a member who is no owner', async () => {
      const answer = await browsers.member.send(method(route), pathOf(route))
      expect(answer.body).toMatchObject({ status: 403, code: 'owner-required' })
    })

  // a list's only id is the account's
  const ids = Object.keys(route.params).filter((name) => name !== 'account_id')
  if (ids.length > 0)
    test('does not find what is another account’s', async () => {
      const body = route.body === undefined ? undefined : BODIES[route.id]
      if (route.body !== undefined) expect(BODIES).toHaveProperty(route.id)
      const last = ids.at(-1)!
      // ids below an endpoint: in the other account's endpoint, and as if they were in ours
      for (const own of [{}, { endpoint_id: String(endpointId) }]) {
        const wanted = { ...foreign, ...(last === 'endpoint_id' ? {} : own) }
        const answer = await browsers.owner.send(
          method(route),
          pathOf(route, wanted),
          body === undefined ? {} : { body },
        )
        const code = { product_id: 'unknown-product', id: 'unknown-run' }[last] ?? 'unknown-reference'
        expect(answer.body).toMatchObject({ status: 404, code })
      }
    })
})

describe.each(named(PANEL_ROUTES.filter(({ panelAccess }) => panelAccess === 'visitor').filter(isWrite)))(
  '%s',
  (_name, route) => {
    test('is refused for a page of another site', async () => {
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }] as Record<
        string,
        string
      >[])
        expect((await openBrowser(service.url).send(method(route), pathOf(route), { headers })).body).toMatchObject({
          status: 403,
          code: 'csrf-refused',
        })
    })
  },
)

describe.each(named(PANEL_ROUTES.filter(({ panelAccess }) => panelAccess === 'link')))('%s', (_name, route) => {
  test('is refused without a link, with an unknown one, and with a session in its place', async () => {
    const nobody = openBrowser(service.url)
    for (const token of [newSecret('endpoint'), 'swe_x', browsers.owner.cookie!])
      expect(
        (await nobody.send(method(route), pathOf(route), { headers: { Authorization: `Bearer ${token}` } })).body,
      ).toMatchObject({ status: 410, code: 'link-ended' })
    expect((await browsers.owner.send(method(route), pathOf(route))).status).toBe(410)
    const token = await inTransaction(database.db, (tx) =>
      createToken(tx, { accountId: ours.accountId, access: 'full' }),
    )
    const headers = { Authorization: `Bearer ${token.token}` }
    expect((await nobody.send(method(route), pathOf(route), { headers })).status).toBe(410)
  })

  if ('delivery_id' in route.params)
    test('does not find a delivery of another endpoint', async () => {
      const headers = { Authorization: `Bearer ${developerToken}` }
      const answer = await openBrowser(service.url).send(method(route), pathOf(route, foreign), { headers })
      expect(answer.body).toMatchObject({ status: 404, code: 'unknown-reference' })
    })
})

test('texts that no database stores are refused or unknown, and never an error of the service', async () => {
  const bad = 'a\u0000b\ud800'
  const valueOf = (schema: { type?: string; anyOf?: unknown[] }): unknown => {
    if (schema.type === 'integer') return 1
    if (schema.type === 'boolean') return true
    if (schema.type === 'array') return [bad]
    if (schema.type === 'object') return { id: bad, response: { clientDataJSON: bad } }
    return bad
  }
  for (const route of PANEL_ROUTES.filter(({ body }) => body !== undefined)) {
    const { properties } = route.body!.schema as unknown as { properties: Record<string, { type?: string }> }
    const body = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]))
    const browser = route.panelAccess === 'visitor' ? openBrowser(service.url) : browsers.owner
    for (const sent of [body, { ...body, role: 'member', access: 'full', events: ['price'] }]) {
      const known = Object.fromEntries(Object.entries(sent).filter(([name]) => name in properties))
      const path = pathOf(route, { endpoint_id: String(endpointId) })
      const { status, text } = await browser.send(method(route), path, { body: known })
      expect([route.id, status < 500, text]).toEqual([route.id, true, text])
    }
  }
  for (const path of [
    `/audit?action=${encodeURIComponent('a\u0000')}`,
    '/audit?action=%ff',
    `/endpoints/${endpointId}/deliveries/%00`,
  ])
    expect((await browsers.owner.get(`/panel/api/accounts/${ours.accountId}${path}`)).status).toBeLessThan(500)
  for (const name of ['User-Agent', 'X-Forwarded-For', 'If-Match'])
    expect((await browsers.owner.get('/panel/api/sessions', { headers: { [name]: '\u00ff\u0080' } })).status).toBe(200)
})

test('answers of the panel are not stored, not framed and not sniffed, whatever they are', async () => {
  for (const path of ['/panel/api/session', '/panel/api/nothing', `/panel/api/accounts/${ours.accountId}/tokens`]) {
    const { headers } = await browsers.owner.get(path)
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('an address that has no such method answers 405 with those it has, and an unknown one 404', async () => {
  const wrong = await browsers.owner.send('PUT', '/panel/api/session')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE'])
  expect((await browsers.owner.get('/panel/api/password')).headers.get('allow')).toBe('POST')
  expect((await browsers.owner.get('/panel/api/nothing')).status).toBe(404)
  expect((await browsers.owner.post('/panel/api/nothing', {})).status).toBe(404)
})
