import type { Mutant } from './mutant.ts'

const RUNS = 'test/import/runs.full.pg.test.ts'
const UNDO = 'test/import/undo.full.pg.test.ts'
const KILLED = 'test/crash/run-kill.full.pg.test.ts'
const MAPPINGS = 'src/supplier-files/mapping-document.test.ts'
const SHAPES = 'test/shapes/parsers.test.ts'

const READERS = 'test/import/file-readers.full.pg.test.ts'
const JUDGE = 'src/imports/safety/judge.test.ts'
const DROPPED = 'src/supplier-files/dropped.test.ts'
const DETECT = 'src/supplier-files/proposal/detect.test.ts'
const EVIDENCE = 'src/supplier-files/utf8-evidence.test.ts'

/** Faults in import runs. */
export const IMPORT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-run-that-ends-its-process-is-begun-again',
    edits: [
      {
        file: 'src/imports/runs/loop/run-failure.ts',
        from: 'run.interruptions + 1 >= LIMITS.importRunInterruptionsMax',
        to: 'run.attempts >= LIMITS.importRunAttemptsMax',
      },
    ],
    file: READERS,
    test: 'a run that ends its process is set aside the second time, and its source does not begin it anew',
  },
  {
    name: 'a-mapping-is-checked-before-it-is-bounded',
    edits: [
      {
        file: 'src/supplier-files/mapping-document.ts',
        from: "if (origin === 'given') requireSmallMapping",
        to: "if (origin !== 'given') requireSmallMapping",
      },
    ],
    file: MAPPINGS,
    test: 'by its values, and by its characters; what is stored is read all the same',
  },
  {
    name: 'every-unknown-key-of-a-mapping-is-compared',
    edits: [
      {
        file: 'src/supplier-files/mapping/mapping-check.ts',
        from: 'const NEAR_KEYS_MAX = 20',
        to: 'const NEAR_KEYS_MAX = Infinity',
      },
    ],
    file: MAPPINGS,
    test: 'and of its unknown keys the first are compared with known ones',
  },
  {
    name: 'a-list-of-runs-reads-their-mappings',
    edits: [
      {
        file: 'src/imports/runs/runs.sql.ts',
        from: "select ${listedColumns(reader)}, ${keptLength(reader, 'warnings')}",
        to: "select ${listedColumns(reader)}, mapping, ${keptLength(reader, 'warnings')}",
      },
    ],
    file: 'test/import/mapping-bounds.pg.test.ts',
    test: 'a list of imports reads no mapping, a single one does, with the columns of its fields',
  },
  {
    name: 'a-killed-run-is-begun-again-without-end',
    edits: [
      {
        file: 'src/imports/runs/loop/execute.ts',
        from: 'if (interruptions < LIMITS.importRunInterruptionsMax && !isLost) return',
        to: 'if (interruptions >= 0 && !isLost) return',
      },
    ],
    file: READERS,
    test: 'a run with which the process of the service ended twice is set aside when it is taken up again',
  },
  {
    name: 'a-fetch-takes-the-place-of-an-import',
    edits: [
      {
        file: 'src/imports/runs/loop/loop.ts',
        from: '(run.isFetch ? fetches : imports).take(accountId)',
        to: 'imports.take(0)',
      },
    ],
    file: READERS,
    test: 'fetches that take long keep no import waiting, and of one account there is a bounded number',
  },
  {
    name: 'a-row-is-sent-with-the-hash-of-its-page',
    edits: [
      {
        file: 'src/file-readers/row-pages.ts',
        from: 'this.#texts.subarray(from, this.#bytes)',
        to: 'this.#texts.subarray(0, this.#bytes)',
      },
    ],
    file: 'test/import/row-pages.test.ts',
    test: 'offers are the same after they were sent',
  },
  {
    name: 'previews-of-files-are-not-shared-by-account',
    edits: [
      {
        file: 'src/file-readers/readers.ts',
        from: 'await looks.acquire(accountId, { signal })',
        to: 'await looks.acquire(0, { signal })',
      },
    ],
    file: READERS,
    test: 'an account that sends many files leaves places to others, and is told when too many wait',
  },
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
        file: 'src/imports/runs/loop/loop.ts',
        from: 'await using lease = await takeImportLease(db, accountId, supplierId)',
        to: 'await using lease = { holderId: crypto.randomUUID(), lock: async () => {}, [Symbol.asyncDispose]: async () => {} }',
      },
      {
        file: 'src/imports/runs/loop/loop.ts',
        from: 'const key = `${accountId}.${supplierId}`',
        to: 'const key = `${accountId}.${runId}`',
      },
      {
        file: 'src/imports/runs/loop/loop.ts',
        from: '.filter(({ supplierId }) => !running.has(`${accountId}.${supplierId}`))',
        to: '.filter(({ runId }) => !running.has(`${accountId}.${runId}`))',
      },
      {
        file: 'src/imports/runs/loop/claims.sql.ts',
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
        file: 'src/imports/runs/loop/claims.sql.ts',
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
        file: 'src/imports/runs/loop/follow-run.ts',
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
        file: 'src/imports/runs/loop/follow-run.ts',
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
        file: 'src/imports/runs/loop/claims.sql.ts',
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
        file: 'src/imports/runs/loop/follow-run.ts',
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
        file: 'src/imports/runs/loop/claims.sql.ts',
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
        file: 'src/catalog/products/offers/restore-offers.ts',
        from: "if (!isAsLeft && !isForced) return 'changed'",
        to: "if (!isAsLeft && isForced) return 'changed'",
      },
    ],
    file: UNDO,
    test: 'what was changed since stays, and is listed',
  },
  {
    name: 'an-undo-looks-at-the-last-record-alone',
    edits: [
      {
        file: 'src/catalog/products/offers/offer-state.ts',
        from: 'JSON.stringify(valuesOf(offer))',
        to: 'JSON.stringify(offer.feedHash)',
      },
    ],
    file: UNDO,
    test: 'an undo touches an offer only as the run left it, even if the same record was written since',
  },
  {
    name: 'an-undo-leaves-what-was-written-with-the-same-values',
    edits: [
      {
        file: 'src/catalog/products/offers/offer-state.ts',
        from: 'JSON.stringify(valuesOf(offer))',
        to: 'JSON.stringify([...valuesOf(offer), offer.feedHash])',
      },
    ],
    file: UNDO,
    test: 'an undo compares values: writes that changed nothing do not exclude an offer, and the preview lists what it would leave',
  },
  {
    name: 'an-undo-of-a-zeroed-offer-asks-whether-it-was-written',
    edits: [
      {
        file: 'src/catalog/products/offers/restore-offers.ts',
        from: 'isAbsent || (before !== null && isZeroOf(state, before))',
        to: 'isAbsent',
      },
    ],
    file: UNDO,
    test: 'an undo compares values: writes that changed nothing do not exclude an offer, and the preview lists what it would leave',
  },
  {
    name: 'an-undo-leaves-the-record-of-the-bad-file',
    edits: [
      {
        file: 'src/catalog/products/offers/restore-offers.ts',
        from: 'const { cost, costTiers = null, currency, quantity, feedHash } = each.before',
        to: 'const { cost, costTiers = null, currency, quantity } = each.before\n      const { feedHash } = each.known',
      },
    ],
    file: UNDO,
    test: 'after an import and its undo, offers and payloads are what they were, also across interruptions',
  },
  {
    name: 'an-undone-file-comes-again-by-schedule',
    edits: [
      {
        file: 'src/imports/runs/loop/claims.sql.ts',
        from: 'and (undone_by_run_id is not null or state in',
        to: 'and (false or state in',
      },
    ],
    file: RUNS,
    test: 'the schedule does not import a file again that is what was imported last, or was undone',
  },
  {
    name: 'an-expression-is-as-large-as-it-likes',
    edits: [
      {
        file: 'src/supplier-files/mapping/pattern.ts',
        from: 'if (size > LIMITS.importPatternSizeMax) throw tooLarge()',
        to: '',
      },
      {
        file: 'src/supplier-files/mapping/pattern.ts',
        from: 'if (estimatedSize(source) > LIMITS.importPatternSizeMax * 2) throw tooLarge()',
        to: '',
      },
    ],
    file: SHAPES,
    test: 'expressions: the limit holds in every mode, with turns for others',
  },
  {
    name: 'a-late-body-is-answered-twice',
    edits: [
      {
        file: 'src/serve/arrival.ts',
        from: 'if (body.response?.writableEnded === true) {',
        to: 'if (body.response === null) {',
      },
    ],
    file: 'test/api/hostile-connections.full.pg.test.ts',
    test: '300 connections of each kind keep nobody waiting, and end within their time',
  },
  {
    name: 'a-file-whose-costs-jump-is-imported',
    edits: [{ file: 'src/imports/safety/judge.ts', from: '    ...jumpedPrices(counts, thresholds),\n', to: '' }],
    file: JUDGE,
    test: 'when more than a fifth of the costs jump',
  },
  {
    name: 'a-file-with-swapped-columns-is-imported',
    edits: [{ file: 'src/imports/safety/judge.ts', from: '    ...swappedOffers(counts, thresholds),\n', to: '' }],
    file: JUDGE,
    test: 'when costs and quantities are swapped',
  },
  {
    name: 'a-file-that-empties-offers-is-imported',
    edits: [
      {
        file: 'src/imports/safety/judge.ts',
        from: '    ...EMPTIED.flatMap((what) => emptiedOffers(what, counts, thresholds)),\n',
        to: '',
      },
    ],
    file: JUDGE,
    test: 'when titles are emptied',
  },
  {
    name: 'costs-that-jump-are-not-counted',
    edits: [
      {
        file: 'src/imports/file-counts.ts',
        from: 'if (isJump(cost, after, this.#factor)) counts.pricesJumped++',
        to: '',
      },
    ],
    file: 'test/import/limits.pg.test.ts',
    test: 'has costs that jump, costs and quantities that are swapped, or values that are emptied',
  },
  {
    name: 'an-optional-value-refuses-its-row',
    edits: [
      {
        file: 'src/supplier-files/conversion/convert.ts',
        from: 'for (const step of essential) step(row, draft, faults)',
        to: 'for (const step of [...essential, ...optional]) step(row, draft, faults)',
      },
    ],
    file: DROPPED,
    test: 'a dash as a picture',
  },
  {
    name: 'an-unreadable-list-clears-what-is-known',
    edits: [
      {
        file: 'src/supplier-files/conversion/convert.ts',
        from: '    if (values.length === 0 && dropped.length > before) return\n',
        to: '',
      },
    ],
    file: DROPPED,
    test: 'is not in the offer, so that what is known stays',
  },
  {
    name: 'a-cost-on-request-refuses-its-row',
    edits: [
      {
        file: 'src/supplier-files/conversion/convert.ts',
        from: "{ ...number('cost'), isEmpty: isNoCost }",
        to: "number('cost')",
      },
    ],
    file: DROPPED,
    test: 'auf Anfrage',
  },
  {
    name: 'costs-on-request-are-no-column-of-costs',
    edits: [
      {
        file: 'src/supplier-files/proposal/field-values.ts',
        from: '(values.some(isAmount) ? share(values, isCost) : 0)',
        to: 'share(values, isAmount)',
      },
    ],
    file: DETECT,
    test: 'takes a purchase price that has to be asked for in most rows, and no column without any',
  },
  {
    name: 'a-misread-file-is-imported',
    edits: [{ file: 'src/imports/safety/judge.ts', from: '    ...misreadText(counts),\n', to: '' }],
    file: JUDGE,
    test: 'when UTF-8 is read as something else',
  },
  {
    name: 'a-damaged-file-is-read-as-it-says',
    edits: [{ file: 'src/supplier-files/utf8-evidence.ts', from: '(broken > 0 && !isDamaged)', to: 'broken > 0' }],
    file: EVIDENCE,
    test: 'UTF-8 with some damaged bytes is found out where it would come out wrong in many places',
  },
  {
    name: 'chance-makes-utf-8-of-another-encoding',
    edits: [{ file: 'src/supplier-files/utf8-evidence.ts', from: ' || (broken > 0 && !isDamaged)', to: '' }],
    file: EVIDENCE,
    test: 'PÓŁKA ŻÓŁTA ŚCIĘTA',
  },
  {
    name: 'the-encoding-that-a-file-states-is-proposed',
    edits: [
      {
        file: 'src/supplier-files/proposal/document-form.ts',
        from: 'return misread?.broken === 0 ? misread.encoding : undefined',
        to: 'return undefined',
      },
    ],
    file: DETECT,
    test: 'proposes UTF-8 for what is that, whatever encoding it states',
  },
]
