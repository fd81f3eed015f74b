import type { FastifyInstance } from 'fastify'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openAuthenticator } from './accounts/authenticate.ts'
import { openStoreDirectory } from './catalog/settings/store-directory.ts'
import { startEmbedded } from './embedded/embedded.ts'
import { migrate, requireSameDatabase } from './db/migrate.ts'
import { nodesAway } from './distribution/nodes-away.ts'
import { unreadyDatabase } from './db/readiness.ts'
import { openDb, type Db } from './db/sql.ts'
import { openWake, type Wake } from './db/wake.ts'
import { openWaiters } from './feed/waiters.ts'
import { asError } from './platform/errors.ts'
import { LIMITS } from './platform/limits.ts'
import type { Log } from './platform/log.ts'
import { startLoop, type Loop } from './platform/loop.ts'
import { packageVersion } from './platform/package.ts'
import type { Settings } from './platform/settings.ts'
import { sealFor, type Seal } from './platform/seal.ts'
import { openOutbound, type Outbound } from './outbound/client.ts'
import { openDecoders, type Decoders } from './images/decode/decoders.ts'
import { openCachedStore } from './images/store/cached-store.ts'
import { openDiskStore } from './images/store/disk-store.ts'
import type { ImageStore } from './images/store/image-store.ts'
import { openDiskObjects } from './objects/disk-objects.ts'
import { openUnfinished, type Unfinished } from './objects/unfinished.ts'
import { openUploads } from './images/uploads/uploads.ts'
import { startForgettingUploads } from './images/uploads/forget.ts'
import { openVariants } from './images/variants/variants.ts'
import { startImageBase } from './images/base/image-base.ts'
import { startMirror, type Mirror } from './images/mirror/loop.ts'
import { openRoom } from './images/mirror/room.ts'
import { startRemoving } from './images/unused/remove.ts'
import { openFetching, type Fetching } from './imports/fetch/fetch-source.ts'
import { openRunFiles } from './imports/files/open-run-files.ts'
import type { RunFiles } from './imports/files/run-files.ts'
import { startForgettingRuns } from './imports/runs/forget.ts'
import type { RunContext } from './imports/runs/run-context.ts'
import type { SourceRules } from './imports/sources/edit-sources.ts'
import { startSources } from './imports/sources/loop.ts'
import { startForgetting } from './idempotency/forget.ts'
import { openOperations, startOperations } from './operations/operations.ts'
import { openPeople } from './people/people.ts'
import { startLinkMails } from './people/link-mails.ts'
import { startForgettingPeople } from './people/forget.ts'
import { startCountingChanges } from './overview/change-hours.ts'
import { openLookup } from './shelf/payload-lookup.ts'
import { startClock } from './shelf/clock.ts'
import { openShelf, type Shelf } from './shelf/shelf.ts'
import { openWrites, type Writes } from './writes/writes.ts'
import { listen } from './serve/listen.ts'
import type { OperatorContext, OperatorListener } from './serve/operator-listener.ts'
import { startDeliverer, type Deliverer } from './webhooks/deliver/loop.ts'
import { openEndpoints, type Endpoints } from './webhooks/endpoints/endpoints.ts'
import { pendingAge } from './webhooks/log/pending-age.ts'
import { startTrimming } from './webhooks/log/trim.ts'
import { startNotices } from './webhooks/notices/send.ts'

// The composition root: everything that lives as long as the process is opened here, and closed in reverse order.

/** `api` answers HTTP requests; `work` runs the background loops: shelving, operations, deliveries, clean-up. */
export type Role = 'api' | 'work'
export const ROLES: readonly Role[] = ['api', 'work']

/** An open database and the rooms that work on it; commands use it, the service is started on it. */
export interface Runtime extends AsyncDisposable {
  settings: Settings
  log: Log
  db: Db
  wake: Wake
  shelf: Shelf
  writes: Writes
  seal: Seal
  outbound: Outbound
  /** Fetches the files of sources. */
  fetching: Fetching
  /** What runs of imports work with, the file store among it. */
  imports: RunContext
  endpoints: Endpoints
  /** Where the bytes of pictures are kept. */
  imageStore: ImageStore
  /** For pictures that come in; those that are converted to be served have others. */
  decoders: Decoders
  /** When this process last got an HTTP request, by performance.now(). */
  traffic: { at: number }
  /** Migrations applied while opening. */
  migrated: readonly string[]
}

