import { Gauge, type Metric } from 'prom-client'
import type { Db } from '../sql.ts'

/** The use of the connection pool, for /metrics. */
export function poolFigures(db: Db): readonly Metric[] {
  return [
    new Gauge({
      name: 'shelfwire_pool_connections',
      help: 'Connections of the pool of this process, in use and idle.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { inUse, idle } = db.pool()
        this.set({ state: 'in_use' }, inUse)
        this.set({ state: 'idle' }, idle)
      },
    }),
    new Gauge({
      name: 'shelfwire_pool_connections_max',
      help: 'DATABASE_CONNECTIONS_MAX of this process.',
      registers: [],
      collect() {
        this.set(db.pool().max)
      },
    }),
    new Gauge({
      name: 'shelfwire_pool_waiting',
      help: 'Statements and transactions that wait for a connection of the pool.',
      registers: [],
      collect() {
        this.set(db.pool().waiting)
      },
    }),
  ]
}
