import { setTimeout as sleep } from 'node:timers/promises'
import { asError } from '../errors.ts'
import type { Log } from '../log.ts'

export interface Loop {
  /** Ends the current pause: the next step runs at once. */
  poke(): void
  /** Starts no further step; resolves when the current one has ended. */
  stop(): Promise<void>
  /**
   * Milliseconds since the next step was due, if it has not started or not succeeded since; 0 during a pause. For /readyz: a loop that pauses for a
   * minute is not stuck.
   */
  ageMs(): number
}

export interface LoopOptions {
  name: string
  log: Log
  /** Does one bounded piece of work. It takes no input, so that start-up, poke and poll are one code path. */
  step: (signal: AbortSignal) => Promise<'more' | 'idle'>
  /** How long to pause after a step that found nothing. */
  idleMs: number
}

const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 10_000

/**
 * Runs `step` until stopped: again at once after `more`, after `idleMs` or a poke after `idle`, with exponential backoff
 * after an error.
 */
export function startLoop(options: LoopOptions): Loop {
  const ending = new AbortController()
  let wake: (() => void) | undefined
  let poked = false
  /** When the step that has not succeeded yet was due. */
  let dueAt = performance.now()
  let failures = 0

  const pause = async (milliseconds: number) => {
    if (poked || ending.signal.aborted) return
    const woken = new AbortController()
    wake = () => woken.abort()
    const signal = AbortSignal.any([woken.signal, ending.signal])
    await sleep(milliseconds, undefined, { signal }).catch(() => {})
    wake = undefined
  }

  const run = async () => {
    while (!ending.signal.aborted) {
      poked = false
      try {
        const found = await options.step(ending.signal)
        failures = 0
        const endedAt = performance.now()
        dueAt = endedAt + (found === 'idle' ? options.idleMs : 0)
        if (found === 'idle') await pause(options.idleMs)
        // a poke made the next step due now
        dueAt = Math.min(dueAt, performance.now())
      } catch (error) {
        if (ending.signal.aborted) return
        const delay = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** failures++)
        const level = delay < 1_000 ? 'info' : delay < 6_500 ? 'warn' : 'error'
        options.log[level]({ err: asError(error), loop: options.name, retryMs: delay }, 'loop step failed')
        poked = false
        await pause(delay)
      }
    }
  }

  const running = run()
  return {
    poke() {
      poked = true
      wake?.()
    },
    async stop() {
      ending.abort()
      await running
    },
    ageMs: () => Math.max(0, performance.now() - dueAt),
  }
}
