import type { Mutant } from './mutant.ts'

const RUNS = 'test/import/runs.full.pg.test.ts'
const UNDO = 'test/import/undo.pg.test.ts'
const KILLED = 'test/crash/run-kill.full.pg.test.ts'

/** Of the runs of imports. */
export const IMPORT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-file-is-removed-while-it-is-asked-for-again',
    edits: [
      {
        file: 'src/imports/runs/runs.ts',
        from: '  await lock(tx, accountId, runId)\n  const run = (await runGet(',
        to: '  const run = (await runGet(',
      },
    ],
    file: 'test/import/forget-runs.pg.test.ts',
    test: 'the file of a run that is about to be imported again is not removed',
  },
  {
    name: 'two-runs-of-a-supplier-at-a-time',
    edits: [
      {
        file: 'src/imports/runs/loop.ts',
        from: 'await using lease = await takeImportLease(db, accountId, supplierId)',
        to: 'await using lease = { holderId: crypto.randomUUID(), lock: async () => {}, [Symbol.asyncDispose]: async () => {} }',
      },
      {
        file: 'src/imports/runs/loop.ts',
        from: 'const key = `${accountId}.${supplierId}`',
        to: 'const key = `${accountId}.${runId}`',
      },
      {
        file: 'src/imports/runs/loop.ts',
        from: 'due.find(({ supplierId }) => !running.has(`${accountId}.${supplierId}`))',
        to: 'due.find(({ runId }) => !running.has(`${accountId}.${runId}`))',
      },
      {
        file: 'src/imports/runs/claims.sql.ts',
        from: 'select distinct on (supplier_id) supplier_id, run_id, due_at',
        to: 'select supplier_id, run_id, due_at',
      },
    ],
    file: RUNS,
    test: 'runs of a supplier run one at a time and in their order, whatever number of processes there is',
  },
  {
    name: 'the-newest-run-comes-first',
    edits: [
      {
        file: 'src/imports/runs/claims.sql.ts',
        from: 'order by supplier_id, run_id) following',
        to: 'order by supplier_id, run_id desc) following',
      },
    ],
    file: RUNS,
    test: 'runs of a supplier run one at a time and in their order, whatever number of processes there is',
  },
  {
    name: 'a-canceled-run-writes-on',
    edits: [
      {
        file: 'src/imports/runs/follow-run.ts',
        from: 'requireHeld(await runPage(tx, held, {',
        to: 'void (await runPage(tx, held, {',
      },
    ],
    file: RUNS,
    test: 'a run that is canceled while it writes writes no further page, and what is written stays',
  },
  {
    name: 'an-offer-that-is-written-twice-counts-twice',
    edits: [
      {
        file: 'src/imports/runs/follow-run.ts',
        from: 'const isResumed = run.hasWritten',
        to: 'const isResumed = false',
      },
    ],
    file: RUNS,
    test: 'a shutdown gives a run back, which another process ends with the right counts',
  },
  {
    name: 'the-last-of-two-values-before-a-run-is-kept',
    edits: [
      {
        file: 'src/imports/runs/claims.sql.ts',
        from: 'set before = excluded.before || import_run_change.before',
        to: 'set before = import_run_change.before || excluded.before',
      },
    ],
    file: RUNS,
    test: 'a shutdown gives a run back, which another process ends with the right counts',
  },
  {
    name: 'a-page-is-counted-apart-from-its-transaction',
    edits: [
      {
        file: 'src/imports/runs/follow-run.ts',
        from: 'pageWritten: (tx, page) => recordPage(tx, held, page, isResumed)',
        to: 'pageWritten: (_tx, page) => inTransaction(db, (own) => recordPage(own, held, page, isResumed))',
      },
    ],
    file: KILLED,
    test: 'source: killed at import:page-before-commit, pass 1',
  },
  {
    name: 'an-interrupted-run-is-not-taken-up',
    edits: [
      {
        file: 'src/imports/runs/claims.sql.ts',
        from: "and ended_at is null and state <> 'resolving' order by",
        to: "and ended_at is null and state = 'waiting' order by",
      },
    ],
    file: RUNS,
    test: 'a run whose process has ended is due again when its lease has run out, and not before',
  },
  {
    name: 'an-undo-overwrites-what-was-changed-since',
    edits: [
      {
        file: 'src/catalog/products/restore-offers.ts',
        from: "(kind === 'zeroed' ? row.absentSince !== null : offerHash(state) === afterHash)",
        to: "(kind === 'zeroed' ? row.absentSince !== null : afterHash !== null)",
      },
    ],
    file: UNDO,
    test: 'what was changed since stays, and is listed',
  },
  {
    name: 'an-undo-looks-at-the-last-record-alone',
    edits: [
      {
        file: 'src/catalog/products/offer-state.ts',
        from: '    cost === null ? null : plainDecimal(cost),\n    currency,\n    quantity,\n    contentKey(content),\n    eans,\n    feedHash,',
        to: '    feedHash,',
      },
    ],
    file: UNDO,
    test: 'an undo touches an offer only as the run left it, even if the same record was written since',
  },
  {
    name: 'an-undo-leaves-the-record-of-the-bad-file',
    edits: [
      {
        file: 'src/catalog/products/restore-offers.ts',
        from: 'const { cost, currency, quantity, feedHash } = each.before',
        to: 'const { cost, currency, quantity } = each.before\n      const { feedHash } = each.known',
      },
    ],
    file: UNDO,
    test: 'after an import and its undo, offers and payloads are what they were, also across interruptions',
  },
  {
    name: 'an-undone-file-comes-again-by-schedule',
    edits: [
      {
        file: 'src/imports/runs/claims.sql.ts',
        from: 'and (undone_by_run_id is not null or state in',
        to: 'and (false or state in',
      },
    ],
    file: RUNS,
    test: 'the schedule does not import a file again that is what was imported last, or was undone',
  },
]
