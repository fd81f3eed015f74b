import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { verifies } from '../../src/outbound/signature.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startReceiver, type Received } from '../harness/receiver.ts'
import { client } from '../harness/service.ts'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { world } from '../harness/world.ts'

// An owner's way from the first token to a receiver that failed and recovered, with the mouse and keyboard of a real browser,
// against the whole service and a receiver.

const EMAIL = 'anna@example.com'
const FAILURES_PAUSED = 10

/** Reads a secret that is shown once, and closes its window. */
async function secretShown(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'shown only now' })
  const secret = await dialog.locator('code').first().innerText()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

const isSigned = ({ headers, body }: Received, secret: string, header = 'x-service-signature') =>
  verifies(secret, String(headers['x-service-timestamp']), body, String(headers[header]))

/** A script that resumes the page's endpoint at once: only the API allows that for an endpoint that is not paused. */
const RESUME = `(async () => {
  const [, account, endpoint] = /\\/panel\\/(\\d+)\\/endpoints\\/(\\d+)/.exec(location.pathname)
  const session = await (await fetch('/panel/api/session')).json()
  const path = '/panel/api/accounts/' + account + '/endpoints/' + endpoint + '/resume'
  const { status } = await fetch(path, { method: 'POST', headers: { 'X-CSRF-Token': session.data.csrf_token } })
  if (status >= 300) throw new Error('resume: ' + status)
})()`

