import type { Mutant } from './mutant.ts'

// Protections of the gaps of products, which are stored and counted with payloads, and of held imports.

const COMPLETENESS = 'test/shelf/completeness.pg.test.ts'
const LIMITS = 'test/import/limits.pg.test.ts'
const FOLLOWS = 'what products lack is counted per store, and follows every change'
const RUN = 'src/imports/run.ts'
const JUDGED = '  await judgeFile(db, request, { ...named.counts, ...stock })\n'

export const GAP_MUTANTS: readonly Mutant[] = [
  {
    name: 'gaps-of-equal-contents-are-not-written',
    edits: [
      {
        file: 'src/shelf/payloads/diff.ts',
        from: 'contentDiffers || isOlder || stored.gaps.content !== fresh.halves.gaps.content',
        to: 'contentDiffers || isOlder',
      },
    ],
    file: COMPLETENESS,
    test: FOLLOWS,
  },
  {
    name: 'gaps-of-equal-prices-are-not-written',
    edits: [
      {
        file: 'src/shelf/payloads/price-halves.ts',
        from: '(stored.priceTag !== entry.tag || stored.priceGaps !== entry.gaps)',
        to: 'stored.priceTag !== entry.tag',
      },
    ],
    file: COMPLETENESS,
    test: FOLLOWS,
  },
  {
    name: 'gaps-are-counted-only-with-changes',
    edits: [
      {
        file: 'src/shelf/payloads/write-payloads.ts',
        from: 'if (changes.length === 0 && changed.length === 0) return { changes: 0, numbers: null }',
        to: 'if (changes.length === 0) return { changes: 0, numbers: null }',
      },
    ],
    file: COMPLETENESS,
    test: FOLLOWS,
  },
  {
    name: 'gaps-are-counted-without-the-counter',
    edits: [
      {
        file: 'src/shelf/payloads/write-payloads.ts',
        from: '        void counterLock(tx, accountId)\n',
        to: '',
      },
    ],
    file: COMPLETENESS,
    test: 'counts of gaps alone are written in turn, in whatever order the blocks come',
  },
  {
    name: 'gaps-are-written-beside-an-older-release',
    edits: [
      {
        file: 'src/shelf/inputs/compiled-inputs.ts',
        from: 'row.version, row.resolver === RESOLVER_VERSION)',
        to: 'row.version, row.resolver <= RESOLVER_VERSION)',
      },
    ],
    file: COMPLETENESS,
    test: 'payloads of an older release get what they lack, without a change',
  },
  {
    name: 'a-product-leaves-its-gaps-behind',
    edits: [
      {
        file: 'src/shelf/payloads/diff.ts',
        from: '      gapDeltas: gapDeltas(stored.gaps, NO_GAPS),\n',
        to: '      gapDeltas: null,\n',
      },
    ],
    file: COMPLETENESS,
    test: FOLLOWS,
  },
  {
    name: 'an-equal-record-leaves-its-offer-stale',
    edits: [
      {
        file: 'src/catalog/products/offers/offers.ts',
        from: 'writing.before.feedHash !== hashes[i] || writing.known?.isStale === true',
        to: 'writing.before.feedHash !== hashes[i]',
      },
    ],
    file: LIMITS,
    test: 'in a delta file are marked until a row of them is read again',
  },
  {
    name: 'a-file-is-judged-after-it-was-written',
    edits: [
      { file: RUN, from: JUDGED, to: '' },
      { file: RUN, from: '  return report\n}\n', to: `${JUDGED}  return report\n}\n` },
    ],
    file: LIMITS,
    test: 'with most of the stock zeroed is held as a whole',
  },
]
