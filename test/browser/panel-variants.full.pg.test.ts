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

// The page of a product that is one of several variants links to the others.

const EMAIL = 'anna@example.com'
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
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
    await mkdir('tmp/panel', { recursive: true })
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
    expect(await violations(page)).toEqual([])
    await keepPicture(page, 'product-variants', { fullPage: true })

    // a real link to the other variant
    await others.getByRole('link', { name: 'Tee L' }).click()
    await page.waitForURL(`**/catalog/${large}`)
    await page.getByRole('heading', { name: 'Tee L', level: 1 }).waitFor()
    await others.getByRole('link', { name: 'Tee S' }).waitFor()
    expect(await others.getByText('Tee L').count()).toBe(0)

    // with the titles of the store that is shown
    await page.goto(`${service.url}/panel/${accountId}/catalog/${large}?stores=de`)
    await others.getByRole('link', { name: 'Hemd M' }).waitFor()

    // a product alone in its group, or in none, has no other variants
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
    await keepPicture(phone, 'product-variants-phone', { fullPage: true })
    expect(chromium.faults).toEqual([])
  },
)

test(
  'a group is named, ordered and filled by hand, on its page and from the list of products',
  { timeout: 180_000 },
  async () => {
    await mkdir('tmp/panel', { recursive: true })
    const { accountId, storeIds } = account
    const mug = (size: string, position: number) =>
      offer(`M-${size}`, {
        texts: { en: { title: `Mug ${size}` } },
        group: {
          key: 'MUG',
          title: { en: 'Mug' },
          options: [{ key: 'size', label: 'Size', value: size }],
          position,
        },
      })
    const [small = 0, large = 0] = await giveOffers(bench, account, [mug('S', 0), mug('L', 1)])
    const [lid = 0] = await giveOffers(bench, account, [offer('LID', { texts: { en: { title: 'Mug lid' } } })])
    const owner = 'olga@example.com'
    await makeMember(database.db, accountId, await makePerson(database.db, owner, 'Olga'), owner, 'owner')
    const page = await (await chromium.context({ viewport: { width: 1_440, height: 900 } })).newPage()
    /** The products of each group in the first store, in their order, with their titles and options. */
    const groups = async () => {
      const rows = await database.db<{ id: number; body: string }[]>`
      select product_id as id, body from payload_content
      where account_id = ${accountId} and store_id = ${storeIds[0]} and product_id = any(${[small, large, lid]}::bigint[])`
      return rows
        .map(({ id, body }) => ({ id, group: (JSON.parse(`{${body}}`) as { group?: Record<string, unknown> }).group }))
        .flatMap(({ id, group }) =>
          group === undefined ? [] : ([{ product: id, ...group }] as Record<string, unknown>[]),
        )
        .toSorted((a, b) => Number(a['position']) - Number(b['position']))
    }
    await page.goto(`${service.url}/panel/${accountId}/catalog/${small}`)
    await page.getByLabel('E-mail address').fill(owner)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open group' }).click()
    await page.getByRole('heading', { name: 'Mug', level: 1 }).waitFor()
    await page.getByText('This group comes from suppliers').waitFor()

    // a product is added, which lacks an option until it has one
    await page.getByRole('button', { name: 'Add products' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title, SKU, EAN or product ID').fill('Mug lid')
    await dialog.getByRole('button', { name: 'Add: Mug lid' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('Mug lid has no value for size.').waitFor()
    await page.getByLabel('Size of Mug lid').fill('L')
    await page.getByText('Same options: Mug L and Mug lid').waitFor()
    await page.getByLabel('Size of Mug lid').fill('XL')
    // a key on its handle makes it the leading product
    await page.getByRole('button', { name: 'Move Mug lid, 3 of 3' }).press('Home')
    await page.getByText('Mug lid is now 1 of 3').waitFor({ state: 'attached' })
    await page.getByRole('region', { name: 'Group name' }).getByRole('textbox').first().fill('Big mug')
    expect(await violations(page)).toEqual([])
    await keepPicture(page, 'variant-group', { fullPage: true })
    await page.getByRole('button', { name: 'Save group' }).click()
    await page.getByText('You decide what is in this group').waitFor()
    await page.getByRole('heading', { name: 'Big mug', level: 1 }).waitFor()
    await expect
      .poll(async () =>
        (await groups()).map(({ product, title, options }) => [product, title, JSON.stringify(options)]),
      )
      .toEqual([
        [lid, 'Big mug', expect.stringContaining('"XL"')],
        [small, 'Big mug', expect.stringContaining('"S"')],
        [large, 'Big mug', expect.stringContaining('"L"')],
      ])

    // a removed product is in no group
    await page.getByRole('button', { name: 'Remove Mug S from the group' }).click()
    await page.getByRole('button', { name: 'Save group' }).click()
    await page.getByText('Group saved').waitFor()
    await expect.poll(async () => (await groups()).map(({ product }) => product)).toEqual([lid, large])

    // in another language, on a phone
    const phone = await (
      await chromium.context({
        viewport: { width: 390, height: 844 },
        locale: 'pl-PL',
        storageState: await page.context().storageState({ indexedDB: false }),
      })
    ).newPage()
    await phone.goto(page.url())
    await phone.getByText('pliki dostawców jej nie zmieniają').waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    // variants are blocks there, and nothing of them is cut off
    const table = phone.getByRole('group', { name: 'Warianty' })
    await table.getByRole('link', { name: 'Mug L', exact: true }).waitFor()
    expect(
      await table.evaluate(
        (frame: { scrollWidth: number; clientWidth: number }) => frame.scrollWidth - frame.clientWidth,
      ),
    ).toBe(0)
    expect(await violations(phone)).toEqual([])
    await keepPicture(phone, 'variant-group-phone', { fullPage: true })
    await phone.close()

    // suppliers determine the group again, except for the product that was removed
    await page.getByRole('button', { name: 'Let suppliers decide' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Let suppliers decide' }).click()
    await page.waitForURL('**/catalog')
    await expect.poll(async () => (await groups()).map(({ product }) => product)).toEqual([large])

    // in the list of products, several are made a group, and the group is dissolved
    await page.goto(`${service.url}/panel/${accountId}/catalog?search=mug&sort=title`)
    for (const name of ['Mug S', 'Mug lid']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check()
    await page.getByRole('button', { name: 'Group products' }).click()
    await page.waitForURL('**/catalog/groups/*')
    await page.getByLabel('Size of Mug S').waitFor()
    await expect.poll(async () => (await groups()).filter(({ product }) => product !== large).length).toBe(2)
    await page.goto(`${service.url}/panel/${accountId}/catalog?search=mug&sort=title`)
    for (const name of ['Mug S', 'Mug lid', 'Mug L'])
      await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check()
    await page.getByRole('button', { name: 'Ungroup', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ungroup', exact: true }).click()
    await page.getByText('Products ungrouped').waitFor()
    await expect.poll(groups).toEqual([])
    expect(chromium.faults).toEqual([])
  },
)

test('in the list of products a group is one line that opens to its variants', { timeout: 120_000 }, async () => {
  await mkdir('tmp/panel', { recursive: true })
  const { accountId } = account
  const pan = (size: string, position: number, cost: string) =>
    offer(`P-${size}`, {
      cost,
      quantity: 5,
      texts: { en: { title: `Pan ${size}` }, de: { title: `Pfanne ${size}` } },
      group: { key: 'PAN', title: { en: 'Pan' }, options: [{ key: 'size', label: 'Size', value: size }], position },
    })
  await giveOffers(bench, account, [pan('20', 1, '10'), pan('24', 0, '12'), pan('28', 2, '30')])
  await giveOffers(bench, account, [offer('PANEL', { texts: { en: { title: 'Panel' } } })])
  const email = 'lena@example.com'
  await makeMember(database.db, accountId, await makePerson(database.db, email, 'Lena'), email, 'member')
  const page = await (await chromium.context({ viewport: { width: 1_440, height: 900 } })).newPage()
  await page.goto(`${service.url}/panel/${accountId}/catalog?search=pan`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('4 products').waitFor()
  await page.getByRole('checkbox', { name: 'Variants together' }).check()
  await page.waitForURL('**together=yes**')
  await page.getByText('2 lines, variants together').waitFor()
  const rows = page.getByRole('table', { name: 'Products' }).locator('tbody tr')
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/Pan\s+3 variants[^]*–[^]*\s15\s/),
    expect.stringMatching(/^Panel/),
  ])
  // by keys
  const opener = page.getByRole('button', { name: 'Variants of Pan', exact: true })
  expect(await opener.getAttribute('aria-expanded')).toBe('false')
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Pan 28').waitFor()
  expect(await opener.getAttribute('aria-expanded')).toBe('true')
  expect((await rows.allInnerTexts()).map((text) => text.split(/\s{2,}|\n|\t/)[0])).toEqual([
    'Pan',
    'Pan 24',
    'Pan 20',
    'Pan 28',
    'Panel',
  ])
  expect(await violations(page)).toEqual([])
  await keepPicture(page, 'catalog-lines', { fullPage: true })
  await opener.press('Space')
  await page.getByText('Pan 28').waitFor({ state: 'detached' })

  const phone = await (
    await chromium.context({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'de-DE',
      storageState: await page.context().storageState({ indexedDB: false }),
    })
  ).newPage()
  await phone.goto(page.url())
  await phone.getByRole('button', { name: 'Varianten von Pan' }).click()
  await phone.getByText('Pan 28').waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await keepPicture(phone, 'catalog-lines-phone', { fullPage: true })

  await page.getByRole('link', { name: 'Pan', exact: true }).click()
  await page.getByRole('heading', { name: 'Pan', level: 1 }).waitFor()
  expect(chromium.faults).toEqual([])
})
