import { execFile, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startCommand, type Ended, type Env, type Running } from '../client/command-line.ts'

// The clients in other languages than JavaScript: how to start the command of each, and whether this machine can run it.

/** The folder of the clients. */
export const CLIENTS = fileURLToPath(new URL('../../clients/', import.meta.url))

export interface Language {
  name: string
  /** The option of its command that names the mirror. */
  option: '--sqlite' | '--dir'
  /** Why it cannot be run on this machine; null where it can. */
  missing: string | null
  start(args: readonly string[], env: Env): Running
  /** Builds it. @returns a function that removes the build */
  prepare?(): Promise<() => Promise<void>>
}

const missing = (program: string, versionArgument: string) =>
  spawnSync(program, [versionArgument]).status === 0 ? null : `${program} is not installed`

export const PYTHON: Language = {
  name: 'Python',
  option: '--sqlite',
  missing: missing('python3', '--version'),
  // warnings are errors
  start: (args, env) => startCommand('python3', ['-W', 'error', '-B', `${CLIENTS}python/shelfwire.py`, ...args], env),
}

export const PHP: Language = {
  name: 'PHP',
  option: '--dir',
  missing: missing('php', '--version'),
  // notices go to standard error, where the tests refuse them
  start: (args, env) =>
    startCommand(
      'php',
      ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', `${CLIENTS}php/bin/shelfwire-php`, ...args],
      env,
    ),
}

const built = join(tmpdir(), `shelfwire-go-${process.pid}`)

/**
 * Settings with which Go builds without a network. The compiled standard library is cached for all files of a run, in the
 * temporary directory: compiling it takes eight seconds of processor time.
 */
export const GO_SETTINGS = {
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  CGO_ENABLED: '0',
  GOCACHE: join(tmpdir(), 'shelfwire-go-cache'),
}

export const GO: Language = {
  name: 'Go',
  option: '--dir',
  missing: missing('go', 'version'),
  start: (args, env) => startCommand(built, args, env),
  async prepare() {
    const env = { ...process.env, ...GO_SETTINGS }
    await promisify(execFile)('go', ['build', '-o', built, './cmd/shelfwire-go'], { cwd: `${CLIENTS}go`, env })
    return () => rm(built)
  },
}

export const LANGUAGES: readonly Language[] = [PYTHON, GO, PHP]

/** The name of a language for the title of a test, with the reason if it is skipped. */
export const titleOf = ({ name, missing: reason }: Language) =>
  reason === null ? name : `${name} (skipped: ${reason})`

export const run = (language: Language, args: readonly string[], env: Env): Promise<Ended> =>
  language.start(args, env).ended
