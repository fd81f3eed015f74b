import type { Mutant } from './mutant.ts'

// Protections of deliveries, of their signatures, and of what a process says of its readiness.

export const DELIVERY_MUTANTS: readonly Mutant[] = [
  {
    name: 'leases-of-a-living-process-are-ended',
    edits: [
      {
        file: 'src/webhooks/deliver/orphans.sql.ts',
        from: 'where pg_try_advisory_xact_lock_shared(${PRESENCE_LOCKS}::int, g.holder)',
        to: 'where ${PRESENCE_LOCKS}::int <> g.holder',
      },
      {
        file: 'src/webhooks/deliver/orphans.sql.ts',
        from: 'where pg_try_advisory_xact_lock_shared(${PRESENCE_LOCKS}::int, h.holder)',
        to: 'where ${PRESENCE_LOCKS}::int <> h.holder',
      },
    ],
    file: 'test/webhooks/orphans.pg.test.ts',
    test: 'what a process that lives is sending is left to it',
  },
  {
    name: 'a-loop-at-rest-counts-as-silent',
    edits: [
      {
        file: 'src/platform/loop.ts',
        from: "dueAt = endedAt + (found === 'idle' ? options.idleMs : 0)",
        to: 'dueAt = endedAt',
      },
    ],
    file: 'test/api/readiness.pg.test.ts',
    test: 'the service stays ready while loops rest',
  },
  {
    name: 'ready-while-writes-are-refused',
    edits: [
      {
        file: 'src/db/readiness.ts',
        from: "(await inTime(db.writes.areTaken())) ? [] : ['writes']",
        to: '[]',
      },
    ],
    file: 'test/api/readiness.pg.test.ts',
    test: 'a database that only reads, as after a failover',
  },
  {
    name: 'a-stuck-worker-is-ready',
    edits: [{ file: 'src/runtime.ts', from: "? ['worker'] : []", to: '? [] : []' }],
    file: 'test/api/readiness.pg.test.ts',
    test: 'not ready while a worker is stuck, and ready again after: work',
  },
  {
    name: 'a-new-secret-signs-at-once',
    edits: [
      {
        file: 'src/webhooks/secret.ts',
        from: 'return { main: previousSecret, next: secret, previous: null }',
        to: 'return { main: secret, next: null, previous: previousSecret }',
      },
    ],
    file: 'test/webhooks/rotation.pg.test.ts',
    test: 'a receiver that reads only X-Service-Signature never refuses',
  },
]
