import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { entryChanges, writeEntries } from '../../src/catalog/products/prices/price-list-entries.ts'
import { editGroup } from '../../src/catalog/settings/stores/groups.ts'
import { createPriceList } from '../../src/catalog/settings/prices/price-lists.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { createTaxClass } from '../../src/catalog/settings/prices/tax-classes.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, openBench, writeAndShelve } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { beyond, load, settled } from './settled.ts'
import { keepPicture } from './picture.ts'

// A product's page has one table of its prices: for each group and store the price that shoppers see, and its source.

const EMAIL = 'anna@example.com'
const PHONE = { width: 390, height: 844 }

// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { database, service } = worldOfFile({ service: { env: { SECRET_KEY: TEST_KEY } } })
const chromium = ofFile(openChromium)

test(
  'the table of prices has tax, compare-at prices, sales, tiers, unit prices and their source, and opens for the arithmetic',
  { timeout: 240_000 },
  async () => {
    await mkdir('tmp/panel', { recursive: true })
    const bench = openBench(database.db)
    const account = await createAccount(bench, 'Nordlicht')
    const { accountId, groupId, storeIds } = account
    await writeAndShelve(bench, accountId, async (tx) => {
      const rates = [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }]
      await createTaxClass(tx, accountId, { key: 'standard', name: 'Standard', isDefault: true, codes: [], rates })
      await editStore(tx, accountId, storeIds[0], { taxCountry: 'DE', pricesIncludeTax: true })
      await editGroup(tx, accountId, groupId, { pricesIncludeTax: false })
      await createRule(tx, accountId, {
        name: 'By the case',
        percent: '25',
        priority: 1,
        storeIds: [storeIds[0]],
        tiers: [{ quantity: 12, by: 'percent_off', amount: '10' }],
      })
      await createPriceList(tx, accountId, {
        key: 'season',
        name: 'Season',
        currency: 'EUR',
        storeIds: null,
        groupId,
        validFrom: null,
        validTo: null,
        priority: 100,
        isActive: true,
      })
    })
    const plain = { cost: '12', list_price: '24.90', net_content: '750 ml' }
    const [first = 0, second = 0, third = 0, costless = 0] = await giveOffers(bench, account, [
      offer('A-1', plain),
      offer('A-2', { cost: '12' }),
      offer('A-3', { cost: '12' }),
      offer('A-4', { cost: null }),
    ])
    await giveOffers(bench, account, [offer('A-2', { cost: '12', sale_price: '9.90', sale_ends_on: '2099-12-31' })])
    await writeAndShelve(bench, accountId, async (tx) => {
      const rows = [{ productId: first, groupId: 0, amount: '13.5' }]
      await writeEntries(tx, accountId, 'season', await entryChanges(tx, accountId, 'season', rows, false))
      await editAccount(tx, accountId, { priceJumpFactor: '2' })
    })
    await giveOffers(bench, account, [offer('A-3', { cost: '120' })])
    await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna'), EMAIL, 'owner')

    const context = await chromium.context()
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(`${service.url}/panel/profile`)
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/panel/profile')
    const at = (product: number) => `${service.url}/panel/${accountId}/catalog/${product}`
    const table = page.getByRole('region', { name: 'Prices shown to shoppers' })
    const line = (store: string, group: string) =>
      table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: `${store} ${group}`, exact: true }) })
    const cells = async (store: string, group: string) =>
      (await line(store, group).getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    const faultless = async (name: string, on: Page) => {
      expect([name, await violations(on)]).toEqual([name, []])
    }

    // tax, the list price, tiers and the unit price; the dealers' price is of a list, without tax
    await load(page, at(first))
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Store and group',
      'Price',
      'Compare-at price',
      'By quantity',
      'Unit price',
      'Source',
    ])
    expect(await cells('Main', 'Retail')).toEqual([
      '€17.85 with 19% tax',
      '€24.90',
      'from 12: €16.07',
      '€23.80 per l',
      'Rule By the case',
      'Details',
    ])
    expect(await cells('Main', 'Wholesale')).toEqual([
      '€13.50 without tax (19%)',
      '€24.90',
      'from 12: €12.15',
      '€18.00 per l',
      'Price list Season',
      'Details',
    ])
    expect(await cells('Polski', 'Retail')).toEqual([
      'PLN 60.00',
      'PLN 99.60',
      '–',
      'PLN 80.00 per l',
      'Rule Default',
      'Details',
    ])
    // a line opens to show the calculation, with a button to set an own price
    const details = line('Main', 'Retail').getByRole('button', { name: 'Details: price for Retail in Main' })
    expect(await table.getByText('Exchange rate').count()).toBe(0)
    await details.click()
    expect(await details.getAttribute('aria-expanded')).toBe('true')
    await table.getByRole('cell', { name: '17.85', exact: true }).first().waitFor()
    await keepPicture(page, 'price-table', { fullPage: true })
    await faultless('open', page)
    await table.getByRole('button', { name: 'Set your own price' }).click()
    await page.getByRole('dialog').getByLabel('Price, EUR').waitFor()
    await page.keyboard.press('Escape')
    await details.click()
    expect(await table.getByRole('cell', { name: '17.85', exact: true }).count()).toBe(0)

    // a sale with its end and the lowest price before it; empty columns are hidden
    await load(page, at(second))
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Store and group',
      'Price',
      'Compare-at price',
      'Sale',
      'By quantity',
      'Source',
    ])
    expect(await cells('Main', 'Retail')).toEqual([
      '€9.90 with 19% tax',
      '€17.85',
      'until 31 Dec 2099 lowest in the previous 30 days: €17.85',
      'from 12: €8.91',
      'Sale of North Rule By the case',
      'Details',
    ])
    await keepPicture(page, 'price-table-sale', { fullPage: true })

    // a held price, and a product without one
    await load(page, at(third))
    expect((await cells('Main', 'Retail')).at(-2)).toBe('Held back Rule By the case')
    await load(page, at(costless))
    expect(await cells('Main', 'Retail')).toEqual([
      expect.stringContaining('–'),
      'No cost is known, so there is no price',
      'Details',
    ])

    // on a phone each line is by itself
    await page.setViewportSize(PHONE)
    await load(page, at(second))
    expect(await table.getByRole('table').count()).toBe(0)
    expect(await table.getByRole('listitem').first().innerText()).toMatch(
      /Main\s+Retail\s+Price\s+€9\.90\s+with 19% tax\s+Compare-at price\s+€17\.85\s+Sale\s+until 31 Dec 2099/,
    )
    await table.getByRole('button', { name: 'Details: price for Retail in Main' }).click()
    await settled(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), await beyond(page)).toBe(true)
    await keepPicture(page, 'price-table-phone', { fullPage: true })
    await faultless('on a phone', page)
    expect(chromium.faults).toEqual([])
  },
)
