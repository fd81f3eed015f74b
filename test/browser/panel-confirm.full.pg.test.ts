import { mkdir } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { passkeyInsert } from '../../src/people/sign-in/passkeys.sql.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { makeMember, makePerson, PASSWORD, signedIn } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { keepPicture } from './picture.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Requests for the password or more, in a real browser: confirming an action, choosing what a password change ends, a second
// factor. The pictures are in tmp/panel.

const PICTURES = 'tmp/panel'
// the service looks for the panel when it starts
beforeAll(() => expect(buildPanel()).resolves.toBe(true), 120_000)
const sink = ofFile(startSmtpSink)
const { database, service } = worldOfFile(() => ({ service: { env: { SECRET_KEY: TEST_KEY, SMTP_URL: sink.url } } }))
const chromium = ofFile(openChromium)
let context: BrowserContext
let page: Page
let accountId: number
let personId: number
let email: string
let people = 0

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true })
}, 60_000)
beforeEach(async () => {
  ;({ accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`))
  email = `anna${people++}@example.com`
  personId = await makePerson(database.db, email)
  await makeMember(database.db, accountId, personId, email, 'owner')
  context = await chromium.context()
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const picture = (name: string) => keepPicture(page, name)

async function signIn(path: string): Promise<void> {
  await page.goto(`${service.url}/panel${path}`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

test(
  'a token is created after the password was given again, and what was typed stays',
  { timeout: 60_000 },
  async () => {
    await signIn(`/${accountId}/tokens?new=true`)
    const form = page.getByRole('dialog', { name: 'Create a token' }).or(page.getByRole('dialog').first())
    await form.getByLabel('Name').fill('Shop')
    await database.db`update session set reauthenticated_at = null where person_id = ${personId}`
    await form.getByRole('button', { name: /Create/ }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await asked.waitFor()
    await picture('confirm')
    // after canceling, a message says that nothing was done, and the form keeps its text
    await page.keyboard.press('Escape')
    await page.getByText('Nothing was done').waitFor()
    expect(await form.getByLabel('Name').inputValue()).toBe('Shop')
    await form.getByRole('button', { name: /Create/ }).click()
    await asked.getByLabel('Your password', { exact: true }).fill('wrong password')
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click()
    await asked.locator('[aria-invalid=true]').first().waitFor()
    await asked.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click()
    await button('I have saved it').click()
    await page.getByRole('cell', { name: 'Shop', exact: true }).waitFor()
    expect(await asked.count()).toBe(0)
    // for ten minutes no confirmation is asked for again
    await page.getByRole('row', { name: /Shop/ }).getByRole('button').first().click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await button('I have saved it').click()
    // after a new password the panel offers to end tokens and links that were made before
    await page.goto(`${service.url}/panel/profile`)
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('New password', { exact: true }).fill('a better one 12')
    await button('Change password').click()
    await page.getByRole('dialog', { name: 'Created in your name' }).waitFor()
    for (const box of await page.getByLabel('Token: Shop').all()) await box.check()
    await picture('made')
    await button('End the chosen ones').click()
    await page.getByText('The chosen ones were ended').waitFor()
    const [row] = await database.db<{ alive: number }[]>`
      select count(*)::int as alive from token where account_id = ${accountId} and revoked_at is null`
    expect(row?.alive).toBe(0)
  },
)

test('a channel file gets a new address after the password was given again', { timeout: 60_000 }, async () => {
  await signIn(`/${accountId}/channels?new=true`)
  const form = page.getByRole('dialog').first()
  await form.getByLabel('Name').fill('Feed')
  await database.db`update session set reauthenticated_at = null where person_id = ${personId}`
  await form.getByRole('button', { name: /Create/ }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await asked.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page
    .getByText(/\/channels\/\S+\.xml/)
    .or(page.locator('input[value*="/channels/"]'))
    .first()
    .waitFor()
  expect(await asked.count()).toBe(0)
})

test('the sign-in page says why a session ended that was ended elsewhere', { timeout: 60_000 }, async () => {
  await signIn('/profile')
  await page.getByLabel('Current password', { exact: true }).waitFor()
  const other = await signedIn(database.db, service.url, personId)
  const changed = await other.post('/panel/api/password', { current: PASSWORD, password: 'a better one 12' })
  expect(changed.status).toBe(200)
  // the page that is open notices at its next request
  await page.goto(`${service.url}/panel/${accountId}/people`)
  await page.getByText('You were signed out because the password was changed.').waitFor()
  await picture('signed-out')
  // a browser that was never signed in gets no such message
  const elsewhere = await chromium.context()
  const empty = await elsewhere.newPage()
  const said = async () => (await empty.getByRole('status').allInnerTexts()).join('')
  // also while the answer is on its way
  const held = Promise.withResolvers<undefined>()
  await empty.route(/\/panel\/api\/sign-in$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await empty.goto(`${service.url}/panel/sign-in`)
  await empty.getByLabel('E-mail address').waitFor()
  expect(await said()).toBe('')
  const answered = empty.waitForResponse(/\/panel\/api\/sign-in$/)
  held.resolve(undefined)
  await answered
  expect(await said()).toBe('')
  await elsewhere.close()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a better one 12')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'People' }).waitFor()
})

test('a reset asks which passkeys and codes stay', { timeout: 60_000 }, async () => {
  for (const name of ['Laptop', 'Somebody else’s phone'])
    await inTransaction(database.db, (tx) =>
      passkeyInsert(tx, {
        personId,
        credentialId: `${name}-${personId}`.replaceAll(/\W/g, '-'),
        publicKey: Buffer.from([1]),
        counter: 0,
        transports: [],
        name,
      }),
    )
  await database.db`update person set totp_secret = 'sealed' where person_id = ${personId}`
  await page.goto(`${service.url}/panel/forgotten-password`)
  await page.getByLabel('E-mail address').fill(email)
  await button('Send the link').click()
  const mails = () => sink.mails.filter(({ recipients }) => recipients.includes(email))
  await expect.poll(() => mails().length, { timeout: 5_000 }).toBe(1)
  await page.goto(/http\S+\/panel\/link#\S+/.exec(mails()[0]?.mail.text ?? '')?.[0] ?? '')
  await page.getByLabel('New password', { exact: true }).fill('a better one 12')
  await page.getByLabel('Laptop').check()
  await page.getByLabel('I do not have them, or they are not mine').check()
  await picture('reset')
  await button('Set the password').click()
  // codes are still asked for
  await page.getByLabel('Password', { exact: true }).waitFor()
  const left = await database.db<{ name: string; ending: boolean }[]>`
    select k.name, p.totp_ends_at is not null as ending from passkey k join person p on p.person_id = k.person_id
    where k.person_id = ${personId}`
  expect([...left]).toEqual([{ name: 'Laptop', ending: true }])
})

test(
  'an account that asks for a second factor says so, and leads to where it is set up',
  { timeout: 60_000 },
  async () => {
    await database.db`update account set requires_second_factor = true where account_id = ${accountId}`
    await signIn('')
    await page.getByRole('heading', { name: 'A second factor is needed' }).waitFor()
    await picture('second-factor')
    await page.getByRole('link', { name: 'Set up codes or a passkey' }).click()
    await button('Set up codes').waitFor()
    await database.db`update account set requires_second_factor = false where account_id = ${accountId}`
    await page.goto(`${service.url}/panel/${accountId}/people`)
    await page.getByLabel('End sessions after inactivity of').selectOption({ label: '15 minutes' })
    await page.getByLabel('Require a second factor').check()
    await button('Save').click()
    await page.getByText('first set up codes or a passkey').waitFor()
    await picture('sign-in-rules')
    await page.getByLabel('Require a second factor').uncheck()
    await button('Save').click()
    await page.getByText('Saved').first().waitFor()
  },
)
