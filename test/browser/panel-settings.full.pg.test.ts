import { mkdir } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'

// A merchant's first steps in an account that has nothing yet, in a real browser: stores, groups, suppliers, rates and categories,
// own stock, SKUs and channel files; two people who edit the same store; a member; and prices that are held and confirmed.

const OWNER = 'anna@example.com'
const MEMBER = 'piotr@example.com'

async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/panel/profile`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
}

const rowOf = (page: Page | Locator, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

test('a merchant sets up an empty account, and a member helps', { timeout: 240_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
  await using database = await createDatabase()
  const { db } = database
  const { accountId } = await inTransaction(db, (tx) =>
    openAccount(tx, {
      name: 'Nordlicht',
      currency: 'EUR',
      locale: 'en',
      store: { slug: 'main', name: 'Main', locale: 'en', currency: 'EUR' },
    }),
  )
  await makeMember(db, accountId, await makePerson(db, OWNER, 'Anna'), OWNER, 'owner')
  await makeMember(db, accountId, await makePerson(db, MEMBER, 'Piotr'), MEMBER, 'member')
  await using service = await startTestService(database, { roles: ['api', 'work'], env: { SECRET_KEY: TEST_KEY } })
  const api = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await api(path, {
      method,
      headers: { 'Content-Type': 'application/json', Prefer: 'wait=20' },
      body: JSON.stringify(body),
    })
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
    return answer.body.data
  }
  await using chromium = await openChromium()
  const page = await (await chromium.context()).newPage()
  page.setDefaultTimeout(10_000)
  const at = (path: string) => `${service.url}/panel/${accountId}/${path}`
  const panel = page.getByRole('dialog')
  const gone = async () => await expect.poll(() => panel.count(), { timeout: 10_000 }).toBe(0)

  // the overview leads to the first step
  await signIn(page, service.url, OWNER)
  await page.goto(at('overview'))
  await page.getByRole('link', { name: 'Set up your stores' }).click()
  await page.getByRole('heading', { name: 'Stores', exact: true }).waitFor()

  // a store: errors are beside their fields, which keep their text
  await page.getByRole('button', { name: 'Create store' }).click()
  await panel.getByLabel('Short name').fill('PL!')
  await panel.getByLabel('Name', { exact: true }).fill('Polska')
  await panel.getByLabel('Language').fill('pl-PL')
  await panel.getByLabel('Currency').fill('pln')
  await panel.getByRole('button', { name: 'Create store' }).click()
  await panel.locator('input[name=slug][aria-invalid=true]').waitFor()
  expect(await panel.getByLabel('Name', { exact: true }).inputValue()).toBe('Polska')
  await panel.getByLabel('Short name').fill('pl')
  await panel.getByRole('button', { name: 'Create store' }).click()
  await gone()
  await rowOf(page, 'Polska').click()
  await panel.getByText(`${service.url}/v1/products?store=pl`, { exact: true }).waitFor()
  expect(await panel.getByLabel('Short name').isDisabled()).toBe(true)
  await keepPicture(page, 'store-open')
  await page.keyboard.press('Escape')
  await gone()

  // a group, by the palette
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /A page, an action/ }).fill('customer group')
  await page.getByRole('button', { name: 'Create a customer group' }).click()
  await panel.getByLabel('Name').fill('Wholesale')
  await panel.getByRole('button', { name: 'Create group' }).click()
  await gone()
  await rowOf(page, 'Wholesale').waitFor()
  // the default group cannot be deleted
  await rowOf(page, 'Default group').click()
  await panel.getByRole('button', { name: 'Delete group' }).click()
  await panel.last().getByText('The default group cannot be deleted').waitFor()
  await panel.last().getByRole('button', { name: 'Delete group' }).click()
  await panel.last().getByRole('alert').waitFor()
  await panel.last().getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
  await gone()

  // a rate: the store's currency lacks one
  await page.goto(at('rates'))
  await rowOf(page, 'PLN').getByText('Missing').waitFor()
  await rowOf(page, 'PLN').click()
  expect(await panel.getByLabel('Currency').inputValue()).toBe('PLN')
  await panel.getByLabel('Rate', { exact: true }).fill('4,25')
  await panel.getByRole('button', { name: 'Set rate' }).click()
  await gone()
  await rowOf(page, 'PLN').getByText('4.25 PLN').waitFor()
  await rowOf(page, 'PLN').getByText('just now').waitFor()
  // the bank's rate, which is held, is accepted by one click
  await db`update exchange_rate set bank_seen_day = '2026-11-27', held_rate = 4.25 where account_id = ${accountId}`
  await page.reload()
  await page.getByText('One EUR is 4.25 PLN; at the bank 4.25 on 27 Nov 2026').waitFor()
  await keepPicture(page, 'rates-held', { fullPage: true })
  await page.getByRole('button', { name: 'Accept the rate of PLN' }).click()
  await rowOf(page, 'PLN').getByText('European Central Bank, 27 Nov 2026').waitFor()
  expect(await page.getByRole('button', { name: 'Accept the rate of PLN' }).count()).toBe(0)
  // the bounds of the bank's rates are there once they are followed
  expect(await page.getByLabel('Largest change in percent').count()).toBe(0)
  await page.getByLabel('Follow the European Central Bank').check()
  await page.getByLabel('Largest change in percent').fill('0.1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('input[name=rates_greatest_change_percent][aria-invalid=true]').waitFor()
  await page.getByLabel('Largest change in percent').fill('7,5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(
      async () =>
        (
          await db`select trim_scale(rates_greatest_change_percent)::text as n from account where account_id = ${accountId}`
        )[0]?.['n'],
    )
    .toBe('7.5')

  // a supplier
  await page.goto(at('suppliers'))
  await page.getByRole('button', { name: 'Create supplier' }).click()
  // the account's currency is filled in, and a code is proposed until one is typed
  expect(await panel.getByLabel('Currency').inputValue()).toBe('EUR')
  await panel.getByLabel('Name').fill('Nörth & Co')
  expect(await panel.getByLabel('Code').inputValue()).toBe('north-co')
  await panel.getByLabel('Code').fill('north')
  await panel.getByLabel('Name').fill('North')
  expect(await panel.getByLabel('Code').inputValue()).toBe('north')
  await panel.getByLabel('Currency').fill('eur')
  // Tab closes the picker's list, which covers the fields below
  await panel.getByLabel('Currency').press('Tab')
  await panel.getByText('More settings').click()
  expect(await panel.getByLabel('Hold: stock to 0').inputValue()).toBe('50')
  await panel.getByLabel('Hold: stock to 0').fill('33,5')
  await panel.getByLabel('Priority').fill('first')
  await panel.getByText('More settings').click()
  await panel.getByRole('button', { name: 'Create supplier' }).click()
  await panel.locator('input[name=priority][aria-invalid=true]').waitFor()
  await panel.getByLabel('Priority').fill('10')
  await panel.getByRole('button', { name: 'Create supplier' }).click()
  await gone()
  await page.getByRole('heading', { name: 'North' }).waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Safety buffer').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect((await api('/v1/account/suppliers/north')).body.data).toMatchObject({
    currency: 'EUR',
    zeroed_share_max: '0.335',
    priority: 10,
    safety_buffer: 2,
  })

  // its offers, by the API
  const offer = (sku: string, cost: string, category: string) => ({
    cost,
    quantity: 5,
    texts: { en: { title: `Article ${sku}` } },
    category,
    manufacturer: 'Acme',
  })
  for (const [sku, category] of [
    ['A-1', 'Tools/Hand tools'],
    ['A-2', 'Tools/Power tools'],
    ['A-3', 'Garden'],
  ] as const)
    await send('PUT', `/v1/account/suppliers/north/offers/${sku}`, offer(sku, '10', category))

  // categories: a path is mapped by hand, the others become categories
  await page.goto(at('categories'))
  await page.getByText('Products show the categories of their suppliers').waitFor()
  await page.getByRole('button', { name: 'Create category' }).click()
  await panel.getByLabel('Path', { exact: true }).fill('Workshop/Hand')
  await panel.getByRole('button', { name: 'Create category' }).click()
  await gone()
  await page.getByRole('tab', { name: 'Suppliers’ paths' }).click()
  await page.getByText('3 paths are not mapped').waitFor()
  await page.getByRole('checkbox', { name: 'Choose Tools/Hand tools' }).check()
  await page.getByRole('combobox', { name: 'Choose a category' }).fill('hand')
  await page.getByRole('option', { name: 'Workshop/Hand' }).click()
  await keepPicture(page, 'paths-chosen')
  await page.getByRole('button', { name: 'Map to it' }).click()
  await page.getByText('2 paths are not mapped').waitFor()
  await page.getByRole('button', { name: 'Choose all that are not mapped' }).click()
  await page.getByRole('button', { name: 'Create categories from them' }).click()
  await page.getByText('0 paths are not mapped').waitFor()
  await page.getByRole('tab', { name: 'Tree' }).click()
  await rowOf(page, 'Power tools').waitFor()
  const categories = (await api('/v1/account/categories')).body.data as { path: string; supplier_paths: string[] }[]
  expect(categories.map(({ path, supplier_paths: paths }) => [path, paths])).toEqual([
    ['Workshop/Hand', ['Tools/Hand tools']],
    ['Garden', ['Garden']],
    ['Tools/Power tools', ['Tools/Power tools']],
  ])
  // fold and unfold
  await page.getByRole('button', { name: 'Collapse all', exact: true }).click()
  await rowOf(page, 'Power tools').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show subcategories of Tools' }).click()
  await rowOf(page, 'Power tools').waitFor()
  // a mapped path is moved to another category
  await page.getByRole('tab', { name: 'Suppliers’ paths' }).click()
  await page.getByRole('checkbox', { name: 'Choose Garden' }).check()
  await page.getByRole('combobox', { name: 'Choose a category' }).fill('work')
  await page.getByRole('option', { name: 'Workshop/Hand' }).click()
  await page.getByRole('button', { name: 'Map to it' }).click()
  await rowOf(page, /Garden.*Workshop\/Hand/).waitFor()

  // an attribute, with languages and values
  await page.goto(at('attributes?new=true'))
  await panel.getByLabel('Key').fill('color')
  await panel.getByRole('button', { name: 'Add a language: Labels' }).click()
  await panel.getByLabel('Labels: Language 1').fill('de')
  await panel.getByLabel('Labels: de').fill('Farbe')
  await panel.getByRole('button', { name: 'Add a value' }).click()
  await panel.getByRole('textbox', { name: 'Value 1' }).fill('red')
  await panel.getByRole('button', { name: 'Add a language: red' }).click()
  await panel.getByLabel('red: Language 1').fill('de')
  await panel.getByLabel('red: de').fill('rot')
  await panel.getByRole('button', { name: 'Define attribute' }).click()
  await gone()
  const attribute = async () => (await api('/v1/account/attributes/color')).body.data
  expect(await attribute()).toMatchObject({ labels: { de: 'Farbe' }, options: { red: { de: 'rot' } } })
  await rowOf(page, 'color').click()
  await panel.getByRole('button', { name: 'Remove red', exact: true }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await gone()
  expect(await attribute()).toMatchObject({ labels: { de: 'Farbe' }, options: {} })

  // the order in which suppliers' texts are used
  await page.goto(at('source-orders?new=true'))
  await panel.getByLabel('Field').selectOption('description')
  await panel.getByLabel('Add a supplier …').selectOption('North')
  await panel.getByRole('button', { name: 'Set an order' }).click()
  await gone()
  await rowOf(page, /Description.*North/).waitFor()

  // the SKU pattern shows what it would give
  await page.goto(at('skus'))
  await page.getByRole('textbox', { name: 'Pattern' }).fill('{supplier_cod}')
  await page.getByText('Character 2:', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'Pattern' }).fill('{supplier_code|upper}-{supplier_sku}')
  await rowOf(page, 'NORTH-A-1').getByText('Article A-1').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect
    .poll(async () => (await api('/v1/products?store=main')).body.data.map(({ sku }: { sku: string }) => sku))
    .toEqual(['NORTH-A-1', 'NORTH-A-2', 'NORTH-A-3'])

  // own stock of a product that had none
  await page.goto(at('stock'))
  await page.getByText('No product has own stock').waitFor()
  await page.getByRole('searchbox').fill('A-2')
  await rowOf(page, 'Article A-2').click()
  await panel.getByLabel('Pieces').fill('7')
  await panel.getByLabel('Cost').fill('8,50')
  // somebody else was faster: the current value is shown, and not overwritten silently
  const [stocked] = (await api('/v1/products?sku=NORTH-A-2&store=main')).body.data as { id: number }[]
  const stockOf = `/v1/account/products/${stocked?.id}/stock`
  await send('PUT', stockOf, { quantity: 3 })
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Somebody else changed this while you were editing').waitFor()
  expect((await api(stockOf)).body.data).toMatchObject({ quantity: 3, cost: null })
  await panel.getByRole('button', { name: 'Keep mine' }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await gone()
  await rowOf(page, 'Article A-2').getByText('€8.50').waitFor()
  expect((await api(stockOf)).body.data).toMatchObject({ quantity: 7 })
  await page.getByRole('searchbox').fill('')
  await page.getByText('1 product has own stock').waitFor()

  // a channel file: its address is shown once, and again when it is replaced
  await page.goto(at('channels?new=true'))
  await panel.getByLabel('Name').fill('Shopping')
  await panel.getByRole('button', { name: 'Create channel file' }).click()
  const secretWindow = panel.filter({ hasText: 'shown only now' })
  const address = await secretWindow.locator('code').first().innerText()
  await secretWindow.getByRole('button', { name: 'I have saved it' }).click()
  await rowOf(page, 'Shopping').getByText('Never').waitFor()
  expect((await fetch(address)).status).toBe(200)
  await page.reload()
  await expect
    .poll(
      async () => {
        await page.reload()
        return await rowOf(page, 'Shopping').innerText()
      },
      { timeout: 30_000 },
    )
    .toMatch(/just now|seconds? ago|minutes? ago/)
  await rowOf(page, 'Shopping').click()
  await panel.getByRole('button', { name: 'Create a new address' }).click()
  await panel.last().getByRole('button', { name: 'Create a new address' }).click()
  const next = await secretWindow.locator('code').first().innerText()
  expect(next).not.toBe(address)
  await secretWindow.getByRole('button', { name: 'I have saved it' }).click()
  expect((await fetch(address)).status).toBe(404)
  await page.keyboard.press('Escape')

  // two people edit one store at once
  await page.goto(at('stores?open=pl'))
  await panel.getByLabel('Name', { exact: true }).fill('Polen')
  await send('PATCH', '/v1/account/stores/pl', { name: 'Polonia' })
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Somebody else changed this while you were editing').waitFor()
  await panel.getByRole('row', { name: /Name Polonia Polen/ }).waitFor()
  await keepPicture(page, 'store-conflict')
  await panel.getByRole('button', { name: 'Keep mine' }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await gone()
  expect((await api('/v1/account/stores/pl')).body.data.name).toBe('Polen')

  // a price jumps: it is held, confirmed here, and the payload follows
  await page.goto(at('account'))
  await page.getByLabel('Hold prices').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const priceOf = async (sku: string) => {
    const { data } = (await api('/v1/products?store=main')).body
    const product = data.find((row: { sku: string }) => row.sku === sku)
    return product.prices[0].computed_price
  }
  const before = await priceOf('NORTH-A-1')
  expect(before).toBeGreaterThan(10)
  for (const sku of ['A-1', 'A-3'])
    await send('PUT', `/v1/account/suppliers/north/offers/${sku}`, offer(sku, '90', 'Garden'))
  expect(await priceOf('NORTH-A-1')).toBe(before)
  await page.goto(at('held-prices'))
  await rowOf(page, 'Article A-1').click()
  await panel
    .getByText(/The cost is now €90.00/)
    .first()
    .waitFor()
  await keepPicture(page, 'held-open')
  await panel.getByRole('button', { name: 'Confirm the new price' }).click()
  await panel.last().getByRole('button', { name: 'Confirm', exact: true }).click()
  await gone()
  await expect.poll(async () => Number(await priceOf('NORTH-A-1'))).toBeCloseTo(Number(before) * 9, 1)
  expect(await priceOf('NORTH-A-3')).toBe(before)
  await rowOf(page, 'Article A-1').waitFor({ state: 'detached' })
  // it is a finding until it is decided, with a link to it
  await page.goto(at('findings?kind=prices_held'))
  // findings without results are shown and hidden again, also while one of them is open
  const nothing = rowOf(page, 'Silent suppliers')
  await page.getByRole('button', { name: 'Show them' }).click()
  await nothing.click()
  await page.waitForURL('**kind=completeness_suppliers_silent**')
  await page.getByRole('button', { name: 'Hide them' }).click()
  await page.getByRole('button', { name: 'Show them', expanded: false }).waitFor()
  expect(await nothing.count()).toBe(0)
  await rowOf(page, 'Held prices').click()
  await page.getByRole('link', { name: 'Confirm prices' }).click()
  await page.getByRole('button', { name: 'Confirm all held prices' }).click()
  await panel.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect.poll(async () => Number(await priceOf('NORTH-A-3'))).toBeCloseTo(Number(before) * 9, 1)
  await page.getByText('No prices are held').waitFor()

  // a member can edit the same settings; one who is removed meanwhile gets a message
  const helping = await (await chromium.context()).newPage()
  await signIn(helping, service.url, MEMBER)
  for (const [path, shown, change] of [
    ['stores', 'Polen', 'Create store'],
    ['groups', 'Wholesale', 'Create group'],
    ['rates', 'PLN', 'Set rate'],
    ['suppliers', 'North', 'Create supplier'],
    ['attributes', 'color', 'Define attribute'],
    ['categories', 'Workshop', 'Create category'],
    ['channels', 'Shopping', 'Create channel file'],
    ['source-orders', 'Description', 'Set an order'],
  ] as const) {
    await helping.goto(at(path))
    await rowOf(helping, shown).first().waitFor()
    await helping.getByRole('button', { name: change }).first().waitFor()
  }
  await helping.goto(at('groups?new=true'))
  const form = helping.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Partners')
  await form.getByRole('button', { name: 'Create group' }).click()
  await rowOf(helping, 'Partners').waitFor()
  await helping.goto(at('groups?new=true'))
  await form.getByLabel('Name', { exact: true }).fill('Nobody')
  await db`delete from member where account_id = ${accountId} and role = 'member'`
  await form.getByRole('button', { name: 'Create group' }).click()
  await form.getByRole('alert').waitFor()
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Nobody')
  await helping.context().close()

  // deleting lists everything that is deleted, and requires the name
  await page.goto(at('stores'))
  // products of stores are counted twice a minute
  await expect
    .poll(
      async () => {
        await page.reload({ waitUntil: 'networkidle' })
        return await rowOf(page, 'Polen').getByRole('cell', { name: '3', exact: true }).count()
      },
      { timeout: 45_000, interval: 2_000 },
    )
    .toBe(1)
  await page.goto(at('stores?open=pl'))
  await panel.getByRole('button', { name: 'Delete store' }).click()
  const question = panel.last()
  await question.getByText('Polen: 3 products leave its feed').waitFor()
  expect(await question.getByRole('button', { name: 'Delete store' }).isDisabled()).toBe(true)
  await question.getByLabel('Type Polen to confirm').fill('Polen')
  await question.getByRole('button', { name: 'Delete store' }).click()
  await gone()
  await rowOf(page, 'Polen').waitFor({ state: 'detached' })
  expect((await api('/v1/account/stores/pl')).status).toBe(404)
  expect(chromium.faults).toEqual([])
})
