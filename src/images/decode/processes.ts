import type { ChildProcess } from 'node:child_process'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startChild } from '../../platform/process/child.ts'
import { programFile } from '../../platform/process/package.ts'
import type { DecodeJob, SentAnswer, SentJob, SentMessage } from './job.ts'

const PROGRAM = programFile('image-decoder', 'images/decode/process.ts')

export interface ProcessOptions {
  /** Processor time that a picture may take. */
  cpuMs: number
  /** Memory that a process may take. */
  bytesMax: number
  /** A priority, as os.setPriority takes it. */
  nice: number
}

interface Task {
  job: DecodeJob
  /** How many processes have died while they decoded it. */
  crashes: number
  beganAt: number
  resolve(answer: SentAnswer): void
  reject(error: Error): void
}

interface Decoder {
  child: ChildProcess
  /** Whether its program has started. */
  isReady: boolean
  task: Task | null
  done: number
  timer: NodeJS.Timeout | undefined
}

/** Decoding processes: started when a picture needs one, ended when idle for a while, and replaced when they die. */
export class Processes {
  readonly #log: Log
  readonly #cpuMs: number
  readonly #bytesMax: number
  readonly #nice: number
  readonly #decoders = new Set<Decoder>()
  #isClosed = false

  constructor(log: Log, { cpuMs, bytesMax, nice }: ProcessOptions) {
    this.#log = log
    this.#cpuMs = cpuMs
    this.#bytesMax = bytesMax
    this.#nice = nice
  }

  /**
   * Decodes one picture in an idle process, or in a new one; the caller limits how many run at a time. A
   * picture that kills the process twice is answered as unreadable.
   * @param signal ends the work once it has taken LIMITS.imageDecodeLeftMs; run() then rejects with the signal's reason
   */
  async run(job: DecodeJob, signal: AbortSignal | undefined): Promise<SentAnswer> {
    if (this.#isClosed) throw new Error('the decoders are closed')
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<SentAnswer>()
    const task: Task = { job, crashes: 0, beganAt: performance.now(), resolve, reject }
    let leaving: NodeJS.Timeout | undefined
    // a process costs more to start than most pictures to decode, so a picture that may soon be done is not given up at once
    const leave = () => {
      const leftMs = task.beganAt + LIMITS.imageDecodeLeftMs - performance.now()
      leaving = setTimeout(() => this.#giveUp(task, asError(signal?.reason)), Math.max(0, leftMs))
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#begin(task)
    try {
      return await promise
    } finally {
      clearTimeout(leaving)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Ends the processes; pictures that are being decoded are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(
      [...this.#decoders].map(async (decoder) => {
        const ended = new Promise((resolve) => decoder.child.once('exit', resolve))
        clearTimeout(decoder.timer)
        decoder.child.ref()
        decoder.child.kill('SIGKILL')
        if (decoder.child.exitCode === null && decoder.child.signalCode === null) await ended
      }),
    )
  }

  /** @throws ShelfwireError rate-limited if no process can be started */
  #start(): Decoder {
    const { process: child, lastWords } = startChild(this.#log, PROGRAM, {
      nodeArgs: ['--max-old-space-size=128'],
      args: [String(this.#cpuMs), String(this.#nice)],
      threads: 2,
      hasConnections: false,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const decoder: Decoder = { child, isReady: false, task: null, done: 0, timer: undefined }
    this.#decoders.add(decoder)
    child.on('message', (answer: SentMessage) => {
      if ('isReady' in answer) {
        decoder.isReady = true
        return
      }
      const { task } = decoder
      decoder.task = null
      clearTimeout(decoder.timer)
      // processes are replaced after a number of pictures, so that leaks cannot add up
      if (answer.isLast === true || ++decoder.done >= LIMITS.imageDecodesPerProcess) this.#end(decoder)
      else this.#rest(decoder)
      task?.resolve(answer)
    })
    let isOver = false
    /** @param fault why the picture is not to blame; null: it may be */
    const over = (how: string, fault: Error | null) => {
      if (isOver) return
      isOver = true
      clearTimeout(decoder.timer)
      this.#decoders.delete(decoder)
      const { task } = decoder
      if (task === null) return
      decoder.task = null
      this.#log.warn({ how, last_words: lastWords().slice(-500) }, 'a decoding process ended with a picture')
      this.#crashed(task, fault)
    }
    child.on('error', (error) => over(error.message, error))
    child.on('exit', (code, signal) => {
      // A program that ends by itself before it reads the picture is broken, for example while its files are replaced by those of another release.
      // One that is killed, as for memory, is tried once more, like one that was killed with the picture.
      const isBroken = !decoder.isReady && signal === null
      over(
        signal ?? `code ${code}`,
        isBroken ? new Error(`a decoding process ended before it had started: code ${code}`) : null,
      )
    })
    return decoder
  }

  #crashed(task: Task, error: Error | null) {
    if (this.#isClosed) task.reject(new Error('the decoders are closed'))
    else if (error !== null) task.reject(error)
    // a second try, because the process may have been killed for memory that others used
    else if (++task.crashes < 2) this.#begin(task)
    else task.resolve({ ok: false, reason: 'unreadable_image', message: 'it ends the decoder' })
  }

  #begin(task: Task) {
    let decoder: Decoder
    try {
      decoder = [...this.#decoders].find((each) => each.task === null) ?? this.#start()
    } catch (error) {
      // thrown, it would end the service: a second try begins in an event of the process that died
      task.reject(asError(error))
      return
    }
    const { child } = decoder
    clearTimeout(decoder.timer)
    decoder.task = task
    child.ref()
    child.channel?.ref()
    // limits elapsed time without blaming the picture; the process itself limits the processor time
    decoder.timer = setTimeout(
      () => this.#giveUp(task, new Error(`decoding a picture took longer than ${LIMITS.imageDecodeMs} ms`)),
      LIMITS.imageDecodeMs,
    )
    const sent: SentJob = { job: task.job, bytesMax: this.#bytesMax }
    // errors are ignored: if the process has just ended, its exit event reports that
    child.send(sent, () => {})
  }

  /** Ends the process that works on a picture, and rejects the task. */
  #giveUp(task: Task, error: Error) {
    for (const decoder of this.#decoders) {
      if (decoder.task !== task) continue
      decoder.task = null
      this.#end(decoder)
    }
    task.reject(error)
  }

  /** Marks a process as idle: it does not keep the service from ending, and is ended after a while. */
  #rest(decoder: Decoder) {
    decoder.child.unref()
    decoder.child.channel?.unref()
    decoder.timer = setTimeout(() => this.#end(decoder), LIMITS.imageDecoderIdleMs)
    decoder.timer.unref()
  }

  #end(decoder: Decoder) {
    clearTimeout(decoder.timer)
    this.#decoders.delete(decoder)
    decoder.child.kill('SIGKILL')
  }
}
