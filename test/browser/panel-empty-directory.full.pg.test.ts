import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { verifies } from '../../src/outbound/signature.ts'
import { must } from '../../src/platform/must.ts'
import { openCommands } from '../harness/command.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startReceiver } from '../harness/receiver.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'
import { PASSWORD, tokenOf } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { LIST, list, ROWS } from './price-list.ts'
import { keepPicture } from './picture.ts'

// From an empty directory to a shop that reads products and receives changes, without any command besides the start: by the
// link that the start prints, and three steps in the panel. Clicks are counted.

beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const directory = directoryOfFile('empty-directory')
const { database } = worldOfFile()
const chromium = ofFile(openChromium)
const receiver = ofFile(startReceiver)

/** Starts the service as its operator does. @returns the process, with the address and the link that it prints. */
async function start() {
  const child = openCommands(database, directory).start(['start'], {
    PORT: '0',
    DEMO: 'no',
    SECRET_KEY: TEST_KEY,
    OUTBOUND_ALLOW: '127.0.0.0/8',
  })
  let printed = ''
  child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('Stop with Ctrl-C')
  return {
    printed,
    link: /http\S+\/panel\/link#\S+/.exec(printed)?.[0],
    url: /http:\/\/127\.0\.0\.1:\d+(?=\/panel)/.exec(printed)?.[0] ?? '',
    async stop() {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    },
  }
}

