import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { picture, plainPicture } from '../images/pictures.ts'
import { sendFile, startPictureServer } from '../images/picture-server.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createPriceList } from '../../src/catalog/settings/prices/price-lists.ts'
import { bulkNow } from '../../src/operations/bulk/write.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { settled } from './settled.ts'
import { keepPicture } from './picture.ts'
import { inTurn } from '../harness/gate.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Many products edited as in a spreadsheet, and the pictures of one, in a real browser.

const EMAIL = 'anna@example.com'
const PRODUCTS = 500
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const { database, bench, service } = worldOfFile({
  service: {
    roles: ['api', 'work'],
    env: { SECRET_KEY: TEST_KEY, MIRROR: 'on', OUTBOUND_ALLOW: '127.0.0.0/8' },
  },
})
const server = ofFile(startPictureServer)
const chromium = ofFile(openChromium)
let account: TestAccount
let ids: number[]

beforeAll(async () => {
  await mkdir('tmp/panel', { recursive: true })
  account = await createAccount(bench, 'Nordlicht')
  const pictures = ['front', 'back', 'gone'].map((name) => `http://127.0.3.1:${server.port}/${name}.png`)
  server.answers.set('/front.png', sendFile(await picture('png', { seed: 1 })))
  server.answers.set('/back.png', sendFile(await picture('png', { seed: 2 })))
  const made = await giveOffers(
    bench,
    account,
    Array.from({ length: PRODUCTS }, (_, i) =>
      offer(`ART-${String(i).padStart(4, '0')}`, {
        eans: [],
        texts: { en: { title: `Article ${String(i).padStart(4, '0')}` } },
        manufacturer: 'Bosch',
        category: 'Tools',
        images: i === 0 ? pictures : [],
      }),
    ),
  )
  ids = made.sort((a, b) => a - b)
  await makeMember(database.db, account.accountId, await makePerson(database.db, EMAIL), EMAIL, 'member')
}, 120_000)

