import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { freePort } from '../harness/free-port.ts'
import { startIdentityProvider, type IdentityProvider } from '../harness/identity-provider.ts'
import { makeMember, makePerson, PASSWORD, signedIn } from '../panel/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'

// Signing in at an OpenID provider, in a real browser: the cookies that other sites do not send, the redirects, and the messages in three languages.

const { database } = worldOfFile()
const chromium = ofFile(openChromium)
let provider: IdentityProvider
let service: TestService
let strict: TestService
let strictProvider: IdentityProvider
let context: BrowserContext
let page: Page
let accountId: number
const email = 'anna@example.com'

beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  const start = async (env: Record<string, string>) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const made = await startIdentityProvider(`${url}/panel/sign-in`)
    return [
      made,
      await startTestService(database, {
        env: { SECRET_KEY: TEST_KEY, PORT: String(port), ...made.settings(url), ...env },
      }),
    ] as const
  }
  ;[provider, service] = await start({})
  ;[strictProvider, strict] = await start({ LOCAL_SIGN_IN: 'off' })
  ;({ accountId } = await createAccount(openBench(database.db), 'Nordlicht'))
}, 90_000)
beforeEach(async () => {
  for (const each of [provider, strictProvider]) {
    each.people.set(email, { email, email_verified: true, name: 'Anna Berg' })
    each.signsIn = email
  }
  context = await chromium.context()
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})
afterEach(() => context.close())
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await strict[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
  await strictProvider[Symbol.asyncDispose]()
})

const button = (of = page) => of.getByRole('button', { name: 'Sign in with Acme Login' })

test('a person who was not invited is told what to do, in three languages; who is invited comes to the page that was asked for', async () => {
  for (const [locale, name, title] of [
    ['en-GB', 'Sign in with Acme Login', 'You have not been invited yet'],
    ['de-DE', 'Mit Acme Login anmelden', 'Sie wurden hier noch nicht eingeladen'],
    ['pl-PL', 'Zaloguj się przez Acme Login', 'Nie masz jeszcze zaproszenia'],
  ] as const) {
    const other = await chromium.context({ locale })
    const at = await other.newPage()
    await at.goto(`${service.url}/panel/sign-in`)
    await at.getByRole('button', { name }).click()
    await at.getByText(title).waitFor()
    // the code is removed from the address, so it is in no history and no bookmark
    expect(new URL(at.url()).search).toBe('')
    await other.close()
  }
  await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role: 'owner', createdBy: null }))
  await page.goto(`${service.url}/panel/${accountId}/suppliers`)
  await button().click()
  await page.waitForURL(`**/panel/${accountId}/suppliers`)
  await page.getByRole('button', { name: /Account and sign-out/ }).waitFor()
})

test('an address with the answer of somebody else signs nobody in, and a link leads to no other site afterwards', async () => {
  await page.goto(`${service.url}/panel/sign-in?code=stolen&state=of-another`)
  await page.getByText('You were not signed in').waitFor()
  await page.goto(`${service.url}/panel/sign-in?next=//evil.example/`)
  await button().click()
  await page.getByRole('button', { name: /Account and sign-out/ }).waitFor()
  expect(new URL(page.url()).origin).toBe(service.url)
})

test('with LOCAL_SIGN_IN=off there is the one button; axe finds nothing on both pages', async () => {
  await page.goto(`${service.url}/panel/sign-in`)
  await button().waitFor()
  expect(await violations(page)).toEqual([])
  await page.goto(`${strict.url}/panel/sign-in`)
  await button().waitFor()
  expect([await page.getByLabel('Password').count(), await page.getByRole('link').count()]).toEqual([0, 0])
  expect(await violations(page)).toEqual([])
})

test('an answer is sent once: coming back to the window asks nothing, and the reason stays', async () => {
  provider.people.set('stranger', { email: 'stranger@example.com', email_verified: true })
  provider.signsIn = 'stranger'
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/panel/api/sign-in/provider')) sent.push(request.url())
  })
  await page.goto(`${service.url}/panel/sign-in`)
  await button().click()
  await page.getByText('You have not been invited yet').waitFor()
  for (const event of ['visibilitychange', 'focus', 'online'])
    await page.evaluate(`for (const at of [window, document]) at.dispatchEvent(new Event('${event}'))`)
  // wait for requests that the page may send again
  await page
    .waitForResponse((response) => response.url().endsWith('/panel/api/sign-in'), { timeout: 1_000 })
    .catch(() => null)
  await page.getByText('You have not been invited yet').waitFor()
  expect(sent).toHaveLength(1)
})

