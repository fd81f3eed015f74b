import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge } from 'prom-client'
import { LAST_BACKUP } from './back-up.ts'

/** When the last backup of the embedded server ended, for /metrics. */
export function lastBackup(dataDir: string): Gauge {
  return new Gauge({
    name: 'shelfwire_last_backup_timestamp_seconds',
    help: 'When the last complete backup of the embedded server was made (Unix time); 0: none since it was created or restored.',
    registers: [],
    async collect() {
      // a file that cannot be read counts as none: then somebody looks
      const text = await readFile(join(dataDir, LAST_BACKUP), 'utf8').catch(() => '{}')
      const { ended_at: endedAt } = JSON.parse(text) as { ended_at?: string }
      this.set(endedAt === undefined ? 0 : Date.parse(endedAt) / 1_000)
    },
  })
}
