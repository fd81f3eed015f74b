import type { Counts, Failure } from './count-reporter.ts'

// A full gate runs ten thousand tests in parallel, and in some runs one of them is starved and times out. Its file is run once more by itself, and the
// closing lines say so. CONTRIBUTING.md says why.

/** Where more files have failed, something is wrong with the code or the machine. */
const FILES_MAX = 4

/** Tests that look for losses and races: a single failure is a finding, so they are not run again. */
const NEVER_AGAIN = /^test\/(?:arithmetic|crash|feed|isolation|mutations|shelf)\b|\/(?:chaos|races)\./

export interface FileOfProject {
  project: string
  file: string
}

/** The files to run again; null: none, all failures count. */
export function filesToRunAgain(failures: readonly Failure[]): FileOfProject[] | null {
  const files = new Map<string, FileOfProject>()
  for (const { place } of failures) {
    if (place === null || NEVER_AGAIN.test(place.file)) return null
    files.set(`${place.project} ${place.file}`, place)
  }
  return files.size > 0 && files.size <= FILES_MAX ? [...files.values()] : null
}

/**
 * The counts of a run, of which some files were run again.
 * @param again the files that passed in their second run
 */
export function afterSecondRuns(
  counts: Counts,
  again: readonly FileOfProject[],
): { counts: Counts; unsteady: Failure[] } {
  const passed = new Set(again.map(({ project, file }) => `${project} ${file}`))
  const isUnsteady = ({ place }: Failure) => place !== null && passed.has(`${place.project} ${place.file}`)
  const unsteady = counts.failures.filter(isUnsteady)
  return {
    counts: {
      ...counts,
      passed: counts.passed + unsteady.length,
      failed: counts.failed - unsteady.length,
      failures: counts.failures.filter((failure) => !isUnsteady(failure)),
    },
    unsteady,
  }
}
