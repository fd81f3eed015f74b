import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { inTurn } from '../harness/gate.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { beyond, load, settled } from './settled.ts'
import { keepPicture } from './picture.ts'
import { worldOfFile } from '../harness/world.ts'

// The pages about products with the most data that there may be: fifty stores, and titles of 5,000 characters, some of them one
// word. The pages stay within the window, and the browser is never busy for long.

const EMAIL = 'anna@example.com'
const STORES = 50
const PRODUCTS = 260
const TITLE_LENGTH = 5_000
/** The longest allowed task of the browser. Tasks take up to 150 ms here, 710 ms on a busy machine; work per store or letter takes longer. */
const TASK_MS_MAX = 2_000

const titleOf = (i: number) =>
  i % 10 === 0
    ? `Unbroken${i}${'abcdefghij'.repeat(TITLE_LENGTH / 10)}`.slice(0, TITLE_LENGTH)
    : `Article ${i} ${'with a title that does not end '.repeat(TITLE_LENGTH / 30)}`.slice(0, TITLE_LENGTH)

/** Records the longest task of the browser on every page that is opened. */
async function watchTasks(context: BrowserContext): Promise<void> {
  await context.addInitScript(`self.longestTask = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) self.longestTask = Math.max(self.longestTask, duration)
    }).observe({ type: 'longtask', buffered: true })`)
}

const { database } = worldOfFile()
let service: TestService
let chromium: Chromium
let accountId: number
let made: number[]

beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  const bench = openBench(database.db)
  const account = await createAccount(bench, 'Nordlicht')
  accountId = account.accountId
  made = await giveOffers(
    bench,
    account,
    Array.from({ length: PRODUCTS }, (_, i) =>
      offer(`A-${i}`, { texts: { en: { title: titleOf(i) } }, quantity: i % 7 === 0 ? 0 : 5 }),
    ),
  )
  await bench.shelf.write(accountId, (tx) => excludeProducts(tx, accountId, null, made.slice(0, 5), 'recalled'))
  await inTransaction(database.db, async (tx) => {
    for (let i = 3; i < STORES; i++)
      await createStore(tx, accountId, { slug: `s${i}`, name: `Store ${i}`, locale: 'en', currency: 'EUR' })
  })
  await bench.shelf.drain(accountId)
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL), EMAIL, 'owner')
  service = await startTestService(database, { roles: ['api', 'work'] })
  chromium = await openChromium()
}, 120_000)

afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

// a gate tries one of the two sizes, chosen by its seed
test.for(
  inTurn([
    [1_440, 900],
    [390, 844],
  ] as const),
)(
  'fifty stores and long titles stay usable, %i pixels wide',
  { timeout: 120_000, retry: 2 },
  async ([width, height]) => {
    const context = await chromium.context({ viewport: { width, height } })
    await watchTasks(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const at = (path: string) => `${service.url}/panel/${accountId}/${path}`
    const isPhone = width < 500
    /** Checks that the page is not wider than the window and that no task took too long. */
    const isUsable = async (what: string, within: Page = page) => {
      await settled(within)
      const [wide, longest] = await within.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, Math.round(self.longestTask)]',
      )
      expect([what, wide, wide > width ? await beyond(within) : '']).toEqual([what, width, ''])
      expect(longest, `${what}: the browser was busy for ${longest} ms`).toBeLessThan(TASK_MS_MAX)
      await keepPicture(within, `large-${what.replaceAll(' ', '-')}-${width}`)
      await within.evaluate('self.longestTask = 0')
    }

    await page.goto(at('catalog'))
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText(`${PRODUCTS} products`, { exact: true }).waitFor()
    await isUsable('list')

    // scrolled to the end, over pages that are loaded on the way
    const rows = page.locator('tbody tr[data-index]')
    await expect
      .poll(
        async () => {
          await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
          return Number(await rows.last().getAttribute('data-index'))
        },
        { timeout: 20_000 },
      )
      .toBe(PRODUCTS - 1)
    await isUsable('end of the list')
    await page.evaluate('scrollTo(0, 0)')

    // every key press is handled
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('article 25', { delay: 30 })
    await page.getByText('10 products', { exact: true }).waitFor()
    await isUsable('search')
    await page.getByRole('searchbox').fill('unbroken30')
    await page.getByText('1 product', { exact: true }).waitFor()
    await isUsable('an unbroken title')
    await page.getByRole('searchbox').fill('')
    await page.getByText(`${PRODUCTS} products`, { exact: true }).waitFor()

    // fifty stores in a menu
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Store 49', exact: true }).waitFor()
    await isUsable('menu of stores')
    await page.getByRole('menuitem', { name: 'Store 49', exact: true }).click()
    await page.getByRole('button', { name: 'Stock', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Out of stock' }).click()
    await page.getByText(`${Math.ceil(PRODUCTS / 7)} products`, { exact: true }).waitFor()
    await isUsable('filters')

    // a product in as many stores as fit side by side
    await load(page, at(`catalog/${made[10]}`))
    await page.getByRole('heading', { name: /^Unbroken10/ }).waitFor()
    await isUsable('product')
    await load(page, at(`catalog/${made[11]}?stores=main,de,pl,s3,s4,s5`))
    await page.getByRole('heading', { name: /^Article 11/ }).waitFor()
    // on a phone the stores are one below the other
    const stores = isPhone
      ? page.locator('li:has(> h3):has(> dl)').first().locator('dt')
      : page.locator('th[scope=col]')
    expect(await stores.count()).toBeGreaterThanOrEqual(6)
    await isUsable('product in six stores')

    // a rule for some of fifty stores, previewed as one types
    if (isPhone) {
      await load(page, at('pricing'))
      await isUsable('pricing')
    } else {
      await load(page, at('pricing?new=true'))
      await page.getByLabel('Percent added to the cost').fill('5')
      await page.getByText(/\d+ products? gets? a new price, changed by up to/).waitFor()
      await page.keyboard.type('0', { delay: 30 })
      await isUsable('pricing')
    }
    expect(chromium.faults).toEqual([])
  },
)
