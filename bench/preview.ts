import type { RuleChangeBody } from '../contract/panel/previews.ts'
import { memberInsert } from '../src/accounts/members.sql.ts'
import { createStore } from '../src/catalog/settings/stores.ts'
import { openPrinter } from '../src/commands/print.ts'
import { inTransaction } from '../src/db/sql.ts'
import { personInsert } from '../src/people/persons.sql.ts'
import { csrfTokenOf } from '../src/people/secrets.ts'
import { openSession } from '../src/people/sessions.ts'
import { maintain, openEnvironment, startService, type Environment, type RunningService } from './environment.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import type { Report } from './report.ts'

// Previews of rules over HTTP, as the panel asks for them while one types: over a sample of a million products in three stores, and of
// 20,000 in fifty stores; and over everything, as an operation. BENCH_PRODUCTS sets a smaller size.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 1_000_000)
const PRODUCTS_IN_MANY_STORES = Math.min(20_000, PRODUCTS)
const MANY_STORES = 50
const REQUESTS = 40
const GOAL_MS = 300

/** Each time with another value, as when somebody types. */
const CHANGES: Readonly<Record<string, (n: number, account: FilledAccount) => RuleChangeBody>> = {
  'the default rule': (n, { defaultRuleId }) => ({
    resource: 'pricing-rules',
    action: 'edit',
    id: defaultRuleId,
    body: { percent: String(20 + n) },
  }),
  'a pricing rule for one of 200 manufacturers': (n) => ({
    resource: 'pricing-rules',
    action: 'create',
    body: { name: 'x', action: 'markup', percent: '50', priority: 1, manufacturers: [`Manufacturer ${n}`] },
  }),
  'a pricing rule for one of 100 categories': (n) => ({
    resource: 'pricing-rules',
    action: 'create',
    body: { name: 'x', action: 'margin', percent: '30', priority: 1, categories: [`Goods/Category ${n}`] },
  }),
  'an exclusion of products without a title': () => ({
    resource: 'exclusion-rules',
    action: 'create',
    body: { name: 'x', kind: 'no_title' },
  }),
  'an exclusion by price': (n) => ({
    resource: 'exclusion-rules',
    action: 'create',
    body: { name: 'x', kind: 'price_above', amount: String(100 + n) },
  }),
  'an assortment rule': (n, { storeIds }) => ({
    resource: 'assortment-rules',
    action: 'create',
    body: { name: 'x', store_id: storeIds[0], is_listed: false, categories: [`Goods/Category ${n}`] },
  }),
}

/** The benchmark of previews; takes about ten minutes at a million products, most of them to make these. */
export async function preview(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const few = await fill(environment, 'many stores', PRODUCTS_IN_MANY_STORES)
  await inTransaction(environment.runtime.db, async (tx) => {
    for (let n = few.storeIds.length; n < MANY_STORES; n++)
      await createStore(tx, few.accountId, { slug: `s${n}`, name: `Store ${n}`, locale: 'de', currency: 'EUR' })
  })
  const many = await fill(environment, 'many products', PRODUCTS)
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const service = await startService(environment, false, { RATE_LIMIT_PER_SECOND: '0' })
  for (const [account, products, stores] of [
    [many, PRODUCTS, 3],
    [few, PRODUCTS_IN_MANY_STORES, MANY_STORES],
  ] as const) {
    const ask = await openOwner(environment, service, account)
    for (const [what, changeOf] of Object.entries(CHANGES)) {
      const times: number[] = []
      let looked = 0
      for (let n = 0; n < REQUESTS; n++) {
        const from = performance.now()
        const { data } = (await ask('POST', 'previews', changeOf(n, account))) as { data: { products: number } }
        times.push(performance.now() - from)
        looked = data.products
      }
      times.sort((a, b) => a - b)
      const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? 0
      const p50 = times[Math.floor(times.length / 2)] ?? 0
      report.goal(
        `preview of ${what}, ${products.toLocaleString('en')} products in ${stores} stores`,
        `${p95.toFixed(0)} ms p95, ${p50.toFixed(0)} ms p50 over ${looked} products`,
        `${GOAL_MS} ms p95`,
        p95 <= GOAL_MS,
      )
    }
    const from = performance.now()
    await ask('GET', 'rule-reach')
    report.figure(
      `reach of the rules, ${products.toLocaleString('en')} products in ${stores} stores`,
      `${(performance.now() - from).toFixed(0)} ms`,
    )
    if (account === many) await overEverything(ask, account, report)
  }
  await service.stop()
  report.print(environment.server)
}

async function fill({ runtime: { db } }: Environment, name: string, products: number): Promise<FilledAccount> {
  const account = await createFilledAccount(db, name, 3)
  using progress = openPrinter(false).progress(`Filling ${name}`)
  await fillProducts(db, account, products, (done) => progress.update(done, products))
  return account
}

type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

async function openOwner(
  { runtime: { db } }: Environment,
  { url }: RunningService,
  { accountId }: FilledAccount,
): Promise<Ask> {
  const email = `owner${accountId}@example.com`
  const secret = await inTransaction(db, async (tx) => {
    const personId = await personInsert(tx, { email, name: 'Owner', passwordHash: 'none' })
    await memberInsert(tx, accountId, { email, role: 'owner', personId })
    return (await openSession(tx, personId, { address: '', userAgent: '' })).secret
  })
  const headers = {
    'Content-Type': 'application/json',
    Cookie: `shelfwire_session=${secret}`,
    'X-CSRF-Token': csrfTokenOf(secret),
  }
  return async (method, path, body) => {
    const response = await fetch(`${url}/panel/api/accounts/${accountId}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}

async function overEverything(ask: Ask, account: FilledAccount, report: Report): Promise<void> {
  const from = performance.now()
  const change = CHANGES['the default rule']?.(1, account)
  const started = (await ask('POST', 'preview-operations', change)) as { data: { operation_id: number } }
  using progress = openPrinter(false).progress('Looking at everything')
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { data } = (await ask('GET', `preview-operations/${started.data.operation_id}`)) as {
      data: { state: string; done: number; products: number; preview: { changed: { products: number } } }
    }
    progress.update(data.done, data.products)
    if (data.state === 'failed') throw new Error('the preview failed')
    if (data.state !== 'succeeded') continue
    const seconds = (performance.now() - from) / 1_000
    report.figure(
      `preview over all ${data.products.toLocaleString('en')} products in 3 stores`,
      `${seconds.toFixed(0)} s, ${Math.round(data.products / seconds)} products/s, ${data.preview.changed.products} change`,
    )
    return
  }
}
