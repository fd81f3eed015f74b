import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createVariantGroup } from '../../src/catalog/products/variants/variant-groups.ts'
import { createAccount, giveOffers, offer, openBench, writeAndShelve } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { everyNth } from '../harness/gate.ts'
import { tokenFor } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { createFullAccount } from './full-account.ts'
import { load, settled, until } from './settled.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Every form of the panel in a real browser: something is typed, and then everything is tried that could lose it: Escape, a click
// outside, a link, the palette, the browser's back, closing the tab. The pictures are in tmp/panel.

const EAN = '4006381333931'
const EMAIL = 'anna@example.com'
const PANEL = new URL('../../panel/', import.meta.url)
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { database, service } = worldOfFile({
  service: { env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', ACCOUNTS_PER_PERSON: '9' } },
})
const chromium = ofFile(openChromium)
let page: Page
let base: string
let forms: readonly Form[]

interface Form {
  /** The source file of the form. */
  file: string
  path: string
  /** Opens the form on its page. */
  open?: (page: Page) => Promise<void>
  /** Types something; by default into the first line of text. */
  type?: (place: Locator) => Promise<void>
  /** The name of the form's region, for a form in the page instead of in a window. */
  region?: string
  /** The part of the navigation to which the test tries to leave; by default the overview. */
  away?: string
}

const button = (name: string | RegExp) => async (on: Page) => await on.getByRole('button', { name }).first().click()
const choose = (label: string | RegExp, value: string) => async (place: Locator) =>
  void (await place.getByLabel(label).selectOption(value))
const chosenProducts = (action: string) => async (on: Page) => {
  await on.locator('tbody input[type=checkbox]').first().check()
  await on.getByRole('region', { name: 'Chosen products' }).getByRole('button', { name: action, exact: true }).click()
}
const opened = (file: string) => async (on: Page) => {
  await on.locator('input[type=file]').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('sku;title;cost;stock\nA-1;Drill;12.50;3\nA-2;Saw;9.95;1\n'),
  })
  await on.getByRole('heading', { name: 'Save the mapping' }).waitFor()
  expect(file).not.toBe('')
}

