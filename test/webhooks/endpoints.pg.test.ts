import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settingsLock } from '../../src/accounts/settings-lock.sql.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { CHANGE_KINDS } from '../../src/model/change.ts'
import type { NewEndpoint } from '../../src/webhooks/endpoints/endpoints.ts'
import { endpointGet, endpointsList } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { attemptsList } from '../../src/webhooks/log/deliveries.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { endpointRows, refusal, wholeDatabase } from '../harness/refusal.ts'
import { answered, openStepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// Owners' requests: allowed ones, and refusals that name the member and change nothing.
const { database, bench } = worldOfFile()
let webhooks: Webhooks
let account: TestAccount
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  account = await createAccount(bench)
})
afterEach(() => webhooks[Symbol.asyncDispose]())

const URL_ONE = 'http://127.0.0.1:9000/hook'
const one = (over: Partial<NewEndpoint> = {}): NewEndpoint => ({
  url: URL_ONE,
  kinds: CHANGE_KINDS,
  storeId: null,
  ...over,
})
const create = (over: Partial<NewEndpoint> = {}) => webhooks.endpoints.create(account.accountId, one(over))

const rows = (accountId: number) => endpointRows(database.db, accountId)
const change = (productIds: readonly number[], quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(
      tx,
      account.accountId,
      productIds.map((productId) => ({ productId, quantity, cost: null })),
    ),
  )