async function signedIn(path: string, options: object = {}): Promise<Page> {
  const context = await chromium.context({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
  const page = await context.newPage()
  await page.goto(`${service.url}/panel/${account.accountId}/${path}`)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  return page
}

/** Puts a text on the clipboard, as a spreadsheet does. */
const clip = (page: Page, text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
const clipped = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const cell = (page: Page, row: number, column: number) =>
  page.locator(`[role=gridcell][data-row="${row}"][data-column="${column}"]`)
const stored = () => database.db<{ id: number; field: string; value: string }[]>`
  select product_id as id, field, value from product_override where account_id = ${account.accountId} order by 1, 2`

test(
  '500 products are edited by typing, pasting and filling down; faults and conflicts stay in their cells',
  { timeout: 240_000 },
  async () => {
    const page = await signedIn('catalog?sort=sku')
    const shot = (name: string) => keepPicture(page, `grid-${name}`)
    await page.getByText('500 products', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Choose all rows shown' }).click()
    await page.getByRole('button', { name: 'Choose all 500 matching products' }).click()
    await page.getByRole('link', { name: 'Edit in a grid' }).click()
    await page.getByText('500 products', { exact: true }).waitFor()
    expect(page.url()).toContain('sort=sku')
    const grid = page.getByRole('grid', { name: 'Edit products' })
    await expect.poll(() => grid.getAttribute('aria-rowcount'), { timeout: 20_000 }).toBe('501')
    await page.getByText('500 products', { exact: true }).waitFor()
    // only visible rows are in the document
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    await shot('begun')

    // typing as in a spreadsheet: a letter replaces, Enter moves down, Tab to the right, Escape discards
    await cell(page, 0, 0).click()
    await page.keyboard.type('My own title')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('data-row')")).toBe('1')
    await page.keyboard.press('F2')
    await page.keyboard.type(' II')
    await page.keyboard.press('Tab')
    expect(await cell(page, 1, 0).innerText()).toContain('Article 0001 II')
    await page.keyboard.type('nothing')
    await page.keyboard.press('Escape')
    expect(await cell(page, 1, 1).innerText()).toContain('Bosch')
    await page.getByRole('button', { name: 'Save 2 cells' }).waitFor()

    // a block of 500 rows is pasted from a spreadsheet: own stock, of which one is not a number, and cost
    await clip(page, Array.from({ length: PRODUCTS }, (_, i) => `${i === 7 ? 'a few' : i}\t${i}.50`).join('\r\n'))
    await page.keyboard.press('Control+Home')
    await cell(page, 0, 3).click()
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: 'Save 1,002 cells' }).waitFor()
    // filled down over all rows
    await cell(page, 0, 1).click()
    await page.keyboard.type('Makita')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Shift+ArrowDown')
    await page.keyboard.press('Control+d')
    await page.getByRole('button', { name: 'Save 1,502 cells' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Save 1,003 cells' }).waitFor()
    await page.keyboard.press('Control+y')
    await page.getByRole('button', { name: 'Save 1,502 cells' }).waitFor()
    // filling from a single cell asks whether the whole list is meant, and shows the value
    await page.keyboard.press('Control+Home')
    await cell(page, 4, 2).click()
    await page.keyboard.press('Control+d')
    const question = page.getByRole('dialog', { name: 'Fill 500 rows?' })
    await question.getByText('Nothing is saved until you').waitFor()
    expect(await question.locator('dl').innerText()).toMatch(/Category\s+Tools/)
    await shot('fill')
    expect(await violations(page)).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Save 1,502 cells' }).waitFor()
    // copied cells have the form that other programs paste
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Control+c')
    expect(await clipped(page)).toBe('My own title\tMakita')
    await shot('typed')
    expect(await violations(page)).toEqual([])

    // somebody else writes one of the cells meanwhile
    const other = { product_id: ids[3], field: 'manufacturer', value: 'Festool' }
    await bench.shelf.write(account.accountId, (tx) =>
      bulkNow(tx, account.accountId, 'bulk_overrides', [other], { atomic: false, isDryRun: false }),
    )
    // leaving warns, and what was typed outlives a reload
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Save 1,502 cells' }).waitFor({ timeout: 20_000 })

    const began = performance.now()
    await page.getByRole('button', { name: 'Save 1,502 cells' }).click()
    await page.getByText(/cells saved …$/).waitFor()
    await page.getByText('1,499 cells saved · 3 cells refused · 3 cells not saved').waitFor({ timeout: 60_000 })
    console.log(`1,502 cells of 500 products were saved in ${Math.round(performance.now() - began)} ms`)
    // the service's message is beside the cell, and nothing was overwritten
    await cell(page, 7, 3).click()
    await page.getByRole('region', { name: 'Chosen cell' }).getByText('must be').waitFor()
    expect(await cell(page, 7, 3).getAttribute('aria-invalid')).toBe('true')
    expect(await cell(page, 7, 3).innerText()).toContain('a few')
    await shot('refused')
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await cell(page, 3, 1).click()
    await page.getByText('Somebody else has changed this meanwhile. It is now: Festool').waitFor()
    await shot('conflict')
    expect((await stored()).filter(({ id, field }) => id === ids[3] && field === 'manufacturer')).toEqual([
      { id: ids[3], field: 'manufacturer', value: 'Festool' },
    ])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save 3 cells' }).click()
    await page.getByText('3 cells saved', { exact: true }).waitFor({ timeout: 20_000 })
    expect(
      (await stored()).filter(({ field }) => field === 'manufacturer').every(({ value }) => value === 'Makita'),
    ).toBe(true)
    const [stock] = await database.db<{ rows: number; pieces: number; cost: string }[]>`
    select count(*)::int as rows, sum(quantity)::int as pieces, trim_scale(sum(cost))::text as cost
    from own_stock where account_id = ${account.accountId}`
    expect(stock).toEqual({ rows: PRODUCTS, pieces: (499 * 500) / 2, cost: String((499 * 500) / 2 + 250) })

    // a saved batch is taken back as a whole
    await page.getByRole('button', { name: 'Undo saving 3 cells' }).click()
    await page.getByText('3 cells were restored', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Redo saving 3 cells' }).waitFor()
    await expect
      .poll(async () => (await stored()).find(({ id, field }) => id === ids[3] && field === 'manufacturer')?.value)
      .toBe('Festool')
    // Delete shows the suppliers' value again
    await cell(page, 0, 0).click()
    await page.keyboard.press('Delete')
    expect(await cell(page, 0, 0).innerText()).toContain('Article 0000')
    await page.getByRole('button', { name: 'Save 1 cell' }).click()
    await page.getByText('1 cell saved', { exact: true }).waitFor()
    expect((await stored()).some(({ id, field }) => id === ids[0] && field === 'title')).toBe(false)
    // columns are chosen, and are in the address
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menu').waitFor()
    await shot('columns')
    await page.getByRole('menuitemcheckbox', { name: 'Title (de)', exact: true }).click({ timeout: 3_000 })
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Title (de)', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('columns')).toContain('title.de')
    expect(chromium.faults).toEqual([])
    await page.context().close()
  },
)

test(
  'pictures are moved by keyboard and by drag, left out and brought back, uploaded and refused',
  { timeout: 120_000 },
  async () => {
    const page = await signedIn(`catalog/${ids[0]}`)
    const section = page.getByRole('region', { name: 'Pictures' })
    const shot = async (name: string) => {
      await section.scrollIntoViewIfNeeded()
      await keepPicture(page, `pictures-${name}`)
    }
    const shown = async () =>
      (await section.locator('ol > li a').allInnerTexts()).map((name) => name.replace(/\.\w+$/, '').slice(0, 5))
    const own = async () => {
      const [row] = await database.db<{ value: string }[]>`
      select value from product_override where account_id = ${account.accountId} and field = 'images'`
      return row === undefined ? null : (JSON.parse(row.value) as string[]).map((url) => url.split('/').at(-1))
    }
    // the state of our copies is shown without a reload
    await section.getByText('Copied', { exact: true }).nth(1).waitFor({ timeout: 30_000 })
    await section.getByText('The server says that the picture does not exist.').waitFor({ timeout: 30_000 })
    await section.getByText('Next attempt').first().waitFor()
    expect(await shown()).toEqual(['front', 'back', 'gone'])
    await shot('states')
    expect(await violations(page)).toEqual([])

    // by keyboard: the picture keeps the focus, and the move is announced
    await section.getByRole('button', { name: 'Move picture 1 of 3' }).focus()
    await page.keyboard.press('ArrowRight')
    await section.getByText('Picture 1 is now 2 of 3').waitFor()
    await page.keyboard.press('End')
    await expect.poll(shown).toEqual(['back', 'gone', 'front'])
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Move picture 3 of 3')
    await expect.poll(own, { timeout: 10_000 }).toEqual(['back.png', 'gone.png', 'front.png'])
    // by drag
    const from = (await section.getByRole('button', { name: 'Move picture 3 of 3' }).boundingBox())!
    const to = (await section.getByRole('button', { name: 'Move picture 1 of 3' }).boundingBox())!
    await page.mouse.move(from.x + 60, from.y + 60)
    await page.mouse.down()
    await page.mouse.move(to.x + 60, to.y + 50, { steps: 5 })
    await page.mouse.move(to.x + 10, to.y + 50, { steps: 3 })
    await page.mouse.up()
    await expect.poll(shown).toEqual(['front', 'back', 'gone'])
    await expect.poll(own, { timeout: 10_000 }).toEqual(['front.png', 'back.png', 'gone.png'])

    // left out, undone, left out, brought back
    await section.getByRole('button', { name: 'Leave out picture 2' }).click()
    await section.getByRole('heading', { name: 'Left out' }).waitFor()
    await expect.poll(own, { timeout: 10_000 }).toEqual(['front.png', 'gone.png'])
    await section.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(own, { timeout: 10_000 }).toEqual(['front.png', 'back.png', 'gone.png'])
    await section.getByRole('button', { name: 'Leave out picture 3' }).click()
    await section.getByRole('button', { name: 'Show again: gone.png' }).waitFor()
    await expect.poll(own, { timeout: 10_000 }).toEqual(['front.png', 'back.png'])

    // several files at once, of which one is no picture and one is broken
    const broken = (await plainPicture(40, 40, 'jpeg')).subarray(0, 60)
    await section.locator('input[type=file]').setInputFiles([
      { name: 'good.png', mimeType: 'image/png', buffer: await plainPicture(400, 300) },
      { name: 'letter.png', mimeType: 'image/png', buffer: Buffer.from('Dear customer') },
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: broken },
      { name: 'second.jpg', mimeType: 'image/jpeg', buffer: await picture('jpeg', { width: 1_200, height: 900 }) },
    ])
    await expect.poll(async () => (await own())?.length, { timeout: 20_000 }).toBe(4)
    const uploads = section.getByRole('list', { name: 'Uploads' })
    await uploads.getByText('letter.png').waitFor()
    await uploads.getByText('broken.jpg').waitFor()
    expect(await uploads.getByText('Not accepted:').count()).toBe(2)
    await section.getByText('Uploaded').nth(1).waitFor({ timeout: 10_000 })
    await shot('uploaded')
    expect(await violations(page)).toEqual([])
    await uploads.getByRole('button', { name: 'Dismiss' }).first().click()
    await uploads.getByRole('button', { name: 'Dismiss' }).click()

    // dropped, and pasted
    const drop = async (type: 'drop' | 'paste', bytes: Buffer) =>
      page.evaluate(
        `(() => {
        const data = new DataTransfer()
        const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (c) => c.charCodeAt(0))
        data.items.add(new File([bytes], '${type}.png', { type: 'image/png' }))
        const on = document.querySelector('[data-drop=pictures]')
        if ('${type}' === 'drop') on.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
        else document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }))
      })()`,
      )
    await drop('drop', await plainPicture(10, 20))
    await expect.poll(async () => (await own())?.length, { timeout: 10_000 }).toBe(5)
    await drop('paste', await plainPicture(30, 20))
    await expect.poll(async () => (await own())?.length, { timeout: 10_000 }).toBe(6)
    // by an address, of which one is none: it is said, and taken back
    await section.getByLabel('Picture URL').fill('not an address')
    await section.getByRole('button', { name: 'Add', exact: true }).click()
    const address = section.getByRole('textbox', { name: 'Picture URL' })
    await section.getByText('Not added: it must be an absolute http or https URL').waitFor()
    // the message is beside the field, which keeps its text; the list is unchanged, so there is nothing to forget
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    expect(await address.inputValue()).toBe('not an address')
    await expect.poll(async () => (await shown()).length).toBe(6)
    expect(await section.getByRole('button', { name: 'Discard these changes' }).count()).toBe(0)
    await shot('refused')
    expect(await violations(page)).toEqual([])
    await section.getByLabel('Picture URL').fill(`http://127.0.3.1:${server.port}/late.png`)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await own())?.at(-1), { timeout: 10_000 }).toBe('late.png')

    // somebody else changes the list: both versions are shown, and one is chosen
    const [before] = await database.db<{ value: string }[]>`
    select value from product_override where account_id = ${account.accountId} and field = 'images'`
    const theirs = {
      product_id: ids[0],
      field: 'images',
      value: (JSON.parse(before?.value ?? '[]') as string[]).slice(0, 1),
    }
    // the page must not see the other list before it is changed here, so it gets the old answer
    let known: string | undefined
    await page.route('**/product-pictures**', async (route) => {
      known ??= await (await route.fetch()).text()
      await route.fulfill({ body: known, contentType: 'application/json' })
    })
    await expect.poll(() => known, { timeout: 15_000 }).toBeDefined()
    await bench.shelf.write(account.accountId, (tx) =>
      bulkNow(tx, account.accountId, 'bulk_overrides', [theirs], { atomic: false, isDryRun: false }),
    )
    await section.getByRole('button', { name: 'Leave out picture 1' }).click()
    await section.getByText('1 picture: front.png').waitFor()
    await shot('conflict')
    expect(await own()).toEqual(['front.png'])
    await page.unroute('**/product-pictures**')
    await section.getByRole('button', { name: /mine|my/i }).click()
    await expect.poll(async () => (await own())?.length, { timeout: 10_000 }).toBe(6)
    // a change a moment before the tab is closed is saved
    await settled(page)
    const product = '**/v1/account/products/*'
    // on a slow machine the half second after which the page saves could pass before the tab is closed: that timer never fires here
    await page.evaluate(`(() => {
      const { setTimeout } = window
      window.setTimeout = (run, ms, ...rest) => (ms === 500 ? 0 : setTimeout(run, ms, ...rest))
    })()`)
    const read = page.waitForResponse((answer) => answer.url().includes('/v1/account/products/'))
    await section.getByRole('button', { name: 'Leave out picture 6' }).click()
    await (await read).finished()
    await page.evaluate('new Promise((done) => setTimeout(done, 50))')
    await page.goto('about:blank')
    await expect.poll(async () => (await own())?.length, { timeout: 10_000 }).toBe(5)
    // if the page does not know the stored list yet, one request cannot save the change, so the browser asks before closing
    await page.goto(`${service.url}/panel/${account.accountId}/catalog/${ids[0]}`)
    await section.getByRole('button', { name: 'Leave out picture 5' }).waitFor()
    await page.route(product, (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
    await section.getByRole('button', { name: 'Leave out picture 5' }).click()
    const question = page.waitForEvent('dialog')
    const leaving = page.close({ runBeforeUnload: true })
    const asked = await question
    expect(asked.type()).toBe('beforeunload')
    await asked.dismiss()
    await leaving
    await page.unroute(product)
    await page.reload().catch(() => undefined)
    // back to the suppliers' order
    await section.getByRole('button', { name: 'Suppliers’ order' }).click()
    await expect.poll(own, { timeout: 10_000 }).toBe(null)
    await expect.poll(shown, { timeout: 10_000 }).toEqual(['front', 'back', 'gone'])
    expect(chromium.faults).toEqual([])
    await page.context().close()
  },
)

test(
  'prices of a price list are pasted; those that are at fault, move too far or were changed are refused alone',
  { timeout: 60_000 },
  async () => {
    const { accountId } = account
    await bench.shelf.write(accountId, (tx) =>
      createPriceList(tx, accountId, {
        key: 'summer',
        name: 'Summer',
        currency: 'EUR',
        storeIds: null,
        groupId: null,
        validFrom: null,
        validTo: null,
        priority: 100,
        isActive: true,
      }),
    )
    const listed = () => database.db<{ id: number; amount: string }[]>`
    select product_id as id, trim_scale(amount)::text as amount from price_list_entry
    where account_id = ${accountId} order by 1`
    const page = await signedIn(`catalog/grid?ids=${ids[10]}-${ids[13]}`)
    await page.getByRole('columnheader', { name: 'Price, Summer (EUR)' }).waitFor()
    const price = 5
    await clip(page, '12,90\r\n13.50\r\nfree\r\n11')
    await cell(page, 0, price).click()
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: 'Save 4 cells' }).click()
    await expect.poll(listed, { timeout: 10_000 }).toEqual([
      { id: ids[10], amount: '12.9' },
      { id: ids[11], amount: '13.5' },
      { id: ids[13], amount: '11' },
    ])
    await expect.poll(() => cell(page, 2, price).getAttribute('aria-invalid')).toBe('true')
    expect(await cell(page, 0, price).getAttribute('aria-invalid')).toBe(null)
    expect(await violations(page)).toEqual([])
    // a cleared price is the rules' again
    await page.keyboard.press('Control+Home')
    await cell(page, 3, price).click()
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect.poll(async () => (await listed()).length, { timeout: 10_000 }).toBe(2)
    // a value that somebody else wrote after the grid was loaded is not overwritten silently
    await database.db`
    update price_list_entry set amount = 12.5 where account_id = ${accountId} and product_id = ${ids[10] ?? 0}`
    await page.keyboard.press('Control+Home')
    await cell(page, 0, price).click()
    await page.keyboard.type('12.7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Save/ }).click()
    await cell(page, 0, price).click()
    await page.getByText('Somebody else has changed this meanwhile. It is now: 12.5').waitFor()
    expect((await listed())[0]).toEqual({ id: ids[10], amount: '12.5' })
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect.poll(async () => (await listed())[0]?.amount, { timeout: 10_000 }).toBe('12.7')
    // a price that jumps needs a confirmation in plain words, and is then written
    await inTransaction(database.db, (tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
    await page.keyboard.press('Control+Home')
    await cell(page, 0, price).click()
    await page.keyboard.type('90')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Save/ }).click()
    await cell(page, 0, price).click()
    await page.getByText('the price would change by more than the account allows').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'The price is right' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect.poll(async () => (await listed())[0]?.amount, { timeout: 10_000 }).toBe('90')
    // several jumps of one save are confirmed by one click; invalid cells stay as they are
    await clip(page, '400\r\n300\r\nfree')
    await page.keyboard.press('Control+Home')
    await cell(page, 0, price).click()
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('2 prices change a lot and need your confirmation').waitFor()
    await page.getByRole('button', { name: 'Confirm 2 prices and save' }).click()
    await expect
      .poll(async () => (await listed()).map(({ amount }) => amount), { timeout: 10_000 })
      .toEqual(['400', '300'])
    expect(await cell(page, 2, price).getAttribute('aria-invalid')).toBe('true')
    await page.context().close()
  },
)

test('both are there in dark, on a phone and in other languages', { timeout: 120_000 }, async () => {
  const wrong: unknown[] = []
  for (const [language, width, colorScheme] of inTurn([
    ['de-DE', 1_440, 'dark'],
    ['pl-PL', 390, 'light'],
    ['en-GB', 390, 'dark'],
  ] as const)) {
    const page = await signedIn(`catalog/grid?ids=${ids[0]}-${ids[40]}`, {
      locale: language,
      colorScheme,
      viewport: { width, height: width < 500 ? 844 : 900 },
    })
    await cell(page, 0, 0).waitFor()
    for (const [name, path] of [
      ['grid', null],
      ['pictures', `catalog/${ids[0]}`],
    ] as const) {
      if (path !== null) await page.goto(`${service.url}/panel/${account.accountId}/${path}`)
      await page.waitForLoadState('networkidle')
      if (path !== null) await page.locator('[data-handle]').first().scrollIntoViewIfNeeded()
      await keepPicture(page, `${name}-${width}-${colorScheme}-${language}`)
      const found = await violations(page)
      if (found.length > 0) wrong.push([name, language, found])
      if (!(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')))
        wrong.push([name, language, 'wide'])
    }
    await page.context().close()
  }
  expect(wrong).toEqual([])
})
