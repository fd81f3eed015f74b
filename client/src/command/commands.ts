import { REPLAY, replay, TRIGGER, trigger } from './endpoint-link.ts'
import { LISTEN, listen } from './listen.ts'
import { MIRROR, mirror } from './mirror.ts'
import { DIFF, diff, VERIFY, verify } from './verify.ts'

export interface Command {
  /** A line of the list of commands. */
  summary: string
  help: string
  /** @returns the exit code @throws Failure, and other errors, which `failureOf` converts to one */
  run(args: readonly string[], ending: AbortSignal): Promise<number>
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  mirror: { ...MIRROR, run: mirror },
  verify: { ...VERIFY, run: verify },
  diff: { ...DIFF, run: diff },
  listen: { ...LISTEN, run: listen },
  trigger: { ...TRIGGER, run: trigger },
  replay: { ...REPLAY, run: replay },
}
