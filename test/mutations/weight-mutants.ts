import type { Mutant } from './mutant.ts'

const HEAVY = 'test/shelf/heavy-products.pg.test.ts'

/** Of what bounds by bytes how much is held at a time. */
export const WEIGHT_MUTANTS: readonly Mutant[] = [
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
    file: 'test/import/undo.pg.test.ts',
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
    test: 'a page ends where its rows are long, whatever their number, and has one at the least',
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