describe('inputs that are refused', () => {
  test.each<[string, Partial<NewEndpoint>, string, RegExp]>([
    ['ftp:', { url: 'ftp://example.com/hook' }, 'url', /https?:/],
    ['javascript:', { url: 'javascript:alert(1)' }, 'url', /https?:/],
    ['no host', { url: 'https:///' }, 'url', /complete URL|host/],
    ['credentials', { url: 'https://user:secret@example.com/' }, 'url', /user name or password/],
    ['5,000 characters', { url: `https://example.com/${'a'.repeat(5_000)}` }, 'url', /2048/],
    ['port 22', { url: 'http://127.0.0.1:22/' }, 'url', /port.*22/],
    ['a space', { url: 'http://127.0.0.1:9000/a b' }, 'url', /space/],
    ['an address that is not allowed', { url: 'http://10.0.0.1/hook' }, 'url', /OUTBOUND_ALLOW/],
    ['an unknown event', { kinds: ['price', 'sold'] }, 'events', /sold.*price, content, removed/],
    ['no event', { kinds: [] }, 'events', /at least one/],
  ])('%s', async (_, input, name, says) => {
    const { endpointId } = await create({ url: 'http://127.0.0.1:9000/kept' })
    const before = await rows(account.accountId)
    for (const work of [create(input), webhooks.endpoints.edit(account.accountId, endpointId, input)]) {
      const { code, message, names } = await refusal(work)
      expect([code, names]).toEqual(['invalid-input', [name]])
      expect(message).toMatch(says)
      expect(message.length).toBeLessThan(200)
      expect(message).not.toContain('secret')
    }
    expect(await rows(account.accountId)).toEqual(before)
  })

  test('"localhost.", if this machine is not allowed', async () => {
    await using strict = openWebhooks(bench, [])
    for (const url of [
      'http://localhost.:9000/hook',
      'http://localhost:9000/hook',
      'http://[::1]:9000/hook',
      'http://2130706433:9000/hook',
    ]) {
      expect(await refusal(strict.endpoints.create(account.accountId, one({ url })))).toMatchObject({
        code: 'invalid-input',
        names: ['url'],
      })
    }
    expect((await rows(account.accountId))['endpoint']).toEqual([])
  })

  test("an unknown store, or another account's", async () => {
    const other = await createAccount(bench)
    const { endpointId } = await create()
    const before = await rows(account.accountId)
    for (const storeId of [999_999, other.storeIds[0]]) {
      expect((await refusal(create({ url: 'http://127.0.0.1:9000/b', storeId }))).code).toBe('unknown-store')
      expect((await refusal(webhooks.endpoints.edit(account.accountId, endpointId, { storeId }))).code).toBe(
        'unknown-store',
      )
    }
    expect(await rows(account.accountId)).toEqual(before)
    expect((await refusal(webhooks.endpoints.create(999_999, one()))).code).toBe('unknown-account')
  })

  test('the same URL for a store whose changes it already gets, however it is written', async () => {
    const [first, second] = account.storeIds
    const { endpointId } = await create({ storeId: first })
    for (const url of [
      URL_ONE,
      'HTTP://127.0.0.1:9000/hook',
      'http://127.1:9000/hook',
      'http://127.0.0.1:09000/x/../hook',
    ]) {
      for (const storeId of [first, null]) {
        const { code, message } = await refusal(create({ url, storeId, kinds: ['removed'] }))
        expect(code).toBe('conflict')
        expect(message).toContain(`endpoint ${endpointId} `)
      }
    }
    const { endpointId: other } = await create({ storeId: second })
    expect((await refusal(webhooks.endpoints.edit(account.accountId, other, { storeId: first }))).code).toBe('conflict')
    expect((await refusal(webhooks.endpoints.edit(account.accountId, other, { storeId: null }))).code).toBe('conflict')
    // no conflict with its own URL, another path, or another account
    await webhooks.endpoints.edit(account.accountId, other, { url: URL_ONE, kinds: ['price'] })
    await create({ url: 'http://127.0.0.1:9000/Hook' })
    await webhooks.endpoints.create((await createAccount(bench)).accountId, one())
    expect(await endpointsList(database.db, account.accountId)).toHaveLength(3)
  })

  test('the 21st endpoint, also when two are created at once beside 19', async () => {
    for (let i = 1; i <= 19; i++) await create({ url: `http://127.0.0.1:9000/${i}` })
    await using named = openNamed(database, 2)
    await using racing = openWebhooks({ ...bench, db: named.db })
    await using lock = await hold(database.db, (tx) => settingsLock(tx, account.accountId))
    const both = ['a', 'b'].map((path) =>
      racing.endpoints.create(account.accountId, one({ url: `http://127.0.0.1:9000/${path}` })),
    )
    for (const running of both) expect(await named.fate(running)).toBe('blocked')
    await lock.commit()
    const outcomes = await Promise.allSettled(both)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = outcomes.findIndex(({ status }) => status === 'rejected')
    expect(await refusal(both[lost] ?? Promise.resolve())).toMatchObject({
      code: 'quota-exceeded',
      message: expect.stringContaining('20'),
    })
    expect(await endpointsList(database.db, account.accountId)).toHaveLength(20)
    expect((await refusal(create({ url: 'http://127.0.0.1:9000/21' }))).code).toBe('quota-exceeded')
    const [first] = await endpointsList(database.db, account.accountId)
    await webhooks.endpoints.remove(account.accountId, first?.endpointId ?? 0)
    await create({ url: 'http://127.0.0.1:9000/21' })
  })
})

test('a host in another script is stored in ASCII, and each kind once', async () => {
  const { endpointId } = await create({
    url: 'https://bücher.example/hook?a=ä',
    kinds: ['removed', 'price', 'removed'],
  })
  expect(await endpointGet(database.db, account.accountId, endpointId)).toMatchObject({
    url: 'https://xn--bcher-kva.example/hook?a=%C3%A4',
    kinds: ['price', 'removed'],
  })
  expect((await refusal(create({ url: 'https://xn--bcher-kva.example/hook?a=%C3%A4' }))).code).toBe('conflict')
})

