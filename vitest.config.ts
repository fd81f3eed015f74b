import { defineConfig } from 'vitest/config'
import { debianBinaries } from './test/harness/debian-server.ts'
import { LongestFirst } from './test/harness/longest-first.ts'

/**
 * What is about the embedded server itself, or not about the server's version. Every statement that is asked often runs on the
 * oldest server too, in test/database/plans.pg.test.ts.
 */
const ONCE = [
  'src/embedded/**',
  'test/accounts/**',
  'test/api/**',
  'test/browser/**',
  'test/catalog/writers.pg.test.ts',
  'test/channels/**',
  'test/commands/**',
  'test/crash/**',
  'test/input/**',
  'test/mutations.pg.test.ts',
  'test/mutations/**',
  'test/operations/**',
  'test/webhooks/chaos.pg.test.ts',
  'test/webhooks/deliver.pg.test.ts',
  'test/webhooks/log.pg.test.ts',
  'test/webhooks/metrics.pg.test.ts',
  'test/webhooks/notices.pg.test.ts',
  'test/webhooks/races.pg.test.ts',
]

/** Tests on a real PostgreSQL (suffix .pg.test.ts): a server for the project, databases of its own for each file. */
const onPostgres = (name: string, server: string, exclude: string[]) => ({
  test: {
    name,
    include: ['src/**/*.pg.test.ts', 'test/**/*.pg.test.ts'],
    exclude: ['**/node_modules/**', ...exclude],
    globalSetup: ['test/harness/servers.ts'],
    env: { SHELFWIRE_TEST_SERVER: server },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks' as const,
    maxWorkers: 2,
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
          exclude: ['**/*.pg.test.ts', '**/node_modules/**'],
          pool: 'forks' as const,
          maxWorkers: 2,
          // nothing to keep apart: they share no state, and a process for each file takes longer than most of them
          isolate: false,
          testTimeout: 30_000,
        },
      },
      onPostgres('postgres-18', 'embedded', []),
      // the oldest server that DATABASE_URL takes, where Debian's is installed; .ci/run installs it
      ...(debianBinaries(15) === null ? [] : [onPostgres('postgres-15', 'debian-15', ONCE)]),
    ],
  },
})
