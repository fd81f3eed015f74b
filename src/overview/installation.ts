import { Gauge, type Metric } from 'prom-client'
import { bankFailingSeconds } from '../bank-rates/bank-rates.sql.ts'
import type { Db } from '../db/sql.ts'
import { inTime } from '../platform/time/in-time.ts'
import {
  duePictures,
  failingSources,
  largestUses,
  openImports,
  openOperations,
  failingEndpoints,
  waitingMarks,
  waitingSweeps,
} from './installation.sql.ts'

// Pending work of the whole installation, at /metrics: every process reports the same. Suspended accounts are left out, because
// their work waits on purpose. While the database does not answer, these metrics have no lines, and the other metrics are still
// served.

/** How long all metrics of a scrape, and scrapes by several monitors, share one result. */
const FRESH_MS = 5_000
/** Sizes of accounts change slowly, and have no index. */
const SIZES_FRESH_MS = 60_000
const WAIT_MS_MAX = 4_000
/** The maximum number of lines of metrics by account. */
const TOP_ACCOUNTS = 20
/** Due pictures are counted up to this number per account. */
const PICTURES_COUNTED_MAX = 10_000
const SIZES = ['products', 'offers', 'picture_bytes'] as const

interface Line {
  labels: Record<string, string>
  value: number
}

/** Names of metrics with their lines. */
type Lines = ReadonlyMap<string, readonly Line[]>

/** When the oldest waiting marks of an account were first seen, and the id of the last mark seen then. */
export interface SeenMarks {
  since: number
  upTo: number
}

/**
 * How long marks have waited at least, which no row tells: since the scrape that saw one of those still waiting.
 * @param now in ms. @returns the state to pass to the next call.
 */
export function seenMarks(
  before: SeenMarks | undefined,
  { first, last }: { first: number; last: number },
  now: number,
): SeenMarks {
  return before !== undefined && first <= before.upTo ? before : { since: now, upTo: last }
}

