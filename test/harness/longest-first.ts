import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest test files, in this order. Started last, one of them would run alone while the other cores are idle. */
const LONGEST = [
  'test/mutations.pg.test.ts',
  'test/webhooks/chaos.pg.test.ts',
  'test/crash/webhook-kill.pg.test.ts',
  'test/commands/endpoints.pg.test.ts',
  'src/embedded/embedded.pg.test.ts',
  'test/commands/rules.pg.test.ts',
  'test/commands/commands.pg.test.ts',
  'test/api/write-model.pg.test.ts',
  'test/crash/kill.pg.test.ts',
  'test/api/write-deletions.pg.test.ts',
  'test/api/export.pg.test.ts',
]

/** Vitest's own order, except that the longest files come first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => {
      const at = LONGEST.findIndex((path) => file.moduleId.endsWith(`/${path}`))
      return at === -1 ? LONGEST.length : at
    }
    // the sort is stable: files of equal rank keep vitest's order
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
