import type { Cursor } from '../answers.ts'
import { ShelfwireError } from '../error.ts'
import { cursorAfter, positionOf } from '../sync/position.ts'
import type { Request } from '../sender.ts'
import type { Target } from '../sync/target.ts'
import { compareByDigest } from './compare-by-digest.ts'
import { compareByExport } from './compare-by-export.ts'
import type { Changes, Comparing, Comparison, Shelf } from './comparison.ts'
import type { VerifiableTarget } from './held.ts'
import { repair } from './repair.ts'
import { differingIn, reportMirrorCheck } from './report-mirror-check.ts'
import { VerifyError } from './verify-error.ts'

// Compares a mirror with the service as of the mirror's own cursor. Products that have changed since are not compared, because the mirror has
// not read those changes yet; all others must be equal. So a change that is made meanwhile is never taken for a difference, and products that
// are not compared are written as a whole when the mirror reads their change.

export interface VerifyOptions {
  /** Slugs. */
  stores: readonly string[]
  /**
   * Brings the mirror up to date first, then reads missing or different products again, and removes those that the service does not have.
   * Unless set, nothing is written.
   */
  repair?: boolean | undefined
  /**
   * The mirror's name, 1 to 100 characters. Where it is set, the result is reported to the account, and the panel shows it. After a repair the mirror
   * is compared once more, and that result is reported.
   */
  name?: string | undefined
  signal?: AbortSignal | undefined
  /** Called with the number of products of a store that have been compared so far. */
  onProgress?: (store: string, products: number) => void
}

export interface Verified extends Comparison {
  /** Whether nothing was found, before a repair. */
  isEqual: boolean
  /** How many products the repair wrote and removed; null: none was requested, or nothing was found. */
  repaired: { written: number; removed: number } | null
  /** Whether the account has the report; null: no name was given. */
  isTold: boolean | null
}

/** A repair and a report use these functions of the client, too. */
interface SyncingShelf extends Shelf {
  request(request: Request): Promise<unknown>
  sync(options: { stores: readonly string[]; target: Target }): {
    once(options: { signal: AbortSignal }): Promise<void>
  }
}

/** @throws VerifyError; ShelfwireError */
export async function verify(
  shelf: SyncingShelf,
  target: VerifiableTarget,
  options: VerifyOptions,
): Promise<Verified[]> {
  const {
    stores,
    repair: isRepairing = false,
    name,
    signal = new AbortController().signal,
    onProgress = () => {},
  } = options
  if (isRepairing) await shelf.sync({ stores, target }).once({ signal })
  const all: Verified[] = []
  for (const store of stores) {
    const comparing = { shelf, target, store, detailed: 100, signal }
    const comparison = await compare({ ...comparing, onProgress: (products) => onProgress(store, products) })
    const isEqual = comparison.findings.length === 0 && comparison.damages.length === 0
    const repaired = isRepairing && !isEqual ? await repair(shelf, target, comparison, signal) : null
    let isTold: boolean | null = null
    if (name !== undefined) {
      const last = repaired === null ? comparison : await compare({ ...comparing, onProgress() {} })
      isTold = await reportMirrorCheck(shelf, {
        store,
        mirror: name,
        cursor: last.cursor,
        differing: differingIn(last),
        signal,
      })
    }
    all.push({ ...comparison, isEqual, repaired, isTold })
  }
  return all
}

/** Compares one store, by digests where the service has them, otherwise by its export. @throws VerifyError; ShelfwireError */
export async function compare(comparing: Comparing): Promise<Comparison> {
  const { shelf, target, store, signal } = comparing
  const cursor = await cursorOf(target, store)
  const ids = new Set<number>()
  let read = cursor
  const changes: Changes = {
    ids,
    async readOn() {
      read = await addChanges(shelf, store, read, ids, signal)
    },
  }
  // before the comparison, so that products known to have changed are not compared; and after it, for changes that were made meanwhile
  await changes.readOn()
  const found = (await compareByDigest(comparing, changes)) ?? (await compareByExport(comparing, changes))
  await changes.readOn()
  const findings = found.findings.filter(({ id }) => !ids.has(id))
  return { ...found, store, findings, changed: ids.size, asOf: cursor.since, cursor }
}

async function cursorOf(target: VerifiableTarget, store: string): Promise<Cursor> {
  const text = await target.position(store)
  const position = text === null ? null : positionOf(store, text)
  if (position?.kind !== 'following')
    throw new VerifyError(
      'not-filled',
      `${store}: the mirror is not filled yet: run \`mirror\` until it says that it is up to date`,
    )
  return { since: position.since, since_id: position.since_id }
}

/** Adds the ids of products that have changed since a cursor. @returns the cursor at the end of the feed */
async function addChanges(
  shelf: Shelf,
  store: string,
  cursor: Cursor,
  changed: Set<number>,
  signal: AbortSignal,
): Promise<Cursor> {
  for (let at = cursor; ;) {
    const answer = await shelf.changes({ store, cursor: at, signal }).catch((error: unknown) => {
      if (error instanceof ShelfwireError && error.code === 'cursor-ahead')
        throw new VerifyError(
          'cursor-ahead',
          `${store}: the service was restored from a backup older than this mirror: run \`mirror\`, which fills it again`,
          error,
        )
      throw error
    })
    for (const change of answer.changes) changed.add(change.product_id)
    at = cursorAfter(at, answer)
    if (!answer.has_more) return at
  }
}
