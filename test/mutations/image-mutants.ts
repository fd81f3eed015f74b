import type { Mutant } from './mutant.ts'

// Mutants of pictures: the mirror and the shelver at the same picture, and the removal of what nothing uses.

const RACES = 'test/images/races.pg.test.ts'
const REGISTRATION = 'src/images/register/registration.sql.ts'
const RECORD = 'src/images/mirror/record-outcomes.ts'
const SHELF = 'src/shelf/product-images.ts'

export const IMAGE_MUTANTS: readonly Mutant[] = [
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
]
