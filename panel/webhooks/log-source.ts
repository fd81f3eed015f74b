import { type Answer, call } from '../api/client.ts'
import type { Tone } from '../components/state-mark.tsx'

// The delivery log of one endpoint, read by members or by holders of a link to it: the same answers from different
// routes.

type Page = Answer<'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/deliveries'>
export type Delivery = Page['data'][number]
export type DeliveryDetail =
  Answer<'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/deliveries/{delivery_id}'>['data']
export type Attempt = DeliveryDetail['attempt_log'][number]
type Queued = Answer<'POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/test'>['data']

export interface LogFilter {
  state?: string | undefined
  event?: string | undefined
  origin?: string | undefined
  product_id?: number | undefined
}

/** The calls of a delivery log. */
export interface LogSource {
  /** Cache key, which identifies the log. */
  key: readonly (string | number)[]
  deliveries: (filter: LogFilter, before: number | undefined, signal: AbortSignal) => Promise<Page>
  delivery: (deliveryId: string, signal: AbortSignal) => Promise<DeliveryDetail>
  redeliver: (deliveryId: string) => Promise<Queued>
  test: () => Promise<Queued>
}

const PAGE = 100
/** How long the service waits for the first attempt, so that its answer is shown at once. */
const WAIT_SECONDS = 15

/** The log for members of the account. */
export function memberLog(accountId: number, endpointId: number): LogSource {
  const params = { account_id: accountId, endpoint_id: endpointId }
  const base = '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}'
  return {
    key: ['log', accountId, endpointId],
    deliveries: (filter, before, signal) =>
      call(`GET ${base}/deliveries`, { params, query: { ...filter, before, per_page: PAGE }, signal }),
    delivery: async (deliveryId, signal) =>
      (await call(`GET ${base}/deliveries/{delivery_id}`, { params: { ...params, delivery_id: deliveryId }, signal }))
        .data,
    redeliver: async (deliveryId) =>
      (
        await call(`POST ${base}/deliveries/{delivery_id}/redeliver`, {
          params: { ...params, delivery_id: deliveryId },
          query: { wait: WAIT_SECONDS },
        })
      ).data,
    test: async () => (await call(`POST ${base}/test`, { params, query: { wait: WAIT_SECONDS } })).data,
  }
}

/** The log for the holder of a link. */
export function linkLog(linkToken: string): LogSource {
  const base = '/panel/api/linked-endpoint'
  return {
    key: ['log', 'link'],
    deliveries: (filter, before, signal) =>
      call(`GET ${base}/deliveries`, { query: { ...filter, before, per_page: PAGE }, linkToken, signal }),
    delivery: async (deliveryId, signal) =>
      (await call(`GET ${base}/deliveries/{delivery_id}`, { params: { delivery_id: deliveryId }, linkToken, signal }))
        .data,
    redeliver: async (deliveryId) =>
      (
        await call(`POST ${base}/deliveries/{delivery_id}/redeliver`, {
          params: { delivery_id: deliveryId },
          query: { wait: WAIT_SECONDS },
          linkToken,
        })
      ).data,
    test: async () => (await call(`POST ${base}/test`, { query: { wait: WAIT_SECONDS }, linkToken })).data,
  }
}

/** The mark of each state of a delivery. */
export const DELIVERY_TONES: Readonly<Record<Delivery['state'], Tone>> = {
  delivered: 'good',
  waiting: 'busy',
  failed: 'bad',
  parked: 'warn',
  expired: 'off',
  void: 'off',
  empty: 'off',
}
