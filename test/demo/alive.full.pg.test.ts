import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { backdateAccount, fillHistory, settlePictures } from '../../src/demo/past/alive.ts'
import { countToBeginning } from '../../src/demo/past/past.sql.ts'
import { startReceiver, type ReceivedEvent } from '../../src/demo/receiver/server.ts'
import { fillDemo, openDemo } from '../../src/demo/seed.ts'
import { CHANGE_KINDS } from '../../src/model/change.ts'
import { sign } from '../../src/outbound/signature.ts'
import { hourFigures } from '../../src/overview/overview.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { client } from '../harness/service.ts'
import { world } from '../harness/world.ts'

// The demo of `npm start` besides its catalog: a shop that receives webhooks, two weeks of history, and work that waits for a person.

const PRODUCTS = 120
const SECRET = 'whsec_test'

test('the demo’s shop takes what is signed by its secret, refuses the rest, and lists what has arrived', async () => {
  const told: ReceivedEvent[] = []
  const receiver = await startReceiver(0, (event) => told.push(event))
  try {
    const body = JSON.stringify({
      event: 'price',
      store_id: null,
      product_ids: [7],
      occurred_at: '2026-01-01T00:00:00Z',
    })
    const send = async (timestamp: string, signature: string, path = '/hook', method = 'POST') =>
      (
        await fetch(new URL(path, receiver.url), {
          method,
          headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature },
          ...(method === 'POST' ? { body } : {}),
        })
      ).status
    const now = String(Math.floor(Date.now() / 1_000))
    const old = String(Number(now) - 3_600)
    const good = sign(SECRET, now, body)
    // no secret is known yet
    expect(await send(now, good)).toBe(401)
    receiver.trust(SECRET)
    expect(await send(now, sign('whsec_other', now, body))).toBe(401)
    expect(await send(old, sign(SECRET, old, body))).toBe(401)
    expect(await send('soon', good)).toBe(401)
    expect(await send(now, good, '/elsewhere')).toBe(404)
    expect(await send(now, good, '/hook', 'GET')).toBe(405)
    expect(receiver.events()).toEqual([])
    receiver.refuseNext()
    expect(await send(now, good)).toBe(503)
    expect(await send(now, good)).toBe(200)
    expect(told).toMatchObject([{ event: 'price', productIds: [7], status: 200 }])
    const listed = await (await fetch(new URL('/', receiver.url))).text()
    expect(listed.trim().split('\n')).toEqual([
      expect.stringMatching(/price: 1 product \(7\), signature verified$/),
      expect.stringMatching(/price: 1 product \(7\), answered 503$/),
    ])
  } finally {
    await receiver.close()
  }
})

test('the demo has a past of changes, runs and deliveries with failures, and what waits for a person; again it changes nothing', async () => {
  await using w = await world({
    service: { roles: ['api', 'work'], env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8' } },
  })
  const { runtime, url } = w.service
  const { accountId, fullToken } = await openDemo(runtime.db)
  await fillDemo(runtime, accountId, PRODUCTS, () => {})
  await backdateAccount(runtime.db, accountId)
  const receiver = await startReceiver(0, () => {})
  try {
    const { endpointId, secret } = await runtime.endpoints.create(accountId, {
      url: receiver.url,
      kinds: CHANGE_KINDS,
      storeId: null,
    })
    receiver.trust(secret)
    const shop = { endpointId, receiver }
    const { signal } = new AbortController()
    expect(await fillHistory(runtime, accountId, PRODUCTS, shop, signal)).toBe(true)

    const statuses = receiver.events().map(({ status }) => status)
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(2)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(30)
    const hours = await hourFigures(runtime.db, accountId, 48, new Date())
    expect(hours.filter(({ changes }) => (changes ?? 0) > 0).length).toBeGreaterThan(10)
    expect(hours.filter(({ delivered }) => delivered > 0).length).toBeGreaterThan(10)
    expect(hours.some(({ failed }) => failed > 0)).toBe(true)

    const http = client(url, fullToken)
    const { data: runs } = (await http('/v1/account/imports?supplier=nordwind&per_page=100')).body
    expect(runs[0].state).toBe('held')
    expect(runs.filter((run: { state: string }) => run.state === 'succeeded').length).toBeGreaterThan(30)
    expect(runs.some((run: { refused: number }) => run.refused > 0)).toBe(true)
    const { data: findings } = (await http('/v1/account/findings')).body
    const found = Object.entries(findings as Record<string, unknown[]>)
      .filter(([, rows]) => Array.isArray(rows) && rows.length > 0)
      .map(([kind]) => kind)
    expect(found).toEqual(
      expect.arrayContaining([
        'prices_held',
        'prices_below_cost',
        'offers_without_rate',
        'tax_classes_unknown',
        'contents_unread',
        'sales_doubtful',
        'list_prices_unshown',
        'eans_invalid',
        'variants_alike',
        'variants_without_options',
      ]),
    )
    const before = await http('/v1/digest?store=de')
    expect(await fillHistory(runtime, accountId, PRODUCTS, shop, signal)).toBe(true)
    expect((await http('/v1/digest?store=de')).body.data).toEqual(before.body.data)
    // changes by pictures that arrived since count for the first day: the last two days have no more changes than before
    const counted = async () =>
      (await hourFigures(runtime.db, accountId, 48, new Date())).reduce((sum, { changes }) => sum + (changes ?? 0), 0)
    const counts = await counted()
    await inTransaction(runtime.db, (tx) => countToBeginning(tx, accountId, 25))
    expect(await counted()).toBe(counts - 25)
    // false, because it was stopped
    expect(await settlePictures(runtime.db, accountId, AbortSignal.abort())).toBe(false)
    expect(await fillHistory(runtime, accountId, PRODUCTS, shop, AbortSignal.abort())).toBe(false)
  } finally {
    await receiver.close()
  }
}, 120_000)
