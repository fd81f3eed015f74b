import { expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'
import { makeMember, makePerson, PASSWORD } from '../panel/browser.ts'
import { openChromium } from './chromium.ts'
import { world } from '../harness/world.ts'

test('the panel: sign in, look, change the language and the colours, sign out', { timeout: 60_000 }, async () => {
  expect(await buildPanel()).toBe(true)
  await using w = await world({ service: {}, account: 'Nordlicht' })
  const { service } = w
  const { accountId } = w.account
  const [db, email] = [w.database.db, 'anna@example.com']
  await makeMember(db, accountId, await makePerson(db, email), email, 'owner')
  await using chromium = await openChromium()
  const page = await (await chromium.context()).newPage()

  await page.goto(`${service.url}/panel/${accountId}/tokens`)
  await page.getByRole('heading', { name: 'Sign in to Shelfwire' }).waitFor()
  await page.getByLabel('E-mail address').fill('anna@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Sign-in failed').waitFor()
  // what was typed stays
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('anna@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  // the page that was requested before the sign-in
  await page.getByRole('heading', { name: 'Tokens' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/panel/${accountId}/tokens`)

  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /A page, an action/ }).fill('overview')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Three steps to your first shop' }).waitFor()

  await page.getByRole('link', { name: 'Panel settings' }).click()
  await page.getByText('Dark', { exact: true }).click()
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.locator('html[lang="de"]').waitFor()
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en')

  await page.getByRole('button', { name: /Account and sign-out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Shelfwire' }).waitFor()
  await page.goto(`${service.url}/panel/${accountId}/tokens`)
  await page.getByRole('heading', { name: 'Sign in to Shelfwire' }).waitFor()
  expect(chromium.faults).toEqual([])
})
