import { mkdir } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// A merchant with three ugly files goes from the drop to the import in a real browser. The pictures are in tmp/panel.

const EMAIL = 'anna@example.com'
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const directory = directoryOfFile('panel-import')
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'], env: { DATA_DIR: directory } } })
const chromium = ofFile(openChromium)
let accountId: number
beforeAll(async () => {
  await mkdir('tmp/panel', { recursive: true })
  ;({ accountId } = await createAccount(openBench(database.db), 'Nordlicht'))
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL), EMAIL, 'owner')
}, 120_000)

const path = (code: string) => `/panel/${accountId}/suppliers/${code}/import`

async function signedIn(
  address: string,
  options: { width?: number; language?: string; scheme?: 'dark' } = {},
): Promise<Page> {
  const { width = 1_440, language = 'en-GB', scheme = 'light' } = options
  const context = await chromium.context({ viewport: { width, height: 900 }, locale: language, colorScheme: scheme })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  onTestFailed(() => void page.screenshot({ path: 'tmp/panel/import-failed.png', fullPage: true }).catch(() => {}))
  await page.goto(service.url + address)
  await page.locator('input[name=email]').fill(EMAIL)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === address)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

const picture = (page: Page, name: string) => keepPicture(page, `import-${name}`, { fullPage: true })

/** The offers of a supplier: key, cost and quantity. */
const offersOf = (code: string) =>
  database.db<{ sku: string; cost: string | null; quantity: number }[]>`
    select o.supplier_sku as sku, trim_scale(o.cost)::text as cost, o.quantity from offer o
    where o.account_id = ${accountId} and o.supplier_id = (
      select supplier_id from supplier where account_id = ${accountId} and code = ${code})
    order by o.supplier_sku`

const LIST = [
  'Preisliste Müller Großhandel',
  'Stand: 01.11.2026',
  'Artikelnummer;Bezeichnung;EK-Preis;Bestand;EAN',
  'S-1;Spaten groß;12,50;5;4006381333931',
  'S-2;Säge;1.234,56;3;',
  'S-3;Hammer;8,00;>10;',
  ';Verpackung;1.255,06;;',
]
const list = (lines: readonly string[]) => ({
  name: 'Preisliste.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'),
})
const drop = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.locator('input[type=file]').setInputFiles(file)

