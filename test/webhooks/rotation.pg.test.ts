import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openSigningKeys, send, type SigningKeys } from '../../src/webhooks/deliver/send.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { trimLogs } from '../harness/trim.ts'
import { verifies } from '../../src/outbound/signature.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Received, type Receiver } from '../harness/receiver.ts'
import { refusal } from '../harness/refusal.ts'
import { openStepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

const HOUR_MS = 3_600_000
const HEADERS = ['x-service-signature', 'x-service-signature-next', 'x-service-signature-previous'] as const

const { database, bench } = worldOfFile()

let webhooks: Webhooks
let receiver: Receiver
let account: TestAccount
let productId: number
let endpointId: number
let first: string
/** The cached keys of a process that sends before and after a rotation. */
let keys: SigningKeys
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  keys = openSigningKeys(webhooks.seal)
  receiver = await startReceiver()
  account = await createAccount(bench)
  ;[productId = 0] = await giveOffers(bench, account, [offer('A')])
  const made = await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  endpointId = made.endpointId
  first = made.secret
})
afterEach(async () => {
  await webhooks[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const rotate = (after: number | 'leaked') => webhooks.endpoints.rotate(account.accountId, endpointId, after)
const switchNow = () => webhooks.endpoints.switchSecret(account.accountId, endpointId)
const cancel = () => webhooks.endpoints.cancelRotation(account.accountId, endpointId)
const state = () => endpointGet(database.db, account.accountId, endpointId)
const trim = () => trimLogs(database.db, new AbortController().signal)
const stored = async () =>
  (
    await database.db`
    select previous_secret is not null as previous, previous_until is not null as until, switch_at is not null as switch
    from endpoint where endpoint_id = ${endpointId}`
  )[0]

/** For each signature header of a delivery the index of its secret among `secrets`; null if the header is missing. */
function signers({ headers, body }: Received, secrets: readonly string[]) {
  return HEADERS.map((name) => {
    const value = headers[name]
    return value === undefined
      ? null
      : secrets.findIndex((secret) => verifies(secret, String(headers['x-service-timestamp']), body, String(value)))
  })
}

/** Whether a receiver with this one secret accepts a delivery, reading X-Service-Signature only or all signature headers. */
function accepts(delivery: Received, secret: string, reads: 'main' | 'all'): boolean {
  const [main, ...others] = signers(delivery, [secret])
  return main === 0 || (reads === 'all' && others.includes(0))
}

/** The POST of a test event that is signed at `now`. */
async function deliveryAt(now: Date): Promise<Received> {
  await webhooks.endpoints.test(account.accountId, endpointId)
  const stepper = openStepper(database.db, account.accountId, now)
  const { claims } = await stepper.step()
  expect(claims).toHaveLength(1)
  const sent = receiver.received.length
  for (const claim of claims) {
    const exchange = await send(
      webhooks.outbound,
      keys,
      silentLog,
      account.accountId,
      claim,
      new AbortController().signal,
    )
    await stepper.step([stepper.result(claim, exchange)])
  }
  await database.db`update endpoint_state set sent_at = null where endpoint_id = ${endpointId}`
  return receiver.received[sent]!
}

test('through a rotation no receiver fails that knows one secret: the old one alone, the new one alone, or both headers', async () => {
  const now = Date.now() + 60_000
  const before = await deliveryAt(new Date(now))
  expect(signers(before, [first])).toEqual([0, null, null])
  const { secret: second, switchAt, previousUntil } = await rotate(LIMITS.webhookSecretOverlapHours)
  const switchMs = switchAt?.getTime() ?? 0
  expect(Math.abs(switchMs - Date.now() - 24 * HOUR_MS)).toBeLessThan(10_000)
  expect(previousUntil?.getTime()).toBe(switchMs + 24 * HOUR_MS)
  const moments = {
    'at once': now,
    '1 ms before the switch': switchMs - 1,
    'at the switch': switchMs,
    '1 ms before the old one ends': switchMs + 24 * HOUR_MS - 1,
    'at the end of the old one': switchMs + 24 * HOUR_MS,
  }
  const table: Record<string, unknown> = {}
  for (const [name, ms] of Object.entries(moments)) {
    // the switch must not depend on the trimming job, which must not act early
    await trim()
    const delivery = await deliveryAt(new Date(ms))
    table[name] = {
      signers: signers(delivery, [first, second]),
      old: [accepts(delivery, first, 'main'), accepts(delivery, first, 'all')],
      new: [accepts(delivery, second, 'main'), accepts(delivery, second, 'all')],
    }
  }
  expect(table).toEqual({
    'at once': { signers: [0, 1, null], old: [true, true], new: [false, true] },
    '1 ms before the switch': { signers: [0, 1, null], old: [true, true], new: [false, true] },
    'at the switch': { signers: [1, null, 0], old: [false, true], new: [true, true] },
    '1 ms before the old one ends': { signers: [1, null, 0], old: [false, true], new: [true, true] },
    'at the end of the old one': { signers: [1, null, null], old: [false, false], new: [true, true] },
  })
})

test('a receiver that reads only X-Service-Signature never refuses: it gets its new secret, and the owner switches', async () => {
  let known = first
  receiver.answer = (delivery) => ({ status: accepts(delivery, known, 'main') ? 200 : 401 })
  const outcomes = async () =>
    (await database.db<{ outcome: string }[]>`select outcome from attempt where endpoint_id = ${endpointId}`).map(
      ({ outcome }) => outcome,
    )
  webhooks.deliver()
  let quantity = 10
  const deliver = async () => {
    const before = receiver.received.length
    await bench.shelf.write(account.accountId, (tx) =>
      setOwnStock(tx, account.accountId, [{ productId, quantity: quantity++, cost: null }]),
    )
    await until('its result is stored', async () => (await outcomes()).length > before)
    expect((await outcomes()).filter((outcome) => outcome !== 'delivered')).toEqual([])
  }
  await deliver()
  const { secret: second } = await rotate(24)
  await deliver()
  await deliver()
  known = second
  await switchNow()
  await deliver()
  expect(receiver.received.map((delivery) => signers(delivery, [first, second]))).toEqual([
    [0, null, null],
    [0, 1, null],
    [0, 1, null],
    [1, null, 0],
  ])
})

test('the owner chooses the moment: at once, after some hours, now instead of then, or never', async () => {
  const soon = () => new Date(Date.now() + 60_000)
  const { secret: second, switchAt: none, previousUntil } = await rotate(0)
  expect(none).toBeNull()
  expect(Math.abs((previousUntil?.getTime() ?? 0) - Date.now() - 24 * HOUR_MS)).toBeLessThan(10_000)
  expect(await state()).toMatchObject({ switchAt: null, previousUntil })
  expect(signers(await deliveryAt(soon()), [first, second])).toEqual([1, null, 0])
  // while two secrets sign, a third is refused, except for a leaked secret
  expect(await refusal(rotate(24))).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^the previous secret still signs until/),
  })
  for (const late of [switchNow, cancel])
    expect(await refusal(late())).toMatchObject({ code: 'conflict', message: expect.stringMatching(/no new secret/) })
  const { secret: third, ...ended } = await rotate('leaked')
  expect(ended).toEqual({ switchAt: null, previousUntil: null })
  expect(await stored()).toEqual({ previous: false, until: false, switch: false })
  expect(signers(await deliveryAt(soon()), [first, second, third])).toEqual([2, null, null])

  const { secret: fourth, switchAt } = await rotate(LIMITS.webhookSwitchHoursMax)
  expect(Math.abs((switchAt?.getTime() ?? 0) - Date.now() - 168 * HOUR_MS)).toBeLessThan(10_000)
  expect(await state()).toMatchObject({ switchAt, previousUntil: new Date((switchAt?.getTime() ?? 0) + 24 * HOUR_MS) })
  expect(await refusal(rotate(1))).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^a new secret signs from/),
  })
  await cancel()
  expect(await state()).toMatchObject({ switchAt: null, previousUntil: null })
  expect(signers(await deliveryAt(soon()), [third, fourth])).toEqual([0, null, null])
  expect(await refusal(cancel())).toMatchObject({ code: 'conflict' })

  const { secret: fifth } = await rotate(5)
  await switchNow()
  const switched = await state()
  expect(switched?.switchAt).toBeNull()
  expect(Math.abs((switched?.previousUntil?.getTime() ?? 0) - Date.now() - 24 * HOUR_MS)).toBeLessThan(10_000)
  expect(signers(await deliveryAt(soon()), [third, fifth])).toEqual([1, null, 0])

  // a secret that leaks before its switch: neither of the two signs any more
  await rotate('leaked')
  const { secret: seventh } = await rotate(24)
  const { secret: eighth } = await rotate('leaked')
  const delivery = await deliveryAt(soon())
  expect(signers(delivery, [seventh, eighth])).toEqual([1, null, null])
})

test.for([-1, LIMITS.webhookSwitchHoursMax + 1, 1.5])('a switch after %s hours is refused', async (hours) => {
  expect(await refusal(rotate(hours))).toMatchObject({ code: 'invalid-input' })
  expect(await stored()).toEqual({ previous: false, until: false, switch: false })
})

test('the old secret is deleted once it has ended, and not before', async () => {
  const shift = (interval: string) =>
    database.db`update endpoint set switch_at = (switch_at at time zone 'UTC' - ${interval}::interval) at time zone 'UTC', previous_until = (previous_until at time zone 'UTC' - ${interval}::interval) at time zone 'UTC'
      where endpoint_id = ${endpointId}`
  await rotate(24)
  await shift('25 hours')
  await trim()
  expect(await stored()).toEqual({ previous: true, until: true, switch: true })
  await shift('23 hours')
  expect(await state()).toMatchObject({ switchAt: null, previousUntil: null })
  await trim()
  expect(await stored()).toEqual({ previous: false, until: false, switch: false })
  await rotate(24)
})
