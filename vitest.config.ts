import { globSync } from 'node:fs'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { citusBinaries } from './test/harness/citus-cluster.ts'
import { debianBinaries } from './test/harness/debian-server.ts'
import { LongestFirst } from './test/harness/longest-first.ts'

// A test's file name says where it runs:
//   x.test.ts          pure: no server; both gates
//   x.pg.test.ts       on a real PostgreSQL; both gates
//   x.full.test.ts, x.full.pg.test.ts   the full gate alone: kills processes, takes long, or needs what a machine may lack
// `npm test` is the fast gate, `npm run test:full` the full one, which also runs on the oldest PostgreSQL. A file that is named
// on the command line runs whatever its name: `npm test -- test/webhooks/chaos`.

const isFullGate = process.env['SHELFWIRE_GATE'] === 'full'
const isFileNamed = process.argv.slice(2).some((argument) => /^(?:\.\/)?(?:src|test|contract)\b/.test(argument))
const OUT_OF_GATE = isFullGate || isFileNamed ? [] : ['**/*.full.test.ts', '**/*.full.pg.test.ts']

/**
 * What is about the embedded server itself, or not about the server's version, is not run on the oldest server. Every statement
 * that is asked often runs there too, in test/database/plans.full.pg.test.ts. docs/decisions/251-a-gate-does-once-what-it-did-twice.md says why.
 */
const NOT_ON_THE_OLDEST = [
  'test/citus/**',
  // on every server: upgrades of databases of older releases, and what is about the server itself
  '**/!(upgrade|plans|migration-check|last-backup).full.pg.test.ts',
  'test/accounts/**',
  'test/api/**',
  'test/bank-rates/**',
  'test/browser/**',
  'test/catalog/writers.pg.test.ts',
  'test/channels/**',
  // talks HTTP alone
  'test/client/**',
  'test/clients/**',
  'test/commands/**',
  'test/connectors/**',
  'test/deploy/**',
  // what is refused before a statement is made of it
  'test/input/**',
  'test/isolation/**',
  'test/mutations/**',
  'test/notices/**',
  'test/operations/**',
  'test/operator/**',
  'test/panel/**',
  'test/webhooks/deliver.pg.test.ts',
  'test/webhooks/metrics.pg.test.ts',
  'test/images/uploads.full.pg.test.ts',
]

/**
 * What is about one server: its files, plans, speed, triggers, migrations from the first on; and what does not touch the database.
 * test/citus/ has what is about the cluster.
 */
