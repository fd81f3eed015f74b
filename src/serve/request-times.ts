import type { Route } from '../../contract/route.ts'
import type { Log } from '../platform/log.ts'
import { must } from '../platform/must.ts'

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
const NAME = 'shelfwire_request_seconds'

interface Series {
  /** One count per bound, and one for all longer times. */
  counts: number[]
  sum: number
}

/** The name of a route in metrics and log. */
export const routeName = ({ path }: Route): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Records an answer that was sent: route, status, milliseconds, request id and trace id. */
export type Notes = (route: string, status: number, ms: number, requestId: string, traceId: string | undefined) => void

/** Records answers in the metrics of the process, and at level debug in its log. */
export function openNotes(times: RequestTimes, log: Log): Notes {
  const isLogged = log.isLevelEnabled('debug')
  return (route, status, ms, requestId, traceId) => {
    times.observe(route, status, ms / 1_000)
    if (isLogged) log.debug({ request_id: requestId, trace_id: traceId, route, status, ms: Math.round(ms) }, 'answered')
  }
}

/**
 * Durations of requests by route and status, as a Prometheus histogram. prom-client's histogram joins the labels at each
 * observation, which was a tenth of the time of a single read (measured). This one needs two look-ups and an addition.
 */
export class RequestTimes {
  readonly #routes = new Map<string, Map<number, Series>>()

  observe(route: string, status: number, seconds: number): void {
    let statuses = this.#routes.get(route)
    if (statuses === undefined) this.#routes.set(route, (statuses = new Map()))
    let series = statuses.get(status)
    if (series === undefined) statuses.set(status, (series = { counts: BOUNDS.map(() => 0).concat(0), sum: 0 }))
    let i = 0
    while (i < BOUNDS.length && seconds > must(BOUNDS[i])) i++
    series.counts[i] = must(series.counts[i]) + 1
    series.sum += seconds
  }

  /** In Prometheus's text format. Route names are our own, so they need no escaping. */
  text(): string {
    const lines = [`# HELP ${NAME} Time to answer a request, by route and status.`, `# TYPE ${NAME} histogram`]
    for (const [route, statuses] of this.#routes) {
      for (const [status, { counts, sum }] of statuses) {
        const labels = `route="${route}",status="${status}"`
        let upTo = 0
        counts.forEach((count, i) => {
          upTo += count
          lines.push(`${NAME}_bucket{${labels},le="${BOUNDS[i] ?? '+Inf'}"} ${upTo}`)
        })
        lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${upTo}`)
      }
    }
    return `${lines.join('\n')}\n`
  }
}
