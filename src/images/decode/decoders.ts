/**
 * Decodes pictures in processes of their own. A decoder is a large program in C that is fed by strangers: what crashes it,
 * exhausts it or keeps it busy costs one picture and not the service. The processes run at low priority and are started
 * when there is something to decode.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { DecodeAnswer, DecodeJob, SentAnswer } from './job.ts'

/** In the npm package this file is JavaScript, and so is the program. */
const PROGRAM = fileURLToPath(import.meta.url).replace(/decoders\.([jt]s)$/, 'process.$1')

export interface Decoders {
  /**
   * Decodes one picture, in turn. A picture that takes more than `cpuMs` of processor time, or ends the process
   * twice, is answered as unreadable. Rejects when that says nothing about the picture: the decoders are closed, no process can be
   * started, or the machine is too busy to decode it within LIMITS.imageDecodeMs.
   */
  run(job: DecodeJob): Promise<DecodeAnswer>
  /** Ends the processes; what is being decoded is rejected. */
  close(): Promise<void>
}

interface Task {
  job: DecodeJob
  /** Processes that ended with it. */
  crashes: number
  resolve(answer: DecodeAnswer): void
  reject(error: Error): void
}

interface Decoder {
  child: ChildProcess
  task: Task | null
  done: number
  timer: NodeJS.Timeout | undefined
}

/**
 * @param count processes at most, each with one picture at a time.
 * @param cpuMs how much time of the processor a picture may take.
 */
export function openDecoders(count: number, log: Log, cpuMs: number = LIMITS.imageDecodeCpuMs): Decoders {
  const waiting: Task[] = []
  const decoders = new Set<Decoder>()
  let isClosed = false

  const next = () => {
    while (waiting.length > 0) {
      const free = [...decoders].find(({ task }) => task === null) ?? (decoders.size < count ? start() : undefined)
      const task = free === undefined ? undefined : waiting.shift()
      if (free === undefined || task === undefined) return
      give(free, task)
    }
  }

  const start = (): Decoder => {
    const child = fork(PROGRAM, [String(cpuMs)], {
      execArgv: ['--max-old-space-size=128'],
      // nothing of the service's environment, in which there are secrets; fewer arenas: less memory that lies idle
      env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const decoder: Decoder = { child, task: null, done: 0, timer: undefined }
    decoders.add(decoder)
    let lastWords = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-2_000)))
    child.on('message', (answer) => {
      const { task } = decoder
      decoder.task = null
      clearTimeout(decoder.timer)
      const { isLast = false, ...result } = answer as SentAnswer
      task?.resolve(result)
      // what leaks, leaks into a process that ends
      if (isLast || ++decoder.done >= LIMITS.imageDecodesPerProcess) end(decoder)
      else rest(decoder)
      next()
    })
    let isOver = false
    const over = (error: Error | null, how: string) => {
      if (isOver) return
      isOver = true
      clearTimeout(decoder.timer)
      decoders.delete(decoder)
      const { task } = decoder
      if (task !== null) {
        log.warn({ how, last_words: lastWords.slice(-500) }, 'a decoding process ended with a picture')
        crashed(task, error)
      }
      next()
    }
    child.on('error', (error) => over(error, error.message))
    child.on('exit', (code, signal) => over(null, signal ?? `code ${code}`))
    return decoder
  }

  const crashed = (task: Task, error: Error | null) => {
    if (isClosed) task.reject(new Error('the decoders are closed'))
    else if (error !== null) task.reject(error)
    // another one may have been ended for want of memory that others used
    else if (++task.crashes < 2) waiting.unshift(task)
    else task.resolve({ ok: false, reason: 'unreadable_image', message: 'it ends the decoder' })
  }

  const give = (decoder: Decoder, task: Task) => {
    const { child } = decoder
    clearTimeout(decoder.timer)
    decoder.task = task
    child.ref()
    child.channel?.ref()
    // the process itself judges by the processor time that it used; this says nothing about the picture
    decoder.timer = setTimeout(() => {
      decoder.task = null
      end(decoder)
      task.reject(new Error(`decoding a picture took longer than ${LIMITS.imageDecodeMs} ms`))
      next()
    }, LIMITS.imageDecodeMs)
    // a process that has just ended says so by its exit
    child.send(task.job, () => {})
  }

  /** An idle process keeps nobody from ending, and ends itself after a while. */
  const rest = (decoder: Decoder) => {
    decoder.child.unref()
    decoder.child.channel?.unref()
    decoder.timer = setTimeout(() => end(decoder), LIMITS.imageDecoderIdleMs)
    decoder.timer.unref()
  }

  const end = (decoder: Decoder) => {
    clearTimeout(decoder.timer)
    decoders.delete(decoder)
    decoder.child.kill('SIGKILL')
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the decoders are closed'))
        waiting.push({ job, crashes: 0, resolve, reject })
        return next()
      }),
    async close() {
      isClosed = true
      for (const task of waiting.splice(0)) task.reject(new Error('the decoders are closed'))
      await Promise.all(
        [...decoders].map(async (decoder) => {
          const ended = new Promise((resolve) => decoder.child.once('exit', resolve))
          clearTimeout(decoder.timer)
          decoder.child.kill('SIGKILL')
          if (decoder.child.exitCode === null && decoder.child.signalCode === null) await ended
        }),
      )
    },
  }
}
