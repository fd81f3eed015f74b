import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Everything about one's own sign-in, in a real browser: codes, passkeys, links from mails, sessions, several accounts.

const { database } = worldOfFile()
const sink = ofFile(startSmtpSink)
const chromium = ofFile(openChromium)
let mailing: TestService
let context: BrowserContext
let page: Page
let email: string
let accountId: number
let personId: number
let people = 0
let addresses = 0

beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  mailing = await startTestService(database, {
    env: { SECRET_KEY: TEST_KEY, SMTP_URL: sink.url, OUTBOUND_ALLOW: '127.0.0.0/8', TRUSTED_PROXIES: '127.0.0.0/8' },
  })
}, 60_000)
beforeEach(async () => {
  ;({ accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`))
  email = `anna${people++}@example.com`
  personId = await makePerson(database.db, email)
  await makeMember(database.db, accountId, personId, email, 'owner')
  context = await another()
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})
afterEach(async () => {
  await context.close()
  expect(chromium.faults.splice(0)).toEqual([])
})
afterAll(() => mailing[Symbol.asyncDispose]())

/** A browser of its own, at an address of its own: attempts to sign in are limited by address. */
function another(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return chromium.context({ extraHTTPHeaders: { 'X-Forwarded-For': `198.51.100.${addresses++}` }, ...options })
}

/** A passkey needs a name, not an address. */
const atName = () => mailing.url.replace('127.0.0.1', 'localhost')
const button = (name: string, of = page) => of.getByRole('button', { name, exact: true })

async function typePassword(of: Page, address: string, password = PASSWORD): Promise<void> {
  await of.getByLabel('E-mail address').fill(address)
  await of.getByLabel('Password', { exact: true }).fill(password)
  await of.keyboard.press('Enter')
}

/** Signs in and opens the page of the own sign-in. */
async function openProfile(of = page, url = mailing.url, password = PASSWORD): Promise<void> {
  await of.goto(`${url}/panel/profile`)
  await typePassword(of, email, password)
  await of.getByRole('heading', { name: 'Your sign-in', exact: true }).waitFor()
}

const signInTitle = (of = page) => of.getByRole('heading', { name: 'Sign in to Shelfwire' })

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: /Account and sign-out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signInTitle().waitFor()
}

const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

test(
  'codes: set up, sign in by one and by a recovery code, each once; other sessions end',
  { timeout: 60_000 },
  async () => {
    const elsewhere = await (await another()).newPage()
    await openProfile(elsewhere)
    await openProfile()
    const dialog = page.getByRole('dialog')
    await button('Set up codes').click()
    await dialog.getByLabel('Your password', { exact: true }).fill('wrong password')
    await button('Next').click()
    await dialog.getByRole('alert').or(dialog.locator('[aria-invalid=true]')).first().waitFor()
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await button('Next').click()
    const picture = dialog.getByRole('img', { name: 'QR code of the setup' })
    await picture.waitFor()
    // a picture that the page’s policy refuses has no width
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0)
    const secret = (await dialog.locator('code').innerText()).trim()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    await dialog.getByLabel('Code from the app').fill('000000')
    await button('Confirm').click()
    await dialog.getByRole('alert').waitFor()
    const confirmed = codeOf(secret, -1)
    await dialog.getByLabel('Code from the app').fill(confirmed)
    await button('Confirm').click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const recovery = (await dialog.locator('code').innerText()).split('\n')
    expect(recovery).toHaveLength(10)
    await button('I have saved it').click()
    await page.getByText('On; 10 recovery codes left').waitFor()
    expect(await page.content()).not.toContain(recovery[0])

    // the other session was opened without a code
    await elsewhere.getByRole('link', { name: 'Overview' }).click()
    await signInTitle(elsewhere).waitFor()
    await elsewhere.context().close()

    // this session continues, and can write
    await page.getByLabel('Your name').fill('Anna Berg')
    await button('Save').first().click()
    await page.getByText('Saved').first().waitFor()

    await signOut()
    await typePassword(page, email)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    // the code that confirmed the setup cannot be used again
    await page.getByLabel('Code', { exact: true }).fill(confirmed)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Your sign-in' }).first().waitFor()

    await signOut()
    await typePassword(page, email)
    await page.getByLabel('Code', { exact: true }).fill(recovery[0]!.toUpperCase())
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Your sign-in' }).first().click()
    await page.getByText('On; 9 recovery codes left').waitFor()
    await page.getByText('Recovery code used').first().waitFor()
  },
)

test('passkeys: add one, sign in by it without a code, remove it', { timeout: 60_000 }, async () => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await openProfile(page, atName())
  await button('Add a passkey').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('This laptop')
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('cell', { name: 'This laptop' }).waitFor()
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

  await signOut()
  await button('Sign in with a passkey').click()
  await page.getByRole('link', { name: 'Your sign-in' }).first().click()
  await page.getByRole('cell', { name: 'This laptop' }).waitFor()
  expect(await page.getByRole('row', { name: /This laptop/ }).innerText()).not.toContain('never')

  // without user verification (finger or PIN) nobody is signed in, and the page can try again
  await signOut()
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  // wait for the options first: until then the button may still look enabled, and the test would go on before the authenticator is asked
  const asked = page.waitForResponse(/\/sign-in\/passkey\/options$/)
  await button('Sign in with a passkey').click()
  await asked
  await expect.poll(() => button('Sign in with a passkey').isEnabled()).toBe(true)
  await signInTitle().waitFor()
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await button('Sign in with a passkey').click()
  await page.getByRole('link', { name: 'Your sign-in' }).first().click()

  await page
    .getByRole('row', { name: /This laptop/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No passkeys yet.').waitFor()
  await signOut()
  await button('Sign in with a passkey').click()
  await page.getByRole('alert').waitFor()
})

/** The link in the newest mail to an address. */
async function mailedLink(to: string): Promise<string> {
  const mails = () => sink.mails.filter(({ recipients }) => recipients.includes(to))
  await expect.poll(() => mails().length, { timeout: 5_000 }).toBeGreaterThan(0)
  return /http\S+\/panel\/link#\S+/.exec(mails().at(-1)?.mail.text ?? '')?.[0] ?? ''
}

test('a forgotten password: by a mailed link, once, and all sessions end', { timeout: 60_000 }, async () => {
  const elsewhere = await (await another()).newPage()
  await openProfile(elsewhere)
  await page.goto(`${mailing.url}/panel`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await button('Send the link').click()
  await page.getByRole('status').filter({ hasText: 'a link is on its way' }).waitFor()
  const link = await mailedLink(email)
  await page.goto(link)
  await page.getByText(`For ${email}.`).waitFor()
  // the token is removed from the address, so it is in no bookmark
  expect(page.url()).toBe(`${mailing.url}/panel/link`)
  await page.getByLabel('New password', { exact: true }).fill('short')
  await button('Set the password').click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await page.getByLabel('New password', { exact: true }).fill('a better one 12')
  await button('Set the password').click()
  await page.getByRole('link', { name: 'Your sign-in' }).first().waitFor()
  await elsewhere.getByRole('link', { name: 'Overview' }).click()
  await signInTitle(elsewhere).waitFor()
  await elsewhere.context().close()
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByText('This link no longer works').waitFor()
  await page.goto(`${mailing.url}/panel`)
  await signOut()
  await typePassword(page, email, PASSWORD)
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a better one 12')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Your sign-in' }).first().waitFor()
})

test(
  'a forgotten password where no mail is sent: the page names the operator, whose link works',
  { timeout: 60_000 },
  async () => {
    await using service = await startTestService(database, { env: { SECRET_KEY: TEST_KEY } })
    await page.goto(`${service.url}/panel/forgotten-password`)
    await page.getByText('Ask its operator for a link').waitFor()
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-sign-in-'))
    const [member] = await database.db<{ id: number }[]>`
    select member_id as id from member where account_id = ${accountId} and person_id = ${personId}`
    const made = await openCommands(database, directory).json([
      'member',
      'link',
      '--account',
      String(accountId),
      '--member',
      String(member?.id),
    ])
    await page.goto(`${service.url}/panel/link#${String(made.link).split('#')[1]}`)
    await page.getByLabel('New password', { exact: true }).fill('a better one 12')
    await button('Set the password').click()
    await page.getByRole('link', { name: 'Your sign-in' }).first().waitFor()
    await rm(directory, { recursive: true })
  },
)

test(
  'signing out everywhere ends the session of another browser, and one session can be ended alone',
  { timeout: 60_000 },
  async () => {
    const elsewhere = await (
      await another({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
    ).newPage()
    await openProfile(elsewhere)
    await openProfile()
    await page
      .getByRole('row', { name: /Firefox/ })
      .getByRole('button', { name: 'Sign out' })
      .click()
    await page.getByText('The session was ended').waitFor()
    await elsewhere.getByRole('link', { name: 'Overview' }).click()
    await signInTitle(elsewhere).waitFor()
    await typePassword(elsewhere, email)
    await elsewhere.getByRole('link', { name: 'Your sign-in' }).first().waitFor()
    await button('Sign out everywhere').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await signInTitle().waitFor()
    // a request of that page may already have led to the sign-in
    await elsewhere.reload()
    await signInTitle(elsewhere).waitFor()
    await elsewhere.context().close()
    await page.goBack()
    await signInTitle().waitFor()
  },
)

test('a person of two accounts switches between them, and sees each with its role', { timeout: 60_000 }, async () => {
  const other = await createAccount(openBench(database.db), 'Zweite Firma')
  await makeMember(database.db, other.accountId, personId, email, 'member')
  await page.goto(`${mailing.url}/panel/${accountId}/people`)
  await typePassword(page, email)
  await button('Invite a person').waitFor()
  await page.getByRole('button', { name: /Account and sign-out/ }).click()
  await page
    .getByRole('menuitem', { name: 'zweite-firma' })
    .or(page.getByRole('menuitem', { name: 'Zweite Firma' }))
    .click()
  await page.waitForURL(`**/panel/${other.accountId}/overview`)
  // the address changes before the page does
  await page
    .getByRole('button', { name: /Account and sign-out/ })
    .filter({ hasText: /zweite.firma/i })
    .waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByText('Only owners can change this.').waitFor()
  expect(await button('Invite a person').count()).toBe(0)
  // the account that was open last is opened
  await page.goto(`${mailing.url}/panel`)
  await page.waitForURL(`**/panel/${other.accountId}/overview`)
  // an account of which this person is not a member
  const foreign = await createAccount(openBench(database.db), 'Fremd')
  await page.goto(`${mailing.url}/panel/${foreign.accountId}/people`)
  await page.getByText('Account not found').waitFor()
})

test('an address to go to after signing in never leads elsewhere', { timeout: 60_000 }, async () => {
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/\n//evil.example',
  ]) {
    await context.clearCookies()
    await page.goto(`${mailing.url}/panel/sign-in?next=${encodeURIComponent(next)}`)
    await typePassword(page, email)
    await signInTitle().waitFor({ state: 'detached' })
    expect([next, new URL(page.url()).origin]).toEqual([next, mailing.url])
  }
})

test(
  'of two people who edit an endpoint the later one is told what the other saved, and loses nothing',
  { timeout: 60_000 },
  async () => {
    const { endpointId } = await mailing.runtime.endpoints.create(accountId, {
      url: 'http://127.0.0.1:9000/first',
      kinds: ['price'],
      storeId: null,
    })
    const other = await (await another()).newPage()
    for (const of of [page, other]) {
      await of.goto(`${mailing.url}/panel/${accountId}/endpoints/${endpointId}`)
      await typePassword(of, email)
      await of.getByLabel('Receiver address').waitFor()
    }
    await page.getByLabel('Receiver address').fill('http://127.0.0.1:9000/mine')
    await other.getByLabel('Receiver address').fill('http://127.0.0.1:9000/theirs')
    await button('Save', other).click()
    await other.getByText('Saved').first().waitFor()
    await other.context().close()
    await button('Save').click()
    const told = page.getByRole('alert').filter({ hasText: 'Somebody else' })
    await told.getByRole('cell', { name: 'http://127.0.0.1:9000/theirs' }).waitFor()
    await told.getByRole('cell', { name: 'http://127.0.0.1:9000/mine' }).waitFor()
    expect(await page.getByLabel('Receiver address').inputValue()).toBe('http://127.0.0.1:9000/mine')
    await told.getByRole('button').last().click()
    await button('Save').click()
    await page.getByText('Saved').first().waitFor()
    const [row] = await database.db<
      { url: string }[]
    >`select url from endpoint where endpoint_id = ${endpointId} and account_id = ${accountId}`
    expect(row?.url).toBe('http://127.0.0.1:9000/mine')
  },
)

test(
  'another e-mail address: asked for with the password, confirmed by its mailed link',
  { timeout: 60_000 },
  async () => {
    const address = `new-${email}`
    await openProfile()
    await page.getByLabel('New e-mail address').fill(address)
    await page.getByLabel('Your password', { exact: true }).fill('wrong password')
    await button('Send a confirmation link').click()
    await page.locator('[aria-invalid=true]').or(page.getByRole('alert')).first().waitFor()
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await button('Send a confirmation link').click()
    await page
      .getByRole('status')
      .filter({ hasText: `Open the link that we send to ${address}` })
      .waitFor()
    await page.goto(await mailedLink(address))
    await button('Confirm the address').click()
    await page.getByText(`You now sign in as ${address}.`).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Your sign-in' }).first().click()
    await page.getByText('E-mail address changed').first().waitFor()
    await signOut()
    await typePassword(page, address)
    await page.getByRole('link', { name: 'Your sign-in' }).first().waitFor()
  },
)

test('a mail that failed: the owner sees it, and sends it again', { timeout: 60_000 }, async () => {
  const address = `invited-${email}`
  await page.goto(`${mailing.url}/panel/${accountId}/people`)
  await typePassword(page, email)
  sink.manner = 550
  await button('Invite a person').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill(address)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog.getByText('not e-mailed').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByText('The e-mail could not be sent', { exact: true }).waitFor()
  sink.manner = 'take'
  sink.mails.length = 0
  await button('Send again').click()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(`An invitation was sent to ${address}`).waitFor()
  await page.getByText('The e-mail could not be sent', { exact: true }).waitFor({ state: 'detached' })
  const invited = await (await another()).newPage()
  await invited.goto(await mailedLink(address))
  await invited.getByLabel('Your name').fill('Nina')
  await invited.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await button('Join', invited).click()
  await invited.getByRole('link', { name: 'Your sign-in' }).first().waitFor()
  await invited.context().close()
})
