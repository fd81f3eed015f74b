import { join } from 'node:path'
import { openKeptLimits, type KeptLimits } from './accounts/limits/kept-limits.ts'
import { openSuspensions } from './accounts/suspensions.ts'
import { TokenRate } from './accounts/token-rate.ts'
import { startEmbedded } from './embedded/embedded.ts'
import { migrate, requireSameDatabase } from './db/migrations/migrate.ts'
import { installMovedClock, requireMovedClock } from './db/connections/moved-clock.sql.ts'
import { openDb } from './db/open-db.ts'
import type { Db } from './db/sql.ts'
import { openWake, type Wake } from './db/wake.ts'
import { moveClock, now } from './platform/time/clock.ts'
import { defaultLimits, setDefaultLimits } from './platform/limits/account-limits.ts'
import { asError } from './platform/errors.ts'
import type { Log } from './platform/log.ts'
import { packageVersion } from './platform/process/package.ts'
import type { Settings } from './platform/settings/settings.ts'
import { sealFor, type Seal } from './platform/secrets/seal.ts'
import type { OpenTracer } from './platform/tracing/open-tracer.ts'
import { setTracer, tracer } from './platform/tracing/tracing.ts'
import { openOutbound, type Outbound } from './outbound/client.ts'
import { openFileReaders } from './file-readers/readers.ts'
import { MIRROR_LANE, openDecoders, UPLOAD_LANE, type Decoders } from './images/decode/decoders.ts'
import { openDiskStore } from './images/store/disk-store.ts'
import type { ImageStore } from './images/store/image-store.ts'
import { openDiskObjects } from './objects/disk-objects.ts'
import { openUnfinished, type Unfinished } from './objects/unfinished.ts'
import { openFetching, type Fetching } from './imports/fetch/fetch-source.ts'
import { openKeys, type Keys } from './imports/ssh/keys.ts'
import { openRunFiles } from './imports/files/open-run-files.ts'
import type { RunFiles } from './imports/files/run-files.ts'
import type { RunContext } from './imports/runs/loop/run-context.ts'
import type { SourceRules } from './imports/sources/edit-sources.ts'
import { openOperations } from './operations/operations.ts'
import { openShelvingProcess, type ShelvingProcess } from './shelf/apart/shelving-process.ts'
import { Shelf } from './shelf/shelf.ts'
import { openWrites, type Writes } from './writes/writes.ts'
import { Endpoints } from './webhooks/endpoints/endpoints.ts'

// The composition root: everything that lives as long as the process is opened here, and closed in reverse order. service.ts opens what only a
// running service needs.

/** An open database and the rooms that work on it; commands use it, the service is started on it. */
export interface Runtime extends AsyncDisposable {
  settings: Settings
  log: Log
  db: Db
  wake: Wake
  shelf: Shelf
  /** Takes over shelving that takes long while requests are answered; null where SHELVING_PROCESS is off. */
  shelvingProcess: ShelvingProcess | null
  writes: Writes
  seal: Seal
  outbound: Outbound
  /** Reaches the identity provider that the operator has configured, at any address. */
  providerOutbound: Outbound
  /** Fetches the files of sources. */
  fetching: Fetching
  /** Checks that the private keys of sources can be opened. */
  keys: Keys
  /** What runs of imports work with, including the file store. */
  imports: RunContext
  /** The limits of accounts, cached for requests. */
  limits: KeptLimits
  endpoints: Endpoints
  /** Where the bytes of pictures are kept. */
  imageStore: ImageStore
  /** Decodes pictures that owners upload. Variants have decoders of their own (service.ts). */
  decoders: Decoders
  /** Decodes pictures that the mirror fetches. */
  mirrorDecoders: Decoders
  /** When this process last received an HTTP request, in milliseconds of performance.now(); -Infinity before the first. */
  traffic: { at: number }
  /** Null where tracing is off. */
  tracer: OpenTracer | null
  /** Names of the migrations that were applied while opening. */
  migrated: readonly string[]
}

