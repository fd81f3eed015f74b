import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../db/sql.ts'
import type { Decoders } from '../images/decode/decoders.ts'
import { inspectImage } from '../images/inspect/inspect-image.ts'
import { openRoom } from '../images/mirror/room.ts'
import { readStoredName, type ImageStore } from '../images/store/image-store.ts'
import type { Unfinished } from '../objects/unfinished.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { must } from '../platform/must.ts'
import type { CheckedArchive } from './check.ts'
import { kindOfFile } from './files.ts'
import { refused } from './refused.ts'
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
    if (found.hash !== hash) throw refused(path, 'was changed while it was imported')
    await imageStore.put(hash, draft, type)
    return true
  } finally {
    await rm(draft, { force: true })
  }
}