export function installationFigures(db: Db): readonly Metric[] {
  let seen = new Map<number, SeenMarks>()
  const read = async (): Promise<Lines> => {
    const scan = async <Row extends { accountId: number }>(
      name: string,
      ask: (accounts: readonly number[] | null) => Promise<readonly Row[]>,
    ) =>
      (await db.nodes.scan(`figures: ${name}`, ask, { isRotating: false })).rows.filter(
        ({ accountId }) => !db.resting.has(accountId),
      )
    const marks = await scan('marks', (accounts) => waitingMarks(db, accounts))
    const sweeps = await scan('sweeps', (accounts) => waitingSweeps(db, accounts))
    const operations = await scan('operations', (accounts) => openOperations(db, accounts))
    const imports = await scan('imports', (accounts) => openImports(db, accounts))
    const sources = await scan('sources', (accounts) => failingSources(db, accounts))
    const endpoints = await scan('endpoints', (accounts) => failingEndpoints(db, accounts))
    const pictures = await scan('pictures', (accounts) => duePictures(db, PICTURES_COUNTED_MAX, accounts))
    const bank = await bankFailingSeconds(db)
    const now = performance.now()
    seen = new Map(marks.map((row) => [row.accountId, seenMarks(seen.get(row.accountId), row, now)]))
    const ages = [...[...seen.values()].map(({ since }) => (now - since) / 1_000), ...sweeps.map((row) => row.seconds)]
    const waiting = new Map<number, number>()
    for (const { accountId, count } of [...marks, ...sweeps])
      waiting.set(accountId, (waiting.get(accountId) ?? 0) + count)
    const top = [...waiting].sort(([, a], [, b]) => b - a).slice(0, TOP_ACCOUNTS)
    return new Map<string, Line[]>([
      [
        'shelfwire_shelving_backlog',
        [
          { labels: { kind: 'marks' }, value: sum(marks) },
          { labels: { kind: 'sweeps' }, value: sum(sweeps) },
        ],
      ],
      ['shelfwire_shelving_oldest_seconds', [{ labels: {}, value: Math.max(0, ...ages) }]],
      [
        'shelfwire_account_shelving_backlog',
        top.map(([accountId, value]) => ({ labels: { account: String(accountId) }, value })),
      ],
      ['shelfwire_operations_open', byState(operations, ['queued', 'running', 'resolving'])],
      ['shelfwire_operations_oldest_seconds', oldest(operations)],
      ['shelfwire_imports_open', byState(imports, ['waiting', 'fetching', 'reading', 'writing', 'resolving'])],
      ['shelfwire_imports_oldest_seconds', oldest(imports)],
      ['shelfwire_sources_failing', [{ labels: {}, value: sum(sources) }]],
      [
        'shelfwire_webhook_endpoints_failing',
        (['failing', 'paused'] as const).map((state) => ({
          labels: { state },
          value: endpoints.reduce((total, row) => total + row[state], 0),
        })),
      ],
      ['shelfwire_exchange_rates_failing_seconds', bank === null ? [] : [{ labels: {}, value: bank }]],
      ['shelfwire_images_due', [{ labels: {}, value: sum(pictures) }]],
    ])
  }
  const readSizes = async (): Promise<Lines> => {
    const lines = []
    for (const budget of SIZES) {
      const { rows } = await db.nodes.scan(
        `figures: ${budget}`,
        (accounts) => largestUses(db, budget, TOP_ACCOUNTS, accounts),
        { isRotating: false },
      )
      lines.push(
        ...rows.map(({ accountId, amount }) => ({ labels: { account: String(accountId), budget }, value: amount })),
      )
    }
    return new Map([['shelfwire_account_use', lines]])
  }
  const waits = shared(read, FRESH_MS)
  const sizes = shared(readSizes, SIZES_FRESH_MS)
  const gauge = (of: () => Promise<Lines>, name: string, help: string, labelNames: string[] = []) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        const lines = (await of()).get(name) ?? []
        this.reset()
        // a gauge without labels would otherwise have the value 0
        if (labelNames.length === 0) this.remove()
        for (const { labels, value } of lines) this.set(labels, value)
      },
    })
  return [
    gauge(
      waits,
      'shelfwire_shelving_backlog',
      'What waits to be shelved: marks (products whose inputs changed) and parts of sweeps (all products of an account or store).',
      ['kind'],
    ),
    gauge(
      waits,
      'shelfwire_shelving_oldest_seconds',
      'For how long the oldest of what waits to be shelved has waited; of marks, since a scrape of this process first saw them.',
    ),
    gauge(
      waits,
      'shelfwire_account_shelving_backlog',
      'What waits to be shelved, of the 20 accounts with the most of it.',
      ['account'],
    ),
    gauge(waits, 'shelfwire_operations_open', 'Operations that have not ended, by state.', ['state']),
    gauge(waits, 'shelfwire_operations_oldest_seconds', 'Age of the oldest operation that has not ended.'),
    gauge(waits, 'shelfwire_imports_open', 'Imports that have not ended, by state.', ['state']),
    gauge(
      waits,
      'shelfwire_imports_oldest_seconds',
      'Age of the oldest import that has not ended, since it was asked for or is to be tried again.',
    ),
    gauge(waits, 'shelfwire_sources_failing', 'Sources of supplier files whose last runs ended without an import.'),
    gauge(
      waits,
      'shelfwire_exchange_rates_failing_seconds',
      'For how long the European Central Bank has given no exchange rates; only where an account wants them.',
    ),
    gauge(
      waits,
      'shelfwire_webhook_endpoints_failing',
      'Endpoints whose last delivery failed, and those that are paused for it.',
      ['state'],
    ),
    gauge(
      waits,
      'shelfwire_images_due',
      'Pictures of suppliers that are due to be fetched; of one account at most 10,000 are counted.',
    ),
    gauge(
      sizes,
      'shelfwire_account_use',
      'Products, offers and bytes of pictures of the 20 accounts that have the most of each; up to a minute old.',
      ['account', 'budget'],
    ),
  ]
}

const sum = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0)

const oldest = (rows: readonly { seconds: number }[]): Line[] => [
  { labels: {}, value: Math.max(0, ...rows.map(({ seconds }) => seconds)) },
]

/** A line for each state, even with the value 0, so that lines do not come and go. */
const byState = (rows: readonly { state: string; count: number }[], states: readonly string[]) =>
  states.map((state) => ({ labels: { state }, value: sum(rows.filter((row) => row.state === state)) }))

/**
 * Shares a query: runs it at most once in `freshMs`, and waits for at most WAIT_MS_MAX. Without an answer there are no lines.
 */
function shared(ask: () => Promise<Lines>, freshMs: number): () => Promise<Lines> {
  let known: Lines = new Map()
  let knownAt = -Infinity
  let asking: Promise<void> | undefined
  const askOnce = async () => {
    try {
      known = await ask()
      knownAt = performance.now()
    } catch {
      known = new Map()
    } finally {
      asking = undefined
    }
  }
  return async () => {
    if (performance.now() - knownAt < freshMs) return known
    const answered = (asking ??= askOnce()).then(() => true)
    return (await inTime(answered, WAIT_MS_MAX, false)) ? known : new Map()
  }
}
