import { mkdir } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'

// One product in a real browser: where its values come from, own values with undo, a conflict, stock, listing, offers, prices, changes,
// a split that is undone, a merge.

const EMAIL = 'anna@example.com'
const EAN = '4006381333931'
const LONG = 'Long title '.repeat(90).trim()

test('a product is understood, changed, split and merged on its page', { timeout: 240_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
  await using database = await createDatabase()
  const bench = openBench(database.db)
  const account = await createAccount(bench, 'Nordlicht')
  const { accountId } = account
  const titled = (en: string, de: string) => ({
    texts: { en: { title: en, description: `<p>${en}</p>` }, de: { title: de } },
  })
  const [id = 0] = await giveOffers(bench, account, [offer('N-1', { eans: [EAN], ...titled('Claw hammer', 'Hammer') })])
  await giveOffers(
    bench,
    account,
    [offer('S-1', { eans: [EAN], cost: '44', ...titled('Hammer, claw', 'Klauenhammer') })],
    1,
  )
  const [otherId = 0] = await giveOffers(
    bench,
    account,
    [offer('S-2', { eans: [], ...titled('Steel hammer', 'Stahl') })],
    1,
  )
  const [costlessId = 0] = await giveOffers(bench, account, [
    offer('N-9', { eans: [], cost: null, ...titled('Gift', 'Geschenk') }),
  ])
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna'), EMAIL, 'member')
  await using service = await startTestService(database, { roles: ['api', 'work'], env: { SECRET_KEY: TEST_KEY } })
  await using chromium = await openChromium()
  const page = await (await chromium.context()).newPage()
  const shot = (name: string, on: Page = page) => keepPicture(on, `product-${name}`, { fullPage: true })
  const faultless = async (name: string, on: Page = page) => {
    expect([name, await violations(on)]).toEqual([name, []])
  }
  const mark = (value: string, store: string) =>
    page.getByRole('button', { name: new RegExp(`^${value} in ${store}: `) })
  const panel = page.getByRole('dialog')
  const saved = page.getByRole('status').filter({ hasText: 'Dismiss' })
  const gone = (what: Locator) => what.waitFor({ state: 'detached' })
  await page.goto(`${service.url}/panel/${accountId}/catalog/${id}`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Claw hammer' }).waitFor()

  // each value names its source; a click shows the other values and why they are not used
  await mark('Title', 'Deutsch').click()
  await panel
    .getByText('Your own value takes precedence')
    .or(panel.getByText('Another supplier comes first'))
    .first()
    .waitFor()
  expect(await panel.locator('ol li').allInnerTexts()).toEqual([
    expect.stringMatching(/North, N-1 · de\s+Shown\s+Hammer/),
    expect.stringMatching(/South, S-1 · de\s+Another supplier comes first\s+Klauenhammer/),
    expect.stringMatching(/North, N-1 · en\s+Another language comes first\s+Claw hammer/),
    expect.stringMatching(/South, S-1 · en\s+Another language comes first\s+Hammer, claw/),
  ])
  await shot('chain')
  await faultless('chain')
  // an error is shown beside the field, which keeps its text
  await panel.getByLabel('Title', { exact: true }).fill('x'.repeat(5_001))
  await panel.getByRole('button', { name: 'Save as your own' }).click()
  await panel.locator('textarea[aria-invalid=true]').waitFor()
  expect(await panel.getByLabel('Title', { exact: true }).inputValue()).toHaveLength(5_001)
  // somebody else changes it meanwhile: both versions are shown to choose from
  await database.db`insert into product_override (account_id, product_id, field, locale, value) values (${accountId}, ${id}, 'title', 'de', 'Fremd')`
  await panel.getByLabel('Title', { exact: true }).fill('Mein Hammer')
  await panel.getByRole('button', { name: 'Save as your own' }).click()
  await panel.getByText('Somebody else changed this while you were editing').waitFor()
  expect(await panel.getByRole('alert').innerText()).toContain('Fremd')
  await shot('conflict')
  await panel.getByRole('button', { name: 'Keep mine' }).click()
  await panel.getByRole('button', { name: 'Save as your own' }).click()
  await gone(panel)
  // the new value is shown without a reload, with a message and a button to undo
  await page.getByRole('cell', { name: 'Mein Hammer' }).waitFor()
  await saved.getByText('Title, de: saved. Stores have it now.').waitFor()
  await expect.poll(() => mark('Title', 'Deutsch').innerText()).toBe('set by you')
  await shot('saved')
  await faultless('saved')
  await saved.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('cell', { name: 'Fremd' }).waitFor()
  // the own value is reset, and the reset undone
  await mark('Title', 'Deutsch').click()
  await panel.getByRole('button', { name: 'Use the suppliers’ value' }).click()
  await gone(panel)
  await saved.getByText('Title, de: the suppliers’ value is used again.').waitFor()
  await page
    .getByRole('cell', { name: 'Hammer', exact: false })
    .filter({ hasText: /^Hammer/ })
    .first()
    .waitFor()
  await saved.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('cell', { name: 'Fremd' }).waitFor()
  // the longest title stays in its place
  await mark('Title', 'Main').click()
  await panel.getByLabel('Title', { exact: true }).fill(LONG)
  await panel.getByRole('button', { name: 'Save as your own' }).click()
  await gone(panel)
  await page.getByRole('heading', { level: 1, name: 'Long title' }).waitFor()
  const cell = await page.getByRole('cell', { name: 'Long title' }).first().boundingBox()
  expect(cell?.height).toBeLessThan(140)
  await saved.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Claw hammer' }).waitFor()

  // payloads that must be resolved again by this release: the page says so, and when stores have them
  await database.db`update account_inputs set resolver = resolver + 1 where account_id = ${accountId}`
  await mark('Manufacturer', 'Main').click()
  await panel.getByLabel('Manufacturer', { exact: true }).fill('Peddinghaus')
  await panel.getByRole('button', { name: 'Save as your own' }).click()
  await gone(panel)
  await saved.getByText('Manufacturer: saved. Stores get it in a moment.').waitFor()
  await database.db`update account_inputs set resolver = resolver - 1 where account_id = ${accountId}`
  await saved.getByText('Manufacturer: saved. Stores have it now.').waitFor()
  await page.getByRole('cell', { name: 'Peddinghaus' }).first().waitFor()

  // an attribute of one's own
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await panel.getByLabel('Attribute', { exact: true }).fill('weight')
  await panel.getByLabel('Value', { exact: true }).fill('500 g')
  await panel.getByRole('button', { name: 'Save as your own' }).click()
  await gone(panel)
  await page.getByRole('rowheader', { name: 'weight' }).waitFor()

  // own stock: in words, line by line, and in the price
  await mark('Stock', 'Main').click()
  await panel.getByText('Stock shown to stores').waitFor()
  await panel.getByLabel('Own pieces').fill('many')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await panel.locator('input[name=quantity][aria-invalid=true]').waitFor()
  await panel.getByLabel('Own pieces').fill('3')
  await panel.getByLabel('Cost per piece, EUR').fill('4,50')
  await shot('stock')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await gone(panel)
  await expect.poll(() => mark('Cost', 'Main').innerText()).toBe('own stock')
  await saved.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => mark('Cost', 'Main').innerText()).toBe('North')

  // out of one store, and excluded in another
  await mark('State', 'Polski').click()
  await panel.getByText('Nothing excludes it').waitFor()
  await panel.getByRole('radio', { name: 'Never list it' }).click()
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await gone(panel)
  await page.getByText('Not listed', { exact: true }).waitFor()
  await mark('State', 'Main').click()
  await panel.getByLabel('Exclude it in Main because').fill('recalled')
  await shot('state')
  await faultless('state')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await gone(panel)
  await page.getByText('Excluded: recalled').first().waitFor()

  // a price: the rules that were tried, and the lines of its calculation
  await mark('Price, Wholesale', 'Main').or(mark('Price, Retail', 'Main')).first().click()
  await panel.getByText('applies', { exact: false }).first().waitFor()
  await shot('price')
  await faultless('price')
  await page.keyboard.press('Escape')
  await gone(panel)

  // a price set by hand is a rule for this product: previewed, placed before the others, and edited where the price is shown
  await mark('Price, Retail', 'Main').or(mark('Price', 'Main')).first().click()
  await panel.getByLabel('Price, EUR').fill('19,90')
  await panel.getByRole('button', { name: 'Review and save …' }).click()
  await page
    .getByText('at a fixed', { exact: false })
    .or(page.getByText('19.90', { exact: false }))
    .first()
    .waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Fixed price: Claw hammer')
  expect(await page.getByLabel('Only these products').inputValue()).toBe(String(id))
  await shot('fixed-price')
  await faultless('fixed-price')
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  // a page that was left does not follow its operation any more
  await page.getByText('Stores now read the new values', { exact: false }).first().waitFor({ timeout: 20_000 })
  await page.getByRole('link', { name: 'The product' }).click()
  await expect
    .poll(async () => page.getByRole('cell', { name: '€19.90' }).first().isVisible(), { timeout: 20_000 })
    .toBe(true)
  await mark('Price, Retail', 'Main').or(mark('Price', 'Main')).first().click()
  await panel.getByText('The price is fixed by a rule for this product alone.').waitFor()
  await panel.getByRole('link', { name: 'Fixed price: Claw hammer' }).first().waitFor()
  await shot('fixed-price-set')
  await panel.getByRole('link', { name: 'Change or remove it' }).click()
  await page.getByRole('button', { name: 'Delete rule' }).waitFor()
  await page.goto(`${service.url}/panel/${accountId}/catalog/${id}`)
  await page.getByRole('heading', { name: 'Claw hammer' }).waitFor()
  await shot('why')
  await faultless('why')

  // the suppliers' offers, and prices as they were
  await page.getByRole('tab', { name: 'Offers' }).click()
  const south = page.getByRole('article', { name: 'Offer of South, S-1' })
  await south.getByText(`by the EAN ${EAN}`).waitFor()
  await south.getByText('not for price and stock: Costs more').waitFor()
  expect(await page.getByRole('article', { name: 'Offer of North' }).innerText()).toContain('it is the best offer')
  await shot('offers')
  await faultless('offers')
  await page.getByRole('tab', { name: 'Price history' }).click()
  await page.locator('.recharts-line').waitFor()
  await shot('prices')
  await page.getByText('Table', { exact: true }).click()
  await page.getByRole('tabpanel').getByRole('columnheader', { name: 'Price' }).waitFor()
  await faultless('prices')

  // who changed what; a change whose value is still current can be undone
  await page.getByRole('tab', { name: 'Changes' }).click()
  const edit = page.getByRole('listitem').filter({ hasText: 'recalled' })
  await edit.getByText('Anna <anna@example.com>').waitFor()
  await shot('changes')
  await faultless('changes')
  await edit.getByRole('button', { name: 'Undo this' }).click()
  await expect.poll(() => page.getByText('Excluded: recalled').count(), { timeout: 10_000 }).toBe(0)
  // own stock as well, long after it was saved
  await mark('Stock', 'Main').click()
  await panel.getByLabel('Own pieces').fill('12')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await gone(panel)
  await page.reload()
  const stocked = page.getByRole('listitem').filter({ hasText: 'Own stock set' }).filter({ hasText: '12' })
  await stocked.getByText('Own pieces').waitFor()
  await shot('changes-stock')
  await stocked.getByRole('button', { name: 'Undo this' }).click()
  await saved.getByText('Taken back').or(saved).first().waitFor()
  await expect.poll(() => mark('Stock', 'Main').innerText()).not.toContain('own')
  const [left] = await database.db<{ rows: number }[]>`
    select count(*)::int as rows from own_stock where account_id = ${accountId} and product_id = ${id}`
  expect(left?.rows).toBe(0)

  // a split, previewed, done, and undone
  await page.getByRole('tab', { name: 'Offers' }).click()
  await south.getByRole('button', { name: 'Split off' }).click()
  await panel.getByText('main: listed at', { exact: false }).waitFor()
  await shot('split')
  await faultless('split')
  await panel.getByRole('button', { name: 'Split off' }).click()
  await gone(panel)
  await saved.getByText(/Product \d+ was split off/).waitFor()
  await gone(south)
  await saved.getByRole('button', { name: 'Undo' }).click()
  await south.waitFor()

  // a merge: the other product is found by search and its data listed, then it is gone; the page shows the offers that it brought
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Merge with another product …' }).click()
  await panel.getByLabel('Title, SKU, EAN or product ID').fill('steel')
  await panel.getByRole('listitem').filter({ hasText: 'Steel hammer' }).getByRole('button', { name: 'Choose' }).click()
  await panel.getByText(`Product ${otherId} “Steel hammer” is merged into “Claw hammer” and deleted:`).waitFor()
  expect(await panel.innerText()).toContain('It is removed from 3 stores')
  await shot('merge')
  await faultless('merge')
  await panel.getByRole('button', { name: 'Merge and delete' }).click()
  await gone(panel)
  await page.getByRole('article', { name: 'Offer of South, S-2' }).waitFor()
  await page.goto(`${service.url}/panel/${accountId}/catalog/${otherId}`)
  await page.getByText(`This account has no product ${otherId}`, { exact: false }).waitFor()

  // without a cost there is no price: the page says so where the price would be, and leads to what is missing
  await page.goto(`${service.url}/panel/${accountId}/catalog/${costlessId}`)
  await mark('Price, Retail', 'Main').click()
  await panel.getByText('No cost is known, so there is no price').waitFor()
  await shot('costless')
  await faultless('costless')
  await panel.getByRole('button', { name: 'Set your own cost' }).click()
  await panel.getByLabel('Cost per piece, EUR').fill('8')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await gone(panel)
  await page.getByRole('cell', { name: '€10.00' }).first().waitFor()
  await expect.poll(() => mark('Price, Retail', 'Main').innerText()).toBe('Default')

  // on a phone, in the dark, in German and Polish
  for (const [language, name] of [
    ['de-DE', 'Titel in Main: '],
    ['pl-PL', 'Tytuł w sklepie Main: '],
  ] as const) {
    const context = await chromium.context({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: language,
      storageState: await page.context().storageState({ indexedDB: false }),
    })
    const phone = await context.newPage()
    await phone.goto(`${service.url}/panel/${accountId}/catalog/${id}`)
    await phone.getByRole('button', { name, exact: false }).waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await shot(`phone-${language}`, phone)
    await phone.getByRole('button', { name, exact: false }).click()
    await phone.getByRole('dialog').locator('textarea').waitFor()
    await shot(`phone-chain-${language}`, phone)
    await faultless(`phone ${language}`, phone)
    // for a product that none of the shown stores lists, the page says only that
    await phone.goto(`${service.url}/panel/${accountId}/catalog/${id}?stores=pl`)
    const rows = phone.locator('li:has(> h3):has(> dl)')
    await rows.first().waitFor()
    expect([await rows.count(), await rows.locator('dd').count()]).toEqual([1, 1])
    await context.close()
  }
  expect(chromium.faults).toEqual([])
})
