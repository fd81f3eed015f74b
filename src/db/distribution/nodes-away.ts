import { Gauge } from 'prom-client'
import type { Db } from '../sql.ts'

/** The number of database nodes that do not answer, for /metrics. */
export function nodesAway(db: Db): Gauge {
  return new Gauge({
    name: 'shelfwire_database_nodes_away',
    help: 'Nodes behind the coordinator of a Citus cluster that do not answer, as far as this process knows; their accounts are refused. 0 on plain PostgreSQL.',
    registers: [],
    collect() {
      this.set(db.nodes.away().length)
    },
  })
}
