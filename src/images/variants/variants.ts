/**
 * Makes variants of stored pictures, each once, and keeps them. Making one takes a thousand times as long as reading one, and
 * anybody may ask: few are made at the same time, in processes of low priority, and what cannot be made soon is refused.
 */
import { open, rm, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Decoders } from '../decode/decoders.ts'
import type { ImageStore } from '../store/image-store.ts'
import { openVariantFiles } from './variant-files.ts'
import type { Variant } from './variant.ts'

const RETRY_SECONDS = 5

export interface Variants {
  /**
   * The variant's file, opened, made where it is not there yet; undefined when there is no such picture.
   * @param address of the client, each of which may have so many made.
   * @throws ShelfwireError image-unavailable when it cannot be made now.
   */
  open(variant: Variant, address: string): Promise<{ file: FileHandle; bytes: number } | undefined>
}

interface VariantsOptions {
  store: ImageStore
  decoders: Decoders
  /** Variants made at the same time: as many as decoders has processes, and one more, whose original is being read. */
  atOnce: number
  /** A directory for the variants, and how many bytes of them are kept. */
  directory: string
  bytesMax: number
  log: Log
}

const refusal = (detail: string, retryAfterSeconds = RETRY_SECONDS) =>
  new ShelfwireError('image-unavailable', `${detail}; see Retry-After`, { retryAfterSeconds })

export function openVariants({ store, decoders, atOnce, directory, bytesMax, log }: VariantsOptions): Variants {
  const files = openVariantFiles(directory, bytesMax, (error) =>
    log.warn({ err: asError(error) }, 'resized pictures could not be counted'),
  )
  /** Being made, or waiting for it; true: it was made, false: there is no such picture. */
  const making = new Map<string, Promise<boolean>>()
  const byAddress = new Map<string, number>()
  const turns: (() => void)[] = []
  let running = 0
  /** Those that could not be made, which would be tried again and again. */
  const failed = new LRUCache<string, true>({ max: 10_000, ttl: LIMITS.imageVariantFailedMs })

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => turns.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // the place passes on to the next
      const next = turns.shift()
      if (next === undefined) running--
      else next()
    }
  }

  const make = async (variant: Variant): Promise<boolean> => {
    const [from, to] = [await files.unfinished(), await files.unfinished()]
    try {
      const original = await store.read(variant.hash, undefined, variant.source)
      if (original === undefined) return false
      // there before anything can fail: a stream that opens its file by itself may do so after the file was removed
      await pipeline(original.stream, (await open(from, 'wx', 0o600)).createWriteStream())
      const made = await decoders.run({
        kind: 'convert',
        file: from,
        to,
        format: variant.type,
        width: variant.width,
        height: variant.height,
      })
      if (!made.ok) {
        failed.set(variant.name, true)
        throw new Error(`${variant.name}: ${made.message}`)
      }
      await files.keep(variant, to)
      return true
    } finally {
      await Promise.all([rm(from, { force: true }), rm(to, { force: true })])
    }
  }

  const begin = (variant: Variant, address: string): Promise<boolean> => {
    if (failed.has(variant.name)) throw refusal('this picture cannot be converted', LIMITS.imageVariantFailedMs / 1_000)
    const own = byAddress.get(address) ?? 0
    if (making.size >= LIMITS.imageVariantsWaitingMax || own >= LIMITS.imageVariantsWaitingPerAddressMax)
      throw refusal('more sizes of pictures are asked for than can be made at once')
    byAddress.set(address, own + 1)
    const made = inTurn(() => make(variant))
      .catch((error: unknown) => {
        log.warn({ err: asError(error) }, 'a picture could not be converted')
        throw refusal('the picture could not be converted now')
      })
      .finally(() => {
        making.delete(variant.name)
        const left = (byAddress.get(address) ?? 1) - 1
        if (left === 0) byAddress.delete(address)
        else byAddress.set(address, left)
      })
    making.set(variant.name, made)
    return made
  }

  return {
    async open(variant, address) {
      const kept = await files.open(variant)
      if (kept !== undefined) return kept
      const made = making.get(variant.name) ?? begin(variant, address)
      if (!(await soon(made))) return undefined
      const found = await files.open(variant)
      // removed again at once: the directory is far too small for what is asked
      if (found === undefined) throw refusal('the picture was not kept')
      return found
    },
  }
}

/** What is made is made on, also when a request does not wait for it any longer. */
async function soon<T>(made: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refusal('the picture is still being made')), LIMITS.imageVariantWaitMs)
  })
  try {
    return await Promise.race([made, late])
  } finally {
    clearTimeout(timer)
  }
}
