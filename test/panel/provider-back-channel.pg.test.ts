import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { freePort } from '../harness/free-port.ts'
import {
  followProvider,
  signOutAtProvider,
  startIdentityProvider,
  type IdentityProvider,
} from '../harness/identity-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { elsewhere, isSignedIn, openBrowser, type Browser } from './browser.ts'

// Back-channel logouts of a real provider (oidc-provider), which sends its own token with its own sid to this service. Forged ones
// are in provider-logout.full.pg.test.ts.

const { database } = worldOfFile()
const EMAIL = 'anna@example.com'
let provider: IdentityProvider
let service: TestService
let redirectUri: string

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  redirectUri = `${url}/panel/sign-in`
  provider = await startIdentityProvider(redirectUri, `${url}/panel/api/sign-in/provider/logout`)
  provider.people.set(EMAIL, { email: EMAIL, email_verified: true, name: 'Anna' })
  provider.signsIn = EMAIL
  service = await startTestService(database, {
    env: {
      SECRET_KEY: TEST_KEY,
      TRUSTED_PROXIES: '127.0.0.0/8',
      PORT: String(port),
      OIDC_SIGN_OUT: 'provider',
      ...provider.settings(url),
    },
  })
  const { accountId } = await createAccount(openBench(database.db), 'Nordlicht')
  await inTransaction(database.db, (tx) =>
    makeInvitation(tx, accountId, { email: EMAIL, role: 'member', createdBy: null }),
  )
}, 60_000)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Signs in at the provider. @param cookies the browser's cookies at the provider: the same ones mean the same session there */
async function signIn(cookies: Map<string, string>): Promise<Browser> {
  const browser = openBrowser(service.url)
  const begun = await browser.post('/panel/api/sign-in/provider/begin', { again: false }, elsewhere())
  const { ticket, url } = begun.body.data
  const answer = new URL(await followProvider(url, redirectUri, cookies)).search.slice(1)
  const { status, text } = await browser.post('/panel/api/sign-in/provider', { ticket, answer }, elsewhere())
  expect([status, text]).toEqual([200, text])
  return browser
}

test('a session that ends at the provider ends what it has opened here, in every browser, and nothing else', async () => {
  const [office, phone] = [new Map<string, string>(), new Map<string, string>()]
  const atOffice = await signIn(office)
  // the provider does not ask again in the same session of its own
  const again = await signIn(office)
  const onPhone = await signIn(phone)

  // straight at the provider, without this service
  await signOutAtProvider(`${provider.issuer}/session/end`, office)
  expect(provider.told).toEqual([null])
  expect(await Promise.all([atOffice, again, onPhone].map(isSignedIn))).toEqual([false, false, true])
  expect((await atOffice.get('/panel/api/sign-in')).body.data.ended).toBe('provider')
  // the next session there opens a session here again
  expect(await isSignedIn(await signIn(office))).toBe(true)
})

test('who signs out here and is led to the provider is signed out of everything that was opened in its session', async () => {
  const cookies = new Map<string, string>()
  const here = await signIn(cookies)
  const elsewhereOpen = await signIn(cookies)
  provider.told.length = 0
  const out = await here.send('DELETE', '/panel/api/session')
  // signed out here at once, whether the browser reaches the provider or not
  expect(await Promise.all([here, elsewhereOpen].map(isSignedIn))).toEqual([false, true])

  expect(await signOutAtProvider(out.body.data.provider_url, cookies)).toBe(redirectUri)
  expect(provider.told).toEqual([null])
  expect(await isSignedIn(elsewhereOpen)).toBe(false)
  const events = await database.db<{ kind: string }[]>`
    select e.kind from person_event e join person p using (person_id) where p.email = ${EMAIL} order by 1`
  expect(events.map(({ kind }) => kind)).toContain('provider-signed-out')
})
