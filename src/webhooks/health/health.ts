import type { NoticeKindsAbout } from '../../../contract/notice-kinds.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

// An endpoint's health as one table of every phase and event. Pure: time and chance are parameters.

/** The number of failed deliveries in a row, and whether they have paused the endpoint. */
export interface Health {
  failures: number
  isPaused: boolean
}

/**
 * `delivered`: answered with 2xx. `failed`: any other answer, or none. `own_fault`: we could not send (our resolver, network or
 * settings). `resumed`: the owner asks for an attempt now. `enabled`: the owner enables the endpoint again.
 */
export type HealthEvent = 'delivered' | 'failed' | 'own_fault' | 'resumed' | 'enabled'

/** Notices to owners: `failing` and `paused` once per streak of failures, `recovered` after a pause. */
export type NoticeKind = NoticeKindsAbout<'endpoint'>

/** A row of the table. It determines what the next failure does. */
export type Phase = 'sound' | 'before_notice' | 'failing' | 'before_pause' | 'paused'

/** When to try again: at once, by the retry schedule, after the cooldown, or after OWN_FAULT_MS. */
type Delay = 'none' | 'schedule' | 'cooldown' | 'own_fault'

interface Row {
  failures: 'same' | 'one more' | 'none'
  isPaused: boolean
  delay: Delay
  notice: NoticeKind | null
}

/** Failures in a row after which owners get a notice, and below, after which the endpoint is paused. */
export const FAILURES_NOTICED = 5
export const FAILURES_PAUSED = LIMITS.webhookFailuresPaused
/** The delay after the first, second and third failure, and after every further one. */
export const RETRY_MS: readonly number[] = [10_000, 60_000, 240_000, 600_000]
export const COOLDOWN_MS = LIMITS.webhookCooldownMs
export const OWN_FAULT_MS = 30_000
/** Jitter only lengthens a delay, by up to a fifth. */
const JITTER = 0.2

const recover: Row = { failures: 'none', isPaused: false, delay: 'none', notice: null }
const retry: Row = { failures: 'one more', isPaused: false, delay: 'schedule', notice: null }
const ownFault: Row = { failures: 'same', isPaused: false, delay: 'own_fault', notice: null }
const tryNow: Row = { failures: 'same', isPaused: false, delay: 'none', notice: null }

/** The step for every phase and event. */
const TABLE: Readonly<Record<Phase, Readonly<Record<HealthEvent, Row>>>> = {
  sound: { delivered: recover, failed: retry, own_fault: ownFault, resumed: tryNow, enabled: recover },
  before_notice: {
    delivered: recover,
    failed: { ...retry, notice: 'failing' },
    own_fault: ownFault,
    resumed: tryNow,
    enabled: recover,
  },
  failing: { delivered: recover, failed: retry, own_fault: ownFault, resumed: tryNow, enabled: recover },
  before_pause: {
    delivered: recover,
    failed: { failures: 'one more', isPaused: true, delay: 'cooldown', notice: 'paused' },
    own_fault: ownFault,
    resumed: tryNow,
    enabled: recover,
  },
  paused: {
    delivered: { ...recover, notice: 'recovered' },
    failed: { failures: 'one more', isPaused: true, delay: 'cooldown', notice: null },
    own_fault: { ...ownFault, isPaused: true },
    resumed: { ...tryNow, isPaused: true },
    enabled: recover,
  },
}

export function phaseOf({ failures, isPaused }: Health): Phase {
  if (isPaused) return 'paused'
  if (failures >= FAILURES_PAUSED - 1) return 'before_pause'
  if (failures >= FAILURES_NOTICED) return 'failing'
  return failures === FAILURES_NOTICED - 1 ? 'before_notice' : 'sound'
}

export interface Step {
  health: Health
  /** Milliseconds until the next attempt; 0: at once. */
  delayMs: number
  notice: NoticeKind | null
}

/**
 * One step of the table.
 * @param chance 0 to 1 (exclusive): how much of the jitter is added to a retry.
 * @param hintMs the receiver's Retry-After, already bounded; it lengthens a delay and never shortens it.
 */
export function nextHealth(health: Health, event: HealthEvent, chance: number, hintMs: number | null = null): Step {
  const row = TABLE[phaseOf(health)][event]
  const failures = row.failures === 'none' ? 0 : health.failures + (row.failures === 'one more' ? 1 : 0)
  const jittered = (ms: number) => Math.floor(ms * (1 + JITTER * chance))
  const delays: Record<Delay, () => number> = {
    none: () => 0,
    schedule: () => Math.max(jittered(must(RETRY_MS[Math.min(failures, RETRY_MS.length) - 1])), hintMs ?? 0),
    cooldown: () => Math.max(COOLDOWN_MS, hintMs ?? 0),
    own_fault: () => jittered(OWN_FAULT_MS),
  }
  return { health: { failures, isPaused: row.isPaused }, delayMs: delays[row.delay](), notice: row.notice }
}
