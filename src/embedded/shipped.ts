import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Metric } from 'prom-client'
import { writeWhole } from './home.ts'

// How far `shelfwire ship-log` has shipped the archived log to the bucket: the command records this in the archive's directory, where the service
// reads it for its metrics. docs/decisions/223-ship-log-notes-how-far-it-is.md says why.

const NOTE = 'shipped.json'

interface Shipped {
  /** Everything that was archived before this time is in the bucket. */
  until: Date
  /** The number of archived files that are not in the bucket. */
  waiting: number
}

/** @throws Error if the directory cannot be written to */
export function noteShipped(directory: string, { until, waiting }: Shipped): void {
  writeWhole(join(directory, NOTE), `${JSON.stringify({ until: until.toISOString(), waiting })}\n`)
}

/** The last record; null: there is none, or it is malformed. */
export async function readShipped(directory: string): Promise<Shipped | null> {
  try {
    const { until, waiting } = JSON.parse(await readFile(join(directory, NOTE), 'utf8')) as Record<string, unknown>
    if (typeof waiting !== 'number' || typeof until !== 'string') return null
    return { until: new Date(until), waiting }
  } catch {
    return null
  }
}

/** Metrics of how far the bucket is behind. @param directory WAL_ARCHIVE_DIR; null: there is none */
export function shippedFigures(directory: string | null): readonly Metric[] {
  const figure = (name: string, help: string, value: (shipped: Shipped) => number) =>
    new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const found = directory === null ? null : await readShipped(directory)
        this.remove()
        if (found !== null) this.set(value(found))
      },
    })
  return [
    figure(
      'shelfwire_wal_shipped_timestamp_seconds',
      'Of what was archived until then (Unix time) nothing is missing in the bucket of ship-log; no line where it has not run.',
      ({ until }) => until.getTime() / 1_000,
    ),
    figure(
      'shelfwire_wal_unshipped_files',
      'Archived files of the log that were not in the bucket when ship-log last looked; no line where it has not run.',
      ({ waiting }) => waiting,
    ),
  ]
}
