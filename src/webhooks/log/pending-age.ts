import { Gauge } from 'prom-client'
import type { Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { pendingAges } from './deliveries.sql.ts'

/** Age of the oldest change that an endpoint has not acknowledged, for /metrics; read from the database when the metric is. */
export function pendingAge(db: Db): Gauge {
  return new Gauge({
    name: 'shelfwire_webhook_oldest_pending_seconds',
    help: 'Age of the oldest change that waits for an endpoint; endpoints with nothing pending have no line.',
    labelNames: ['account', 'endpoint'],
    registers: [],
    async collect() {
      this.reset()
      const { rows } = await db.nodes.scan(
        'pending ages',
        (accounts) => pendingAges(db, LIMITS.webhookAgesMax, accounts),
        { isRotating: false },
      )
      for (const { accountId, endpointId, seconds } of rows) {
        this.set({ account: accountId, endpoint: endpointId }, seconds)
      }
    },
  })
}
