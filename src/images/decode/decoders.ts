/**
 * Decodes pictures in processes of their own. A decoder is a large C program whose input comes from strangers: a file that crashes it,
 * exhausts its memory or keeps it busy costs one picture and not the service. Fair turns decide whose picture is next; large pictures
 * have a process of their own, so that they never delay small ones.
 * docs/decisions/093-pictures-are-decoded-in-a-process-of-their-own.md says why.
 */
import { constants } from 'node:os'
import { openFairTurns } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { TurnKey } from '../../platform/turns/turn-order.ts'
import { announcedPixels } from './announced-pixels.ts'
import type { DecodeAnswer, DecodeJob } from './job.ts'
import { Processes } from './processes.ts'

/** Who wants a picture, and for how long. */
export interface Wanted {
  /** An account's id, or a client's address: turns are given by this key. */
  key: TurnKey
  /** Aborted when nobody waits any more: the picture is then not decoded, or its process is ended. */
  signal?: AbortSignal | undefined
}

/** The decoding processes of one lane. */
export interface Decoders {
  /**
   * Decodes one picture when its key has a turn. A picture that takes more than `cpuMs` of processor time or more memory than the
   * process for large ones has, or ends the process twice, is answered as unreadable. Rejects for reasons that say nothing about the
   * picture: the decoders are closed, no process can be started, the machine is too busy to decode it within LIMITS.imageDecodeMs, or its
   * signal was aborted.
   * @throws TurnRefused when too many pictures wait
   */
  run(job: DecodeJob, wanted: Wanted): Promise<DecodeAnswer>
  /** Ends the processes; pictures that are being decoded are rejected. */
  close(): Promise<void>
}

/** A purpose for which pictures are decoded, with processes of its own. */
export interface Lane {
  /** Name of the pictures, for errors. */
  what: string
  /** Number of processes for small pictures; 0: small and large ones share a process. One key may use all but one of them. */
  small: number
  /** A priority, as os.setPriority takes it. */
  nice: number
  waitingMax: number
  waitingPerKeyMax: number
}

/** For pictures that owners upload and wait for. */
export const UPLOAD_LANE: Lane = {
  what: 'uploaded pictures',
  small: LIMITS.imageUploadProcesses,
  nice: constants.priority.PRIORITY_BELOW_NORMAL,
  waitingMax: LIMITS.imageUploadsWaitingMax,
  waitingPerKeyMax: LIMITS.imageUploadsWaitingPerAccountMax,
}
/** For pictures that the mirror fetches: nobody waits for them, so they have the lowest priority. */
export const MIRROR_LANE: Lane = {
  what: 'fetched pictures',
  small: 0,
  nice: LIMITS.imageMirrorNice,
  waitingMax: LIMITS.mirrorRunsMax,
  waitingPerKeyMax: LIMITS.mirrorRunsMax,
}
/** For other sizes of pictures. @param processors of the machine */
export const sizeLane = (processors: number): Lane => ({
  what: 'sizes of pictures',
  small: Math.min(LIMITS.imageVariantProcessesMax, Math.max(LIMITS.imageVariantProcessesMin, processors - 1)),
  nice: constants.priority.PRIORITY_BELOW_NORMAL,
  waitingMax: LIMITS.imageVariantsAtOnce,
  waitingPerKeyMax: LIMITS.imageVariantsAtOnce,
})

const BYTES_PER_MEGABYTE = 1_048_576
/** Memory of a process for small pictures. @param megabytes IMAGE_DECODER_MB */
const smallBytes = (megabytes: number) => Math.min(LIMITS.imageDecoderSmallMegabytes, megabytes) * BYTES_PER_MEGABYTE

/** Memory of the processes of all these lanes together. @param megabytes IMAGE_DECODER_MB */
export const decodersBytesMax = (lanes: readonly Lane[], megabytes: number): number =>
  lanes.reduce((sum, { small }) => sum + small * smallBytes(megabytes) + megabytes * BYTES_PER_MEGABYTE, 0)

/**
 * @param megabytes memory of a process for large pictures
 * @param cpuMs processor time that a picture may take
 */
export function openDecoders(
  lane: Lane,
  log: Log,
  megabytes: number = LIMITS.imageDecoderMegabytes,
  cpuMs: number = LIMITS.imageDecodeCpuMs,
): Decoders {
  const { what, small: count, nice, waitingMax, waitingPerKeyMax } = lane
  const placesOf = (places: number, bytesMax: number) => ({
    turns: openFairTurns(what, { atOnce: places, perKey: Math.max(1, places - 1), waitingMax, waitingPerKeyMax }),
    processes: new Processes(log, { cpuMs, bytesMax, nice }),
  })
  const large = placesOf(1, megabytes * BYTES_PER_MEGABYTE)
  const small = count === 0 ? null : placesOf(count, smallBytes(megabytes))

  const decode = async ({ turns, processes }: typeof large, job: DecodeJob, { key, signal }: Wanted) => {
    using _turn = await turns.acquire(key, { signal })
    return await processes.run(job, signal)
  }

  return {
    async run(job, wanted) {
      const pixels = small === null ? null : await announcedPixels(job.file)
      if (small !== null && pixels !== null && pixels <= LIMITS.imageSmallPixelsMax) {
        const { isOverMemory = false, isLast: _, ...answer } = await decode(small, job, wanted)
        if (!isOverMemory) return answer
      }
      const { isOverMemory: _over, isLast: _last, ...answer } = await decode(large, job, wanted)
      return answer
    },
    async close() {
      for (const places of [small, large]) places?.turns.close(new Error('the decoders are closed'))
      await Promise.all([small?.processes.close(), large.processes.close()])
    },
  }
}
