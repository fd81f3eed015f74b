import { hash } from 'node:crypto'
import type { AuthorizationServer, Client, IDToken } from 'oauth4webapi'
import type { FetchImplementation, JWTVerifyGetKey } from 'jose'
import type { Outbound } from '../../outbound/client.ts'
import { readLogoutToken, requireAddressed, type LoggedOut } from './logout-token.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import type { Log } from '../../platform/log.ts'
import type { ProviderSettings } from '../../platform/settings/provider-settings.ts'
import { sendToProvider, type SendToProvider } from './send-to-provider.ts'

// An OpenID Connect provider: the authorization code flow with PKCE, state and nonce. oauth4webapi makes and checks the messages of the protocol; every
// request is sent by the outbound client.
// docs/decisions/202-people-sign-in-at-a-provider.md says why.

/** Loading it takes 40 ms, so it is loaded at the first use of a provider. */
const library = () => import('oauth4webapi')
type Library = Awaited<ReturnType<typeof library>>

/** Signature algorithms with a private key that only the provider has: neither `none`, nor those that use the client secret. */
const ALGORITHMS = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
])
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const CLOCKS_APART_SECONDS = 60

/** The provider's claims about a person who has just signed in. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  /** Seconds since the person last authenticated there; null: the provider does not say. */
  askedSecondsAgo: number | null
  /** Whether a second factor was used, by `amr` (RFC 8176). */
  hasFactor: boolean
  /** The provider's own session; null: it does not say. */
  sid: string | null
  /** The signed id_token. */
  idToken: string | null
  /** When these claims were issued, in seconds since 1970, by the provider's clock. */
  issuedAtSeconds: number
}

/** An identity provider. Its metadata and keys are requested when they are needed. */
export interface Provider {
  settings: ProviderSettings
  /**
   * The URL to which the browser is sent.
   * @param secret of this sign-in; the code verifier and the nonce are derived from it
   * @param state is returned together with the code
   * @param again makes the provider authenticate even if somebody is signed in there
   * @throws ShelfwireError provider-unavailable
   */
  begin(secret: string, state: string, redirectUri: string, again: boolean): Promise<string>
  /**
   * Verifies the provider's answer and reads the identity.
   * @param answer the query of the URL to which the provider has sent the browser
   * @throws ShelfwireError provider-refused; provider-unavailable
   */
  finish(answer: URLSearchParams, secret: string, state: string, redirectUri: string): Promise<Identity>
  /**
   * The URL at which a browser signs out at the provider; null: it has none.
   * @param idToken tells the provider who signs out; null: the provider asks the person
   * @throws ShelfwireError provider-unavailable
   */
  signOutUrl(idToken: string | null, backTo: string): Promise<string | null>
  /** Verifies and reads a logout token. @throws Error if it is not accepted; ShelfwireError provider-unavailable */
  loggedOut(token: string): Promise<LoggedOut>
}

const unavailable = (cause: unknown) =>
  new ShelfwireError('provider-unavailable', 'the identity provider does not answer as it should; try again later', {
    retryAfterSeconds: 10,
    cause,
  })

/** The error if an answer of the provider, or its ticket, is not accepted. */
export const providerRefused = (cause?: unknown) =>
  new ShelfwireError('provider-refused', 'the sign-in at the identity provider did not succeed; begin again', { cause })

const nonceOf = (secret: string) => hash('sha256', `nonce ${secret}`, 'base64url')

/** @param outbound must be allowed to reach the provider at any address, because the operator has named it */
export const openProvider = (settings: ProviderSettings, outbound: Outbound, log: Log): Provider =>
  new OpenIdProvider(settings, outbound, log)

class OpenIdProvider implements Provider {
  readonly settings: ProviderSettings
  readonly #log: Log
  readonly #client: Client
  readonly #isInsecure: boolean
  readonly #send: SendToProvider
  #keys: { at: string; get: JWTVerifyGetKey } | null = null
  /** The provider's metadata, and when it was requested, by performance.now(). */
  #described: { at: number; server: Promise<AuthorizationServer> } | null = null

  constructor(settings: ProviderSettings, outbound: Outbound, log: Log) {
    this.settings = settings
    this.#log = log
    this.#client = { client_id: settings.clientId }
    this.#isInsecure = settings.issuer.startsWith('http:')
    this.#send = sendToProvider(outbound, unavailable)
  }