test(
  'a price list in Windows-1252 with a heading and a row without a key: mapped, compared, imported, and compared again',
  { timeout: 120_000 },
  async () => {
    const page = await signedIn(path('north'))
    // a file that is not a list is refused with a message, and another can be chosen
    await drop(page, {
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('<!doctype html><html><body>Sign in</body></html>'),
    })
    await page.getByText('list.csv cannot be used:').waitFor()
    await page.getByRole('alert').getByText(/HTML/).waitFor()
    await drop(page, { name: 'nothing.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
    await page.getByText('nothing.csv cannot be used:').waitFor()
    await page.getByRole('alert').getByText(/empty/).waitFor()
    await picture(page, 'refused')

    await drop(page, list(LIST))
    await page
      .getByText(/Found: CSV, encoding windows-1252, separator “;”, column names in line 3, decimal sign “,”/)
      .waitFor()
    await page.getByRole('columnheader', { name: 'EK-Preis Cost' }).waitFor()
    const offer = page.getByRole('region', { name: 'Resulting offer' })
    await offer.getByText('Spaten groß').waitFor()
    await offer.getByText('€12.50', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await picture(page, 'mapping')

    // problems are counted, with an example; rows that are not offers are left out
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems.getByText('1 row', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Leave out rows in which “Artikelnummer” is empty' }).click()
    await problems.waitFor({ state: 'detached' })
    await offer.getByText('Offers from the first 4 rows: 3').waitFor()

    // a wrong separator gives other columns and an error that says so; corrected, everything is as before
    await page.getByLabel('Separator').selectOption('|')
    await offer
      .getByRole('alert')
      .getByText(/lacks columns that the mapping names/)
      .waitFor()
    await page.getByRole('columnheader', { name: /Artikelnummer;Bezeichnung/ }).waitFor()
    await page.getByLabel('Separator').selectOption(';')
    await offer.getByText('Offers from the first 4 rows: 3').waitFor()

    // transformations: a text before the title, seen at once
    await page.getByRole('button', { name: 'Adjust Title' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Add before it').fill('Müller')
    await picture(page, 'adjust')
    await page.keyboard.press('Escape')
    await offer.getByText('MüllerSpaten groß').waitFor()

    // the same as JSON: errors are shown at their place, and parts that the form cannot show are kept
    await page.getByRole('tab', { name: 'Advanced (JSON)' }).click()
    const json = page.getByRole('textbox', { name: 'Mapping as JSON' })
    const text = await json.inputValue()
    expect(JSON.parse(text)).toMatchObject({
      skip: [{ column: 'Artikelnummer', empty: true }],
      fields: { title: { prefix: 'Müller' } },
    })
    await json.fill(text.slice(0, -1))
    await page.getByText(/Line \d+, column \d+: this is not valid JSON/).waitFor()
    await json.fill(text.replace('"prefix"', '"prefixx"'))
    const line = text.split('\n').findIndex((one) => one.includes('"prefix"')) + 1
    await page.getByRole('button', { name: `Line ${line}: fields.title.prefixx` }).waitFor()
    await page.getByText('is unknown: did you mean "prefix"?').first().waitFor()
    await picture(page, 'json')
    expect(await page.getByRole('button', { name: 'Check and compare' }).isDisabled()).toBe(true)
    await json.fill(
      text
        .replace('"skip"', '"availability": { "inStock": 7 },\n  "skip"')
        .replace('"prefix": "Müller"', '"prefix": ""'),
    )
    await page.getByRole('tab', { name: 'Form' }).click()
    expect(await page.getByLabel('In stock: pieces', { exact: true }).inputValue()).toBe('7')
    await offer.getByText('Spaten groß', { exact: true }).waitFor()

    // kept for later files
    await page.getByLabel('Name', { exact: true }).fill('price-list')
    await page.getByRole('button', { name: 'Save the mapping' }).click()
    await page.getByText('The mapping price-list was saved').waitFor()

    // nothing is written before the comparison
    await page.getByRole('button', { name: 'Check and compare' }).click()
    await page.getByText('Compared; nothing was written').waitFor()
    await page.getByRole('row', { name: /S-2 New \d values – Säge · €1,234\.56 · 3 pieces/ }).click()
    // a click on a new offer shows all of its fields
    await page.getByRole('dialog').getByText('€1,234.56').waitFor()
    await page.keyboard.press('Escape')
    expect(await offersOf('north')).toEqual([])
    expect(await violations(page)).toEqual([])
    await picture(page, 'compared')
    // after a reload the page shows the comparison again, and the mapping can be edited without sending the file again
    await page.reload()
    await page.getByText('Compared; nothing was written').waitFor()
    await page.getByRole('button', { name: 'Change the mapping' }).click()
    await page.getByRole('region', { name: 'Resulting offer' }).getByText('Spaten groß', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Check and compare' }).click()
    await page.getByRole('button', { name: 'Import (3 offers change)' }).click()
    await page.getByText(/^Imported: /).waitFor()
    // the focus is not lost with the button
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.getByRole('link', { name: 'Open the run' }).waitFor()
    expect(await offersOf('north')).toEqual([
      { sku: 'S-1', cost: '12.5', quantity: 5 },
      { sku: 'S-2', cost: '1234.56', quantity: 3 },
      { sku: 'S-3', cost: '8', quantity: 10 },
    ])

    // the next list is read with the same mapping, and compared value by value
    await page.goto(`${service.url}${path('north')}?source=price-list`)
    await drop(
      page,
      list([
        ...LIST.slice(0, 3),
        'S-1;Spaten groß;13,50;5;4006381333931',
        'S-2;Säge;1.234,56;3;',
        'S-4;Zange;5,00;1;',
        ';Summe;;;',
      ]),
    )
    await page.getByRole('button', { name: 'Check and compare' }).click()
    await page.getByText('Compared; nothing was written').waitFor()
    const row = (name: RegExp) => page.getByRole('row', { name })
    await row(/S-1 .*Changed Cost €12\.50 €13\.50/).waitFor()
    await row(/S-3 .*Gone Quantity 10 0/).waitFor()
    await row(/S-4 New \d values – Zange · €5\.00 · 1 piece/).waitFor()
    await page.getByRole('button', { name: 'Field' }).first().click()
    await page.getByRole('menuitem', { name: 'Quantity', exact: true }).click()
    await page.waitForURL(/field=quantity/)
    await row(/S-1 .*Changed/).waitFor({ state: 'detached' })
    await row(/S-3 .*Gone Quantity 10 0/).waitFor()
    await picture(page, 'filtered')
    await page.context().close()
  },
)

test('an XML document by keyboard, and a workbook that is dropped', { timeout: 120_000 }, async () => {
  const page = await signedIn(path('south'))
  const products = ['Drill', 'Saw'].map(
    (name, i) =>
      `<product id="X-${i}"><name>${name}</name><price currency="EUR">${i + 1}.50</price><stock>${i}</stock></product>`,
  )
  const xml = `<?xml version="1.0"?><shop><title>List</title><products>${products.join('')}</products></shop>`
  const button = page.getByRole('button', { name: 'Choose a file' })
  const choosing = page.waitForEvent('filechooser')
  await button.press('Enter')
  await (await choosing).setFiles({ name: 'feed.xml', mimeType: 'text/xml', buffer: Buffer.from(xml) })
  await page.getByText(/Found: XML/).waitFor()
  const offer = page.getByRole('region', { name: 'Resulting offer' })
  await offer.getByText('X-0').waitFor()
  // a field by keyboard
  await page.getByLabel('Title', { exact: true }).focus()
  await page.keyboard.type('name')
  await offer.getByText('Drill').first().waitFor()
  await page.getByRole('button', { name: 'Check and compare' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Import (2 offers change)' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^Imported: /).waitFor()
  expect((await offersOf('south')).map(({ sku, cost }) => [sku, cost])).toEqual([
    ['X-0', '1.5'],
    ['X-1', '2.5'],
  ])

  // a workbook of the changes
  await page.getByRole('button', { name: 'Choose another file' }).click()
  const sheet = await writeXlsx({
    sheets: [
      { name: 'Liste', rows: [['Price list'], [], ['Item number', 'Name', 'Price', 'Stock'], ['X-1', 'Saw', 3.25, 9]] },
    ],
  })
  const bytes = [...sheet]
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await page.evaluate(`(() => {
    const files = new DataTransfer()
    files.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'stock.xlsx'))
    const area = document.querySelector('input[type=file]').parentElement
    area.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files }))
  })()`)
  await page.getByText(/Found: XLSX, column names in line 3/).waitFor()
  await offer.getByText('3.25').waitFor()
  await page.getByLabel('The file contains').selectOption('delta')
  await page.getByRole('button', { name: 'Check and compare' }).click()
  await page.getByRole('row', { name: /X-1 .*Changed Quantity 1 9/ }).waitFor()
  await page.getByRole('button', { name: 'Import (1 offer changes)' }).click()
  await page.getByText(/^Imported: /).waitFor()
  expect((await offersOf('south')).map(({ sku, quantity }) => [sku, quantity])).toEqual([
    ['X-0', 0],
    ['X-1', 9],
  ])

  // a file that would remove more offers than allowed is held, and can be imported after its changes were shown
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await drop(page, {
    name: 'few.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('SKU;Name;Price;Stock\nX-0;Drill;1,50;0\n'),
  })
  await offer.getByText('X-0').waitFor()
  await page.getByRole('button', { name: 'Check and compare' }).click()
  await page.getByText('Held back: nothing was written').waitFor()
  await page.getByText(/1 of 1 offers in stock would be set to 0/).waitFor()
  await page.getByRole('button', { name: 'Compare anyway' }).click()
  await page.getByRole('row', { name: /X-1 .*Gone Quantity 9 0/ }).waitFor()
  await page.getByRole('button', { name: /^Import \(/ }).click()
  await page.getByText(/^Imported: /).waitFor()
  expect((await offersOf('south')).map(({ sku, quantity }) => [sku, quantity])).toEqual([
    ['X-0', 0],
    ['X-1', 0],
  ])
  await page.context().close()
})

test(
  'a list with prices of sale and headings: the costs are made net, the headings are left out, and both are told',
  { timeout: 60_000 },
  async () => {
    await inTransaction(database.db, (tx) =>
      createSupplier(tx, accountId, { code: 'third', name: 'Třetí', currency: 'CZK', priority: 3 }),
    )
    const page = await signedIn(path('third'))
    // headings with two cells, because detection already leaves out those with one
    const rows = ['Nářadí;Ruční;;', 'N-1;Rýč;242,00;5', 'N-2;Kladivo;121,00;3', 'Zahrada;Jaro;;', 'N-3;Hadice;60,50;0']
    await drop(page, {
      name: 'heureka.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`ITEM_ID;PRODUCTNAME;PRICE_VAT;SKLADEM\n${rows.join('\n')}\n`),
    })
    const cost = page.getByRole('group', { name: 'About the cost' })
    await cost.getByText(/“.?PRICE_VAT.?” is probably a retail price with VAT\./).waitFor()
    const offer = page.getByRole('region', { name: 'Resulting offer' })
    await cost.getByLabel('VAT rate in percent').fill('210')
    await cost.getByText('Must be a number above 0 and below 100').waitFor()
    await picture(page, 'selling-price')
    expect(await violations(page)).toEqual([])
    // a picture of the whole page changes the window's width, so the row is chosen after it
    await page.getByRole('button', { name: 'Next row' }).click()
    await offer.getByText(/^CZK\s242\.00$/).waitFor()
    await cost.getByLabel('VAT rate in percent').fill('21 %')
    await cost.getByRole('button', { name: 'Subtract VAT' }).click()
    await offer.getByText(/^CZK\s200\.00$/).waitFor()
    await page.getByText('21% VAT is subtracted from PRICE_VAT.').waitFor()
    await page.getByRole('button', { name: 'Use it as it is in the file' }).click()
    await offer.getByText(/^CZK\s242\.00$/).waitFor()
    await cost.getByLabel('VAT rate in percent').fill('21')
    await page.keyboard.press('Enter')
    await offer.getByText(/^CZK\s200\.00$/).waitFor()

    const odd = page.getByRole('region', { name: 'Rows to check' })
    await odd.getByText('2 rows read as offers without a cost, perhaps headings').waitFor()
    await odd.getByText(/\(line 2: Nářadí.*; line 5: Zahrada.*\)/).waitFor()
    // the dry run shows the same for the whole file, and links back to the mapping
    await page.getByRole('button', { name: 'Check and compare' }).click()
    await page.getByText('Compared; nothing was written').waitFor()
    await odd.getByText('2 rows read as offers without a cost, perhaps headings').waitFor()
    await page.getByText('There is no exchange rate between CZK and EUR').waitFor()
    await picture(page, 'headings')
    expect(await violations(page)).toEqual([])
    await odd.getByRole('button', { name: 'Leave out rows in which “PRICE_VAT” is empty' }).click()
    await odd.getByText('2 rows left out: “PRICE_VAT” is empty.').waitFor()
    await odd.getByText(/\(line 2: Nářadí.*; line 5: Zahrada.*\)/).waitFor()
    await page.getByRole('button', { name: 'Check and compare' }).click()
    await page.getByText('Compared; nothing was written').waitFor()
    await odd.getByText('2 rows left out: “PRICE_VAT” is empty.').waitFor()
    await page.getByRole('row', { name: /N-1 New \d values – Rýč · CZK\s200\.00 · 5 pieces/ }).waitFor()
    await picture(page, 'left-out')
    await page.getByRole('button', { name: 'Import (3 offers change)' }).click()
    await page.getByText(/^Imported: /).waitFor()
    await odd.getByText('2 rows left out: “PRICE_VAT” is empty.').waitFor()
    expect(await offersOf('third')).toEqual([
      { sku: 'N-1', cost: '200', quantity: 5 },
      { sku: 'N-2', cost: '100', quantity: 3 },
      { sku: 'N-3', cost: '50', quantity: 0 },
    ])
    await page.context().close()
  },
)

test('what a proposal asks is on top of the mapping', { timeout: 60_000 }, async () => {
  const page = await signedIn(path('north'))
  const rows = Array.from({ length: 12 }, (_, i) => `Hammer ${i} cm;${i + 1},50;${i}`)
  await drop(page, {
    name: 'no-numbers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Bezeichnung;EK;Bestand\n${rows.join('\n')}\n`),
  })
  const asked = page.getByRole('region', { name: 'Please check' })
  await asked.getByText(/the key of the articles\?/).waitFor()
  expect(await violations(page)).toEqual([])
  await picture(page, 'asked')
  await page.context().close()
})

test(
  'variants on several rows, and words in place of quantities, are set in the form',
  { timeout: 60_000 },
  async () => {
    const page = await signedIn(path('north'))
    await drop(page, {
      name: 'variants.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Artikelnummer;Modell;Bezeichnung;EK;Bestand\nH-1;M1;Hammer;5,00;lieferbar\nH-2;M1;;6,00;bald\n' +
          ['H-3', 'H-4', 'H-5'].map((key) => `${key};M2;Saw;7,00;lieferbar\n`).join(''),
      ),
    })
    const offer = page.getByRole('region', { name: 'Resulting offer' })
    await offer.getByText('Offers from the first 5 rows: 4').waitFor()
    // a word that nobody knows is refused until it means something
    const words = page.getByRole('region', { name: 'Availability words' })
    await words
      .getByLabel('“lieferbar” means')
      .getByRole('option', { name: 'Known: 1 piece' })
      .waitFor({ state: 'attached' })
    // it is listed among the problems and among the words
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems.getByText(/Quantity: “\W*bald\W*” is not a quantity, and not a known word/).waitFor()
    await problems.getByLabel('“bald” means').selectOption('Preorder')
    await offer.getByText('Offers from the first 5 rows: 5').waitFor()
    await problems.waitFor({ state: 'detached' })
    expect(await words.getByLabel('“bald” means').inputValue()).toBe('preorder')
    await words.getByLabel('“bald” means').selectOption('On backorder')
    await offer.getByText('Offers from the first 5 rows: 5').waitFor()
    await words.getByLabel('In stock: pieces', { exact: true }).fill('10')
    await offer.getByText('10', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next row' }).click()
    await offer.getByText('H-2').waitFor()
    // the group of variants that was proposed is in the form, with names a merchant reads
    await page.getByRole('columnheader', { name: 'Modell Variant group (key)' }).waitFor()
    await page.getByRole('columnheader', { name: 'Bezeichnung Title, Title of the variant group' }).waitFor()
    expect(await page.getByText('Also in the mapping').count()).toBe(0)
    const variants = page.getByRole('region', { name: 'Variants', exact: true })
    const groupKey = variants.getByLabel('Variant group (key)', { exact: true })
    expect(await groupKey.inputValue()).toBe('Modell')
    expect(await variants.getByLabel('Title of the variant group', { exact: true }).inputValue()).toBe('Bezeichnung')
    // without a key the other fields of a group have no effect
    await groupKey.selectOption('No column')
    await variants.getByLabel('Title of the variant group', { exact: true }).waitFor({ state: 'detached' })
    await offer.getByText('Offers from the first 5 rows: 5').waitFor()
    await groupKey.selectOption('Modell')
    await variants.getByLabel('Title of the variant group', { exact: true }).selectOption('Bezeichnung')
    await variants.getByLabel('Position in the variant group', { exact: true }).selectOption('Bestand')
    await offer.getByRole('alert').waitFor({ state: 'detached' })
    await variants.getByRole('combobox', { name: 'Add an option …' }).selectOption('Artikelnummer')
    await variants.getByLabel('Name of option 1').fill('Weight')
    await variants.getByLabel('Column of the option Weight').selectOption('EK')
    await page.getByRole('columnheader', { name: 'EK Cost, Options of the variant' }).waitFor()
    await variants.getByRole('button', { name: 'Adjust Position in the variant group' }).click()
    await page.getByRole('dialog').getByLabel('If it is empty').fill('1')
    await page.keyboard.press('Escape')
    // the second variant takes the title of the first, as proposed; it does not once that is turned off
    await offer.getByText('Hammer').waitFor()
    const group = page.getByRole('region', { name: 'Products on several rows' })
    await group.getByRole('button', { name: 'Each row is a separate product' }).click()
    await offer.getByText('Hammer').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Group rows that belong together' }).click()
    await group.getByLabel('Rows belong together when they have the same').selectOption('Modell')
    await group
      .getByRole('combobox', { name: 'Add a column: Filled in from the first row, or the parent' })
      .selectOption('Bezeichnung')
    await offer.getByText('Hammer').waitFor()
    expect(await violations(page)).toEqual([])
    await keepPicture(page, 'variants')
    await page.getByRole('tab', { name: 'Advanced (JSON)' }).click()
    expect(JSON.parse(await page.getByRole('textbox', { name: 'Mapping as JSON' }).inputValue())).toMatchObject({
      availability: { inStock: 10, words: { bald: 'backorder' } },
      group: { by: 'Modell', inherit: ['Bezeichnung'] },
      fields: {
        group_key: 'Modell',
        group_title: 'Bezeichnung',
        group_position: { column: 'Bestand', default: '1' },
        group_options: [{ key: 'Weight', column: 'EK' }],
      },
    })
    await page.context().close()
  },
)

test('dark, in Polish and on a phone', { timeout: 60_000 }, async () => {
  const page = await signedIn(path('north'), { scheme: 'dark', language: 'pl-PL' })
  await drop(page, list(LIST))
  await page.getByRole('region', { name: 'Wynikowa oferta' }).getByText('Spaten groß').waitFor()
  await picture(page, 'mapping-dark-pl')
  expect(await violations(page)).toEqual([])
  await page.context().close()
  const phone = await signedIn(path('north'), { width: 390 })
  await phone.getByRole('link', { name: 'Preisliste.csv' }).first().waitFor()
  await drop(phone, list(['Artikelnummer;Bezeichnung;Code;Einkauf', 'S-1;Spaten;12,50;1', 'S-2;Säge;8,00;2']))
  // one column at a time: what it is, and its first values
  const columns = phone.getByRole('region', { name: 'Columns of the file' })
  await columns.getByText('Column 1 of 4').waitFor()
  await columns.getByRole('heading', { name: 'Artikelnummer' }).waitFor()
  expect(await columns.getByRole('listitem').allInnerTexts()).toEqual(['S-1', 'S-2'])
  const becomes = columns.getByLabel('What is in this column?')
  expect(await becomes.inputValue()).toBe('sku')
  await columns.getByRole('button', { name: 'Next column' }).press('Enter')
  await columns.getByRole('button', { name: 'Next column' }).press('Enter')
  await columns.getByRole('heading', { name: 'Code' }).waitFor()
  await becomes.selectOption('cost')
  await phone.getByRole('region', { name: 'Resulting offer' }).getByText('€12.50').waitFor()
  // the same field of the form below
  expect(await phone.getByLabel('Cost', { exact: true }).inputValue()).toBe('Code')
  await picture(phone, 'phone')
  expect(await violations(phone)).toEqual([])
  expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)
  await phone.getByText('How the file is read').click()
  await phone.getByLabel('Encoding').waitFor()
  await phone.getByRole('button', { name: 'Check and compare' }).click()
  await phone.waitForURL(/run=\d+$/)
  await phone.getByRole('heading', { name: 'What would change' }).waitFor()
  expect(await violations(phone)).toEqual([])
  expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)
  await phone.context().close()
  expect(chromium.faults).toEqual([])
})
