import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import type { Exchange } from '../../src/outbound/client.ts'
import type { Claim } from '../../src/webhooks/deliver/step.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { attemptsList, deliveriesIn } from '../../src/webhooks/log/deliveries.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { answered, openStepper, refused, type Stepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// Owners' requests while a delivery is in flight, and deliveries that a receiver refuses.

const { database, bench } = worldOfFile()
let webhooks: Webhooks
let account: TestAccount
let endpointId: number
let productIds: number[]
let stepper: Stepper
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  account = await createAccount(bench)
  productIds = await giveOffers(
    bench,
    account,
    ['A', 'B', 'C', 'D', 'E', 'F'].map((sku) => offer(sku)),
  )
  ;({ endpointId } = await webhooks.endpoints.create(account.accountId, {
    url: 'http://127.0.0.1:9000/hook',
    kinds: ['price', 'content'],
    storeId: account.storeIds[0],
  }))
  stepper = openStepper(database.db, account.accountId)
})
afterEach(() => webhooks[Symbol.asyncDispose]())

const change = (ids: readonly number[], quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(
      tx,
      account.accountId,
      ids.map((productId) => ({ productId, quantity, cost: null })),
    ),
  )
const retitle = (productId: number, value: string) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOverrides(tx, account.accountId, [{ productId, field: 'title', locale: 'en', value }]),
  )
const list = (ids: readonly number[], isListed: boolean) =>
  bench.shelf.write(account.accountId, (tx) => setListing(tx, account.accountId, account.storeIds[0], ids, isListed))
const now = async () => (await endpointGet(database.db, account.accountId, endpointId))!
const outcomes = async () =>
  (await attemptsList(database.db, account.accountId, endpointId, { limit: 50 })).map((row) => row.outcome).reverse()
interface Sent {
  event?: string | undefined
  ids?: number[] | undefined
}
const body = (claim: Claim | undefined): Sent => {
  const { event, product_ids: ids } = JSON.parse(claim?.body ?? '{}') as { event?: string; product_ids?: number[] }
  return { event, ids }
}

async function claimOne(): Promise<Claim> {
  stepper.aheadMs += 250
  const { claims } = await stepper.step()
  expect(claims).toHaveLength(1)
  return claims[0]!
}
const settle = (claim: Claim, exchange: Exchange) => stepper.step([stepper.result(claim, exchange)])

/** Answers every delivery with `answer` until nothing is due within a day. @returns the deliveries. */
async function drain(answer: (sent: Sent) => Exchange): Promise<Sent[]> {
  const sent: Sent[] = []
  // first a step as after a notification, then as the loop: at once with results, else when something is due
  let stepped = await stepper.step()
  for (let i = 0; i < 400; i++) {
    const { claims, dueInMs, isMore } = stepped
    if (claims.length === 0 && dueInMs === null && !isMore) return sent
    sent.push(...claims.map(body))
    if (claims.length === 0) stepper.aheadMs += Math.max(250, dueInMs ?? 0)
    stepped = await stepper.step(claims.map((claim) => stepper.result(claim, answer(body(claim)))))
  }
  throw new Error('it never ends')
}

test.for(['edit', 'disable and enable', 'rewind'] as const)(
  '%s while a delivery is in flight: its result changes nothing, and nothing is lost',
  async (ownerRequest) => {
    await change(productIds.slice(0, 2), 7)
    const claim = await claimOne()
    const position = (await now()).position
    if (ownerRequest === 'edit')
      await webhooks.endpoints.edit(account.accountId, endpointId, { url: 'http://127.0.0.1:9000/other' })
    if (ownerRequest === 'disable and enable') {
      await webhooks.endpoints.setEnabled(account.accountId, endpointId, false)
      await webhooks.endpoints.setEnabled(account.accountId, endpointId, true)
    }
    if (ownerRequest === 'rewind')
      await webhooks.endpoints.rewind(account.accountId, endpointId, new Date(Date.now() - 60_000))
    // one is still in flight: nothing else is sent before its result arrives
    stepper.aheadMs += 1_000
    expect((await stepper.step()).claims).toEqual([])
    const {
      claims: [fresh],
    } = await settle(claim, answered(200))
    expect((await now()).position).toBeLessThanOrEqual(position)
    expect(fresh?.delivery.deliveryId).not.toBe(claim.delivery.deliveryId)
    expect(fresh?.url).toBe(ownerRequest === 'edit' ? 'http://127.0.0.1:9000/other' : 'http://127.0.0.1:9000/hook')
    expect(body(fresh).ids).toEqual(ownerRequest === 'rewind' ? productIds : productIds.slice(0, 2))
    expect(await outcomes()).toEqual(['stale'])
    expect((await now()).failures).toBe(0)
  },
)

