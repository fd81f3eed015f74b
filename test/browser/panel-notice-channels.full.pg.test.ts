import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { sendThroughChannels } from '../../src/notices/deliver.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { inTurn } from '../harness/gate.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'

// An owner creates notice channels, tests them and sees the deliveries of a notice, in a real browser with real receivers.

const OWNER = 'anna@example.com'
const TITLE = 'an owner makes a channel, tries it, sees why a notice was not taken and pauses it'

test(TITLE, { timeout: 240_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  await mkdir('tmp/panel', { recursive: true })
  await using receiver = await startReceiver()
  await using database = await createDatabase()
  const { db } = database
  const store = { slug: 'main', name: 'Main', locale: 'en', currency: 'EUR' }
  const { accountId } = await inTransaction(db, (tx) =>
    openAccount(tx, { name: 'Nordlicht', currency: 'EUR', locale: 'en', store }),
  )
  await makeMember(db, accountId, await makePerson(db, OWNER, 'Anna'), OWNER, 'owner')
  const env = { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.1/32' }
  await using service = await startTestService(database, { env })
  await using chromium = await openChromium()
  const page = await (await chromium.context()).newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${service.url}/panel/profile`)
  await page.locator('input[name=email]').fill(OWNER)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/panel/profile')
  const panel = page.getByRole('dialog')
  const gone = async () => await expect.poll(() => panel.count(), { timeout: 10_000 }).toBe(0)

  // an error of the service is shown beside its field
  await page.goto(`${service.url}/panel/${accountId}/notice-channels`)
  await page.getByRole('button', { name: 'Create notice channel' }).click()
  await panel.getByLabel('Name', { exact: true }).fill('Team')
  await panel.getByLabel('URL').fill('http://10.0.0.1/hook')
  await panel.getByRole('button', { name: 'Create notice channel' }).click()
  await panel.locator('input[name=url][aria-invalid=true]').waitFor()
  await panel.getByLabel('URL').fill(`${receiver.url}/services/hush`)
  await panel.getByText('More settings').click()
  await panel.getByLabel('File held back').check()
  await expect.poll(() => panel.getByLabel('File held back').isChecked()).toBe(true)
  await keepPicture(page, 'notice-channel-new')
  await panel.getByRole('button', { name: 'Create notice channel' }).click()
  await gone()
  const row = page.getByRole('row').filter({ hasText: 'Team' })
  await row.getByText('Nothing sent yet').waitFor()

  // a test shows the receiver's answer, good or bad
  await row.click()
  receiver.answer = { status: 200, body: 'ok' }
  await panel.getByRole('button', { name: 'Send a test notice' }).click()
  await panel.getByText('The receiver accepted it.').waitFor()
  receiver.answer = { status: 404, body: 'no_service' }
  await panel.getByRole('button', { name: 'Send a test notice' }).click()
  await panel.getByText('Status 404. Answer: no_service').waitFor()
  expect(receiver.at('/services/hush')).toHaveLength(2)
  expect(await panel.getByLabel('URL').inputValue()).toBe(`${receiver.url}/…`)

  // a notice that is refused is shown with the reason
  const facts = {
    source_id: 1,
    source: 'stock',
    supplier: 'north',
    run_id: 3,
    state: 'held',
    failure: null,
    failed_since: null,
  }
  await inTransaction(db, (tx) => writeNotices(tx, accountId, [{ endpointId: null, kind: 'source_held', facts }]))
  const { outbound, seal } = service.runtime
  await sendThroughChannels({ db, log: silentLog, outbound, seal, publicUrl: () => service.url })
  await page.reload()
  await panel.getByText('status 404: no_service').waitFor()
  await keepPicture(page, 'notice-channel-failing')
  // a gate tries one of these ways, chosen by its seed
  for (const [colorScheme, width] of inTurn([
    ['light', 1_440],
    ['dark', 390],
  ] as const)) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    expect(await violations(page)).toEqual([])
  }
  await keepPicture(page, 'notice-channel-phone')
  await page.setViewportSize({ width: 1_440, height: 900 })
  await panel.getByLabel('Paused', { exact: true }).check()
  await panel.getByRole('button', { name: 'Save' }).click()
  await gone()
  await row.getByText('Paused').waitFor()

  // a channel of another kind has a secret, which is shown once
  await page.getByRole('button', { name: 'Create notice channel' }).click()
  await panel.getByLabel('Name', { exact: true }).fill('Own receiver')
  await panel.getByLabel('Service').selectOption('webhook')
  await panel.getByLabel('URL').fill(`${receiver.url}/in`)
  await panel.getByRole('button', { name: 'Create notice channel' }).click()
  await page
    .getByText(/whsec_/)
    .first()
    .waitFor()
  await keepPicture(page, 'notice-channel-secret')
  await page.reload()
  await row.waitFor()
  expect(await page.content()).not.toContain('whsec_')
  await keepPicture(page, 'notice-channels')
})
