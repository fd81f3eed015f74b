import { mkdir } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { giveOffers, offer } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'

// Alternative texts of pictures on the page of their product: shown in each language, and edited.

const EMAIL = 'anna@example.com'
const FRONT = 'https://images.example.com/front.jpg'
const SMALL = 'https://images.example.com/small.jpg'
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { account, bench, database, service } = worldOfFile({
  account: 'Nordlicht',
  service: { env: { SECRET_KEY: TEST_KEY } },
})
const chromium = ofFile(openChromium)

const tee = (size: string, position: number, images: string[]) =>
  offer(`T-${size}`, {
    images,
    imageAlts: { en: { [FRONT]: 'Tee from the front' } },
    group: {
      key: 'TEE',
      title: { en: 'Tee' },
      options: [{ key: 'size', label: 'Size', value: size }],
      position,
    },
  })

test(
  'alt texts are shown in each language with the variants of a picture, edited, refused and reset',
  {
    timeout: 120_000,
  },
  async () => {
    await mkdir('tmp/panel', { recursive: true })
    const { accountId } = account
    const [small = 0] = await giveOffers(bench, account, [
      tee('S', 0, [SMALL, FRONT]),
      tee('M', 1, [FRONT]),
      tee('L', 2, [FRONT]),
    ])
    await makeMember(database.db, accountId, await makePerson(database.db, EMAIL, 'Anna'), EMAIL, 'owner')
    const context = await chromium.context({ viewport: { width: 1_440, height: 900 } })
    // the addresses lead nowhere
    await context.route('https://images.example.com/**', (route) => route.abort())
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(`${service.url}/panel/${accountId}/catalog/${small}`)
    await page.getByLabel('E-mail address').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    const faultless = async () => {
      expect(await violations(page)).toEqual([])
    }

    const cards = page.getByRole('region', { name: 'Pictures' }).locator('ol > li')
    await cards.nth(1).getByText('Tee from the front').first().waitFor()
    await cards.nth(0).getByText('No alt text').waitFor()
    await cards.nth(0).getByText('For Size: S').waitFor()
    await cards.nth(1).getByText('For all variants').waitFor()
    await faultless()
    await keepPicture(page, 'picture-alts', { fullPage: true })

    const panel = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Alt text of picture 1' }).click()
    const field = panel.getByRole('textbox', { name: 'en', exact: true })
    await field.fill('x'.repeat(1_001))
    await faultless()
    await keepPicture(page, 'picture-alts-form')
    const save = panel.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    // a text that is too long is refused beside its field, which keeps it
    await panel.locator('[aria-invalid=true]').waitFor()
    expect(await field.inputValue()).toHaveLength(1_001)
    await field.fill('Tee, size S')
    await save.click()
    await panel.waitFor({ state: 'detached' })
    await cards.nth(0).getByText('Tee, size S').first().waitFor()
    const rows = await database.db<{ locale: string; value: string }[]>`
    select locale, value from product_override
    where account_id = ${accountId} and product_id = ${small} and field = 'image_alts'`
    expect(rows).toMatchObject([{ locale: 'en', value: JSON.stringify({ [SMALL]: 'Tee, size S' }) }])

    await page.getByRole('button', { name: 'Alt text of picture 1' }).click()
    await panel.getByRole('button', { name: 'Use the suppliers’ texts' }).click()
    await panel.waitFor({ state: 'detached' })
    await cards.nth(0).getByText('No alt text').waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await faultless()
    await keepPicture(page, 'picture-alts-phone', { fullPage: true })

    // in a large group also variants beyond its first page are named
    const late = 'https://images.example.com/late.jpg'
    const many = Array.from({ length: 1_000 }, (_, i) =>
      offer(`MANY-${i}`, {
        images: i < 990 ? [] : [late],
        group: {
          key: 'MANY',
          title: { en: 'Many' },
          options: [{ key: 'size', label: 'Size', value: `n${i}` }],
          position: i,
        },
      }),
    )
    const last = (await giveOffers(bench, account, many)).at(-1)
    await page.goto(`${service.url}/panel/${accountId}/catalog/${last}`)
    await cards.nth(0).getByText('For 10 variants, such as Size: n990, Size: n991, Size: n992 and Size: n993').waitFor()
  },
)
