import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { beyond, load, settled } from './settled.ts'
import { keepPicture } from './picture.ts'

// The checklist's last step opens the stock of a product, and then shows the delivery; languages are chosen by their names. The
// pictures are in tmp/panel.

const EMAIL = 'anna@example.com'
const WIDE = { width: 1_440, height: 900 }
const PHONE = { width: 390, height: 844 }

test(
  'the last step changes a product and shows the delivery, with and without products and endpoints',
  { timeout: 240_000 },
  async () => {
    expect(await buildPanel()).toBe(true)
    await mkdir('tmp/panel', { recursive: true })
    await using database = await createDatabase()
    const bench = openBench(database.db)
    const account = await createAccount(bench, 'Nordlicht')
    const { accountId } = account
    const personId = await makePerson(database.db, EMAIL, 'Anna')
    await makeMember(database.db, accountId, personId, EMAIL, 'owner')
    await using shop = await startReceiver()
    await using service = await startTestService(database, {
      roles: ['api', 'work'],
      env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8' },
    })
    await using chromium = await openChromium()
    const page = await (await chromium.context()).newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(`${service.url}/panel/profile`)
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/panel/profile')
    const at = (path: string) => `${service.url}/panel/${accountId}/${path}`
    const last = page.getByText('See a delivery arrive')

    // without either, one button creates a token and an endpoint
    await load(page, at('overview'))
    await page.getByRole('button', { name: 'Connect a shop now' }).click()
    await page.getByLabel('Webhook address').waitFor()
    expect(await last.count()).toBe(0)
    const create = (owner: number) =>
      service.runtime.endpoints.create(owner, {
        url: `${shop.url}/hook`,
        kinds: ['price', 'content', 'removed'],
        storeId: null,
      })
    // with an endpoint but without products, the step leads to an import
    const empty = await createAccount(bench, 'Leer')
    await makeMember(database.db, empty.accountId, personId, EMAIL, 'owner')
    await create(empty.accountId)
    await load(page, `${service.url}/panel/${empty.accountId}/overview`)
    await last.click()
    await page.waitForURL('**/suppliers')
    // with both, but without a delivery yet
    const [id = 0] = await giveOffers(bench, account, [offer('A-1')])
    await create(accountId)
    await load(page, at('overview'))
    await settled(page)
    await last.click()
    await page.waitForURL(`**/catalog/${id}?value=stock&arrival=true`)
    const panel = page.getByRole('dialog')
    await panel.locator('input[name=quantity]').waitFor()
    await keepPicture(page, 'last-step-stock')
    await panel.locator('input[name=quantity]').fill('41')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByText('Delivered to').waitFor()
    expect(shop.received.length).toBeGreaterThan(0)
    await keepPicture(page, 'last-step-arrived')

    // a language by its name; the form shows all its errors at once, with the most similar language
    await load(page, at('stores?new=true'))
    await panel.getByLabel('Short name').fill('PL!')
    await panel.getByLabel('Language').fill('aust')
    await page.getByRole('option', { name: 'Austrian German' }).waitFor()
    await keepPicture(page, 'pick-language')
    await page.getByRole('option', { name: 'Austrian German' }).click()
    expect(await panel.getByLabel('Language').inputValue()).toBe('de-AT')
    await panel.getByLabel('Language').fill('grman')
    await panel.getByLabel('Currency').fill('XXQ')
    await panel.getByRole('button', { name: 'Create store' }).click()
    await panel.getByText('did you mean "de"?').waitFor()
    expect(await panel.locator('[aria-invalid=true]').count()).toBe(4)
    await keepPicture(page, 'store-faults')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await keepPicture(page, 'unsaved-question')
    await page.context().close()

    const german = await (await chromium.context({ viewport: WIDE, locale: 'de-DE' })).newPage()
    await german.goto(`${service.url}/panel/profile`)
    await german.locator('input[name=email]').fill(EMAIL)
    await german.locator('input[name=password]').fill(PASSWORD)
    await german.keyboard.press('Enter')
    await german.waitForURL('**/panel/profile')
    for (const size of [WIDE, PHONE]) {
      await german.setViewportSize(size)
      await load(german, at(`catalog/${id}?arrival=true`))
      expect(await german.evaluate<number>('document.documentElement.scrollWidth'), await beyond(german)).toBe(
        size.width,
      )
      await keepPicture(german, `last-step-de-${size.width}`)
      await load(german, at('stores?new=true'))
      await german.getByRole('dialog').getByLabel('Sprache').fill('polni')
      await german
        .getByRole('option', { name: /Polnisch/ })
        .first()
        .waitFor()
      await keepPicture(german, `pick-language-de-${size.width}`)
      await german.getByRole('dialog').getByLabel('Sprache').press('Escape')
      await german.getByRole('dialog').getByLabel('Sprache').press('Escape')
      await german.getByRole('dialog', { name: 'Ohne Speichern verlassen?' }).waitFor()
      await keepPicture(german, `unsaved-de-${size.width}`)
      await german.getByRole('button', { name: 'Verwerfen' }).click()
    }
    expect(chromium.faults).toEqual([])
  },
)
