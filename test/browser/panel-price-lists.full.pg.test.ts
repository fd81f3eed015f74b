import { mkdir } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { load, settled } from './settled.ts'
import { keepPicture } from './picture.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// A merchant makes a price list in a real browser: prices one by one and from a file, which is previewed before it is written;
// prices that jump need a confirmation, and a product's page names the list of its price.

const EMAIL = 'anna@example.com'
const SOON = { timeout: 10_000 }
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { database, service } = worldOfFile({ service: { env: { SECRET_KEY: TEST_KEY } } })
const chromium = ofFile(openChromium)

test('prices of a list are added, edited, read from a file and deleted', { timeout: 240_000 }, async () => {
  await mkdir('tmp/panel', { recursive: true })
  const bench = openBench(database.db)
  const account = await createAccount(bench, 'Nordlicht')
  const { accountId } = account
  const [first = 0] = await giveOffers(bench, account, [offer('A-1'), offer('A-2')])
  await inTransaction(database.db, (tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
  await bench.shelf.drain(accountId)
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna'), EMAIL, 'owner')
  const page = await (await chromium.context()).newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${service.url}/panel/profile`)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
  const at = (path: string) => `${service.url}/panel/${accountId}/${path}`
  const panel = page.getByRole('dialog')
  const gone = async () => await expect.poll(() => panel.count(), { timeout: 10_000 }).toBe(0)
  const stored = async () =>
    (
      await database.db<{ amount: string }[]>`
        select trim_scale(amount)::text as amount from price_list_entry where account_id = ${accountId}
        order by product_id, group_id`
    ).map(({ amount }) => amount)

  // a list has a page of its own
  await load(page, at('price-lists'))
  await page.getByText('All prices are made by rules').waitFor()
  await page.getByRole('button', { name: 'Create price list' }).click()
  await panel.getByLabel('Name', { exact: true }).fill('Season')
  expect(await panel.getByLabel('Key').inputValue()).toBe('season')
  expect(await panel.getByLabel('Currency').inputValue()).toBe('EUR')
  await panel.getByLabel('Last day').fill('2000-01-01')
  await panel.getByLabel('First day').fill('2001-01-01')
  await panel.getByRole('button', { name: 'Create price list' }).click()
  await panel.locator('input[name=valid_to][aria-invalid=true]').waitFor()
  await panel.getByLabel('Last day').fill('2099-12-31')
  await panel.getByRole('button', { name: 'Create price list' }).click()
  await page.getByRole('heading', { name: 'Season' }).waitFor()
  await page.getByText('The list has no prices yet').waitFor()

  // a price, by its product's SKU
  await page.getByRole('button', { name: 'Add a price' }).click()
  await panel.getByLabel('Product', { exact: true }).fill('Z-9')
  await panel.getByLabel('Price in EUR').fill('14,90')
  await panel.getByRole('button', { name: 'Save price' }).click()
  await panel.locator('input[name=key][aria-invalid=true]').waitFor()
  await panel.getByLabel('Product', { exact: true }).fill('A-1')
  await panel.getByRole('button', { name: 'Save price' }).click()
  await gone()
  const price = page.getByRole('textbox', { name: 'Price of Article A-1' })
  await expect.poll(() => price.inputValue(), SOON).toBe('14.90')

  // the price is edited in place
  await price.fill('15,20')
  await price.press('Enter')
  await expect.poll(() => price.inputValue(), SOON).toBe('15.20')
  expect(await stored()).toEqual(['15.2'])
  await price.fill('x')
  await price.press('Enter')
  const fault = page.locator('#content').getByRole('alert')
  await fault.waitFor()
  await price.press('Escape')
  await expect.poll(() => price.inputValue(), SOON).toBe('15.20')
  expect(await fault.count()).toBe(0)

  // a value that somebody else wrote meanwhile is not overwritten silently: a message shows it
  await database.db`update price_list_entry set amount = 15.3 where account_id = ${accountId}`
  await price.fill('15,40')
  await price.press('Enter')
  await fault.getByText('changed meanwhile').waitFor()
  expect(await stored()).toEqual(['15.3'])
  await price.press('Escape')
  await expect.poll(() => price.inputValue(), SOON).toBe('15.30')
  // adding a price that the list already has does not overwrite it either
  await page.getByRole('button', { name: 'Add a price' }).click()
  await panel.getByLabel('Product', { exact: true }).fill('A-1')
  await panel.getByLabel('Price in EUR').fill('16')
  await panel.getByRole('button', { name: 'Save price' }).click()
  await panel.locator('input[name=key][aria-invalid=true]').waitFor()
  expect(await stored()).toEqual(['15.3'])
  await panel.getByLabel('Product', { exact: true }).fill('')
  await panel.getByLabel('Price in EUR').fill('')
  await page.keyboard.press('Escape')
  await gone()
  await price.fill('15,20')
  await price.press('Enter')
  await expect.poll(stored, SOON).toEqual(['15.2'])

  // a price that jumps needs a confirmation
  await price.fill('99')
  await price.press('Enter')
  await panel.getByText('by more than the account allows').waitFor()
  await keepPicture(page, 'price-list-jump')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await gone()
  await expect.poll(() => price.inputValue(), SOON).toBe('15.20')
  expect(await stored()).toEqual(['15.2'])
  // a value that is written while the question is open is shown as well
  await price.fill('99')
  await price.press('Enter')
  await panel.getByText('by more than the account allows').waitFor()
  await database.db`update price_list_entry set amount = 15.3 where account_id = ${accountId}`
  await panel.getByRole('button', { name: 'Save anyway' }).click()
  await gone()
  await fault.getByText('changed meanwhile').waitFor()
  await price.press('Escape')
  await expect.poll(() => price.inputValue(), SOON).toBe('15.30')
  expect(await stored()).toEqual(['15.3'])
  await price.fill('99')
  await price.press('Enter')
  await panel.getByRole('button', { name: 'Save anyway' }).click()
  await gone()
  await expect.poll(stored, SOON).toEqual(['99'])
  await settled(page)
  expect(await price.inputValue()).toBe('99.00')

  // a file is validated and previewed before anything is written
  await page.getByRole('button', { name: 'Prices from a file' }).click()
  const choose = async (text: string) =>
    await panel
      .locator('input[type=file]')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('sku;price\nA-1;16,00\nA-2;12,50\nZ-9;1,00\n')
  await panel.getByRole('alert').getByText('line 4').first().waitFor()
  await choose('sku;price\nA-1;16,00\nA-2;12,50\n')
  await panel.getByText('1 new price and 1 changed').waitFor()
  await panel.getByText(/prices in your stores change: .*fall/).waitFor()
  await panel.getByText('by more than the account allows').waitFor()
  await settled(page)
  await keepPicture(page, 'price-list-file')
  expect(await stored()).toEqual(['99'])
  await panel.getByRole('button', { name: 'Save anyway' }).click()
  await gone()
  await expect.poll(() => price.inputValue(), SOON).toBe('16.00')
  expect(await stored()).toEqual(['16', '12.5'])

  // prices are found by their products
  const find = page.getByRole('searchbox', { name: 'Find prices' })
  await find.fill('A-2')
  await page.getByText('1 of 2 prices').waitFor()
  await expect.poll(() => price.count(), SOON).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Price of Article A-2' }).inputValue()).toBe('12.50')
  await find.fill('Z-9')
  await page.getByText('Nothing matches').waitFor()
  await find.fill('')
  await price.waitFor()

  // prices that the file does not name are removed, unless they are to stay
  await page.getByRole('button', { name: 'Prices from a file' }).click()
  await choose('sku;price\nA-1;16,00\n')
  await panel.getByText('1 removed').waitFor()
  await panel.getByLabel('Keep prices that are not in the file').check()
  await panel.getByText('The list already has all of these prices.').waitFor()
  expect(await panel.getByRole('button', { name: 'Save prices' }).isDisabled()).toBe(true)
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await gone()

  // the product's page names the list
  await load(page, at(`catalog/${first}?tab=why&why=main`))
  await page.getByText('Replaced by the price list').first().waitFor()
  await page.getByRole('link', { name: 'Season', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Season' }).waitFor()

  // one price is removed, then the list
  await page.getByRole('button', { name: 'Remove the price of Article A-2' }).click()
  const behind = page.getByRole('textbox', { name: 'Price of Article A-2', includeHidden: true })
  await database.db`update price_list_entry set amount = 12.6 where account_id = ${accountId} and amount = 12.5`
  await panel.getByRole('button', { name: 'Remove the price' }).click()
  await panel.getByText('changed meanwhile').waitFor()
  await expect.poll(() => behind.inputValue(), SOON).toBe('12.60')
  await panel.getByRole('button', { name: 'Remove the price' }).click()
  await gone()
  await expect.poll(() => page.getByRole('textbox', { name: 'Price of Article A-2' }).count(), SOON).toBe(0)
  expect(await stored()).toEqual(['16'])
  await page.locator('#content').getByRole('button', { name: 'Settings', exact: true }).click()
  expect(await panel.getByLabel('Key').isDisabled()).toBe(true)
  await panel.getByRole('button', { name: 'Delete price list' }).click()
  await panel.last().getByRole('textbox').fill('Season')
  await panel.last().getByRole('button', { name: 'Delete price list' }).click()
  await page.getByText('All prices are made by rules').waitFor()
  expect(await stored()).toEqual([])
  expect(chromium.faults).toEqual([])
})
