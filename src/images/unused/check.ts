import { randomUUID } from 'node:crypto'
import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ImageType } from '../inspect/image-type.ts'
import { recordOutcomes } from '../mirror/record-outcomes.ts'
import { bytesLockShared } from '../mirror/records.sql.ts'
import type { ImageStore } from '../store/image-store.ts'
import { hashesUsed, imagesLease, storedAfter, type StoredRow } from './unused.sql.ts'

/** A mirrored picture that is not in the store, or has another length there than in the database. */
export interface LostImage {
  accountId: number
  url: string
  hash: string
  what: 'missing' | 'other length'
  /** `fetched again`: its original is shown until then. `dead`: it is an upload, and the owner has to upload it again. */
  repair: 'none' | 'fetched again' | 'dead'
}

/** The result of a comparison of the database with the store. */
export interface ImageCheck {
  /** Number of mirrored pictures of all accounts. */
  pictures: number
  lost: LostImage[]
  /** Number of lost pictures; `lost` has the first LOST_KEPT of them. */
  lostTotal: number
  /** Number of stored pictures. */
  stored: number
  storedBytes: number
  /** Number of stored pictures that no account uses; they are removed later. */
  unused: number
  unusedBytes: number
}

const LOST_KEPT = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Compares the pictures that accounts use with those in the store, in both directions.
 * @param options.repair makes payloads show the originals of lost pictures, and has them fetched again.
 */
export async function checkImages(
  db: Db,
  store: ImageStore,
  accountIds: readonly number[],
  options: { repair: boolean },
  onProgress: (done: number) => void = () => {},
): Promise<ImageCheck> {
  const check: ImageCheck = {
    pictures: 0,
    lost: [],
    lostTotal: 0,
    stored: 0,
    storedBytes: 0,
    unused: 0,
    unusedBytes: 0,
  }
  for (const accountId of accountIds) {
    for (let after = FIRST; ;) {
      const rows = await storedAfter(db, accountId, after, LIMITS.imageListPage)
      after = rows.at(-1)?.urlHash ?? after
      check.pictures += rows.length
      for (const [row, what] of await lostOf(store, rows)) {
        const isRepaired = options.repair && (await repair(db, store, accountId, row))
        check.lostTotal += 1
        if (check.lost.length < LOST_KEPT)
          check.lost.push({
            accountId,
            url: row.url,
            hash: row.hash,
            what,
            repair: !isRepaired ? 'none' : row.isFetched ? 'fetched again' : 'dead',
          })
      }
      onProgress(check.pictures)
      if (rows.length < LIMITS.imageListPage) break
    }
  }
  let page: { hash: string; bytes: number }[] = []
  const judge = async () => {
    const used = await hashesUsed(
      db,
      page.map(({ hash }) => hash),
    )
    for (const { hash, bytes } of page) {
      check.stored += 1
      check.storedBytes += bytes
      if (used.has(hash)) continue
      check.unused += 1
      check.unusedBytes += bytes
    }
    page = []
  }
  for await (const stored of store.list()) {
    page.push(stored)
    if (page.length >= LIMITS.imageListPage) await judge()
  }
  await judge()
  return check
}

async function lostOf(store: ImageStore, rows: readonly StoredRow[]): Promise<[StoredRow, LostImage['what']][]> {
  const lost: [StoredRow, LostImage['what']][] = []
  for (const row of rows) {
    const what = await lossOf(store, row)
    if (what !== null) lost.push([row, what])
  }
  return lost
}

async function lossOf(store: ImageStore, row: StoredRow): Promise<LostImage['what'] | null> {
  const found = await store.stat(row.hash, row.type as ImageType)
  if (found === undefined) return 'missing'
  return found.bytes === row.bytes ? null : 'other length'
}

/** @returns whether the picture was still lost; its products are then marked. */
async function repair(db: Db, store: ImageStore, accountId: number, row: StoredRow): Promise<boolean> {
  const isLost = await inTransaction(db, async (tx) => {
    await bytesLockShared(tx, [row.hash])
    if ((await lossOf(store, row)) === null) return false
    const leaseId = randomUUID()
    await imagesLease(tx, accountId, [row.urlHash], leaseId)
    await recordOutcomes(tx, accountId, leaseId, [
      { urlHash: row.urlHash, outcome: { kind: 'lost', hasSource: row.isFetched } },
    ])
    return true
  })
  return isLost
}
