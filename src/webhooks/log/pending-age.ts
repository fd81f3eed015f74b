import { Gauge } from 'prom-client'
import type { Db } from '../../db/sql.ts'
import { inTime } from '../../platform/time/in-time.ts'
import { LIMITS } from '../../platform/limits.ts'
import { pendingAges } from './deliveries.sql.ts'

const WAIT_MS_MAX = 4_000
const NONE: { rows: readonly Awaited<ReturnType<typeof pendingAges>>[number][] } = { rows: [] }

/** The age of the oldest change that an endpoint has not acknowledged, for /metrics. Read from the database at each scrape. */
export function pendingAge(db: Db): Gauge {
  let asking: Promise<typeof NONE> | undefined
  // an error is ignored: while the database is unreachable, the other metrics must still be served, because they show that
  const ask = () =>
    db.nodes
      .scan('pending ages', (accounts) => pendingAges(db, LIMITS.webhookAgesMax, accounts), { isRotating: false })
      .catch(() => NONE)
      .finally(() => (asking = undefined))
  return new Gauge({
    name: 'shelfwire_webhook_oldest_pending_seconds',
    help: 'Age of the oldest change that waits for an endpoint; endpoints with nothing pending have no line.',
    labelNames: ['account', 'endpoint'],
    registers: [],
    async collect() {
      this.reset()
      // one query at a time, even if it takes longer than a scrape waits
      const { rows } = await inTime((asking ??= ask()), WAIT_MS_MAX, NONE)
      for (const { accountId, endpointId, seconds } of rows) {
        this.set({ account: accountId, endpoint: endpointId }, seconds)
      }
    },
  })
}
