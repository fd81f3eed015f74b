/**
 * Makes variants of stored pictures, each once, and keeps them. Making one takes a thousand times as long as reading one, and
 * anybody may ask for one. So few are made at the same time, in processes of low priority; client addresses take turns; and requests that
 * cannot be served soon are refused.
 * docs/decisions/094-pictures-are-served-by-their-hash.md says why.
 */
import { open, rm, type FileHandle } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { pipeInto } from '../../objects/pipe-into.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { entriesMax } from '../../platform/caches/entries-max.ts'
import { openFairTurns, TurnRefused } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Decoders, Wanted } from '../decode/decoders.ts'
import type { ImageStore } from '../store/image-store.ts'
import { openVariantFiles } from './variant-files.ts'
import type { Variant } from './variant.ts'

const RETRY_SECONDS = 5

/** The client that asks for a variant. */
export interface VariantClient {
  /** Turns are given by client address. */
  address: string
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

export interface Variants {
  /**
   * Opens the file of a variant, which is made if it does not exist yet; undefined if there is no such picture. It is not
   * made if all clients that asked for it have disconnected.
   * @throws ShelfwireError image-unavailable if it cannot be made now.
   */
  open(variant: Variant, client: VariantClient): Promise<{ file: FileHandle; bytes: number } | undefined>
}

interface VariantsOptions {
  store: ImageStore
  decoders: Decoders
  /** The directory of variants, whose size is limited by `bytesMax`. */
  directory: string
  bytesMax: number
  log: Log
}

/** A variant that clients of one address are waiting for. */
interface Asked {
  name: string
  /** true: it was made; false: there is no such picture. */
  made: Promise<boolean>
  /** The number of clients that wait for it, or were told to try again. */
  clients: number
  ending: AbortController
}

const refusal = (detail: string, retryAfterSeconds = RETRY_SECONDS) =>
  new ShelfwireError('image-unavailable', `${detail}; see Retry-After`, { retryAfterSeconds })

export function openVariants({ store, decoders, directory, bytesMax, log }: VariantsOptions): Variants {
  const files = openVariantFiles(directory, bytesMax, (error) =>
    log.warn({ err: asError(error) }, 'resized pictures could not be counted'),
  )
  /** Requests by variant and address: a client waits for a turn of its own address, not behind the requests of others. */
  const asked = new Map<string, Asked>()
  /** Variants that are being made now, in the turn of some address. */
  const making = new Map<string, Promise<boolean>>()
  const turns = openFairTurns('sizes of pictures', {
    atOnce: LIMITS.imageVariantsAtOnce,
    perKey: LIMITS.imageVariantsAtOncePerAddress,
    waitingMax: LIMITS.imageVariantsWaitingMax,
    waitingPerKeyMax: LIMITS.imageVariantsWaitingPerAddressMax,
  })
  /** Variants that could not be made, so that they are not tried again and again. */
  const failed = new LRUCache<string, true>({ ...entriesMax(10_000), ttl: LIMITS.imageVariantFailedMs })

  const make = async (variant: Variant, wanted: Wanted): Promise<boolean> => {
    const [from, to] = [await files.unfinished(), await files.unfinished()]
    try {
      const original = await store.read(variant.hash, undefined, variant.source)
      if (original === undefined) return false
      // the target is opened before anything can fail: a stream that opens it later could create it after it was removed
      await pipeInto(original.stream, async () => (await open(from, 'wx', 0o600)).createWriteStream())
      const { source, type: format, width, height, fit } = variant
      const isBorderWhite = source === 'image/jpeg' || format === 'image/jpeg'
      const job = { kind: 'convert', file: from, to, format, width, height, fit, isBorderWhite } as const
      const made = await decoders.run(job, wanted)
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

  /** Makes a variant in a turn, unless another turn has made it meanwhile, or is making it. */
  const makeOnce = async (variant: Variant, wanted: Wanted): Promise<boolean> => {
    for (;;) {
      const kept = await files.open(variant)
      if (kept !== undefined) {
        await kept.file.close()
        return true
      }
      const others = making.get(variant.name)
      if (others === undefined) break
      // this one may be given up because its own clients have disconnected, so the loop checks again
      await others.catch(() => {})
    }
    wanted.signal?.throwIfAborted()
    if (failed.has(variant.name)) throw new Error(`${variant.name} could not be made a moment ago`)
    const made = make(variant, wanted).finally(() => making.delete(variant.name))
    making.set(variant.name, made)
    return made
  }

  const ask = (variant: Variant, address: string): Asked => {
    if (failed.has(variant.name)) throw refusal('this picture cannot be converted', LIMITS.imageVariantFailedMs / 1_000)
    const name = `${variant.name} ${address}`
    const known = asked.get(name)
    if (known !== undefined) return known
    const ending = new AbortController()
    const wanted = { key: address, signal: ending.signal }
    const made = turns
      .run(address, () => makeOnce(variant, wanted), wanted)
      .catch((error: unknown) => {
        if (error instanceof TurnRefused)
          throw refusal(
            `${error.limit} sizes of pictures ${error.refusal === 'key-full' ? 'that your address asked for' : ''} wait to be made already`,
          )
        if (ending.signal.aborted) throw refusal('nobody waits for this size any more')
        log.warn({ err: asError(error) }, 'a picture could not be converted')
        throw refusal('the picture could not be converted now')
      })
      .finally(() => {
        if (asked.get(name) === found) asked.delete(name)
      })
    // no unhandled rejection: the waiting clients get the error
    made.catch(() => {})
    const found: Asked = { name, made, clients: 0, ending }
    asked.set(name, found)
    return found
  }

  return {
    async open(variant, { address, signal }) {
      const kept = await files.open(variant)
      if (kept !== undefined) return kept
      if (signal.aborted) throw refusal('the client has left')
      const one = ask(variant, address)
      one.clients++
      const leave = () => {
        if (--one.clients > 0) return
        // a later request makes it anew
        if (asked.get(one.name) === one) asked.delete(one.name)
        one.ending.abort(new Error('all clients have left'))
      }
      signal.addEventListener('abort', leave, { once: true })
      try {
        if (!(await waitAtMost(one.made))) return undefined
      } finally {
        signal.removeEventListener('abort', leave)
      }
      const found = await files.open(variant)
      // it has been removed already: the directory is far too small for the requested variants
      if (found === undefined) throw refusal('the picture was not kept')
      return found
    },
  }
}

/** Waits for a limited time. When it is over, the client is told to try again, and the variant is still made. */
async function waitAtMost<T>(made: Promise<T>): Promise<T> {
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
