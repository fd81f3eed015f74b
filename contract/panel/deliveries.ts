import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId, PathKey } from '../parameters.ts'
import { Id, Null, Text } from '../values.ts'
import { EVENTS } from './endpoints.ts'
import type { Parameters } from '../route.ts'
import { Data, Page, panelRoute, Time, TimeOrNull, type PanelAccess } from './route.ts'

// The delivery log of an endpoint: deliveries, their attempts, a test, and redelivery. Each route exists twice: for
// members, and below /panel/api/linked-endpoint for holders of a link to the endpoint.

/**
 * parked: one product, which the receiver refuses alone; expired: it waited too long, and its products were announced
 * again; void: the endpoint was changed before it was sent; empty: its products no longer concern the endpoint.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'parked', 'expired', 'void', 'empty'] as const
export const ORIGINS = ['log', 'redelivery', 'test'] as const
export const OUTCOMES = ['delivered', 'failed', 'own_fault', 'stale'] as const

/** One try to send a delivery. */
export const Attempt = Type.Object({
  id: Id,
  delivery_id: Text,
  number: Type.Integer({ description: 'Which try of its delivery it was, from 1, as far as the log reaches.' }),
  origin: OneOf(ORIGINS, { description: 'log: a change; redelivery: sent again by a person; test.' }),
  event: OneOf(EVENTS, {}),
  store: Type.Union([Text, Null], { description: 'Slug; null: all stores.' }),
  products: Type.Integer(),
  began_at: Type.String({ format: 'date-time', description: 'UTC, to the millisecond.' }),
  duration_ms: Type.Integer(),
  outcome: OneOf(OUTCOMES, {
    description:
      'own_fault: the service could not send, which does not count against the receiver; stale: the endpoint was changed meanwhile.',
  }),
  status: Type.Union([Type.Integer(), Null], { description: 'Of the answer; null: none came.' }),
  fault: Type.Union([Text, Null], { description: 'Class of the error when no answer came, such as timeout.' }),
  answer: Type.Union([Text, Null], { description: 'First 4 kB of the answer. Untrusted text: show it as text only.' }),
})
export type Attempt = Static<typeof Attempt>

/** One delivery in the log, with the result of its attempts. */
export const Delivery = Type.Object({
  id: Type.String({ description: 'UUID, as in X-Service-Delivery.' }),
  number: Id,
  origin: OneOf(ORIGINS, {}),
  state: OneOf(DELIVERY_STATES, {
    description:
      'parked: its one product was refused; expired: waited for more than 72 hours, its changes are planned again; void: planned again after a change of the endpoint; empty: nothing was left to tell.',
  }),
  event: OneOf(EVENTS, {}),
  store: Type.Union([Text, Null], { description: 'Slug; null: all stores.' }),
  products: Type.Integer(),
  created_at: Time('When it was planned.'),
  attempts: Type.Integer({ description: 'Tries so far.' }),
  next_attempt_at: TimeOrNull('Of one that waits: when it is tried; null: next in turn.'),
  last_attempt: Type.Union([
    Type.Object({
      began_at: Type.String({ format: 'date-time' }),
      duration_ms: Type.Integer(),
      outcome: OneOf(OUTCOMES, {}),
      status: Type.Union([Type.Integer(), Null]),
      fault: Type.Union([Text, Null]),
    }),
    Null,
  ]),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  product_ids: Type.Array(Id, { description: 'At most 500.' }),
  body: Type.Union([Text, Null], { description: 'As it is sent; null: it is written when it is sent.' }),
  attempt_log: Type.Array(Attempt, { description: 'Oldest first, as far as the log reaches.' }),
  is_redeliverable: Type.Boolean({ description: 'Whether it can be sent again: it is not a test and does not wait.' }),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

const Queued = Data(
  Type.Object({
    delivery_ids: Type.Array(Text, { description: 'The new deliveries.' }),
    attempt: Type.Union([Attempt, Null], {
      description: 'The first attempt of the first of them, if it was made within `wait`.',
    }),
  }),
)
const wait = { wait: Clamped(0, 20, 0, 'Seconds to wait for the first attempt') }
const page = {
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'meta.next_before of the page before.' })),
  per_page: Clamped(1, 200, 50, 'Page size'),
}
/** At most one value of each filter. */
const oneOf = (names: readonly string[], description: string) =>
  Type.Optional(
    Type.String({ pattern: `^(?:${names.join('|')})$`, description: `${description}: ${names.join(', ')}.` }),
  )

/** The log's routes, for members or for holders of a link. */
function logRoutes<
  const A extends PanelAccess,
  const P extends string,
  const N extends string,
  const Q extends Parameters,
>(panelAccess: A, base: P, suffix: N, params: Q) {
  const one = { ...params, delivery_id: PathKey('The delivery.') }
  return {
    attempts: panelRoute({
      id: `listAttempts${suffix}`,
      method: 'get',
      path: `${base}/attempts`,
      panelAccess,
      summary: 'Attempts, newest first',
      params,
      query: {
        ...page,
        after: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Only newer ones: the highest id seen so far, to follow the log.' }),
        ),
        outcome: oneOf(OUTCOMES, 'Only this outcome'),
        event: oneOf(EVENTS, 'Only this event'),
      },
      status: 200,
      answer: Page(Attempt),
      problems: ['unknown-reference'],
    }),
    deliveries: panelRoute({
      id: `listDeliveries${suffix}`,
      method: 'get',
      path: `${base}/deliveries`,
      panelAccess,
      summary: 'Deliveries, newest first',
      params,
      query: {
        ...page,
        state: oneOf(DELIVERY_STATES, 'Only this state'),
        event: oneOf(EVENTS, 'Only this event'),
        origin: oneOf(ORIGINS, 'Only of this origin'),
        product_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Only those that name this product.' })),
      },
      status: 200,
      answer: Page(Delivery),
      problems: ['unknown-reference'],
    }),
    delivery: panelRoute({
      id: `getDelivery${suffix}`,
      method: 'get',
      path: `${base}/deliveries/{delivery_id}`,
      panelAccess,
      summary: 'One delivery with its body, attempts and answers',
      params: one,
      status: 200,
      answer: Data(DeliveryDetail),
      problems: ['unknown-reference'],
    }),
    redeliver: panelRoute({
      id: `redeliver${suffix}`,
      method: 'post',
      path: `${base}/deliveries/{delivery_id}/redeliver`,
      panelAccess,
      summary: 'Announce the products of a delivery again, by their current state',
      params: one,
      query: wait,
      status: 202,
      answer: Queued,
      problems: ['unknown-reference', 'conflict'],
    }),
    test: panelRoute({
      id: `testEndpoint${suffix}`,
      method: 'post',
      path: `${base}/test`,
      panelAccess,
      summary: 'Send a signed delivery without products, which does not count in the health',
      params,
      query: wait,
      status: 202,
      answer: Queued,
      problems: ['unknown-reference', 'conflict'],
    }),
  } as const
}

export const ENDPOINT_LOG = logRoutes('member', '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}', '', {
  account_id: PathId('The account.'),
  endpoint_id: PathId('The endpoint.'),
})
export const LINKED_ENDPOINT_LOG = logRoutes('link', '/panel/api/linked-endpoint', 'OfLink', {})

export const DELIVERY_ROUTES = [...Object.values(ENDPOINT_LOG), ...Object.values(LINKED_ENDPOINT_LOG)] as const