test('the position moves with the last acknowledgement of a plan: what an edit voids before it is announced again', async () => {
  await change(productIds.slice(0, 1), 7)
  await retitle(productIds[1]!, 'New')
  const first = await claimOne()
  expect(body(first)).toEqual({ event: 'price', ids: productIds.slice(0, 1) })
  await settle(first, answered(200))
  await webhooks.endpoints.edit(account.accountId, endpointId, { url: 'http://127.0.0.1:9000/other' })
  stepper.aheadMs += 1_000
  expect(await drain(() => answered(200))).toContainEqual({ event: 'content', ids: [productIds[1]] })
})

test('a failure of an older generation is not counted', async () => {
  await change(productIds, 7)
  const claim = await claimOne()
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['price'] })
  await settle(claim, refused)
  expect((await now()).failures).toBe(0)
})

test('disabled while a delivery is in flight it gets nothing more; enabled again it gets what changed meanwhile', async () => {
  await change(productIds.slice(0, 1), 7)
  const claim = await claimOne()
  await webhooks.endpoints.setEnabled(account.accountId, endpointId, false)
  await settle(claim, answered(200))
  await change(productIds.slice(1, 3), 8)
  stepper.aheadMs += 3_600_000
  expect(await stepper.step()).toMatchObject({ claims: [], dueInMs: null })
  await webhooks.endpoints.setEnabled(account.accountId, endpointId, true)
  expect(await drain(() => answered(200))).toEqual([{ event: 'price', ids: productIds.slice(0, 3) }])
})

test('an endpoint deleted while a delivery is in flight leaves no rows, and the result is dropped', async () => {
  await change(productIds, 7)
  const claim = await claimOne()
  await webhooks.endpoints.remove(account.accountId, endpointId)
  expect((await settle(claim, answered(200))).claims).toEqual([])
  for (const table of ['endpoint', 'endpoint_state', 'delivery', 'attempt']) {
    expect(
      [...(await database.db`select from ${database.db(table)} where account_id = ${account.accountId}`)],
      table,
    ).toEqual([])
  }
})

test('a kind that is added starts at the head; the existing one continues', async () => {
  await retitle(productIds[0]!, 'Before')
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['content', 'removed'] })
  await list([productIds[1]!], false)
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['content', 'removed', 'price'] })
  await change([productIds[2]!], 9)
  const sent = await drain(() => answered(200))
  expect(sent).toEqual([
    { event: 'content', ids: [productIds[0]] },
    { event: 'removed', ids: [productIds[1]] },
    { event: 'price', ids: [productIds[2]] },
  ])
})

test('a store that is added starts at the head; the existing one continues', async () => {
  await change([productIds[0]!], 7)
  await webhooks.endpoints.edit(account.accountId, endpointId, { storeId: null })
  const first = await claimOne()
  expect(JSON.parse(first.body)).toMatchObject({
    event: 'price',
    store_id: account.storeIds[0],
    product_ids: [productIds[0]],
  })
  await settle(first, answered(200))
  await change([productIds[1]!], 7)
  expect(await drain(() => answered(200))).toEqual([{ event: 'price', ids: [productIds[1]] }])
})

