import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { client, tokenFor } from '../harness/service.ts'
import { serveFiles, type FileServer } from '../import/sources-bench.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// A merchant works with a supplier's sources and runs in a real browser: schedules a source, tests it, sees runs succeed, fail
// and be held, confirms one and undoes one. The pictures are in tmp/panel.

const EMAIL = 'anna@example.com'
const HEAD =
  'Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Weight Unit,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Variant Image\n'
const shopify = (rows: readonly string[]) => HEAD + rows.map((row) => `${row}\n`).join('')
const row = (key: string, title: string, quantity: number, price: string) =>
  `${key.toLowerCase()},${title},,Bolt,Tools,Title,Default Title,,,,,${key},0,kg,${quantity},${price},,https://img.example/${key}.jpg,`
const FULL = shopify(['A-1', 'A-2', 'A-3', 'A-4'].map((key) => row(key, `Spade ${key}`, 5, '10.50')))
const SHORT = shopify([row('A-1', 'Shovel', 5, '12')])

// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const directory = directoryOfFile('panel-suppliers')
const { database, service } = worldOfFile({
  service: {
    roles: ['api', 'work'],
    env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', DATA_DIR: directory },
  },
})
const chromium = ofFile(openChromium)
let server: FileServer
let account: TestAccount
let page: Page
/** The answer of the supplier's server. */
const answer = { status: 200, content: FULL, token: 'right', until: Promise.resolve() }

