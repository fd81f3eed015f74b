import { setTimeout as sleep } from 'node:timers/promises'
import {
  ENDPOINT_LOG,
  LINKED_ENDPOINT_LOG,
  type Attempt,
  type Delivery,
  type DeliveryDetail,
} from '../../../contract/panel/deliveries.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { endpointGet } from '../../webhooks/endpoints/endpoints.sql.ts'
import type { Endpoints } from '../../webhooks/endpoints/endpoints.ts'
import {
  attemptsOfDelivery,
  attemptsPage,
  deliveriesPage,
  deliveryDetail,
  type NumberedAttempt,
  type PanelDelivery,
} from '../../webhooks/log/panel-log.sql.ts'
import type { ServeContext } from '../context.ts'
import { slugsOf, type SlugOf } from './endpoint-body.ts'
import type { PanelApp } from './handle-panel.ts'
import { pageOf } from './represent.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { must } from '../../platform/must.ts'

const POLL_MS = 100
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Place {
  accountId: number
  endpointId: number
}

const representAttempt =
  (slugOf: SlugOf) =>
  (row: NumberedAttempt): Attempt => ({
    id: row.attemptId,
    delivery_id: row.deliveryId,
    number: row.number,
    origin: row.origin,
    event: row.event,
    store: slugOf(row.storeId),
    products: row.products,
    began_at: row.beganAt.toISOString(),
    duration_ms: row.durationMs,
    outcome: row.outcome,
    status: row.status,
    fault: row.fault,
    answer: row.answer,
  })

const representDelivery =
  (slugOf: SlugOf) =>
  (row: PanelDelivery): Delivery => ({
    id: row.deliveryId,
    number: row.number,
    origin: row.origin,
    state: row.state,
    event: row.event,
    store: slugOf(row.storeId),
    products: row.products,
    created_at: formatTimestamp(row.createdAt),
    attempts: row.attempts,
    next_attempt_at: timeOrNull(row.nextAttemptAt),
    last_attempt:
      row.lastBeganAt === null || row.lastDurationMs === null || row.lastOutcome === null
        ? null
        : {
            began_at: row.lastBeganAt.toISOString(),
            duration_ms: row.lastDurationMs,
            outcome: row.lastOutcome,
            status: row.lastStatus,
            fault: row.lastFault,
          },
  })

type AttemptsQuery = { before: number | undefined; after: number | undefined; per_page: number } & Partial<
  Record<'outcome' | 'event', string | undefined>
>
type DeliveriesQuery = { before: number | undefined; per_page: number; product_id: number | undefined } & Partial<
  Record<'state' | 'event' | 'origin', string | undefined>
>

