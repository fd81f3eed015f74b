import { expect, test } from 'vitest'
import type { Failure } from './count-reporter.ts'
import { afterSecondRuns, filesToRunAgain } from './unsteady.ts'

const failureIn = (file: string, project = 'postgres-18'): Failure => ({
  place: { project, file },
  line: `${project} ${file} > a test: timed out`,
  detail: '',
})
const OUTSIDE: Failure = { place: null, line: 'outside of tests: it broke', detail: '' }
const [A, B] = [failureIn('test/api/a.pg.test.ts'), failureIn('test/panel/b.pg.test.ts')]

test('a few files are run again, each once', () => {
  expect(filesToRunAgain([A, A, B])).toEqual([A.place, B.place])
  expect(filesToRunAgain([A, failureIn('test/api/a.pg.test.ts', 'postgres-15')])).toHaveLength(2)
})

test('nothing is, where a loss or a race is looked for, where a run broke, and where much has failed', () => {
  for (const file of [
    'test/crash/kill.full.pg.test.ts',
    'test/shelf/differential.pg.test.ts',
    'test/webhooks/chaos.full.pg.test.ts',
    'test/mutations.full.pg.test.ts',
  ])
    expect(filesToRunAgain([A, failureIn(file)]), file).toBeNull()
  expect(filesToRunAgain([A, OUTSIDE])).toBeNull()
  expect(filesToRunAgain(['a', 'b', 'c', 'd', 'e'].map((name) => failureIn(`test/api/${name}.pg.test.ts`)))).toBeNull()
  expect(filesToRunAgain([])).toBeNull()
})

test('what passed in its second run counts as passed, and is named', () => {
  const counts = { passed: 10, failed: 3, skipped: 1, failures: [A, A, B] }
  expect(afterSecondRuns(counts, [A.place!])).toEqual({
    counts: { passed: 12, failed: 1, skipped: 1, failures: [B] },
    unsteady: [A, A],
  })
})
