import type { NoticeSubjectAbout } from '../../../contract/notice-kinds.ts'
import type { Exchange } from '../../outbound/client.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import { LIMITS } from '../../platform/limits.ts'
import { nextHealth, type HealthEvent } from '../health/health.ts'
import { productIdsOf } from '../plan/body.ts'
import { withEnd } from '../schedule/pace.ts'
import { afterAcceptance, afterRefusal, isRefusal } from '../plan/refusal.ts'
import type { DeliveryEnd, NewAttempt } from './records.sql.ts'
import type { EndpointNow, WaitingDelivery } from './claims.sql.ts'
import type { NextScan } from './scan.sql.ts'

/** The outcome of one attempt to deliver. */
export interface Result {
  endpointId: number
  leaseId: string
  generation: number
  /** The delivery as claimed. It cannot have changed while lease and generation are the same. */
  delivery: WaitingDelivery
  body: string
  /** The scan remembered by the claim. */
  next: NextScan
  /** By this process's clock, for the delivery log. */
  beganAt: Date
  exchange: Exchange
}

/** The writes of a step, except for the endpoints' states. */
export interface StepWrites {
  attempts: NewAttempt[]
  ends: DeliveryEnd[]
  notices: NoticeSubjectAbout<'endpoint'>[]
  /** Endpoints whose plan is void: the window has to be read again. */
  voided: Set<number>
  /** Endpoints whose frozen plan is too old to be sent. */
  expired: Set<number>
  /** Acknowledged deliveries whose `parks` are to be announced once more, or else parked. */
  parks: { endpointId: number; deliveryId: string }[]
}

export function noWrites(): StepWrites {
  return { attempts: [], ends: [], notices: [], voided: new Set(), expired: new Set(), parks: [] }
}

/** Whether the receiver has accepted a delivery. */
export const isAcknowledgement = (exchange: Exchange): boolean =>
  exchange.kind === 'answered' && exchange.status >= 200 && exchange.status <= 299

/**
 * Applies a result to the endpoint's current state: changes `row` and `writes`. A result of another lease or an older
 * generation is only logged. docs/decisions/048-lease-and-generation.md says why.
 * @param chance 0 to 1, for the jitter of a retry.
 * @returns the result if its delivery is to be sent again unchanged.
 */
export function settle(row: EndpointNow, result: Result, writes: StepWrites, chance: number): Result | undefined {
  const { exchange, endpointId, delivery } = result
  const { deliveryId } = delivery
  const status = exchange.kind === 'answered' ? exchange.status : null
  const isAcknowledged = isAcknowledgement(exchange)
  const isOurs = exchange.kind === 'failed' && exchange.isOurs
  const outcome: HealthEvent & NewAttempt['outcome'] = isAcknowledged ? 'delivered' : isOurs ? 'own_fault' : 'failed'
  const isHolder = row.leaseId === result.leaseId
  const isCurrent = isHolder && row.generation === result.generation
  writes.attempts.push({
    endpointId,
    deliveryId,
    beganAt: result.beganAt,
    durationMs: Math.round(exchange.durationMs),
    outcome: isCurrent ? outcome : 'stale',
    status,
    fault: exchange.kind === 'failed' ? exchange.fault : null,
    answer: exchange.kind === 'answered' ? bodyText(exchange.body, exchange.contentEncoding) : exchange.detail,
  })
  if (isHolder) {
    row.leaseId = null
    row.leasedUntil = null
    row.leaseHolder = null
    row.recentEnds = withEnd(row.recentEnds, row.now)
    row.lastMs = Math.round(exchange.durationMs)
  }
  if (!isCurrent) return undefined
  const end = (state: DeliveryEnd['state']) =>
    writes.ends.push({ endpointId, deliveryId, state, body: null, isTried: true })
  if (delivery.origin !== 'log') {
    end(isAcknowledged ? 'delivered' : delivery.wasParked ? 'parked' : 'failed')
    // a test does not affect the endpoint's health
    if (delivery.origin === 'redelivery') updateHealth(row, result, outcome, writes, chance)
    return undefined
  }
  if (isAcknowledged) {
    end('delivered')
    if (row.suspectIds.length > 0 && delivery.positionAfter !== null) writes.parks.push({ endpointId, deliveryId })
    if (delivery.positionAfter !== null) {
      row.position = delivery.positionAfter
      row.pendingSince = null
    }
    // suspects are kept until the whole plan is acknowledged: its last delivery parks them
    if (row.suspectIds.length === 0 || delivery.positionAfter !== null) Object.assign(row, afterAcceptance(row))
    updateHealth(row, result, outcome, writes, chance)
    return undefined
  }
  updateHealth(row, result, outcome, writes, chance)
  if (status !== null && isRefusal(status)) {
    const { state, isVoid } = afterRefusal(row, status, productIdsOf(result.body))
    Object.assign(row, state)
    if (isVoid) {
      end('waiting')
      writes.voided.add(endpointId)
      return undefined
    }
  }
  end('waiting')
  return result
}

function updateHealth(
  row: EndpointNow,
  { exchange }: Result,
  event: HealthEvent,
  writes: StepWrites,
  chance: number,
): void {
  const hint =
    exchange.kind === 'answered'
      ? retryAfterMs(exchange.status, exchange.retryAfter, row.now, LIMITS.webhookRetryAfterMs)
      : null
  const step = nextHealth({ failures: row.failures, isPaused: row.pausedUntil !== null }, event, chance, hint)
  row.failures = step.health.failures
  row.retryAt = step.delayMs === 0 ? null : new Date(row.now.getTime() + step.delayMs)
  row.pausedUntil = step.health.isPaused ? (row.retryAt ?? row.now) : null
  if (step.notice === null) return
  writes.notices.push({
    endpointId: row.endpointId,
    kind: step.notice,
    facts: {
      url: row.url,
      failures: row.failures,
      last: exchange.kind === 'answered' ? String(exchange.status) : exchange.fault,
      paused_until: row.pausedUntil?.toISOString() ?? null,
      pending_since: row.pendingSince?.toISOString() ?? null,
    },
  })
}

/** The beginning of a response's body, as text that can be stored and shown. */
function bodyText(body: Uint8Array, contentEncoding: string | null): string {
  if (contentEncoding !== null && contentEncoding !== 'identity')
    return `(${body.length} bytes, ${contentEncoding.slice(0, 40)})`
  return new TextDecoder().decode(body.subarray(0, LIMITS.webhookAnswerKeptBytesMax)).replaceAll('\0', '\u{fffd}')
}
