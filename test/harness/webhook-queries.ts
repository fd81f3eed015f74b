import { randomUUID } from 'node:crypto'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import * as deliver from '../../src/webhooks/deliver/store.ts'
import * as endpoints from '../../src/webhooks/endpoints/store.ts'
import * as log from '../../src/webhooks/log/store.ts'
import { startsAt } from '../../src/webhooks/plan/plan.ts'
import * as record from '../../src/webhooks/record/store.ts'
import { reading, undone, type HotQuery, type Subject } from './hot-queries.ts'

/** Endpoints with logs of their own, of which one delivery each waits. */
export async function fillEndpoints(db: Db, accountId: number, count: number, deliveries: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let i = 0; i < count; i++) {
      const subscription = { kinds: ['price', 'content', 'removed'] as const, storeId: null }
      const url = `https://shop.example/${i}`
      const endpointId = await endpoints.endpointInsert(tx, accountId, { url, ...subscription, secret: 'sealed' }, 0, startsAt(subscription, 0))
      const planned = Array.from({ length: deliveries }, () => {
        const delivery = { event: 'price' as const, storeId: null, productIds: [1], body: '{}', positionAfter: 0, parks: null }
        return { ...delivery, endpointId, deliveryId: randomUUID(), origin: 'log' as const }
      })
      await record.deliveriesInsert(tx, accountId, planned)
      await record.deliveriesUpdate(tx, accountId, planned.slice(1).map((row) => ({ ...row, state: 'delivered', isTried: true })))
      const attempt = { beganAt: new Date(), durationMs: 5, outcome: 'delivered' as const, status: 200, fault: null, answer: 'ok' }
      await record.attemptsInsert(tx, accountId, planned.map((row) => ({ ...attempt, endpointId, deliveryId: row.deliveryId })))
      await record.noticesInsert(tx, accountId, [{ endpointId, kind: 'failing', facts: { url, failures: 5, last: '503', paused_until: null, pending_since: null } }])
    }
  })
}

/** Every statement of a step of the delivery loop, of its polls, and of what owners look at. */
export async function webhookQueries(db: Db, { accountId, middle, productIds }: Subject): Promise<HotQuery[]> {
  const ids = (await endpoints.endpointsList(db, accountId)).map((row) => row.endpointId)
  const [id = 0] = ids
  const rows = await db<{ endpointId: number; deliveryId: string }[]>`
    select distinct on (endpoint_id) endpoint_id as "endpointId", delivery_id as "deliveryId" from delivery
    where account_id = ${accountId} order by endpoint_id, number`
  const [first] = rows
  const asks = ids.map((endpointId) => ({ endpointId, position: middle.id, kinds: ['price', 'content', 'removed'] as const, storeId: null, limit: 100 }))
  const attempt = { beganAt: new Date(), durationMs: 5, outcome: 'delivered' as const, status: 200, fault: null, answer: 'ok' }
  const state = { generation: 2, position: 0, starts: {}, failures: 0, pausedUntil: null, isTriedNow: true, isFresh: true }
  const read = (name: string, run: () => Promise<unknown>) => reading(`webhooks: ${name}`, run)
  const write = (name: string, run: Parameters<typeof undone>[2]) => undone(db, `webhooks: ${name}`, run)
  return [
    read('accounts due', () => deliver.accountsDue(db)),
    read('accounts behind', () => deliver.accountsBehind(db)),
    read('accounts with endpoints', () => deliver.accountsWithEndpoints(db)),
    write('lock', (tx) => deliver.endpointsLock(tx, accountId, ids.slice(0, 2), null)),
    read('endpoints', async () => await deliver.endpointsRead(db, accountId)),
    read('waiting', async () => await deliver.deliveriesWaiting(db, accountId, ids, [randomUUID()])),
    read('in flight', async () => await deliver.deliveriesCarry(db, accountId, rows)),
    read('scan of the log', () => deliver.logScan(db, accountId, asks)),
    read('listing', () => deliver.listingNow(db, accountId, productIds)),
    write('deliveries end', (tx) => record.deliveriesUpdate(tx, accountId, rows.map((row) => ({ ...row, state: 'delivered', body: null, isTried: true })))),
    write('deliveries void', (tx) => record.deliveriesVoid(tx, accountId, ids, 'void')),
    write('deliveries park', (tx) => record.deliveriesPark(tx, accountId, rows)),
    write('attempts', (tx) => record.attemptsInsert(tx, accountId, rows.map((row) => ({ ...row, ...attempt })))),
    write('states', async (tx) => record.endpointStatesUpdate(tx, accountId, await deliver.endpointsRead(tx, accountId))),
    write('wish', (tx) => endpoints.endpointWish(tx, accountId, { ...state, endpointId: id })),
    read('rewind', () => endpoints.positionBefore(db, accountId, middle.since)),
    read('list', async () => await endpoints.endpointsList(db, accountId)),
    read('attempts back', () => log.attemptsList(db, accountId, id, { limit: 20 })),
    read('attempts forward', () => log.attemptsList(db, accountId, id, { after: 1, limit: 20 })),
    read('attempts of one', async () => await log.attemptsOf(db, accountId, id, first?.deliveryId ?? '')),
    read('parked', async () => await log.deliveriesIn(db, accountId, id, 'parked', 20)),
    read('endpoints after', async () => await log.endpointsAfter(db, accountId, id, 20)),
    write('trim', (tx) => log.logTrim(tx, accountId, id)),
    read('pending ages', async () => await log.pendingAges(db, 100)),
  ]
}
