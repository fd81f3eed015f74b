import { quantile } from './processes.ts'

// The table of results. A goal that was not met is marked; no benchmark fails because of it.

interface Row {
  what: string
  figure: string
  goal: string
  met: string
}

export interface Report {
  /** A figure with a goal. */
  goal(what: string, figure: string, goal: string, isMet: boolean): void
  /** Repeated measurements of one thing, in ms; the limit is for their 95th percentile. */
  times(what: string, times: readonly number[], limitMs: number): void
  /** A figure for orientation. */
  figure(what: string, figure: string): void
  /** Prints all figures since the last call as a table for docs/benchmarks.md, with the versions of Node and server. */
  print(server: string): void
}

export function openReport(): Report {
  const rows: Row[] = []
  const add = (row: Row) => {
    rows.push(row)
    console.log(`${row.what}: ${row.figure}${row.goal === '' ? '' : ` (goal ${row.goal}: ${row.met})`}`)
  }
  return {
    goal: (what, figure, goal, isMet) => add({ what, figure, goal, met: isMet ? 'met' : 'NOT met' }),
    times(what, times, limitMs) {
      const p95 = quantile(times, 0.95)
      add({
        what,
        figure: `p95 ${(p95 / limitMs).toFixed(2)}x of the limit (${p95.toFixed(1)} ms); p50 ${quantile(times, 0.5).toFixed(1)} ms, longest ${quantile(times, 1).toFixed(1)} ms of ${times.length}`,
        goal: `p95 ${limitMs} ms`,
        met: p95 <= limitMs ? 'met' : 'NOT met',
      })
    },
    figure: (what, figure) => add({ what, figure, goal: '', met: '' }),
    print(server) {
      console.log(`\nNode ${process.version}, ${server}\n\n| what | measured | goal | |\n|---|---|---|---|`)
      for (const { what, figure, goal, met } of rows.splice(0))
        console.log(`| ${what} | ${figure} | ${goal} | ${met} |`)
    },
  }
}
