import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import { buildPanel } from '../../bin/panel.mjs'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { freePort } from '../harness/free-port.ts'
import { startIdentityProvider, type IdentityProvider } from '../harness/identity-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { violations } from './axe.ts'
import { openChromium } from './chromium.ts'

// Signing in at an OpenID provider, in a real browser: the cookies that other sites do not send, the way there and back, what is said in three languages.

const { database } = worldOfFile()
const chromium = ofFile(openChromium)
let provider: IdentityProvider
let service: TestService
let strict: TestService
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
  const [other, off] = await start({ LOCAL_SIGN_IN: 'off' })
  strict = off
  await other[Symbol.asyncDispose]()
  ;({ accountId } = await createAccount(openBench(database.db), 'Nordlicht'))
}, 90_000)
beforeEach(async () => {
  provider.people.set(email, { email, email_verified: true, name: 'Anna Berg' })
  provider.signsIn = email
  context = await chromium.context()
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})
afterEach(() => context.close())
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await strict[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const button = (of = page) => of.getByRole('button', { name: 'Sign in with Acme Login' })

test('a person who was not invited is told what to do, in three languages; who is invited comes to the page that was asked for', async () => {
  for (const [locale, name, title] of [
    ['en-GB', 'Sign in with Acme Login', 'Nobody has invited you here yet'],
    ['de-DE', 'Mit Acme Login anmelden', 'Sie wurden hier noch nicht eingeladen'],
    ['pl-PL', 'Zaloguj się przez Acme Login', 'Nikt Cię tu jeszcze nie zaprosił'],
  ] as const) {
    const other = await chromium.context({ locale })
    const at = await other.newPage()
    await at.goto(`${service.url}/panel/sign-in`)
    await at.getByRole('button', { name }).click()
    await at.getByText(title).waitFor()
    // the code is in no history and no bookmark
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
