import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Counts tests for the closing line of `npm test`; errors outside of tests count as failed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      counts.failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') counts.passed++
        else if (state === 'failed') counts.failed++
        else counts.skipped++
      }
    }
    const file = process.env['SHELFWIRE_COUNTS']
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts))
  }
}