test("another account's endpoint is answered as unknown, and nothing changes it", async () => {
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const { endpointId } = await create()
  const stepper = openStepper(database.db, account.accountId)
  await change([productId], 9)
  const { claims } = await stepper.step()
  await stepper.step(claims.map((claim) => stepper.result(claim, answered(200))))
  const [delivery] = await attemptsList(database.db, account.accountId, endpointId, { limit: 1 })
  const stranger = await createAccount(bench)
  await giveOffers(bench, stranger, [offer('A')])
  const before = await rows(account.accountId)
  const { endpoints } = webhooks
  const tries: Record<string, (accountId: number, endpointId: number) => Promise<unknown>> = {
    edit: (a, e) => endpoints.edit(a, e, { kinds: ['price'] }),
    editUrl: (a, e) => endpoints.edit(a, e, { url: 'http://127.0.0.1:9000/mine' }),
    enable: (a, e) => endpoints.setEnabled(a, e, true),
    disable: (a, e) => endpoints.setEnabled(a, e, false),
    remove: (a, e) => endpoints.remove(a, e),
    rotate: (a, e) => endpoints.rotate(a, e, 24),
    switch: (a, e) => endpoints.switchSecret(a, e),
    cancel: (a, e) => endpoints.cancelRotation(a, e),
    leaked: (a, e) => endpoints.rotate(a, e, 'leaked'),
    resume: (a, e) => endpoints.resume(a, e),
    test: (a, e) => endpoints.test(a, e),
    redeliver: (a, e) => endpoints.redeliver(a, e, delivery?.deliveryId ?? ''),
    rewind: (a, e) => endpoints.rewind(a, e, new Date(Date.now() - 60_000)),
  }
  for (const [name, attempt] of Object.entries(tries)) {
    expect((await refusal(attempt(stranger.accountId, endpointId))).code, name).toBe('unknown-reference')
    expect((await refusal(attempt(account.accountId, 999_999))).code, name).toBe('unknown-reference')
  }
  expect(await rows(account.accountId)).toEqual(before)
  expect((await rows(stranger.accountId))['delivery']).toEqual([])
  expect(await endpointGet(database.db, stranger.accountId, endpointId)).toBeUndefined()
  expect(await attemptsList(database.db, stranger.accountId, endpointId, { limit: 5 })).toEqual([])
  // a delivery of another endpoint of the same account is not found here
  const { endpointId: second } = await create({ url: 'http://127.0.0.1:9000/second' })
  expect((await refusal(endpoints.redeliver(account.accountId, second, delivery?.deliveryId ?? ''))).code).toBe(
    'unknown-reference',
  )
  for (const id of ['', 'nonsense', "' or 1=1", '00000000-0000-0000-0000-000000000000']) {
    expect((await refusal(endpoints.redeliver(account.accountId, endpointId, id))).code).toBe('unknown-reference')
  }
})

