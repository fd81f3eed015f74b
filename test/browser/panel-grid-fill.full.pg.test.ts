import { mkdir } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createAccount, giveOffers, offer, openBench, type TestAccount } from '../harness/account.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { keepPicture } from './picture.ts'
import { worldOfFile } from '../harness/world.ts'

// Filling down in lists whose rows are not all in the grid: still being read, or more than it holds.

const EMAIL = 'anna@example.com'
/** More than a grid holds. */
const PRODUCTS = 5_120
const PART = 1_024
const { database } = worldOfFile()
let account: TestAccount
let service: TestService
let chromium: Chromium

beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
  const bench = openBench(database.db)
  account = await createAccount(bench, 'Nordlicht')
  for (let at = 0; at < PRODUCTS; at += PART)
    await giveOffers(
      bench,
      account,
      Array.from({ length: PART }, (_, i) =>
        offer(`ART-${String(at + i).padStart(5, '0')}`, {
          eans: [],
          texts: { en: { title: `Article ${String(at + i).padStart(5, '0')}` } },
          manufacturer: (at + i) % 8 === 0 ? 'Festool' : 'Bosch',
        }),
      ),
    )
  await makeMember(database.db, account.accountId, await makePerson(database.db, EMAIL), EMAIL, 'member')
  service = await startTestService(database, { roles: ['api', 'work'] })
  chromium = await openChromium()
}, 240_000)
afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

async function signedIn(path: string): Promise<Page> {
  const page = await (await chromium.context()).newPage()
  await page.goto(`${service.url}/panel/${account.accountId}/${path}`)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  return page
}

const cell = (page: Page, row: number, column: number) =>
  page.locator(`[role=gridcell][data-row="${row}"][data-column="${column}"]`)
const shot = (page: Page, name: string) => keepPicture(page, `grid-fill-${name}`)
const own = async (field: string) =>
  database.db<{ value: string; rows: number }[]>`
    select value, count(*)::int as rows from product_override
    where account_id = ${account.accountId} and field = ${field} group by value order by value`

test(
  'rows that are still being read are filled too: it is told how many, and they are undone',
  { timeout: 120_000 },
  async () => {
    // the answer with the third part is held back
    const waiting: Route[] = []
    let reads = 0
    let isHeld = true
    const page = await signedIn('catalog/grid?manufacturer=festool&sort=sku&columns=manufacturer,category')
    await page.getByText('640 products', { exact: true }).waitFor({ timeout: 30_000 })
    await page.route('**/product-cells**', (route) => (isHeld && ++reads > 2 ? waiting.push(route) : route.continue()))
    await page.reload()
    await page.getByText('200 products loaded, loading more …').waitFor()
    await cell(page, 0, 1).click()
    await page.keyboard.type('Tools')
    await page.keyboard.press('Enter')
    // the selection ends at the last row that is loaded, so the dialog asks whether the whole list is meant
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Control+Shift+ArrowDown')
    await page.getByRole('button', { name: 'Fill down' }).click()
    const question = page.getByRole('dialog', { name: 'Fill 640 rows?' })
    await question.getByRole('button', { name: 'Only the 200 chosen rows' }).waitFor()
    await shot(page, 'reading')
    await question.getByRole('button', { name: 'Fill 640 rows' }).click()
    await page.getByText('All rows will be filled as soon as they have been read.').waitFor()
    await page.getByRole('button', { name: 'Save 1 cell' }).waitFor()
    isHeld = false
    await Promise.all(waiting.map((route) => route.continue()))
    await page.getByRole('button', { name: 'Save 640 cells' }).waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Save 640 cells' }).click()
    await page.getByText('640 cells saved', { exact: true }).waitFor({ timeout: 60_000 })
    expect(await own('category')).toEqual([{ value: 'Tools', rows: 640 }])
    await page.getByRole('button', { name: 'Undo saving 640 cells' }).click()
    await expect.poll(() => own('category'), { timeout: 60_000 }).toEqual([])
    expect(chromium.faults).toEqual([])
    await page.context().close()
  },
)

test(
  'a list with more rows than the grid holds is filled by the service, all of it',
  { timeout: 240_000 },
  async () => {
    const page = await signedIn('catalog/grid?sort=sku&columns=manufacturer,category,quantity,cost')
    await page.getByText('Shows the first 5,000 products.', { exact: false }).waitFor({ timeout: 90_000 })
    await cell(page, 0, 1).click()
    await page.keyboard.type('Werkzeug')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save 1 cell' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('button', { name: 'Fill down' }).click()
    const question = page.getByRole('dialog', { name: 'Fill 5,120 rows?' })
    await question.getByText('this cannot be undone as a whole', { exact: false }).waitFor()
    await shot(page, 'service')
    const began = performance.now()
    await question.getByRole('button', { name: 'Fill 5,120 rows' }).click()
    await page.getByText('5,120 changed, 0 unchanged, 0 refused').waitFor({ timeout: 120_000 })
    console.log(`5,120 rows were filled by the service in ${Math.round(performance.now() - began)} ms`)
    expect(await own('category')).toEqual([{ value: 'Werkzeug', rows: PRODUCTS }])
    // the rows of the grid show it, and nothing is left to be saved
    await expect.poll(() => cell(page, 1, 1).innerText(), { timeout: 30_000 }).toContain('Werkzeug')
    expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(0)
    await shot(page, 'filled')
    // own cost cannot be set without own stock
    await cell(page, 0, 3).click()
    await page.getByRole('button', { name: 'Fill down' }).click()
    await page.getByText('Own cost alone cannot be set', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Fill 5,120 rows' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    // every row that is marked, and no more
    await cell(page, 0, 0).click()
    await cell(page, 3, 0).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Fill down' }).click()
    await page.getByRole('button', { name: 'Save 3 cells' }).waitFor()
    expect(chromium.faults).toEqual([])
    await page.context().close()
  },
)
