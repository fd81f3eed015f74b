import type { FastifyInstance } from 'fastify'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startCountingUse } from './accounts/limits/use.ts'
import { openAuthenticator } from './accounts/authenticate.ts'
import { TokenRequests } from './accounts/token-requests.ts'
import { openStoreDirectory } from './catalog/settings/stores/store-directory.ts'
import { archiveFigures, startArchiveHeartbeat } from './db/backups/archive.ts'
import { openBackups } from './db/backups/backups.ts'
import { clusterGet } from './db/distribution/distribution.sql.ts'
import { nodesAway } from './db/distribution/nodes-away.ts'
import { nearFigures } from './db/near/near-figures.ts'
import { poolFigures } from './db/checks/pool-figures.ts'
import { shippedFigures } from './embedded/shipped.ts'
import { unreadyDatabase, unreadyFigure } from './db/checks/readiness.ts'
import { openWaiters } from './feed/waiters.ts'
import { openWindows } from './feed/windows.ts'
import { LIMITS } from './platform/limits.ts'
import { warnOfMemory } from './platform/process/memory.ts'
import { startLoop, type Loop } from './platform/process/loop.ts'
import { packageVersion } from './platform/process/package.ts'
import { openSecretLookups } from './platform/secrets/secret-lookups.ts'
import type { Settings } from './platform/settings/settings.ts'
import { fileReadersBytesMax } from './file-readers/readers.ts'
import { decodersBytesMax, MIRROR_LANE, openDecoders, sizeLane, UPLOAD_LANE } from './images/decode/decoders.ts'
import { openCachedStore } from './images/store/cached-store.ts'
import { openUnfinished } from './objects/unfinished.ts'
import { openUploads } from './images/uploads/uploads.ts'
import { startForgettingUploads } from './images/uploads/forget.ts'
import { startForgettingVariants } from './images/variants/forget.ts'
import { openVariants } from './images/variants/variants.ts'
import { startBankRates } from './bank-rates/loop.ts'
import { startImageBase } from './images/base/image-base.ts'
import { startMirror } from './images/mirror/loop.ts'
import { openRoom } from './images/mirror/room.ts'
import { startRemoving } from './images/unused/remove.ts'
import { startErasing } from './erasure/loop.ts'
import { startForgettingRuns } from './imports/runs/forget.ts'
import { startSources } from './imports/runs/sources/loop.ts'
import { startForgetting } from './writes/forget-answers.ts'
import { startNotices } from './notices/channels/mail/send.ts'
import { startNoticeChannels } from './notices/deliver.ts'
import { startOperations } from './operations/operations.ts'
import { openPeople } from './people/people.ts'
import { openProvider } from './people/provider/provider.ts'
import { startLinkMails } from './people/mails/link-mails.ts'
import { startForgettingPeople } from './people/erasure/forget.ts'
import { startCountingChanges } from './overview/change-hours.ts'
import { installationFigures } from './overview/installation.ts'
import { openLookup } from './shelf/reads/payload-lookup.ts'
import { startClock } from './shelf/clock.ts'
import { startFillingDigests } from './shelf/payloads/digest-fill.ts'
import { startFillingTerms } from './shelf/search/search-terms.ts'
import { requireKeys } from './sealed/keys-in-use.ts'
import { makeFirstOwnerLink } from './sign-up/first-owner.ts'
import { listen } from './serve/listen.ts'
import type { ServeContext } from './serve/context.ts'
import type { OperatorContext, OperatorListener } from './serve/operator-listener.ts'
import { startDeliverer } from './webhooks/deliver/loop.ts'
import { Endpoints } from './webhooks/endpoints/endpoints.ts'
import { pendingAge } from './webhooks/log/pending-age.ts'
import { startTrimming } from './webhooks/log/trim.ts'
import type { Metric } from 'prom-client'
import type { Mailer } from './outbound/mailer.ts'
import type { Room } from './images/mirror/room.ts'
import { isServing, sourceRules, type Runtime } from './runtime.ts'

// A running service: the loops and the API of its roles, started on an open runtime and stopped in order.