beforeAll(async () => {
  await mkdir('tmp/panel', { recursive: true })
  const account = await createFullAccount(database, service)
  const { accountId } = account
  const bench = openBench(database.db)
  // two offers, so that one can be split off
  const [product = 0] = await giveOffers(bench, account, [offer('N-1', { eans: [EAN] })])
  await giveOffers(bench, account, [offer('S-1', { eans: [EAN] })], 1)
  const { value: variants } = await writeAndShelve(bench, accountId, (tx) =>
    createVariantGroup(tx, accountId, { title: { en: 'Article' }, products: [{ productId: product }] }),
  )
  const anna = await makePerson(database.db, EMAIL, 'Anna Kowalska')
  await makeMember(database.db, accountId, anna, EMAIL, 'owner')
  const empty = await createAccount(bench, 'Leer')
  await makeMember(database.db, empty.accountId, anna, EMAIL, 'owner')
  await tokenFor(service.runtime, accountId, 'full')
  const [ids] = await database.db<{ group: string; endpoint: number; rule: number }[]>`
    select (select name from customer_group where account_id = ${accountId} and is_default) as group,
      (select min(endpoint_id) from endpoint where account_id = ${accountId}) as endpoint,
      (select max(rule_id) from pricing_rule where account_id = ${accountId}) as rule`
  if (ids === undefined) throw new Error('the account has nothing')
  base = `/panel/${accountId}`
  forms = formsOf({ product, variants, empty: empty.accountId, ...ids })
  page = await (await chromium.context()).newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${service.url}/panel/profile`)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
}, 120_000)

function formsOf(ids: {
  product: number
  variants: number
  group: string
  endpoint: number
  rule: number
  /** The id of an empty account. */
  empty: number
}): readonly Form[] {
  const product = `${base}/catalog/${ids.product}`
  const endpoint = `${base}/endpoints/${ids.endpoint}`
  const resource = (path: string): Form => ({ file: 'resources/editor.tsx', path: `${base}/${path}` })
  const value = (name: string, file: string): Form => ({ file, path: `${product}?value=${name}` })
  return [
    ...[
      'stores',
      'groups',
      'rates',
      'tax-classes',
      'price-lists',
      'suppliers',
      'attributes',
      'categories',
      'channels',
      'notice-channels',
    ].map((name) => resource(`${name}?new=true`)),
    ...[
      'stores?open=s1',
      'price-lists/season?open=settings',
      'rates?open=PLN',
      'attributes?open=color',
      `stock?open=${ids.product}`,
    ].map(resource),
    { ...resource('account'), region: 'form' },
    { file: 'pages/new-account/new-account.tsx', path: '/panel/new-account', region: 'form' },
    { ...resource('suppliers/north?tab=limits'), region: 'form' },
    { ...resource('suppliers/north?tab=settings'), region: 'form' },
    { ...resource('skus'), region: 'form' },
    { ...resource('rates'), region: 'form', type: (place) => place.getByRole('checkbox').check() },
    {
      file: 'pages/overview/connect-form.tsx',
      path: `/panel/${ids.empty}/overview`,
      open: button('Connect a shop now'),
      region: 'form',
      away: 'Products',
    },
    {
      file: 'pages/catalog/views.tsx',
      path: `${base}/catalog?search=a`,
      async open(on) {
        await button('Views')(on)
        await on.getByRole('menuitem', { name: 'Save this view' }).click()
      },
    },
    ...[
      ['Exclude', choose(/store/i, 's1')] as const,
      ['Edit field', undefined] as const,
      ['Set own stock', undefined] as const,
    ].map(([name, type]): Form => ({
      file: 'pages/catalog/bulk-forms.tsx',
      path: `${base}/catalog`,
      open: chosenProducts(name),
      ...(type === undefined ? {} : { type }),
    })),
    value('title', 'pages/product/own-form.tsx'),
    value('manufacturer', 'pages/product/own-form.tsx'),
    value('sku', 'pages/product/own-form.tsx'),
    value('slug', 'pages/product/own-form.tsx'),
    value('stock', 'pages/product/stock-form.tsx'),
    value('new-attribute', 'pages/product/attribute-value.tsx'),
    value(`price:${encodeURIComponent(ids.group)}`, 'pages/product/fixed-price.tsx'),
    {
      file: 'pages/product/split.tsx',
      path: `${product}?tab=offers`,
      open: button('Split off'),
      type: async (place) => await place.getByRole('checkbox').last().click(),
    },
    { file: 'pages/variant-group/variant-group.tsx', path: `${base}/catalog/groups/${ids.variants}`, region: 'form' },
    { file: 'pages/product/own-form.tsx', path: product, open: button(/^Alt text of/) },
    { file: '../panel/pictures/adding.tsx', path: product, region: 'form:has([inputmode=url])' },
    { file: 'pages/price-lists/new-entry.tsx', path: `${base}/price-lists/season?open=entry` },
    { file: 'pages/supplier/source-form.tsx', path: `${base}/suppliers/north?new=true` },
    { file: 'pages/supplier/source-form.tsx', path: `${base}/suppliers/north?open=catalog&edit=true` },
    ...['pricing-rules', 'exclusion-rules', 'assortment-rules'].map((tab): Form => ({
      file: 'pages/pricing/editor.tsx',
      path: `${base}/pricing?${tab === 'pricing-rules' ? '' : `tab=${tab}&`}new=true`,
      region: 'form',
    })),
    { file: 'pages/pricing/editor.tsx', path: `${base}/pricing?open=${ids.rule}`, region: 'form' },
    { file: 'pages/endpoints/endpoints.tsx', path: `${base}/endpoints?new=true` },
    { file: 'pages/endpoint/settings.tsx', path: endpoint, region: 'form' },
    { file: 'pages/endpoint/links.tsx', path: endpoint, open: button('Create link') },
    {
      file: 'pages/endpoint/secret.tsx',
      path: endpoint,
      open: button('Rotate secret'),
      type: async (place) => void (await place.locator('select').first().selectOption({ index: 0 })),
    },
    {
      file: 'pages/endpoint/rewind.tsx',
      path: endpoint,
      open: button('Redeliver since'),
      type: async (place) => void (await place.locator('select').first().selectOption({ index: 0 })),
    },
    { file: 'pages/tokens/new-token.tsx', path: `${base}/tokens?new=true` },
    {
      file: 'pages/tokens/new-token.tsx',
      path: `${base}/tokens`,
      async open(on) {
        await on.locator('tbody tr').first().getByRole('button').last().click()
        await on.getByRole('menuitem', { name: 'Rotate' }).click()
      },
      type: async (place) => void (await place.locator('select').first().selectOption({ index: 2 })),
    },
    {
      file: 'pages/people/sign-in-rules.tsx',
      path: `${base}/people`,
      region: 'form',
      type: (place) => place.getByRole('checkbox').check(),
    },
    { file: 'pages/people/invite.tsx', path: `${base}/people`, open: button('Invite a person') },
    { file: 'pages/profile/profile.tsx', path: '/panel/profile', region: 'form:has([name=name])' },
    { file: 'pages/profile/profile.tsx', path: '/panel/profile', region: 'form:has([name=current])' },
    { file: 'pages/profile/profile.tsx', path: '/panel/profile', region: 'form:has([name=email])' },
    {
      file: 'pages/profile/codes.tsx',
      path: '/panel/profile',
      async open(on) {
        await button('Set up codes')(on)
        await on.getByRole('dialog').locator('input').fill(PASSWORD)
        await on.keyboard.press('Enter')
        await on.getByRole('dialog').getByRole('img', { name: 'QR code' }).waitFor()
      },
    },
    {
      file: 'pages/import/import.tsx',
      path: `${base}/suppliers/north/import`,
      open: opened('mapping'),
      region: 'main',
      // a field that the file's columns are read into
      type: async (place) => await place.getByLabel('Base URL of pictures').fill('https://a.example/'),
    },
    {
      file: 'pages/import/save-mapping.tsx',
      path: `${base}/suppliers/north/import`,
      open: opened('name'),
      region: 'form:has([placeholder=price-list])',
    },
    {
      file: 'pages/import/fields-form.tsx',
      path: `${base}/suppliers/north/import`,
      open: opened('language'),
      region: 'form:has([placeholder=pl])',
    },
    {
      file: 'pages/import/json-editor.tsx',
      path: `${base}/suppliers/north/import`,
      async open(on) {
        await opened('json')(on)
        await on.getByRole('tab', { name: /JSON|Advanced/ }).click()
      },
      region: 'main',
      type: async (place) => await place.locator('textarea').first().fill('{ "fields": '),
    },
  ]
}

/** The content of a form: the texts of its fields and its choices. */
const held = (place: Locator): Promise<string> =>
  place
    .locator('input, select, textarea')
    .evaluateAll((fields) =>
      JSON.stringify(
        (fields as unknown as { type: string; checked: boolean; value: string }[]).map((field) =>
          field.type === 'checkbox' ? field.checked : field.value,
        ),
      ),
    )

const question = () => page.getByRole('dialog', { name: 'Leave without saving?' })
/** Waits for the question and answers that the form stays open with its text. */
async function keep(name: string): Promise<void> {
  await question()
    .waitFor()
    .catch(() => {
      throw new Error(`${name}: nobody asked`)
    })
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await question().waitFor({ state: 'detached' })
}

/** Whether the browser would ask before it closes the tab. */
const asksBeforeClosing = () =>
  page.evaluate<boolean>(`(() => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  })()`)

async function typeInto(place: Locator, { type }: Form): Promise<void> {
  if (type !== undefined) return await type(place)
  const field = place
    .locator('input:not([type=checkbox], [type=radio], [type=hidden], [disabled], [readonly]), textarea')
    .first()
  await field.fill('7777')
  // the first Escape would close the list of a picker alone
  if ((await field.getAttribute('aria-haspopup')) === 'listbox') await field.press('Tab')
}

async function tryForm(form: Form): Promise<void> {
  const { path, open, region, away = 'Overview' } = form
  const name = `${form.file} at ${path}`
  await load(page, `${service.url}/panel/settings`)
  // navigate as a link does
  await page.evaluate(`self.__TSR_ROUTER__.history.push(${JSON.stringify(path)})`)
  await until(
    page,
    `self.__TSR_ROUTER__.state.resolvedLocation?.pathname === ${JSON.stringify(path.replace(/^\/panel|\?.*$/g, ''))}`,
  )
  await settled(page)
  await open?.(page)
  await settled(page)
  const place =
    region === undefined
      ? page.getByRole('dialog').last()
      : page.locator(`#content ${region}, #content:is(${region})`).first()
  await place.waitFor()
  expect(await asksBeforeClosing(), name).toBe(false)
  await typeInto(place, form)
  const typed = await held(place)
  const address = page.url()
  await expect.poll(asksBeforeClosing, { message: name }).toBe(true)
  if (region === undefined) {
    await page.keyboard.press('Escape')
    await keep(`${name}, Escape`)
    // the window may just have got the focus back
    await expect
      .poll(
        async () => {
          if (!(await question().isVisible())) await page.mouse.click(4, 450)
          return await question().isVisible()
        },
        { message: `${name}, a click beside`, timeout: 10_000, interval: 250 },
      )
      .toBe(true)
    await keep(`${name}, a click beside`)
  } else {
    await page.getByRole('navigation').getByRole('link', { name: away }).first().click()
    await keep(`${name}, a link`)
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /A page, an action/ }).fill('Deliveries')
  await page.locator('[data-selected=true]').getByText('Deliveries', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await keep(`${name}, the palette`)
  await page.evaluate('history.back()')
  await keep(`${name}, back`)
  await expect.poll(() => page.url(), { message: name }).toBe(address)
  expect(await held(place), name).toBe(typed)
  // one answer discards the text
  await page.evaluate('history.back()')
  await question().getByRole('button', { name: 'Discard it' }).click()
  await page.waitForURL((url) => url.href !== address)
  await question().waitFor({ state: 'detached' })
  await settled(page)
  expect(await asksBeforeClosing(), name).toBe(false)
}

