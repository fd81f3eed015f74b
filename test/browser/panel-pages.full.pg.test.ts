import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { createFullAccount } from './full-account.ts'

// Every page of the panel with as much data as an account may have: axe in both schemes, narrow and wide, and by keyboard. The
// pictures are in tmp/panel.

const EMAIL = 'anna@example.com'
let database: TestDatabase
let service: TestService
let chromium: Chromium
let axe: string
/** Name of the picture and address. */
let pages: [name: string, path: string][]
let link: string

beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  database = await createDatabase()
  service = await startTestService(database, {
    env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  const { accountId } = await createFullAccount(database, service)
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna Kowalska'), EMAIL, 'owner')
  chromium = await openChromium()
  const page = await signedIn({ width: 1_440 })
  const [delivery] = await database.db<{ id: string; endpointId: number; productId: number }[]>`
    select delivery_id as id, endpoint_id as "endpointId", (select min(product_id) from product where account_id = ${accountId}) as "productId"
    from delivery where account_id = ${accountId} and state = 'failed' limit 1`
  if (delivery === undefined) throw new Error('the account has no delivery')
  const { id, endpointId, productId } = delivery
  link = await makeLink(page, accountId, endpointId)
  const [rule] = await database.db<{ ruleId: number }[]>`
    select max(rule_id) as "ruleId" from pricing_rule where account_id = ${accountId}`
  const { ruleId = 0 } = rule ?? {}
  const account = `/panel/${accountId}`
  pages = [
    ['overview', `${account}/overview`],
    ['catalog', `${account}/catalog`],
    ['catalog-filtered', `${account}/catalog?search=a&store=main&stock=in&manufacturer=acme&columns=sku,ean,stores,id`],
    ['catalog-none', `${account}/catalog?excluded=yes&changed=hour&supplier=1&reason=${'long '.repeat(30)}`],
    ['product', `${account}/catalog/${productId}`],
    ['product-value', `${account}/catalog/${productId}?value=title&why=s0`],
    ['product-prices', `${account}/catalog/${productId}?tab=prices&stores=main,de,s0,s1,s2,s3`],
    ['product-changes', `${account}/catalog/${productId}?tab=changes`],
    ['grid', `${account}/catalog/grid`],
    ['grid-none', `${account}/catalog/grid?ids=999999999`],
    ['pricing', `${account}/pricing`],
    ['pricing-new', `${account}/pricing?new=true`],
    ['pricing-open', `${account}/pricing?open=${ruleId}`],
    ['pricing-exclusions', `${account}/pricing?tab=exclusion-rules`],
    ['pricing-exclusion-new', `${account}/pricing?tab=exclusion-rules&new=true`],
    ['pricing-assortment', `${account}/pricing?tab=assortment-rules`],
    ['pricing-assortment-new', `${account}/pricing?tab=assortment-rules&new=true`],
    ['endpoints', `${account}/endpoints`],
    ['new-endpoint', `${account}/endpoints?new=true`],
    ['endpoint', `${account}/endpoints/${endpointId}`],
    ['deliveries', `${account}/deliveries?endpoint=${endpointId}`],
    ['deliveries-none', `${account}/deliveries?endpoint=${endpointId}&event=removed`],
    ['delivery', `${account}/deliveries?endpoint=${endpointId}&delivery=${id}`],
    ['notices', `${account}/notices`],
    ['stores', `${account}/stores`],
    ['new-store', `${account}/stores?new=true`],
    ['store', `${account}/stores?open=s1`],
    ['groups', `${account}/groups`],
    ['rates', `${account}/rates`],
    ['rate', `${account}/rates?open=PLN`],
    ['suppliers', `${account}/suppliers`],
    ['supplier', `${account}/suppliers/north`],
    ['import', `${account}/suppliers/north/import`],
    ['source', `${account}/suppliers/north?open=catalog`],
    ['source-edit', `${account}/suppliers/north?open=catalog&edit=true`],
    ['new-source', `${account}/suppliers/north?new=true`],
    ['runs', `${account}/suppliers/north?tab=runs`],
    ['supplier-limits', `${account}/suppliers/north?tab=limits`],
    ['supplier-settings', `${account}/suppliers/north?tab=settings`],
    ...(await runPages(account, accountId)),
    ['source-orders', `${account}/source-orders`],
    ['source-order', `${account}/source-orders?open=title`],
    ['attributes', `${account}/attributes`],
    ['attribute', `${account}/attributes?open=color`],
    ['categories', `${account}/categories`],
    ['category', `${account}/categories?q=level%207`],
    ['supplier-paths', `${account}/categories?tab=paths`],
    ['stock', `${account}/stock`],
    ['stock-open', `${account}/stock?open=${productId}`],
    ['skus', `${account}/skus`],
    ['channels', `${account}/channels`],
    ['new-channel', `${account}/channels?new=true`],
    ['held-prices', `${account}/held-prices`],
    ['held-price', `${account}/held-prices?open=${productId}`],
    ['findings', `${account}/findings`],
    ['account', `${account}/account`],
    ['tokens', `${account}/tokens`],
    ['new-token', `${account}/tokens?new=true`],
    ['people', `${account}/people`],
    ['audit', `${account}/audit`],
    ['profile', '/panel/profile'],
    ['settings', '/panel/settings'],
    ['components', '/panel/components'],
    ['missing', '/panel/no/such/page'],
    ['missing-account', '/panel/999999/overview'],
  ]
  await mkdir('tmp/panel', { recursive: true })
}, 120_000)

afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** The page of a run in each state that the account has. */
async function runPages(account: string, accountId: number): Promise<[name: string, path: string][]> {
  const runs = await database.db<{ id: number; state: string }[]>`
    select run_id as id, state from import_run where account_id = ${accountId}`
  return runs.map(({ id, state }) => [`run-${state}`, `${account}/suppliers/north/runs/${id}`])
}

/** A page in a context of its own, signed in by hand. */
async function signedIn(options: { width: number; scheme?: 'light' | 'dark'; language?: string }): Promise<Page> {
  const { width, scheme = 'light', language = 'en-GB' } = options
  const context = await chromium.context({
    viewport: { width, height: width < 500 ? 844 : 900 },
    colorScheme: scheme,
    locale: language,
  })
  const page = await context.newPage()
  await page.goto(`${service.url}/panel/profile`)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
  return page
}

async function makeLink(page: Page, accountId: number, endpointId: number): Promise<string> {
  await page.goto(`${service.url}/panel/${accountId}/endpoints/${endpointId}`)
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('For whom').fill('Agency')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const text = await page.getByRole('dialog').locator('code').first().innerText()
  return new URL(text).pathname + new URL(text).hash
}

/** Goes to a page and waits until it shows what it has. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(service.url + path)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  // the page of the components shows what waiting looks like
  if (!path.endsWith('/components')) await until(page, "document.querySelector('[role=status][aria-label]') === null")
  // windows come in softly
  await until(page, "document.getAnimations().every((animation) => animation.playState !== 'running')")
}

/** Waits for a condition in the page. Evaluated from outside: the page's own policy allows no text to be run. */
async function until(page: Page, condition: string): Promise<void> {
  await expect.poll(() => page.evaluate(condition), { timeout: 10_000 }).toBe(true)
}

/** What axe finds, in short. It is run by the test's protocol: the page's own policy stays as it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations: found, passes } = await page.evaluate<AxeResults>(
    "axe.run({ resultTypes: ['violations', 'passes'] })",
  )
  expect(passes.length).toBeGreaterThan(8)
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}

describe.each([
  [1_440, 'light'],
  [1_440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('%i pixels, %s', (width, scheme) => {
  test('axe finds nothing on any page, and none is wider than the window', { timeout: 240_000 }, async () => {
    const page = await signedIn({ width, scheme })
    const wrong: [string, string[]][] = []
    const look = async (name: string, path: string) => {
      await open(page, path)
      await page.screenshot({ path: `tmp/panel/${name}-${width}-${scheme}.png` })
      const found = await violations(page)
      if (found.length > 0) wrong.push([name, found])
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (wide > width) wrong.push([name, [`is ${wide} pixels wide`]])
      expect(await page.evaluate('window.wasRun'), `${name} ran a text`).toBeUndefined()
    }
    for (const [name, path] of pages) await look(name, path)
    // for visitors
    await page.context().clearCookies()
    await look('sign-in', '/panel/sign-in')
    await look('forgotten-password', '/panel/forgotten-password')
    await look('link-ended', '/panel/link#nothing')
    await look('developer', link)
    await page.context().close()
    expect(wrong).toEqual([])
    expect(chromium.faults).toEqual([])
  })
})

test('German and Polish fit on a phone, on every page', { timeout: 240_000 }, async () => {
  for (const language of ['de-DE', 'pl-PL']) {
    const page = await signedIn({ width: 390, language })
    for (const [name, path] of pages) {
      await open(page, path)
      await page.screenshot({ path: `tmp/panel/${name}-390-${language}.png` })
      expect(await page.evaluate('document.documentElement.lang')).toBe(language.slice(0, 2))
      expect([name, language, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([
        name,
        language,
        390,
      ])
    }
    await page.context().close()
  }
})

test('every page is reached by keyboard alone, and what has the focus is seen', { timeout: 120_000 }, async () => {
  const page = await signedIn({ width: 1_440 })
  await open(page, '/panel/profile')
  const names = await page.getByRole('navigation').getByRole('link').allInnerTexts()
  expect(names.length).toBeGreaterThan(9)
  for (const name of names) {
    await page.goto(`${service.url}/panel/settings`)
    await page.locator('h1').waitFor()
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      const isThere = await page.evaluate(
        `document.activeElement.tagName === 'A' && document.activeElement.textContent.trim() === ${JSON.stringify(name)}`,
      )
      if (isThere) break
    }
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect([name, outline]).toEqual([name, 'solid'])
    await page.keyboard.press('Enter')
    await until(
      page,
      `document.activeElement.tagName !== 'A' || document.activeElement.textContent.trim() === 'Panel settings'`,
    )
    await page.locator('h1').waitFor()
  }
  // lists: the row by arrows, its details by Enter, back by Escape
  const deliveries = pages.find(([name]) => name === 'deliveries')?.[1] ?? ''
  await open(page, deliveries)
  await page.locator('tbody tr[tabindex="0"]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await until(page, "Number(document.activeElement.getAttribute('data-index')) > 50")
  await page.keyboard.press('Home')
  await until(page, "document.activeElement.getAttribute('data-index') === '0'")
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Answer of the receiver').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.context().close()
})

/** What has the focus: the name it is known by, and whether it is seen. */
async function focused(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return await page.evaluate(`(() => {
    const element = document.activeElement
    const style = getComputedStyle(element)
    return {
      name: element === document.body ? 'nothing' : element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent.trim(),
      // a field shows it by its border, a title after a change of page by nothing
      isSeen: style.outlineStyle === 'solid' || /^(INPUT|H1|SELECT)$/.test(element.tagName),
    }
  })()`)
}

