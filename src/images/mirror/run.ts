import { remainingIn, stocksOf } from '../../accounts/limits/use.ts'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Outbound } from '../../outbound/client.ts'
import { asError } from '../../platform/errors.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ImageStore } from '../store/image-store.ts'
import type { Unfinished } from '../../objects/unfinished.ts'
import { imagesClaim, imagesRelease, runClaim, type Claim, type Slot } from './claims.sql.ts'
import { fetchOriginal, type Fetched } from './fetch-original.ts'
import { releaseHost, type HostRelease } from './release-host.ts'
import { bytesLockShared, bytesUnused, imagesDelete, imagesLockForRemoval, imagesUnnamed } from './records.sql.ts'
import { writeNotices } from '../../notices/write-notice.sql.ts'
import { failingNotice } from './notices.sql.ts'
import { recordOutcomes } from './record-outcomes.ts'
import type { Outcome } from './state.ts'
import type { Decoders, Wanted } from '../decode/decoders.ts'
import { inspectImage } from '../decode/inspect-image.ts'

/** From so many failures of a host in a row on, each counts as a failed look at the host's due copies, at most at so many. */
const HOST_DOWN_FAILURES = 3
const HOST_DOWN_IMAGES = 1_000

export interface RunOptions {
  db: Db
  outbound: Outbound
  store: ImageStore
  decoders: Decoders
  /** Makes paths for files that are being fetched. */
  unfinished: Unfinished
  /** Requests per second to one host, over all its slots together. */
  perSecond: number
  slots: number
  /** Whether a picture of so many bytes may still be stored. */
  hasRoom: (bytes: number) => boolean
  onStored: (bytes: number) => void
  usedBytes: () => number
  onFetched: (outcome: string, ms: number) => void
  /** Called if a picture could not be inspected or stored for a reason that has nothing to do with the picture. */
  onTrouble: (error: Error) => void
}

/** A fetched picture whose outcome has to be recorded; its bytes are in the store already. */
interface Done {
  claim: Claim
  outcome: Outcome
}

/** The state of a run. */
interface Run extends HostRelease {
  done: Done[]
  /** Claimed pictures that have not been fetched. At the end they are released. */
  left: Claim[]
  /** Time in ms until those are due again. */
  leftPauseMs: number
  /** The file that is being written. */
  file: string | null
  /** The last failure, if the host has not answered any request of this run; otherwise null. */
  downBecause: string | null
}

/**
 * Fetches an account's due pictures of one host, one after the other at the pace of the slot, and records
 * all outcomes together. The bytes of a picture are in the store before its row says so.
 * @returns whether products were marked, because pictures changed
 */
export async function runHost(
  ofProcess: RunOptions,
  accountId: number,
  slot: Slot,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = ofProcess
  const options = await withinBudget(ofProcess, accountId)
  const leaseId = randomUUID()
  const run: Run = {
    done: [],
    left: [],
    leftPauseMs: 0,
    file: null,
    restMs: null,
    hasAnswered: false,
    downBecause: null,
    slotPauseMs: 0,
  }
  try {
    const claims = await inTransaction(db, (tx) =>
      runClaim(tx, accountId, slot.host, LIMITS.mirrorRunImages, leaseId, LIMITS.mirrorLeaseMs),
    )
    faultPoint('mirror:after-claim')
    const forgotten = await forgetUnnamed(db, accountId, claims, leaseId)
    run.left = claims.filter(({ urlHash }) => !forgotten.has(urlHash))
    await fetchAll(options, accountId, slot, run, signal)
    await countFailedLooks(options, accountId, slot, leaseId, run)
    const isMarked = await record(options, accountId, leaseId, run.done)
    await writeRunNotices(options, accountId, slot.host, run.done)
    return isMarked
  } finally {
    if (run.file !== null) await rm(run.file, { force: true })
    const left = run.left.map(({ urlHash }) => urlHash)
    if (left.length > 0) await inTransaction(db, (tx) => imagesRelease(tx, accountId, left, leaseId, run.leftPauseMs))
    await releaseHost(db, slot, run)
  }
}

/** The options of a run for one account, with the account's budgets, which are read once per run. */
async function withinBudget(options: RunOptions, accountId: number): Promise<RunOptions> {
  let [pictures = 0, bytes = 0] = (await stocksOf(options.db, accountId, ['pictures', 'picture_bytes'])).map(
    remainingIn,
  )
  return {
    ...options,
    hasRoom: (more) => options.hasRoom(more) && pictures >= 1 && bytes > more,
    onStored(stored) {
      options.onStored(stored)
      pictures -= 1
      bytes -= stored
    },
  }
}

