import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Metric } from 'prom-client'
import { writeWhole } from './home.ts'

// How far `shelfwire ship-log` has copied the archived log into the bucket: it notes it in the archive's directory, and the service's metrics read it there.
// docs/decisions/223-ship-log-notes-how-far-it-is.md says why.

const NOTE = 'shipped.json'

interface Shipped {
  /** Of all that was archived before it nothing is missing in the bucket. */
  until: Date
  /** Files that are archived and not in the bucket. */
  waiting: number
}

/** @throws Error where the directory cannot be written */
export function noteShipped(directory: string, { until, waiting }: Shipped): void {
  writeWhole(join(directory, NOTE), `${JSON.stringify({ until: until.toISOString(), waiting })}\n`)
}

/** What was noted last; null: nothing, or no note. */
export async function readShipped(directory: string): Promise<Shipped | null> {
  try {
    const { until, waiting } = JSON.parse(await readFile(join(directory, NOTE), 'utf8')) as Record<string, unknown>
    if (typeof waiting !== 'number' || typeof until !== 'string') return null
    return { until: new Date(until), waiting }
  } catch {
    return null
  }
}

/** How far behind the bucket is. @param directory WAL_ARCHIVE_DIR; null: there is none */
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
