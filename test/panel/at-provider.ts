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
  /** The origin by which browsers reach the service. */
  origin: string
  /** The address to which the provider redirects browsers. */
  redirectUri: string
  /** The settings of the service, except its port and `more`. */
  env: Readonly<Record<string, string>>
  /** Makes the next sign-in at the provider one of a person with this verified address. */
  become(email: string): void
  /** Follows the redirects to the provider and back. @param cookies the browser's cookies of the provider */
  comeBack(
    browser: Browser,
    of?: { again?: boolean; from?: ReturnType<typeof elsewhere>; cookies?: Map<string, string> },
  ): Promise<Returned>
}

export interface Returned {
  ticket: string
  /** The query of the address to which the provider redirected the browser. */
  answer: string
}

export const SIGN_IN_AT_PROVIDER = '/panel/api/sign-in/provider'

/** @param more further settings. @param host the host in the origin; a passkey needs a name, not an IP address */
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
