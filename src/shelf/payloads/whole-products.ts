import type { Tx } from '../../db/sql.ts'
import { NO_GAPS } from '../../model/gaps.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { basisOf } from '../../resolve/basis.ts'
import { resolve, RESOLVER_VERSION } from '../../resolve/resolve.ts'
import type { ShelvedAccount } from '../inputs/compiled-inputs.ts'
import { searchEntry, type SearchEntry } from '../../resolve/search-entry.ts'
import { encodeResolved, diffPayload, type WithoutUpdatedAt } from './diff.ts'
import { contentEncoder } from '../encode.ts'
import { guardedPrices, holdJumps, type Guarded } from './price-guard.ts'
import { keyOf } from './payload-key.ts'
import { shelvedBodies, shelvedTags, transactionTime } from './payloads.sql.ts'
import { diffSearch, NO_SEARCH_WRITES } from '../search/search-index.ts'
import { readStored } from './read-stored.ts'
import { batchWrites, type BatchWrites } from './write-payloads.ts'

/** The stored rows that fresh payloads are compared with; see readStored. */
export const storedWholeProducts = (
  tx: Tx,
  accountId: number,
  account: Pick<ShelvedAccount, 'stores'>,
  productIds: readonly number[],
) => readStored(tx, accountId, account, productIds, shelvedTags)

/**
 * Resolves locked products in the account's stores and compares both halves of each payload with the stored ones.
 * @param storing the stored rows of these products, if they are being read already.
 */
export async function diffWholeProducts(
  tx: Tx,
  accountId: number,
  account: ShelvedAccount,
  products: readonly ProductInputs[],
  storing?: ReturnType<typeof storedWholeProducts>,
): Promise<{ writes: BatchWrites; characters: number }> {
  const productIds = products.map((product) => product.productId)
  const storeIds = account.stores.map(({ store }) => store.storeId)
  if (productIds.length === 0)
    return { writes: batchWrites([], new Set(), { keep: [], gone: [] }, NO_SEARCH_WRITES), characters: 0 }
  // sent before resolving, so that PostgreSQL works while we compute
  storing ??= storedWholeProducts(tx, accountId, account, productIds)
  const timing = account.account.additionalMembers.includes('updated_at') ? transactionTime(tx) : null
  // handled below; this only prevents an unhandled rejection if another statement, awaited first, fails
  timing?.catch(() => {})
  const resolved = await mapYielding(products, (product) => resolveFresh(account, product))
  const [{ rows: stored, alone }, tags] = await storing
  const time = await timing
  const storedOf = new Map(stored.map((row) => [keyOf(row), row]))
  const holds = await holdJumps(tx, accountId, account, resolved, storedOf, (product) => resolveFresh(account, product))
  const older = new Set(stored.filter((row) => row.resolver !== RESOLVER_VERSION).map((row) => row.productId))
  const bodies = older.size === 0 ? [] : await shelvedBodies(tx, accountId, storeIds, [...older])
  const bodiesOf = new Map(bodies.map((row) => [keyOf(row), row]))
  const diffs = await mapYielding(resolved, ({ fresh }) =>
    fresh.map((entry) => diffPayload(entry, storedOf.get(keyOf(entry)), bodiesOf.get(keyOf(entry)), time)),
  )
  const sizes = resolved.flatMap(({ fresh }) => fresh.map(({ halves }) => halves?.content.length ?? 0))
  const search = diffSearch(
    accountId,
    resolved.map(({ product: { productId }, entry }) => ({ productId, entry })),
    tags,
  )
  return {
    writes: batchWrites(diffs.flat(), alone, holds, search),
    characters: sizes.reduce((sum, size) => sum + size, 0),
  }
}

function resolveFresh(
  account: ShelvedAccount,
  product: ProductInputs,
): Guarded & { fresh: WithoutUpdatedAt[]; entry: SearchEntry | null } {
  const basis = basisOf(account, product)
  const resolutions = resolve(account, product, basis)
  const encode = contentEncoder()
  const fresh = resolutions.map(({ store, payload, gaps }) =>
    encodeResolved(store.storeId, product.productId, payload, account.hasGaps ? gaps : NO_GAPS, encode),
  )
  return {
    product,
    fresh,
    entry: searchEntry(account, product, basis),
    resolutions: resolutions.map(({ store, pricing }, i) => ({
      storeId: store.storeId,
      pricing: guardedPrices(pricing),
      priceTag: fresh[i]?.halves?.priceTag ?? null,
    })),
  }
}