/** `api` answers HTTP requests; `work` runs the background loops: shelving, operations, deliveries, clean-up. */
export type Role = 'api' | 'work'
export const ROLES: readonly Role[] = ['api', 'work']

export interface Service extends AsyncDisposable {
  /** The URL that the API listens on, without a slash at the end; null without the api role. */
  url: string | null
  /** URL of the listener for /metrics and probes; null without METRICS_PORT. */
  metricsUrl: string | null
  app: FastifyInstance | null
  /** Makes a link by which the first owner signs up; null if there is an account already, or without the api role. */
  firstOwnerLink(): Promise<string | null>
}

const HOUSEKEEPING_MS = 30_000
/** The first use of a token is written after this delay, because its owner may be waiting to see it. */
const FIRST_USE_NOTED_MS = 1_000
/** A worker whose last successful step is older than this makes the process unready. */
const WORKER_SILENCE_MS_MAX = 60_000

export interface ServiceOptions {
  /**
   * The mirror starts with the pictures of new accounts only after this, so that creating the demo account has the
   * machine to itself.
   */
  mirrorAfter?: Promise<void>
}

/**
 * The most memory, in bytes, that a process of these roles and the processes that it starts take: docs/operations.md,
 * "Memory".
 */
export function memoryMax(settings: Settings, roles: readonly Role[]): number {
  const lanes = [
    ...(roles.includes('api') ? [UPLOAD_LANE, sizeLane(availableParallelism())] : []),
    ...(roles.includes('work') && settings.mirror ? [MIRROR_LANE] : []),
  ]
  return (
    LIMITS.ownMegabytes * 1_048_576 +
    (settings.shelvingProcess && roles.length > 1 ? LIMITS.shelvingProcessMegabytes * 1_048_576 : 0) +
    fileReadersBytesMax(settings.fileReaderMegabytes) +
    decodersBytesMax(lanes, settings.imageDecoderMegabytes)
  )
}

/** Shared by all roles of a service. */
interface Starting {
  runtime: Runtime
  mailer: Mailer | null
  /** How much may still be stored of pictures. */
  room: Room
  loops: Loop[]
  /** Where clients reach the service; '' before it is known. */
  publicUrl(): string
}

/** Starts the service in the given roles on an open runtime. */
export async function startService(
  runtime: Runtime,
  roles: readonly Role[],
  options: ServiceOptions = {},
): Promise<Service> {
  const { settings, log, db, seal, traffic } = runtime
  warnOfMemory(log, memoryMax(settings, roles))
  await requireKeys(db, seal, log)
  const mailer =
    settings.smtpUrl === null
      ? null
      : (await import('./outbound/mailer.ts')).openMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom })
  let url = settings.publicUrl ?? ''
  const loops: Loop[] = []
  const room = openRoom(db, settings.imageStoreBytesMax)
  const starting: Starting = { runtime, mailer, room, loops, publicUrl: () => url }
  const stopLoops = () => Promise.all(loops.map((loop) => loop.stop()))
  const ofWork = roles.includes('work') ? await startWork(starting, options) : []
  const isArchiving = settings.walArchiveDir !== null && settings.databaseUrl === null
  const backups = openBackups(db, settings.backupHoursMax, isArchiving)
  if (isArchiving) loops.push(startArchiveHeartbeat(db, log))
  let isClosing = false
  const unready = async () => [
    ...(isClosing ? ['shutting down'] : []),
    ...(await unreadyDatabase(db)),
    ...(loops.some((loop) => loop.ageMs() > WORKER_SILENCE_MS_MAX) ? ['worker'] : []),
  ]
  const metrics = [
    ...ofWork,
    unreadyFigure(unready),
    pendingAge(db),
    nodesAway(db),
    ...poolFigures(db),
    ...nearFigures(db),
    ...backups.metrics,
    ...archiveFigures(db),
    ...shippedFigures(settings.walArchiveDir),
    ...installationFigures(db),
    ...(runtime.tracer === null ? [] : [runtime.tracer.metric]),
  ]
  if (!roles.includes('api')) {
    const apart = await listenApart(settings, async () => {
      const { openFigures } = await import('./serve/figures.ts')
      return { settings, log, figures: openFigures(metrics, null), unready, backups }
    }).catch(async (error: unknown) => {
      await stopLoops()
      throw error
    })
    return {
      url: null,
      metricsUrl: apart?.url ?? null,
      app: null,
      firstOwnerLink: () => Promise.resolve(null),
      async [Symbol.asyncDispose]() {
        isClosing = true
        await stopLoops()
        // last, so that until the end a probe is told why the process is not ready
        await apart?.close()
      },
    }
  }
  const { app, noteUses, figures, people, variantDecoders, waiters } = await openApi(starting, metrics, {
    unready,
    backups,
  })
  app.server.on('request', () => (traffic.at = performance.now()))
  let listening: string
  let apart: OperatorListener | null
  try {
    listening = await listen(app, settings.host, settings.port, ['HOST', 'PORT'])
    apart = await listenApart(settings, async () => ({ settings, log, figures, unready, backups }))
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
    firstOwnerLink: () => makeFirstOwnerLink(db, url),
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
        app.plainConnections.cut()
      }
      await variantDecoders.close()
      await people.settled()
      await stopLoops()
      try {
        await noteUses()
      } finally {
        await apart?.close()
      }
    },
  }
}

