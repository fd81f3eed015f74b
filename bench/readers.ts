import { createToken } from '../src/accounts/create-token.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import type { RunningService } from './environment.ts'
import type { FilledAccount } from './fill.ts'
import { startPreview } from './preview.ts'
import type { Ask } from './panel-session.ts'
import { load, median, type Load } from './processes.ts'
import type { Report } from './report.ts'
import { keys, TYPED } from './search.ts'

// Effect of the panel on API readers of the same account: connectors read products while nobody uses the panel, while somebody types
// into its search, and while a rule is also previewed over all products. In turns, several times.

const ROUNDS = 3
const SECONDS = 6
const READERS = 4
const REST_MS = 5
/** Milliseconds between two keystrokes of a fast typist. */
const KEY_MS = 150
const PRODUCTS_READ = 20_000
const GOAL = 2

const SITUATIONS = ['nobody', 'typing', 'typing and a preview over everything'] as const

export async function measureReaders(
  db: Db,
  service: RunningService,
  ask: Ask,
  account: FilledAccount,
  what: string,
  report: Report,
): Promise<void> {
  const { accountId } = account
  const { token } = await inTransaction(db, (tx) => createToken(tx, { accountId, access: 'connector' }))
  const ids = await db<{ id: number }[]>`
    select product_id as id from product where account_id = ${accountId} order by hashint8(product_id) limit ${PRODUCTS_READ}`
  const reads = {
    'single products': ids.map(({ id }) => `/v1/products/${id}`),
    'pages of 50 products by id': ids.map(({ id }) => `/v1/products?per_page=50&after_id=${id}`),
  }
  for (const [name, paths] of Object.entries(reads)) {
    const found = new Map<string, Load[]>(SITUATIONS.map((situation) => [situation, []]))
    await load(service.url, token, READERS, 2, paths.slice(0, 1_000), REST_MS)
    for (let round = 0; round < ROUNDS; round++)
      for (const situation of SITUATIONS) {
        await using _panel = situation === 'nobody' ? null : usePanel(ask, account, situation !== 'typing')
        const result = await load(service.url, token, READERS, SECONDS, paths.slice(0, 1_000), REST_MS)
        if (result.failures > 0) throw new Error('reads failed')
        found.get(situation)?.push(result)
      }
    const of = (situation: string, pick: 'p50Ms' | 'p95Ms') =>
      median((found.get(situation) ?? []).map((result) => result[pick]))
    for (const situation of SITUATIONS.slice(1)) {
      const ratio = of(situation, 'p95Ms') / of('nobody', 'p95Ms')
      report.goal(
        `${name}, ${READERS} readers, in the panel ${situation}, against nobody in it; ${what}`,
        `p95 ${ratio.toFixed(2)}x (${of(situation, 'p95Ms').toFixed(2)} against ${of('nobody', 'p95Ms').toFixed(2)} ms), p50 ${(of(situation, 'p50Ms') / of('nobody', 'p50Ms')).toFixed(2)}x (${of(situation, 'p50Ms').toFixed(2)} against ${of('nobody', 'p50Ms').toFixed(2)} ms)`,
        `p95 ${GOAL}x`,
        ratio <= GOAL,
      )
    }
  }
}

/** Uses the panel like a person, until it is disposed of. */
function usePanel(ask: Ask, account: FilledAccount, isPreviewing: boolean): AsyncDisposable {
  let isOver = false
  const typing = (async () => {
    for (;;)
      for (const query of keys(TYPED)) {
        if (isOver) return
        const next = new Promise((resolve) => setTimeout(resolve, KEY_MS))
        await ask(`products?${query}`)
        await next
      }
  })()
  const previewing = isPreviewing ? startPreview(ask, account) : null
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      await typing
      const id = await previewing
      // the operation may have ended already
      if (id !== null) await ask(`/v1/account/operations/${id}/cancel`, { method: 'POST' }).catch(() => undefined)
    },
  }
}
