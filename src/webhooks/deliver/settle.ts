import type { Exchange } from '../../outbound/client.ts'
import { LIMITS } from '../../platform/limits.ts'
import { nextHealth, type HealthEvent } from '../health/health.ts'
import { productIdsOf } from '../plan/body.ts'
import { afterAcceptance, afterRefusal, isRefusal } from '../plan/refusal.ts'
import type { DeliveryEnd, NewAttempt, NewNotice } from './records.sql.ts'
import { retryAfterMs } from './retry-after.ts'
import type { EndpointNow, WaitingDelivery } from './claims.sql.ts'

/** What came of one attempt. */
export interface Result {
  endpointId: number
  leaseId: string
  generation: number
  /** As it was claimed: what is frozen does not change as long as the lease and the generation stand. */
  delivery: WaitingDelivery
  body: string
  /** By this process's clock, for the log. */
  beganAt: Date
  exchange: Exchange
}

/** What a step is going to write. */
export interface Ledger {
  attempts: NewAttempt[]
  ends: DeliveryEnd[]
  notices: NewNotice[]
  /** Endpoints whose plan is void: its window is read afresh. */
  voided: Set<number>
  /** Endpoints whose frozen plan is too old to be sent. */
  expired: Set<number>
  /** Deliveries whose acknowledgement parks what was refused alone. */
  parks: { endpointId: number; deliveryId: string }[]
}

export function newLedger(): Ledger {
  return { attempts: [], ends: [], notices: [], voided: new Set(), expired: new Set(), parks: [] }
}

/**
 * Holds a result against the endpoint as it stands now, and changes `row` and `ledger` accordingly. A result under another
 * lease, or of an older generation, is noted and changes nothing.
 * @param chance 0 to 1, for the jitter of a retry.
 * @returns the result when its delivery is to be sent again as it stands.
 */
export function settle(row: EndpointNow, result: Result, ledger: Ledger, chance: number): Result | undefined {
  const { exchange, endpointId, delivery } = result
  const { deliveryId } = delivery
  const status = exchange.kind === 'answered' ? exchange.status : null
  const isAcknowledged = status !== null && status >= 200 && status <= 299
  const isOurs = exchange.kind === 'failed' && exchange.isOurs
  const outcome: HealthEvent & NewAttempt['outcome'] = isAcknowledged ? 'delivered' : isOurs ? 'own_fault' : 'failed'
  const isHolder = row.leaseId === result.leaseId
  const isCurrent = isHolder && row.generation === result.generation
  ledger.attempts.push({
    endpointId,
    deliveryId,
    beganAt: result.beganAt,
    durationMs: Math.round(exchange.durationMs),
    outcome: isCurrent ? outcome : 'stale',
    status,
    fault: exchange.kind === 'failed' ? exchange.fault : null,
    answer: exchange.kind === 'answered' ? answerText(exchange.body, exchange.contentEncoding) : exchange.detail,
  })
  if (isHolder) {
    row.leaseId = null
    row.leasedUntil = null
    row.lastMs = Math.round(exchange.durationMs)
  }
  if (!isCurrent) return undefined
  const end = (state: DeliveryEnd['state']) =>
    ledger.ends.push({ endpointId, deliveryId, state, body: null, isTried: true })
  if (delivery.origin !== 'log') {
    end(isAcknowledged ? 'delivered' : delivery.wasParked ? 'parked' : 'failed')
    // a test says nothing about the endpoint's real deliveries
    if (delivery.origin === 'redelivery') moveHealth(row, result, outcome, ledger, chance)
    return undefined
  }
  if (isAcknowledged) {
    end('delivered')
    if (row.suspectIds.length > 0 && delivery.positionAfter !== null) ledger.parks.push({ endpointId, deliveryId })
    if (delivery.positionAfter !== null) {
      row.position = delivery.positionAfter
      row.pendingSince = null
    }
    // suspects are kept until all of the plan has passed: it is its last delivery that parks them
    if (row.suspectIds.length === 0 || delivery.positionAfter !== null) Object.assign(row, afterAcceptance(row))
    moveHealth(row, result, outcome, ledger, chance)
    return undefined
  }
  moveHealth(row, result, outcome, ledger, chance)
  if (status !== null && isRefusal(status)) {
    const { diet, isVoid } = afterRefusal(row, status, productIdsOf(result.body))
    Object.assign(row, diet)
    if (isVoid) {
      end('waiting')
      ledger.voided.add(endpointId)
      return undefined
    }
  }
  end('waiting')
  return result
}

function moveHealth(row: EndpointNow, { exchange }: Result, event: HealthEvent, ledger: Ledger, chance: number): void {
  const hint = exchange.kind === 'answered' ? retryAfterMs(exchange.status, exchange.retryAfter, row.now) : null
  const step = nextHealth({ failures: row.failures, isPaused: row.pausedUntil !== null }, event, chance, hint)
  row.failures = step.health.failures
  row.retryAt = step.delayMs === 0 ? null : new Date(row.now.getTime() + step.delayMs)
  row.pausedUntil = step.health.isPaused ? (row.retryAt ?? row.now) : null
  if (step.notice === null) return
  ledger.notices.push({
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

/** The beginning of an answer's body as text that can be stored and shown. */
export function answerText(body: Uint8Array, contentEncoding: string | null): string {
  if (contentEncoding !== null && contentEncoding !== 'identity')
    return `(${body.length} bytes, ${contentEncoding.slice(0, 40)})`
  return new TextDecoder().decode(body.subarray(0, LIMITS.webhookAnswerKeptBytesMax)).replaceAll('\0', '\u{fffd}')
}
