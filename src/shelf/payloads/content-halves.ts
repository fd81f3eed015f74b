import type { Tx } from '../../db/sql.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { basisOf } from '../../resolve/basis.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { resolveContentHalves, RESOLVER_VERSION } from '../../resolve/resolve.ts'
import { searchEntry, type SearchEntry } from '../../resolve/search-entry.ts'
import type { ShelvedAccount } from '../inputs/compiled-inputs.ts'
import { dated, withStoredUpdatedAt, gapDeltas, type Encoded } from './diff.ts'
import { digestChange } from './digest.ts'
import { contentEncoder } from '../encode.ts'
import { byKey, keyOf } from './payload-key.ts'
import { transactionTime, type ShelvedRow } from './payloads.sql.ts'
import { diffSearch } from '../search/search-index.ts'
import { storedWholeProducts } from './whole-products.ts'
import { blockCounts, type BatchWrites } from './write-payloads.ts'

/** A content half to be stored, with the stored row. */
type FreshContent = Encoded<{ content: string; sku: string | null; gaps: number }> & { stored: ShelvedRow }

/**
 * Resolves the content halves of locked products and compares them with the stored ones, for sweeps of settings that change contents alone; no
 * price is computed. A store's exclusion is taken from the stored row: if it is outdated, another mark or sweep is pending. Payloads that are
 * not stored yet, or whose product is no longer listed, are skipped for the same reason.
 * @param products inputs as readContentInputs reads them.
 * @returns the rows to write, and in `older` the products that must be resolved as a whole, because an older resolver wrote them.
 */
export async function diffContentHalves(
  tx: Tx,
  accountId: number,
  account: ShelvedAccount,
  products: readonly ProductInputs[],
): Promise<{ writes: BatchWrites; characters: number; older: number[] }> {
  const ids = products.map(({ productId }) => productId)
  const timing = account.account.additionalMembers.includes('updated_at') ? transactionTime(tx) : null
  // handled below; this only prevents an unhandled rejection if another statement, awaited first, fails
  timing?.catch(() => {})
  const [{ rows: stored }, tags] = await storedWholeProducts(tx, accountId, account, ids)
  const time = await timing
  const older = new Set(stored.filter((row) => row.resolver !== RESOLVER_VERSION).map((row) => row.productId))
  const storedOf = new Map(stored.map((row) => [keyOf(row), row]))
  const current = products.filter(({ productId }) => !older.has(productId))
  const resolved = await mapYielding(current, (product) => resolveFresh(account, product, storedOf))
  const contents = resolved.flatMap(({ fresh }) => fresh)
  const written = contents
    .map((entry) => ({
      stored: entry.stored,
      ...(time === null ? dated(entry, null) : withStoredUpdatedAt(entry, entry.stored, undefined, time)),
    }))
    .flatMap(({ stored, storeId, productId, halves }) => {
      if (halves === null) return []
      const { content: body, contentTag: tag, sku, updatedAt, gaps } = halves
      return tag === stored.contentTag && gaps === stored.gaps.content
        ? []
        : [{ stored, row: { isNew: false, storeId, productId, tag, body, sku, updatedAt, gaps } }]
    })
    .sort((a, b) => byKey(a.row, b.row))
  // gaps can differ while clients read the same: a supplier's category is not part of the payload
  const changed = written.filter(({ stored, row }) => stored.contentTag !== row.tag)
  return {
    writes: {
      contents: written.map(({ row }) => row),
      prices: [],
      history: [],
      leaving: [],
      changes: changed.map(({ row: { storeId, productId } }) => ({
        storeId,
        productId,
        isEntering: false,
        price: false,
        content: true,
        removed: false,
      })),
      counts: blockCounts(
        written.map(({ stored, row: { storeId, productId, tag, gaps } }) => ({
          storeId,
          productId,
          delta: 0,
          content: digestChange(productId, stored.contentTag, tag),
          price: 0n,
          gapDeltas: gapDeltas(stored.gaps, { ...stored.gaps, content: gaps }),
        })),
      ),
      holds: { keep: [], gone: [] },
      search: diffSearch(
        accountId,
        resolved.map(({ productId, entry }) => ({ productId, entry })),
        tags,
      ),
    },
    characters: contents.reduce((sum, { halves }) => sum + (halves?.content.length ?? 0), 0),
    older: [...older],
  }
}

/** The content halves to be stored, for stores that have the product's payload and still list it. */
function resolveFresh(
  account: ShelvedAccount,
  product: ProductInputs,
  storedOf: ReadonlyMap<string, ShelvedRow>,
): { productId: number; fresh: FreshContent[]; entry: SearchEntry | null } {
  const { productId } = product
  const basis = basisOf(account, product)
  const storedIn = (storeId: number) => storedOf.get(keyOf({ storeId, productId }))
  const encode = contentEncoder()
  const fresh: FreshContent[] = []
  const resolutions = resolveContentHalves(account, product, (storeId) => storedIn(storeId)?.exclusion, basis)
  for (const { store, content, contentGaps } of resolutions) {
    const stored = storedIn(store.storeId)
    if (content === null || stored === undefined) continue
    const halves = { content: encode(content), sku: content.sku, gaps: account.hasGaps ? contentGaps : 0 }
    fresh.push({ storeId: store.storeId, productId, stored, halves })
  }
  return { productId, fresh, entry: searchEntry(account, product, basis) }
}