/**
 * A host that has not answered for a while is asked for only one picture at a time, so it would take weeks until each picture was
 * looked at. Therefore its silence counts as a failed look at all due pictures of which we have copies.
 */
async function countFailedLooks(
  { db }: RunOptions,
  accountId: number,
  slot: Slot,
  leaseId: string,
  run: Run,
): Promise<void> {
  if (run.downBecause === null || slot.failures + 1 < HOST_DOWN_FAILURES) return
  const outcome: Outcome = { kind: 'failed', reason: run.downBecause, retryAfterMs: null }
  const more = await inTransaction(db, (tx) =>
    imagesClaim(tx, accountId, slot.host, 'mirrored', HOST_DOWN_IMAGES, leaseId, LIMITS.mirrorLeaseMs),
  )
  const copies = [...run.left.filter(({ state }) => state === 'mirrored'), ...more]
  run.left = run.left.filter(({ state }) => state !== 'mirrored')
  run.done.push(...copies.map((claim) => ({ claim, outcome })))
}

/** Fetches the pictures of a run until its time is over, its host fails, or the process ends. */
async function fetchAll(
  options: RunOptions,
  accountId: number,
  slot: Slot,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const gapMs = (options.slots * 1_000) / options.perSecond
  const until = performance.now() + LIMITS.mirrorRunMs
  let nextAt = -Infinity
  let pauseMs = 0
  let failures = 0
  try {
    for (;;) {
      const [claim] = run.left
      if (claim === undefined || performance.now() >= until || signal.aborted) return
      // a picture with a copy is fetched even without room, because to find out that it is dead needs none
      if (claim.state !== 'mirrored' && !options.hasRoom(0)) {
        run.done.push({ claim, outcome: NO_ROOM })
        run.left = run.left.slice(1)
        continue
      }
      const waitMs = nextAt - performance.now()
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
      nextAt = performance.now() + gapMs
      if (signal.aborted) return
      run.file = await options.unfinished.path()
      const began = performance.now()
      const fetched = await fetchOriginal(options.outbound, {
        url: claim.url,
        validators: claim.state === 'mirrored' ? claim : null,
        file: run.file,
        key: `${slot.slot}`,
        signal,
      })
      faultPoint('mirror:after-fetch')
      // aborted by our shutdown, or failed by our network: nothing is learned about the picture
      if (fetched.kind === 'ours') {
        pauseMs = LIMITS.mirrorHostRestMs
        run.leftPauseMs = LIMITS.mirrorHostRestMs
        return
      }
      const wanted = { key: accountId, signal: AbortSignal.any([signal, AbortSignal.timeout(LIMITS.mirrorInspectMs)]) }
      const outcome = await outcomeOf(options, fetched, run.file, wanted).catch((error: unknown): Outcome | null => {
        if (signal.aborted) return null
        options.onTrouble(asError(error))
        return { kind: 'postponed', reason: 'local', retryAfterMs: LIMITS.mirrorTroubleRetryMs }
      })
      // aborted before it was inspected: it will be fetched again
      if (outcome === null) return
      run.left = run.left.slice(1)
      await rm(run.file, { force: true })
      run.file = null
      faultPoint('mirror:after-put')
      options.onFetched(outcome.kind === 'image' ? 'mirrored' : outcome.kind, performance.now() - began)
      run.done.push({ claim, outcome })
      if (fetched.kind !== 'failed') {
        run.hasAnswered = true
        failures = 0
        continue
      }
      failures += 1
      if (fetched.ofHost !== 'no') {
        run.restMs = fetched.retryAfterMs ?? 0
        run.downBecause = run.hasAnswered ? null : fetched.reason
        run.leftPauseMs = run.restMs
        if (fetched.ofHost === 'for-now') return
        const alike: Outcome = { kind: 'failed', reason: fetched.reason, retryAfterMs: null }
        run.done.push(...run.left.map((other) => ({ claim: other, outcome: alike })))
        run.left = []
        return
      }
      if (failures >= LIMITS.mirrorHostFailuresMax) {
        run.restMs = 0
        run.downBecause = run.hasAnswered ? null : fetched.reason
        return
      }
    }
  } finally {
    run.slotPauseMs = Math.max(pauseMs, nextAt - performance.now(), 0)
  }
}

/** The outcome if pictures use as much space as they may: the original is shown. */
const NO_ROOM = {
  kind: 'postponed',
  reason: 'no_room',
  retryAfterMs: LIMITS.mirrorFullRetryMs,
} as const satisfies Outcome

