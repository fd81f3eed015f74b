import type { Environment } from './environment.ts'

/** The values of OTEL_TRACES_SAMPLER. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

/** Where spans are sent, from the standard variables of OpenTelemetry. */
export interface TracingSettings {
  /** URL of the collector without a slash at the end; spans are sent to /v1/traces below it. */
  endpoint: string
  serviceName: string
  /** Sent with each request to the collector. Secret: they authenticate us to the collector. */
  headers: Readonly<Record<string, string>>
  sampler: SamplerName
  /** The share of traces that are sampled, from 0 to 1. */
  ratio: number
}

/**
 * Reads the settings. @returns null if no collector is set; the other variables are then ignored, as they may be meant
 * for other programs.
 */
export function readTracing(env: Environment): TracingSettings | null {
  if (env.get('OTEL_EXPORTER_OTLP_ENDPOINT') === undefined) return null
  const protocol = env.get('OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol !== undefined && protocol !== 'http/json')
    env.faults.push({
      name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      reason: 'must be http/json or not set: a collector takes that at the port of OTLP over HTTP, which is 4318',
    })
  const name = env.get('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const sampler = SAMPLERS.find((known) => known === name)
  if (sampler === undefined)
    env.faults.push({ name: 'OTEL_TRACES_SAMPLER', reason: `must be one of ${SAMPLERS.join(', ')}, not "${name}"` })
  const ratio = Number(env.get('OTEL_TRACES_SAMPLER_ARG') ?? '1')
  if (!(ratio >= 0 && ratio <= 1))
    env.faults.push({ name: 'OTEL_TRACES_SAMPLER_ARG', reason: 'must be a number from 0 to 1, such as 0.05' })
  return {
    endpoint: env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']) ?? '',
    serviceName: env.get('OTEL_SERVICE_NAME') ?? 'shelfwire',
    headers: readHeaders(env),
    sampler: sampler ?? 'always_off',
    ratio,
  }
}

/** Reads `name=value` pairs separated by commas; values are percent-encoded. */
function readHeaders(env: Environment): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const entry of (env.get('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',')) {
    if (entry.trim() === '') continue
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/s.exec(entry) ?? []
    const decoded = value === undefined ? null : decodedValue(value.trim())
    if (name !== undefined && decoded !== null) headers[name.toLowerCase()] = decoded
    else {
      // the value is secret, so the message does not repeat it
      env.faults.push({
        name: 'OTEL_EXPORTER_OTLP_HEADERS',
        reason: 'must be name=value, by commas, with the values percent-encoded, such as authorization=Bearer%20abc',
      })
      return {}
    }
  }
  return headers
}

/** Decodes a value; null if no header can have it. */
function decodedValue(text: string): string | null {
  try {
    const value = decodeURIComponent(text)
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? value : null
  } catch {
    return null
  }
}
