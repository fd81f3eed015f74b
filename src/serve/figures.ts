import { collectDefaultMetrics, Gauge, Registry, type Metric } from 'prom-client'
import type { Waiters } from '../feed/waiters.ts'
import { RequestTimes } from './request-times.ts'

/** The figures of this process, in Prometheus's format. */
export interface Figures {
  /** Durations of requests, by route. */
  times: RequestTimes
  contentType: string
  text(): Promise<string>
}

/** @param metrics of other rooms. @param waiters of the API; null in a process without it. */
export function openFigures(metrics: readonly Metric[], waiters: Waiters | null): Figures {
  const times = new RequestTimes()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'shelfwire_' })
  for (const metric of metrics) registry.registerMetric(metric)
  if (waiters !== null)
    registry.registerMetric(
      new Gauge({
        name: 'shelfwire_long_polls',
        help: 'Requests that wait for a change.',
        registers: [],
        collect() {
          this.set(waiters.count())
        },
      }),
    )
  return {
    times,
    contentType: registry.contentType,
    text: async () => (await registry.metrics()) + times.text(),
  }
}
