import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startCommand, type Ended, type Env, type Running } from '../client/command-line.ts'

// The clients in other languages than JavaScript: how each one's command is started, and whether this machine can.

/** The folder of the clients. */
export const CLIENTS = fileURLToPath(new URL('../../clients/', import.meta.url))

export interface Language {
  name: string
  /** Names the mirror in its command. */
  option: '--sqlite' | '--dir'
  /** Why it cannot be run on this machine; null where it can. */
  missing: string | null
  start(args: readonly string[], env: Env): Running
}

const missing = (program: string, versionArgument: string) =>
  spawnSync(program, [versionArgument]).status === 0 ? null : `${program} is not installed`

export const PYTHON: Language = {
  name: 'Python',
  option: '--sqlite',
  missing: missing('python3', '--version'),
  // what would be a warning is an error
  start: (args, env) => startCommand('python3', ['-W', 'error', '-B', `${CLIENTS}python/shelfwire.py`, ...args], env),
}

export const LANGUAGES: readonly Language[] = [PYTHON]

/** For the title of what is skipped. */
export const titleOf = ({ name, missing: reason }: Language) =>
  reason === null ? name : `${name} (skipped: ${reason})`

export const run = (language: Language, args: readonly string[], env: Env): Promise<Ended> =>
  language.start(args, env).ended
