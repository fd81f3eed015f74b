// The table of results. Nothing passes or fails: a goal that was not met is marked.

interface Row {
  what: string
  figure: string
  goal: string
  met: string
}

export interface Report {
  /** A figure with a goal. */
  goal(what: string, figure: string, goal: string, isMet: boolean): void
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
    figure: (what, figure) => add({ what, figure, goal: '', met: '' }),
    print(server) {
      console.log(`\nNode ${process.version}, ${server}\n\n| what | measured | goal | |\n|---|---|---|---|`)
      for (const { what, figure, goal, met } of rows.splice(0))
        console.log(`| ${what} | ${figure} | ${goal} | ${met} |`)
    },
  }
}
