import { Gauge, type Metric } from 'prom-client'
import { inTime } from '../../platform/time/in-time.ts'
import type { Db } from '../sql.ts'

/** The longest wait of a readiness probe for the database. */
const PROBE_MS_MAX = 2_000

/** The unready parts of the database: `database` if it does not answer, `writes` if it is read-only. */
export async function unreadyDatabase(db: Db): Promise<('database' | 'writes')[]> {
  const answers = db`select 1`.then(
    () => true,
    () => false,
  )
  if (!(await inTime(answers, PROBE_MS_MAX, false))) return ['database']
  return (await inTime(db.writes.areTaken(), PROBE_MS_MAX, false)) ? [] : ['writes']
}

/**
 * The result of `/readyz` as a metric, so that a monitor also knows of processes that no load balancer probes, such as those with only
 * the `work` role.
 */
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
