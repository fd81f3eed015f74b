import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, openBench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'
import { ofFile } from '../harness/world.ts'

// A merchant edits rules in a real browser: sees the effect of a change while typing, previews it for all products, saves it and
// sees the result. The pictures are in tmp/panel.

const EMAIL = 'anna@example.com'
const PRODUCTS = 600

const chromium = ofFile(openChromium)
beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
}, 120_000)

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

/** Types a name into a list of names. */
async function name(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).first().fill(text)
  await page.keyboard.press('Enter')
}

/** A price in the store `main`, as clients read it. */
async function priceOf({ db }: TestDatabase, { accountId, storeIds }: TestAccount, productId: number) {
  const [row] = await db<{ body: string }[]>`
    select body from payload_price where account_id = ${accountId} and store_id = ${storeIds[0]} and product_id = ${productId}`
  return (JSON.parse(`{${row?.body ?? ''}}`) as { prices: { computed_price: number }[] }).prices[0]?.computed_price
}

test('rules: seen before they are saved, checked over everything, ordered, deleted', { timeout: 240_000 }, async () => {
  await using database = await createDatabase()
  const bench = openBench(database.db)
  const account = await createAccount(bench, 'Nordlicht')
  const { accountId } = account
  await inTransaction(database.db, (tx) => editAccount(tx, accountId, { priceJumpFactor: '3' }))
  const ids = await giveOffers(
    bench,
    account,
    Array.from({ length: PRODUCTS }, (_, i) =>
      offer(`A-${i}`, {
        cost: String(5 + (i % 40)),
        manufacturer: i % 10 === 0 ? 'Bolt' : 'Acme',
        category: i % 3 === 0 ? 'Garden/Soil' : 'Tools/Hand tools',
        quantity: i % 5,
        texts: { en: { title: `${i % 3 === 0 ? 'Potting soil' : 'Claw hammer'} number ${i}` } },
      }),
    ),
  )
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL), EMAIL, 'owner')
  await using service = await startTestService(database, { roles: ['api', 'work'] })
  const page = await (await chromium.context()).newPage()
  page.setDefaultTimeout(15_000)
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400 && answer.url().endsWith('/previews')) refused.push(answer.request().postData() ?? '')
  })
  const picture = (name: string) => keepPicture(page, `rules-${name}`, { fullPage: true })
  const before = await priceOf(database, account, ids[0]!)

  // the list, and a new rule: while it is incomplete the page names what is missing
  await signIn(page, `${service.url}/panel/${accountId}/pricing`)
  await page.getByText('everything that no other rule prices').waitFor()
  await picture('list')
  await page.getByRole('link', { name: 'New pricing rule' }).click()
  await page.getByText('Percent: not filled in yet').waitFor()
  await page.getByText('Required', { exact: true }).waitFor()
  await page.getByLabel('Percent added to the cost').fill('5o')
  await page.locator('input[name=percent][aria-invalid=true]').waitFor()
  await page.getByText('Percent: must be a number, such as 12.50').waitFor()

  // the effect is shown while typing, in words and figures
  await page.getByLabel('Percent added to the cost').fill('50')
  await name(page, 'Manufacturers', 'Bolt')
  await page.getByText('50% on the cost; for the manufacturer Bolt').waitFor()
  await page.getByText(/\d+ products? gets? a new price, changed by up to \+/).waitFor()
  await page.getByText('products were checked').waitFor()
  await page.getByText('Largest increases').waitFor()
  await page.getByRole('button', { name: 'Round prices in EUR' }).click()
  await page.getByText('ending in .99 in EUR').waitFor()
  await picture('new')
  expect(await priceOf(database, account, ids[0]!)).toBe(before)

  // errors of the service are beside their fields, which keep their text
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.locator('input[name=name][aria-invalid=true]:focus').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByLabel('Name', { exact: true }).fill('x'.repeat(201))
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('input[name=name][aria-invalid=true]').waitFor()
  expect(refused).toEqual([])
  expect(await page.getByLabel('Percent added to the cost').inputValue()).toBe('50')
  await page.getByLabel('Name', { exact: true }).fill('Bolt dearer')

  // a preview for all products continues while another page is open, and the draft is still there afterwards
  const { previewStepMs, shelveBatchProducts } = LIMITS
  Object.assign(LIMITS, { previewStepMs: 1, shelveBatchProducts: 5 })
  await page.getByRole('button', { name: 'Check all products' }).click()
  await page.getByText(/of 600 products checked/).waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Pricing', exact: true }).click()
  await page.getByText('“Bolt dearer” is being checked against all products').waitFor()
  await picture('running')
  Object.assign(LIMITS, { previewStepMs, shelveBatchProducts })
  await page.getByRole('link', { name: 'Open the draft' }).click()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Bolt dearer')
  expect(await page.getByLabel('Percent added to the cost').inputValue()).toBe('50')
  await page.getByText('All 600 products were checked.').waitFor()
  // 60 products of Bolt in three stores, for two groups
  await page.getByText('60 products get a new price, changed by up to').waitFor()
  await picture('checked')

  // saved, with exactly the previewed effect
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByText('60 products get a new price, changed by up to').waitFor()
  await picture('confirm')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Bolt dearer' }).waitFor()
  await page
    .getByText(/^Saved\. /)
    .first()
    .waitFor()
  await expect.poll(() => priceOf(database, account, ids[0]!)).not.toBe(before)

  // an example leads to its product
  await page.getByRole('link', { name: 'Bolt dearer' }).click()
  await page.getByLabel('Percent added to the cost').fill('500')
  await page
    .getByText(/held until you confirm/)
    .first()
    .waitFor()
  await picture('held')
  const opening = page.waitForEvent('popup')
  await page
    .getByRole('link', { name: /number \d+/ })
    .first()
    .click()
  const product = await opening
  await product
    .getByRole('heading', { name: /number \d+/ })
    .first()
    .waitFor()
  await product.close()
  expect(await page.getByLabel('Percent added to the cost').inputValue()).toBe('500')

  // somebody else edits it meanwhile
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByLabel('Percent added to the cost').fill('51')
  await other.getByRole('button', { name: 'Save …' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await other
    .getByText(/^Saved\. /)
    .first()
    .waitFor()
  await other.close()
  await page.getByLabel('Percent added to the cost').fill('52')
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody else changed this while you were editing').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Bolt dearer' }).waitFor()

  // an exclusion shows what leaves the export
  await page.getByRole('tab', { name: 'Exclusion rules' }).click()
  await page.getByRole('link', { name: 'New exclusion rule' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Sold out')
  await page
    .getByText(/\d+ products are newly excluded/)
    .first()
    .waitFor()
  await picture('exclusion')
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Sold out' }).waitFor()

  // the list says how many products it excludes, with a link to them
  await page.getByRole('link', { name: /^Excludes \d+ products$/ }).click()
  await page.getByText('Out of stock').first().waitFor()
  await page.goBack()

  // an assortment rule shows what leaves the store
  await page.getByRole('tab', { name: 'Assortment rules' }).click()
  await page.getByRole('link', { name: 'New assortment rule' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('No garden in Poland')
  await page.getByLabel('Store', { exact: true }).selectOption({ label: 'Polski' })
  await name(page, 'Categories', 'Garden')
  await page
    .getByText(/\d+ products leave their store/)
    .first()
    .waitFor()
  await picture('assortment')
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'No garden in Poland' }).waitFor()
  await page.getByText(/^Does not list \d+ products$/).waitFor()

  // a rule that lists products which are listed anyway says why nothing changes
  await page.getByRole('link', { name: 'New assortment rule' }).first().click()
  await page.getByText('Store: not filled in yet').waitFor()
  await page.getByLabel('Store', { exact: true }).selectOption({ label: 'Main' })
  await page.getByText('Lists them', { exact: true }).click()
  await name(page, 'Categories', 'Garden')
  await page.getByText('Main lists every product that no rule takes out, including these.').waitFor()
  expect(refused).toEqual([])

  // the order, by keyboard and by dragging: previewed, then saved in one write
  await page.goto(`${service.url}/panel/${accountId}/pricing?new=true`)
  await page.getByLabel('Name', { exact: true }).fill('Garden dearer')
  await page.getByLabel('Percent added to the cost').fill('80')
  await name(page, 'Categories', 'Garden')
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Garden dearer' }).waitFor()
  const names = () => page.locator('ol li a').allInnerTexts()
  expect((await names()).slice(0, 2)).toEqual(['Bolt dearer', 'Garden dearer'])
  await page.getByRole('button', { name: /^Move “Garden dearer”/ }).focus()
  await page.keyboard.press('ArrowUp')
  expect((await names()).slice(0, 2)).toEqual(['Garden dearer', 'Bolt dearer'])
  await page.getByText('You changed the order. It is not saved yet.').waitFor()
  await page.getByText(/\d+ products get a new price, changed by up to/).waitFor()
  await picture('order')
  await page.getByRole('button', { name: 'Save order' }).click()
  await page.getByText('You changed the order. It is not saved yet.').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Garden dearer' }).waitFor()
  expect((await names()).slice(0, 2)).toEqual(['Garden dearer', 'Bolt dearer'])
  const handle = await page.getByRole('button', { name: /^Move “Garden dearer”/ }).boundingBox()
  const target = await page.getByRole('link', { name: 'Bolt dearer' }).boundingBox()
  await page.mouse.move(handle!.x + 8, handle!.y + 8)
  await page.mouse.down()
  await page.mouse.move(handle!.x + 8, target!.y + 40, { steps: 5 })
  await page.mouse.up()
  expect((await names()).slice(0, 2)).toEqual(['Bolt dearer', 'Garden dearer'])
  await page.getByRole('button', { name: 'Undo' }).click()
  expect((await names()).slice(0, 2)).toEqual(['Garden dearer', 'Bolt dearer'])

  // deleted, after the effect was shown
  await page.getByRole('link', { name: 'Garden dearer' }).click()
  await page.getByRole('button', { name: 'Delete rule' }).click()
  await page
    .getByRole('dialog')
    .getByText(/\d+ products get a new price, changed by up to/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
  await page.getByRole('link', { name: 'Bolt dearer' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Garden dearer' }).count()).toBe(0)
  expect(chromium.faults).toEqual([])
})
