import { expect, test } from 'vitest'
import { openChromium } from '../browser/chromium.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { SECRET } from './hint.ts'
import { sellInPoland, writerOf } from './shop-account.ts'
import { shopDatabase } from './shop-process.ts'
import { furnishVendure, isDashboardInstalled, OWNER, startVendure } from './vendure-shop.ts'

// The plugin's page in the shop's own build of the dashboard, in a browser. vendure.full.pg.test.ts tests the routes that it uses.

const { service, account, http } = worldOfFile({ service: { roles: ['api', 'work'] }, account: 'acme' })

test.skipIf(!isDashboardInstalled())(
  'the page in the dashboard of a Vendure shop shows how far it is and what was refused, follows, verifies and repairs',
  { timeout: 600_000 },
  async () => {
    await using closing = new AsyncDisposableStack()
    const writer = writerOf(http)
    await sellInPoland(writer)
    await writer.putOffer('Spade', { cost: '20', texts: { en: { title: 'Spade', description: '' } } })
    // a shop cannot have two variants of the same options
    const member = { key: 'TEE', title: { en: 'Tee' }, options: [{ key: 'size', label: 'Size', value: 'S' }] }
    for (const position of [1, 2])
      await writer.putOffer(`TEE-${position}`, { cost: '10', group: { ...member, position } })
    const options = {
      url: service.url,
      token: await tokenFor(service.runtime, account.accountId, 'connector'),
      stores: [{ store: 'main' }, { store: 'pl', channel: 'poland', stockLocation: 'Magazyn' }],
      webhookSecrets: [SECRET],
      shopOwns: ['description'],
    }
    const shop = closing.use(
      await startVendure(await shopDatabase(closing, 'vendure_dashboard'), options, { hasDashboard: true }),
    )
    await furnishVendure(shop)

    const chromium = closing.use(await openChromium())
    const page = await (await chromium.context()).newPage()
    await page.goto(`${shop.url}/dashboard/login`)
    await page.getByPlaceholder('Email').fill(OWNER.identifier)
    await page.getByPlaceholder('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Shelfwire' }).click()
    await page.getByText('Shelfwire answers').waitFor()

    await page.getByRole('button', { name: 'Follow now' }).click()
    await page.getByText('The shop looks for changes now.').waitFor()
    await page.getByRole('row', { name: /pl poland Magazyn Follows 3 of 3/ }).waitFor({ timeout: 120_000 })
    await page
      .getByText(/options combination already exists: \S/)
      .first()
      .waitFor()

    interface Found {
      products: { items: { id: string; variants: { id: string }[] }[] }
    }
    const { products } = await shop.admin<Found>(
      '{ products(options: { filter: { name: { eq: "Spade" } } }) { items { id variants { id } } } }',
    )
    await shop.admin(
      'mutation($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }',
      { input: [{ id: products.items[0]!.variants[0]!.id, price: 1 }] },
    )
    // while the shop reads changes it answers so, and the request must be repeated
    const press = (name: string, text: string) =>
      expect
        .poll(
          async () => {
            await page.getByRole('button', { name }).click()
            await page.getByText(text).waitFor({ timeout: 30_000 })
            return page.getByText(text).count()
          },
          { timeout: 120_000, interval: 2_000 },
        )
        .toBe(1)
    await press('Verify', 'The shop differs in 2 products; 0 were written again.')
    await press('Repair', 'The shop differs in 2 products; 1 were written again.')
    expect(chromium.faults).toEqual([])
  },
)
