import type { Mutant } from './mutant.ts'

// Mutants of pictures: concurrent work of the mirror and the shelver, and the removal of unused pictures.

const RACES = 'test/images/races.pg.test.ts'
const REGISTRATION = 'src/images/register/registration.sql.ts'
const RECORD = 'src/images/mirror/record-outcomes.ts'
const STATE = 'src/images/mirror/state.ts'
const STATE_TEST = 'src/images/mirror/state.test.ts'
const HOSTS = 'test/images/hosts.full.pg.test.ts'
const COPIES = 'test/images/uploads.full.pg.test.ts'
const SHELF = 'src/shelf/inputs/product-images.ts'

export const IMAGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-picture-that-is-named-twice-has-one-entry-of-details',
    edits: [
      {
        file: 'src/resolve/content/images.ts',
        from: 'return shown.flatMap((url) => found.get(url) ?? [])',
        to: 'return shown.length < 0 ? [] : [...found.values()]',
      },
    ],
    file: 'src/resolve/content/image-details.test.ts',
    test: 'are as many as the pictures, in their order, whatever is known of which',
  },
  {
    name: 'pictures-named-without-a-lock',
    edits: [{ file: REGISTRATION, from: 'order by url_hash for share`', to: 'order by url_hash`' }],
    file: RACES,
    test: 'a product that has begun to name a picture is marked by the mirror, which waits for it',
  },
  {
    name: 'states-read-before-registering',
    edits: [
      {
        file: SHELF,
        from: 'return products.map((product) => ({ ...product, images: imageStates(rowsOf.get(product.productId) ?? []) }))',
        to: 'return rowsOf.size < 0 ? [] : products',
      },
    ],
    file: RACES,
    test: 'a product that begins to name a picture while the mirror records it waits for the new state',
  },
  {
    name: 'products-of-a-picture-read-before-its-lock',
    edits: [
      {
        file: RECORD,
        from: '  const locked = await imagesLock(',
        to: `  await productsOfImagesMark(tx, accountId, [...outcomeOfHash.keys()])
  const locked = await imagesLock(`,
      },
      {
        file: RECORD,
        from: 'changed.map(({ next }) => next.urlHash),',
        to: 'changed.filter(() => false).map(({ next }) => next.urlHash),',
      },
    ],
    file: RACES,
    test: 'a product that has begun to name a picture is marked by the mirror, which waits for it',
  },
  {
    name: 'states-recorded-without-marks',
    edits: [
      {
        file: RECORD,
        from: 'changed.map(({ next }) => next.urlHash),',
        to: 'changed.filter(() => false).map(({ next }) => next.urlHash),',
      },
    ],
    file: RACES,
    test: 'a change of state that is committed while a batch has read the old one leaves a mark',
  },
  {
    name: 'pictures-registered-slice-by-slice',
    edits: [
      { file: SHELF, from: '      isRegistered = true\n', to: '' },
      {
        file: SHELF,
        from: 'await namedBy(tx, accountId, productIds, products)',
        to: 'await namedBy(tx, accountId, productIds.slice(0, 0), products)',
      },
    ],
    file: RACES,
    test: 'two batches that register the same new pictures in opposite orders do not deadlock',
  },
  {
    name: 'unnamed-pictures-deleted-without-a-lock',
    edits: [
      {
        file: 'src/images/mirror/records.sql.ts',
        from: 'order by url_hash for update`',
        to: 'order by url_hash`',
      },
    ],
    file: RACES,
    test: 'a picture that a batch has just begun to name is not deleted',
  },
  {
    name: 'bytes-removed-without-a-lock',
    edits: [{ file: 'src/images/unused/remove.ts', from: '      await bytesLock(tx, hash)\n', to: '' }],
    file: 'test/images/unused.pg.test.ts',
    test: 'bytes that somebody is about to use are not removed',
  },
  {
    name: 'bytes-removed-at-once',
    edits: [
      {
        file: 'src/images/unused/remove.ts',
        from: 'if (used.has(hash) || lately.has(hash)) continue',
        to: 'if (used.has(hash)) continue',
      },
      {
        file: 'src/images/unused/remove.ts',
        from: '      if ((await hashesUsedLately(tx, [hash], LIMITS.imageUnusedDays)).size > 0) return\n',
        to: '',
      },
    ],
    file: 'test/images/unused.pg.test.ts',
    test: 'bytes stay while any account uses them, and a while longer, for a restored backup',
  },
  {
    name: 'a-copy-dies-at-a-refusal',
    edits: [
      {
        file: STATE,
        from: "      if (old.state === 'mirrored') return failingCopy(old, outcome.reason, null, now, later, adopts)\n",
        to: '',
      },
    ],
    file: STATE_TEST,
    test: 'one bad look of any kind leaves a copy as it is, and is repeated soon',
  },
  {
    name: 'a-copy-dies-after-a-week',
    edits: [{ file: STATE, from: 'look.failingMs < COPY_FAILING_MS_MAX', to: 'look.failingMs < FAILING_MS_MAX' }],
    file: STATE_TEST,
    test: 'a copy dies when every look of thirty days has failed, whatever mixture of reasons',
  },
  {
    name: 'a-picture-dies-of-days-without-a-look',
    edits: [
      {
        file: STATE,
        from: 'look.failingMs < FAILING_MS_MAX',
        to: 'now.getTime() - (look.failedSince ?? now).getTime() < FAILING_MS_MAX',
      },
    ],
    file: STATE_TEST,
    test: 'days on which nobody looked are no evidence against a picture that was never mirrored either',
  },
  {
    name: 'a-copy-dies-of-few-looks',
    edits: [{ file: STATE, from: ' || look.failures < COPY_LOOKS_MIN', to: '' }],
    file: STATE_TEST,
    test: 'days on which nobody looked are no evidence, nor are few looks',
  },
  {
    name: 'idle-days-are-evidence',
    edits: [
      {
        file: STATE,
        from: 'Math.min(Math.max(betweenMs, 0), BETWEEN_LOOKS_MS_MAX)',
        to: 'Math.max(betweenMs, BETWEEN_LOOKS_MS_MAX - BETWEEN_LOOKS_MS_MAX)',
      },
    ],
    file: STATE_TEST,
    test: 'days on which nobody looked are no evidence, nor are few looks',
  },
  {
    name: 'a-good-look-forgets-nothing',
    edits: [
      {
        file: STATE,
        from: 'const good = { ...NOT_FAILING,',
        to: 'const good = { ...NOT_FAILING, failures: old.failures, failingMs: old.failingMs, failedSince: old.failedSince,',
      },
    ],
    file: STATE_TEST,
    test: 'a good look starts the thirty days anew',
  },
  {
    name: 'copies-are-never-adopted-by-themselves',
    edits: [
      {
        file: STATE,
        from: '  if (adopts) return adopted(look, now)\n',
        to: '  if (adopts && now < now) return adopted(look, now)\n',
      },
    ],
    file: STATE_TEST,
    test: 'if the account keeps such copies, they become its own instead of dying',
  },
  {
    name: 'owners-are-told-of-a-server-again-and-again',
    edits: [
      {
        file: 'src/images/mirror/notices.sql.ts',
        from: '  if (found.untold <= found.told) return false\n',
        to: '',
      },
    ],
    file: COPIES,
    test: 'is found and told of from the third day on, and stays in the payload',
  },
  {
    name: 'an-adopted-copy-is-fetched',
    edits: [
      {
        file: 'src/images/adoption/adoption.sql.ts',
        from: 'fetched_at = statement_timestamp(), next_fetch_at = null, lease_id = null,',
        to: 'fetched_at = statement_timestamp(), lease_id = null,',
      },
    ],
    file: COPIES,
    test: 'can be adopted, one, a supplier’s or all; it is never fetched again, and nothing else changes',
  },
  {
    name: 'a-copy-is-adopted-while-it-is-fetched',
    edits: [
      {
        file: 'src/images/adoption/adoption.sql.ts',
        from: 'next_fetch_at = null, lease_id = null,',
        to: 'next_fetch_at = null,',
      },
    ],
    file: COPIES,
    test: 'can be adopted, one, a supplier’s or all; it is never fetched again, and nothing else changes',
  },
  {
    name: 'new-pictures-wait-for-old-ones',
    edits: [
      {
        file: 'src/images/mirror/claims.sql.ts',
        from: "const fresh = await imagesClaim(tx, accountId, host, 'new', limit, leaseId, leaseMs)",
        to: "const fresh = await imagesClaim(tx, accountId, host, 'all', limit, leaseId, leaseMs)",
      },
    ],
    file: COPIES,
    test: 'waits while a new picture of its server, or of another one, is asked for',
  },
  {
    name: 'a-host-waits-for-a-clock-that-was-set-back',
    edits: [
      {
        file: 'src/images/mirror/claims.sql.ts',
        from: 'and (free_at <= now() or free_at > now() + make_interval(secs => ${longestRestSeconds()}))',
        to: 'and free_at <= now()',
      },
    ],
    file: HOSTS,
    test: 'a host rests as long as it can have asked for, and no longer because the clock was set back',
  },
  {
    name: 'a-slot-is-given-back-before-its-host-rests',
    edits: [
      {
        file: 'src/images/mirror/release-host.ts',
        from: '      const ms = await hostPause(tx, slot.host, rest)\n',
        to: '      await slotRelease(tx, slot, slotPauseMs)\n      const ms = await hostPause(tx, slot.host, rest)\n',
      },
    ],
    file: HOSTS,
    test: 'a run whose host fails holds no slot of it while it waits for a lower one',
  },
  {
    name: 'a-host-that-answers-is-well-while-its-slot-is-held',
    edits: [
      {
        file: 'src/images/mirror/release-host.ts',
        from: 'await inTransaction(db, (tx) => slotRelease(tx, slot, slotPauseMs))',
        to: `await inTransaction(db, async (tx) => {
    await slotRelease(tx, slot, slotPauseMs)
    if (hasAnswered) await hostAnswered(tx, slot.host)
  })`,
      },
    ],
    file: HOSTS,
    test: 'a run whose host answers again holds no slot of it while it waits for a lower one',
  },
]