  async begin(secret: string, state: string, redirectUri: string, again: boolean): Promise<string> {
    const server = await this.#requireDescribed()
    const { calculatePKCECodeChallenge } = await library()
    const url = new URL(must(server.authorization_endpoint))
    const parameters = {
      response_type: 'code',
      client_id: this.settings.clientId,
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce: nonceOf(secret),
      code_challenge: await calculatePKCECodeChallenge(secret),
      code_challenge_method: 'S256',
      // max_age makes the provider send auth_time, from which confirmations of a session are counted
      max_age: String(again ? 0 : LIMITS.providerAskedDaysMax * 86_400),
      ...(again ? { prompt: 'login' } : {}),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  async finish(answer: URLSearchParams, secret: string, state: string, redirectUri: string): Promise<Identity> {
    const server = await this.#requireDescribed()
    const oauth = await library()
    let parameters: URLSearchParams
    try {
      parameters = oauth.validateAuthResponse(server, this.#client, answer, state)
    } catch (error) {
      // level info, because anybody can send a bad answer, and people give up
      this.#log.info({ reason: asError(error).message }, 'a sign-in at the identity provider was not finished')
      throw providerRefused(error)
    }
    try {
      const { claims, idToken } = await this.#exchange(oauth, server, parameters, secret, redirectUri)
      return identityOf(claims, idToken)
    } catch (error) {
      throw refusal(error, oauth, this.#log)
    }
  }

  async signOutUrl(idToken: string | null, backTo: string): Promise<string | null> {
    const { end_session_endpoint: address } = await this.#requireDescribed()
    if (address === undefined) return null
    requireEndpoint('end_session_endpoint', address, this.#isInsecure)
    const url = new URL(address)
    if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
    url.searchParams.set('client_id', this.settings.clientId)
    url.searchParams.set('post_logout_redirect_uri', backTo)
    return url.href
  }

  async loggedOut(token: string): Promise<LoggedOut> {
    // checked first, so that a stranger's token does not make this service send requests to the provider
    await requireAddressed(token, this.settings)
    const server = await this.#requireDescribed()
    return readLogoutToken(token, await this.#keysAt(must(server.jwks_uri)), {
      issuer: server.issuer,
      clientId: this.settings.clientId,
      algorithms: must(server.id_token_signing_alg_values_supported),
      clocksApartSeconds: CLOCKS_APART_SECONDS,
    })
  }

  /** Exchanges the code for the claims of the person, and verifies them. */
  async #exchange(
    oauth: Library,
    server: AuthorizationServer,
    parameters: URLSearchParams,
    secret: string,
    redirectUri: string,
  ): Promise<{ claims: IDToken; idToken: string | null }> {
    const options = this.#optionsOf(oauth)
    const authentication =
      server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false
        ? oauth.ClientSecretPost(this.settings.clientSecret)
        : oauth.ClientSecretBasic(this.settings.clientSecret)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      authentication,
      parameters,
      redirectUri,
      secret,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      { ...this.#client, [oauth.clockTolerance]: CLOCKS_APART_SECONDS },
      response,
      { expectedNonce: nonceOf(secret), requireIdToken: true },
    )
    // the protocol allows a client to trust the TLS connection alone, but a proxy in between must not be enough
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw new Error('there is no id_token')
    return { claims, idToken: tokens.id_token ?? null }
  }

  #optionsOf({ allowInsecureRequests, customFetch }: Library) {
    return { [allowInsecureRequests]: this.#isInsecure, [customFetch]: this.#send as never }
  }

  async #requireDescribed(): Promise<AuthorizationServer> {
    try {
      return await this.#describe()
    } catch (error) {
      const { message, cause } = asError(error)
      const reason = cause instanceof Error ? cause.message : message
      this.#log.error({ reason }, 'OIDC_ISSUER cannot be asked what it is')
      throw unavailable(error)
    }
  }

  /** The metadata, requested once for all sign-ins while it is fresh, and again after a failure. */
  #describe(): Promise<AuthorizationServer> {
    const now = performance.now()
    const known = this.#described
    if (known !== null && now - known.at < LIMITS.providerDescriptionMinutes * 60_000) return known.server
    const asked = { at: now, server: this.#discover() }
    this.#described = asked
    asked.server.catch(() => {
      if (this.#described === asked) this.#described = null
    })
    return asked.server
  }

  async #discover(): Promise<AuthorizationServer> {
    const oauth = await library()
    const issuer = new URL(this.settings.issuer)
    const found = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...this.#optionsOf(oauth), algorithm: 'oidc' }),
    )
    const algorithms = (found.id_token_signing_alg_values_supported ?? ['RS256']).filter((name) => ALGORITHMS.has(name))
    if (algorithms.length === 0) throw new Error('it signs with no algorithm that is taken here')
    for (const name of ENDPOINTS) requireEndpoint(name, found[name], this.#isInsecure)
    return { ...found, id_token_signing_alg_values_supported: algorithms }
  }

  /** The keys at a URL. They are requested again when a key is unknown, at most every half minute. */
  async #keysAt(at: string): Promise<JWTVerifyGetKey> {
    if (this.#keys?.at === at) return this.#keys.get
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const ask: FetchImplementation = async (url, { headers }) => {
      const answer = await this.#send(url, { method: 'GET', headers: Object.fromEntries(headers) })
      // `unavailable` and not a refused token: the provider may send the token again
      if (answer.status !== 200) throw unavailable(new Error(`${url} answers with ${answer.status}`))
      const read = (await answer
        .clone()
        .json()
        .catch(() => null)) as { keys?: unknown } | null
      if (!Array.isArray(read?.keys)) throw unavailable(new Error(`${url} has no keys`))
      return answer
    }
    this.#keys = { at, get: createRemoteJWKSet(new URL(at), { [customFetch]: ask }) }
    return this.#keys.get
  }
}

/** @throws Error if it is not a URL that browsers and requests may be sent to */
function requireEndpoint(name: string, given: unknown, isInsecure: boolean): void {
  const protocol = typeof given === 'string' && URL.canParse(given) ? new URL(given).protocol : null
  if (protocol !== 'https:' && !(isInsecure && protocol === 'http:'))
    throw new Error(`its ${name} is no https:// address`)
}

/**
 * The error for the browser. Causes that lie with a person or a stranger are common and logged as info; causes that lie with the provider or its
 * settings are logged as errors, for the operator.
 */
function refusal(error: unknown, oauth: Library, log: Log): ShelfwireError {
  if (error instanceof ShelfwireError && error.code === 'provider-unavailable') {
    log.error({ reason: asError(error.cause).message }, 'the identity provider does not answer')
    return error
  }
  // only the message: other members of the error may contain a token
  const reason = asError(error).message
  if (!(error instanceof oauth.ResponseBodyError)) {
    log.error({ reason }, 'what the identity provider answers is not accepted')
    return providerRefused(error)
  }
  // the code was used already, is too old, or was issued to another client
  if (error.error === 'invalid_grant') {
    log.info({ reason: error.error }, 'the identity provider has refused a code')
    return providerRefused(error)
  }
  log.error(
    { reason, error: error.error },
    'the identity provider refuses this service: see OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  )
  return unavailable(error)
}

/**
 * The issuer is taken as the provider spells it: OIDC_ISSUER may differ by a slash at the end, and correcting the setting must not change
 * identities.
 */
function identityOf(claims: IDToken, idToken: string | null): Identity {
  const textOf = (name: string, max: number) => {
    const value = claims[name]
    return typeof value === 'string' && value.length <= max && !/[\p{Cc}\p{Cs}]/u.test(value) ? value : null
  }
  const { sub, amr, auth_time: authTime } = claims
  const sid = textOf('sid', LIMITS.providerSubjectLengthMax)
  if (sub.length > LIMITS.providerSubjectLengthMax || /[\p{Cc}\p{Cs}]/u.test(sub))
    throw new Error('its subject has no form of one')
  return {
    issuer: claims.iss,
    subject: sub,
    email: textOf('email', LIMITS.emailLengthMax),
    // only the boolean counts: some providers send the text "false"
    isEmailVerified: claims['email_verified'] === true,
    name: textOf('name', LIMITS.nameLengthMax),
    // by this machine's clock, which may differ from the provider's
    askedSecondsAgo: typeof authTime === 'number' ? Math.max(0, Date.now() / 1_000 - authTime) : null,
    hasFactor: Array.isArray(amr) && amr.includes('mfa'),
    sid: sid === '' ? null : sid,
    idToken,
    issuedAtSeconds: claims.iat,
  }
}