const NOT_ON_CITUS = [
  'src/embedded/**',
  // rows that the server refuses, for which the cluster's log would be refused; test/accounts/archive-import has the statements
  'test/accounts/archive-refused.full.pg.test.ts',
  // what requests look like, before anything is asked of the database
  'test/api/http.full.pg.test.ts',
  'test/api/large-bodies.full.pg.test.ts',
  'test/api/openapi.full.pg.test.ts',
  'test/api/readiness.full.pg.test.ts',
  'test/api/refused-requests.full.pg.test.ts',
  'test/api/unknown-tokens.full.pg.test.ts',
  'test/input/**',
  'test/shapes/**',
  // of figures, which are asked for by the same statements whatever the server
  'test/deploy/alerts-fire.full.pg.test.ts',
  // of the same statements as test/operations/spooled.full.pg.test.ts
  'test/operations/row-order.full.pg.test.ts',
  'test/browser/**',
  // talks HTTP alone
  'test/client/**',
  'test/clients/**',
  'test/connectors/**',
  // of times: the mirror's statements run in test/crash/mirror-kill, those of deliveries in test/webhooks/deliver and chaos
  'test/images/mirror.full.pg.test.ts',
  'test/images/pace.full.pg.test.ts',
  'test/webhooks/pace.full.pg.test.ts',
  'test/crash/disk-full.full.pg.test.ts',
  // the clock of one server is moved
  'test/crash/pictures-that-stay.full.pg.test.ts',
  'test/commands/moved-clock.full.pg.test.ts',
  'test/commands/docs.full.pg.test.ts',
  'test/commands/npm-start*',
  'test/commands/tutorial.full.pg.test.ts',
  'test/database/failover.full.pg.test.ts',
  'test/import/feeds.full.pg.test.ts',
  'test/import/fetch-*',
  'test/import/file-previews.full.pg.test.ts',
  'test/database/nodes.full.pg.test.ts',
  // of connections that die, whose errors the cluster's log would be refused for
  'test/database/lost-connections.full.pg.test.ts',
  // a login of one server
  'test/database/refused-logins.full.pg.test.ts',
  'test/database/plans.full.pg.test.ts',
  'test/database/schema.pg.test.ts',
  'test/database/sku-patterns.pg.test.ts',
  'test/database/standby.full.pg.test.ts',
  'test/mutations.full.pg.test.ts',
  'test/operations/hundred-thousand.full.pg.test.ts',
  'test/package/**',
  'test/shelf/sweep-load.full.pg.test.ts',
  // a dump of one server
  'test/upgrade/**',
  // of snapshots, which each node of a cluster takes at the first statement there; test/shelf/large-rules has the statements
  'test/shelf/compiled-inputs.pg.test.ts',
]
/**
 * A gate, which has a seed, runs every twentieth of the files on the cluster, and every fourth on the oldest server, others at another seed:
 * all of them have run on one server. What is about the cluster is always run, and of the oldest server the plans of all statements that are
 * asked often, migrations and upgrades. Without a seed (`npm run test:citus`) it is all.
 */
function leftOut(nth: number, always: string[]): string[] {
  const seed = process.env['SEED']
  if (seed === undefined || isFileNamed) return []
  const files = globSync(['src/**/*.pg.test.ts', 'test/**/*.pg.test.ts'], { exclude: always })
  return files.toSorted().filter((_, i) => (i + Number(seed)) % nth !== 0)
}
/** Tests of the cluster, which run nowhere else. */
const CITUS_ONLY = 'test/citus/**/*.pg.test.ts'

/** Tests on a real PostgreSQL (suffix .pg.test.ts): a server for the project, databases of its own for each file. */
const onPostgres = (name: string, server: string, exclude: string[]) => ({
  test: {
    name,
    include: ['src/**/*.pg.test.ts', 'test/**/*.pg.test.ts'],
    exclude: ['**/node_modules/**', ...OUT_OF_GATE, ...exclude],
    globalSetup: ['test/harness/servers.ts'],
    setupFiles: ['test/harness/fresh-process.ts'],
    env: { SHELFWIRE_TEST_SERVER: server },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks' as const,
    maxWorkers: 2,
    // a file has databases and services of its own; in a process of its own it would compile the whole service anew, too, which took a
    // quarter of all processor time
    isolate: false,
  },
})

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'contract/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/*.pg.test.ts', '**/node_modules/**', ...OUT_OF_GATE],
          setupFiles: ['test/harness/seed.ts'],
          pool: 'forks' as const,
          maxWorkers: 2,
          // nothing to keep apart: they share no state, and a process for each file takes longer than most of them
          isolate: false,
          testTimeout: 30_000,
        },
      },
      onPostgres('postgres-18', 'embedded', [CITUS_ONLY]),
      // the oldest server that DATABASE_URL takes, where Debian's is installed; .ci/run installs it
      ...(isFullGate && debianBinaries(15) !== null
        ? [
            onPostgres('postgres-15', 'debian-15', [
              ...NOT_ON_THE_OLDEST,
              ...leftOut(4, ['test/database/**', 'test/upgrade/**']),
            ]),
          ]
        : []),
      // a Citus cluster of three servers, where test/citus/build.sh could build it
      ...(process.env['SHELFWIRE_CITUS'] === '1' && citusBinaries() !== null
        ? [onPostgres('citus', 'citus', [...NOT_ON_CITUS, ...leftOut(20, ['test/citus/**'])])]
        : []),
    ],
  },
})
