import { Counter, Gauge, type Metric } from 'prom-client'
import type { Db } from '../sql.ts'

/** Reads at the nodes of a Citus cluster, for /metrics. All zero on plain PostgreSQL. */
export function nearFigures(db: Db): readonly Metric[] {
  return [
    new Gauge({
      name: 'shelfwire_database_node_connections',
      help: 'Connections of this process to nodes of a Citus cluster.',
      registers: [],
      collect() {
        this.set(db.near.connections())
      },
    }),
    new Counter({
      name: 'shelfwire_database_node_reads_total',
      help: "Statements of clients' reads that can be asked at the node of their account, by what answered: the node, or the coordinator.",
      labelNames: ['by'],
      registers: [],
      collect() {
        this.reset()
        for (const [by, count] of Object.entries(db.near.answered)) this.inc({ by }, count)
      },
    }),
  ]
}
