/**
 * Decodes pictures in processes of their own. A decoder is a large program in C that is fed by strangers: what crashes it,
 * exhausts it or keeps it busy costs one picture and not the service. Whose picture is next is decided by fair turns; large pictures
 * have a process of their own, so that they keep no small one waiting.
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

/** Whose picture it is, and until when it is wanted. */
export interface Wanted {
  /** An account's id, or a client's address: each has its turns. */
  key: TurnKey
  /** Aborted when nobody waits for it any more: it is not decoded, or the process that decodes it is ended. */
  signal?: AbortSignal | undefined
}

export interface Decoders {
  /**
   * Decodes one picture, in turn with those of others. A picture that takes more than `cpuMs` of processor time or more memory than the
   * process for large ones has, or ends the process twice, is answered as unreadable. Rejects when that says nothing about the picture: the
   * decoders are closed, no process can be started, the machine is too busy to decode it within LIMITS.imageDecodeMs, or its
   * signal was aborted.
   * @throws TurnRefused when too many pictures wait
   */
  run(job: DecodeJob, wanted: Wanted): Promise<DecodeAnswer>
  /** Ends the processes; what is being decoded is rejected. */
  close(): Promise<void>
}

/** Pictures that are decoded for one purpose, in processes apart from those of others. */
export interface Lane {
  /** What is decoded, for errors. */
  what: string
  /** Processes for small pictures; 0: small ones take turns with large ones. One key may use all of them but one. */
  small: number
  /** A priority, as os.setPriority takes it. */
  nice: number
  waitingMax: number
  waitingPerKeyMax: number
}

/** For pictures that owners upload, and wait for. */
export const UPLOAD_LANE: Lane = {
  what: 'uploaded pictures',
  small: LIMITS.imageUploadProcesses,
  nice: constants.priority.PRIORITY_BELOW_NORMAL,
  waitingMax: LIMITS.imageUploadsWaitingMax,
  waitingPerKeyMax: LIMITS.imageUploadsWaitingPerAccountMax,
}
/** For pictures that the mirror fetches: nobody waits for them, and they delay nobody. */
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
/** What a process for small pictures may take. @param megabytes IMAGE_DECODER_MB */
const smallBytes = (megabytes: number) => Math.min(LIMITS.imageDecoderSmallMegabytes, megabytes) * BYTES_PER_MEGABYTE

/** What the processes of all these lanes may take together. @param megabytes IMAGE_DECODER_MB */
export const decodersBytesMax = (lanes: readonly Lane[], megabytes: number): number =>
  lanes.reduce((sum, { small }) => sum + small * smallBytes(megabytes) + megabytes * BYTES_PER_MEGABYTE, 0)

/**
 * @param megabytes how much memory a process for large pictures may take
 * @param cpuMs how much time of the processor a picture may take
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
