import type { Db } from '../../src/db/sql.ts'
import {
  accountsWithDueImages,
  hostsDue,
  hostsOfNewImages,
  hostsOfOldestDue,
  imagesClaim,
} from '../../src/images/mirror/claims.sql.ts'
import {
  imagesLock,
  imagesLockForRemoval,
  imagesUnnamed,
  imagesUpdate,
  productsOfImagesMark,
} from '../../src/images/mirror/records.sql.ts'
import {
  imagesInsert,
  imagesLockShared,
  namedImagesDelete,
  namedImagesInsert,
  namedImagesOf,
} from '../../src/images/register/registration.sql.ts'
import { hashesUsed, storedAfter } from '../../src/images/unused/unused.sql.ts'
import { imageInputs, imageUrlInputs } from '../../src/shelf/inputs/inputs.sql.ts'
import { reading as read, undone, type HotQuery, type Subject } from './hot-queries.ts'

const LEASE = '00000000-0000-0000-0000-000000000001'

/** The hot queries of pictures, on an account whose pictures are registered. */
export async function imageQueries(db: Db, { accountId, productIds }: Subject): Promise<HotQuery[]> {
  const named = [...(await namedImagesOf(db, accountId, productIds))]
  const hashes = named.map(({ urlHash }) => urlHash).sort()
  const [first] = await db<{ host: string }[]>`select host from image where account_id = ${accountId} limit 1`
  const write = (name: string, run: Parameters<typeof undone>[2]) => undone(db, name, run)
  const rows = hashes.map((urlHash) => ({ urlHash, url: `https://a/${urlHash}`, host: 'a' }))
  const state = {
    state: 'dead' as const,
    hash: null,
    type: null,
    width: null,
    height: null,
    bytes: null,
    reason: 'gone',
    etag: null,
    lastModified: null,
    failures: 1,
    failedSince: null,
    fetchedAt: null,
    nextFetchAt: new Date(),
    lookedAt: new Date(),
    failingMs: 0,
    failingReasons: {},
    adoptedAt: null,
  }
  return [
    read('input: pictures', async () => await imageInputs(db, accountId, productIds)),
    read('input: URLs of pictures', async () => await imageUrlInputs(db, accountId, productIds)),
    read('pictures: named', async () => await namedImagesOf(db, accountId, productIds)),
    write('pictures: insert', (tx) => imagesInsert(tx, accountId, rows)),
    write('pictures: lock shared', (tx) => imagesLockShared(tx, accountId, hashes)),
    write('pictures: name', (tx) => namedImagesInsert(tx, accountId, named)),
    write('pictures: name no more', (tx) => namedImagesDelete(tx, accountId, named)),
    read('mirror: accounts', () => accountsWithDueImages(db)),
    read('mirror: hosts of the oldest', async () => (await hostsOfOldestDue(db, accountId, 500)).hosts),
    read('mirror: hosts', () => hostsDue(db, accountId, '', 200)),
    write('mirror: claim', (tx) => imagesClaim(tx, accountId, first?.host ?? '', 'all', 20, LEASE, 1_000)),
    write('mirror: claim new', (tx) => imagesClaim(tx, accountId, first?.host ?? '', 'new', 20, LEASE, 1_000)),
    read('mirror: hosts of new', async () => await hostsOfNewImages(db, accountId, 200)),
    write('mirror: lock', async (tx) => await imagesLock(tx, accountId, hashes, LEASE)),
    write('mirror: update', (tx) =>
      imagesUpdate(
        tx,
        accountId,
        hashes.map((urlHash) => ({ ...state, urlHash })),
      ),
    ),
    write('mirror: mark', (tx) => productsOfImagesMark(tx, accountId, hashes)),
    read('mirror: unnamed', () => imagesUnnamed(db, accountId, hashes)),
    write('mirror: lock for removal', async (tx) => await imagesLockForRemoval(tx, accountId, hashes, LEASE)),
    read('stored: used', () => hashesUsed(db, ['a', 'b'])),
    read('stored: of an account', async () => await storedAfter(db, accountId, LEASE, 1_000)),
  ]
}
