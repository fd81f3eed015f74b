import type { Mutant } from './mutant.ts'

const HEAVY = 'test/shelf/heavy-products.pg.test.ts'
const PAGES = 'test/api/heavy-pages.full.pg.test.ts'

/** Faults in the limits on bytes that are held in memory at a time. */
export const WEIGHT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-page-of-heavy-rows-has-any-length',
    edits: [
      {
        file: 'src/db/fragments/within-weight.sql.ts',
        from: 'weighed where earlier < ${most}',
        to: 'weighed where earlier < 1e12',
      },
    ],
    file: PAGES,
    test: 'what is read of a page is no more than it may have, in the table that it is of',
  },
  {
    name: 'a-page-is-answered-whatever-it-has-become',
    edits: [
      {
        file: 'src/serve/account/answer-read.ts',
        from: 'if (characters >= LIMITS.listCharacters) break',
        to: 'if (characters < 0) break',
      },
    ],
    file: PAGES,
    test: 'settings, which are read as a whole, are answered a part at a time',
  },
  {
    name: 'a-page-that-ended-by-weight-is-the-last',
    edits: [
      {
        file: 'src/db/fragments/within-weight.sql.ts',
        from: 'page.length < last.found',
        to: 'page.length < rows.length',
      },
    ],
    file: PAGES,
    test: 'offers',
  },
  {
    name: 'a-page-whose-rows-are-deleted-is-the-last',
    edits: [
      {
        file: 'src/serve/account/answer-read.ts',
        from: 'keyOf(last) : next',
        to: 'keyOf(last) : last === undefined ? null : next',
      },
    ],
    file: PAGES,
    test: 'products, as many as there may be and as many as fit',
  },
  {
    name: 'a-change-of-many-products-has-any-length',
    edits: [
      { file: 'src/serve/panel/product-changes.ts', from: '  if (products > most)\n', to: '  if (products < 0)\n' },
    ],
    file: PAGES,
    test: 'a change that many products would have each for itself is refused above its characters, a dry run too',
  },
  {
    name: 'slow-reads-have-all-connections',
    edits: [
      {
        file: 'src/db/statements/account-turns.ts',
        from: 'LIMITS.requestStatementsShareOfAccount * connectionsMax',
        to: 'connectionsMax',
      },
    ],
    file: 'src/db/statements/account-turns.test.ts',
    test: 'statements of one account have half of the connections',
  },
  {
    name: 'what-answers-requests-reads-without-turns',
    edits: [{ file: 'src/service.ts', from: 'db.forRequests()', to: 'db' }],
    file: 'test/isolation/statement-turns.pg.test.ts',
    test: 'slow reads of one account leave connections to the others, and are all answered',
  },
  {
    name: 'a-transaction-of-heavy-products-has-any-length',
    edits: [
      { file: 'src/shelf/slices.ts', from: 'i > 0 && characters > LIMITS.shelveTransactionCharacters', to: 'i < 0' },
    ],
    file: HEAVY,
    test: 'one transaction shelves as many heavy products as fit, by marks, and the others follow',
  },
  {
    name: 'who-looks-at-products-reads-a-batch-of-any-length',
    edits: [
      {
        file: 'src/shelf/inputs/product-slices.ts',
        from: 'read === readPriceInputs ? LIGHT',
        to: 'read !== undefined ? LIGHT',
      },
    ],
    file: 'test/shelf/heavy-looks.pg.test.ts',
    test: 'a preview reads long products one by one, whatever it is of',
  },
  {
    name: 'what-a-page-of-long-offers-changed-is-kept-in-one-turn',
    edits: [
      {
        file: 'src/imports/runs/loop/follow-run.ts',
        from: '...(await mapYielding(page.changes, ({ supplierSku, kind, before, after, absentSince }) => ({',
        to: '...(page.changes.map(({ supplierSku, kind, before, after, absentSince }) => ({',
      },
      {
        file: 'src/imports/runs/loop/claims.sql.ts',
        from: 'await mapYielding(changes, (change) => ({',
        to: 'changes.map((change) => ({',
      },
    ],
    file: 'test/import/undo.full.pg.test.ts',
    test: 'what a page of long offers changed is compared and kept one offer after the other, with turns for others',
  },
  {
    name: 'a-weighing-that-fails-ends-the-process',
    edits: [{ file: 'src/shelf/read-batch.ts', from: '  weighing?.catch(() => {})\n', to: '' }],
    file: HEAVY,
    test: 'a connection that breaks while products are weighed costs the batch, and no process',
  },
  {
    name: 'a-page-of-the-spool-has-any-length',
    edits: [
      {
        file: 'src/imports/spool/spool.ts',
        from: 'page.length < rows && length < characters',
        to: 'page.length < rows',
      },
    ],
    file: 'src/imports/spool/spool.test.ts',
    test: 'a page of long rows ends early, and has at least one row',
  },
  {
    name: 'heavy-products-are-read-a-hundred-at-a-time',
    edits: [
      { file: 'src/shelf/slices.ts', from: 'if (end > at && characters > LIMITS.statementCharacters) break', to: '' },
    ],
    file: HEAVY,
    test: 'light products before them are no measure for those that follow',
  },
  {
    name: 'a-product-is-resolved-in-all-stores-whatever-it-weighs',
    edits: [
      { file: 'src/shelf/slices.ts', from: 'characters <= charactersMax || stores.length <= 1', to: 'characters >= 0' },
    ],
    file: 'src/shelf/slices.test.ts',
    test: 'a product whose payloads exceed that alone is resolved in some stores after the others',
  },
  {
    name: 'what-is-known-of-the-offers-of-a-page-has-any-length',
    edits: [
      {
        file: 'src/catalog/products/offers/offer-weights.ts',
        from: 'skus, LIMITS.shelveHeavyCharacters)',
        to: 'skus, 1e9)',
      },
    ],
    file: 'test/import/long-offers.pg.test.ts',
    test: 'what is known of the offers of a page and of a bulk is held a part at a time',
  },
]
