import { mkdir, readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client } from '../harness/service.ts'
import { serveFiles, type FileServer } from '../import/sources-bench.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { line, LIST, list, ROWS, WITHOUT_IMAGE } from './price-list.ts'
import { keepPicture } from './picture.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// A merchant's first hour in an empty account, in a real browser: everything is done in the panel. The test only simulates the
// supplier's server, the shop that reads with the token, and the receiver of webhooks. The steps build on each other; the
// pictures are in tmp/panel.

const EMAIL = 'anna@example.com'

// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const directory = directoryOfFile('first-hour')
const { database, service } = worldOfFile({
  service: {
    roles: ['api', 'work'],
    env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', DATA_DIR: directory, WEBHOOKS_PER_SECOND: '1000' },
  },
})
const shop = ofFile(startReceiver)
const chromium = ofFile(openChromium)
let supplier: FileServer
let accountId: number
let page: Page
/** The answer of the supplier's server. */
const answer = { status: 200, content: list(LIST), type: 'text/csv' }
/** Reads as the shop does, with the token that the merchant made. */
let api: ReturnType<typeof client>

beforeAll(async () => {
  await mkdir('tmp/panel', { recursive: true })
  const { db } = database
  ;({ accountId } = await inTransaction(db, (tx) =>
    openAccount(tx, {
      name: 'Nordlicht',
      currency: 'EUR',
      locale: 'de',
      store: { slug: 'de', name: 'Deutschland', locale: 'de', currency: 'EUR' },
    }),
  ))
  await makeMember(db, accountId, await makePerson(db, EMAIL, 'Anna'), EMAIL, 'owner')
  supplier = await serveFiles((_, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.content)
  })
  page = await (await chromium.context({ acceptDownloads: true })).newPage()
  page.setDefaultTimeout(20_000)
}, 120_000)

afterAll(() => supplier[Symbol.asyncDispose]())

