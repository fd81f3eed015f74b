import { HEALTH, METRICS, READINESS } from '../../contract/routes/operator.ts'
import type { Backups } from '../db/backups/backups.ts'
import type { Log } from '../platform/log.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { openBase } from './base.ts'
import type { Figures } from './figures.ts'
import { requireDeclarations } from './handle.ts'
import { listen } from './listen.ts'
import { health } from './routes/health.ts'
import { metricsOnOwnPort } from './routes/metrics.ts'

/** A listener for operators only, at METRICS_PORT; processes of every role have it. */
export interface OperatorListener {
  url: string
  close(): Promise<void>
}

/** What the listener needs of its process. */
export interface OperatorContext {
  settings: Pick<Settings, 'metricsHost' | 'metricsToken' | 'publicUrl'>
  log: Log
  figures: Figures
  unready: () => Promise<string[]>
  backups: Backups
}

const TABLE = [HEALTH, READINESS, METRICS]

/**
 * Serves /metrics, which needs METRICS_TOKEN where that is set, and /healthz and /readyz, which need no token: probes cannot
 * send headers of their own.
 * @throws ShelfwireError settings-invalid.
 */
export async function listenForOperators(port: number, context: OperatorContext): Promise<OperatorListener> {
  const { settings, log, figures } = context
  const app = openBase(log, TABLE, [], () => settings.publicUrl ?? '')
  const requireAllHandled = requireDeclarations(app, TABLE, [])
  health(app, context)
  metricsOnOwnPort(app, figures, settings.metricsToken)
  requireAllHandled()
  const url = await listen(app, settings.metricsHost, port, ['METRICS_HOST', 'METRICS_PORT'])
  return {
    url,
    async close() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
