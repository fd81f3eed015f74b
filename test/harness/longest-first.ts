import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest test files, in this order. Started last, one of them would run alone while the other cores are idle. */
export const LONGEST = [
  'test/mutations.full.pg.test.ts',
  'test/webhooks/chaos.full.pg.test.ts',
  'test/crash/webhook-kill.full.pg.test.ts',
  'src/embedded/embedded.full.pg.test.ts',
  'test/commands/docs.full.pg.test.ts',
  'test/operations/hundred-thousand.full.pg.test.ts',
  'test/crash/kill.full.pg.test.ts',
  'test/api/export.full.pg.test.ts',
  'test/clients/mirror.full.pg.test.ts',
  'test/notices/mail.full.pg.test.ts',
  'test/api/write-input.full.pg.test.ts',
  'test/api/write-isolation.full.pg.test.ts',
  'test/api/write-fuzz.full.pg.test.ts',
  'test/api/write-model.full.pg.test.ts',
  'test/api/fuzz.pg.test.ts',
  'test/shelf/differential.pg.test.ts',
  'test/webhooks/races.full.pg.test.ts',
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
