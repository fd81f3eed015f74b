import { mkdir, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { LISTED_NAMES } from '../../contract/product-fields.ts'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'

// The list of products in a real browser: searching while typing, filters, order, a selection over several pages by mouse and
// keyboard, bulk edits of the selection, saved views, a file.

const EMAIL = 'anna@example.com'
const NOUNS = ['Hammer', 'Säge', 'Drill', 'Rope'] as const
const PRODUCTS = 400

const rows = (page: Page) => page.locator('tbody tr[data-index]')
/** Waits for the count above the list. */
const counted = async (page: Page, text: string) => await page.getByText(text, { exact: true }).waitFor()

test('products are found, chosen over pages, and changed together', { timeout: 240_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
  await using database = await createDatabase()
  const bench = openBench(database.db)
  const account = await createAccount(bench, 'Nordlicht')
  const { accountId } = account
  const made = await giveOffers(
    bench,
    account,
    Array.from({ length: PRODUCTS }, (_, i) =>
      offer(`ART-${String(i).padStart(4, '0')}`, {
        eans: [],
        texts: { en: { title: `${NOUNS[i % 4]} number ${i}` } },
        manufacturer: ['Bosch', 'Makita', 'Łódź & Co'][i % 3] ?? null,
        category: i % 2 === 0 ? 'Tools/Hand' : 'Tools/Power',
        quantity: i % 10 === 0 ? 0 : 7,
        ...(i < 5 ? { images: [] } : {}),
      }),
    ),
  )
  await bench.shelf.write(accountId, (tx) => createCategory(tx, accountId, { path: 'Tools/Hand' }))
  await bench.shelf.write(accountId, (tx) => excludeProducts(tx, accountId, null, made.slice(0, 3), 'recalled'))
  await bench.shelf.drain(accountId)
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL), EMAIL, 'owner')
  await using service = await startTestService(database, { roles: ['api', 'work'], env: { SECRET_KEY: TEST_KEY } })
  await using chromium = await openChromium()
  const page = await (await chromium.context({ acceptDownloads: true })).newPage()
  const shot = (name: string) => keepPicture(page, `products-${name}`)
  await page.goto(`${service.url}/panel/${accountId}/catalog`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await counted(page, '400 products')
  await page.setViewportSize({ width: 1_440, height: 900 })
  // the column of titles is the widest
  const column = await page.getByRole('columnheader', { name: 'Title' }).boundingBox()
  const table = await page.getByRole('table').boundingBox()
  expect((column?.width ?? 0) / (table?.width ?? 1)).toBeGreaterThan(0.4)
  await shot('all')

  // searching while typing, without accents; the address has the search, and Back does not undo single letters
  await page.keyboard.type('sage num')
  await counted(page, '100 products')
  await rows(page).getByText('Säge number 1', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('search')).toBe('sage num')
  await page.getByRole('searchbox').fill('')
  await counted(page, '400 products')

  // a match inside a word; without results, the page proposes similar words and filters to clear
  await page.getByRole('searchbox').fill('amme')
  await counted(page, '100 products')
  await page.getByRole('searchbox').fill('hamer')
  await page.getByText('No product contains “hamer”. Did you mean “Hammer”?').waitFor()
  await shot('meant')
  await page.getByRole('button', { name: 'Search for “Hammer”' }).click()
  await counted(page, '100 products')
  await page.goto(`${service.url}/panel/${accountId}/catalog?search=xylophon&stock=in&excluded=no`)
  await page.getByText('No product contains “xylophon” and matches these filters.').waitFor()
  await shot('nothing')
  await page.getByRole('button', { name: 'Remove all 2 filters' }).click()
  await page.getByText('No product contains “xylophon”.').waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await counted(page, '400 products')
  expect(new URL(page.url()).search).toBe('')
  // from within a field
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A page, an action').fill('hamer')
  await page.getByText('Did you mean “Hammer”?').click()
  await page.getByText('Hammer number 0', { exact: true }).waitFor()
  await shot('palette')
  await page.keyboard.press('Escape')

  // the name of a category or a supplier is a filter; words beside it stay
  await page.getByRole('searchbox').fill('hammer hand')
  await page.getByRole('button', { name: 'Category: Tools/Hand 100 products' }).click()
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ search: 'hammer', category: 'Tools/Hand' })
  await counted(page, '100 products')
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('hammer')
  await page.getByRole('searchbox').fill('north')
  await page.getByRole('button', { name: 'Supplier: North 200 products' }).waitFor()
  await shot('suggested')
  await page.getByRole('button', { name: 'Supplier: North 200 products' }).click()
  await counted(page, '200 products')
  expect(await page.getByRole('group', { name: 'Suggested filters' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await counted(page, '400 products')

  // filters as chips, chosen or typed; each narrows the list
  await page.getByRole('button', { name: 'Manufacturer', exact: true }).click()
  await page.getByRole('combobox', { name: 'Manufacturer' }).fill('bosch')
  await page.keyboard.press('Enter')
  await counted(page, '134 products')
  await page.getByRole('button', { name: 'Stock', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Out of stock' }).click()
  await counted(page, '14 products')
  await shot('filtered')
  // the service sorts; a second click reverses the order
  await page.getByRole('button', { name: 'SKU' }).click()
  await page.getByRole('button', { name: 'SKU' }).click()
  await expect.poll(() => rows(page).first().innerText()).toContain('ART-0390')
  // a saved view restores search, filters and order
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').locator('input[name=name][aria-invalid=true]').waitFor()
  await page.getByRole('dialog').getByLabel('Name').fill('Bosch to order')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Bosch to order' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await counted(page, '400 products')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Bosch to order' }).click()
  await counted(page, '14 products')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await counted(page, '400 products')

  // products that lack something, by the link on the overview and by the filter
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: '5 products without a picture' }).first().click()
  await counted(page, '5 products')
  expect(new URL(page.url()).searchParams.get('incomplete')).toBe('no_image')
  await page.goto(`${service.url}/panel/${accountId}/findings?kind=completeness_stores`)
  await page.getByRole('link', { name: 'Show products' }).first().click()
  await counted(page, '5 products')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await counted(page, '400 products')
  await page.getByRole('button', { name: 'Missing', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Picture' }).click()
  await counted(page, '5 products')
  await shot('incomplete')
  await page.goto(`${service.url}/panel/${accountId}/catalog`)
  await counted(page, '400 products')

  // chosen by keyboard: down from the search, Space, Shift and Space
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByText('1 product chosen').waitFor()
  for (const row of [1, 2]) {
    await page.keyboard.press('ArrowDown')
    await page.locator(`tr[data-index="${row}"]:focus`).waitFor()
  }
  await page.keyboard.press('Shift+Space')
  await page.getByText('3 products chosen').waitFor()
  // all that are here, then all that match, without one
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByRole('button', { name: 'Choose all 400 matching products' }).click()
  await page.getByText('All 400 matching products are chosen').waitFor()
  await shot('all-chosen')
  await rows(page).first().getByRole('checkbox').click()
  await page.getByText('All 399 matching products are chosen').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()

  // own stock for all products that a filter finds; an error is beside its field, which keeps its text
  await page.getByRole('searchbox').fill('drill')
  await counted(page, '100 products')
  await rows(page)
    .getByText(/^Drill/)
    .first()
    .waitFor()
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByText('100 products chosen').waitFor()
  await page.getByRole('button', { name: 'Set own stock' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Pieces').fill('lots')
  await dialog.getByRole('button', { name: 'Set own stock' }).click()
  await dialog.locator('input[name=quantity][aria-invalid=true]').waitFor()
  expect(await dialog.getByLabel('Pieces').inputValue()).toBe('lots')
  await shot('fault')
  await dialog.getByLabel('Pieces').fill('93')
  await dialog.getByRole('button', { name: 'Set own stock' }).click()
  // the edit continues when the page is left, and its result is shown on return
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByText('100 changed, 0 unchanged, 0 refused').waitFor({ timeout: 30_000 })
  await page.getByRole('searchbox').fill('drill')
  // the first product by title, whose supplier has no stock
  await expect.poll(() => rows(page).first().innerText(), { timeout: 15_000 }).toMatch(/Drill number 10\s.*\s93\s/)
  await shot('done')

  // excluded by hand, and found by the reason
  await page.getByRole('searchbox').fill('rope')
  await rows(page).getByText(/^Rope/).first().waitFor()
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByRole('button', { name: 'Exclude', exact: true }).click()
  await dialog.getByLabel('Reason').fill('seasonal')
  await dialog.getByRole('button', { name: 'Exclude' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('100 changed, 0 unchanged, 0 refused').nth(1).waitFor({ timeout: 30_000 })
  // what is special about a row stands beside its title, what is the same of most nowhere
  await page.goto(`${service.url}/panel/${accountId}/catalog`)
  await counted(page, '400 products')
  expect(await rows(page).getByText('Listed').count()).toBe(0)
  await page.goto(`${service.url}/panel/${accountId}/catalog?reason=seasonal`)
  await counted(page, '100 products')
  const mark = rows(page).first().getByText('Excluded: seasonal')
  const isBesideTitle = async () => {
    const [title, said] = [await rows(page).first().getByText(/^Rope/).last().boundingBox(), await mark.boundingBox()]
    return title !== null && said !== null && title.x + title.width <= said.x && Math.abs(title.y - said.y) < 8
  }
  await expect.poll(isBesideTitle).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  // or below the title, if there is no room beside it
  await expect.poll(() => rows(page).first().innerText()).toMatch(/^Rope number \d+\s*Excluded: seasonal\s+ART-/)
  await shot('excluded-phone')
  await page.setViewportSize({ width: 1_440, height: 900 })
  await shot('excluded')

  // a file of what is chosen
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save file' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.split('\r\n')[0]).toBe(
    `\u{feff}id,sku,ean,title,${LISTED_NAMES.join(',')},store,stores,excluded_in,exclusion_reason,price,currency,stock,changed_at,title_locale`,
  )
  expect(text.match(/\r\n/g)).toHaveLength(101)
  expect(text).toContain(',seasonal,')

  // Enter opens one, the first by title; Back comes back to the same list
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/catalog\/\d+$/)
  await page.getByRole('heading', { name: 'Rope number 103', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Products' }).waitFor()
  await counted(page, '100 products')
  // columns are in the address
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menu').waitFor()
  await shot('columns')
  await page.getByRole('menuitemcheckbox', { name: 'EAN' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Manufacturer' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'In stores' }).click()
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).searchParams.get('columns')).toBe('sku,ean,price,stock,state,changed')
  // the reason is shown only once if it has a column of its own
  await rows(page).first().getByText('seasonal', { exact: true }).waitFor()
  expect(await mark.count()).toBe(0)

  // each count of products on the overview links to a list of exactly as many
  await page.goto(`${service.url}/panel/${accountId}/overview`)
  await page.getByText('At a glance', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  const numbers = await page.evaluate<[text: string, href: string][]>(
    `[...document.querySelectorAll('main a[href*="/catalog"]')].map((link) => [link.textContent, link.getAttribute('href')])`,
  )
  const led = new Map(
    numbers.flatMap(([text, href]) => {
      const count = /^\d[\d,]*(?=$| (?!of)\D)/.exec(text.trim())?.[0]
      return count === undefined || /catalog\/\d/.test(href) ? [] : [[href, count] as const]
    }),
  )
  expect([...led.values()]).toEqual(expect.arrayContaining(['400', '103']))
  expect(led.size).toBeGreaterThan(5)
  for (const [href, count] of led) {
    await page.goto(service.url + href)
    await page.getByText(new RegExp(`^${count} products?$`)).waitFor()
  }
  expect(chromium.faults).toEqual([])
})
