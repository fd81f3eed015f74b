import { requireRoom } from '../../accounts/limits/limits.ts'
import { randomUUID } from 'node:crypto'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { Check } from '../../input/check.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Seal } from '../../platform/secrets/seal.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { CHANGE_KINDS, type ChangeKind } from '../../model/change.ts'
import type { Outbound } from '../../outbound/client.ts'
import { counterGet, lastNumberBefore } from '../../shelf/payloads/change-counter.sql.ts'
import { nextHealth } from '../health/health.ts'
import { listingNow } from '../deliver/claims.sql.ts'
import { bodyOf } from '../plan/body.ts'
import { announceNow, startsAfterEdit, startsAt, startsAfterRewind } from '../plan/plan.ts'
import { deliveriesInsert, deliveriesVoid, type NewDelivery } from '../deliver/records.sql.ts'
import { sealContext } from '../secret.ts'
import { newSecret } from '../../outbound/signature.ts'
import {
  deliveryGet,
  deliveryUnpark,
  endpointDelete,
  endpointInsert,
  endpointLock,
  endpointUpdate,
  ownerChangeApply,
  endpointsList,
  secretRestore,
  secretRotate,
  secretSwitchTimeUpdate,
  manualWaiting,
  type LockedEndpoint,
  type Overlap,
} from './endpoints.sql.ts'
import { must, single } from '../../platform/must.ts'

export interface NewEndpoint {
  url: string
  kinds: readonly string[]
  /** null: all stores. */
  storeId: number | null
}

export type EndpointChanges = Partial<NewEndpoint> & { isEnabled?: boolean }

export interface Rotation {
  /** The new secret, which cannot be read again. */
  secret: string
  /** When the new secret begins to sign X-Service-Signature; null: it already does. */
  switchAt: Date | null
  /** Until when the old secret signs, in either header; null: it no longer does. */
  previousUntil: Date | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Runs after a change, in its transaction. */
export type EndpointNote = (tx: Tx, endpointId: number) => PromiseLike<unknown>
/** Refuses a change by throwing, given the endpoint as it is under its lock. */
export type EndpointCheck = (current: LockedEndpoint) => void

/** Actions of owners on their endpoints, in the panel and by commands. Safe while a delivery is in flight. */
export class Endpoints {
  readonly #db: Db
  readonly #wake: Wake
  readonly #seal: Seal
  readonly #outbound: Outbound
  readonly #note: EndpointNote

  /** @param note called for every change, including tests and redeliveries. */
  constructor(db: Db, wake: Wake, seal: Seal, outbound: Outbound, note: EndpointNote = async () => {}) {
    this.#db = db
    this.#wake = wake
    this.#seal = seal
    this.#outbound = outbound
    this.#note = note
  }

  /** Creates an endpoint that gets changes from now on. @returns its signing secret, which cannot be read again. */
  async create(accountId: number, input: NewEndpoint): Promise<{ endpointId: number; secret: string }> {
    const { url, kinds } = checkEndpoint(input)
    const address = (await this.#outbound.check(url)).href
    const secret = newSecret()
    const endpointId = await inTransaction(this.#db, async (tx) => {
      // first, because the limit and the uniqueness of URLs depend on all endpoints of the account
      await settingsLock(tx, accountId)
      const existing = await endpointsList(tx, accountId)
      await requireRoom(tx, accountId, 'endpoints', existing.length)
      await refuseOverlap(tx, accountId, { url: address, storeId: input.storeId }, existing)
      const head = must(await counterGet(tx, accountId)).lastId
      const row = {
        url: address,
        kinds,
        storeId: input.storeId,
        secret: this.#seal.close(secret, sealContext(accountId)),
      }
      const made = await endpointInsert(tx, accountId, row, head, startsAt({ kinds, storeId: input.storeId }, head))
      await this.#note(tx, made)
      return made
    })
    this.#wake.notify('endpoint', accountId)
    return { endpointId, secret }
  }

