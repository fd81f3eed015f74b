import type { SamplerName } from '../settings/tracing-settings.ts'
import type { TraceContext } from './tracing.ts'

/** Decides whether the spans of a trace are sent. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean

/**
 * How many digits at the end of a trace id are random with every generator (W3C, level 2), and how many values they can
 * have.
 */
const RANDOM_DIGITS = 12
const IDS = 16 ** RANDOM_DIGITS

/** @param ratio the share of traces that are sampled, from 0 to 1; used only by samplers with a ratio */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const root: Sampler = name.endsWith('always_on')
    ? () => true
    : name.endsWith('always_off')
      ? () => false
      : (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) < ratio * IDS
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.isSampled ?? root(traceId, null) : root
}
