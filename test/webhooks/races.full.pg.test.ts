import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { silentLog } from '../../src/platform/log.ts'
import { CHANGE_KINDS } from '../../src/model/change.ts'
import { logScan, scanKey } from '../../src/webhooks/deliver/scan.sql.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { answered, openStepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()
let webhooks: Webhooks
let receiver: Receiver
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  receiver = await startReceiver()
})
afterEach(async () => {
  await webhooks[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await database.db`delete from endpoint`
})

/** Changes the price half of every product, and the content half too where `title` is given. */
const touch = (
  on: Bench,
  account: TestAccount,
  productIds: readonly number[],
  quantity: number,
  title: string | null = null,
) =>
  on.shelf.write(account.accountId, async (tx) => {
    const { accountId } = account
    await setOwnStock(
      tx,
      accountId,
      productIds.map((productId) => ({ productId, quantity, cost: null })),
    )
    if (title !== null)
      await setOverrides(
        tx,
        accountId,
        productIds.map((productId) => ({ productId, field: 'title' as const, locale: 'en', value: title })),
      )
    return { productIds }
  })

/** A second process: a pool and a Wake of its own. */
async function openOther(): Promise<AsyncDisposable & { db: Db; wake: Bench['wake'] }> {
  const db = openDb({ url: database.url, connectionsMax: 6 })
  const wake = openWake(db, silentLog)
  await wake.start()
  return {
    db,
    wake,
    async [Symbol.asyncDispose]() {
      await wake.stop()
      await db.end({ timeout: 5 })
    },
  }
}

test(
  'two loops that race over 30 endpoints count each failure once, and owners are told once',
  { timeout: 120_000 },
  async () => {
    await using other = await openOther()
    const accounts = [await createAccount(bench), await createAccount(bench)]
    receiver.answer = { status: 500, delayMs: 20 }
    for (const [i, account] of accounts.entries()) {
      const [productId = 0] = await giveOffers(bench, account, [offer('A')])
      for (let n = 0; n < 15; n++)
        await webhooks.endpoints.create(account.accountId, {
          url: `${receiver.url}/${i}-${n}`,
          kinds: ['price'],
          storeId: null,
        })
      await touch(bench, account, [productId], 9)
    }
    const loops = [webhooks.deliver(), webhooks.deliver({ db: other.db, wake: other.wake })]
    const byEndpoint = async () => [
      ...(await database.db<{ failures: number; tries: number; failing: number; paused: number; recovered: number }[]>`
    select s.failures, (select count(*)::int from attempt a where a.account_id = s.account_id and a.endpoint_id = s.endpoint_id) as tries,
      count(*) filter (where n.kind = 'failing')::int as failing, count(*) filter (where n.kind = 'paused')::int as paused,
      count(*) filter (where n.kind = 'recovered')::int as recovered
    from endpoint_state s left join notice n on n.account_id = s.account_id and n.endpoint_id = s.endpoint_id
    group by s.account_id, s.endpoint_id, s.failures`),
    ]
    for (let round = 1; round <= 12; round++) {
      await until(`round ${round}`, async () => {
        const [row] =
          await database.db`select count(*)::int as n from endpoint_state where failures >= ${round} and lease_id is null`
        return row?.['n'] === 30
      })
      const expected = {
        failures: round,
        tries: round,
        failing: round >= 5 ? 1 : 0,
        paused: round >= 10 ? 1 : 0,
        recovered: 0,
      }
      expect(await byEndpoint()).toEqual(Array.from({ length: 30 }, () => expected))
      expect(receiver.received).toHaveLength(30 * round)
      if (round === 12) receiver.answer = { status: 200 }
      // both processes are notified at once
      await database.db`update endpoint_state set retry_at = now(), due_at = now()`
      for (const account of accounts) bench.wake.notify('endpoint', account.accountId)
    }
    await until('all have recovered', async () => (await byEndpoint()).every((row) => row.failures === 0))
    expect(await byEndpoint()).toEqual(
      Array.from({ length: 30 }, () => ({ failures: 0, tries: 13, failing: 1, paused: 1, recovered: 1 })),
    )
    expect(receiver.inFlightMax()).toBe(1)
    // each time with the same stored body
    expect(new Set(receiver.received.map(({ path, deliveryId, body }) => `${path} ${deliveryId} ${body}`)).size).toBe(
      30,
    )
    // both processes sent some
    const shares = await Promise.all(
      loops.map(async (loop) => (await loop.metrics[0]!.get()).values.reduce((sum, { value }) => sum + value, 0)),
    )
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(390)
    process.stdout.write(`deliveries by loop: ${shares.join(', ')}\n`)
    expect(Math.min(...shares)).toBeGreaterThan(0)
  },
)

test('a change whose notification is lost is delivered within five seconds', async () => {
  const account = await createAccount(bench)
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  await webhooks.endpoints.create(account.accountId, { url: receiver.url, kinds: ['price'], storeId: null })
  // a Wake that never listens, and a writer with another one
  webhooks.deliver({ wake: openWake(database.db, silentLog) })
  const deaf = openBench(database.db)
  for (let i = 1; i <= inGate(1, 3); i++) {
    const from = performance.now()
    await touch(deaf, account, [productId], 10 + i)
    await until('it is delivered', async () => receiver.received.length === i, 10_000)
    expect(performance.now() - from).toBeLessThan(5_000)
    await until(
      'it is recorded',
      async () => (await database.db`select from endpoint_state where lease_id is null`).length === 1,
    )
  }
})

/** Products delivered, per kind. */
const delivered = () =>
  new Set(receiver.received.flatMap(({ event, productIds }) => productIds.map((id) => `${event} ${id}`)))
const quiet = (account: TestAccount, endpointId: number) =>
  until('everything is delivered', async () => {
    const row = await endpointGet(database.db, account.accountId, endpointId)
    const waiting = await database.db`select from delivery where endpoint_id = ${endpointId} and state = 'waiting'`
    return row !== undefined && row.position === row.head && !row.isInFlight && waiting.length === 0
  })

test('an edit between two deliveries of a plan loses neither of them', async () => {
  const account = await createAccount(bench)
  const productIds = await giveOffers(bench, account, [offer('A'), offer('B')])
  const storeId = account.storeIds[0]
  const { endpointId } = await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price', 'content'],
    storeId,
  })
  await touch(bench, account, productIds, 9, 'New')
  const stepper = openStepper(database.db, account.accountId)
  const [first] = (await stepper.step()).claims
  await stepper.step([stepper.result(first!, answered(200))])
  expect(await database.db`select from delivery where endpoint_id = ${endpointId} and state = 'waiting'`).toHaveLength(
    1,
  )
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: CHANGE_KINDS })
  webhooks.deliver()
  await quiet(account, endpointId)
  // the acknowledged half may be sent again; the other one must be sent
  expect(delivered()).toEqual(new Set(['price', 'content'].flatMap((kind) => productIds.map((id) => `${kind} ${id}`))))
})