beforeAll(async () => {
  await mkdir('tmp/panel', { recursive: true })
  account = await createAccount(openBench(database.db), 'Nordlicht')
  await makeMember(database.db, account.accountId, await makePerson(database.db, EMAIL), EMAIL, 'member')
  server = await serveFiles(({ headers }, response) => {
    void answer.until.then(() => {
      if (headers.authorization !== `Bearer ${answer.token}`) response.writeHead(401).end()
      else if (answer.status !== 200) response.writeHead(answer.status).end()
      else response.writeHead(200, { 'content-type': 'text/csv' }).end(answer.content)
    })
  })
  page = await (await chromium.context()).newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${service.url}/panel/profile`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
}, 120_000)

afterAll(() => server[Symbol.asyncDispose]())

const at = (path = '') => `${service.url}/panel/${account.accountId}/suppliers/north${path}`
const picture = (name: string) => keepPicture(page, `suppliers-${name}`, { fullPage: true })
const window = () => page.getByRole('dialog')
const quantities = async () =>
  (
    await database.db<{ text: string }[]>`
      select supplier_sku || ' ' || quantity as text from offer
      where account_id = ${account.accountId} and dropped_at is null order by supplier_sku`
  ).map(({ text }) => text)
/** Opens the source and runs it, which leads to the page of the run. */
async function runNow(): Promise<void> {
  await page.goto(at('?open=stock'))
  await window().getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('heading', { name: /^Run of / }).waitFor()
}

test('a source is added with a schedule in words, and tried', { timeout: 120_000 }, async () => {
  await page.goto(at())
  await page.getByText('A source fetches the supplier’s files automatically.').waitFor()
  await page.getByRole('button', { name: 'Add source' }).click()
  await window().getByLabel('Name', { exact: true }).fill('Stock!')
  await window().getByLabel('Address of the file').fill(`${server.url}/export.csv`)
  await window().getByLabel('Credentials').selectOption('bearer')
  await window().getByRole('textbox', { name: 'Token' }).fill('wrong')
  await window().getByLabel('How it is read').selectOption('shopify')
  await window().getByLabel('Time of day').fill('05:30')
  await window().getByLabel('Sun').uncheck()
  // the next times of the schedule, computed by the service
  await expect.poll(() => window().locator('ol li').count()).toBe(4)
  await window().getByLabel('Fetch the file').selectOption('every')
  await window().getByLabel('Interval in minutes').fill('2')
  await window().getByText('must be a whole number from 5 to').first().waitFor()
  await window().getByLabel('Fetch the file').selectOption('times')
  await picture('new-source')
  await window().getByRole('button', { name: 'Add source' }).click()
  // the error is beside its field, which keeps its text
  await window().locator('input[name=name][aria-invalid=true]').waitFor()
  expect(await window().getByLabel('Address of the file').inputValue()).toBe(`${server.url}/export.csv`)
  await window().getByLabel('Name', { exact: true }).fill('stock')
  await window().getByRole('button', { name: 'Add source' }).click()
  await window().getByText('Mon, Tue, Wed, Thu, Fri and Sat at 05:30').waitFor()
  const [stored] = await database.db<{ cron: string; kind: string }[]>`
    select cron, credentials_kind as kind from supplier_source where account_id = ${account.accountId}`
  expect(stored).toEqual({ cron: '30 5 * * 1,2,3,4,5,6', kind: 'bearer' })

  // tried: refused by its server in words, then found
  await window().getByRole('button', { name: 'Test the connection' }).click()
  await window().getByText('The server requires credentials').first().waitFor()
  await window().getByRole('button', { name: 'Edit' }).click()
  expect(await window().getByLabel('Credentials').inputValue()).toBe('kept')
  await window().getByLabel('Credentials').selectOption('bearer')
  expect(await window().getByRole('textbox', { name: 'Token' }).inputValue()).toBe('')
  await window().getByRole('textbox', { name: 'Token' }).fill('right')
  await window().getByRole('button', { name: 'Save' }).click()
  await window().getByRole('button', { name: 'Test the connection' }).click()
  await window().getByText('The file was found').waitFor()
  await window().getByText('the ready mapping shopify fits').waitFor()
  await picture('tried')
})

test(
  'its runs are seen while they go on, and what they changed; a failed one says what to do',
  { timeout: 120_000 },
  async () => {
    await runNow()
    await page.getByText('Imported: 4 offers are new or different').waitFor()
    expect(await quantities()).toEqual(['A-1 5', 'A-2 5', 'A-3 5', 'A-4 5'])
    await page.getByRole('row', { name: /A-3/ }).waitFor()
    await picture('run')

    answer.status = 404
    await runNow()
    await page.getByText('The file could not be fetched; nothing was imported').waitFor()
    await page.getByText('There is no file at this address. Ask the supplier').waitFor()
    await page.getByText('Nothing has changed: stores keep the data of the last import.').waitFor()
    await page.getByText(/^The source is fetched again at .*05:30; to fetch it now, run it again\.$/).waitFor()
    await page.getByText(`${server.url}/export.csv`).waitFor()
    await picture('run-failed')
    // the source is edited where the advice says so
    await page.getByRole('link', { name: 'Edit the source' }).click()
    expect(await window().getByLabel('Address of the file').inputValue()).toBe(`${server.url}/export.csv`)
    await page.goBack()
    await page.getByRole('button', { name: 'Run again' }).waitFor()
    // the overview leads to the source, which says since when it fails
    await page.goto(`${service.url}/panel/${account.accountId}/overview`)
    const concern = page.getByRole('listitem').filter({ hasText: 'the source “stock” imports nothing' })
    await concern.getByRole('link', { name: 'Show' }).click()
    await window()
      .getByText(/^Could not be fetched, since/)
      .waitFor()
    await window().getByText('There is no file at this address').waitFor()
    await picture('source-failing')
  },
)

test('a held run is looked at and confirmed, and undone', { timeout: 120_000 }, async () => {
  Object.assign(answer, { status: 200, content: SHORT })
  await runNow()
  await page.getByText('Held back: nothing was written').waitFor()
  await page.getByText('3 of 4 offers in stock would be set to 0; the limit is 50%.').waitFor()
  await picture('run-held')
  // what it would do is looked at before it is decided
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await page.getByText('Compared; nothing was written').waitFor()
  await page.getByRole('row', { name: /A-2 ?Spade A-2 Gone Quantity 5 0/ }).waitFor()
  await picture('run-held-compared')
  await page.goto(`${service.url}/panel/${account.accountId}/overview`)
  const concern = page.getByRole('listitem').filter({ hasText: 'a file waits for your confirmation' })
  await concern.getByRole('link', { name: 'Show' }).click()
  await page.getByRole('button', { name: 'Import anyway' }).click()
  await window().getByText('Offers that are not in the file are set to out of stock at once.').waitFor()
  await picture('confirm')
  await window().getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported: 4 offers are new or different').waitFor()
  expect(await quantities()).toEqual(['A-1 5', 'A-2 0', 'A-3 0', 'A-4 0'])

  // the changes of the run, old and new values side by side
  await page.getByRole('row', { name: /A-1/ }).click()
  await window().getByText('Spade A-1').waitFor()
  await window().getByText('Shovel').waitFor()
  await picture('change')
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the file' }).click()
  expect((await download).suggestedFilename()).toBe('export.csv')

  // one offer is changed by hand meanwhile: the undo would leave it, and restores it only because the box is checked
  await inTransaction(database.db, (tx) =>
    writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A-1', cost: '13' }, { sku: 'A-2' }]),
  )
  await page.getByRole('button', { name: 'Undo the run' }).click()
  await window().getByText('3 offers are restored.').waitFor()
  await window().getByText('1 offer has been changed or deleted since').waitFor()
  await window()
    .getByRole('row', { name: /A-1 changed since .*10\.50.* .*13\.00/ })
    .waitFor()
  await picture('undo')
  await window().getByLabel('Restore these offers, too').check()
  await window().getByRole('button', { name: 'Undo the run' }).click()
  await page.getByText('Undone: 4 offers were restored').waitFor()
  expect(await quantities()).toEqual(['A-1 5', 'A-2 5', 'A-3 5', 'A-4 5'])
})

test(
  'refused rows are grouped and downloaded; a file that cannot be read says so; a run goes on while one is elsewhere',
  { timeout: 120_000 },
  async () => {
    answer.content = FULL + shopify([row('A-5', 'Odd', 1, 'perhaps')]).slice(HEAD.length)
    await runNow()
    await page.getByText('1 row was refused').first().waitFor()
    await page.getByRole('cell', { name: /line 6 · A-5 · “.?perhaps.?”/ }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download all refused rows' }).click()
    expect((await download).suggestedFilename()).toMatch(/^refusals-\d+\.csv$/)
    await picture('run-refused-rows')

    answer.content = '<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Please sign in</p></body></html>'
    await runNow()
    await page.getByText('The file cannot be read; nothing was written').waitFor()
    await page.getByText('The supplier’s server sent a web page instead of the file').waitFor()
    await page.getByText('Open the address in a browser, check the credentials of the source').waitFor()
    await page.getByRole('link', { name: 'Edit the source' }).waitFor()
    await picture('run-refused')

    // a file that does not fit the mapping: the mapping is corrected next to it
    answer.content = 'Code;Stock\nA-1;5\n'
    await runNow()
    await page.getByText('The file cannot be read; nothing was written').waitFor()
    await page.getByText('Correct the mapping of the source, or have the supplier correct the file').waitFor()
    await picture('run-refused-mapping')
    await page.getByRole('link', { name: 'Correct the mapping' }).click()
    await page.getByRole('columnheader', { name: 'Stock' }).waitFor()

    // a run continues while another page is open, and its page follows it to the end without a reload
    const { promise, resolve } = Promise.withResolvers<void>()
    Object.assign(answer, { content: FULL.replace('Spade A-4', 'Pitchfork'), until: promise })
    await runNow()
    const address = page.url()
    await page.getByText('The file is being fetched').waitFor()
    await page.getByText('You can leave this page; the run continues.').waitFor()
    await picture('run-open')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goBack()
    await page.getByText('The file is being fetched').waitFor()
    expect(page.url()).toBe(address)
    resolve()
    await page.getByText('Imported: 1 offer is new or different').waitFor()

    // the list, filtered by its address
    await page.goto(at('?tab=runs'))
    await page.getByRole('row').nth(7).waitFor()
    await picture('runs')
    await page.getByRole('button', { name: 'State' }).click()
    await page.getByRole('menuitem', { name: 'Not readable' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    expect(new URL(page.url()).searchParams.get('state')).toBe('refused')
    await page.reload()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
  },
)

test(
  'limits are percentages; a source is switched off and on, and deleted by what it takes',
  { timeout: 120_000 },
  async () => {
    await page.goto(at('?tab=limits'))
    expect(await page.locator('input[name=zeroed_share_max]').inputValue()).toBe('50')
    await page.locator('input[name=zeroed_share_max]').fill('12,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
    expect((await http('/v1/account/suppliers/north')).body.data).toMatchObject({ zeroed_share_max: '0.125' })
    await picture('limits')

    await page.goto(at('?open=stock'))
    await window().getByRole('button', { name: 'Switch off' }).click()
    await window().getByRole('button', { name: 'Switch on' }).waitFor()
    await page.getByRole('row', { name: /stock/ }).getByText('switched off').waitFor()
    await window().getByRole('button', { name: 'Switch on' }).click()
    await window().getByRole('button', { name: 'Switch off' }).waitFor()

    // two people
    await window().getByRole('button', { name: 'Edit' }).click()
    await window().getByLabel('Time of day').fill('06:45')
    await http('/v1/account/suppliers/north/sources/stock', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ mode: 'delta' }),
    })
    await window().getByRole('button', { name: 'Save' }).click()
    await window().getByText('Somebody else changed this while you were editing').waitFor()
    await picture('conflict')
    await window().getByRole('button', { name: 'Keep mine' }).click()
    await window().getByRole('button', { name: 'Save' }).click()
    await window().getByText('On Mon, Tue, Wed, Thu, Fri and Sat at 06:45').waitFor()

    await window().getByRole('button', { name: 'Delete source' }).click()
    await window().last().getByText('Its credentials are deleted.').waitFor()
    await window().last().getByRole('button', { name: 'Delete source' }).click()
    await page.getByText('A source fetches the supplier’s files automatically.').waitFor()
    expect(chromium.faults).toEqual([])
  },
)

test('a source whose columns are mapped is switched on by that, unless another one stands in its way', async () => {
  const http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  const path = '/v1/account/suppliers/north/sources'
  const own = async (name: string) => (await http(`${path}/${name}`)).body.data
  await page.goto(at('?new=true'))
  await window().getByLabel('Name', { exact: true }).fill('list')
  await window().getByLabel('Address of the file').fill(`${server.url}/list.csv`)
  await window().getByRole('button', { name: 'Add source and map columns' }).click()
  const mapped = async () => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Code;Name;Price;Stock\nA-1;Spade;10,50;5\n'),
    })
    await page.getByRole('button', { name: 'Save the mapping' }).click()
  }
  await mapped()
  const message = page.getByText('The mapping of list was saved, and the source is switched on')
  await message.waitFor()
  expect(await own('list')).toMatchObject({ is_active: true, mapping: { fields: { sku: 'Code' } } })

  // messages do not cover controls, and Escape closes them
  const box = (await message.locator('..').boundingBox())!
  const content = (await page.locator('main').boundingBox())!
  expect(box.x + box.width).toBeLessThanOrEqual(content.x)
  await page.keyboard.press('Escape')
  await message.waitFor({ state: 'detached', timeout: 1_000 })

  await http(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'second',
      kind: 'http',
      url: `${server.url}/second.csv`,
      mapping: { fields: { sku: 'sku' } },
      is_active: false,
    }),
  })
  await page.goto(at('/import?source=second'))
  await mapped()
  await page.getByText('The mapping of second was saved, but the source stays switched off').waitFor()
  expect(await own('second')).toMatchObject({ is_active: false, mapping: { fields: { sku: 'Code' } } })
})

test('a page that cannot be loaded says so inside the frame', async () => {
  await page.goto(`${service.url}/panel/${account.accountId}/suppliers`)
  await page.getByRole('row', { name: /North/ }).waitFor()
  await page.route(/\/assets\/rates-.*\.js$/, (route) => route.abort())
  await page.evaluate(`history.pushState({}, '', '/panel/${account.accountId}/rates')`)
  await page.getByRole('button', { name: 'Reload' }).waitFor()
  expect(await page.locator('main').count()).toBe(1)
  expect(await page.locator('h1').count()).toBe(1)
  await page.getByRole('navigation').first().waitFor()
  await picture('failed-page')
})