test('a redelivery announces the current state: removed products only to subscribers of removed, listed ones never as removed', async () => {
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['price', 'content', 'removed'] })
  await list(productIds.slice(0, 3), false)
  expect(await drain(() => answered(200))).toEqual([{ event: 'removed', ids: productIds.slice(0, 3) }])
  const [removal] = await attemptsList(database.db, account.accountId, endpointId, { limit: 1 })
  await list([productIds[0]!], true)
  await drain(() => answered(200))
  await webhooks.endpoints.redeliver(account.accountId, endpointId, removal!.deliveryId)
  const sent = await drain(() => answered(200))
  expect(sent).toHaveLength(2)
  expect(sent).toEqual(
    expect.arrayContaining([
      { event: 'content', ids: [productIds[0]] },
      { event: 'removed', ids: productIds.slice(1, 3) },
    ]),
  )
})

test('a redelivery leaves out products whose state changed before it was sent', async () => {
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['price', 'content', 'removed'] })
  await list([productIds[0]!], false)
  await drain(() => answered(200))
  const [removal] = await attemptsList(database.db, account.accountId, endpointId, { limit: 1 })
  await webhooks.endpoints.redeliver(account.accountId, endpointId, removal!.deliveryId)
  await list([productIds[0]!], true)
  expect((await drain(() => answered(200))).map(({ event }) => event)).toEqual(['price', 'content'])
})

test('behind a redelivery that has nothing left to tell, the next one is due whatever happens to this process', async () => {
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['price'] })
  await change([productIds[0]!], 7)
  await drain(() => answered(200))
  await change([productIds[1]!], 7)
  await drain(() => answered(200))
  const [second, first] = await attemptsList(database.db, account.accountId, endpointId, { limit: 2 })
  await webhooks.endpoints.redeliver(account.accountId, endpointId, first!.deliveryId)
  await webhooks.endpoints.redeliver(account.accountId, endpointId, second!.deliveryId)
  await list([productIds[0]!], false)
  stepper.aheadMs += 250
  expect((await stepper.step()).claims).toEqual([])
  const [row] = await database.db<{ isDue: boolean }[]>`
    select due_at is not null as "isDue" from endpoint_state where account_id = ${account.accountId} and endpoint_id = ${endpointId}`
  expect(row).toEqual({ isDue: true })
  expect(await drain(() => answered(200))).toEqual([{ event: 'price', ids: [productIds[1]] }])
})

test('a redelivery that succeeds ends a pause and resets the count, and the backlog follows, read again', async () => {
  await change(productIds.slice(0, 2), 7)
  const first = await claimOne()
  await settle(first, answered(200))
  await change(productIds.slice(2, 4), 7)
  for (let i = 0; i < 10; i++) {
    stepper.aheadMs += 600_000
    const { claims } = await stepper.step()
    await settle(claims[0]!, refused)
  }
  expect((await now()).pausedUntil).not.toBeNull()
  await list([productIds[2]!], false)
  await webhooks.endpoints.redeliver(account.accountId, endpointId, first.delivery.deliveryId)
  const again = await claimOne()
  expect(again.delivery.origin).toBe('redelivery')
  expect(body(again)).toEqual({ event: 'price', ids: productIds.slice(0, 2) })
  const { claims, dueInMs } = await settle(again, answered(200))
  expect(await now()).toMatchObject({ failures: 0, pausedUntil: null, retryAt: null })
  expect([claims, dueInMs]).toEqual([[], 250])
  expect(await drain(() => answered(200))).toEqual([{ event: 'price', ids: [productIds[3]] }])
})

test('a redelivery that fails counts, and is not retried automatically', async () => {
  await change(productIds.slice(0, 1), 7)
  const first = await claimOne()
  await settle(first, answered(200))
  const [id] = await webhooks.endpoints.redeliver(account.accountId, endpointId, first.delivery.deliveryId)
  await settle(await claimOne(), answered(500))
  expect(await now()).toMatchObject({ failures: 1 })
  expect(await drain(() => answered(200))).toEqual([])
  expect((await database.db`select state from delivery where delivery_id = ${id!}`)[0]).toEqual({ state: 'failed' })
})

