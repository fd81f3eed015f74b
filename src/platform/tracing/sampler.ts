import type { TraceContext } from './tracing.ts'

/** The values of OTEL_TRACES_SAMPLER. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

/** Whether the spans of a trace are sent. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean

/** The digits of a trace id that are random by every generator (W3C, level 2), and how many ids they are. */
const RANDOM_DIGITS = 12
const IDS = 16 ** RANDOM_DIGITS

/** @param ratio from 0 to 1: the share of traces that are sampled, of the samplers that have one */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const root: Sampler = name.endsWith('always_on')
    ? () => true
    : name.endsWith('always_off')
      ? () => false
      : (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) < ratio * IDS
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.isSampled ?? root(traceId, null) : root
}