export interface Service extends AsyncDisposable {
  /** URL it listens on, without a slash at the end; null without the api role. */
  url: string | null
  /** URL of the listener for /metrics and probes; null without METRICS_PORT. */
  metricsUrl: string | null
  app: FastifyInstance | null
}

const HOUSEKEEPING_MS = 30_000
/** The first use of a token is noted after so long: its owner may wait to see it. */
const FIRST_USE_NOTED_MS = 1_000
/** For this long after a request a process counts as serving: sweeps then give way to requests. */
const SERVING_MS = 1_000
/** A worker whose last successful step is older than this makes the process unready. */
const WORKER_SILENCE_MS_MAX = 60_000
/** Two: while one waits for PostgreSQL, the other resolves. */
const SHELF_WORKERS = 2

/** Opens the database (embedded, or by DATABASE_URL), migrates it, and opens the rooms on it. */
export async function openRuntime(settings: Settings, log: Log): Promise<Runtime> {
  const releases: (() => Promise<unknown>)[] = []
  const release = async () => {
    for (const step of releases.reverse())
      await step().catch((error: unknown) => log.error({ err: asError(error) }, 'closing failed'))
  }
  try {
    let url = settings.databaseUrl
    if (url === null) {
      const server = await startEmbedded({ dataDir: settings.dataDir, log })
      releases.push(() => server.stop())
      url = server.url
    }
    const directUrl = settings.databaseDirectUrl ?? url
    const db = openDb({
      url,
      directUrl,
      connectionsMax: settings.databaseConnectionsMax,
      prepare: settings.databasePrepare,
    })
    releases.push(() => db.end({ timeout: 5 }))
    db.nodes.onChange((away) => {
      if (away.length === 0) log.info('all nodes of the database answer again')
      else
        log.error({ away }, 'nodes of the database do not answer; accounts on them are refused, and the others go on')
    })
    const migrated = directUrl === url ? await migrate(db, log) : await migrateDirectly(directUrl, db, log)
    const wake = openWake(db, log)
    await wake.start()
    const traffic = { at: -Infinity }
    releases.push(() => wake.stop())
    const seal = sealFor(settings.secretKeys, settings.dataDir)
    const outbound = openOutbound({ allow: settings.outboundAllow, userAgent: `Shelfwire/${packageVersion()}` })
    releases.push(() => outbound.close())
    const imageStore = await openImageStore(settings, releases)
    const decoders = openDecoders(1, log)
    releases.push(() => decoders.close())
    const unfinished = openUnfinished(join(settings.dataDir, 'import-files'))
    const fetching = openFetching({ db, log, seal, outbound, unfinished, importDir: settings.importDir })
    const files = await openImportFiles(settings, unfinished, releases)
    const shelf = openShelf(db, wake, log, isServing(traffic))
    return {
      settings,
      log,
      db,
      wake,
      shelf,
      writes: openWrites({ db, wake, log, shelf, operations: openOperations(db, wake) }),
      seal,
      outbound,
      fetching,
      imports: {
        db,
        wake,
        log,
        files,
        unfinished,
        fetchSource: (...task) => fetching.fetchSource(...task),
      },
      endpoints: openEndpoints(db, wake, seal, outbound),
      imageStore,
      decoders,
      traffic,
      migrated,
      [Symbol.asyncDispose]: release,
    }
  } catch (error) {
    await release()
    throw error
  }
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
const isServing = (traffic: { at: number }) => () => performance.now() - traffic.at < SERVING_MS

/** Migrates past a pooler, whose settings may limit how long a statement takes. */
async function migrateDirectly(url: string, pooled: Db, log: Log): Promise<string[]> {
  const direct = openDb({ url, connectionsMax: 1 })
  try {
    const migrated = await migrate(direct, log)
    await requireSameDatabase(pooled, direct)
    return migrated
  } finally {
    await direct.end({ timeout: 5 })
  }
}

export interface ServiceOptions {
  /** Pictures of accounts that are new are mirrored only then: creating the demo has the machine to itself. */
  mirrorAfter?: Promise<void>
}

/** Starts the service in the given roles on an open runtime. */
export async function startService(
  runtime: Runtime,
  roles: readonly Role[],
  options: ServiceOptions = {},
): Promise<Service> {
  const { settings, log, db, wake, shelf, writes, seal, outbound, traffic } = runtime
  const loops: Loop[] = []
  const mailer =
    settings.smtpUrl === null
      ? null
      : (await import('./outbound/mailer.ts')).openMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom })
  let deliverer: Deliverer | undefined
  let mirror: Mirror | undefined
  const room = openRoom(db, settings.imageStoreBytesMax)
  let url = settings.publicUrl ?? ''
  if (roles.includes('work')) {
    for (let i = 1; i <= SHELF_WORKERS; i++) loops.push(shelf.startWorker(`shelve-${i}`))
    loops.push(
      startClock(db, wake, log),
      startTrimming(db, log),
      startForgetting(db, log),
      startOperations(db, wake, log, isServing(traffic)),
      startForgettingPeople(db, log),
      startCountingChanges(db, log),
      startForgettingUploads(db, log),
      startSources(db, wake, log),
      startForgettingRuns(db, runtime.imports.files, log),
      // imported only here: the readers of files are half of the modules that every command would load
      (await import('./imports/runs/loop.ts')).startImports(runtime.imports),
    )
    deliverer = startDeliverer({ db, wake, log, outbound, seal, perSecondMax: settings.webhooksPerSecond })
    loops.push(deliverer, startNotices(db, mailer, log))
    let mayMirror = options.mirrorAfter === undefined
    void options.mirrorAfter?.then(() => (mayMirror = true))
    const imageBase = () => {
      if (!settings.mirror) return ''
      const base = settings.imageUrl ?? url
      return mayMirror && base !== '' ? base : undefined
    }
    loops.push(startImageBase(db, wake, log, imageBase))
    if (settings.mirror) {
      mirror = startMirror({
        db,
        wake,
        log,
        outbound,
        store: runtime.imageStore,
        decoders: runtime.decoders,
        unfinished: openUnfinished(join(settings.dataDir, 'fetching')),
        perSecond: settings.mirrorPerSecond,
        room,
      })
      loops.push(mirror, startRemoving(db, runtime.imageStore, log))
    }
  }
  const stopLoops = () => Promise.all(loops.map((loop) => loop.stop()))
  const metrics = [...(deliverer?.metrics ?? []), ...(mirror?.metrics ?? []), pendingAge(db), nodesAway(db)]
  let isClosing = false
  const unready = async () => [
    ...(isClosing ? ['shutting down'] : []),
    ...(await unreadyDatabase(db)),
    ...(loops.some((loop) => loop.ageMs() > WORKER_SILENCE_MS_MAX) ? ['worker'] : []),
  ]
  if (!roles.includes('api')) {
    const apart = await listenApart(settings, async () => {
      const { openFigures } = await import('./serve/figures.ts')
      return { settings, log, figures: openFigures(metrics, null), unready }
    }).catch(async (error: unknown) => {
      await stopLoops()
      throw error
    })
    return {
      url: null,
      metricsUrl: apart?.url ?? null,
      app: null,
      async [Symbol.asyncDispose]() {
        isClosing = true
        await stopLoops()
        // last, so that until the end a probe is told why it is not ready
        await apart?.close()
      },
    }
  }

  let noteUses = () => {}
  let noting: NodeJS.Timeout | undefined
  const authenticator = openAuthenticator(db, wake, log, () => {
    noting ??= setTimeout(() => {
      noting = undefined
      noteUses()
    }, FIRST_USE_NOTED_MS).unref()
  })
  const waiters = openWaiters(db, wake, log)
  // imported only here: it is four fifths of all modules, and most commands serve nothing
  const { openApp } = await import('./serve/app.ts')
  const figures = (await import('./serve/figures.ts')).openFigures(metrics, waiters)
  const people = openPeople({ db, log, seal, mailer, publicUrl: () => url })
  const converters = Math.min(LIMITS.imageVariantProcessesMax, Math.max(1, availableParallelism() - 1))
  const variantDecoders = openDecoders(converters, log)
  const app = await openApp({
    db,
    log,
    wake,
    writes,
    authenticator,
    stores: openStoreDirectory(db, wake),
    lookup: openLookup(db),
    people,
    endpoints: (note) => openEndpoints(db, wake, seal, outbound, note),
    waiters,
    images: {
      store: openCachedStore(runtime.imageStore),
      variants: openVariants({
        store: runtime.imageStore,
        decoders: variantDecoders,
        atOnce: converters + 1,
        directory: join(settings.dataDir, 'image-variants'),
        bytesMax: settings.imageVariantsBytesMax,
        log,
      }),
      uploads: openUploads({
        store: runtime.imageStore,
        decoders: runtime.decoders,
        unfinished: openUnfinished(join(settings.dataDir, 'image-uploads')),
        base: () => settings.imageUrl ?? url,
        room,
        log,
      }),
    },
    sources: { rules: sourceRules(runtime), fetching: runtime.fetching },
    runFiles: runtime.imports.files,
    publicUrl: () => url,
    isPublicUrlSet: settings.publicUrl !== null,
    ratePerSecond: settings.ratePerSecond,
    trustedProxies: settings.trustedProxies,
    figures,
    metricsAccess: {
      token: settings.metricsToken,
      isApart: settings.metricsPort !== null,
      isBehindProxy: settings.trustedProxies.length > 0 || settings.publicUrl !== null,
    },
    version: packageVersion(),
    unready,
  })
  const housekeeping = startLoop({
    name: 'housekeeping',
    log,
    idleMs: HOUSEKEEPING_MS,
    async step() {
      await authenticator.flushUses()
      return 'idle'
    },
  })
  noteUses = () => housekeeping.poke()
  loops.push(startLinkMails(people), housekeeping)
  app.server.on('request', () => (traffic.at = performance.now()))
  let listening: string
  let apart: OperatorListener | null
  try {
    listening = await listen(app, settings.host, settings.port, ['HOST', 'PORT'])
    apart = await listenApart(settings, async () => ({ settings, log, figures, unready }))
  } catch (error) {
    waiters.close()
    await Promise.all([app.close(), stopLoops(), variantDecoders.close()])
    throw error
  }
  url ||= listening
  return {
    url: listening,
    metricsUrl: apart?.url ?? null,
    app,
    async [Symbol.asyncDispose]() {
      isClosing = true
      // first end long polls, then let requests in flight finish, then stop the loops
      waiters.close()
      const drained = app.close().then(() => true)
      const deadline = new Promise<boolean>((resolve) =>
        setTimeout(() => resolve(false), LIMITS.shutdownDrainMs).unref(),
      )
      if (!(await Promise.race([drained, deadline]))) {
        log.warn('requests were still running at the end of the drain time')
        app.server.closeAllConnections()
      }
      await variantDecoders.close()
      await people.settled()
      await stopLoops()
      try {
        await authenticator.flushUses()
      } finally {
        await apart?.close()
      }
    },
  }
}

/** What sources are checked by when they are set. */
export function sourceRules({
  seal,
  outbound,
  settings,
}: Pick<Runtime, 'seal' | 'outbound' | 'settings'>): SourceRules {
  return { seal, isAllowed: (host) => outbound.isAllowed(host), importDir: settings.importDir }
}

/** Opens the listener for operators where METRICS_PORT asks for it. */
async function listenApart(
  { metricsPort }: Settings,
  context: () => Promise<OperatorContext>,
): Promise<OperatorListener | null> {
  if (metricsPort === null) return null
  const { listenForOperators } = await import('./serve/operator-listener.ts')
  return listenForOperators(metricsPort, await context())
}
