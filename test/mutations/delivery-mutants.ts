import type { Mutant } from './mutant.ts'
import { NOTICE_MUTANTS } from './notice-mutants.ts'

// Protections of deliveries, of their signatures, and of the readiness of a process.

const PACE = 'test/webhooks/pace.full.pg.test.ts'

export const DELIVERY_MUTANTS: readonly Mutant[] = [
  ...NOTICE_MUTANTS,
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
    file: 'test/webhooks/orphans.full.pg.test.ts',
    test: 'deliveries of a process that lives are left to it',
  },
  {
    name: 'a-pace-from-one-claim-to-the-next',
    edits: [
      {
        file: 'src/webhooks/schedule/pace.ts',
        from: 'const end = perWindow === 0 ? undefined : recentEnds[perWindow - 1]',
        to: 'const end = perWindow === 0 ? undefined : recentEnds[LIMITS.webhookRecentEndsMax]',
      },
    ],
    file: PACE,
    test: 'a delivery that left late, because its connection took long',
  },
  {
    name: 'a-delivery-of-a-lost-process-is-not-counted',
    edits: [
      {
        file: 'src/webhooks/deliver/step.ts',
        from: 'if (row.leaseId !== null && !isUnsent) row.recentEnds = withEnd(row.recentEnds, now)',
        to: '',
      },
    ],
    file: PACE,
    test: 'however long deliveries take, whoever has the lease',
  },
  {
    name: 'ends-stay-in-the-future',
    edits: [
      {
        file: 'src/webhooks/deliver/step.ts',
        from: 'row.recentEnds = row.recentEnds.map((at) => new Date(at.getTime() - backMs))',
        to: '',
      },
    ],
    file: PACE,
    test: 'however long deliveries take, whoever has the lease',
  },
  {
    name: 'a-loop-at-rest-counts-as-silent',
    edits: [
      {
        file: 'src/platform/process/loop.ts',
        from: "dueAt = endedAt + (found === 'idle' ? options.idleMs : 0)",
        to: 'dueAt = endedAt',
      },
    ],
    file: 'test/api/readiness.full.pg.test.ts',
    test: 'the service stays ready while loops rest',
  },
  {
    name: 'ready-while-writes-are-refused',
    edits: [
      {
        file: 'src/db/checks/readiness.ts',
        from: "(await inTime(db.writes.areTaken(), PROBE_MS_MAX, false)) ? [] : ['writes']",
        to: '[]',
      },
    ],
    file: 'test/api/readiness.full.pg.test.ts',
    test: 'a database that only reads, as after a failover',
  },
  {
    name: 'a-stuck-worker-is-ready',
    edits: [{ file: 'src/service.ts', from: "? ['worker'] : []", to: '? [] : []' }],
    file: 'test/api/readiness.full.pg.test.ts',
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
  {
    name: 'a-result-that-comes-again-hides-its-delivery',
    edits: [{ file: 'src/webhooks/deliver/step.ts', from: '  if (visit.isUnread) return now\n', to: '' }],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'when a result is recorded a second time, its delivery is sent again before anything newer',
  },
  {
    name: 'ends-of-deliveries-are-kept-the-oldest-first',
    edits: [
      {
        file: 'src/webhooks/deliver/records.sql.ts',
        from: '(array_prepend(g.ended_at, s.recent_ends))[',
        to: '(array_append(s.recent_ends, g.ended_at))[',
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'the ends of deliveries are kept, the newest first',
  },
  {
    name: 'what-an-endpoint-was-ever-sent-is-read-for-each-end',
    edits: [
      {
        file: 'src/webhooks/deliver/records.sql.ts',
        from: "and state = 'waiting' offset 0\n      ) l where",
        to: 'offset 0\n      ) l where',
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'from one delivery to the next no index of endpoint_state is written',
  },
  {
    name: 'each-delivery-moves-its-endpoint-in-the-index',
    edits: [
      {
        file: 'src/webhooks/deliver/step.ts',
        from: 'return early > now.getTime() ? new Date(early) : leasedUntil',
        to: 'return leasedUntil',
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'from one delivery to the next no index of endpoint_state is written',
  },
  {
    name: 'what-was-scanned-elsewhere-in-the-log-is-used',
    edits: [
      {
        file: 'src/webhooks/deliver/scan.sql.ts',
        from: '`${position} ${limit} ${storeId ?? 0} ',
        to: '`${limit} ${storeId ?? 0} ',
      },
      {
        file: 'src/webhooks/deliver/scan.sql.ts',
        from: '`${position} ${limit} ${storeId} ',
        to: '`${limit} ${storeId} ',
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'endpoints that are at different places are each told what comes next',
  },
  {
    name: 'what-was-scanned-of-other-kinds-is-used',
    edits: [
      {
        file: 'src/webhooks/deliver/scan.sql.ts',
        from: "${storeId ?? 0} ${CHANGE_KINDS.map((kind) => Number(kinds.includes(kind))).join(' ')}`",
        to: '${storeId ?? 0}${[...kinds].slice(9).join()}`',
      },
      {
        file: 'src/webhooks/deliver/scan.sql.ts',
        from: ' ${storeId} ${price} ${content} ${removed}`',
        to: ' ${storeId}${[price, content, removed].slice(9).join()}`',
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'what a claim remembers of its endpoint counts only as long as it is so',
  },
  {
    name: 'a-claim-remembers-another-scan',
    edits: [
      { file: 'src/webhooks/deliver/step.ts', from: 'limit: scanLimit(row) }', to: 'limit: scanLimit(row) + 1 }' },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'endpoints that are at different places are each told what comes next',
  },
  {
    name: 'the-rest-of-the-endpoints-is-never-due',
    edits: [{ file: 'src/webhooks/deliver/step.ts', from: 'if (restInMs !== null)', to: 'if (restInMs === 0)' }],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'a step says when the rest of the endpoints is due',
  },
  {
    name: 'changes-wait-for-results',
    edits: [
      {
        file: 'src/webhooks/schedule/scheduler.ts',
        from: "account.isUrgent ||= what === 'anything'",
        to: 'account.isUrgent = false',
      },
    ],
    file: 'src/webhooks/schedule/scheduler.test.ts',
    test: 'wait no longer once there is something else to do: changed',
  },
  {
    name: 'endpoints-are-read-before-they-are-locked',
    edits: [{ file: 'src/webhooks/deliver/claims.sql.ts', from: ') others`.execute()', to: ') others`' }],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'a step waits for the database twice',
  },
  {
    name: 'a-full-process-scans-ahead',
    edits: [
      {
        file: 'src/webhooks/deliver/step.ts',
        from: 'options.isFull?.() === true',
        to: 'options.isFull?.() === undefined',
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'where no slot is free nothing is scanned',
  },
  {
    name: 'the-log-is-scanned-behind-what-waits',
    edits: [
      {
        file: 'src/webhooks/deliver/scan.sql.ts',
        from: "d.state = 'waiting' offset 0)",
        to: "d.state = 'void' offset 0)",
      },
    ],
    file: 'test/webhooks/step.pg.test.ts',
    test: 'where no slot is free nothing is scanned',
  },
]
