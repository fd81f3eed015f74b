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

/** Before that a picture's row is inserted again: it was deleted between its insertion and its lock. */
const ATTEMPTS_MAX = 10

/**
 * Records which pictures these products name: pictures without a row get one and are fetched, relations that ended are
 * deleted. The products are locked. Call it once in a transaction, with all products of it: pictures are locked in the
 * order of their keys, and two transactions that registered product by product would deadlock.
 * docs/decisions/090-a-product-registers-its-pictures.md says why.
 *
 * A product that begins to name a picture locks its row (shared) before anybody reads its state. Whoever changes the state
 * locks the row exclusively and reads afterwards, in a later statement, which products name it. So of two that meet,
 * either the product is resolved with the new state, or it is marked.
 *
 * @param named by product, URLs without fragment.
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
    // nobody else sees those that this transaction inserted
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