  /**
   * Members not given keep their values; new kinds and stores start now. A failing endpoint is tried at once. All of it is one transaction,
   * which calls `check` once.
   */
  async edit(accountId: number, endpointId: number, changes: EndpointChanges, check?: EndpointCheck): Promise<void> {
    const { url, kinds, storeId, isEnabled } = changes
    const address = url === undefined ? undefined : (await this.#outbound.check(url)).href
    const hasSettings = url !== undefined || kinds !== undefined || storeId !== undefined
    /** The settings with the changes applied, checked against the account's other endpoints. */
    const settingsAfter = async (tx: Tx, endpoint: LockedEndpoint) => {
      const input = {
        url: address ?? endpoint.url,
        kinds: kinds ?? endpoint.kinds,
        storeId: storeId === undefined ? endpoint.storeId : storeId,
      }
      const next = { ...endpoint, ...checkEndpoint(input), storeId: input.storeId }
      const others = (await endpointsList(tx, accountId)).filter((row) => row.endpointId !== endpointId)
      await refuseOverlap(tx, accountId, next, others)
      const isSame =
        next.url === endpoint.url && next.storeId === endpoint.storeId && next.kinds.join() === endpoint.kinds.join()
      return isSame ? endpoint : next
    }
    const edit = async (tx: Tx, endpoint: LockedEndpoint) => {
      check?.(endpoint)
      const next = hasSettings ? await settingsAfter(tx, endpoint) : endpoint
      const isSwitched = isEnabled !== undefined && isEnabled !== endpoint.isEnabled
      if (next === endpoint && !isSwitched) return
      await endpointUpdate(tx, accountId, { ...next, isEnabled: isEnabled ?? endpoint.isEnabled })
      const { health } = nextHealth(
        { failures: endpoint.failures, isPaused: endpoint.pausedUntil !== null },
        'enabled',
        0,
      )
      await this.#startGeneration(tx, accountId, endpoint, {
        ...(next === endpoint ? {} : { starts: startsAfterEdit(endpoint.starts, next, endpoint.head) }),
        ...(isSwitched && isEnabled ? { failures: health.failures, pausedUntil: null } : {}),
      })
    }
    // with settings locked, because URLs are compared with those of the account's other endpoints
    await this.#onLocked(accountId, endpointId, edit, hasSettings ? (tx) => settingsLock(tx, accountId) : undefined)
  }

  /** While an endpoint is disabled, its changes wait; they are delivered once it is enabled again. */
  async setEnabled(accountId: number, endpointId: number, isEnabled: boolean): Promise<void> {
    await this.edit(accountId, endpointId, { isEnabled })
  }

  async remove(accountId: number, endpointId: number): Promise<void> {
    await this.#onLocked(accountId, endpointId, (tx) => endpointDelete(tx, accountId, endpointId))
  }

