import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest test files, the longest first: those of the full gate, then those of `npm test`. If one of them were started last, it would run alone while other cores are idle. */
export const LONGEST = [
  'test/mutations.full.pg.test.ts',
  'test/commands/docs.full.pg.test.ts',
  'test/isolation/victim.full.pg.test.ts',
  'test/connectors/medusa.full.pg.test.ts',
  'test/browser/panel-pages.full.pg.test.ts',
  'test/connectors/medusa-kills.full.pg.test.ts',
  'test/crash/pictures-that-stay.full.pg.test.ts',
  'test/embedded/restore-to-a-moment.full.pg.test.ts',
  'test/shelf/large-rules.full.pg.test.ts',
  'test/browser/panel-import.full.pg.test.ts',
  'test/connectors/vendure.full.pg.test.ts',
  'test/crash/run-kill.full.pg.test.ts',
  'test/embedded/backup.full.pg.test.ts',
  'test/package/release.full.test.ts',
  'test/browser/panel-empty-directory.full.pg.test.ts',
  'test/browser/panel-first-hour.full.pg.test.ts',
  'test/clients/mirror.full.pg.test.ts',
  'test/browser/panel-grid.full.pg.test.ts',
  'test/browser/panel-suppliers.full.pg.test.ts',
  'test/crash/kill.full.pg.test.ts',
  'test/embedded/used-server.full.pg.test.ts',
  'test/crash/webhook-kill.full.pg.test.ts',
  'test/webhooks/chaos.full.pg.test.ts',
  'test/client/mirror-command.full.pg.test.ts',
  'test/shelf/shelving-process.full.pg.test.ts',
  'src/embedded/embedded.full.pg.test.ts',
  'test/database/failover.full.pg.test.ts',
  'test/browser/panel-sign-in.full.pg.test.ts',
  'test/api/write-isolation.full.pg.test.ts',
  'test/database/rekey.full.pg.test.ts',
  'test/browser/panel-settings.full.pg.test.ts',
  'test/shelf/mirrors.full.pg.test.ts',
  'test/crash/mirror-kill.full.pg.test.ts',
  'test/deploy/restarts.full.pg.test.ts',
  'test/webhooks/pace.full.pg.test.ts',
  'test/browser/panel-journey.full.pg.test.ts',
  'test/import/file-readers.full.pg.test.ts',
  'test/images/decoder-fuzz.full.test.ts',
  'test/client/verify-command.full.pg.test.ts',
  'test/deploy/alerts-fire.full.pg.test.ts',
  'test/api/write-fuzz.full.pg.test.ts',
  'test/commands/every-command.full.pg.test.ts',
  'test/package/tarball.full.pg.test.ts',
  'test/browser/panel-products.full.pg.test.ts',
  'test/api/write-input.full.pg.test.ts',
  'test/connectors/vendure-new-products.full.pg.test.ts',
  'test/browser/panel-unsaved.full.pg.test.ts',
  'test/browser/panel-product.full.pg.test.ts',
  'test/browser/panel-provider.full.pg.test.ts',
  'test/import/fetch-servers.full.pg.test.ts',
  'test/crash/disk-full.full.pg.test.ts',
  'test/crash/rate-limit.full.pg.test.ts',
  'test/crash/processes.full.pg.test.ts',
  'test/api/hostile-connections.full.pg.test.ts',
  'test/images/mirror.full.pg.test.ts',
  'test/client/package.full.pg.test.ts',
  'test/commands/tutorial.full.pg.test.ts',
  'test/api/examples.pg.test.ts',
  'test/shelf/differential.pg.test.ts',
  'test/api/fuzz.pg.test.ts',
  'test/webhooks/deliver.pg.test.ts',
  'test/shelf/marks.pg.test.ts',
  'test/accounts/budgets.pg.test.ts',
  'src/resolve/resolve-properties.test.ts',
  'test/api/feed.pg.test.ts',
  'test/browser/panel.pg.test.ts',
]

/** Vitest's own order, but with the longest files of each project first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => {
      const at = LONGEST.findIndex((path) => file.moduleId.endsWith(`/${path}`))
      return at === -1 ? LONGEST.length : at
    }
    const sorted = await super.sort(files)
    // one project after the other, because a worker that goes on with another project is replaced by a new process, which loads everything again
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const order = (file: TestSpecification) => projects.indexOf(file.project)
    // the sort is stable: files of equal rank keep vitest's order
    return sorted.sort((a, b) => order(a) - order(b) || rank(a) - rank(b))
  }
}
