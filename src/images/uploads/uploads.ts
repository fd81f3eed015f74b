/** Pictures that owners upload. They are inspected, stored and recorded like those that the mirror fetches. */
import { rm, writeFile } from 'node:fs/promises'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { TurnRefused } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Decoders, Wanted } from '../decode/decoders.ts'
import { imagePath, type ImageType } from '../inspect/image-type.ts'
import { inspectImage } from '../decode/inspect-image.ts'
import { bytesLockShared, productsOfImagesMark } from '../mirror/records.sql.ts'
import type { Room } from '../mirror/room.ts'
import { imageHostOf, urlHashOf } from '../register/url-hash.ts'
import type { ImageStore } from '../store/image-store.ts'
import type { Unfinished } from '../../objects/unfinished.ts'
import { uploadUpsert } from './uploads.sql.ts'

const RETRY_SECONDS = 5

/** A picture that is in the store but has not been recorded yet. */
export interface TakenPicture {
  hash: string
  type: ImageType
  width: number
  height: number
  bytes: number
}

export interface Uploads {
  /**
   * Inspects a file and puts it into the store.
   * @throws ShelfwireError invalid-input if it is no picture; conflict if there is no room; image-unavailable if the store
   *   does not answer; rate-limited or image-unavailable if too many pictures wait; the reason of `wanted.signal`.
   */
  take(bytes: Buffer, wanted: Wanted): Promise<TakenPicture>
  /** Records a picture as the account's own. @returns the URL by which products name it. */
  record(tx: Tx, accountId: number, picture: TakenPicture): Promise<string>
}

interface UploadsOptions {
  store: ImageStore
  decoders: Decoders
  unfinished: Unfinished
  /** Base URL of pictures, without a slash at the end. */
  base: () => string
  /** The space that is left for pictures. */
  room: Room
  log: Log
}

/** The error when too many pictures wait to be inspected. */
function waiting({ refusal, limit }: TurnRefused): ShelfwireError {
  const retryAfterSeconds = LIMITS.imageUploadRetrySeconds
  return refusal === 'key-full'
    ? new ShelfwireError(
        'rate-limited',
        `${limit} pictures of the account wait to be inspected already; send fewer at the same time, see Retry-After`,
        { retryAfterSeconds },
      )
    : new ShelfwireError(
        'image-unavailable',
        `${limit} pictures of all accounts wait to be inspected already; see Retry-After`,
        { retryAfterSeconds },
      )
}

export function openUploads({ store, decoders, unfinished, base, room, log }: UploadsOptions): Uploads {
  const unavailable = (error: unknown) => {
    log.error({ err: error }, 'an uploaded picture could not be stored')
    return new ShelfwireError('image-unavailable', 'the picture cannot be stored now; see Retry-After', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
  return {
    async take(bytes, wanted) {
      await room.refresh()
      if (!room.has(bytes.length))
        throw new ShelfwireError('conflict', 'the space for pictures is used up; ask the operator for more')
      const file = await unfinished.path()
      try {
        await writeFile(file, bytes)
        const found = await inspectImage(decoders, file, wanted)
        if (!found.ok)
          throw new ShelfwireError('invalid-input', `the picture is refused: ${found.message}`, {
            faults: [{ name: 'file', reason: found.message }],
          })
        // nobody waits for the answer any more
        wanted.signal?.throwIfAborted()
        const { ok: _, ...picture } = found
        await store.put(picture.hash, file, picture.type)
        room.take(picture.bytes)
        return picture
      } catch (error) {
        if (error instanceof TurnRefused) throw waiting(error)
        throw error instanceof ShelfwireError ? error : unavailable(error)
      } finally {
        await rm(file, { force: true })
      }
    },
    async record(tx, accountId, picture) {
      // from here on the bytes cannot be removed; whether they were removed just before is checked next
      await bytesLockShared(tx, [picture.hash])
      const stored = await store.stat(picture.hash, picture.type).catch((error: unknown) => {
        throw unavailable(error)
      })
      if (stored === undefined) throw unavailable(new Error(`${picture.hash} was removed while it was recorded`))
      const url = base() + imagePath(picture.hash, picture.type)
      const urlHash = urlHashOf(url)
      await uploadUpsert(tx, accountId, { urlHash, url, host: imageHostOf(url), ...picture })
      // a product may have named the URL before the upload
      await productsOfImagesMark(tx, accountId, [urlHash])
      return url
    },
  }
}
