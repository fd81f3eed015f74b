import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from 'node:timers'
import { framed, framesOf, sendFrame, type Frame } from '../../file-readers/frames.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startChild } from '../../platform/process/child.ts'
import { programFile } from '../../platform/process/package.ts'
import { SSH_FRAME, type SshJob } from './messages.ts'

const PROGRAM = programFile('ssh', 'imports/fetch/sftp/process.ts')

/** It ended by itself, and not because it was told to. */
export class SshProcessDied extends Error {
  override readonly name = 'SshProcessDied'
}

/** A process for one key, or for one connection to one server. Disposing ends it. */
export interface SshProcess extends AsyncDisposable {
  /** What it says to a server, and is to be told of what a server says. */
  readonly transport: Socket
  send(kind: number, value: unknown): Promise<void>
  /**
   * What it answers, in frames of SSH_FRAME.
   * @throws SshProcessDied; what `kill` was given
   */
  answers(): AsyncGenerator<Frame>
  /** Ends it at once, whatever it is at. */
  kill(why: unknown): void
  /** Ends it with what `why` makes after this time, unless another limit is set before, or this one is ended. */
  limit(ms: number, why: () => unknown): void
  endLimit(): void
}

/**
 * Starts a process that opens private keys and speaks SSH. What a key and a server make it compute they choose themselves, and much of it is computed
 * in one piece, so that it is done where it stops nobody else and can be ended.
 * docs/decisions/264-ssh-has-a-process-of-its-own.md says why.
 * @throws ShelfwireError rate-limited where no process can be started
 */
export function startSsh(log: Log, job: SshJob): SshProcess {
  const child = startChild(log, PROGRAM, {
    nodeArgs: [`--max-old-space-size=${LIMITS.sshHeapMegabytes}`],
    threads: 1,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const control = child.pipe(3)
  const transport = child.pipe(4)
  let reason: { why: unknown } | undefined
  let limit: NodeJS.Timeout | undefined
  const kill = (why: unknown) => {
    reason ??= { why }
    clearTimeout(limit)
    child.process.kill('SIGKILL')
    control.destroy()
    transport.destroy()
  }
  void sendFrame(control, SSH_FRAME.job, framed(job))
  return {
    transport,
    send: (kind, value) => sendFrame(control, kind, framed(value)),
    async *answers() {
      try {
        yield* framesOf(control, LIMITS.sshFrameBytesMax)
      } catch (error) {
        kill(error)
      }
      if (reason !== undefined) throw reason.why
      const how = await child.ended
      log.warn({ how, last_words: child.lastWords().slice(-500) }, 'a process for SSH ended by itself')
      throw new SshProcessDied(how)
    },
    kill,
    limit(ms, why) {
      clearTimeout(limit)
      limit = setTimeout(() => kill(why()), ms)
    },
    endLimit: () => clearTimeout(limit),
    async [Symbol.asyncDispose]() {
      kill(new Error('nothing more is wanted of it'))
      await child.ended
    },
  }
}
