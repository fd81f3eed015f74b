import { mkdir } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { TEST_KEY } from '../harness/delivering.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { tokenRequestsInsert, tokenRequestsPage } from '../../src/accounts/token-requests.sql.ts'
import { createVariantGroup } from '../../src/catalog/products/variants/variant-groups.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { everyNth, inTurn } from '../harness/gate.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { COLOUR_RULES, violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { createFullAccount } from './full-account.ts'
import { beyond, go, load, settled, until } from './settled.ts'
import { HAS_PICTURES } from './picture.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Every page of the panel with as much data as an account may have: checked by axe in both colour schemes, on a desktop and on a
// phone, in three languages, and by keyboard. A page is loaded once and checked in each way. With SHELFWIRE_PICTURES=1 the
// pictures are in tmp/panel.

const EMAIL = 'anna@example.com'
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { database, service } = worldOfFile({
  service: {
    env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', ACCOUNTS_PER_PERSON: '9' },
  },
})
const chromium = ofFile(openChromium)
/** Name of the picture and address. */
let pages: [name: string, path: string][]
let link: string
/** Cookies of somebody who is signed in. */
let cookies: Awaited<ReturnType<BrowserContext['storageState']>>
const WIDE = { width: 1_440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The ways in which pages are checked; a gate checks each page in one of the four, chosen by its seed. */
const WAYS = everyNth(
  [
    { viewport: WIDE, scheme: 'light' },
    { viewport: WIDE, scheme: 'dark' },
    { viewport: PHONE, scheme: 'dark' },
    { viewport: PHONE, scheme: 'light' },
  ] as const,
  4,
)
/** Pages that are open at a time. */
const AT_ONCE = 2

beforeAll(async () => {
  const { accountId } = await createFullAccount(database, service)
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna Kowalska'), EMAIL, 'owner')
  const page = await (await chromium.context()).newPage()
  await page.goto(`${service.url}/panel/profile`)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
  cookies = await page.context().storageState()
  const [delivery] = await database.db<{ id: string; endpointId: number; productId: number }[]>`
    select delivery_id as id, endpoint_id as "endpointId", (select min(product_id) from product where account_id = ${accountId}) as "productId"
    from delivery where account_id = ${accountId} and state = 'failed' limit 1`
  if (delivery === undefined) throw new Error('the account has no delivery')
  const { id, endpointId, productId } = delivery
  link = await makeLink(page, accountId, endpointId)
  const [rule] = await database.db<{ ruleId: number }[]>`
    select max(rule_id) as "ruleId" from pricing_rule where account_id = ${accountId}`
  const { ruleId = 0 } = rule ?? {}
  const { value: variantGroupId } = await inTransaction(database.db, (tx) =>
    createVariantGroup(tx, accountId, {
      title: { en: 'Tee' },
      options: [{ key: 'size', labels: { en: 'Size' } }],
      products: [{ productId, options: { size: 'M' } }],
    }),
  )
  const account = `/panel/${accountId}`
  pages = [
    ['overview', `${account}/overview`],
    ['catalog', `${account}/catalog`],
    ['catalog-filtered', `${account}/catalog?search=a&store=main&stock=in&manufacturer=acme&columns=sku,ean,stores,id`],
    ['catalog-lines', `${account}/catalog?together=yes&sort=id`],
    ['catalog-none', `${account}/catalog?excluded=yes&changed=hour&supplier=1&reason=${'long '.repeat(30)}`],
    ['product', `${account}/catalog/${productId}`],
    ['product-value', `${account}/catalog/${productId}?value=title&why=s0`],
    ['product-prices', `${account}/catalog/${productId}?tab=prices&stores=main,de,s0,s1,s2,s3`],
    ['product-changes', `${account}/catalog/${productId}?tab=changes`],
    ['variant-group', `${account}/catalog/groups/${variantGroupId}`],
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
    ['tax classes', `${account}/tax-classes`],
    ['tax class', `${account}/tax-classes?open=standard`],
    ['price-lists', `${account}/price-lists`],
    ['new-price-list', `${account}/price-lists?new=true`],
    ['price-list', `${account}/price-lists/season`],
    ['price-list-empty', `${account}/price-lists/empty`],
    ['price-list-settings', `${account}/price-lists/season?open=settings`],
    ['price-list-entry', `${account}/price-lists/season?open=entry`],
    ['price-list-file', `${account}/price-lists/season?open=file`],
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
    ['notice-channels', `${account}/notice-channels`],
    ['new-notice-channel', `${account}/notice-channels?new=true`],
    ['held-prices', `${account}/held-prices`],
    ['held-price', `${account}/held-prices?open=${productId}`],
    ['findings', `${account}/findings`],
    ['account', `${account}/account`],
    ['tokens', `${account}/tokens`],
    ['new-token', `${account}/tokens?new=true`],
    ...(await tokenPages(account, accountId)),
    ['people', `${account}/people`],
    ['limits', `${account}/limits`],
    ['audit', `${account}/audit`],
    ['new-account', '/panel/new-account'],
    ['profile', '/panel/profile'],
    ['settings', '/panel/settings'],
    ['components', '/panel/components'],
    ['missing', '/panel/no/such/page'],
    ['missing-account', '/panel/999999/overview'],
  ]
  await page.context().close()
  await mkdir('tmp/panel', { recursive: true })
}, 120_000)

/** The page of a run in each state that the account has. */
async function runPages(account: string, accountId: number): Promise<[name: string, path: string][]> {
  const runs = await database.db<{ id: number; state: string }[]>`
    select run_id as id, state from import_run where account_id = ${accountId}`
  return runs.map(({ id, state }) => [`run-${state}`, `${account}/suppliers/north/runs/${id}`])
}

/** The page of a token with requests, with one request open, and with a filter that leaves none. */
async function tokenPages(account: string, accountId: number): Promise<[name: string, path: string][]> {
  const { tokenId } = await inTransaction(database.db, (tx) =>
    createToken(tx, { accountId, access: 'connector', name: 'Shop' }),
  )
  const row = { accountId, tokenId, method: 'GET', at: new Date(), durationMs: 12, requestId: crypto.randomUUID() }
  const answers = [
    { route: '/v1/products/{id}', address: '/v1/products/1?store=main', status: 200, code: null, leftOut: 0 },
    { route: null, address: `/v1/${'long-'.repeat(90)}`, status: 404, code: 'unknown-route', leftOut: 120 },
  ]
  await tokenRequestsInsert(
    database.db,
    answers.map((answer) => ({ ...row, ...answer })),
  )
  const [last] = await tokenRequestsPage(database.db, accountId, tokenId, { before: undefined, failed: true, limit: 1 })
  const page = `${account}/tokens/${tokenId}`
  return [
    ['token', page],
    ['token-request', `${page}?failed=true&request=${last?.number}`],
  ]
}

/** A page in a context of its own, of somebody who is signed in. */
async function signedIn(options: { viewport?: typeof WIDE; language?: string } = {}): Promise<Page> {
  const { viewport = WIDE, language = 'en-GB' } = options
  return await (await chromium.context({ viewport, locale: language, storageState: cookies })).newPage()
}

/** Runs `work` for each entry of a list, in several pages of one context, which is then closed. */
async function withPages<T>(
  first: Page,
  list: readonly T[],
  work: (page: Page, entry: T) => Promise<void>,
): Promise<void> {
  const waiting = list.values()
  const others = Array.from({ length: AT_ONCE - 1 }, () => first.context().newPage())
  await Promise.all(
    [first, ...(await Promise.all(others))].map(async (page) => {
      for (const entry of waiting) await work(page, entry)
    }),
  )
  await first.context().close()
}

async function makeLink(page: Page, accountId: number, endpointId: number): Promise<string> {
  await page.goto(`${service.url}/panel/${accountId}/endpoints/${endpointId}`)
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Agency')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const text = await page.getByRole('dialog').locator('code').first().innerText()
  return new URL(text).pathname + new URL(text).hash
}

/** A script that finds labels and selected tabs that are partly outside of the window. */
const BESIDE = `[...document.querySelectorAll('label, [role=tab][aria-selected=true]')].filter((element) => {
  const words = document.createRange()
  words.selectNodeContents(element)
  const { left, right, width } = (element.role === 'tab' ? element : words).getBoundingClientRect()
  const isMoved = element.role !== 'tab' && element.closest('[class*=scroll], table, [class*=frame], [role=grid]') !== null
  return width > 0 && !isMoved && (left < -1 || right > innerWidth + 1)
}).map((element) => element.textContent.slice(0, 80))`

/** A script that finds numbers that people do not want to read: those with more than four decimals, and ids of runs. */
const UNREAD = `document.body.innerText.match(/[^\\n]*(?:\\d[.,]\\d{5,}(?!\\d*[Z:])|\\bRun \\d+\\b)[^\\n]*/g) ?? []`

const open = (page: Page, path: string) => load(page, service.url + path)
/** Opens a path as a link does, without loading the panel again, so that axe stays in the page. */
const visit = (page: Page, path: string) => (page.url() === 'about:blank' ? open(page, path) : go(page, path))

test(
  'axe finds nothing on any page, in both schemes, wide and on a phone, and none is wider than the window',
  {
    timeout: 300_000,
  },
  async () => {
    const wrong: [string, string[]][] = []
    const look = async (page: Page, [name, path]: [name: string, path: string]) => {
      await page.setViewportSize(WIDE)
      await page.emulateMedia({ colorScheme: 'light' })
      await visit(page, path)
      for (const { viewport, scheme } of WAYS) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme: scheme })
        await until(page, `document.documentElement.dataset.mantineColorScheme === '${scheme}'`)
        await settled(page)
        const way = `${name}-${viewport.width}-${scheme}`
        if (HAS_PICTURES) await page.screenshot({ path: `tmp/panel/${way}.png` })
        // the dark scheme has the same elements and names, so only colours are checked
        const found = await violations(page, scheme === 'light' ? '{}' : COLOUR_RULES)
        if (found.length > 0) wrong.push([way, found])
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
        const unread = await page.evaluate<string[]>(UNREAD)
        if (unread.length > 0) wrong.push([way, unread])
        if (wide > viewport.width) wrong.push([way, [`is ${wide} pixels wide: ${await beyond(page)}`]])
      }
      expect(await page.evaluate('window.wasRun'), `${name} ran a text`).toBeUndefined()
    }
    await withPages(await signedIn(), pages, look)
    const forVisitors: typeof pages = [
      ['sign-in', '/panel/sign-in'],
      ['forgotten-password', '/panel/forgotten-password'],
      ['link-ended', '/panel/link#nothing'],
      ['developer', link],
    ]
    await withPages(await (await chromium.context()).newPage(), forVisitors, look)
    expect(wrong).toEqual([])
    expect(chromium.faults).toEqual([])
  },
)

