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
import { differingIn, tell } from './tell.ts'
import { VerifyError } from './verify-error.ts'

// Compares a mirror with the service at the mirror's own cursor: what the feed shows after that cursor is not compared, because the mirror
// has not read it yet, and everything else must be equal. So changes that are made meanwhile are never taken for differences, and what is
// not compared is written whole when the mirror reads its change.

export interface VerifyOptions {
  /** Slugs. */
  stores: readonly string[]
  /**
   * Reads what the feed has first, then what is missing or different, and removes what the service does not have. Unless set, nothing is
   * written.
   */
  repair?: boolean | undefined
  /**
   * What the mirror is called, 1 to 100 characters: then the account is told what was found, and the panel shows it. After a repair it is compared
   * once more, and told how it is then.
   */
  name?: string | undefined
  signal?: AbortSignal | undefined
  /** Told how many products of a store have been compared. */
  onProgress?: (store: string, products: number) => void
}

export interface Verified extends Comparison {
  /** Whether nothing was found. After a repair it is what was found before. */
  isEqual: boolean
  /** How many products were written and removed; null: it was not asked for, or nothing was found. */
  repaired: { written: number; removed: number } | null
  /** Whether the account has been told; null: no name was given. */
  isTold: boolean | null
}

/** What a repair needs besides: to read what the feed has. */
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
      isTold = await tell(shelf, { store, mirror: name, cursor: last.cursor, differing: differingIn(last), signal })
    }
    all.push({ ...comparison, isEqual, repaired, isTold })
  }
  return all
}

/** By digests where the service has them, otherwise by its export. @throws VerifyError; ShelfwireError */
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
  // before anything is compared, so that what is known to be behind costs nothing; and after it, for what was changed meanwhile
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

/** Adds what the feed shows after a cursor. @returns where it ends */
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
