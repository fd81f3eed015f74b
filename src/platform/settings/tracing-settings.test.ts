import { describe, expect, it } from 'vitest'
import { Environment } from './environment.ts'
import { readTracing } from './tracing-settings.ts'

describe('the settings of traces', () => {
  const read = (env: Record<string, string>) => {
    const environment = new Environment(env)
    return { settings: readTracing(environment), faults: environment.faults }
  }
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://otel.example.com:4318/'

  it('are none without an endpoint, whatever else is set for other programs', () => {
    expect(read({ OTEL_TRACES_SAMPLER: 'jaeger_remote', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual({
      settings: null,
      faults: [],
    })
  })

  it('have the defaults of OpenTelemetry', () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT }).settings).toEqual({
      endpoint: 'https://otel.example.com:4318',
      serviceName: 'shelfwire',
      headers: {},
      sampler: 'parentbased_always_on',
      ratio: 1,
    })
  })

  it('are refused by their names, and no message repeats a header', () => {
    const { faults } = read({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=s3cret%0d%0a',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '2',
    })
    expect(faults.map(({ name }) => name).toSorted()).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
    ])
    expect(JSON.stringify(faults)).not.toContain('s3cret')
  })
})
