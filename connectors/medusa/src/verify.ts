import type { Verified } from '@shelfwire/client'
import type { Container } from './medusa-shop.ts'
import { openSession, type Session } from './session.ts'
import type { Deviation } from './shop/keeper.ts'
import { externalIdPage } from './shop/found.ts'
import { alone, articlePage, keptOfArticles } from './state/state.sql.ts'

// Proves that the shop is as the stores are: what it was told, by Shelfwire's digests, and what it made of it, by reading its products.

const ARTICLES = 50
const PRODUCTS = 1_000
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
  /** What the shop has refused to take: the key of the article -> why. */
  refused: Record<string, string>
}

/**
 * @param options.repair writes again what differs
 * @returns null where another process of the shop is at work
 * @throws VerifyError where a store is not filled yet; ShelfwireError
 */
export function verify(shop: Container, { repair }: { repair: boolean }): Promise<Report | null> {
  return alone(shop.resolve('__pg_connection__'), async () => {
    const session = await openSession(shop)
    const { shelf, target, stores } = session
    const verified = await shelf.verify(target, { stores, repair })
    const deviations = [...(await differing(shop, session)), ...(await superfluous(shop, session))]
    const refused = repair ? await target.bring(deviations.map(({ article }) => article)) : new Map<string, string>()
    return {
      isEqual: deviations.length === 0 && verified.every(({ isEqual }) => isEqual),
      stores: verified.map(({ store, isEqual, products, asOf, changed, repaired }) => ({
        store,
        isEqual,
        products,
        asOf,
        changed,
        repaired,
      })),
      deviating: deviations.length,
      deviations: deviations.slice(0, REPORTED),
      repaired: repair ? deviations.length - refused.size : 0,
      refused: Object.fromEntries(refused),
    }
  })
}

async function differing(shop: Container, { keeper, target }: Session): Promise<Deviation[]> {
  const found: Deviation[] = []
  for (let after = ''; ;) {
    const keys = await articlePage(shop.resolve('__pg_connection__'), after, ARTICLES)
    const last = keys.at(-1)
    if (last === undefined) return found
    found.push(...(await keeper.compare(await target.articles(keys))))
    after = last
  }
}

/** Products of the shop that were made of an article which is no longer there. */
async function superfluous(shop: Container, { keeper, target }: Session): Promise<Deviation[]> {
  const found: Deviation[] = []
  for (let skip = 0; ; skip += PRODUCTS) {
    const page = await externalIdPage(shop, skip, PRODUCTS)
    const ours = page.flatMap((key) => (key !== null && /^(?:group|product):\d+$/.test(key) ? [key] : []))
    const kept = new Set((await keptOfArticles(shop.resolve('__pg_connection__'), ours)).map(({ article }) => article))
    const gone = ours.filter((key) => !kept.has(key))
    if (gone.length > 0) found.push(...(await keeper.compare(await target.articles(gone))))
    if (page.length < PRODUCTS) return found
  }
}

/** The report for people, a line each. */
export function* linesOf(report: Report): Generator<string> {
  for (const { store, isEqual, products, asOf, changed } of report.stores)
    yield `${store}: ${products} products, ${isEqual ? `equal as of ${asOf}` : 'not equal'}${changed === 0 ? '' : `, ${changed} changed since`}`
  for (const { article, differences } of report.deviations)
    for (const { member, shop, shelfwire } of differences)
      yield `${article} ${member}: the shop has ${JSON.stringify(shop)}, Shelfwire ${JSON.stringify(shelfwire)}`
  if (report.deviating > report.deviations.length) yield `and ${report.deviating - report.deviations.length} more`
  for (const [article, reason] of Object.entries(report.refused)) yield `${article}: the shop refuses it: ${reason}`
  yield report.isEqual
    ? 'The shop is equal.'
    : `The shop differs in ${report.deviating} products; ${report.repaired} were written again.`
}