/** The delivery log of an endpoint, for members and for holders of a link. */
export function deliveryHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context

  const requireEndpoint = async ({ accountId, endpointId }: Place) => {
    if ((await endpointGet(db, accountId, endpointId)) === undefined)
      throw new ShelfwireError('unknown-reference', `the account has no endpoint ${endpointId}`)
  }
  const attempts = async (place: Place, query: AttemptsQuery) => {
    await requireEndpoint(place)
    const { accountId, endpointId } = place
    const { per_page: perPage, ...filters } = query
    const [rows, slugOf] = await Promise.all([
      attemptsPage(db, accountId, endpointId, { ...filters, limit: perPage + 1 }),
      slugsOf(db, accountId),
    ])
    // with `after` the rows are the next newer ones, and the surplus row is the newest, at the front
    const page = query.after === undefined || rows.length <= perPage ? rows : rows.slice(1)
    return pageOf(page, perPage, (row) => row.attemptId, representAttempt(slugOf))
  }
  const deliveries = async (place: Place, query: DeliveriesQuery) => {
    await requireEndpoint(place)
    const { accountId, endpointId } = place
    const { per_page: perPage, product_id: productId, ...filters } = query
    const [rows, slugOf] = await Promise.all([
      deliveriesPage(db, accountId, endpointId, { ...filters, productId, limit: perPage + 1 }),
      slugsOf(db, accountId),
    ])
    return pageOf(rows, perPage, (row) => row.number, representDelivery(slugOf))
  }
  const delivery = async ({ accountId, endpointId }: Place, deliveryId: string): Promise<{ data: DeliveryDetail }> => {
    const row = UUID.test(deliveryId) ? await deliveryDetail(db, accountId, endpointId, deliveryId) : undefined
    if (row === undefined)
      throw new ShelfwireError(
        'unknown-reference',
        `endpoint ${endpointId} has no delivery "${deliveryId.slice(0, 40)}", or it is no longer in the log`,
      )
    const [log, slugOf] = await Promise.all([
      attemptsOfDelivery(db, accountId, endpointId, deliveryId),
      slugsOf(db, accountId),
    ])
    return {
      data: {
        ...representDelivery(slugOf)(row),
        product_ids: row.productIds,
        body: row.body,
        attempt_log: log.map(representAttempt(slugOf)),
        is_redeliverable: row.state !== 'waiting' && row.origin !== 'test',
      },
    }
  }
  /** Queues deliveries and waits for the first attempt of the first one. */
  const queue = async (
    place: Place,
    waitSeconds: number,
    note: Note,
    work: (endpoints: Endpoints) => Promise<string[]>,
  ) => {
    const deliveryIds = await work(context.endpoints((tx) => note(tx)))
    const first = must(deliveryIds[0])
    const until = performance.now() + 1_000 * waitSeconds
    let attempt = await firstAttempt(place, first)
    while (attempt === null && performance.now() < until) {
      await sleep(POLL_MS)
      attempt = await firstAttempt(place, first)
    }
    return { data: { delivery_ids: deliveryIds, attempt } }
  }
  const firstAttempt = async ({ accountId, endpointId }: Place, deliveryId: string): Promise<Attempt | null> => {
    const [row] = await attemptsOfDelivery(db, accountId, endpointId, deliveryId)
    return row === undefined ? null : representAttempt(await slugsOf(db, accountId))(row)
  }

  const ofMember = ({ accountId, params }: { accountId: number; params: { endpoint_id?: number } }): Place => ({
    accountId,
    endpointId: must(params.endpoint_id),
  })
  app.handle(ENDPOINT_LOG.attempts, async (call) => attempts(ofMember(call), call.query))
  app.handle(ENDPOINT_LOG.deliveries, async (call) => deliveries(ofMember(call), call.query))
  app.handle(ENDPOINT_LOG.delivery, async (call) => delivery(ofMember(call), call.params.delivery_id))
  app.handle(ENDPOINT_LOG.redeliver, async (call) => {
    const place = ofMember(call)
    return queue(place, call.query.wait, call.note, (endpoints) =>
      endpoints.redeliver(place.accountId, place.endpointId, call.params.delivery_id),
    )
  })
  app.handle(ENDPOINT_LOG.test, async (call) => {
    const place = ofMember(call)
    return queue(place, call.query.wait, call.note, async (endpoints) => [
      await endpoints.test(place.accountId, place.endpointId),
    ])
  })

  app.handle(LINKED_ENDPOINT_LOG.attempts, async ({ link, query }) => attempts(link, query))
  app.handle(LINKED_ENDPOINT_LOG.deliveries, async ({ link, query }) => deliveries(link, query))
  app.handle(LINKED_ENDPOINT_LOG.delivery, async ({ link, params }) => delivery(link, params.delivery_id))
  app.handle(LINKED_ENDPOINT_LOG.redeliver, async ({ link, params, query, note }) =>
    queue(link, query.wait, note, (endpoints) =>
      endpoints.redeliver(link.accountId, link.endpointId, params.delivery_id),
    ),
  )
  app.handle(LINKED_ENDPOINT_LOG.test, async ({ link, query, note }) =>
    queue(link, query.wait, note, async (endpoints) => [await endpoints.test(link.accountId, link.endpointId)]),
  )
}

type Note = (tx: Tx) => PromiseLike<unknown>