test('German and Polish fit on a phone, on every page', { timeout: 240_000 }, async () => {
  const wrong: unknown[] = []
  // a gate tries one of the two, chosen by its seed
  for (const language of inTurn(['de-DE', 'pl-PL'])) {
    const first = await signedIn({ viewport: PHONE, language })
    await open(first, pages[0]?.[1] ?? '')
    await withPages(first, pages, async (page, [name, path]) => {
      await visit(page, path)
      if (HAS_PICTURES) await page.screenshot({ path: `tmp/panel/${name}-390-${language}.png` })
      expect(await page.evaluate('document.documentElement.lang')).toBe(language.slice(0, 2))
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (wide !== PHONE.width) wrong.push([name, language, wide, await beyond(page)])
      const beside = await page.evaluate<string[]>(BESIDE)
      if (beside.length > 0) wrong.push([name, language, ...beside])
    })
  }
  expect(wrong).toEqual([])
})

test('every page is reached by keyboard alone, and what has the focus is seen', { timeout: 120_000 }, async () => {
  const page = await signedIn()
  await open(page, '/panel/settings')
  const links = page.getByRole('navigation').getByRole('link')
  const names = await links.allInnerTexts()
  expect(names.length).toBeGreaterThan(9)
  const reached = new Map<string, string>()
  for (let presses = 0; presses < 60 && reached.size < names.length; presses++) {
    await page.keyboard.press('Tab')
    const [tag, name, outline] = await page.evaluate<[string, string, string]>(
      '[document.activeElement.tagName, document.activeElement.textContent.trim(), getComputedStyle(document.activeElement).outlineStyle]',
    )
    if (tag === 'A' && names.includes(name)) reached.set(name, outline)
  }
  expect([...reached]).toEqual(names.map((name) => [name, 'solid']))
  for (const name of names) {
    await links.getByText(name, { exact: true }).focus()
    await page.keyboard.press('Enter')
    await until(
      page,
      `document.activeElement.tagName !== 'A' || document.activeElement.textContent.trim() === 'Panel settings'`,
    )
    await settled(page)
  }
  // lists: arrows select a row, Enter opens its details, Escape returns
  const deliveries = pages.find(([name]) => name === 'deliveries')?.[1] ?? ''
  await open(page, deliveries)
  await page.locator('tbody tr[tabindex="0"]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await until(page, "Number(document.activeElement.getAttribute('data-index')) > 50")
  await page.keyboard.press('Home')
  await until(page, "document.activeElement.getAttribute('data-index') === '0'")
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Receiver’s answer').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.context().close()
})

/** The accessible name of the focused element, and whether the focus is visible. */
async function focused(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return await page.evaluate(`(() => {
    const element = document.activeElement
    const style = getComputedStyle(element)
    return {
      name: element === document.body ? 'nothing' : element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent.trim(),
      // a field shows the focus by its border; a title that is focused after a change of page does not show it
      isSeen: style.outlineStyle === 'solid' || /^(INPUT|H1|SELECT)$/.test(element.tagName),
    }
  })()`)
}

/** Waits until the element with this name has the focus. */
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
  const page = await signedIn()
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
  // the secret is not lost by Escape
  await page.keyboard.press('Escape')
  await focusIs(page, 'Copy the token')
  await tabTo(page, 'I have saved it')
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
  // the key of the search focuses it without typing; Enter opens a result; going back keeps the search
  await open(page, path('catalog'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('/')
  await focusIs(page, 'Title, SKU, EAN, MPN, manufacturer, category, supplier or ID')
  await page.keyboard.press('/')
  await page.keyboard.type('article a-3')
  await page.getByText('1 product', { exact: true }).waitFor()
  expect(await page.locator('input[type=search]').inputValue()).toBe('article a-3')
  await page.keyboard.press('ArrowDown')
  await focusIs(page, /^Article A-3/)
  await page.keyboard.press('Enter')
  await focusIs(page, 'Article A-3')
  await page.goBack()
  await focusIs(page, 'Title, SKU, EAN, MPN, manufacturer, category, supplier or ID')
  // beside a list, and back in its row
  await open(page, path('deliveries'))
  await page.locator('tbody tr[tabindex="0"]').focus()
  // both keys within one frame, as on a slow machine
  await page.evaluate(`for (const key of ['ArrowDown', 'Enter'])
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`)
  await focusIs(page, 'Close')
  await page.keyboard.press('Escape')
  await until(page, "document.activeElement.getAttribute('data-index') === '1'")
  await page.context().close()
})

test('a page says what is missing, unreachable or ended, with a way on', { timeout: 120_000 }, async () => {
  const page = await signedIn()
  const account = pages[0]?.[1].replace(/\/overview$/, '') ?? ''
  await open(page, `${account}/catalog/987654321`)
  await page.getByText('This account has no product 987654321').waitFor()
  await page.getByRole('link', { name: 'Search products' }).waitFor()
  await open(page, `${account}/endpoints/987654321`)
  await page.getByRole('alert').getByText('Not found').waitFor()
  // without a button to try again, which would not help
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  // without a network the page shows an error instead of waiting
  await open(page, `${account}/catalog`)
  await page.context().setOffline(true)
  await page.keyboard.type('lost')
  await page.getByRole('alert').getByText('The service does not answer').waitFor({ timeout: 20_000 })
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No product contains “lost”.').waitFor()
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
