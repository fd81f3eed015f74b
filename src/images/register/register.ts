import type { Tx } from '../../db/sql.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { imageHostOf, urlHashOf } from './url-hash.ts'
import {
  imagesInsert,
  imagesLockShared,
  namedImagesDelete,
  namedImagesInsert,
  namedImagesOf,
  type NamedImage,
} from './registration.sql.ts'

/** How often a picture's row is inserted again, if it is deleted between its insertion and its lock. */
const ATTEMPTS_MAX = 10

/**
 * Records which pictures these products name. Pictures without a row get one and are fetched; relations that have ended are
 * deleted. The products must be locked. Call it once per transaction, with all its products: pictures are locked in the
 * order of their keys, and two transactions that register product by product would deadlock.
 * docs/decisions/090-a-product-registers-its-pictures.md says why.
 *
 * A transaction in which a product begins to name a picture locks the picture's row (shared) before it reads the state. A transaction
 * that changes the state locks the row exclusively and then reads, in a later statement, which products name it. So when two
 * meet, either the product is resolved with the new state, or it is marked.
 *
 * @param named URLs without fragment, by product.
 */
export async function registerImages(
  tx: Tx,
  accountId: number,
  named: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<void> {
  const known = await namedImagesOf(tx, accountId, [...named.keys()])
  const knownOf = new Map(known.map((row) => [keyOf(row), row]))
  const added: NamedImage[] = []
  const urls = new Map<string, string>()
  const hashes = new Map<string, string>()
  for (const [productId, wanted] of named) {
    for (const url of wanted) {
      let urlHash = hashes.get(url)
      if (urlHash === undefined) hashes.set(url, (urlHash = urlHashOf(url)))
      const row = { productId, urlHash }
      if (knownOf.delete(keyOf(row))) continue
      added.push(row)
      urls.set(urlHash, url)
    }
  }
  let missing = [...urls].map(([urlHash, url]) => ({ urlHash, url, host: imageHostOf(url) })).sort(byHash)
  for (let attempt = 0; missing.length > 0; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new Error('pictures are deleted as fast as they are registered')
    const own = new Set(await imagesInsert(tx, accountId, missing))
    faultPoint('shelve:images-inserted')
    // rows that this transaction inserted need no lock, because nobody else sees them yet
    const others = missing.filter(({ urlHash }) => !own.has(urlHash)).map(({ urlHash }) => urlHash)
    const locked = new Set(others.length === 0 ? [] : await imagesLockShared(tx, accountId, others))
    missing = missing.filter(({ urlHash }) => !own.has(urlHash) && !locked.has(urlHash))
  }
  await namedImagesInsert(tx, accountId, added.sort(byKey))
  await namedImagesDelete(tx, accountId, [...knownOf.values()].sort(byKey))
}

const keyOf = ({ productId, urlHash }: NamedImage) => `${productId} ${urlHash}`
const byHash = (a: { urlHash: string }, b: { urlHash: string }) => (a.urlHash < b.urlHash ? -1 : 1)
const byKey = (a: NamedImage, b: NamedImage) => a.productId - b.productId || byHash(a, b)
