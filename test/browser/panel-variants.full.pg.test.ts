import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { giveOffers, offer } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'

// The page of a product that is one of several variants leads to the others.

const EMAIL = 'anna@example.com'
const { account, bench, database, service } = worldOfFile({
  account: 'Nordlicht',
  service: { env: { SECRET_KEY: TEST_KEY } },
})
const chromium = ofFile(openChromium)

const tee = (size: string, position: number) =>
  offer(`T-${size}`, {
    quantity: position + 3,
    texts: { en: { title: `Tee ${size}` }, de: { title: `Hemd ${size}` } },
    group: {
      key: 'TEE',
      title: { en: 'Tee', de: 'Hemd' },
      options: [
        { key: 'size', label: 'Size', value: size },
        { key: 'color', label: null, value: 'red' },
      ],
      position,
    },
  })

test(
  'the others of its group are listed with their options, and each leads to its page',
  { timeout: 120_000 },
  async () => {
    expect(await buildPanel()).toBe(true)
    await mkdir('tmp/panel', { recursive: true })
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const { accountId } = account
    const [small = 0, , large = 0] = await giveOffers(bench, account, [tee('S', 0), tee('M', 1), tee('L', 2)])
    const [alone = 0] = await giveOffers(bench, account, [offer('SPADE')])
    await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna'), EMAIL, 'member')
    const page = await (await chromium.context({ viewport: { width: 1_440, height: 900 } })).newPage()
    await page.goto(`${service.url}/panel/${accountId}/catalog/${small}`)
    await page.getByLabel('E-mail address').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    const others = page.getByRole('region', { name: 'Other variants' })
    const rows = others.locator('tbody tr')
    await others.getByText('Tee L').waitFor()
    // in the order of the group
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^Tee M\s+Size: M, color: red\s+T-M\s+4$/),
      expect.stringMatching(/^Tee L\s+Size: L, color: red\s+T-L\s+5$/),
    ])
    await page.evaluate(axe)
    expect((await page.evaluate<AxeResults>('axe.run()')).violations.map(({ id }) => id)).toEqual([])
    await page.screenshot({ path: 'tmp/panel/product-variants.png', fullPage: true })

    // a link, as links are
    await others.getByRole('link', { name: 'Tee L' }).click()
    await page.waitForURL(`**/catalog/${large}`)
    await page.getByRole('heading', { name: 'Tee L', level: 1 }).waitFor()
    await others.getByRole('link', { name: 'Tee S' }).waitFor()
    expect(await others.getByText('Tee L').count()).toBe(0)

    // as the store that is shown calls them
    await page.goto(`${service.url}/panel/${accountId}/catalog/${large}?stores=de`)
    await others.getByRole('link', { name: 'Hemd M' }).waitFor()

    // in a group of its own, or in none, there are no others
    await page.goto(`${service.url}/panel/${accountId}/catalog/${alone}`)
    await page.getByRole('heading', { name: 'Article SPADE', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Pictures' }).waitFor()
    expect(await others.count()).toBe(0)

    const phone = await (
      await chromium.context({
        viewport: { width: 390, height: 844 },
        locale: 'de-DE',
        storageState: await page.context().storageState({ indexedDB: false }),
      })
    ).newPage()
    await phone.goto(`${service.url}/panel/${accountId}/catalog/${small}`)
    const german = phone.getByRole('region', { name: 'Weitere Varianten' })
    await german.getByText('Size: M, color: red').waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await phone.screenshot({ path: 'tmp/panel/product-variants-phone.png', fullPage: true })
    expect(chromium.faults).toEqual([])
  },
)