test('every file of the panel with a form is tried', () => {
  const elsewhere = [
    // forms to sign in or to confirm, whose text may be lost without a question
    'pages/sign-in/sign-in.tsx',
    'pages/sign-in/forgotten.tsx',
    'pages/link/first-owner.tsx',
    'session/confirm-question.tsx',
    'pages/profile/provider.tsx',
    // only check boxes, in a window that is shown once
    'pages/profile/made.tsx',
    // tested below, or in the tests of their own pages
    'pages/link/link.tsx',
    'pages/overview/drop-first.tsx',
    'pages/profile/passkeys.tsx',
    'components/shown-once.tsx',
    'pages/grid/grid.tsx',
    // the implementation itself, its example, and parts of forms that are tested
    'components/form.tsx',
    'pages/components/components.tsx',
    'pages/import/mapping-editor.tsx',
    'pages/import/selling-price.tsx',
    'pages/import/source-editor.tsx',
  ]
  const found = readdirSync(PANEL, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !/^(?:dist|node_modules)/.test(file))
    .filter((file) => /use(?:Revised)?Form[<(]|<Unsaved\b/.test(readFileSync(new URL(file, PANEL), 'utf8')))
  const tried = new Set(forms.map(({ file }) => file.replace('../panel/', '')))
  expect(found.filter((file) => !tried.has(file) && !elsewhere.includes(file))).toEqual([])
})

test('every form keeps what was typed, or asks before it is lost', { timeout: 600_000 }, async () => {
  const wrong: string[] = []
  const wanted = process.env['SHELFWIRE_FORM']
  // a gate tries every sixth form, chosen by its seed
  const tried =
    wanted === undefined ? everyNth(forms, 6) : forms.filter(({ file, path }) => `${file} ${path}`.includes(wanted))
  for (const form of tried)
    await tryForm(form).catch(async (error: unknown) => {
      wrong.push(`${form.file} at ${form.path}: ${String(error).slice(0, 400)}`)
      await page.screenshot({ path: `tmp/panel/unsaved-${wrong.length}.png` })
    })
  expect(wrong).toEqual([])
  expect(chromium.faults).toEqual([])
})
