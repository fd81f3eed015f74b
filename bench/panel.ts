import { createStore } from '../src/catalog/settings/stores/stores.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { inTransaction } from '../src/db/sql.ts'
import { maintain, openEnvironment, startService, type Environment, type RunningService } from './environment.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import { panelAccount } from './panel-account.ts'
import { openPanelSession, type Ask } from './panel-session.ts'
import { measurePreviews, measureWholePreview } from './preview.ts'
import { measureProductPages } from './product-page.ts'
import { measureReaders } from './readers.ts'
import type { Report } from './report.ts'
import { measureFilters, measureTyping } from './search.ts'

// The panel over HTTP, with a session like that of a browser, in an account of a million products and fifty stores. BENCH_PRODUCTS
// sets a smaller size, BENCH_PANEL=typing,readers selects parts. With BENCH_DATA=DIRECTORY the account is created once and kept
// there, so that parts can be measured again; BENCH_PANEL=none only creates it.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 1_000_000)
const PRODUCTS_IN_ALL_STORES = Math.min(20_000, PRODUCTS)
const STORES = 50
const KEPT = process.env['BENCH_DATA'] ?? null

interface Measured {
  environment: Environment
  service: RunningService
  account: FilledAccount
  ask: Ask
  what: string
  report: Report
}

const PARTS: Readonly<Record<string, (measured: Measured) => Promise<void>>> = {
  typing: ({ ask, what, report }) => measureTyping(ask, what, report),
  filters: ({ ask, what, report }) => measureFilters(ask, what, report),
  product: ({ environment, ask, account, what, report }) =>
    measureProductPages(environment.runtime.db, ask, account, what, report),
  preview: ({ ask, account, what, report }) => measurePreviews(ask, account, what, report),
  // every product is in every store: with three stores the preview's sample is largest, with fifty each of its products
  // takes longest
  stores: async ({ environment, service, report }) => {
    for (const stores of [3, STORES]) {
      const account = await accountInAllStores(environment, stores)
      const what = `${PRODUCTS_IN_ALL_STORES.toLocaleString('en')} products, each in ${stores} stores`
      await measurePreviews(
        await openPanelSession(environment.runtime.db, service, account.accountId),
        account,
        what,
        report,
      )
    }
  },
  readers: ({ environment, service, ask, account, what, report }) =>
    measureReaders(environment.runtime.db, service, ask, account, what, report),
  everything: ({ ask, account, what, report }) => measureWholePreview(ask, account, what, report),
}

/** This account has no payloads: they are not measured, and shelving a million of them would take minutes. */
async function accountInAllStores(environment: Environment, stores: number): Promise<FilledAccount> {
  const { db } = environment.runtime
  const account = await createFilledAccount(db, `in ${stores} stores`, 3)
  {
    using progress = openPrinter(false).progress('Filling')
    await fillProducts(db, account, PRODUCTS_IN_ALL_STORES, (done) => progress.update(done, PRODUCTS_IN_ALL_STORES))
  }
  await inTransaction(db, async (tx) => {
    for (let n = account.storeIds.length; n < stores; n++)
      await createStore(tx, account.accountId, { slug: `s${n}`, name: `Store ${n}`, locale: 'de', currency: 'EUR' })
    await tx`delete from sweep where account_id = ${account.accountId}`
  })
  await maintain(environment, ['analyze'])
  return account
}

/** The benchmark of the panel. */
export async function panel(report: Report): Promise<void> {
  const wanted = (process.env['BENCH_PANEL'] ?? Object.keys(PARTS).join(',')).split(',')
  await using environment = await openEnvironment(KEPT)
  const account = await panelAccount(environment, PRODUCTS, report)
  const service = await startService(environment)
  const ask = await openPanelSession(environment.runtime.db, service, account.accountId)
  const what = `${PRODUCTS.toLocaleString('en')} products, ${STORES} stores`
  for (const [name, measure] of Object.entries(PARTS))
    if (wanted.includes(name)) await measure({ environment, service, account, ask, what, report })
  await service.stop()
  report.print(environment.server)
}
