import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createDatabase } from '../harness/database.ts'
import { startTestService, tokenFor } from '../harness/service.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { HAS_PICTURES, keepPicture } from './picture.ts'
import { ROUTES } from '../../contract/routes.ts'
import { GUIDES } from '../../src/serve/documentation/guides.ts'

test('/docs shows every route, guides fit every window, and nobody else is asked', { timeout: 180_000 }, async () => {
  await using database = await createDatabase()
  await using service = await startTestService(database)
  const account = await createAccount(service.runtime)
  const { accountId } = account
  const description = `<p>${'So many words. '.repeat(3_000)}</p>`
  const texts = { en: { title: 'Article', description } }
  await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 60 }, (_, n) => offer(`ART-${n}`, { texts })),
  )
  const token = await tokenFor(service.runtime, accountId)
  await using chromium = await openChromium()
  const context = await chromium.context({ viewport: { width: 1_280, height: 1_000 } })
  const page = await context.newPage()
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  await page.goto(`${service.url}/docs`)
  const shown = new Set(await page.locator('.operations a').allInnerTexts())
  expect(ROUTES.filter(({ isDocumented, summary }) => isDocumented && !shown.has(summary))).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.getByText('Read the change feed', { exact: true }).click()
  await page.getByText('Second half of the cursor; 0 by default.', { exact: true }).waitFor()
  // a language chosen on one page is also chosen on the next
  await page.getByText('Python', { exact: true }).click()
  await page.goto(`${service.url}/docs/api/listStores`)
  await page.getByText('from shelfwire import Client').waitFor()
  expect(await page.getByText("from '@shelfwire/client'").isVisible()).toBe(false)
  // a request from the page reaches the service, without a token and with one, which the tab remembers
  const send = async () => {
    await page.getByText('Try it', { exact: true }).click()
    await page.getByRole('button', { name: 'Send GET' }).click()
  }
  await send()
  await page.locator('output').getByText('missing-token').waitFor()
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Send GET' }).click()
  await page.locator('output').getByText('200 OK').waitFor()
  expect(await violations(page)).toEqual([])
  await page.goto(`${service.url}/docs/api/listCustomerGroups`)
  await send()
  await page.locator('output').getByText('200 OK').waitFor()
  // of a very long answer only the part that is shown is read
  await page.goto(`${service.url}/docs/api/exportProducts`)
  await send()
  await page
    .locator('output')
    .getByText(/200 OK · [\d,]+ ms · the first [\d,]+ characters/)
    .waitFor()
  // guides and reference are searched together
  await page.getByRole('searchbox').fill('change feed')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Read the change feed', exact: true }).waitFor()
  await page.getByRole('link', { name: 'The change feed', exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
  expect(foreign).toEqual([])
  expect(chromium.faults).toEqual([])
  await mkdir('tmp', { recursive: true })
  await keepPicture(page, 'docs')
  expect(foreign).toEqual([])
  expect(chromium.faults).toEqual([])

  // without scripts, on a desktop and on a phone: no page is wider than the window, and links lead to all
  const reader = await (await chromium.context({ javaScriptEnabled: false, colorScheme: 'dark' })).newPage()
  for (const width of [1_280, 390]) {
    await reader.setViewportSize({ width, height: 900 })
    await reader.goto(service.url)
    await reader.getByRole('heading', { name: 'Shelfwire', level: 1 }).waitFor()
    expect(await reader.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    if (HAS_PICTURES) await reader.screenshot({ path: `tmp/docs-home-${width}.png` })
    for (const path of ['guides', 'problems', ...GUIDES.map(({ name }) => `guides/${name}`)]) {
      await reader.goto(`${service.url}/docs/${path}`)
      await reader.locator('main h1').waitFor()
      const wide = await reader.evaluate<number>('document.documentElement.scrollWidth')
      expect([path, wide]).toEqual([path, width])
      if (HAS_PICTURES) await reader.screenshot({ path: `tmp/docs-${path.replace('/', '-')}-${width}.png` })
    }
  }
  await reader.getByText('Contents', { exact: true }).click()
  await reader.locator('header').getByText('The change feed', { exact: true }).click()
  await reader.waitForURL('**/docs/guides/feed')
})
