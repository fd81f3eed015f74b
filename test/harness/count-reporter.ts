import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export interface Failure {
  /** Null for an error outside of tests, which belongs to no file. */
  place: { project: string; file: string } | null
  /** The test's name, its project, and the first line of its error, because the error itself may be hours of output above. */
  line: string
  /** The difference between expected and actual values, and the place; may be empty. */
  detail: string
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
  failures: Failure[]
}

const DETAIL_LINES = 40
const DETAIL_LENGTH = 3_000

/** A run of fewer files is not a gate; somebody has started it by hand. */
const FILES_OF_A_GATE = 100
const SLOWEST = 40

/** How a gate spends its time: the seconds of each project's files together, and the slowest files. */
function durations(modules: readonly TestModule[]): string {
  const secondsOf = (module: TestModule) => module.diagnostic().duration / 1_000
  const projects = Map.groupBy(modules, (module) => module.project.name)
  const sums = [...projects].map(([name, files]) => {
    const seconds = files.reduce((sum, file) => sum + secondsOf(file), 0)
    return `${seconds.toFixed(0)} s in ${files.length} files of ${name}`
  })
  const slowest = modules.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, SLOWEST)
  const lines = slowest.map(
    (module) => `${secondsOf(module).toFixed(0).padStart(5)} s ${module.project.name} ${module.relativeModuleId}`,
  )
  return `\nTests took ${sums.join(', ')}. The slowest:\n${lines.join('\n')}`
}

function detailOf(error: SerializedError | undefined): string {
  const diff: unknown = error?.['diff']
  const difference = typeof diff === 'string' ? diff : ''
  const [, ...rest] = (error?.message ?? '').split('\n')
  const frames = (error?.stacks ?? []).slice(0, 4).map(({ file, line }) => `at ${file}:${line}`)
  return stripVTControlCharacters([...rest, difference, ...frames].filter((text) => text !== '').join('\n'))
    .split('\n', DETAIL_LINES)
    .join('\n')
    .slice(0, DETAIL_LENGTH)
}

/** Counts tests for the closing lines of `npm test`; errors outside of tests count as failed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
    const fail = (place: Failure['place'], name: string, error: SerializedError | undefined) => {
      counts.failed++
      const line = `${name}: ${(error?.message ?? 'it failed without an error').split('\n', 1)[0]?.slice(0, 200)}`
      counts.failures.push({ place, line, detail: detailOf(error) })
    }
    for (const error of errors) fail(null, 'outside of tests', error)
    for (const module of modules) {
      const place = { project: module.project.name, file: module.relativeModuleId }
      const name = `${place.project} ${place.file}`
      for (const error of module.errors()) fail(place, name, error)
      for (const test of module.children.allTests()) {
        const { state, errors: failed } = test.result()
        if (state === 'passed') counts.passed++
        else if (state === 'failed') fail(place, `${name} > ${test.fullName}`, failed?.[0])
        else counts.skipped++
      }
    }
    if (modules.length >= FILES_OF_A_GATE) console.log(durations(modules))
    const file = process.env['SHELFWIRE_COUNTS']
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts))
  }
}
