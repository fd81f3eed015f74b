import type { Route } from '../../contract/route.ts'
import type { Log } from '../platform/log.ts'
import { must } from '../platform/must.ts'

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
const NAME = 'shelfwire_request_seconds'

interface Series {
  /** One count per bound, and one for everything above. */
  counts: number[]
  sum: number
}

/** A route as figures and the log name it. */
export const routeName = ({ path }: Route): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Takes down an answer that was sent: its route, status, milliseconds, id and trace. */
export type Notes = (route: string, status: number, ms: number, requestId: string, traceId: string | undefined) => void

/** In the figures of the process, and in its log. */
export function openNotes(times: RequestTimes, log: Log): Notes {
  const isLogged = log.isLevelEnabled('debug')
  return (route, status, ms, requestId, traceId) => {
    times.observe(route, status, ms / 1_000)
    if (isLogged) log.debug({ request_id: requestId, trace_id: traceId, route, status, ms: Math.round(ms) }, 'answered')
  }
}

/**
 * Times of requests by route and status, as a Prometheus histogram. prom-client's own joins the labels at each
 * observation, which was a tenth of the time of a single read (measured); here it is two look-ups and an addition.
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

  /** In Prometheus's text format. Route names are ours and need no escaping. */
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
