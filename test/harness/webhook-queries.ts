import { lastNumberBefore } from '../../src/shelf/payloads/change-counter.sql.ts'
import { randomUUID } from 'node:crypto'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import {
  accountsWithUnsentChanges,
  accountsDue,
  accountsWithEndpoints,
  deliveryContents,
  deliveriesWaiting,
  endpointsLock,
  endpointsRead,
  listingNow,
} from '../../src/webhooks/deliver/claims.sql.ts'
import { endedLeaseHolders, leasesEnd } from '../../src/webhooks/deliver/orphans.sql.ts'
import { endpointInsert, endpointsList, ownerChangeApply } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import {
  attemptsList,
  attemptsOf,
  deliveriesIn,
  endpointsAfter,
  logTrim,
  pendingAges,
} from '../../src/webhooks/log/deliveries.sql.ts'
import { logScan, scanAhead } from '../../src/webhooks/deliver/scan.sql.ts'
import { startsAt } from '../../src/webhooks/plan/plan.ts'
import {
  coursesWrite,
  deliveriesInsert,
  suspectsReannounce,
  deliveriesUpdate,
  deliveriesVoid,
  endpointStatesUpdate,
} from '../../src/webhooks/deliver/records.sql.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { isCluster } from './database.ts'
import { reading, undone, type HotQuery, type Subject } from './hot-queries.ts'

/** Adds endpoints with delivery logs; one delivery of each endpoint is waiting. */
export async function fillEndpoints(db: Db, accountId: number, count: number, deliveries: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let i = 0; i < count; i++) {
      const subscription = { kinds: ['price', 'content', 'removed'] as const, storeId: null }
      const url = `https://shop.example/${i}`
      const endpointId = await endpointInsert(
        tx,
        accountId,
        { url, ...subscription, secret: 'sealed' },
        0,
        startsAt(subscription, 0),
      )
      const planned = Array.from({ length: deliveries }, () => {
        const delivery = {
          event: 'price' as const,
          storeId: null,
          productIds: [1],
          body: '{}',
          positionAfter: 0,
          parks: null,
        }
        return { ...delivery, endpointId, deliveryId: randomUUID(), origin: 'log' as const }
      })
      await deliveriesInsert(tx, accountId, planned)
      await deliveriesUpdate(
        tx,
        accountId,
        planned.slice(1).map((row) => ({ ...row, state: 'delivered', isTried: true })),
      )
      const attempt = {
        beganAt: new Date(),
        durationMs: 5,
        outcome: 'delivered' as const,
        status: 200,
        fault: null,
        answer: 'ok',
      }
      const attempts = planned.map((row) => ({ ...attempt, endpointId, deliveryId: row.deliveryId }))
      await coursesWrite(tx, accountId, { ends: [], planned: [], attempts, states: [] }, isCluster())
      await writeNotices(tx, accountId, [
        {
          endpointId,
          kind: 'failing',
          facts: { url, failures: 5, last: '503', paused_until: null, pending_since: null },
        },
      ])
    }
  })
}

/** Every statement of a step of the delivery loop, of its polls, and of owners' reads. */
export async function webhookQueries(db: Db, { accountId, middle, productIds }: Subject): Promise<HotQuery[]> {
  const ids = (await endpointsList(db, accountId)).map((row) => row.endpointId)
  const [id = 0] = ids
  const rows = await db<{ endpointId: number; deliveryId: string }[]>`
    select distinct on (endpoint_id) endpoint_id as "endpointId", delivery_id as "deliveryId" from delivery
    where account_id = ${accountId} order by endpoint_id, number`
  const [first] = rows
  const asks = ids.map((endpointId) => ({
    endpointId,
    position: middle.id,
    kinds: ['price', 'content', 'removed'] as const,
    storeId: null,
    limit: 100,
  }))
  const attempt = {
    beganAt: new Date(),
    durationMs: 5,
    outcome: 'delivered' as const,
    status: 200,
    fault: null,
    answer: 'ok',
  }
  const state = {
    generation: 2,
    position: 0,
    starts: {},
    failures: 0,
    pausedUntil: null,
    isTriedNow: true,
    isFresh: true,
  }
  const read = (name: string, run: () => Promise<unknown>) => reading(`webhooks: ${name}`, run)
  const write = (name: string, run: Parameters<typeof undone>[2]) => undone(db, `webhooks: ${name}`, run)
  return [
    read('accounts due', () => accountsDue(db)),
    read('leases of ended processes', async () => await endedLeaseHolders(db, 1)),
    write('leases end', (tx) => leasesEnd(tx, accountId, [2, 3])),
    read('accounts behind', () => accountsWithUnsentChanges(db)),
    read('accounts with endpoints', () => accountsWithEndpoints(db)),
    write('lock', (tx) => endpointsLock(tx, accountId, ids.slice(0, 2), null)),
    read('endpoints', () => endpointsRead(db, accountId, ids, null)),
    read('waiting', async () => await deliveriesWaiting(db, accountId, ids.slice(0, 2), null, [randomUUID()])),
    read('in flight', async () => await deliveryContents(db, accountId, rows)),
    read('scan of the log', () => logScan(db, accountId, asks)),
    read('scan ahead', () => scanAhead(db, accountId, ids.slice(0, 2), asks.slice(0, 1), 250, null)),
    read('listing', () => listingNow(db, accountId, productIds)),
    write('deliveries end', (tx) =>
      deliveriesUpdate(
        tx,
        accountId,
        rows.map((row) => ({ ...row, state: 'delivered', body: null, isTried: true })),
      ),
    ),
    write('deliveries void', (tx) => deliveriesVoid(tx, accountId, ids, 'void')),
    write('deliveries park', (tx) => suspectsReannounce(tx, accountId, rows)),
    write('states', async (tx) =>
      endpointStatesUpdate(tx, accountId, (await endpointsRead(tx, accountId, ids, null)).rows),
    ),
    write('courses', async (tx) => {
      const { rows: found } = await endpointsRead(tx, accountId, ids, null)
      return coursesWrite(
        tx,
        accountId,
        {
          ends: rows.map((row) => ({ ...row, state: 'delivered', body: null, isTried: true })),
          planned: found.map(({ endpointId }) => ({
            endpointId,
            deliveryId: randomUUID(),
            origin: 'log',
            event: 'price',
            storeId: null,
            productIds: [1],
            body: '{}',
            positionAfter: 0,
            parks: null,
          })),
          attempts: rows.map((row) => ({ ...row, ...attempt })),
          states: found.map((row) => ({ row, before: row })),
        },
        isCluster(),
      )
    }),
    write('owner change', (tx) => ownerChangeApply(tx, accountId, { ...state, endpointId: id })),
    read('rewind', () => lastNumberBefore(db, accountId, middle.since)),
    read('list', async () => await endpointsList(db, accountId)),
    read('attempts back', () => attemptsList(db, accountId, id, { limit: 20 })),
    read('attempts forward', () => attemptsList(db, accountId, id, { after: 1, limit: 20 })),
    read('attempts of one', async () => await attemptsOf(db, accountId, id, first?.deliveryId ?? '')),
    read('parked', async () => await deliveriesIn(db, accountId, id, 'parked', 20)),
    read('endpoints after', async () => await endpointsAfter(db, accountId, id, 20)),
    write('trim', (tx) => logTrim(tx, accountId, id)),
    read('pending ages', async () => await pendingAges(db, 100)),
  ]
}
