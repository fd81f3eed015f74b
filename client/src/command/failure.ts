import { ShelfwireError } from '../error.ts'
import { PositionError } from '../sync/position.ts'
import { codeOf, DirectoryError } from '../targets/directory-lock.ts'
import { VerifyError } from '../verify/verify-error.ts'

/** Exit codes by which a script decides what to do; README.md lists them. */
export const EXIT = {
  done: 0,
  /** A mirror is not equal to the service. */
  unequal: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The service does not answer now: the same command may succeed later. */
  unavailable: 3,
  /** The service refuses this: the token, the address or a store is wrong. */
  refused: 4,
  /** The file or directory of the mirror cannot be used. */
  mirror: 5,
  /** An error that nobody expected: a bug of this program. */
  unexpected: 70,
  /** Ended by a signal before it was done. */
  interrupted: 130,
} as const

/** Ends a command. The message tells a person what to do next. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exit: number
  /** For scripts. The code of the `ShelfwireError` where the service gave one. */
  readonly code: string

  constructor(exit: number, code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.exit = exit
    this.code = code
  }
}

export const usage = (message: string) => new Failure(EXIT.usage, 'usage', message)

/** Converts any error to the message and the exit code with which it ends a command. @param url of the service */
export function failureOf(error: unknown, url: string): Failure {
  if (error instanceof Failure) return error
  if (error instanceof ShelfwireError) return ofService(error, url)
  if (error instanceof DirectoryError) return new Failure(EXIT.mirror, `directory-${error.code}`, error.message, error)
  if (error instanceof VerifyError) return new Failure(EXIT.unequal, error.code, error.message, error)
  if (error instanceof PositionError) return new Failure(EXIT.mirror, 'position-damaged', error.message, error)
  return ofMirror(error) ?? new Failure(EXIT.unexpected, 'unexpected', String((error as Error)?.stack ?? error), error)
}

function ofService(error: ShelfwireError, url: string): Failure {
  const failure = (exit: number, message: string) => new Failure(exit, error.code, message, error)
  if (error.code === 'no-answer')
    return failure(
      EXIT.unavailable,
      `${url} does not answer (${reasonOf(error)}): is --url right, and does the service run?`,
    )
  if (error.isPassing && error.code === 'not-shelfwire')
    return failure(
      EXIT.unavailable,
      `${url} answers with status ${error.status}, and not as the service does: is it starting, or a proxy in front of it? Try again later`,
    )
  if (error.isPassing) return failure(EXIT.unavailable, `${error.message}: try again later`)
  if (error.code === 'not-shelfwire')
    return failure(
      EXIT.refused,
      `what answers at ${url} is not Shelfwire: give the service's address, such as https://catalog.example (${error.message.replace(/\s+/g, ' ').slice(0, 120)})`,
    )
  if (error.code === 'missing-token' || error.code === 'invalid-token')
    return failure(
      EXIT.refused,
      'the service does not know this token: it was revoked, has expired, or is of another service. The panel makes tokens on its page "Tokens"',
    )
  if (error.code === 'token-without-account')
    return failure(EXIT.refused, 'this token is of no account: give a connector token of the account')
  return failure(EXIT.refused, error.message)
}

/** The message of the connection's own error, which `fetch` wraps in the causes of its errors. */
function reasonOf(error: ShelfwireError): string {
  let reason: unknown = error
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  if (reason === error) return error.message
  const code = codeOf(reason)
  const { message } = reason as Error
  return code === undefined || message.includes(code) ? message : message === '' ? code : `${code}: ${message}`
}

const OF_FILES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there: give another place, or the user the right to',
  EPERM: 'this user may not write there: give another place, or the user the right to',
  EROFS: 'the file system is read-only: give another place',
  ENOSPC: 'the disk is full: free some space and start again; it goes on where it stopped',
  EDQUOT: 'the quota is used up: free some space and start again; it goes on where it stopped',
  ENOTDIR: 'a file is where a directory should be: give another place',
  EEXIST: 'a file is where a directory should be: give another place',
  EISDIR: 'a directory is where a file should be: give another place',
  ENOENT: 'the directory is not there: make it, or give another place',
}

/** Advice on errors of `node:sqlite`, by SQLite's primary result code. */
const OF_SQLITE: Readonly<Record<number, string>> = {
  5: 'another process has locked the file for long: end it, or start again',
  8: 'the file cannot be written: give this user the right to, or another file',
  10: 'is the disk full? Free some space and start again; it goes on where it stopped',
  11: 'the file is damaged: remove it and run `mirror` again',
  13: 'the disk is full: free some space and start again; it goes on where it stopped',
  14: 'the file cannot be opened: does its directory exist, and may this user write there?',
  26: 'the file is no SQLite database: give another file',
}

function ofMirror(error: unknown): Failure | undefined {
  const code = codeOf(error)
  if (code === undefined || !(error instanceof Error)) return undefined
  if (code === 'ERR_SQLITE_ERROR') {
    const number = sqliteNumber(error)
    return new Failure(
      EXIT.mirror,
      `sqlite-${number}`,
      `${error.message}: ${OF_SQLITE[number] ?? 'SQLite cannot use the file'}`,
      error,
    )
  }
  const advice = OF_FILES[code]
  if (advice !== undefined) return new Failure(EXIT.mirror, code, `${error.message}: ${advice}`, error)
  return 'syscall' in error ? new Failure(EXIT.mirror, code, error.message, error) : undefined
}

const sqliteNumber = (error: Error): number =>
  // the last byte of an extended result code is the primary one
  'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

/** Codes of failures that may pass by themselves, so a mirror that follows keeps trying. */
const PASSING = new Set([
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'EIO',
  'sqlite-5',
  'sqlite-6',
  'sqlite-10',
  'sqlite-13',
])

/** Whether trying again is useless until a person acts. */
export function isFinal(failure: Failure): boolean {
  return failure.exit === EXIT.mirror || failure.exit === EXIT.unexpected ? !PASSING.has(failure.code) : false
}
