import { mkdir } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { inTurn } from '../harness/gate.ts'
import { worldOfFile } from '../harness/world.ts'
import { client, tokenFor } from '../harness/service.ts'
import { picture } from '../images/pictures.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { settled } from './settled.ts'
import { keepPicture } from './picture.ts'

// Small pictures beside products, in a real browser: mirrored copies in the sizes that are served, a placeholder where there is
// none, a layout that does not shift when pictures load, and no request to a supplier's server. Screenshots are in tmp/panel.

const EMAIL = 'anna@example.com'
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { database, bench, service } = worldOfFile({
  service: { roles: ['api', 'work'], env: { SECRET_KEY: TEST_KEY, MIRROR: 'on' } },
})

test('products are shown with a picture, a placeholder, or the one after the other', { timeout: 240_000 }, async () => {
  await mkdir('tmp/panel', { recursive: true })
  const account = await createAccount(bench, 'Nordlicht')
  const { accountId } = account
  const titles = ['Kettle', 'Watering can', 'Drill', 'Lamp', `Cable ${'very '.repeat(60)}long`, 'مصباح']
  const made = await giveOffers(
    bench,
    account,
    titles.map((title, i) =>
      offer(`ART-${i}`, {
        texts: { en: { title } },
        // no server answers there, so these products have no copy
        images: i === 2 ? ['https://supplier.invalid/drill.jpg'] : [],
      }),
    ),
  )
  const full = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const upload = async (seed: number, size: { width: number; height: number }): Promise<string> => {
    const body = new Uint8Array(await picture('jpeg', { ...size, seed }))
    const answer = await full('/v1/account/images', { method: 'POST', body, headers: { 'content-type': 'image/jpeg' } })
    expect(answer.status).toBe(201)
    return answer.body.data.url
  }
  const shapes = [
    { width: 400, height: 400 },
    { width: 200, height: 700 },
    { width: 900, height: 300 },
  ]
  const urls = await Promise.all(shapes.map((shape, i) => upload(i + 1, shape)))
  await bench.shelf.write(accountId, (tx) =>
    setOverrides(
      tx,
      accountId,
      [0, 1, 4].map((at, i) => ({
        productId: made[at] ?? 0,
        field: 'images' as const,
        locale: '',
        value: JSON.stringify([urls[i]]),
      })),
    ),
  )
  await bench.shelf.drain(accountId)
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL), EMAIL, 'owner')
  await using chromium = await openChromium()
  const context = await chromium.context({ viewport: { width: 1_440, height: 900 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const hosts = new Set<string>()
  const sizes = new Set<string>()
  page.on('request', (request) => {
    const { host, pathname, search } = new URL(request.url())
    hosts.add(host)
    if (pathname.startsWith('/images/')) sizes.add(search)
  })
  const shot = (name: string) => keepPicture(page, `thumbnails-${name}`)
  const pictures = () => page.locator('img[src*="/images/"]')
  await page.goto(`${service.url}/panel/${accountId}/catalog`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('6 products', { exact: true }).waitFor({ timeout: 60_000 })

  // three products have a picture; each loads completely, in a space that was reserved for it
  const loaded = () =>
    page.evaluate<number>(
      `[...document.querySelectorAll('img[src*="/images/"]')].filter((img) => img.naturalWidth > 0).length`,
    )
  // on a busy machine the process that makes the sizes takes more than a second to start
  await expect.poll(loaded, { timeout: 15_000 }).toBe(3)
  for (const [name, value] of [
    ['width', '28'],
    ['height', '28'],
    ['alt', ''],
    ['loading', 'lazy'],
  ] as const)
    expect(await page.locator(`img[src*="/images/"][${name}="${value}"]`).count(), name).toBe(3)
  // the same size whatever the picture's proportions
  for (const image of await pictures().all()) expect(await image.boundingBox()).toMatchObject({ width: 26, height: 26 })
  for (const row of await page.locator('tbody tr').all()) expect((await row.boundingBox())?.height).toBe(36)
  // the size for a screen with a pixel ratio of 2
  expect([...sizes]).toEqual(['?w=64&h=64'])
  // a gate tries one of the four ways, chosen by its seed
  for (const [width, height, colorScheme] of inTurn([
    [1_440, 900, 'light'],
    [1_440, 900, 'dark'],
    [390, 844, 'light'],
    [390, 844, 'dark'],
  ] as const)) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await expect.poll(loaded, { timeout: 15_000 }).toBe(3)
    await settled(page)
    await shot(`list-${width}-${colorScheme}`)
    expect(await violations(page), `${width} ${colorScheme}`).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1_440, height: 900 })

  // on every page that names products
  const shown = async (name: string, count: number) => {
    await expect.poll(loaded, { timeout: 15_000, message: name }).toBe(count)
    await settled(page)
    await shot(name)
    expect(await violations(page), name).toEqual([])
  }
  const address = `${service.url}/panel/${accountId}`
  const palette = page.getByPlaceholder('A page, an action')
  // the palette also opens while the search of the list has the focus
  await page.goto(`${address}/catalog`)
  await settled(page)
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("type")')).toBe('search')
  await page.keyboard.press('Control+k')
  await palette.fill('kettle')
  await page.getByRole('dialog').getByText('Kettle', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('dialog').locator('img[alt=""]').count()).toBe(1)
  await shown('palette', 4)
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })

  await page.goto(`${address}/catalog/grid`)
  await page.getByRole('rowheader').first().waitFor()
  await shown('grid', 3)

  // a product's page begins with it
  for (const [name, viewport] of [
    ['product', { width: 1_440, height: 900 }],
    ['product-phone', { width: 390, height: 844 }],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.goto(`${address}/catalog/${made[0]}`)
    await page.getByRole('heading', { name: 'Kettle', level: 1 }).waitFor()
    const beside = page.locator('header img[width="72"]')
    await expect
      .poll(() => beside.evaluate((img) => (img as { naturalWidth?: number }).naturalWidth), { timeout: 10_000 })
      .toBeGreaterThan(0)
    await settled(page)
    await shot(name)
    expect(await violations(page), name).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name).toBe(true)
  }
  await page.setViewportSize({ width: 1_440, height: 900 })

  await page.goto(`${address}/catalog/${made[3]}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Merge/ }).click()
  const merge = page.getByRole('dialog', { name: /Merge/ })
  await merge.getByRole('textbox').fill('art')
  await shown('merge', 3)
  // Escape closes the palette, but not the window below it
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  expect(await merge.getByRole('textbox').inputValue()).toBe('art')

  // a price that is held, which is also a finding, and own stock
  await inTransaction(bench.db, (tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
  await giveOffers(bench, account, [offer('ART-0', { cost: '900', texts: { en: { title: 'Kettle' } } })])
  const stock = made.map((productId) => ({ productId, quantity: 3, cost: null }))
  await bench.shelf.write(accountId, (tx) => setOwnStock(tx, accountId, stock))
  await bench.shelf.drain(accountId)
  for (const [name, path, count] of [
    ['held', 'held-prices', 1],
    ['stock', 'stock', 3],
    ['finding', 'findings?kind=prices_held', 6],
  ] as const) {
    await page.goto(`${address}/${path}`)
    await page.getByText('Kettle', { exact: true }).first().waitFor()
    await shown(name, count)
    await page.setViewportSize({ width: 390, height: 844 })
    await shown(`${name}-phone`, count)
    await page.setViewportSize({ width: 1_440, height: 900 })
  }

  // the address of an account alone leads to its overview
  await page.goto(address)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  // for a copy that cannot be loaded the placeholder stays, and the layout does not shift
  await page.route('**/images/**', (route) => route.abort())
  await page.goto(`${address}/catalog`)
  await page.getByText('6 products', { exact: true }).waitFor({ timeout: 60_000 })
  await expect.poll(() => pictures().count()).toBe(0)
  await page.unroute('**/images/**')
  expect([...hosts]).toEqual([new URL(service.url).host])
})