/** The outcome of a fetch; a file is inspected and stored. */
async function outcomeOf(
  options: RunOptions,
  fetched: Exclude<Fetched, { kind: 'ours' }>,
  file: string,
  wanted: Wanted,
): Promise<Outcome> {
  if (fetched.kind !== 'file') {
    if (fetched.kind !== 'failed') return fetched
    return { kind: 'failed', reason: fetched.reason, retryAfterMs: fetched.retryAfterMs }
  }
  const found = await inspectImage(options.decoders, file, wanted).catch((error: unknown) => {
    // an answer without a body wrote no file
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { ok: false, reason: 'not_an_image', message: 'the answer is empty' } as const
    throw error
  })
  if (!found.ok) return { kind: 'gone', reason: found.reason }
  const { hash, type, width, height, bytes } = found
  if (!options.hasRoom(bytes)) return NO_ROOM
  await options.store.put(hash, file, type)
  options.onStored(bytes)
  const { etag, lastModified } = fetched
  return { kind: 'image', hash, type, width, height, bytes, etag, lastModified }
}

/**
 * Records the outcomes of a run in one transaction: states, and marks of the products that name a picture whose
 * shown URL changes. If the bytes of a picture have been removed since they were stored, it is not recorded but fetched again.
 * @returns whether products were marked.
 */
async function record(
  options: RunOptions,
  accountId: number,
  leaseId: string,
  done: readonly Done[],
): Promise<boolean> {
  if (done.length === 0) return false
  const { db, store } = options
  const isMarked = await inTransaction(db, async (tx) => {
    const hashes = done.flatMap(({ outcome }) => (outcome.kind === 'image' ? [outcome.hash] : []))
    await bytesLockShared(tx, hashes)
    const removed = await missingIn(store, hashes)
    const kept = done.filter(({ outcome }) => outcome.kind !== 'image' || !removed.has(outcome.hash))
    const changed = await recordOutcomes(
      tx,
      accountId,
      leaseId,
      kept.map(({ claim, outcome }) => ({ urlHash: claim.urlHash, outcome })),
    )
    faultPoint('mirror:before-commit')
    return changed
  })
  faultPoint('mirror:after-commit')
  return isMarked
}

/** Writes the notices of a run: no room, room again, or copies that will be given up. */
async function writeRunNotices(
  { db, usedBytes }: RunOptions,
  accountId: number,
  host: string,
  done: readonly Done[],
): Promise<void> {
  const isFailing = done.some(
    ({ claim, outcome }) => claim.state === 'mirrored' && (outcome.kind === 'gone' || outcome.kind === 'failed'),
  )
  if (isFailing) await inTransaction(db, (tx) => failingNotice(tx, accountId, host, LIMITS.imageToldAfterHours))
  // a transaction per notice: of two concurrent runs the second must see what the first has written
  const writeSpaceNotice = (kind: 'images_full' | 'images_resumed') =>
    inTransaction(db, (tx) =>
      writeNotices(tx, accountId, [{ endpointId: null, kind, facts: { used_bytes: usedBytes() } }]),
    )
  if (done.some(({ outcome }) => outcome === NO_ROOM)) await writeSpaceNotice('images_full')
  else if (done.some(({ claim, outcome }) => claim.reason === NO_ROOM.reason && outcome.kind === 'image'))
    await writeSpaceNotice('images_resumed')
}

async function missingIn(store: ImageStore, hashes: readonly string[]): Promise<Set<string>> {
  const unique = [...new Set(hashes)]
  const found = await Promise.all(unique.map((hash) => store.stat(hash)))
  return new Set(unique.filter((_, i) => found[i] === undefined))
}

/**
 * Deletes claimed pictures that no product names. Their rows are locked before that is checked: a product that begins to
 * name one meanwhile is either seen, or finds no row and inserts one. @returns the deleted ones.
 */
async function forgetUnnamed(
  db: Db,
  accountId: number,
  claims: readonly Claim[],
  leaseId: string,
): Promise<ReadonlySet<string>> {
  const hashes = claims.map(({ urlHash }) => urlHash)
  if (hashes.length === 0 || (await imagesUnnamed(db, accountId, hashes)).length === 0) return new Set()
  return inTransaction(db, async (tx) => {
    const locked = await imagesLockForRemoval(tx, accountId, hashes, leaseId)
    const unnamed = new Set(
      await imagesUnnamed(
        tx,
        accountId,
        locked.map(({ urlHash }) => urlHash),
      ),
    )
    const gone = locked.filter(({ urlHash }) => unnamed.has(urlHash))
    await bytesUnused(
      tx,
      accountId,
      gone.flatMap(({ hash }) => (hash === null ? [] : [hash])),
    )
    await imagesDelete(tx, accountId, [...unnamed])
    return unnamed
  })
}