/** Waits until the focus is where it belongs. */
async function focusIs(page: Page, name: string | RegExp): Promise<void> {
  const wanted = typeof name === 'string' ? name : expect.stringMatching(name)
  await expect.poll(() => focused(page), { timeout: 10_000 }).toEqual({ name: wanted, isSeen: true })
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused(page)).name === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} is not reached by Tab`)
}

test('whole flows by keyboard alone: the focus is always somewhere, and seen', { timeout: 120_000 }, async () => {
  const page = await signedIn({ width: 1_440 })
  const path = (name: string) => pages.find(([known]) => known === name)?.[1] ?? ''
  const search = 'A page, an action, a title, SKU, EAN or product ID'
  // an action of the palette, a secret that is shown once, and its row's menu
  await open(page, path('overview'))
  await page.keyboard.press('Control+k')
  await focusIs(page, search)
  await page.keyboard.type('create a token')
  await page.getByText('Create a token').last().waitFor()
  await page.keyboard.press('Enter')
  await focusIs(page, 'name')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Copy the token')
  // it is not lost by Escape
  await page.keyboard.press('Escape')
  await focusIs(page, 'Copy the token')
  await tabTo(page, 'I have stored it')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Tokens')
  await tabTo(page, 'Actions of By keyboard')
  await page.keyboard.press('Enter')
  await until(page, `document.activeElement.closest('[role="menu"]') !== null`)
  await page.keyboard.press('ArrowDown')
  await focusIs(page, 'Rotate')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Close')
  await page.keyboard.press('Escape')
  await focusIs(page, 'Actions of By keyboard')
  // a product by its SKU
  await page.keyboard.press('Control+k')
  await focusIs(page, search)
  await page.keyboard.type('A-3')
  await page.getByRole('button', { name: 'Article A-3' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/catalog\/\d+$/)
  await focusIs(page, 'Article A-3')
  // the search by its key, which types nothing; a result by Enter; back to what was searched
  await open(page, path('catalog'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('/')
  await focusIs(page, 'Title, SKU, EAN, manufacturer or product ID')
  await page.keyboard.press('/')
  await page.keyboard.type('A-3')
  await page.getByText('1 product', { exact: true }).waitFor()
  expect(await page.locator('input[type=search]').inputValue()).toBe('A-3')
  await page.keyboard.press('ArrowDown')
  await focusIs(page, /^Article A-3/)
  await page.keyboard.press('Enter')
  await focusIs(page, 'Article A-3')
  await page.goBack()
  await focusIs(page, 'Title, SKU, EAN, manufacturer or product ID')
  // beside a list, and back in its row
  await open(page, path('deliveries'))
  await page.locator('tbody tr[tabindex="0"]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Close')
  await page.keyboard.press('Escape')
  await until(page, "document.activeElement.getAttribute('data-index') === '1'")
  await page.context().close()
})

test('what is not there, not reached or has ended is said, with a way on', { timeout: 120_000 }, async () => {
  const page = await signedIn({ width: 1_440 })
  const account = pages[0]?.[1].replace(/\/overview$/, '') ?? ''
  await open(page, `${account}/catalog/987654321`)
  await page.getByText('This account has no product 987654321').waitFor()
  await page.getByRole('link', { name: 'Search products' }).waitFor()
  await open(page, `${account}/endpoints/987654321`)
  await page.getByRole('alert').getByText('Not found').waitFor()
  // trying again would not help
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  // a lost network is told by what was asked for, and not waited for
  await open(page, `${account}/catalog`)
  await page.context().setOffline(true)
  await page.keyboard.type('lost')
  await page.getByRole('alert').getByText('The service does not answer').waitFor({ timeout: 20_000 })
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No product matches.').waitFor()
  // a session that ended elsewhere; the page is come back to
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('heading', { name: 'Account' }).first().waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByText('Your session has ended. Sign in again to continue.').waitFor()
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'People' }).waitFor()
  await page.context().close()
})
