import { mkdir } from 'node:fs/promises'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'
import { settled } from './settled.ts'

// The first step of a new account while a file is being imported, perhaps started elsewhere: it shows the progress instead of the
// place to drop a file. This service does not import, so the import stays where the test puts it, until a second service does it.

const EMAIL = 'anna@example.com'
const SOON = { timeout: 30_000 }
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const directory = directoryOfFile('running-import')
const { database, service } = worldOfFile({ service: { env: { DATA_DIR: directory } } })
const chromium = ofFile(openChromium)

test(
  'an import that runs is the first step, with how far it is, until it has ended',
  { timeout: 120_000 },
  async () => {
    await mkdir('tmp/panel', { recursive: true })
    const { db } = database
    const { accountId } = await inTransaction(db, (tx) =>
      openAccount(tx, {
        name: 'Nordlicht',
        currency: 'EUR',
        locale: 'en',
        store: { slug: 'main', name: 'Main', locale: 'en', currency: 'EUR' },
      }),
    )
    await makeMember(db, accountId, await makePerson(db, EMAIL), EMAIL, 'owner')
    await inTransaction(db, (tx) =>
      createSupplier(tx, accountId, { code: 'north', name: 'North & Sons', currency: 'EUR' }),
    )
    const api = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
    const form = new FormData()
    form.set(
      'mapping',
      JSON.stringify({ locale: 'en', fields: { sku: 'Nr', title: 'Name', cost: 'Cost', quantity: 'Stock' } }),
    )
    form.set('file', new File(['Nr,Name,Cost,Stock\nA-1,Pen,2.50,7\n'], 'list.csv'))
    const sent = await api('/v1/account/suppliers/north/imports', { method: 'POST', body: form })
    expect(sent.status).toBe(202)

    const page = await (await chromium.context({ locale: 'en-GB' })).newPage()
    page.setDefaultTimeout(15_000)
    onTestFailed(() => void page.screenshot({ path: 'tmp/panel/running-import-failed.png' }).catch(() => {}))
    await page.goto(`${service.url}/panel/${accountId}/overview`)
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const said = page.getByText('The file of North & Sons is being imported.', { exact: true })
    await said.waitFor()
    // nothing is counted yet
    const progress = page.getByRole('progressbar', { name: 'The file of North & Sons is being imported.' })
    expect(await progress.getAttribute('value')).toBeNull()
    // a second file of the same supplier would have to wait
    expect(await page.locator('input[type=file]').count()).toBe(0)
    await settled(page)
    expect(await violations(page)).toEqual([])

    await db`update import_run set total = 200, written = 50 where account_id = ${accountId}`
    await page.reload()
    await said.waitFor()
    expect([await progress.getAttribute('max'), await progress.getAttribute('value')]).toEqual(['200', '50'])
    await page.setViewportSize({ width: 390, height: 844 })
    await settled(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await violations(page)).toEqual([])
    await keepPicture(page, 'running-import')

    // by keyboard to the run, and back
    await page.getByRole('link', { name: 'Show the import' }).press('Enter')
    await page.waitForURL(/\/suppliers\/north\/runs\/\d+$/)
    await page.goBack()
    await said.waitFor()

    // a process that imports completes it: the progress is replaced by the next step
    await db`update import_run set total = null, written = 0 where account_id = ${accountId}`
    await using worker = await startTestService(database, { roles: ['work'], env: { DATA_DIR: directory } })
    expect(worker.url).not.toBe(service.url)
    await expect
      .poll(async () => {
        await page.reload()
        await settled(page)
        return await said.count()
      }, SOON)
      .toBe(0)
    const offers = await api('/v1/account/suppliers/north/offers')
    expect((offers.body.data as { sku: string }[]).map(({ sku }) => sku)).toEqual(['A-1'])
    expect(chromium.faults).toEqual([])
  },
)
