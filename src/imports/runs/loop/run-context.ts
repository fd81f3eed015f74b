import type { TokenRate } from '../../../accounts/token-rate.ts'
import type { Db } from '../../../db/sql.ts'
import type { Wake } from '../../../db/wake.ts'
import type { FileReaders } from '../../../file-readers/readers.ts'
import type { Unfinished } from '../../../objects/unfinished.ts'
import type { Log } from '../../../platform/log.ts'
import type { RunFiles } from '../../files/run-files.ts'
import type { Fetching } from '../../fetch/fetch-source.ts'
import type { Fetched } from '../../fetch/fetched.ts'
import type { RunEndState, RunProblem } from '../runs.sql.ts'

/** What runs need. */
export interface RunContext {
  db: Db
  wake: Wake
  log: Log
  files: RunFiles
  /** Where files are stored while they are being received or written. */
  unfinished: Unfinished
  fetchSource: Fetching['fetchSource']
  readers: FileReaders
  /** The account's budget of written rows. */
  rates: TokenRate
}

/** Ends a run without an import, with a state and the reason. */
export class RunEnds extends Error {
  readonly state: RunEndState
  readonly problem: RunProblem | null
  readonly warnings: readonly string[]
  readonly isSetAside: boolean
  constructor(state: RunEndState, problem: RunProblem | null, warnings: readonly string[] = [], isSetAside = false) {
    super(problem?.detail ?? state)
    this.state = state
    this.problem = problem
    this.warnings = warnings
    this.isSetAside = isSetAside
  }
}

/** Ends a run with the answer of its source. */
export class FetchEnds extends RunEnds {
  readonly fetched: Fetched
  constructor(fetched: Fetched, state: RunEndState, problem: RunProblem | null, warnings: readonly string[] = []) {
    super(state, problem, warnings)
    this.fetched = fetched.kind === 'file' ? { ...fetched, path: '' } : fetched
  }
}

/** The file store failed while a stored file was read. This may be temporary. */
export class FileUnavailable extends Error {}

/**
 * The run no longer belongs to this process: it was canceled, deleted with its supplier, or continued by another
 * process.
 */
export class RunStopped extends Error {}

/** @throws RunStopped unless the run is still the holder's. */
export function requireHeld(isHeld: boolean): void {
  if (!isHeld) throw new RunStopped()
}
