import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from 'node:timers'
import { framed, framesOf, sendFrame, type Frame } from '../../file-readers/frames.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { noProcess, startChild } from '../../platform/process/child.ts'
import { programFile } from '../../platform/process/package.ts'
import { SSH_FRAME, type SshJob } from './messages.ts'

const PROGRAM = programFile('ssh', 'imports/fetch/sftp/process.ts')

/** The process ended without being asked to. */
export class SshProcessDied extends Error {
  override readonly name = 'SshProcessDied'
}

/** A process for one key, or for one connection to one server. Disposing kills it. */
export interface SshProcess extends AsyncDisposable {
  /** The pipe to the process: data for the server is read from it, and data from the server is written to it. */
  readonly transport: Socket
  send(kind: number, value: unknown): Promise<void>
  /**
   * The answers of the process, in frames of SSH_FRAME.
   * @throws ShelfwireError rate-limited if its program has not started; SshProcessDied; the reason given to `kill`
   */
  answers(): AsyncGenerator<Frame>
  /** Kills the process at once; `why` is thrown by `answers`. */
  kill(why: unknown): void
  /**
   * Kills it after this time for the reason that `why` returns, unless another limit is set or endLimit is called before. The time begins when its
   * program has started.
   */
  limit(ms: number, why: () => unknown): void
  endLimit(): void
}

/**
 * Starts a process that opens private keys and speaks SSH. The key and the server decide how much there is to compute, much of it in single blocking
 * calls: in a process of its own this blocks nobody else and can be killed. docs/decisions/264-ssh-has-a-process-of-its-own.md says why.
 * @throws ShelfwireError rate-limited if no process can be started
 */
export function startSsh(log: Log, job: SshJob): SshProcess {
  const child = startChild(log, PROGRAM, {
    nodeArgs: [`--max-old-space-size=${LIMITS.sshHeapMegabytes}`],
    threads: 1,
    hasConnections: false,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const control = child.pipe(3)
  const transport = child.pipe(4)
  let reason: { why: unknown } | undefined
  /** Whether its program has started. */
  let isReady = false
  let limit: { ms: number; why: () => unknown } | undefined
  let timer: NodeJS.Timeout
  const end = () => {
    clearTimeout(timer)
    child.process.kill('SIGKILL')
    control.destroy()
    transport.destroy()
  }
  const kill = (why: unknown) => {
    reason ??= { why }
    end()
  }
  // until the program has started, neither the key nor the server is to blame
  timer = setTimeout(end, LIMITS.sshStartMs)
  const watch = () => {
    if (!isReady) return
    clearTimeout(timer)
    if (limit === undefined) return
    const { ms, why } = limit
    timer = setTimeout(() => kill(why()), ms)
  }
  void sendFrame(control, SSH_FRAME.job, framed(job))
  return {
    transport,
    send: (kind, value) => sendFrame(control, kind, framed(value)),
    async *answers() {
      let broken: unknown
      try {
        for await (const frame of framesOf(control, LIMITS.sshFrameBytesMax)) {
          if (frame.kind !== SSH_FRAME.ready) yield frame
          else {
            isReady = true
            watch()
          }
        }
      } catch (error) {
        // the pipe breaks if the process ends before it has read everything
        broken = error
        end()
      }
      if (reason !== undefined) throw reason.why
      const ended = { how: await child.ended, err: broken, last_words: child.lastWords().slice(-500) }
      if (!isReady) {
        // for example while the program's files are replaced by those of another release
        log.error(ended, 'a process for SSH ended before it had started')
        throw noProcess()
      }
      log.warn(ended, 'a process for SSH ended by itself')
      throw new SshProcessDied(ended.how)
    },
    kill,
    limit(ms, why) {
      limit = { ms, why }
      watch()
    },
    endLimit() {
      limit = undefined
      watch()
    },
    async [Symbol.asyncDispose]() {
      kill(new Error('nothing more is wanted of it'))
      await child.ended
    },
  }
}