test('from a token to a receiver that failed and recovered', { timeout: 240_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  const env = { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOKS_PER_SECOND: '1000' }
  await using w = await world({ service: { roles: ['api', 'work'], env }, account: 'Nordlicht', products: ['A-1'] })
  const { database, service } = w
  const { accountId } = w.account
  const [productId] = w.ids
  await makeMember(database.db, accountId, await makePerson(database.db, EMAIL), EMAIL, 'owner')
  await using receiver = await startReceiver()
  await using chromium = await openChromium()
  const page = await (await chromium.context()).newPage()

  // sign in
  await page.goto(`${service.url}/panel`)
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Three steps to your first shop' }).waitFor()

  // a token, and reading with it
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await page.getByRole('button', { name: 'Create token' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  // the error is beside the field
  await dialog.locator('input[name=name][aria-invalid=true]').waitFor()
  await dialog.getByLabel('Name').fill('Web shop')
  await dialog.getByLabel(/^Full/).check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await secretShown(page)
  expect(await page.content()).not.toContain(token)
  const api = client(service.url, token)
  expect((await api('/v1/products?store=main')).body.data).toHaveLength(1)
  const setStock = async (quantity: number) => {
    const answer = await api(`/v1/account/products/${productId}/stock`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    })
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
  }

  // a token for a shop: the form proposes one without purchase prices; for full access it has no such choice
  await page.getByRole('button', { name: 'Create token' }).first().click()
  await dialog.getByLabel('Name').fill('Kiosk')
  const costs = dialog.getByLabel('Also reads purchase prices')
  expect(await costs.isChecked()).toBe(false)
  await dialog.getByLabel(/^Full/).check()
  expect(await costs.count()).toBe(0)
  await dialog.getByLabel(/^Connector/).check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const kiosk = await secretShown(page)
  await page.getByRole('row', { name: /Kiosk.*Connector \(read only, no purchase prices\)/ }).waitFor()
  const read = (await client(service.url, kiosk)('/v1/products?store=main')).text
  expect([read.includes('"computed_price"'), read.includes('base_cost')]).toEqual([true, false])

  // an endpoint
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /A page, an action/ }).fill('Create an endpoint')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Receiver address').fill('ftp://shop.example')
  await dialog.getByRole('button', { name: 'Create endpoint' }).click()
  await dialog.locator('input[name=url][aria-invalid=true]').waitFor()
  expect(await dialog.getByLabel('Receiver address').inputValue()).toBe('ftp://shop.example')
  await dialog.getByLabel('Receiver address').fill(`${receiver.url}/hook`)
  await dialog.getByRole('button', { name: 'Create endpoint' }).click()
  // the command for a receiver at this address, beside its secret
  await dialog.getByText(`npx shelfwire listen --url ${receiver.url}/hook`).waitFor()
  // a first delivery is sent without a click
  await dialog.getByText('Received: the receiver answered with HTTP 200').waitFor()
  await page.getByRole('tab', { name: 'Python' }).click()
  await page.getByRole('dialog').getByText('import hashlib, hmac, re').waitFor()
  const secret = await secretShown(page)
  await page.getByText('Healthy', { exact: true }).first().waitFor()

  // a change arrives, is seen live, and verifies
  await page.getByRole('link', { name: 'Show deliveries' }).click()
  const delivered = page.getByRole('row').filter({ hasText: 'Delivered' })
  await delivered.filter({ hasText: 'Test' }).waitFor()
  expect(await delivered.count()).toBe(1)
  await setStock(7)
  await delivered.filter({ hasNotText: 'Test' }).first().waitFor({ timeout: 15_000 })
  expect(receiver.received.length).toBeGreaterThan(1)
  expect(receiver.received.every((delivery) => isSigned(delivery, secret))).toBe(true)

  // the receiver breaks: failing, then paused
  receiver.answer = { status: 500, body: '<img src=x onerror="window.wasRun=1">out of order' }
  await setStock(8)
  await page
    .getByText(/^Failing since/)
    .first()
    .waitFor({ timeout: 15_000 })
  await page
    .getByRole('row', { name: /Waiting/ })
    .first()
    .click()
  await page.getByRole('dialog').getByText('out of order').first().waitFor()
  expect(await page.evaluate('window.wasRun')).toBeUndefined()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Open the endpoint' }).click()
  for (let failures = 2; failures <= FAILURES_PAUSED; failures++) {
    // nothing is paused yet: the page has no button for it
    expect(await page.getByRole('button', { name: 'Resume now' }).count()).toBe(0)
    await page.evaluate(RESUME)
    await page
      .getByText(new RegExp(failures < FAILURES_PAUSED ? `, ${failures} in a row` : '^Paused until'))
      .first()
      .waitFor({ timeout: 15_000 })
  }
  await page.getByRole('link', { name: 'Overview' }).click()
  await page
    .getByText(/Paused until .* after 10 failures; 1 product waits/)
    .first()
    .waitFor()

  // it is fixed: after a resume the waiting deliveries arrive
  receiver.answer = { status: 204 }
  const before = receiver.received.length
  await page.getByRole('link', { name: 'Show' }).first().click()
  await page.getByRole('button', { name: 'Resume now' }).click()
  await page.getByText('Healthy', { exact: true }).first().waitFor({ timeout: 15_000 })
  expect(receiver.received.slice(before).flatMap(({ productIds }) => productIds)).toContain(productId)

  // rotation: a receiver that knows one secret and reads one header never fails
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const next = await secretShown(page)
  const tested = async () => {
    const count = receiver.received.length
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBeGreaterThan(count)
    await page.getByText(/Accepted with HTTP 204/).waitFor()
    return receiver.received.at(-1)!
  }
  const during = await tested()
  expect([isSigned(during, secret), isSigned(during, next, 'x-service-signature-next')]).toEqual([true, true])
  await page.getByRole('button', { name: 'Switch now' }).click()
  await dialog.getByRole('button', { name: 'Switch now' }).click()
  await page.getByText('The new secret is in use.').waitFor()
  const after = await tested()
  expect([isSigned(after, next), isSigned(after, secret, 'x-service-signature-previous')]).toEqual([true, true])

  // the developer's link: the log and a test, and nothing else
  await page.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByLabel('Name').fill('Agency')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await secretShown(page)
  const developer = await (await chromium.context()).newPage()
  await developer.goto(service.url + new URL(link).pathname + new URL(link).hash)
  await developer.getByRole('heading', { name: `${receiver.url}/hook` }).waitFor()
  expect(developer.url()).not.toContain('#')
  await developer.getByRole('button', { name: 'Send a test' }).click()
  await developer.getByText(/Accepted with HTTP 204/).waitFor({ timeout: 15_000 })
  await developer.goto(`${service.url}/panel/${accountId}/tokens`)
  await developer.getByRole('heading', { name: 'Sign in to Shelfwire' }).waitFor()
  await developer.context().close()

  // a member, who may not manage tokens
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await dialog.getByLabel('E-mail address').fill('piotr@example.com')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  const invitation = await secretShown(page)
  const member = await (await chromium.context()).newPage()
  await member.goto(service.url + new URL(invitation).pathname + new URL(invitation).hash)
  await member.getByRole('heading', { name: 'Join Nordlicht' }).waitFor()
  await member.getByLabel('Your name').fill('Piotr')
  await member.getByLabel('New password').fill('short')
  await member.getByRole('button', { name: 'Join' }).click()
  await member.locator('[role=alert], input[aria-invalid=true]').first().waitFor()
  expect(await member.getByLabel('Your name').inputValue()).toBe('Piotr')
  await member.getByLabel('New password').fill(PASSWORD)
  await member.getByRole('button', { name: 'Join' }).click()
  await member.getByRole('link', { name: 'Settings', exact: true }).click()
  await member.getByRole('link', { name: 'Tokens', exact: true }).click()
  await member.getByText('Only owners can create, rotate and revoke tokens.').waitFor()
  await member.getByText('Web shop').waitFor()
  expect(await member.getByRole('button', { name: 'Create token' }).count()).toBe(0)
  expect(await member.getByRole('link', { name: 'Audit trail' }).count()).toBe(0)

  // the audit trail has every action, and no secret
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await page
    .getByText(/^anna invited .*piotr@example\.com/)
    .first()
    .waitFor()
  await page
    .getByText(/^anna rotated the secret of the endpoint .*127\.0\.0\.1/)
    .first()
    .waitFor()
  const trail = await page.content()
  for (const text of [token, secret, next, link, invitation]) expect(trail).not.toContain(text)
  expect(chromium.faults).toEqual([])
})