  /**
   * Creates a new secret. Until the switch the old one signs X-Service-Signature and the new one X-Service-Signature-Next; afterwards the
   * new one signs X-Service-Signature and the old one X-Service-Signature-Previous, for LIMITS.webhookSecretOverlapHours.
   * @param switchAfterHours 0 to LIMITS.webhookSwitchHoursMax, or `leaked`: the new secret at once, the old one never again.
   * @throws ShelfwireError `conflict` while two secrets sign, except with `leaked`
   */
  async rotate(accountId: number, endpointId: number, switchAfterHours: number | 'leaked'): Promise<Rotation> {
    const secret = newSecret()
    if (switchAfterHours !== 'leaked') {
      const check = new Check()
      check.integer('after', switchAfterHours, 0, LIMITS.webhookSwitchHoursMax)
      check.done('rotation')
    }
    return await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      const overlap =
        switchAfterHours === 'leaked' ? null : overlapFrom(endpoint.now.getTime() + switchAfterHours * HOUR_MS)
      if (overlap !== null) refuseThirdSecret(endpoint)
      await secretRotate(tx, accountId, endpointId, this.#seal.close(secret, sealContext(accountId)), overlap)
      const isSwitched = overlap === null || overlap.switchAt <= endpoint.now
      return {
        secret,
        switchAt: isSwitched ? null : overlap.switchAt,
        previousUntil: overlap?.previousUntil ?? null,
      }
    })
  }

  /** Switches now instead of at the time given to `rotate`. @throws ShelfwireError `conflict` if no switch is pending */
  async switchSecret(accountId: number, endpointId: number): Promise<void> {
    await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      requireSwitchToCome(endpoint)
      await secretSwitchTimeUpdate(tx, accountId, endpointId, overlapFrom(endpoint.now.getTime()))
    })
  }

  /** Deletes the new secret before its switch; the old one remains. @throws ShelfwireError `conflict` if no switch is pending */
  async cancelRotation(accountId: number, endpointId: number): Promise<void> {
    await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      requireSwitchToCome(endpoint)
      await secretRestore(tx, accountId, endpointId)
    })
  }

  /** Tries a delivery now that waits for a retry or a cooldown. @throws ShelfwireError `conflict` if the endpoint is disabled */
  async resume(accountId: number, endpointId: number): Promise<void> {
    await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      if (!endpoint.isEnabled)
        throw new ShelfwireError('conflict', `endpoint ${endpointId} is disabled; enable it first`)
      const { health } = nextHealth(
        { failures: endpoint.failures, isPaused: endpoint.pausedUntil !== null },
        'resumed',
        0,
      )
      await ownerChangeApply(tx, accountId, {
        ...endpoint,
        pausedUntil: health.isPaused ? endpoint.now : null,
        isTriedNow: true,
        isFresh: false,
      })
    })
  }

  /** Sends a delivery without products, which does not affect the endpoint's health. @returns its id. */
  async test(accountId: number, endpointId: number): Promise<string> {
    return await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      const announcement = { event: endpoint.kinds[0] ?? 'content', storeId: endpoint.storeId, productIds: [] }
      const ids = await this.#addManual(tx, accountId, endpoint, [
        {
          ...announcement,
          endpointId,
          deliveryId: randomUUID(),
          origin: 'test',
          body: bodyOf(announcement, formatTimestamp(endpoint.now)),
          positionAfter: null,
          parks: null,
        },
      ])
      return single(ids)
    })
  }

  /**
   * Announces the products of a delivery in their current state, also while the endpoint is paused. @returns the ids of the new deliveries.
   */
  async redeliver(accountId: number, endpointId: number, deliveryId: string): Promise<string[]> {
    return await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      const old = UUID.test(deliveryId) ? await deliveryGet(tx, accountId, endpointId, deliveryId) : undefined
      if (old === undefined)
        throw new ShelfwireError(
          'unknown-reference',
          `endpoint ${endpointId} has no delivery "${deliveryId.slice(0, 40)}"`,
        )
      if (old.state === 'waiting')
        throw new ShelfwireError(
          'conflict',
          'this delivery is still waiting to be sent; resume the endpoint to try it now',
        )
      const isParked = old.state === 'parked'
      // by the current subscription: an endpoint of one store gets that store's changes only
      const current = { ...old, storeId: endpoint.storeId ?? old.storeId }
      const found = announceNow(current, endpoint.kinds, await listingNow(tx, accountId, old.productIds))
      if (found.length === 0)
        throw new ShelfwireError(
          'conflict',
          'this endpoint does not subscribe to the current state of the products of this delivery',
        )
      if (isParked) await deliveryUnpark(tx, accountId, endpointId, deliveryId)
      const planned = found.map((announcement): NewDelivery => {
        const parks = isParked ? [announcement] : null
        return {
          ...announcement,
          endpointId,
          deliveryId: randomUUID(),
          origin: 'redelivery',
          body: null,
          positionAfter: null,
          parks,
        }
      })
      return await this.#addManual(tx, accountId, endpoint, planned)
    })
  }

  /** Moves the endpoint back, so that everything that changed at or after `since` is announced again. */
  async rewind(accountId: number, endpointId: number, since: Date): Promise<void> {
    await this.#onLocked(accountId, endpointId, async (tx, endpoint) => {
      const check = new Check()
      const ageMs = endpoint.now.getTime() - since.getTime()
      check.that(
        ageMs >= 0 && ageMs <= LIMITS.webhookRewindDaysMax * DAY_MS,
        'since',
        `must be within the last ${LIMITS.webhookRewindDaysMax} days`,
      )
      check.done('rewind')
      // an endpoint at that position gets everything from `since` on; changes are dated in whole seconds
      const before = await lastNumberBefore(tx, accountId, new Date(Math.floor(since.getTime() / 1_000) * 1_000))
      await this.#startGeneration(tx, accountId, endpoint, {
        position: Math.min(endpoint.position, before),
        starts: startsAfterRewind(endpoint.starts, before),
      })
    })
  }

  /** Runs `work` on a locked endpoint, after `first` if given, and wakes the delivery loop. */
  async #onLocked<T>(
    accountId: number,
    endpointId: number,
    work: (tx: Tx, endpoint: LockedEndpoint) => Promise<T>,
    first?: (tx: Tx) => Promise<void>,
  ): Promise<T> {
    const result = await inTransaction(this.#db, async (tx) => {
      await first?.(tx)
      const endpoint = await endpointLock(tx, accountId, endpointId)
      if (endpoint === undefined)
        throw new ShelfwireError('unknown-reference', `account ${accountId} has no endpoint ${endpointId}`)
      const result = await work(tx, endpoint)
      await this.#note(tx, endpointId)
      return result
    })
    this.#wake.notify('endpoint', accountId)
    return result
  }

  /** Starts a new generation: planned deliveries are void, and results of older generations change nothing. */
  async #startGeneration(
    tx: Tx,
    accountId: number,
    endpoint: LockedEndpoint,
    changes: Partial<Parameters<typeof ownerChangeApply>[2]>,
  ) {
    await deliveriesVoid(tx, accountId, [endpoint.endpointId], 'void', true)
    await ownerChangeApply(tx, accountId, {
      ...endpoint,
      isTriedNow: true,
      isFresh: true,
      ...changes,
      generation: endpoint.generation + 1,
    })
  }

  /** Adds manual deliveries, which precede those from the log. */
  async #addManual(tx: Tx, accountId: number, endpoint: LockedEndpoint, deliveries: readonly NewDelivery[]) {
    if (!endpoint.isEnabled)
      throw new ShelfwireError('conflict', `endpoint ${endpoint.endpointId} is disabled; enable it first`)
    if ((await manualWaiting(tx, accountId, endpoint.endpointId)) + deliveries.length > LIMITS.webhookManualQueueMax) {
      throw new ShelfwireError(
        'conflict',
        `endpoint ${endpoint.endpointId} has ${LIMITS.webhookManualQueueMax} tests and redeliveries waiting; try again when they are sent`,
      )
    }
    await deliveriesInsert(tx, accountId, deliveries)
    await ownerChangeApply(tx, accountId, { ...endpoint, isTriedNow: false, isFresh: false })
    return deliveries.map((delivery) => delivery.deliveryId)
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** After the switch, the old secret signs in the other header for LIMITS.webhookSecretOverlapHours. */
function overlapFrom(switchAtMs: number): Overlap {
  return {
    switchAt: new Date(switchAtMs),
    previousUntil: new Date(switchAtMs + LIMITS.webhookSecretOverlapHours * HOUR_MS),
  }
}

