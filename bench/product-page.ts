import type { Db } from '../src/db/sql.ts'
import type { FilledAccount } from './fill.ts'
import type { Ask } from './panel-session.ts'
import type { Report } from './report.ts'

// Opening a product's page by its address: the time from the first request to the last answer, in the order of the page's
// requests.

const PAGES = 150
const GOAL_MS = 150
/** The number of stores that the page shows side by side at first, and at most (panel/pages/product). */
const STORES = [3, 6]

export async function measureProductPages(
  db: Db,
  ask: Ask,
  { accountId, storeIds }: FilledAccount,
  what: string,
  report: Report,
): Promise<void> {
  const stores = await db<{ slug: string }[]>`
    select slug from store where account_id = ${accountId} and store_id = any(${storeIds}::bigint[]) order by store_id`
  for (const count of STORES) {
    const products = await db<{ id: number }[]>`
      select product_id as id from product where account_id = ${accountId} order by hashint8(product_id + ${count}) limit ${PAGES}`
    const times: number[] = []
    const slowest = new Map<string, number>()
    for (const { id } of products) {
      const from = performance.now()
      for (const requests of requestsOf(
        accountId,
        id,
        stores.slice(0, count).map(({ slug }) => slug),
      ))
        await Promise.all(
          requests.map(async (path) => {
            const { ms } = await ask(path, { isMissingFine: true })
            const name = path.replaceAll(/\d+(?=\/|$|\?)/g, '…').replace(/=.*/, '')
            slowest.set(name, Math.max(slowest.get(name) ?? 0, ms))
          }),
        )
      times.push(performance.now() - from)
    }
    report.times(`a product's page with ${count} stores side by side, ${what}`, times, GOAL_MS)
    report.figure(
      'of that the longest single request of each kind',
      [...slowest].map(([path, ms]) => `\`${path}\` ${ms.toFixed(0)} ms`).join(', '),
    )
  }
}

/**
 * The requests of the page. Those of a list are sent together, after the answers to the previous list; the last list is
 * requested when the product's history is opened.
 */
function requestsOf(accountId: number, id: number, stores: readonly string[]): string[][] {
  return [
    ['/panel/api/session'],
    ['/v1/stores'],
    [
      ...stores.flatMap((slug) => [`/v1/products/${id}?store=${slug}`, `/v1/products/${id}/explain?store=${slug}`]),
      `/v1/account/products/${id}`,
      `/panel/api/accounts/${accountId}/products/${id}/offers`,
    ],
    [
      `/v1/account/products/${id}/price-history?store=${stores[0]}`,
      `/panel/api/accounts/${accountId}/products/${id}/history`,
    ],
  ]
}