/** A process counts as serving for this long after a request; while it does, its sweeps give way to requests. */
const SERVING_MS = 1_000
/** Opens the database (embedded, or by DATABASE_URL), migrates it, and opens the rooms on it. */
export async function openRuntime(settings: Settings, log: Log): Promise<Runtime> {
  const releases: (() => Promise<unknown>)[] = []
  const release = async () => {
    for (const step of releases.reverse())
      await step().catch((error: unknown) => log.error({ err: asError(error) }, 'closing failed'))
  }
  try {
    const traces = await openTracing(settings, log, releases)
    let url = settings.databaseUrl
    if (url === null) {
      const server = await startEmbedded({ dataDir: settings.dataDir, walArchiveDir: settings.walArchiveDir, log })
      releases.push(() => server.stop())
      url = server.url
    }
    const directUrl = settings.databaseDirectUrl ?? url
    moveClock(settings.clockOffsetMs)
    setDefaultLimits(defaultLimits(settings.ratePerSecond, settings.accountLimits))
    if (settings.clockOffsetMs !== 0)
      log.warn(
        { now: now() },
        'SHELFWIRE_CLOCK_OFFSET moves the clock: for trials on databases that may be thrown away',
      )
    const database = {
      url,
      directUrl,
      prepare: settings.databasePrepare,
      clockOffsetMs: settings.clockOffsetMs,
    }
    const db = openDb({
      ...database,
      connectionsMax: settings.databaseConnectionsMax,
      nodeConnectionsMax: settings.databaseNodeConnectionsMax,
    })
    releases.push(() => db.end({ timeout: 5 }))
    db.nodes.onChange((away) => {
      if (away.length === 0) log.info('all nodes of the database answer again')
      else
        log.error({ away }, 'nodes of the database do not answer; accounts on them are refused, and the others go on')
    })
    const migrated =
      directUrl === url && settings.clockOffsetMs === 0
        ? await migrate(db, log)
        : await migrateDirectly(directUrl, db, log, settings.clockOffsetMs)
    if (settings.clockOffsetMs !== 0) await requireMovedClock(db, settings.clockOffsetMs)
    const wake = openWake(db, log)
    await wake.start()
    const traffic = { at: -Infinity }
    releases.push(() => wake.stop())
    const suspensions = await openSuspensions(db, wake, log)
    releases.push(() => suspensions.stop())
    const seal = sealFor(settings.secretKeys, settings.dataDir)
    const outbound = openOutbound({ allow: settings.outboundAllow, userAgent: `Shelfwire/${packageVersion()}` })
    releases.push(() => outbound.close())
    const providerOutbound = openOutbound({
      allow: ['0.0.0.0/0', '::/0'],
      userAgent: `Shelfwire/${packageVersion()}`,
    })
    releases.push(() => providerOutbound.close())
    const imageStore = await openImageStore(settings, releases)
    const decoders = openDecoders(UPLOAD_LANE, log, settings.imageDecoderMegabytes)
    releases.push(() => decoders.close())
    const mirrorDecoders = openDecoders(MIRROR_LANE, log, settings.imageDecoderMegabytes)
    releases.push(() => mirrorDecoders.close())
    const readers = openFileReaders(log, settings.fileReaderMegabytes)
    releases.push(() => readers.close())
    const unfinished = openUnfinished(join(settings.dataDir, 'import-files'))
    const keys = openKeys(log)
    releases.push(async () => keys.close())
    const fetching = openFetching({ db, log, seal, outbound, unfinished, importDir: settings.importDir })
    const files = await openImportFiles(settings, unfinished, releases)
    const limits = openKeptLimits(db, wake, log)
    const shelf = new Shelf(db, wake, log, isServing(traffic), settings.databaseConnectionsMax)
    const { logLevel, tracing } = settings
    const shelvingProcess = settings.shelvingProcess ? openShelvingProcess(log, { database, logLevel, tracing }) : null
    releases.push(async () => shelvingProcess?.close())
    return {
      settings,
      log,
      db,
      wake,
      shelf,
      shelvingProcess,
      writes: openWrites({ db, wake, log, shelf, operations: openOperations(db, wake) }),
      seal,
      outbound,
      providerOutbound,
      fetching,
      keys,
      imports: {
        db,
        wake,
        log,
        files,
        unfinished,
        fetchSource: (...task) => fetching.fetchSource(...task),
        readers,
        rates: new TokenRate(db, log, settings.ratePerSecond, limits),
      },
      limits,
      endpoints: new Endpoints(db, wake, seal, outbound),
      imageStore,
      decoders,
      mirrorDecoders,
      traffic,
      tracer: traces,
      migrated,
      [Symbol.asyncDispose]: release,
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Opens the tracer of this process if a collector is configured. Called first, because what is opened later reads it. */
async function openTracing(
  { tracing }: Settings,
  log: Log,
  releases: (() => Promise<unknown>)[],
): Promise<OpenTracer | null> {
  if (tracing === null) return null
  const opened = (await import('./platform/tracing/open-tracer.ts')).openTracer(tracing, log)
  setTracer(opened)
  releases.push(() => {
    if (tracer() === opened) setTracer(null)
    return opened.close()
  })
  return opened
}

/** A bucket where S3_BUCKET names one, else a directory. */
async function openImageStore({ s3, dataDir }: Settings, releases: (() => Promise<unknown>)[]): Promise<ImageStore> {
  if (s3 === null) return openDiskStore(join(dataDir, 'images'))
  const store = (await import('./images/store/s3-store.ts')).openS3Store(s3)
  releases.push(async () => store[Symbol.asyncDispose]())
  return store
}

/** Where the files of imports are kept: a bucket where S3_BUCKET names one, else a directory. */
async function openImportFiles(
  { s3, dataDir }: Settings,
  unfinished: Unfinished,
  releases: (() => Promise<unknown>)[],
): Promise<RunFiles> {
  if (s3 === null) return openRunFiles(openDiskObjects(join(dataDir, 'imports')), '', unfinished)
  const objects = (await import('./objects/s3-objects.ts')).openS3Objects(s3)
  releases.push(async () => objects[Symbol.asyncDispose]())
  return openRunFiles(objects, 'imports/', unfinished)
}

/** Whether this process received a request a moment ago. */
export const isServing = (traffic: { at: number }) => () => performance.now() - traffic.at < SERVING_MS

/**
 * Migrates over a direct connection, because a pooler may limit how long a statement takes, and by the machine's clock, even where the clock is
 * moved.
 * @returns the names of the applied migrations
 */
async function migrateDirectly(url: string, pooled: Db, log: Log, clockOffsetMs: number): Promise<string[]> {
  const direct = openDb({ url, connectionsMax: 1 })
  try {
    const migrated = await migrate(direct, log)
    if (clockOffsetMs !== 0) await installMovedClock(direct)
    await requireSameDatabase(pooled, direct)
    return migrated
  } finally {
    await direct.end({ timeout: 5 })
  }
}

/** What the validation of a source needs. */
export function sourceRules({
  seal,
  keys,
  outbound,
  settings,
}: Pick<Runtime, 'seal' | 'keys' | 'outbound' | 'settings'>): SourceRules {
  return { seal, keys, isAllowed: (host) => outbound.isAllowed(host), importDir: settings.importDir }
}
