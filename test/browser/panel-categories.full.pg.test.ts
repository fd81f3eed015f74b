import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { categoriesList } from '../../src/catalog/settings/content/categories.sql.ts'
import { createCategory, type NewCategory } from '../../src/catalog/settings/content/categories.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'

// Categories are moved by keys and by dragging, their names are edited in place, and proposals for suppliers' paths are accepted.

const EMAIL = 'anna@example.com'
const { account, bench, database, service } = worldOfFile({
  account: 'Nordlicht',
  service: { env: { SECRET_KEY: TEST_KEY } },
})
const chromium = ofFile(openChromium)

test('categories are moved, named and mapped', { timeout: 180_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
  const { accountId } = account
  const { db } = database
  const all: NewCategory[] = [
    { path: 'Garden', names: { de: 'Garten' } },
    { path: 'Garden/Soil' },
    { path: 'Tools' },
    { path: 'Tools/Saws', supplierPaths: ['Saws'] },
    { path: 'Workshop', externalId: 'W' },
  ]
  for (const category of all) await bench.shelf.write(accountId, (tx) => createCategory(tx, accountId, category))
  await giveOffers(bench, account, [
    offer('A', { category: 'Garten' }),
    offer('B', { category: 'Outside/Soils' }),
    offer('C', { category: 'Saws' }),
    offer('D', { category: 'Kitchen' }),
  ])
  await makeMember(db, accountId, await makePerson(db, EMAIL, 'Anna'), EMAIL, 'owner')
  const page = await (await chromium.context({ viewport: { width: 1_440, height: 900 } })).newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${service.url}/panel/${accountId}/categories`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')

  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
  const stored = async () =>
    (await categoriesList(db, accountId)).map(({ path, names, externalId, supplierPaths }) => ({
      path,
      names,
      externalId,
      supplierPaths,
    }))
  const shown = async () =>
    (await page.getByRole('table', { name: 'Tree' }).locator('tbody tr td:first-child').allTextContents()).map((text) =>
      text.trim(),
    )
  const isClean = async () => {
    expect(await violations(page)).toEqual([])
  }
  await handle('Saws').waitFor()
  expect(await shown()).toEqual(['Garden', 'Soil', 'Tools', 'Saws', 'Workshop'])
  await isClean()
  await keepPicture(page, 'categories-tree', { fullPage: true })

  // one move at a time: the handle shows when it is ready for the next
  const isReadyAgain = () =>
    expect
      .poll(() => page.evaluate('[document.activeElement.ariaLabel, document.activeElement.ariaDisabled]'))
      .toEqual(['Move Workshop', 'false'])
  // by keys: up, below the one before it, and out again; the handle keeps the focus
  await handle('Workshop').focus()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Workshop is now at the top level.').waitFor()
  await expect.poll(shown).toEqual(['Garden', 'Soil', 'Workshop', 'Tools', 'Saws'])
  await isReadyAgain()
  await page.keyboard.press('ArrowRight')
  await page.getByText('Workshop is now in Garden.').waitFor()
  await expect.poll(shown).toEqual(['Garden', 'Soil', 'Workshop', 'Tools', 'Saws'])
  expect((await stored())[4]).toMatchObject({ path: 'Garden/Workshop' })
  await isReadyAgain()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await stored())[4]?.path).toBe('Workshop')

  // by dragging: a category moves below another with all its subcategories, but not below itself
  const drag = async (name: string, onto: string, share: number) => {
    const from = (await handle(name).boundingBox())!
    const row = (await page
      .getByRole('row')
      .filter({ has: handle(onto) })
      .boundingBox())!
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(row.x + 200, row.y + row.height * share, { steps: 5 })
    await page.mouse.up()
  }
  await expect.poll(shown).toEqual(['Garden', 'Soil', 'Workshop', 'Tools', 'Saws'])
  await drag('Tools', 'Saws', 0.5)
  await page.getByText('Tools cannot be moved into itself.').waitFor()
  await drag('Tools', 'Workshop', 0.5)
  await expect
    .poll(async () => (await stored()).map(({ path }) => path))
    .toEqual(['Garden', 'Garden/Soil', 'Workshop/Tools', 'Workshop/Tools/Saws', 'Workshop'])
  await expect.poll(shown).toEqual(['Garden', 'Soil', 'Workshop', 'Tools', 'Saws'])
  await drag('Workshop', 'Garden', 0.1)
  await expect.poll(shown).toEqual(['Workshop', 'Tools', 'Saws', 'Garden', 'Soil'])

  // names and the shop's ID are edited in place
  const german = page.getByRole('textbox', { name: 'German name of Workshop/Tools', exact: true })
  await german.fill('Werkzeug')
  await german.press('Enter')
  await expect.poll(async () => (await stored())[2]?.names).toEqual({ de: 'Werkzeug' })
  const shopId = page.getByRole('textbox', { name: 'Your shop’s ID of Workshop/Tools', exact: true })
  await shopId.fill('W')
  await shopId.press('Enter')
  await page.getByText('the category "Workshop" has "W" already').waitFor()
  expect(await shopId.getAttribute('aria-invalid')).toBe('true')
  await isClean()
  await shopId.press('Escape')
  expect(await shopId.inputValue()).toBe('')
  await page.getByRole('textbox', { name: 'German name of Garden', exact: true }).fill('')
  await shopId.focus()
  await expect.poll(async () => (await stored())[0]?.names).toEqual({})
  await page.getByRole('textbox', { name: 'German name of Garden', exact: true }).fill('Garten')
  await shopId.focus()
  await expect.poll(async () => (await stored())[0]?.names).toEqual({ de: 'Garten' })

  // suppliers' paths: one proposal by the German name, one by a plural; a path without a similar name has none
  await page.goto(`${service.url}/panel/${accountId}/categories?tab=paths`)
  await page.getByRole('button', { name: 'Accept 2 proposals' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Kitchen' }).innerText()).toContain('Not mapped')
  await isClean()
  await keepPicture(page, 'categories-proposals', { fullPage: true })
  await page.getByRole('button', { name: 'Map Outside/Soils to Garden/Soil', exact: true }).click()
  await page.getByRole('button', { name: 'Accept 1 proposal' }).click()
  await expect
    .poll(async () => (await stored()).slice(0, 2).map(({ supplierPaths }) => supplierPaths))
    .toEqual([['Garten'], ['Outside/Soils']])
  await expect.poll(() => page.getByRole('button', { name: /Accept/ }).count()).toBe(0)
  const phone = await (
    await chromium.context({
      viewport: { width: 390, height: 844 },
      locale: 'de-DE',
      storageState: await page.context().storageState({ indexedDB: false }),
    })
  ).newPage()
  await phone.goto(`${service.url}/panel/${accountId}/categories`)
  await phone.getByRole('button', { name: 'Soil verschieben', exact: true }).waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  // tabs can be scrolled sideways, visibly, and the focus ring of 2 px at a distance of 2 px is not cut off
  expect(
    await phone.evaluate(`(() => {
      const list = document.querySelector('[role=tablist]')
      const [around, tab] = [list, list.querySelector('[role=tab]')].map((one) => one.getBoundingClientRect())
      const bottom = around.top + list.clientHeight
      return [Math.min(tab.left - around.left, tab.top - around.top, bottom - tab.bottom) >= 4, getComputedStyle(list).scrollbarWidth]
    })()`),
  ).toEqual([true, 'thin'])
  await keepPicture(phone, 'categories-phone', { fullPage: true })
  expect(chromium.faults.filter((fault) => !/409/.test(fault))).toEqual([])
})