/** Refuses a rotation while two secrets sign. With a third, a receiver configured with the first might know neither secret that signs. */
function refuseThirdSecret({ switchAt, previousUntil, now }: LockedEndpoint): void {
  if (previousUntil === null || previousUntil <= now) return
  throw new ShelfwireError(
    'conflict',
    switchAt !== null && switchAt > now
      ? `a new secret signs from ${formatTimestamp(switchAt)}; switch to it now or cancel it first, or rotate as leaked`
      : `the previous secret still signs until ${formatTimestamp(previousUntil)}; rotate again after that, or as leaked`,
  )
}

function requireSwitchToCome({ endpointId, switchAt, previousUntil, now }: LockedEndpoint): void {
  if (switchAt !== null && switchAt > now && previousUntil !== null && previousUntil > now) return
  throw new ShelfwireError('conflict', `endpoint ${endpointId} has no new secret that waits for its switch`)
}

function isKind(name: string): name is ChangeKind {
  return CHANGE_KINDS.some((kind) => kind === name)
}

function checkEndpoint({ url, kinds }: Pick<NewEndpoint, 'url' | 'kinds'>): { url: string; kinds: ChangeKind[] } {
  const check = new Check()
  const known = CHANGE_KINDS.join(', ')
  check.that(kinds.length > 0, 'events', `must name at least one of ${known}`)
  for (const kind of kinds)
    check.that(isKind(kind), 'events', `"${kind.slice(0, 40)}" is not an event; events are ${known}`)
  check.done('endpoint')
  return { url, kinds: CHANGE_KINDS.filter((kind) => kinds.includes(kind)) }
}

async function refuseOverlap(
  tx: Tx,
  accountId: number,
  next: { url: string; storeId: number | null },
  others: readonly { endpointId: number; url: string; storeId: number | null }[],
): Promise<void> {
  if (next.storeId !== null && !(await storesList(tx, accountId)).some((store) => store.storeId === next.storeId)) {
    throw new ShelfwireError('unknown-store', `the account has no store ${next.storeId}`)
  }
  const same = others.find(
    (row) => row.url === next.url && (row.storeId === null || next.storeId === null || row.storeId === next.storeId),
  )
  if (same === undefined) return
  throw new ShelfwireError(
    'conflict',
    `endpoint ${same.endpointId} already sends the same store's changes to this URL; edit that one`,
  )
}
