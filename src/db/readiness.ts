import { Gauge, type Metric } from 'prom-client'
import { inTime } from '../platform/time/in-time.ts'
import type { Db } from './sql.ts'

/** What a probe of readiness waits for the database. */
const PROBE_MS_MAX = 2_000

/** What of the database is not ready: `database` when it does not answer, `writes` when it only reads. */
export async function unreadyDatabase(db: Db): Promise<('database' | 'writes')[]> {
  const answers = db`select 1`.then(
    () => true,
    () => false,
  )
  if (!(await inTime(answers, PROBE_MS_MAX, false))) return ['database']
  return (await inTime(db.writes.areTaken(), PROBE_MS_MAX, false)) ? [] : ['writes']
}

/** What `/readyz` says, as a figure: a monitor then knows of processes that no balancer asks, such as those in the `work` role alone. */
export function unreadyFigure(unready: () => Promise<readonly string[]>): Metric {
  return new Gauge({
    name: 'shelfwire_unready',
    help: 'Whether the process is not ready for this reason, as /readyz says (1 or 0).',
    labelNames: ['reason'],
    registers: [],
    async collect() {
      const found = await unready()
      for (const reason of ['database', 'writes', 'worker']) this.set({ reason }, found.includes(reason) ? 1 : 0)
    },
  })
}
