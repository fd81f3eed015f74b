import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticator, Caller } from '../accounts/authenticate.ts'
import type { TokenRate } from '../accounts/token-rate.ts'
import type { TokenRequests } from '../accounts/token-requests.ts'
import type { StoreDirectory } from '../catalog/settings/stores/store-directory.ts'
import type { Backups } from '../db/backups/backups.ts'
import type { Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import type { ReadWindow } from '../feed/read.ts'
import type { Waiters } from '../feed/waiters.ts'
import type { FileReaders } from '../file-readers/readers.ts'
import type { ImageStore } from '../images/store/image-store.ts'
import type { Uploads } from '../images/uploads/uploads.ts'
import type { Variants } from '../images/variants/variants.ts'
import type { RunFiles } from '../imports/files/run-files.ts'
import type { Fetching } from '../imports/fetch/fetch-source.ts'
import type { SourceRules } from '../imports/sources/edit-sources.ts'
import type { NoticeChannelTools } from '../notices/notice-channels.ts'
import type { People } from '../people/people.ts'
import type { Log } from '../platform/log.ts'
import type { SecretLookups } from '../platform/secrets/secret-lookups.ts'
import type { Lookup } from '../shelf/reads/payload-lookup.ts'
import type { Endpoints, EndpointNote } from '../webhooks/endpoints/endpoints.ts'
import type { Writes } from '../writes/writes.ts'
import type { AccountPlaces } from './account-places.ts'
import type { Figures } from './figures.ts'
import type { LargeAnswers } from './large-answers.ts'

/** Who may read the metrics. */
export interface MetricsAccess {
  /** The bearer token that readers must send; null: none is needed. */
  token: string | null
  /** Whether the metrics are served by a listener of their own instead of at the API's port. */
  isApart: boolean
  /** Whether a proxy is in front of the API: a connection from this machine may then carry a request from anywhere. */
  isBehindProxy: boolean
}

/** Dependencies of the routes; created once by the composition root. */
export interface ServeContext {
  db: Db
  log: Log
  wake: Wake
  writes: Writes
  authenticator: Authenticator
  /** The log of requests per token. */
  tokenRequests: TokenRequests
  stores: StoreDirectory
  lookup: Lookup
  windows: ReadWindow
  /** Sign-in to the panel. */
  people: People
  /** Look-ups of sessions of the panel. */
  sessions: SecretLookups
  /** Owners' actions on endpoints; `note` runs in the transaction of each change. */
  endpoints: (note: EndpointNote) => Endpoints
  waiters: Waiters
  /** Pictures: the store, smaller variants, and owners' uploads. */
  images: { store: ImageStore; variants: Variants; uploads: Uploads }
  /** Files of imports, and the lists of their refused rows. */
  runFiles: RunFiles
  /** Checks, seals and tries notice channels. */
  noticeChannels: NoticeChannelTools
  /** Sources of supplier files: the rules that check them, the client that fetches, and the processes that read files. */
  sources: { rules: SourceRules; fetching: Fetching; readers: FileReaders }
  /** Base URL for documents that contain it. */
  publicUrl: () => string
  /** Whether publicUrl is the setting PUBLIC_URL. If not, it is the listening address, and browsers may know the service by another name. */
  isPublicUrlSet: boolean
  /** Rate limits of tokens and accounts. */
  rates: TokenRate
  /** Requests per account that are being answered. */
  places: AccountPlaces
  /** Reads and sends lists of products, limited by their size. */
  largeAnswers: LargeAnswers
  /** How many accounts a person may open in the panel; 0: accounts cannot be opened there. */
  accountsPerPerson: number
  /** Requests per second and token; 0: no limit. */
  ratePerSecond: number
  /** Proxies, as CIDR, whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[]
  /** When the last request arrived, by performance.now(): background work slows down after it. */
  traffic: { at: number }
  /** Metrics of this process. */
  figures: Figures
  metricsAccess: MetricsAccess
  /** Names what is not ready; empty: everything is. */
  unready: () => Promise<string[]>
  backups: Backups
  version: string
  /** The token for routes below /v1/operator; null: they do not exist. */
  operatorToken: string | null
}

/** Registers the handlers of related routes. */
export type Handlers = (app: FastifyInstance, context: ServeContext) => void

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** The authenticated caller; routes under /v1 always have one. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a route outside /v1 asked for its caller')
  return request.caller
}