/** Starts the loops of the work role. @returns their metrics. */
async function startWork(
  { runtime, mailer, room, loops, publicUrl }: Starting,
  options: ServiceOptions,
): Promise<readonly Metric[]> {
  const { settings, log, db, wake, shelf, seal, outbound, traffic } = runtime
  const { shelvingProcess } = runtime
  for (let i = 1; i <= LIMITS.shelfWorkers; i++) loops.push(shelf.startWorker(`shelve-${i}`, shelvingProcess))
  loops.push(
    startClock(db, wake, log),
    startFillingTerms(db, log),
    startFillingDigests(db, log),
    startTrimming(db, log),
    startForgetting(db, log),
    startOperations(db, wake, log, isServing(traffic)),
    startForgettingPeople(db, log),
    startCountingChanges(db, log),
    startCountingUse(db, log),
    startForgettingUploads(db, log),
    startSources(db, wake, log),
    startBankRates({ db, log, outbound, url: settings.exchangeRatesUrl }, wake),
    startForgettingRuns(db, runtime.imports.files, log),
    startErasing({ db, imageStore: runtime.imageStore, files: runtime.imports.files }, log),
    // imported lazily: the file readers are half of the modules that every command would have to load
    (await import('./imports/runs/loop/loop.ts')).startImports(runtime.imports),
  )
  const deliverer = startDeliverer({ db, wake, log, outbound, seal, perSecondMax: settings.webhooksPerSecond })
  loops.push(deliverer, startNotices(db, mailer, log))
  loops.push(startNoticeChannels({ db, log, outbound, seal, publicUrl }))
  let mayMirror = options.mirrorAfter === undefined
  void options.mirrorAfter?.then(() => (mayMirror = true))
  const imageBase = () => {
    if (!settings.mirror) return ''
    const base = settings.imageUrl ?? publicUrl()
    return mayMirror && base !== '' ? base : undefined
  }
  const isImplicit = settings.mirror && settings.imageUrl === null && settings.publicUrl === null
  loops.push(startImageBase(db, wake, log, imageBase, isImplicit))
  if (!settings.mirror) return deliverer.metrics
  const mirror = startMirror({
    db,
    wake,
    log,
    outbound,
    store: runtime.imageStore,
    decoders: runtime.mirrorDecoders,
    unfinished: openUnfinished(join(settings.dataDir, 'fetching')),
    perSecond: settings.mirrorPerSecond,
    room,
  })
  loops.push(mirror, startRemoving(db, runtime.imageStore, log))
  return [...deliverer.metrics, ...mirror.metrics]
}