test('who takes over what was set up with the address is told, and ends what was made with it', async () => {
  const boss = 'boss@example.com'
  const personId = await makePerson(database.db, boss, 'Boss')
  await makeMember(database.db, accountId, personId, boss, 'owner')
  const squatter = await signedIn(database.db, service.url, personId)
  const made = await squatter.post(`/panel/api/accounts/${accountId}/tokens`, {
    name: 'Left behind',
    access: 'connector',
  })
  expect(made.status).toBe(201)
  provider.people.set(boss, { email: boss, email_verified: true })
  provider.signsIn = boss
  await page.goto(`${service.url}/panel/sign-in`)
  await button().click()
  await page.getByText(`Until now, nothing here confirmed that ${boss} is yours.`).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await page.getByRole('heading', { name: 'Before you signed in here with Acme Login' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('checkbox', { name: /Left behind/ }).check()
  await page.getByRole('button', { name: 'End the chosen ones' }).click()
  await page.getByRole('heading', { name: 'Before you signed in here with Acme Login' }).waitFor({ state: 'detached' })
  const [token] = await database.db`select revoked_at is not null as ended from token where name = 'Left behind'`
  expect(token).toEqual({ ended: true })
})

test('where passwords are off, who lacks a second factor sets codes up, having confirmed at the provider', async () => {
  const { accountId: strictId } = await createAccount(openBench(database.db), 'Strict')
  await database.db`update account set requires_second_factor = true where account_id = ${strictId}`
  await inTransaction(database.db, (tx) => makeInvitation(tx, strictId, { email, role: 'owner', createdBy: null }))
  await page.goto(`${strict.url}/panel/${strictId}/overview`)
  await button().click()
  await page.getByRole('heading', { name: 'A second factor is needed' }).waitFor()
  await page.getByText('You can also sign in with Acme Login').waitFor()
  expect(await violations(page)).toEqual([])
  await database.db`update session set reauthenticated_at = null`
  await page.getByRole('link', { name: 'Set up codes' }).click()
  const begin = async () => {
    await page.getByRole('button', { name: 'Set up codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click()
  }
  await begin()
  await page.getByRole('button', { name: 'Sign in again with Acme Login' }).click()
  await page.waitForURL('**/panel/profile')
  await begin()
  await page.getByText('Scan this with your authenticator app.').waitFor()
})

test('who is signed in by password links an identity in the profile by the password, is shown which one, and unlinks it', async () => {
  const carl = 'carl@example.com'
  const personId = await makePerson(database.db, carl, 'Carl')
  await makeMember(database.db, accountId, personId, carl, 'member')
  provider.people.set('of Carl', { email: 'carl@private.example' })
  provider.signsIn = 'of Carl'
  await page.goto(`${service.url}/panel/sign-in?next=/profile`)
  await page.getByLabel('E-mail address').fill(carl)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const section = page.getByRole('region', { name: 'Sign-in', exact: true })
  const dialog = page.getByRole('dialog')
  await section.getByText('Link your account at Acme Login once').waitFor()
  expect(await violations(page)).toEqual([])
  const link = async (password: string) => {
    await section.getByRole('button', { name: 'Link with Acme Login' }).click()
    await dialog.getByLabel('Your password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Link with Acme Login' }).click()
  }

  // a wrong password does not lead to the provider; the dialog says beforehand what the first sign-in there may end
  await link('a wrong password')
  await dialog.getByText('is wrong').waitFor()
  await dialog.getByText(`if Acme Login has verified the address ${carl}, your first sign-in there ends`).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await link(PASSWORD)
  await section.getByText('You can sign in with Acme Login.').waitFor()
  await section.getByText('E-mail address there: carl@private.example. Linked:').waitFor()
  expect(new URL(page.url())).toMatchObject({ pathname: '/panel/profile', search: '' })
  expect(await violations(page)).toEqual([])

  const unlink = async () => {
    await section.getByRole('button', { name: 'Unlink Acme Login' }).click()
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Unlink Acme Login' }).click()
    await section.getByRole('button', { name: 'Link with Acme Login' }).waitFor()
  }
  await unlink()

  // another person of the provider was linked meanwhile, in another window
  await section.getByRole('button', { name: 'Link with Acme Login' }).click()
  await database.db`
    insert into person_identity (issuer, subject, person_id, email, is_checked, is_email_verified)
    values (${provider.issuer}, 'another of Carl', ${personId}, '', true, false)`
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Link with Acme Login' }).click()
  await section
    .getByText('Your sign-in here is linked with a different account at Acme Login. Unlink that one first.')
    .waitFor()
  expect(await violations(page)).toEqual([])
  await unlink()

  // if the provider has verified the same address, the page says until the next sign-in there what it will end
  provider.people.set('of Carl', { email: carl, email_verified: true })
  await link(PASSWORD)
  await section.getByText('Your next sign-in with Acme Login ends your password').waitFor()
})
