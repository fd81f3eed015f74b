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

/** Who may read the figures. */
export interface MetricsAccess {
  /** A bearer token that is needed; null: none. */
  token: string | null
  /** Whether they have a listener of their own, and are not at the port of the API. */
  isApart: boolean
  /** Whether a proxy stands in front of the API: then a connection from this machine may come from anybody. */
  isBehindProxy: boolean
}

/** Dependencies of the routes; created once by the composition root. */
export interface ServeContext {
  db: Db
  log: Log
  wake: Wake
  writes: Writes
  authenticator: Authenticator
  /** The logs of what was asked with each token. */
  tokenRequests: TokenRequests
  stores: StoreDirectory
  lookup: Lookup
  windows: ReadWindow
  /** Who signs in to the panel. */
  people: People
  /** Look-ups of their sessions. */
  sessions: SecretLookups
  /** What owners do with their endpoints; `note` runs in the transaction of each change. */
  endpoints: (note: EndpointNote) => Endpoints
  waiters: Waiters
  /** Pictures: served from the store, smaller ones made, and those that owners send. */
  images: { store: ImageStore; variants: Variants; uploads: Uploads }
  /** Files that are imported, and lists of their refused rows. */
  runFiles: RunFiles
  /** Sources of supplier files: what they are checked by, how they are tried, and what reads files. */
  noticeChannels: NoticeChannelTools
  sources: { rules: SourceRules; fetching: Fetching; readers: FileReaders }
  /** Base URL for documents that contain it. */
  publicUrl: () => string
  /** Whether it is PUBLIC_URL; otherwise it is where the service listens, and browsers may use another name of it. */
  isPublicUrlSet: boolean
  /** Limits of accounts, what tokens and accounts may still send, and what of them is being answered. */
  rates: TokenRate
  places: AccountPlaces
  /** By which lists of products are read and sent. */
  largeAnswers: LargeAnswers
  /** How many accounts a person may own that opens one in the panel; 0: none are opened there. */
  accountsPerPerson: number
  /** Requests per second and token; 0: no limit. */
  ratePerSecond: number
  /** Proxies, as CIDR, whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[]
  /** When the last request came, by performance.now(): other work leaves time to those that follow. */
  traffic: { at: number }
  /** For /metrics. */
  figures: Figures
  metricsAccess: MetricsAccess
  /** Says what is not ready; empty when everything is. */
  unready: () => Promise<string[]>
  backups: Backups
  version: string
  /** What routes below /v1/operator are called with; null: there are none. */
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