test('a test delivery has no products and a header that says so, and does not change the health', async () => {
  await change(productIds.slice(0, 1), 7)
  await settle(await claimOne(), answered(500))
  await webhooks.endpoints.test(account.accountId, endpointId)
  const probe = await claimOne()
  expect([probe.delivery.origin, body(probe)]).toEqual(['test', { event: 'price', ids: [] }])
  // a waiting retry still waits
  const { dueInMs } = await settle(probe, answered(200))
  expect(dueInMs).toBe(10_000 - 250)
  expect(await now()).toMatchObject({ failures: 1 })
  await webhooks.endpoints.test(account.accountId, endpointId)
  await settle(await claimOne(), refused)
  expect(await now()).toMatchObject({ failures: 1 })
})

test('resume tries at once; a probe that fails then pauses again without a notice', async () => {
  await change(productIds.slice(0, 1), 7)
  for (let i = 0; i < 10; i++) {
    stepper.aheadMs += 600_000
    await settle((await stepper.step()).claims[0]!, refused)
  }
  await webhooks.endpoints.resume(account.accountId, endpointId)
  expect((await settle(await claimOne(), refused)).dueInMs).toBe(3_600_000)
  expect((await now()).pausedUntil).not.toBeNull()
  expect([
    ...(await database.db`select kind from notice where account_id = ${account.accountId} order by notice_id`),
  ]).toEqual([{ kind: 'failing' }, { kind: 'paused' }])
})

test.for([
  [413, 3],
  [422, 3],
  [400, 3],
  // the accepted delivery after it is the last one, so nothing else causes its second try
  [413, 4],
  [422, 4],
] as const)(
  'one product whose body is answered with %i, of six that with index %i, is found, tried again, set aside and shown; everything else arrives',
  async ([status, refusedAt]) => {
    await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: ['price'] })
    const poison = productIds[refusedAt]!
    await change(productIds, 7)
    const sent = await drain(({ ids }) => answered(ids?.includes(poison) === true ? status : 200))
    const delivered = new Set(sent.filter(({ ids }) => ids?.includes(poison) !== true).flatMap(({ ids }) => ids ?? []))
    expect([...delivered].sort()).toEqual(productIds.filter((id) => id !== poison))
    expect(sent.slice(0, 3).map(({ ids }) => ids?.length)).toEqual(status === 413 ? [6, 3, 3] : [6, 6, 6])
    const parked = await deliveriesIn(database.db, account.accountId, endpointId, 'parked', 10)
    expect(parked.map((row) => [row.event, row.storeId, row.productIds])).toEqual([
      ['price', account.storeIds[0], [poison]],
    ])
    expect(await now()).toMatchObject({
      parked: 1,
      batchLimit: 500,
      // its second try counts as a failure if nothing was accepted after it
      failures: refusedAt === 4 ? 1 : 0,
      position: (await now()).head,
    })
    // redelivered while it is still refused, it stays parked; once it is accepted, it is no longer parked
    await webhooks.endpoints.redeliver(account.accountId, endpointId, parked[0]!.deliveryId)
    await drain(() => answered(status))
    const [still] = await deliveriesIn(database.db, account.accountId, endpointId, 'parked', 10)
    expect(still?.productIds).toEqual([poison])
    await webhooks.endpoints.redeliver(account.accountId, endpointId, still!.deliveryId)
    expect(await drain(() => answered(200))).toEqual([{ event: 'price', ids: [poison] }])
    expect(await now()).toMatchObject({ parked: 0 })
  },
)

test('a receiver that refuses everything counts as failing: nothing is parked, and it is paused', async () => {
  await change(productIds, 7)
  for (let i = 0; i < 30; i++) {
    const { claims, dueInMs } = await stepper.step()
    for (const claim of claims) await settle(claim, answered(400))
    stepper.aheadMs += Math.max(250, dueInMs ?? 0)
  }
  expect(await now()).toMatchObject({ parked: 0 })
  expect((await now()).pausedUntil).not.toBeNull()
  expect((await now()).position).toBeLessThan((await now()).head)
  const sent = await drain(() => answered(200))
  expect(new Set(sent.flatMap(({ ids }) => ids))).toEqual(new Set(productIds))
})
