import { collectDefaultMetrics, Gauge, Registry, type Metric } from 'prom-client'
import type { Waiters } from '../feed/waiters.ts'
import { packageVersion } from '../platform/process/package.ts'
import { refusals } from './refusals.ts'
import { RequestTimes } from './request-times.ts'

/** The metrics of this process, in Prometheus's text format. */
export interface Figures {
  /** Durations of requests, by route. */
  times: RequestTimes
  contentType: string
  text(): Promise<string>
}

/** Metrics of Node and of the process lose the prefix: dashboards for Node know them without it. */
const OF_NODE = /^(?:# (?:HELP|TYPE) )?shelfwire_(?:nodejs|process)_.*$/gm

/** @param metrics metrics of other rooms. @param waiters waiters of the API; null in a process without the API. */
export function openFigures(metrics: readonly Metric[], waiters: Waiters | null): Figures {
  const times = new RequestTimes()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'shelfwire_' })
  for (const metric of [buildInfo(), refusals, ...metrics]) registry.registerMetric(metric)
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
    async text() {
      const text = await registry.metrics()
      const ofNode = (text.match(OF_NODE) ?? []).map((line) => line.replace('shelfwire_', ''))
      return `${text}${ofNode.join('\n')}\n${times.text()}`
    },
  }
}

function buildInfo(): Metric {
  const gauge = new Gauge({
    name: 'shelfwire_build_info',
    help: 'Always 1: the release of this process, and the Node that it runs on.',
    labelNames: ['version', 'node'],
    registers: [],
  })
  gauge.set({ version: packageVersion(), node: process.version }, 1)
  return gauge
}