/** Opens the API of the api role; it does not listen yet. */
async function openApi(
  { runtime, mailer, room, loops, publicUrl }: Starting,
  metrics: readonly Metric[],
  probed: Pick<ServeContext, 'unready' | 'backups'>,
) {
  const { settings, log, db, wake, writes, seal, outbound } = runtime
  if (settings.databaseNodeConnectionsMax > 0 && (await clusterGet(db)) !== undefined) db.near.begin(log)
  const served = db.forRequests()
  let noteUses = () => {}
  let noting: NodeJS.Timeout | undefined
  const authenticator = openAuthenticator(db, wake, log, () => {
    noting ??= setTimeout(() => {
      noting = undefined
      noteUses()
    }, FIRST_USE_NOTED_MS).unref()
  })
  const tokenRequests = new TokenRequests(db, log)
  const waiters = openWaiters(db, wake, log)
  // imported lazily: the HTTP server is four fifths of all modules, and most commands do not serve
  const { openApp } = await import('./serve/app.ts')
  const { openAccountPlaces } = await import('./serve/account-places.ts')
  const places = openAccountPlaces(runtime.limits)
  const { openLargeAnswers } = await import('./serve/large-answers.ts')
  const figures = (await import('./serve/figures.ts')).openFigures(
    [...metrics, places.metric, tokenRequests.metric],
    waiters,
  )
  const { provider, localSignIn: isLocalSignIn } = settings
  const people = openPeople({
    db: served,
    log,
    seal,
    mailer,
    publicUrl,
    isLocalSignIn,
    provider: provider === null ? null : openProvider(provider, runtime.providerOutbound, log),
  })
  const variantDecoders = openDecoders(sizeLane(availableParallelism()), log, settings.imageDecoderMegabytes)
  const app = await openApp({
    db: served,
    log,
    wake,
    writes,
    authenticator,
    tokenRequests,
    stores: openStoreDirectory(served, wake),
    lookup: openLookup(served),
    windows: openWindows(served),
    people,
    endpoints: (note) => new Endpoints(served, wake, seal, outbound, note),
    waiters,
    images: {
      store: openCachedStore(runtime.imageStore),
      variants: openVariants({
        store: runtime.imageStore,
        decoders: variantDecoders,
        directory: join(settings.dataDir, 'image-variants'),
        bytesMax: settings.imageVariantsBytesMax,
        log,
      }),
      uploads: openUploads({
        store: runtime.imageStore,
        decoders: runtime.decoders,
        unfinished: openUnfinished(join(settings.dataDir, 'image-uploads')),
        base: () => settings.imageUrl ?? publicUrl(),
        room,
        log,
      }),
    },
    sessions: openSecretLookups('sessions'),
    noticeChannels: { seal, outbound, publicUrl },
    sources: { rules: sourceRules(runtime), fetching: runtime.fetching, readers: runtime.imports.readers },
    runFiles: runtime.imports.files,
    publicUrl,
    isPublicUrlSet: settings.publicUrl !== null,
    rates: runtime.imports.rates,
    places,
    largeAnswers: openLargeAnswers(),
    accountsPerPerson: settings.accountsPerPerson,
    ratePerSecond: settings.ratePerSecond,
    trustedProxies: settings.trustedProxies,
    figures,
    metricsAccess: {
      token: settings.metricsToken,
      isApart: settings.metricsPort !== null,
      isBehindProxy: settings.trustedProxies.length > 0 || settings.publicUrl !== null,
    },
    version: packageVersion(),
    operatorToken: settings.operatorToken,
    ...probed,
    traffic: runtime.traffic,
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
  loops.push(
    startLinkMails(people),
    housekeeping,
    startForgettingVariants(db, join(settings.dataDir, 'image-variants'), log),
  )
  /** Writes the uses of tokens that are not in the database yet; called at the end. */
  const flush = async () => {
    await authenticator.flushUses()
    await tokenRequests.flush()
  }
  return { app, noteUses: flush, figures, people, variantDecoders, waiters }
}

/** Opens the listener for operators if METRICS_PORT is set. */
async function listenApart(
  { metricsPort }: Settings,
  context: () => Promise<OperatorContext>,
): Promise<OperatorListener | null> {
  if (metricsPort === null) return null
  const { listenForOperators } = await import('./serve/operator-listener.ts')
  return listenForOperators(metricsPort, await context())
}
