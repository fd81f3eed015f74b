import { defineConfig } from 'vitest/config'

/** Tests that need nothing, and tests on a real PostgreSQL (suffix .pg.test.ts), once per server the machine has. */
const onPostgres = (name: string, env: Record<string, string>) => ({
  test: {
    name,
    include: ['src/**/*.pg.test.ts', 'test/**/*.pg.test.ts'],
    globalSetup: ['test/harness/servers.ts'],
    env,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // each file has databases of its own on one server; two files at a time suit two cores
    pool: 'forks' as const,
    maxWorkers: 2,
  },
})

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.ts', 'contract/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/*.pg.test.ts', '**/node_modules/**'],
          pool: 'forks' as const,
          maxWorkers: 2,
          testTimeout: 30_000,
        },
      },
      onPostgres('postgres-18', { SHELFWIRE_TEST_SERVER: 'embedded' }),
    ],
  },
})