describe('rewind', () => {
  test('more than 14 days, into the future, or to no time at all is refused', async () => {
    const { endpointId } = await create()
    const before = await rows(account.accountId)
    const DAY = 86_400_000
    for (const since of [
      new Date(Date.now() - 14 * DAY - 5_000),
      new Date(Date.now() + 5_000),
      new Date(Number.NaN),
      new Date(0),
    ]) {
      expect(await refusal(webhooks.endpoints.rewind(account.accountId, endpointId, since))).toMatchObject({
        code: 'invalid-input',
        names: ['since'],
        message: expect.stringContaining('14 days'),
      })
    }
    expect(await rows(account.accountId)).toEqual(before)
    await webhooks.endpoints.rewind(account.accountId, endpointId, new Date(Date.now() - 14 * DAY + 5_000))
  })

  const productsOf = (claims: readonly { body: string }[]) =>
    claims.map(({ body }) => (JSON.parse(body) as { product_ids: number[] }).product_ids)
  const ago = (productId: number, seconds: number) => database.db`
    update change set changed_at = date_trunc('second', now()) - make_interval(secs => ${seconds}) where account_id = ${account.accountId} and product_id = ${productId}`

  test('announces again everything that changed at or after that time, and nothing earlier', async () => {
    const [early = 0, late = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
    await ago(early, 3_600)
    await ago(late, 60)
    const [row] = await database.db<
      { at: Date }[]
    >`select changed_at as at from change where account_id = ${account.accountId} and product_id = ${late} limit 1`
    const second = row?.at.getTime() ?? 0
    // times of changes are whole seconds, so a change may have happened in any part of its second
    for (const [offset, told] of [
      [-1_000, [late]],
      [0, [late]],
      [1, [late]],
      [999, [late]],
      [1_000, []],
      [-3_600_000, [early, late]],
    ] as const) {
      const { endpointId } = await create({ kinds: ['price'], storeId: account.storeIds[0] })
      await webhooks.endpoints.rewind(account.accountId, endpointId, new Date(second + offset))
      const { claims } = await openStepper(database.db, account.accountId).step()
      expect(productsOf(claims).flat(), `${offset} ms`).toEqual(told)
      await webhooks.endpoints.remove(account.accountId, endpointId)
    }
  })

  test('of an endpoint that is behind: a kind that was added later still starts where it was added', async () => {
    const [productId = 0] = await giveOffers(bench, account, [offer('A')])
    const { endpointId } = await create({ kinds: ['price'], storeId: account.storeIds[0] })
    const [pending = 0] = await giveOffers(bench, account, [offer('B')])
    for (const id of [productId, pending]) await ago(id, 3_600)
    await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['price', 'content'] })
    await webhooks.endpoints.rewind(account.accountId, endpointId, new Date(Date.now() - 60_000))
    const stepper = openStepper(database.db, account.accountId)
    const { claims } = await stepper.step()
    await stepper.step(claims.map((claim) => stepper.result(claim, answered(200))))
    stepper.aheadMs += 1_000
    const { claims: more } = await stepper.step()
    expect([...claims, ...more].map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual(['price'])
  })
})

test('a redelivery after an edit to one store names that store', async () => {
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const { endpointId } = await create({ kinds: ['price'] })
  const stepper = openStepper(database.db, account.accountId)
  await change([productId], 9)
  const { claims } = await stepper.step()
  expect(claims.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ store_id: null }])
  await stepper.step(claims.map((claim) => stepper.result(claim, answered(200))))
  const [, storeId] = account.storeIds
  await webhooks.endpoints.edit(account.accountId, endpointId, { storeId })
  const [old] = await attemptsList(database.db, account.accountId, endpointId, { limit: 1 })
  await webhooks.endpoints.redeliver(account.accountId, endpointId, old?.deliveryId ?? '')
  stepper.aheadMs += 1_000
  const { claims: again } = await stepper.step()
  expect(again.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { event: 'price', store_id: storeId, product_ids: [productId] },
  ])
})

test('the secret has its format and is nowhere in the database in plain text', async () => {
  const { endpointId, secret: first } = await create()
  const rotate = async (isLeaked: boolean) =>
    (await webhooks.endpoints.rotate(account.accountId, endpointId, isLeaked ? 'leaked' : 24)).secret
  const seen = new Set<string>()
  for (const secret of [first, await rotate(false), await rotate(true)])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
  const stepper = openStepper(database.db, account.accountId)
  for (const next of [
    () => create({ url: 'http://127.0.0.1:9000/b' }).then((made) => made.secret),
    () => rotate(true),
    () => rotate(false),
  ]) {
    const secret = await next()
    seen.add(secret)
    await webhooks.endpoints.test(account.accountId, endpointId)
    stepper.aheadMs += 1_000
    const { claims } = await stepper.step()
    await stepper.step(claims.map((claim) => stepper.result(claim, answered(200))))
    const all = await wholeDatabase(database.db)
    expect(all).toContain(URL_ONE)
    const forms = (secret: string) => [
      secret.slice(6),
      Buffer.from(secret.slice(6), 'base64url').toString('hex'),
      Buffer.from(secret).toString('hex'),
    ]
    for (const form of [...seen].flatMap(forms)) expect(all).not.toContain(form)
  }
  expect(seen.size).toBe(3)
  expect(
    JSON.stringify([
      await endpointsList(database.db, account.accountId),
      await endpointGet(database.db, account.accountId, endpointId),
    ]),
  ).not.toMatch(/whsec_|v1\.|"secret"/)
})
