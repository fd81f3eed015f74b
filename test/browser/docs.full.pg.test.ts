import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'
import { expect, test } from 'vitest'
import { createDatabase } from '../harness/database.ts'
import { startTestService } from '../harness/service.ts'
import { ROUTES } from '../../contract/routes.ts'
import { GUIDES } from '../../src/serve/documentation/guides.ts'

test('/docs shows every route, guides fit every window, and nobody else is asked', { timeout: 180_000 }, async () => {
  await using database = await createDatabase()
  await using service = await startTestService(database)
  // the package unpacks its browser into the temporary directory, where another user's may lie already
  const unpacked = await mkdtemp(join(tmpdir(), 'shelfwire-browser-'))
  process.env['TMPDIR'] = unpacked
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 1_000 } })
    const foreign: string[] = []
    const faults: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    // what the page's own policy refuses is told on the console alone
    page.on('console', (message) => {
      if (/Content[- ]Security[- ]Policy/i.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${service.url}/docs`)
    // only the operations that are in sight are drawn
    const unseen = new Set(ROUTES.filter(({ isDocumented }) => isDocumented).map(({ summary }) => summary))
    const inSight = page.locator('.opblock-summary-description')
    await inSight.first().waitFor({ timeout: 60_000 })
    const isAtEnd = () => page.evaluate<boolean>('scrollY + innerHeight >= document.documentElement.scrollHeight - 1')
    for (let isLast = false; unseen.size > 0 && !isLast;) {
      isLast = await isAtEnd()
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      for (const text of await inSight.allInnerTexts()) unseen.delete(text)
      await page.evaluate('scrollBy(0, innerHeight / 2)')
    }
    expect([...unseen]).toEqual([])
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('Read the change feed', { exact: true }).click()
    await page
      .getByText('Second half of the cursor; 0 is the same as leaving it out.', { exact: true })
      .first()
      .waitFor()
    // a request from the page reaches the service
    await page.getByText('List the active stores', { exact: true }).click()
    const operation = page.locator('.opblock').filter({ hasText: 'List the active stores' })
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    await operation.locator('.live-responses-table').getByText('missing-token').first().waitFor()
    expect(foreign).toEqual([])
    expect(faults).toEqual([])
    await mkdir('tmp', { recursive: true })
    await page.screenshot({ path: 'tmp/docs.png' })
    expect(foreign).toEqual([])
    expect(faults).toEqual([])

    // without scripts, on a desk and on a phone: no page is wider than the window, and all are reached by links
    const reader = await browser.newPage({ javaScriptEnabled: false, colorScheme: 'dark' })
    for (const width of [1_280, 390]) {
      await reader.setViewportSize({ width, height: 900 })
      await reader.goto(service.url)
      await reader.getByRole('heading', { name: 'Shelfwire', level: 1 }).waitFor()
      expect(await reader.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await reader.screenshot({ path: `tmp/docs-home-${width}.png` })
      for (const path of ['guides', 'problems', ...GUIDES.map(({ name }) => `guides/${name}`)]) {
        await reader.goto(`${service.url}/docs/${path}`)
        await reader.locator('main h1').waitFor()
        const wide = await reader.evaluate<number>('document.documentElement.scrollWidth')
        expect([path, wide]).toEqual([path, width])
        await reader.screenshot({ path: `tmp/docs-${path.replace('/', '-')}-${width}.png` })
      }
    }
    await reader.getByText('Contents', { exact: true }).click()
    await reader.locator('header').getByText('The change feed', { exact: true }).click()
    await reader.waitForURL('**/docs/guides/feed')
  } finally {
    await browser.close()
    await rm(unpacked, { recursive: true, force: true })
  }
})
