import type { TestDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { freePort } from '../harness/free-port.ts'
import { followProvider, startIdentityProvider, type IdentityProvider } from '../harness/identity-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { elsewhere, type Browser } from './browser.ts'

/** A provider, and a service whose people sign in at it. */
export interface AtProvider extends AsyncDisposable {
  provider: IdentityProvider
  service: TestService
  /** What browsers reach the service by. */
  origin: string
  /** Where the provider sends browsers back to. */
  redirectUri: string
  /** What the service is set to, but for its port and what was asked for. */
  env: Readonly<Record<string, string>>
  /** The provider knows somebody with this address, who signs in there next, and says the truth. */
  become(email: string): void
  /** Goes to the provider and comes back. @param cookies those that the browser has of the provider */
  comeBack(
    browser: Browser,
    of?: { again?: boolean; from?: ReturnType<typeof elsewhere>; cookies?: Map<string, string> },
  ): Promise<Returned>
}

export interface Returned {
  ticket: string
  /** The query of the address that the provider has sent the browser to. */
  answer: string
}

export const SIGN_IN_AT_PROVIDER = '/panel/api/sign-in/provider'

/** @param more settings. @param host a passkey needs a name, not an address */
export async function openAtProvider(
  database: TestDatabase,
  more: Readonly<Record<string, string>>,
  host = '127.0.0.1',
): Promise<AtProvider> {
  const port = await freePort()
  const origin = `http://${host}:${port}`
  const redirectUri = `${origin}/panel/sign-in`
  const provider = await startIdentityProvider(redirectUri)
  const env = { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8', ...provider.settings(origin) }
  const service = await startTestService(database, { env: { ...env, PORT: String(port), ...more } })
  return {
    provider,
    service,
    origin,
    redirectUri,
    env,
    become(email) {
      provider.people.set(email, { email, email_verified: true, name: 'Anna Berg' })
      Object.assign(provider, { signsIn: email, tamper: null, tamperDescription: null, amr: ['pwd'], waitsFor: null })
    },
    async comeBack(browser, { again = false, from = elsewhere(), cookies } = {}) {
      const begun = await browser.post(`${SIGN_IN_AT_PROVIDER}/begin`, { again }, from)
      if (begun.status !== 200) throw new Error(`the sign-in is not begun: ${begun.status} ${begun.text}`)
      const { ticket, url } = begun.body.data as { ticket: string; url: string }
      return { ticket, answer: new URL(await followProvider(url, redirectUri, cookies)).search.slice(1) }
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
