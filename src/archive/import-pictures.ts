import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inTransaction, type Db } from '../db/sql.ts'
import type { Decoders } from '../images/decode/decoders.ts'
import { inspectImage } from '../images/decode/inspect-image.ts'
import type { ImageType } from '../images/inspect/image-type.ts'
import { bytesLockShared } from '../images/mirror/records.sql.ts'
import { openRoom } from '../images/mirror/room.ts'
import { readStoredName, type ImageStore } from '../images/store/image-store.ts'
import { storedAfter } from '../images/unused/unused.sql.ts'
import type { Unfinished } from '../objects/unfinished.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import type { CheckedArchive } from './check.ts'
import { kindOfFile } from './files.ts'
import { archiveRefusal } from './refused.ts'
import type { ArchiveSource } from './source.ts'
import type { ReadFile } from './tar-read.ts'

// Pictures are stored before the rows that name them. Bytes are named by their hashes, so those that a killed import leaves are used by the next one,
// or removed in time like all unused bytes.

export interface PictureRooms {
  db: Db
  imageStore: ImageStore
  decoders: Decoders
  unfinished: Unfinished
  /** The limit for all stored pictures together; null: none. */
  imageStoreBytesMax: number | null
}

/**
 * Stores the pictures of a checked archive. They are untrusted files, so each is decoded first, like uploaded ones; a picture that this release does
 * not accept counts as missing.
 * @returns how many pictures of the archive are in the store now
 * @throws ShelfwireError conflict if there is no room
 */
export async function picturesImport(
  rooms: PictureRooms,
  source: ArchiveSource,
  { manifest, missing }: CheckedArchive,
  onProgress: (done: number, total: number, of: string) => void,
): Promise<number> {
  const { count, bytes } = manifest.pictures
  if (count === 0) return 0
  const room = openRoom(rooms.db, rooms.imageStoreBytesMax)
  await room.refresh()
  if (!room.has(bytes))
    throw new ShelfwireError(
      'conflict',
      `the pictures of the archive have ${bytes} bytes, and there is no room for them: raise IMAGE_STORE_GB`,
    )
  let stored = 0
  let seen = 0
  for await (const file of source.files()) {
    if (kindOfFile(file.path) !== 'picture') continue
    const { hash } = must(readStoredName(file.path.slice('pictures/'.length)))
    if (await storePicture(rooms, file)) stored += 1
    else missing.add(hash)
    onProgress((seen += 1), count, 'pictures')
  }
  return stored
}

/** Sorts before every key of a picture. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Stores pictures of an imported account once more whose bytes were removed before the rows that name them were committed: until then nobody else
 * sees that they are used, and the erasure of another account that has the same pictures removes them.
 * docs/decisions/169-an-account-is-imported-whole.md says why one transaction writes all rows.
 */
export async function picturesRestore(rooms: PictureRooms, source: ArchiveSource, accountId: number): Promise<void> {
  const { db, imageStore } = rooms
  const lost = new Set<string>()
  for (let after = FIRST; ;) {
    const rows = await storedAfter(db, accountId, after, LIMITS.erasurePicturesPerStep)
    await inTransaction(db, async (tx) => {
      // waits for transactions that remove bytes and began before the commit; later ones see the rows
      await bytesLockShared(
        tx,
        rows.map(({ hash }) => hash),
      )
      for (const { hash, type } of rows)
        if ((await imageStore.stat(hash, type as ImageType)) === undefined) lost.add(hash)
    })
    if (rows.length < LIMITS.erasurePicturesPerStep) break
    after = must(rows.at(-1)).urlHash
  }
  if (lost.size === 0) return
  for await (const file of source.files()) {
    if (kindOfFile(file.path) !== 'picture') continue
    const { hash } = must(readStoredName(file.path.slice('pictures/'.length)))
    if (lost.has(hash)) await storePicture(rooms, file)
  }
}

/** @returns whether the picture is in the store now */
async function storePicture(
  { imageStore, decoders, unfinished }: PictureRooms,
  { path, body }: ReadFile,
): Promise<boolean> {
  const { hash, type } = must(readStoredName(path.slice('pictures/'.length)))
  const draft = await unfinished.path()
  try {
    await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(draft, { mode: 0o600 }))
    const found = await inspectImage(decoders, draft, { key: 'archive' })
    if (!found.ok || found.type !== type) return false
    // the archive was checked before, but somebody may have written to it since
    if (found.hash !== hash) throw archiveRefusal(path, 'was changed while it was imported')
    await imageStore.put(hash, draft, type)
    return true
  } finally {
    await rm(draft, { force: true })
  }
}