const SOON = { timeout: 20_000 }
/** The overview's counts are refreshed after a while that depends on how busy the machine is. */
const COUNTED = { timeout: 50_000 }
const picture = (name: string) => keepPicture(page, `hour-${name}`)
const panel = () => page.getByRole('dialog')
const closed = () => expect.poll(() => panel().count(), SOON).toBe(0)
const rowOf = (text: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('row').filter({ hasText: text })
const link = (name: string) => page.getByRole('link', { name, exact: true })
/** Opens a part of the panel by the navigation. */
const go = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

/** A step that a person could follow; if it fails, a picture is kept. */
function step(name: string, run: () => Promise<void>): void {
  test(name, { timeout: 120_000 }, async () => {
    onTestFailed(() => void page.screenshot({ path: 'tmp/panel/hour-failed.png', fullPage: true }).catch(() => {}))
    await run()
  })
}

/** Reads a secret that is shown once, and closes its window. */
async function secretShown(): Promise<string> {
  const shown = panel().filter({ hasText: 'shown only now' })
  const secret = await shown.locator('code').first().innerText()
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await closed()
  return secret
}

interface Product {
  id: number
  sku: string
  title: string | null
  excluded: boolean
  stock: number
  prices: { computed_price: number }[]
}

/** A product of a store as the shop reads it; the store is read page by page. */
async function read(sku: string, store = 'de'): Promise<Product | undefined> {
  const { body } = await api(`/v1/products?store=${store}&sku=${encodeURIComponent(sku)}`)
  return (body.data as Product[]).find((product) => product.sku === sku)
}
const priceOf = async (sku: string, store = 'de') => (await read(sku, store))?.prices[0]?.computed_price
/** The products in webhooks of this kind that the shop has received since then. */
const told = (since: number, event: string) =>
  shop.received.slice(since).flatMap((delivery) => (delivery.event === event ? delivery.productIds : []))

/** Opens a product by the search of the list. */
async function openProduct(search: string, title: string): Promise<void> {
  await go('Products')
  await page.getByRole('searchbox').fill(search)
  await page.locator('tbody tr[data-index]').filter({ hasText: title }).first().click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

step('an owner signs in and creates a store, its rate and a customer group', async () => {
  await page.goto(`${service.url}/panel`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Three steps to your first shop' }).waitFor()
  await picture('01-empty')
  await link('Set up your stores').click()
  await page.getByRole('button', { name: 'Create store' }).click()
  await panel().getByLabel('Short name').fill('pl')
  await panel().getByLabel('Language').fill('pl')
  await panel().getByLabel('Currency').fill('PLN')
  await panel().getByLabel('Name', { exact: true }).fill('Polska')
  await panel().getByRole('button', { name: 'Create store' }).click()
  await closed()
  await rowOf('Polska').waitFor()
  // the page on which it was created says that it has no prices yet
  await page.getByText('Polska has no prices: there is no exchange rate between PLN and EUR.').waitFor()
  await picture('02-store')
  await go('Pricing')
  await go('Customer groups')
  await page.getByRole('button', { name: 'Create group' }).click()
  await panel().getByLabel('Name').fill('Wholesale')
  await panel().getByRole('button', { name: 'Create group' }).click()
  await closed()
  await rowOf('Wholesale').waitFor()
  // the overview says what the new store lacks, with a link
  await go('Overview')
  await rowOf('Polska').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: '1 store has no prices, because its currency has no exchange rate' })
    .getByRole('link', { name: 'Show' })
    .click(COUNTED)
  await rowOf('PLN').getByText('Missing').waitFor()
  await rowOf('PLN').click()
  await panel().getByLabel('Rate', { exact: true }).fill('4,25')
  await panel().getByRole('button', { name: 'Set rate' }).click()
  await closed()
  await rowOf('PLN').getByText('4.25 PLN').waitFor()
})

step('a token for the shop, and an endpoint that tells it of changes', async () => {
  await go('Settings')
  await go('Tokens')
  await page.getByRole('button', { name: 'Create token' }).first().click()
  await panel().getByLabel('Name').fill('Web shop')
  await panel().getByRole('button', { name: 'Create token' }).click()
  await panel().filter({ hasText: 'shown only now' }).waitFor()
  await picture('05-token')
  api = client(service.url, await secretShown())
  expect((await api('/v1/products?store=pl')).body.data).toEqual([])
  await go('Webhooks')
  await page.getByRole('button', { name: 'Create endpoint' }).first().click()
  await panel().getByLabel('Receiver address').fill(`${shop.url}/hook`)
  await panel().getByRole('button', { name: 'Create endpoint' }).click()
  await panel().getByText('Received: the receiver answered with HTTP 200').waitFor()
  await secretShown()
  await page.getByText('Healthy', { exact: true }).first().waitFor()
})

step('a supplier, and its price list: dropped, mapped, compared, imported', async () => {
  await go('Overview')
  await picture('07-next')
  await link('Create a supplier').click()
  await panel().getByLabel('Name').fill('Nordhandel')
  expect(await panel().getByLabel('Code').inputValue()).toBe('nordhandel')
  expect(await panel().getByLabel('Currency').inputValue()).toBe('EUR')
  await panel().getByLabel('Code').fill('north')
  await panel().getByRole('button', { name: 'Create supplier' }).click()
  await closed()
  // its page is open, and a step on the overview leads to the same page
  await page.getByRole('heading', { name: 'Nordhandel' }).waitFor()
  await picture('09-supplier-page')
  await go('Overview')
  await page.locator('input[type=file]').setInputFiles({
    name: 'Preisliste.csv',
    mimeType: 'text/csv',
    // a row that is not an offer
    buffer: Buffer.from(list([...LIST, ';Summe;;;12.345,00;;;'])),
  })
  await page.getByRole('heading', { name: 'Import a file from Nordhandel' }).waitFor()
  // it is compared at once, and what is no offer is told; the mapping is a click away
  await page.getByRole('region', { name: 'Rows to check' }).getByText('sums, not products').waitFor()
  await picture('10-compared')
  await page.getByRole('button', { name: 'Change the mapping' }).click()
  const offer = page.getByRole('region', { name: 'Resulting offer' })
  await offer.getByText('Hammer 0000').waitFor()
  await picture('10-mapping')
  await page.getByLabel('Name', { exact: true }).fill('price-list')
  await page.getByRole('button', { name: 'Save the mapping' }).click()
  await page.getByText('The mapping price-list was saved').waitFor()
  await page.getByRole('button', { name: 'Check and compare' }).click()
  await page.getByText('Compared; nothing was written').waitFor()
  await picture('11-compared')
  expect((await api('/v1/products?store=de')).body.data).toEqual([])
  // slow enough to show its progress; the import continues while another page is open
  const { importPageRows } = LIMITS
  Object.assign(LIMITS, { importPageRows: 2 })
  await page.getByRole('button', { name: `Import (${ROWS + 2} offers change)` }).click()
  await page.getByText('You can leave this page; the run continues').waitFor()
  await picture('12-progress')
  await go('Overview')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goBack()
  await page.getByText('You can leave this page; the run continues').waitFor()
  Object.assign(LIMITS, { importPageRows })
  // when it is done it leads back to the steps that it was begun from
  await page.waitForURL('**/overview', { timeout: 40_000 })
  await page.getByText(/^Imported: /).waitFor()
  await picture('12-imported')
  await expect.poll(async () => (await read('N-0007'))?.title, SOON).toBe('Hammer 0007')
  await go('Products')
  await page.getByText(`${ROWS + 2} products`, { exact: true }).waitFor()
  await picture('13-products')
})

step('what products lack is told, and each number leads to them', async () => {
  await go('Overview')
  // each product is counted once, in however many stores it is listed
  const listed = `In each of 2 stores: ${(ROWS + 2).toLocaleString('en')} of ${(ROWS + 2).toLocaleString('en')} products for sale`
  await page.getByText(`${listed}; ${WITHOUT_IMAGE} products without a picture`).waitFor(COUNTED)
  await picture('13-completeness')
  await link(`${WITHOUT_IMAGE} products without a picture`).first().click()
  await page.getByText(`${WITHOUT_IMAGE} products`, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText(`${ROWS + 2} products`, { exact: true }).waitFor()
})

step('a title of one’s own is read by the shop, which is told of it', async () => {
  const since = shop.received.length
  await openProduct('N-0007', 'Hammer 0007')
  await picture('15-product')
  await page.getByRole('button', { name: 'Title in Deutschland: ', exact: false }).click()
  await panel().getByLabel('Title', { exact: true }).fill('Schlosserhammer 300 g')
  await panel().getByRole('button', { name: 'Save as your own' }).click()
  await closed()
  await page.getByRole('heading', { level: 1, name: 'Schlosserhammer 300 g' }).waitFor()
  await picture('16-title')
  await expect.poll(async () => (await read('N-0007'))?.title, SOON).toBe('Schlosserhammer 300 g')
  const { id } = (await read('N-0007'))!
  await expect.poll(() => told(since, 'content'), SOON).toContain(id)
})

step('a pricing rule is seen before it is saved; prices and the webhook follow', async () => {
  const since = shop.received.length
  const { id } = (await read('N-0012'))!
  await go('Pricing')
  await page.getByText('everything that no other rule prices').waitFor()
  await picture('17-rules')
  await link('New pricing rule').click()
  await page.getByLabel('Name', { exact: true }).fill('Bosch')
  await page.getByLabel('Percent added to the cost').fill('50')
  await page.getByLabel('Manufacturers', { exact: true }).first().fill('Bosch')
  await page.keyboard.press('Enter')
  await page.getByText('50% on the cost; for the manufacturer Bosch').waitFor()
  await page.getByText(/\d+ products? gets? a new price, changed by up to \+/).waitFor()
  await picture('18-preview')
  expect(await priceOf('N-0012')).not.toBe(33.75)
  await page.getByRole('button', { name: 'Save …' }).click()
  await panel()
    .getByText(/\d+ products? gets? a new price, changed by up to/)
    .waitFor()
  await panel().getByRole('button', { name: 'Save', exact: true }).click()
  await link('Bosch').waitFor()
  await page
    .getByText(/^Saved\. /)
    .first()
    .waitFor()
  await picture('19-saved')
  // 22.50 plus half of it, converted to złoty
  await expect.poll(() => priceOf('N-0012'), SOON).toBe(33.75)
  await expect.poll(() => priceOf('N-0012', 'pl'), SOON).toBeCloseTo(33.75 * 4.25, 1)
  await expect.poll(() => told(since, 'price'), SOON).toContain(id)
  await go('Webhooks')
  await go('Deliveries')
  await page
    .getByRole('row', { name: /Price.*Delivered|Delivered.*Price/i })
    .first()
    .waitFor()
  await picture('20-deliveries')
})

step('a product is excluded in one store', async () => {
  await openProduct('N-0010', 'Hammer 0010')
  await page.getByRole('button', { name: 'State in Deutschland: ', exact: false }).click()
  await panel().getByLabel('Exclude it in Deutschland because').fill('recalled')
  await picture('21-exclude')
  await panel().getByRole('button', { name: 'Save', exact: true }).click()
  await closed()
  await page.getByText('Excluded: recalled').first().waitFor()
  await expect.poll(async () => (await read('N-0010'))?.excluded, SOON).toBe(true)
  expect((await read('N-0010', 'pl'))?.excluded).toBe(false)
})

step('a price that jumps in the next list is held until it is confirmed', async () => {
  const before = await priceOf('N-0012')
  await go('Settings')
  await page.getByLabel('Hold prices').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await go('Suppliers')
  await rowOf('Nordhandel').click()
  await link('Import a file').click()
  await page.getByLabel('How the file is read').selectOption({ label: 'With the mapping of price-list' })
  await page.locator('input[type=file]').setInputFiles({
    name: 'Preisliste.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(list(LIST.with(12, line(12, '200,00')))),
  })
  await page.getByRole('button', { name: 'Check and compare' }).click()
  await page.getByRole('row', { name: /N-0012 ?Hammer 0012 Changed Cost €22\.50 €200\.00/ }).waitFor()
  await picture('22-next-list')
  await page.getByRole('button', { name: 'Import (1 offer changes)' }).click()
  await page.getByText(/^Imported: /).waitFor()
  await go('Overview')
  const concern = page.getByRole('listitem').filter({ hasText: 'Prices of 1 product wait for your confirmation' })
  await concern.waitFor(COUNTED)
  await picture('23-held-concern')
  await concern.getByRole('link', { name: 'Show' }).click()
  await rowOf('Hammer 0012').click()
  await panel()
    .getByText(/The cost is now €200.00/)
    .first()
    .waitFor()
  await picture('24-held')
  expect(await priceOf('N-0012')).toBe(before)
  const since = shop.received.length
  await panel().getByRole('button', { name: 'Confirm the new price' }).click()
  await panel().last().getByRole('button', { name: 'Confirm', exact: true }).click()
  await closed()
  await page.getByText('No prices are held').waitFor()
  await expect.poll(() => priceOf('N-0012'), SOON).toBe(300)
  await expect.poll(() => told(since, 'price'), SOON).toContain((await read('N-0012'))!.id)
})

step('the list is fetched by a schedule; a run that failed and one that was refused say what to do', async () => {
  const open = async () => {
    await go('Suppliers')
    await rowOf('Nordhandel').click()
    await rowOf('stock').click()
  }
  const runNow = async () => {
    await panel().getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('heading', { name: /^Run of / }).waitFor()
  }
  // the fetched list equals the one imported last, except for the cost of one row
  answer.content = list(LIST.with(12, line(12, '200,00')).with(21, line(21, '40,00')))
  await go('Suppliers')
  await rowOf('Nordhandel').click()
  await rowOf('price-list').getByText('Ready for your files').waitFor()
  await page.getByRole('button', { name: 'Add source' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('stock')
  await panel().getByLabel('Address of the file').fill(`${supplier.url}/list.csv`)
  await panel().getByLabel('How it is read').selectOption({ label: 'With the mapping of price-list' })
  await panel().getByLabel('Time of day').fill('05:30')
  await picture('30-source')
  await panel().getByRole('button', { name: 'Add source' }).click()
  await panel()
    .getByText(/at 05:30/)
    .first()
    .waitFor()
  await panel().getByRole('button', { name: 'Test the connection' }).click()
  await panel().getByText('The file was found').waitFor()
  await picture('31-tried')
  await runNow()
  await page.getByText('Imported: 1 offer is new or different').waitFor()
  await picture('32-run')
  await expect.poll(() => priceOf('N-0021'), SOON).toBe(50)

  answer.status = 404
  await open()
  await runNow()
  await page.getByText('The file could not be fetched; nothing was imported').waitFor()
  await page.getByText('There is no file at this address. Ask the supplier').waitFor()
  await picture('33-failed')
  await go('Overview')
  await page.getByText('the source “stock” imports nothing').waitFor(COUNTED)
  await picture('34-failing')

  Object.assign(answer, { status: 200, content: '<!DOCTYPE html><html><body>Please sign in</body></html>' })
  await open()
  await runNow()
  await page.getByText('The file cannot be read; nothing was written').waitFor()
  await picture('35-refused')
  expect(await priceOf('N-0021')).toBe(50)

  answer.content = list(LIST.with(12, line(12, '200,00')))
  await open()
  await runNow()
  await page.getByText('Imported: 1 offer is new or different').waitFor()
  await go('Overview')
  await page.getByText('Everything is all right').waitFor(COUNTED)
})

step('500 products and more get own stock at once', async () => {
  await go('Products')
  await page.getByRole('button', { name: 'Category', exact: true }).click()
  await page.getByRole('combobox', { name: 'Category' }).fill('werkzeug')
  await page.keyboard.press('Enter')
  await page.getByText(`${ROWS} products`, { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByRole('button', { name: `Choose all ${ROWS} matching products` }).click()
  await page.getByText(`All ${ROWS} matching products are chosen`).waitFor()
  await picture('25-chosen')
  await page.getByRole('button', { name: 'Set own stock' }).click()
  await panel().getByLabel('Pieces').fill('40')
  await panel().getByRole('button', { name: 'Set own stock' }).click()
  await page.getByText(`${ROWS} changed, 0 unchanged, 0 refused`).waitFor()
  await picture('26-stock')
  for (const i of [0, 250, ROWS - 1])
    await expect.poll(async () => (await read(`N-${String(i).padStart(4, '0')}`))?.stock, SOON).toBe(40 + (i % 9))
})

step('the same products are edited in a grid', async () => {
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByRole('button', { name: `Choose all ${ROWS} matching products` }).click()
  await link('Edit in a grid').click()
  await expect
    .poll(() => page.getByRole('grid', { name: 'Edit products' }).getAttribute('aria-rowcount'), SOON)
    .toBe(String(ROWS + 1))
  await page.getByText(`${ROWS} products`, { exact: true }).waitFor()
  const cell = (row: number, column: number) =>
    page.locator(`[role=gridcell][data-row="${row}"][data-column="${column}"]`)
  await cell(0, 0).click()
  await page.keyboard.type('Hammer, first')
  await page.keyboard.press('Enter')
  // own stock, filled down
  await cell(0, 3).click()
  await page.keyboard.type('50')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+Shift+ArrowDown')
  await page.keyboard.press('Control+d')
  await picture('36-grid')
  await page.getByRole('button', { name: `Save ${ROWS + 1} cells` }).click()
  await page.getByText(`${ROWS + 1} cells saved`, { exact: true }).waitFor()
  await picture('37-grid-saved')
  await expect.poll(async () => (await read('N-0519'))?.stock, SOON).toBe(50 + (519 % 9))
})

step('two products that are one are merged', async () => {
  const since = shop.received.length
  const gone = (await read('W125'))!
  await openProduct('W-125', 'Winkelschleifer 125 mm')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Merge with another product …' }).click()
  await panel().getByLabel('Title, SKU, EAN or product ID').fill('W125')
  await panel().getByRole('listitem').filter({ hasText: 'W125' }).getByRole('button', { name: 'Choose' }).click()
  await panel().getByText(`Product ${gone.id} “Winkelschleifer” is merged into “Winkelschleifer 125 mm”`).waitFor()
  await picture('27-merge')
  await panel().getByRole('button', { name: 'Merge and delete' }).click()
  await closed()
  await page.getByRole('tab', { name: 'Offers' }).click()
  await page.getByRole('article', { name: 'Offer of Nordhandel, W125' }).waitFor()
  await picture('28-merged')
  await expect.poll(() => read('W125'), SOON).toBeUndefined()
  await expect.poll(() => told(since, 'removed'), SOON).toContain(gone.id)
})

step('the list is exported as a file', async () => {
  await go('Products')
  await page.getByText(`${ROWS + 1} products`, { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
  await page.getByRole('button', { name: `Choose all ${ROWS + 1} matching products` }).click()
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = page.waitForEvent('download')
  await panel().getByRole('button', { name: 'Save file' }).click()
  const rows = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(rows).toHaveLength(ROWS + 2)
  expect(rows.find((row) => row.includes('N-0007'))).toContain('Schlosserhammer 300 g')
  expect(rows.find((row) => row.includes('N-0012'))).toContain('300')
  expect(rows.some((row) => row.includes('W125'))).toBe(false)
  await go('Overview')
  await page.getByText('Everything is all right').waitFor(COUNTED)
  await picture('38-end')
  expect(chromium.faults).toEqual([])
})
