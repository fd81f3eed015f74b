import type { Mutant } from './mutant.ts'

// Protections of the digests by which a mirror proves that it is equal.

const DIGEST = 'test/shelf/digest.pg.test.ts'
const CHECKS = 'test/feed/mirror-checks.pg.test.ts'
const WRITES = 'digests are those of the bytes that are read, whatever is written'
const WRITTEN = 'src/shelf/payloads/write-payloads.ts'

export const DIGEST_MUTANTS: readonly Mutant[] = [
  {
    name: 'digests-are-filled-without-the-counter',
    edits: [{ file: 'src/shelf/payloads/digest-fill.ts', from: '  await counterLock(tx, accountId)\n', to: '' }],
    file: DIGEST,
    test: 'are filled after a batch that has written its payloads, and is not committed',
  },
  {
    name: 'digests-are-written-only-with-changes',
    edits: [
      {
        file: WRITTEN,
        from: 'if (changes.length === 0 && changed.length === 0) return { changes: 0, numbers: null }',
        to: 'if (changes.length === 0) return { changes: 0, numbers: null }',
      },
    ],
    file: DIGEST,
    test: 'they follow bytes that a newer resolver writes without a change in the feed',
  },
  {
    name: 'a-price-alone-changes-no-digest',
    edits: [
      {
        file: 'src/shelf/payloads/price-halves.ts',
        from: 'price: digestChange(entry.productId, storedOf.get(keyOf(entry))?.priceTag ?? null, entry.tag),',
        to: 'price: 0n,',
      },
    ],
    file: DIGEST,
    test: WRITES,
  },
  {
    name: 'a-product-that-leaves-stays-in-the-digest',
    edits: [
      {
        file: 'src/shelf/payloads/diff.ts',
        from: `      before,
      ...UNCHANGED,
      isRepriced: true,`,
        to: `      before: null,
      ...UNCHANGED,
      isRepriced: true,`,
      },
    ],
    file: DIGEST,
    test: WRITES,
  },
  {
    name: 'a-deleted-store-leaves-its-digests',
    edits: [
      {
        file: 'src/shelf/deleted-store.sql.ts',
        from: '      price: elementOf(productId, tag),\n',
        to: '      price: 0n,\n',
      },
    ],
    file: DIGEST,
    test: 'a deleted store takes its digests away with its payloads',
  },
  {
    name: 'unfilled-digests-begin-at-nothing',
    edits: [
      {
        file: 'src/shelf/payloads/change-counter.sql.ts',
        from: 'price_digest = payload_block.price_digest # excluded.price_digest',
        to: `price_digest = coalesce(payload_block.price_digest, repeat('0', 128)::bit(128)) # excluded.price_digest`,
      },
    ],
    file: DIGEST,
    test: 'are not known before they are filled, whatever is written to them, and are right afterwards',
  },
  {
    name: 'digests-without-costs-are-those-with-them',
    edits: [
      {
        file: 'src/serve/routes/digest.ts',
        from: "const read = seesCosts || half === 'content' ? readDigests : readDigestsWithoutCosts",
        to: "const read = seesCosts || half !== 'content' ? readDigests : readDigestsWithoutCosts",
      },
    ],
    file: 'test/api/without-costs.pg.test.ts',
    test: 'digests and tags of prices are those of what it reads, and a cost changes none of them',
  },
  {
    name: 'a-mirror-that-is-behind-is-different',
    edits: [
      {
        file: 'client/src/verify/verify.ts',
        from: 'found.findings.filter(({ id }) => !ids.has(id))',
        to: 'found.findings',
      },
      {
        file: 'client/src/verify/compare-by-digest.ts',
        from: '!changes.ids.has(id) && HALVES',
        to: 'HALVES',
      },
    ],
    file: 'test/client/verify-command.full.pg.test.ts',
    test: 'a mirror is equal, also when the service has changed since and while it is compared',
  },
  {
    name: 'a-mirror-is-always-equal-as-of-now',
    edits: [
      {
        file: 'src/feed/mirror-checks.ts',
        from: 'changes.length === 0 ? toldAt : cursor.since',
        to: 'toldAt',
      },
    ],
    file: CHECKS,
    test: 'an equal mirror is equal as of now while its store has nothing after its cursor, then as of its cursor',
  },
  {
    name: 'a-mirror-differs-since-it-was-told-last',
    edits: [
      {
        file: 'src/feed/mirror-checks.sql.ts',
        from: 'coalesce(mirror_check.differs_since, excluded.differs_since)',
        to: 'excluded.differs_since',
      },
    ],
    file: CHECKS,
    test: 'a mirror differs since it was first told to, and is no longer when it is equal again',
  },
  {
    name: 'any-number-of-mirrors-is-kept',
    edits: [
      {
        file: 'src/feed/mirror-checks.ts',
        from: '    await mirrorChecksTrim(tx, accountId, storeId, oldest(toldAt))\n',
        to: '',
      },
    ],
    file: CHECKS,
    test: 'of a store those that told last are kept, and those of the last 30 days',
  },
]