test('a change that is committed right after the log was scanned is in the next scan, wherever the head is read', async () => {
  const account = await createAccount(bench)
  const [first = 0, second = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  const { accountId } = account
  const { endpointId } = await webhooks.endpoints.create(accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  await touch(bench, account, [first], 7)
  const { position } = (await endpointGet(database.db, accountId, endpointId))!
  const ask = { kinds: ['price'] as const, storeId: account.storeIds[0], position, limit: 100 }
  const found: number[] = []
  await inTransaction(database.db, async (tx) => {
    let statements = 0
    // after each statement of the scan, another writer commits
    const interrupted = new Proxy(tx, {
      apply(target, self, given: unknown[]) {
        const query = Reflect.apply(target, self, given) as Promise<unknown>
        const answered = async () => {
          const rows = await query
          if (statements++ === 0) await touch(bench, account, [second], 8)
          return rows
        }
        // a fragment of a statement is never awaited
        return new Proxy(query, {
          get(of, name) {
            if (name === 'then') return (...handlers: Parameters<typeof query.then>) => answered().then(...handlers)
            const value: unknown = Reflect.get(of, name, of)
            return typeof value === 'function' ? (value.bind(of) as unknown) : value
          },
        })
      },
    })
    const scan = (await logScan(interrupted, accountId, [ask])).get(scanKey(ask))
    found.push(...scan!.entries.map((entry) => entry.productId))
    const further = { ...ask, position: scan!.scannedTo }
    const next = (await logScan(tx, accountId, [further])).get(scanKey(further))
    found.push(...next!.entries.map((entry) => entry.productId))
  })
  expect(found).toEqual([first, second])
})

/** An endpoint of one store that has refused a delivery with only `A`, which is now a suspect; `A` and `B` changed in both halves. */
async function suspect() {
  const account = await createAccount(bench)
  const [bad = 0, good = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  const kinds = ['price', 'content'] as const
  const { endpointId } = await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds,
    storeId: account.storeIds[0],
  })
  await touch(bench, account, [bad], 9, 'New')
  await touch(bench, account, [good], 9, 'New')
  receiver.answer = ({ productIds }) => ({ status: productIds.includes(bad) ? 422 : 200 })
  const open = async (state: string) =>
    (
      await database.db<{ name: string }[]>`
      select event || ' ' || unnest(coalesce(product_ids, array(select jsonb_array_elements_text(body::jsonb -> 'product_ids')::bigint))) as name
      from delivery where endpoint_id = ${endpointId} and state = ${state}`
    ).map((row) => row.name)
  /** Shortens the waits for retries. */
  const hurry = async () => {
    await database.db`update endpoint_state set retry_at = now(), due_at = now() where retry_at > now() and lease_id is null`
    bench.wake.notify('endpoint', account.accountId)
  }
  return { account, endpointId, bad, good, open, hurry }
}

test('a product refused alone is parked with price and content, also when the accepted plan has several deliveries', async () => {
  const { account, endpointId, bad, good, open, hurry } = await suspect()
  webhooks.deliver()
  await until(
    'everything else is delivered',
    async () => {
      await hurry()
      const row = await endpointGet(database.db, account.accountId, endpointId)
      return row !== undefined && row.position === row.head && (await open('waiting')).length === 0
    },
    40_000,
  )
  const names = ['price', 'content'].flatMap((kind) => [bad, good].map((id) => `${kind} ${id}`))
  expect([...delivered()].filter((name) => name.endsWith(` ${good}`)).sort()).toEqual([
    `content ${good}`,
    `price ${good}`,
  ])
  // delivered or parked: nothing is dropped silently
  expect([...new Set([...(await open('delivered')), ...(await open('parked'))])].sort()).toEqual(names.sort())
})

test('an edit while a product refused alone waits for its second try does not lose it', async () => {
  const { account, endpointId, bad, open } = await suspect()
  const stepper = openStepper(database.db, account.accountId)
  // refused until its second try is waiting
  for (
    let i = 0;
    i < 40 &&
    (
      await database.db`select from delivery where endpoint_id = ${endpointId} and state = 'waiting' and origin = 'redelivery'`
    ).length === 0;
    i++
  ) {
    stepper.aheadMs += 4_000_000
    const { claims } = await stepper.step()
    for (const claim of claims) {
      const { product_ids: ids } = JSON.parse(claim.body) as { product_ids: number[] }
      // nothing is claimed in the same step, because of the pace
      await stepper.step([stepper.result(claim, answered(ids.includes(bad) ? 422 : 200))])
    }
  }
  expect(await open('waiting')).toContain(`price ${bad}`)
  await webhooks.endpoints.edit(account.accountId, endpointId, { kinds: CHANGE_KINDS })
  await database.db`update endpoint_state set retry_at = null, due_at = now(), sent_at = null where endpoint_id = ${endpointId}`
  receiver.answer = { status: 200 }
  webhooks.deliver()
  await quiet(account, endpointId)
  const names = ['price', 'content'].map((kind) => `${kind} ${bad}`)
  const found = new Set([...delivered(), ...(await open('parked')), ...(await open('delivered'))])
  expect(names.filter((name) => !found.has(name))).toEqual([])
})

test('a removal from all stores that was refused alone is announced for the remaining stores when the product is back in one', async () => {
  const account = await createAccount(bench)
  const [bad = 0, good = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  const { accountId, storeIds } = account
  const list = (storeId: number, productId: number, isListed: boolean) =>
    bench.shelf.write(accountId, (tx) => setListing(tx, accountId, storeId, [productId], isListed))
  const { endpointId } = await webhooks.endpoints.create(accountId, {
    url: receiver.url,
    kinds: ['removed'],
    storeId: null,
  })
  for (const productId of [bad, good]) for (const storeId of storeIds) await list(storeId, productId, false)
  const stepper = openStepper(database.db, accountId)
  const isSetAside = async () =>
    (await database.db`select from delivery where endpoint_id = ${endpointId} and origin = 'redelivery'`).length > 0
  for (let i = 0; i < 40 && !(await isSetAside()); i++) {
    stepper.aheadMs += 4_000_000
    for (const claim of (await stepper.step()).claims) {
      const { product_ids: ids } = JSON.parse(claim.body) as { product_ids: number[] }
      await stepper.step([stepper.result(claim, answered(ids.includes(bad) ? 422 : 200))])
    }
  }
  expect(await isSetAside()).toBe(true)
  await list(storeIds[0], bad, true)
  await database.db`update endpoint_state set retry_at = null, due_at = now(), sent_at = null where endpoint_id = ${endpointId}`
  webhooks.deliver()
  await quiet(account, endpointId)
  expect(receiver.received.map(({ event, storeId, productIds }) => [event, storeId, productIds])).toEqual([
    ['removed', storeIds[1], [bad]],
    ['removed', storeIds[2], [bad]],
  ])
})
