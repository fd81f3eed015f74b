import type { Counts, Failure } from './count-reporter.ts'

// A full gate runs ten thousand tests beside each other, of which one in some runs does not get its turn in time. Its file is run once more by itself, and
// the closing lines say so. CONTRIBUTING.md says why.

/** With more there is something wrong with the code, or with the machine. */
const FILES_MAX = 4

/** Where a loss or a race is looked for, one that is found once is found. */
const NEVER_AGAIN = /^test\/(?:arithmetic|crash|feed|isolation|mutations|shelf)\b|\/(?:chaos|races)\./

export interface FileOfProject {
  project: string
  file: string
}

/** The files to run again; null: what failed stays failed. */
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
 * @param again those that passed then
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
