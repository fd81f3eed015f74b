/**
 * Makes variants of stored pictures, each once, and keeps them. Making one takes a thousand times as long as reading one, and
 * anybody may ask: few are made at the same time, in processes of low priority, client addresses take turns, and what cannot be made
 * soon is refused.
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

/** Who asks for a variant: turns are given by it. */
export interface VariantClient {
  /** Each address has its turns. */
  address: string
  /** Aborted when the client has left. */
  signal: AbortSignal
}

export interface Variants {
  /**
   * The variant's file, opened, made where it is not there yet; undefined when there is no such picture. It is not
   * made when all clients that asked for it have left.
   * @throws ShelfwireError image-unavailable when it cannot be made now.
   */
  open(variant: Variant, client: VariantClient): Promise<{ file: FileHandle; bytes: number } | undefined>
}

interface VariantsOptions {
  store: ImageStore
  decoders: Decoders
  /** A directory for the variants, and how many bytes of them are kept. */
  directory: string
  bytesMax: number
  log: Log
}

/** A variant that clients of one address wait for. */
interface Asked {
  name: string
  /** true: it was made, false: there is no such picture. */
  made: Promise<boolean>
  /** Clients that wait for it, or were asked to come again. */
  clients: number
  ending: AbortController
}

const refusal = (detail: string, retryAfterSeconds = RETRY_SECONDS) =>
  new ShelfwireError('image-unavailable', `${detail}; see Retry-After`, { retryAfterSeconds })

export function openVariants({ store, decoders, directory, bytesMax, log }: VariantsOptions): Variants {
  const files = openVariantFiles(directory, bytesMax, (error) =>
    log.warn({ err: asError(error) }, 'resized pictures could not be counted'),
  )
  /** By variant and address: a client waits for the turn of its own address, not behind the requests of others. */
  const asked = new Map<string, Asked>()
  /** Variants that are being made in somebody's turn. */
  const making = new Map<string, Promise<boolean>>()
  const turns = openFairTurns('sizes of pictures', {
    atOnce: LIMITS.imageVariantsAtOnce,
    perKey: LIMITS.imageVariantsAtOncePerAddress,
    waitingMax: LIMITS.imageVariantsWaitingMax,
    waitingPerKeyMax: LIMITS.imageVariantsWaitingPerAddressMax,
  })
  /** Those that could not be made, which would be tried again and again. */
  const failed = new LRUCache<string, true>({ ...entriesMax(10_000), ttl: LIMITS.imageVariantFailedMs })

  const make = async (variant: Variant, wanted: Wanted): Promise<boolean> => {
    const [from, to] = [await files.unfinished(), await files.unfinished()]
    try {
      const original = await store.read(variant.hash, undefined, variant.source)
      if (original === undefined) return false
      // opened here, before anything can fail: a stream that opens its own file may do so after the file was removed
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

  /** In a turn: others may have made it while this one waited, or are making it. */
  const makeOnce = async (variant: Variant, wanted: Wanted): Promise<boolean> => {
    for (;;) {
      const kept = await files.open(variant)
      if (kept !== undefined) {
        await kept.file.close()
        return true
      }
      const others = making.get(variant.name)
      if (others === undefined) break
      // it may be given up because the others have left
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
    // those who wait get the error
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
        // a later request starts again
        if (asked.get(one.name) === one) asked.delete(one.name)
        one.ending.abort(new Error('all clients have left'))
      }
      signal.addEventListener('abort', leave, { once: true })
      try {
        if (!(await soon(one.made))) return undefined
      } finally {
        signal.removeEventListener('abort', leave)
      }
      const found = await files.open(variant)
      // removed again at once: the directory is far too small for what is asked
      if (found === undefined) throw refusal('the picture was not kept')
      return found
    },
  }
}

/** Making a variant goes on when its client was asked to come again. */
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
