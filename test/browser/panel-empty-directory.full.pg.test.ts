import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { openCommands } from '../harness/command.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'
import { PASSWORD, tokenOf } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { LIST, list, ROWS } from './price-list.ts'

// From an empty directory to a product with its price in a shop, without any command besides the start: the link that the start prints, three
// steps in the panel, and the curl that is shown with a token. Clicks are counted.

beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const directory = directoryOfFile('empty-directory')
const { database } = worldOfFile()
const chromium = ofFile(openChromium)

/** Starts the service as its operator does; resolves with what it greets with. */
async function start() {
  const child = openCommands(database, directory).start(['start'], { PORT: '0', DEMO: 'no', SECRET_KEY: TEST_KEY })
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

test('an empty directory becomes a product with its price in a shop, in a few clicks and without a command', async () => {
  await mkdir('tmp/panel', { recursive: true })
  const first = await start()
  expect(first.link).toBeDefined()
  await first.stop()
  // the next start prints another one, and the one before is as good
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
    await page.screenshot({ path: `tmp/panel/empty-${name}.png`, fullPage: true })
    expect([name, await violations(page)]).toEqual([name, []])
  }

  // the sign-in says where the link is
  await page.goto(`${service.url}/panel`)
  await page.getByText('Nobody has an account here yet').waitFor()
  await page.goto(service.link!)
  await page.getByRole('heading', { name: 'Become the first owner' }).waitFor()
  await picture('1-first-owner')
  // the browser's language has proposed the rest
  expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('GBP')
  await page.getByLabel('Name of the account').fill('Nordlicht')
  await page.getByRole('combobox', { name: 'Currency' }).fill('EUR')
  await page.getByRole('combobox', { name: 'Language' }).fill('de')
  await page.getByLabel('E-mail address').fill('anna@example.com')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await click(page.getByRole('button', { name: 'Open the account' }))
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
  await page.getByRole('heading', { name: 'Import a file of Nordhandel' }).waitFor()
  await page.getByRole('region', { name: 'The offer that comes of it' }).getByText('Hammer 0000').waitFor()
  // the next step is in sight, however long the mapping is
  const check = page.getByRole('button', { name: 'Check and compare' })
  const { y = Infinity, height = 0 } = (await check.boundingBox()) ?? {}
  expect(await page.evaluate<number>('scrollY')).toBe(0)
  expect(y + height).toBeLessThan(900)
  await page.getByRole('button', { name: /^Show \d+ more fields$/ }).waitFor()
  await click(check)
  await click(page.getByRole('button', { name: `Import (${ROWS + 2} offers change)` }))
  await page.getByText(/^Imported: /).waitFor({ timeout: 40_000 })
  await click(page.getByRole('navigation').getByRole('link', { name: 'Overview', exact: true }))
  await page.getByText('2 of 3 done').waitFor({ timeout: 50_000 })
  await picture('4-prices')
  await click(page.getByRole('link', { name: 'Show your products' }))
  // 10.50 and a quarter
  await rowOf(page, 'Hammer 0000').getByText('13.13').waitFor()
  await picture('5-products')
  await page.goBack()
  await click(page.getByRole('link', { name: 'Create a token' }).last())
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Web shop')
  await click(dialog.getByRole('button', { name: 'Create token' }))
  const shown = dialog.filter({ hasText: 'shown only now' })
  await shown.waitFor()
  await picture('6-token')
  const token = await shown.locator('code').first().innerText()
  // the shop's curl
  const answer = await fetch(`${service.url}/v1/products?sku=N-0000&store=main`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { title: string; prices: { computed_price: number }[] }[] }
  expect(data.map(({ title, prices }) => [title, prices[0]?.computed_price])).toEqual([['Hammer 0000', 13.13]])
  expect(clicks).toBe(8)
  // from there it goes on with the steps: what was read is seen, and an endpoint is a click and a form away
  await click(shown.getByRole('button', { name: 'I have stored it' }))
  await page.getByRole('heading', { name: 'Connect a shop' }).waitFor()
  await click(page.getByRole('link', { name: 'Create an endpoint' }))
  await dialog.getByLabel('Address of the receiver').waitFor()
  await page.keyboard.press('Escape')

  // the steps may be left, and gone on with
  await page.getByRole('navigation').getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Three steps to your first shop: 2 of 3 done.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Go on with them' }).click()
  await page.getByRole('heading', { name: 'Connect a shop' }).waitFor()

  // a store in another language than the file: the steps say why products have no title, and what to do
  const said = page.getByText(/\d+ products have no title in the language of/)
  expect(await said.count()).toBe(0)
  const { json } = openCommands(database, directory)
  await json('account edit --account 1 --locale en')
  await json('store edit --account 1 --store 1 --locale en')
  await said.waitFor({ timeout: 60_000 })
  await picture('7-untitled')
  await page.getByRole('link', { name: 'Show texts of other languages' }).click()
  await page.getByLabel('Show texts of other languages').waitFor()

  // the link is over, and says what to do
  const stranger = await (await chromium.context({ locale: 'en-GB' })).newPage()
  for (const token of [tokenOf(service.link!), tokenOf(first.link!)]) {
    await stranger.goto(`${service.url}/panel/link#${token}`)
    await stranger.getByText('This link has ended').waitFor()
    await stranger.getByText('there is an account now').waitFor()
    await stranger.goto('about:blank')
  }
  await service.stop()
  const last = await start()
  expect(last.link).toBeUndefined()
  await last.stop()
  expect(chromium.faults).toEqual([])
}, 240_000)

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
