import { differingIn, reportMirrorCheck } from '../verify/report-mirror-check.ts'
import type { Verified } from '../verify/verify.ts'
import { isArticleKey } from './article.ts'
import type { Deviation } from './keeper.ts'
import {
  runExclusively,
  articlePage,
  keptOfArticles,
  refusedArticles,
  refusedCount,
  storeCounts,
  type KeptConnection,
  type KeptDatabase,
} from './kept.sql.ts'
import type { ShopSession } from './shop-session.ts'

// Proves that the shop is equal to its stores: the kept payloads by Shelfwire's digests, and the shop's own products by reading them.

const ARTICLES = 50
/** How many deviations are reported in full. */
const REPORTED = 100

export interface Report {
  isEqual: boolean
  stores: Pick<Verified, 'store' | 'isEqual' | 'products' | 'asOf' | 'changed' | 'repaired'>[]
  /** How many products of the shop are not what they should be. */
  deviating: number
  /** The first hundred of them. */
  deviations: Deviation[]
  /** How many were written again, where that was asked for. */
  repaired: number
  /** The articles that the shop refused when they were written again, the first hundred: key -> reason. */
  refused: Record<string, string>
  /** How many it refused in all. */
  refusedCount: number
}

export interface VerifyShopOptions {
  db: KeptDatabase
  open: () => Promise<ShopSession>
  /** The article keys of the shop's products, page by page, whoever made them; null: a product has none. Products without one may be left out. */
  keys: () => AsyncIterable<readonly (string | null)[]>
  /** Writes again what differs. */
  repair: boolean
}

/**
 * @returns null where another process of the shop is following or verifying
 * @throws VerifyError where a store is not filled yet; ShelfwireError
 */
export function verifyShop({ db, open, keys, repair }: VerifyShopOptions): Promise<Report | null> {
  return runExclusively(db, async () => {
    const session = await open()
    const { shelf, target, stores } = session
    const verified = await shelf.verify(target, { stores, repair })
    const articles: string[] = []
    const deviations: Deviation[] = []
    const note = (found: readonly Deviation[]) => {
      articles.push(...found.map(({ article }) => article))
      deviations.push(...found.slice(0, REPORTED - deviations.length))
    }
    for await (const found of differing(db, session)) note(found)
    for await (const found of superfluous(db, session, keys())) note(found)
    const refused = repair ? await target.bring(articles) : new Map<string, string>()
    await tellStores(session, verified, articles, repair)
    return {
      isEqual: articles.length === 0 && verified.every(({ isEqual }) => isEqual),
      stores: verified.map(({ store, isEqual, products, asOf, changed, repaired }) => ({
        store,
        isEqual,
        products,
        asOf,
        changed,
        repaired,
      })),
      deviating: articles.length,
      deviations,
      repaired: repair ? articles.length - refused.size : 0,
      refused: Object.fromEntries([...refused].slice(0, REPORTED)),
      refusedCount: refused.size,
    }
  })
}

/**
 * Tells the account, for each store, how many products of the shop differ from it: kept payloads and the shop's own products. After a repair both are
 * compared again. @param deviating keys of the articles that differed
 */
async function tellStores(
  { shelf, keeper, target, stores, name }: ShopSession,
  verified: readonly Verified[],
  deviating: readonly string[],
  hasRepaired: boolean,
): Promise<void> {
  const changed = verified.filter(({ repaired }) => repaired !== null).map(({ store }) => store)
  const again = changed.length === 0 ? [] : await shelf.verify(target, { stores: changed })
  const differing = new Map(stores.map((store) => [store, 0]))
  for (let at = 0; at < deviating.length; at += ARTICLES) {
    const articles = await target.articles(deviating.slice(at, at + ARTICLES))
    const left = hasRepaired ? new Set((await keeper.compare(articles)).map(({ article }) => article)) : null
    for (const { key, listings } of articles) {
      if (left?.has(key) === false) continue
      // an article in no store is a product that the shop should not have: then no store is equal
      const of = listings.length === 0 ? stores : new Set(listings.map(({ store }) => store))
      for (const store of of) differing.set(store, (differing.get(store) ?? 0) + 1)
    }
  }
  for (const first of verified) {
    const last = again.find(({ store }) => store === first.store) ?? first
    const { store, cursor } = last
    await reportMirrorCheck(shelf, {
      store,
      mirror: name,
      cursor,
      differing: differingIn(last) + (differing.get(store) ?? 0),
    })
  }
}

/** The articles that differ, a page at a time: in a shop that was emptied they are all articles. */
async function* differing(db: KeptConnection, { keeper, target }: ShopSession): AsyncGenerator<Deviation[]> {
  for (let after = ''; ;) {
    const keys = await articlePage(db, after, ARTICLES)
    const last = keys.at(-1)
    if (last === undefined) return
    yield keeper.compare(await target.articles(keys))
    after = last
  }
}

/** Products of the shop whose article is no longer kept. */
async function* superfluous(
  db: KeptConnection,
  { keeper, target }: ShopSession,
  pages: AsyncIterable<readonly (string | null)[]>,
): AsyncGenerator<Deviation[]> {
  for await (const page of pages) {
    const ours = page.flatMap((key) => (key !== null && isArticleKey(key) ? [key] : []))
    const kept = new Set((await keptOfArticles(db, ours)).map(({ article }) => article))
    const gone = ours.filter((key) => !kept.has(key))
    if (gone.length > 0) yield keeper.compare(await target.articles(gone))
  }
}

/** The state of each store's mirror, and the articles that the shop has refused: how many, and the first hundred of them. */
export async function shopStatus(db: KeptConnection): Promise<{
  stores: { store: string; products: number; state: string; as_of: string | null }[]
  refused_count: number
  refused: { article: string; reason: string; since: Date }[]
}> {
  const stores = (await storeCounts(db)).map(({ store, position, products }) => {
    const { kind, since } = JSON.parse(position) as { kind: string; since: string }
    return { store, products, state: kind, as_of: kind === 'following' ? since : null }
  })
  return { stores, refused_count: await refusedCount(db), refused: await refusedArticles(db, REPORTED) }
}

/** The report for people, a line each. */
export function* linesOf(report: Report): Generator<string> {
  for (const { store, isEqual, products, asOf, changed } of report.stores)
    yield `${store}: ${products} products, ${isEqual ? `equal as of ${asOf}` : 'not equal'}${changed === 0 ? '' : `, ${changed} changed since`}`
  for (const { article, differences } of report.deviations)
    for (const { member, shop, shelfwire } of differences)
      yield `${article} ${member}: the shop has ${JSON.stringify(shop)}, Shelfwire ${JSON.stringify(shelfwire)}`
  if (report.deviating > report.deviations.length) yield `and ${report.deviating - report.deviations.length} more`
  const refused = Object.entries(report.refused)
  for (const [article, reason] of refused) yield `${article}: the shop refuses it: ${reason}`
  if (report.refusedCount > refused.length) yield `the shop refuses ${report.refusedCount - refused.length} more`
  yield report.isEqual
    ? 'The shop is equal.'
    : `The shop differs in ${report.deviating} products; ${report.repaired} were written again.`
}