test('an empty directory becomes a connected shop with a delivery that was seen, in four clicks and without a command', async () => {
  await mkdir('tmp/panel', { recursive: true })
  const first = await start()
  expect(first.link).toBeDefined()
  await first.stop()
  // the next start prints another link, and the earlier one still works
  const service = await start()
  expect([service.link === undefined, service.link === first.link]).toEqual([false, false])
  onTestFailed(() => service.stop())

  const page = await (await chromium.context({ locale: 'en-GB' })).newPage()
  page.setDefaultTimeout(20_000)
  let clicks = 0
  const click = async (what: Locator) => {
    await what.click()
    clicks++
  }
  const picture = async (name: string) => {
    await keepPicture(page, `empty-${name}`, { fullPage: true })
    expect([name, await violations(page)]).toEqual([name, []])
  }

  // the sign-in says where the link is
  await page.goto(`${service.url}/panel`)
  await page.getByText('There is no account here yet').waitFor()
  await page.goto(service.link!)
  await page.getByRole('heading', { name: 'Become the first owner' }).waitFor()
  await picture('1-first-owner')
  // the other fields are filled in by the browser's language
  expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('GBP')
  await page.getByLabel('Account name').fill('Nordlicht')
  await page.getByRole('combobox', { name: 'Currency' }).fill('EUR')
  await page.getByRole('combobox', { name: 'Language' }).fill('de')
  await page.getByLabel('E-mail address').fill('anna@example.com')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await click(page.getByRole('button', { name: 'Create account' }))
  await page.locator('input[name=password][aria-invalid=true]').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')

  // three steps
  await page.getByRole('heading', { name: 'Three steps to your first shop' }).waitFor()
  await page.getByText('0 of 3 done').waitFor()
  await picture('2-three-steps')
  clicks = 0
  await page.locator('input[type=file]').setInputFiles({
    name: 'Nordhandel_Preisliste.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(list(LIST)),
  })
  // the file dialog of the browser
  clicks++
  expect(await page.getByLabel('Whose file is it?').inputValue()).toBe('Nordhandel Preisliste')
  await page.getByLabel('Whose file is it?').fill('Nordhandel')
  await picture('3-whose-file')
  await click(page.getByRole('button', { name: 'Read the file' }))
  // the file needs no questions: it is compared at once, and the mapping of its columns is shown before the import
  const whole = page.getByRole('button', { name: `Import (${ROWS + 2} offers change)` })
  await whole.waitFor({ timeout: 40_000 })
  const readAs = page.getByRole('region', { name: 'How the file is read' })
  for (const column of ['Artikelnummer', 'Bezeichnung', 'EK-Preis', 'Bestand']) await readAs.getByText(column).waitFor()
  await picture('4-compared')
  await click(whole)
  // back at the steps, which show the products with their prices
  await page.getByText('2 of 3 done').waitFor({ timeout: 50_000 })
  const shop = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Connect a shop' }) })
  // 10.50 plus 25 %
  await page.getByRole('listitem').filter({ hasText: 'Hammer 0000' }).getByText('13.13').waitFor()
  await picture('5-prices')
  expect(clicks).toBe(3)

  // the steps can be left and continued
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Three steps to your first shop: 2 of 3 done.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Continue setup' }).click()
  await shop.waitFor()

  // a store in another language than the file: the steps say why products have no title, and what to do
  const said = page.getByText(/\d+ products have no title in the language of/)
  expect(await said.count()).toBe(0)
  const { json } = openCommands(database, directory)
  await json('account edit --account 1 --locale en')
  await json('store edit --account 1 --store 1 --locale en')
  await said.waitFor({ timeout: 60_000 })
  await picture('5-untitled')
  await page.getByRole('link', { name: 'Show texts in other languages' }).click()
  await page.getByLabel('Show texts in other languages').waitFor()
  await json('account edit --account 1 --locale de')
  await json('store edit --account 1 --store 1 --locale de')
  await page.getByRole('navigation').getByRole('link', { name: 'Overview', exact: true }).click()

  // one form and one button make a token and an endpoint, and send the first delivery; its receiver is not running yet
  const address = new URL('/hook', receiver.url).href
  await shop.getByLabel('Webhook address').fill('ftp://shop.example')
  await page.keyboard.press('Enter')
  await shop.locator('input[name=url][aria-invalid=true]').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  receiver.answer = { status: 503 }
  await shop.getByLabel('Webhook address').fill(address)
  await click(shop.getByRole('button', { name: 'Connect the shop' }))
  const shown = page.getByRole('dialog').filter({ hasText: 'shown only now' })
  await shown.getByText('Not received yet: HTTP 503').waitFor()
  await picture('6-not-yet')
  receiver.answer = { status: 204 }
  // without a click
  await shown.getByText('Received: the receiver answered with HTTP 204').waitFor()
  await picture('7-connected')
  // the most clicks from an empty account to the first delivery: docs/decisions/242-a-shop-is-connected-in-one-step.md
  expect(clicks).toBe(4)
  const [token = '', secret = ''] = await shown.locator('code').allInnerTexts()
  const { headers, body } = must(receiver.received.at(-1))
  expect(verifies(secret, String(headers['x-service-timestamp']), body, String(headers['x-service-signature']))).toBe(
    true,
  )
  // token and secret are not lost by Escape, the close button or the browser's back
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Leave before storing this?' })
  for (const leave of [
    () => shown.getByRole('button', { name: 'Close' }).click(),
    () => page.evaluate('history.back()'),
  ]) {
    await leave()
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await shown.locator('code').first().innerText()).toBe(token)
  }
  // instructions for receiving changes
  await shown.getByRole('tab', { name: 'Receive changes' }).click()
  await shown.getByText(`npx shelfwire listen --url ${address}`).waitFor()
  await shown.getByRole('tab', { name: 'Follow changes' }).click()
  await shown.getByText('@shelfwire/client/targets/sqlite').waitFor()
  await picture('8-follow')
  // the token reads products without their costs
  const read = async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const text = await (await fetch(`${service.url}/v1/products?sku=N-0000&store=main`, { headers })).text()
    const { data } = JSON.parse(text) as { data: { title: string; prices: { computed_price: number }[] }[] }
    return [data.map(({ title, prices }) => [title, prices[0]?.computed_price]), text.includes('base_cost')]
  }
  await expect.poll(read, { timeout: 20_000 }).toEqual([[['Hammer 0000', 13.13]], false])
  // the window shows the first read while it is open, and keeps showing its secrets
  await expect
    .poll(() => page.getByRole('heading', { name: 'Connect a shop', includeHidden: true }).count(), { timeout: 50_000 })
    .toBe(0)
  expect(await shown.locator('code').allInnerTexts()).toContain(token)
  await click(shown.getByRole('button', { name: 'I have stored them' }))
  expect(clicks).toBe(5)
  await shown.waitFor({ state: 'detached' })
  expect([await page.content()].filter((html) => html.includes(token) || html.includes(secret))).toEqual([])

  // the link no longer works, and says what to do
  const stranger = await (await chromium.context({ locale: 'en-GB' })).newPage()
  for (const token of [tokenOf(service.link!), tokenOf(first.link!)]) {
    await stranger.goto(`${service.url}/panel/link#${token}`)
    await stranger.getByText('This link no longer works').waitFor()
    await stranger.getByText('an account exists now').waitFor()
    await stranger.goto('about:blank')
  }
  await service.stop()
  const last = await start()
  expect(last.link).toBeUndefined()
  await last.stop()
  expect(chromium.faults).toEqual([])
}, 240_000)
