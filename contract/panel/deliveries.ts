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
  number: Type.Integer({ description: 'Number of the attempt of its delivery, from 1, as far as the log reaches.' }),
  origin: OneOf(ORIGINS, {
    description:
      'Why the delivery was sent. log: products changed; redelivery: a person sent it again; test: a person sent a test.',
  }),
  event: OneOf(EVENTS, {}),
  store: Type.Union([Text, Null], { description: 'Slug of the store; null: all stores.' }),
  products: Type.Integer(),
  began_at: Type.String({ format: 'date-time', description: 'When the attempt began. UTC, to the millisecond.' }),
  duration_ms: Type.Integer(),
  outcome: OneOf(OUTCOMES, {
    description:
      'Result of the attempt. own_fault: the service could not send it, which does not count as a failure of the receiver; stale: the endpoint was changed meanwhile.',
  }),
  status: Type.Union([Type.Integer(), Null], { description: 'HTTP status of the answer; null: there was no answer.' }),
  fault: Type.Union([Text, Null], { description: 'Kind of error if there was no answer, such as timeout; else null.' }),
  answer: Type.Union([Text, Null], {
    description: 'First 4 kB of the answer; null: there was none. Untrusted: show it as plain text only.',
  }),
})
export type Attempt = Static<typeof Attempt>

/** One delivery in the log, with the result of its attempts. */
export const Delivery = Type.Object({
  id: Type.String({ description: 'UUID of the delivery, as in the header X-Service-Delivery.' }),
  number: Id,
  origin: OneOf(ORIGINS, {}),
  state: OneOf(DELIVERY_STATES, {
    description:
      'State of the delivery. parked: its only product was refused; expired: it waited for more than 72 hours, and its changes are sent in a new delivery; void: the endpoint was changed, and the changes are sent in a new delivery; empty: nothing was left to send.',
  }),
  event: OneOf(EVENTS, {}),
  store: Type.Union([Text, Null], { description: 'Slug of the store; null: all stores.' }),
  products: Type.Integer(),
  created_at: Time('When the delivery was created.'),
  attempts: Type.Integer({ description: 'Number of attempts so far.' }),
  next_attempt_at: TimeOrNull(
    'When a waiting delivery is sent; null: as soon as it is its turn, or it is not waiting.',
  ),
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
  product_ids: Type.Array(Id, { description: 'IDs of the products, at most 500.' }),
  body: Type.Union([Text, Null], {
    description: 'Body of the delivery as it is sent; null: it is created when it is sent.',
  }),
  attempt_log: Type.Array(Attempt, { description: 'Attempts, the oldest first, as far as the log reaches.' }),
  is_redeliverable: Type.Boolean({
    description: 'Whether the delivery can be sent again: it is neither a test nor waiting.',
  }),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

const Queued = Data(
  Type.Object({
    delivery_ids: Type.Array(Text, { description: 'IDs of the new deliveries.' }),
    attempt: Type.Union([Attempt, Null], {
      description: 'First attempt of the first new delivery; null if it was not made within `wait` seconds.',
    }),
  }),
)
const wait = { wait: Clamped(0, 20, 0, 'Number of seconds to wait for the first attempt') }
const page = {
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Value of meta.next_before of the previous page; by default the first page.',
    }),
  ),
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
      summary: 'List attempts, newest first',
      params,
      query: {
        ...page,
        after: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'Only attempts with a higher ID: to follow the log, send the highest ID read so far.',
          }),
        ),
        outcome: oneOf(OUTCOMES, 'Only attempts with this outcome'),
        event: oneOf(EVENTS, 'Only attempts of this event'),
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
      summary: 'List deliveries, newest first',
      params,
      query: {
        ...page,
        state: oneOf(DELIVERY_STATES, 'Only deliveries in this state'),
        event: oneOf(EVENTS, 'Only deliveries of this event'),
        origin: oneOf(ORIGINS, 'Only deliveries of this origin'),
        product_id: Type.Optional(
          Type.Integer({ minimum: 1, description: 'Only deliveries with the product of this ID.' }),
        ),
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
      summary: 'Read a delivery with its body, attempts and answers',
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
      summary: 'Send a new delivery for the products of a delivery, by their current state',
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
      summary: 'Send a signed test delivery without products; it does not affect the health',
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
