import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import type { Claim } from '../../src/webhooks/deliver/step.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks } from '../harness/delivering.ts'
import { inGate } from '../harness/gate.ts'
import { seedFor, until } from '../harness/interleave.ts'
import { startReceiver } from '../harness/receiver.ts'
import { answered, openStepper, ourFault, refused } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// An endpoint's pace: at most four deliveries in any second, counted by the receiver.

const SEED = seedFor('pace')

const { database, bench } = worldOfFile({ connectionsMax: 20 })

interface Endpoint extends TestAccount {
  endpointId: number
  productId: number
}

async function endpointAt(url: string): Promise<Endpoint> {
  const account = await createAccount(bench)
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  await using webhooks = openWebhooks(bench)
  const storeId = account.storeIds[0]
  const { endpointId } = await webhooks.endpoints.create(account.accountId, { url, kinds: ['price'], storeId })
  return { ...account, endpointId, productId }
}

const stock = ({ accountId, productId }: Endpoint, quantity: number) =>
  bench.shelf.write(accountId, (tx) => setOwnStock(tx, accountId, [{ productId, quantity, cost: null }]))

/** Changes the product repeatedly until it is disposed. */
function keepChanging(endpoint: Endpoint): AsyncDisposable {
  const phase = { isOver: false }
  const working = (async () => {
    for (let quantity = 10; !phase.isOver; quantity++) {
      await stock(endpoint, quantity)
      // much more often than deliveries, but without using the processor that the measured code needs
      await sleep(20)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      phase.isOver = true
      await working
    },
  }
}

/** The highest number of times within any half-open second that starts at one of them. */
function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length))
}

test('a delivery that left late, because its connection took long, does not move closer to those after it', async () => {
  await using receiver = await startReceiver()
  let lookups = 0
  const outbound = openOutbound({
    allow: ['127.0.0.0/8'],
    userAgent: 'Shelfwire/test',
    resolver: {
      async resolve() {
        if (lookups++ === 0) await sleep(400)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    },
  })
  const endpoint = await endpointAt(receiver.url)
  await database.db`update endpoint set url = ${receiver.url.replace('127.0.0.1', 'receiver.test')} where endpoint_id = ${endpoint.endpointId}`
  {
    await using webhooks = openWebhooks(bench)
    webhooks.deliver({ outbound })
    await using _ = keepChanging(endpoint)
    await until('nine deliveries have come', async () => receiver.received.length >= 9)
  }
  await outbound.close()
  expect(mostInASecond(receiver.received.map(({ at }) => at))).toBe(4)
})

test('two processes that stall, one of which ends and is replaced, send at most four a second between them', async () => {
  await using receiver = await startReceiver()
  const endpoint = await endpointAt(receiver.url)
  // Receiver and loops are one process, which is blocked about when the next delivery has been claimed: only that one is late.
  receiver.answer = () => {
    if (receiver.received.length % 5 === 0)
      setTimeout(
        () => {
          const until = performance.now() + 150
          while (performance.now() < until);
        },
        240 + Math.random() * 30,
      )
    return { status: 200 }
  }
  {
    await using webhooks = openWebhooks(bench)
    webhooks.deliver()
    const other = webhooks.deliver()
    await using _ = keepChanging(endpoint)
    await until('some have come', async () => receiver.received.length >= 10)
    await other.stop()
    webhooks.deliver()
    await until('many have come', async () => receiver.received.length >= inGate(40, 80), 120_000)
  }
  const times = receiver.received.map(({ at }) => at)
  expect(mostInASecond(times)).toBeLessThanOrEqual(4)
}, 150_000)

test('however long deliveries take, whoever has the lease, and whether a clock steps back: four in any second', async () => {
  const act = fc.record({
    /** From the claim to the end; for `lost`, until the lease is found to have expired. */
    tookMs: fc.oneof(fc.nat(40), fc.nat(600)),
    outcome: fc.oneof(
      { weight: 6, arbitrary: fc.constant('answered' as const) },
      { weight: 3, arbitrary: fc.constantFrom('lost' as const, 'refused' as const, 'ours' as const) },
    ),
    /** By how much the clock is set back while the delivery is in flight. */
    backMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(3_000)),
  })
  const outcome = await fc.check(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 16 }), async (acts) => {
      const endpoint = await endpointAt('http://127.0.0.1:9000/')
      // real time continues; the database's clock is `setBackMs` behind it
      const stepper = openStepper(database.db, endpoint.accountId)
      let realMs = 0
      let setBackMs = 0
      const go = (ms: number) => {
        realMs += ms
        stepper.aheadMs = realMs - setBackMs
      }
      const deliveries: { beganMs: number; endedMs: number }[] = []
      let claims: readonly Claim[] = []
      for (const [i, { tookMs, outcome, backMs }] of acts.entries()) {
        await stock(endpoint, 100 + i)
        for (let waited = 0; claims.length === 0 && waited <= 2_000;) {
          const stepped = await stepper.step()
          claims = stepped.claims
          if (claims.length > 0) break
          // as early as allowed, where an error would make it too early
          const afterMs = Math.max(1, stepped.dueInMs ?? 20)
          waited += afterMs
          go(afterMs)
        }
        const [claim] = claims
        expect(claims, 'a delivery is kept for two seconds at most').toHaveLength(1)
        if (claim === undefined) return
        const beganMs = realMs
        setBackMs += backMs
        go(tookMs)
        deliveries.push({ beganMs, endedMs: realMs })
        claims = []
        if (outcome === 'lost') {
          // its process has ended: as orphans.sql.ts ends the lease
          const at = new Date(Date.now() - 3_600_000)
          await database.db`update endpoint_state set leased_until = ${at}, due_at = ${at} where endpoint_id = ${endpoint.endpointId}`
        } else {
          const exchange = { answered: answered(200), refused, ours: ourFault }[outcome]
          claims = (await stepper.step([stepper.result(claim, exchange)])).claims
          // without the delay of a retry, which would hide the pace
          if (claims.length === 0)
            await database.db`update endpoint_state set retry_at = null, paused_until = null, due_at = null, failures = 0
            where endpoint_id = ${endpoint.endpointId}`
        }
      }
      // each arrived between its start and its end: the shortest time in which five can have arrived
      const least = deliveries.slice(4).map(({ beganMs }, i) => beganMs - (deliveries[i]?.endedMs ?? 0))
      expect(Math.min(...least)).toBeGreaterThanOrEqual(1_000)
    }),
    { seed: SEED, numRuns: inGate(15, 30), endOnFailure: true },
  )
  expect(outcome.failed, (await fc.asyncDefaultReportMessage(outcome)) ?? '').toBe(false)
}, 120_000)
