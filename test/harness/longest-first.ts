import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest test files, the longest first. If one of them were started last, it would run alone while other cores are idle. */
export const LONGEST = [
  'test/mutations.full.pg.test.ts',
  'test/embedded/restore-to-a-moment.full.pg.test.ts',
  'test/isolation/victim.full.pg.test.ts',
  'test/connectors/vendure.full.pg.test.ts',
  'test/crash/pictures-that-stay.full.pg.test.ts',
  'test/commands/docs.full.pg.test.ts',
  'test/shapes/routes.full.pg.test.ts',
  'test/browser/panel-pages.full.pg.test.ts',
  'test/clients/mirror.full.pg.test.ts',
  'test/webhooks/pace.full.pg.test.ts',
  'test/webhooks/chaos.full.pg.test.ts',
  'test/crash/run-kill.full.pg.test.ts',
  'test/import/file-readers.full.pg.test.ts',
  'test/embedded/backup.full.pg.test.ts',
  'test/connectors/medusa.full.pg.test.ts',
  'test/operations/row-order.full.pg.test.ts',
  'test/deploy/alerts-fire.full.pg.test.ts',
  'test/browser/panel-journey.full.pg.test.ts',
  'test/client/mirror-command.full.pg.test.ts',
  'test/database/failover.full.pg.test.ts',
  'test/crash/webhook-kill.full.pg.test.ts',
  'test/shelf/differential.pg.test.ts',
  'test/webhooks/deliver.pg.test.ts',
  'test/database/plans.full.pg.test.ts',
  'test/input/doors.full.pg.test.ts',
  'test/api/round-trips.full.pg.test.ts',
  'test/api/fuzz.pg.test.ts',
]

/** Vitest's own order, but with the longest files first. */
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
